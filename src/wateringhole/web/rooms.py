"""Registry of the page's tables: creates, resumes, lists and drops rooms, within limits.

Laws: their number is bounded, in all and from one address, and one that no tab has open is dropped after a while.
"""

import asyncio
import ipaddress
import logging
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Final, Literal

import msgspec
from msgspec import structs

from wateringhole.agents.house import HOUSE
from wateringhole.dealer import MAX_PLAYERS, MIN_PLAYERS
from wateringhole.fault import shown
from wateringhole.game import Game
from wateringhole.record import Note, Record, Result, replay
from wateringhole.record import text as record_text
from wateringhole.server.clock import time_control
from wateringhole.server.game_session import Audience
from wateringhole.server.games import Games, InterruptedGame, NotKept
from wateringhole.server.lobby import Lobby
from wateringhole.server.participants import BotParticipant, Participant
from wateringhole.store.finished_game import game_id
from wateringhole.store.log_entries import LogContents
from wateringhole.web.archive import Archive
from wateringhole.web.page_messages import Chair, Trouble
from wateringhole.web.page_text import DEFAULT_LANGUAGE, text
from wateringhole.web.play_again import moved_up, next_chairs
from wateringhole.web.room import Room
from wateringhole.web.room_restart import memo_of, resume
from wateringhole.web.room_seats import RoomMemo, TablePlan
from wateringhole.wire.framing import Json
from wateringhole.wire.names import cleaned

_LOG: Final = logging.getLogger(__name__)

MAX_ROOMS: Final = 500
MAX_ROOMS_PER_ADDRESS: Final = 20
TIMES: Final = ("none", "30+10", "120+30", "600+60")
MAX_PACE_SECONDS: Final = 5.0

SWEEP_SECONDS: Final = 30.0
IDLE_SECONDS: Final = {"open": 600.0, "playing": 86_400.0, "over": 3_600.0}
"""How long a room is kept that no tab has open, by its stage."""


class Refusal(Exception):  # noqa: N818  # not an error of ours
    """What is asked cannot be, in one sentence; that of a `key` is in the catalogues, for visitors of the page."""

    def __init__(self, sentence: str = "", key: str = "", **parameters: str | int) -> None:
        super().__init__(sentence or text(DEFAULT_LANGUAGE, key, **parameters))
        self.key: Final = key
        self.parameters: Final = parameters

    def said(self, language: str) -> str:
        """The sentence in this language, if it can be had."""
        return text(language, self.key, **self.parameters) if self.key else str(self)


class TooManyTables(Refusal):
    """There can be no more tables: in all, or from one address."""

    def __init__(self, kind: Literal["tables", "address"], count: int) -> None:
        super().__init__(key=f"trouble.{kind}", count=count)
        self.trouble: Final = Trouble(kind, count=count)


class Rooms:
    """The tables that people made, and a window on those of the lobby."""

    def __init__(self, games: Games, lobby: Lobby, archive: Archive) -> None:
        self.archive: Final = archive
        self._games = games
        self._lobby = lobby
        self._rooms: dict[str, Room] = {}
        self._from: dict[str, str] = {}
        self._tasks: set[asyncio.Task[Result]] = set()
        games.watched = self._watched
        lobby.takers.append(lambda client: any(room.take(client) for room in list(self._rooms.values())))

    def __contains__(self, known: str) -> bool:
        return known in self._rooms

    def __getitem__(self, known: str) -> Room:
        """The room with this id; KeyError when there is none."""
        return self._rooms[known]

    def create(self, plan: TablePlan, address: str) -> Room:
        """A new room; Refusal when the plan is none or there are too many rooms, NotKept when none could be played."""
        self._make_room(address)
        return self._owned(self._opened(checked_plan(plan)), address)

    def again(self, room: Room) -> None:
        """Another room for the people who want to play again; it begins at once unless programs are still to come."""
        if room.again.table is not None or not room.again.ready:
            return
        address = self._from.get(room.id, "")
        self._make_room(address)
        chairs = next_chairs(room.plan.chairs, room.again.ready)
        table = self._owned(self._opened(room.plan.changed(chairs)), address)
        room.again.table = table.id
        for number in sorted(room.again.ready):
            place = table.places[moved_up(number, len(table.places)) - 1]
            seat = room.again.successors[number] = table.seat_person(place, room.seats[number].given_name)
            seat.left(None)  # until its tab comes over
            if (tab := room.seats[number].tab) is not None:
                room.again.invite(number, tab)
        table.owner = room.again.successors[room.again.ready[0]]
        table.begin_if_full()

    def fork(self, record: Record, step: int, seat: int, title: str, address: str) -> Room:
        """A room where a person takes over this seat after so many replies, and bots have the others."""
        self._make_room(address)
        if not 0 <= step < len(record.replies):
            raise Refusal(f"step {step} is not one from 0 to {len(record.replies) - 1}")
        chairs = tuple(
            Chair("person") if number == seat else Chair("bot") for number in range(1, len(record.names) + 1)
        )
        begun = structs.replace(record, replies=record.replies[:step])
        if seat not in replay(begun).players:
            raise Refusal(f"seat {seat} is not at the table after step {step}")
        return self._owned(self._opened(TablePlan(chairs, title, private=True), begun), address)

    def _owned(self, room: Room, address: str) -> Room:
        self._from[room.id] = address
        return room

    def _opened(self, plan: TablePlan, begun: Record | None = None, memo: RoomMemo | None = None) -> Room:
        room = Room(plan, self._play, self._kept, self._lobby.release, self._lobby.port or None, begun, memo)
        self._rooms[room.id] = room
        return room

    def resume(self) -> None:
        """Set up the tables again that an earlier server left in the middle of a game."""
        for left in self._games.left:
            begun, participants, instead = left.begun, dict(left.participants), dict(left.instead)
            assert begun.opening.room is not None
            try:
                memo = msgspec.json.decode(begun.opening.room, type=RoomMemo)
            except msgspec.MsgspecError as error:  # of another version, which may come back for it
                self._games.service.monitor.damaged(begun.name, f"its table cannot be set up: {error}")
                continue
            room = self._owned(self._opened(memo.plan, memo=memo), memo.address)
            for seat, ticket in enumerate(begun.seats, 1):
                # A person in a browser can come back; a bot plays for them meanwhile.
                if ticket.kind == "person" and seat not in begun.early_expulsions:
                    participants.pop(seat)
                    instead.pop(seat, None)
            again = partial(self._play_on, room, begun, instead)
            resume(room, begun.seats, participants, memo.owner, again)
        self._games.left.clear()

    def _make_room(self, address: str) -> None:
        """TooManyTables, or NotKept, when there can be no more rooms."""
        if (unkept := self._lobby.refusal()) is not None:
            raise unkept
        if len(self._from) >= MAX_ROOMS:
            raise TooManyTables("tables", MAX_ROOMS)
        mine = sum(maker == address for maker in self._from.values())
        if mine >= MAX_ROOMS_PER_ADDRESS and not is_here(address):
            raise TooManyTables("address", MAX_ROOMS_PER_ADDRESS)

    def _play(self, room: Room, participants: list[Participant], notes: list[Note]) -> "asyncio.Task[Result]":
        memo = msgspec.json.encode(memo_of(room, self._from.get(room.id, "")))
        return self._playing(room, self._games.play(participants, room, notes, room.begun, room.session_made, memo))

    def _play_on(
        self, room: Room, begun: LogContents, instead: dict[int, str], participants: dict[int, Participant]
    ) -> "asyncio.Task[Result]":
        return self._playing(
            room, self._games.resume(InterruptedGame(begun, participants, instead), room, room.session_made)
        )

    def _playing(self, room: Room, game: Coroutine[object, object, Result]) -> "asyncio.Task[Result]":
        task = asyncio.ensure_future(game)
        self._tasks.add(task)
        task.add_done_callback(partial(self._played, room))
        return task

    def _played(self, room: Room, task: "asyncio.Task[Result]") -> None:
        """What went wrong with a game, if anything did, is told to its players; it ends no other."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        match error:
            case None:
                pass
            case NotKept():
                room.refuse(Trouble("unkept", error.why))
            case OSError():
                room.fail(Trouble("stopped", NotKept(error).why))
            case _:  # a mistake of ours
                _LOG.error("a game of the page failed", exc_info=error)
                room.fail(Trouble("mistake"))

    def _kept(self, room: Room, result: Result, game: Game) -> str:
        if room.id not in self._from and room.empty:
            self._rooms.pop(room.id, None)  # a game of programs without spectators
        record = result.record if room.session is None else room.session.record  # a person may just have come back
        return game_id(record_text(record, game))

    def _watched(self, participants: Sequence[Participant]) -> Audience:
        """A game of the lobby's gets a room, where people may watch."""
        chairs = tuple(
            Chair("bot" if isinstance(participant, BotParticipant) else "client") for participant in participants
        )
        plan = TablePlan(chairs, time=str(self._games.service.control))
        # Its clients are the lobby's, so no room is told when they have gone.
        room = Room(plan, self._play, self._kept, lambda _: None, None)
        self._rooms[room.id] = room
        room.attend(participants)
        return room

    def listed(self) -> list[Json]:
        """The public rooms, the newest first."""
        rooms = [room for room in reversed(self._rooms.values()) if not room.plan.private and room.stage != "over"]
        return [room.listed() for room in rooms]

    async def sweep(self) -> None:
        """Drop the rooms that no tab has open."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = asyncio.get_running_loop().time()
            for room in list(self._rooms.values()):
                if room.empty and now - room.touched > IDLE_SECONDS[room.stage]:
                    self._put_away(room)

    async def close(self) -> None:
        for room in list(self._rooms.values()):
            self._put_away(room)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _put_away(self, room: Room) -> None:
        room.stop()
        del self._rooms[room.id]
        self._from.pop(room.id, None)


def checked_plan(plan: TablePlan) -> TablePlan:
    """The plan with a clean title; Refusal when no table can be like that."""
    if not MIN_PLAYERS <= len(plan.chairs) <= MAX_PLAYERS:
        raise Refusal(f"{len(plan.chairs)} places, but a game takes {MIN_PLAYERS} to {MAX_PLAYERS}")
    if all(chair.kind == "bot" for chair in plan.chairs):
        raise Refusal(key="refused.bots")
    for chair in plan.chairs:
        if chair.kind == "bot" and chair.bot not in HOUSE:
            raise Refusal(f"no bot {shown(chair.bot)}; there are {', '.join(HOUSE)}")
    if not 0 <= plan.pace <= MAX_PACE_SECONDS:
        raise Refusal(f"the pace {plan.pace} is not one from 0 to {MAX_PACE_SECONDS} seconds")
    try:
        time_control(plan.time_control)
    except ValueError as error:
        raise Refusal(str(error)) from None
    return TablePlan(plan.chairs, cleaned(plan.title), plan.private, plan.time, plan.pace, plan.grace)


def is_here(address: str) -> bool:
    """Whether the request comes from this machine, or from the server itself."""
    return not address or ipaddress.ip_address(address).is_loopback
