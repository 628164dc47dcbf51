"""The games of a server: begins game sessions, writes their logs and records, and resumes games after a restart."""

import asyncio
import contextlib
import itertools
import ssl
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from wateringhole.agents.house import HOUSE, STAND_IN, named
from wateringhole.fair import Deal, after, before, sealed
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game
from wateringhole.move_json import ReplyJson
from wateringhole.record import Note, Record, RecordError, Result, faces, keep, replay
from wateringhole.rules.turn import ranking
from wateringhole.seeds import agent_seed
from wateringhole.server.clock import TimeControl
from wateringhole.server.connection import Connection, Limits
from wateringhole.server.finished_seats import FinishedSeats
from wateringhole.server.game_session import Audience, GameSession, ResumeState
from wateringhole.server.lobby import Lobby, Tables
from wateringhole.server.monitor import Monitor
from wateringhole.server.participants import AbsentParticipant, BotParticipant, Participant, RemoteParticipant
from wateringhole.store.archiver import Archiver
from wateringhole.store.finished_from_log import concluded
from wateringhole.store.finished_game import OVER, PLAYED_BY, Status, stood_in
from wateringhole.store.game_log import GameLog, GameLogs
from wateringhole.store.log_entries import (
    VERSION,
    LogContents,
    Opening,
    SeatTicket,
    UnreadableLog,
    client_token_hashes,
    stamp,
)
from wateringhole.wire.native import Native


class Service(Struct, frozen=True):
    """What a server is told to do.

    `deal` deals the k-th game, from 1 on; `finished` gets its result; `fill` takes a seat that no client took, with
    this seed, until the stack is unwound. `page` runs while the ports are open. Games are written into `game_logs`
    while they run, and given to the `archiver` when they are over. `on_restart` says what happens to a seat whose
    player cannot come back to a resumed game.
    """

    deal: Callable[[int], Deal]
    finished: Callable[[int, Result], None]
    listening: Callable[[str, int, str | None], None]
    host: str = "127.0.0.1"
    ports: tuple[tuple[int, str | None], ...] = ((45678, None),)
    tables: Tables = Tables()
    control: TimeControl = TimeControl()
    gap: float = 0.0
    fill: Callable[[AsyncExitStack, int, str], Coroutine[object, object, Participant]] | None = None
    seed: str = "0"
    records: Path | None = None
    grace: float = 10.0
    rejoin: float = 30.0
    limits: Limits = Limits()
    tls: ssl.SSLContext | None = None
    metrics: tuple[str, int] | None = None
    monitor: Monitor = field(default_factory=Monitor)
    game_logs: GameLogs | None = None
    archiver: Archiver | None = None
    on_restart: Literal["expel", "bot"] = "expel"
    now: Callable[[], str] = stamp
    name: str = ""
    page: "Callable[[Games, Lobby], AbstractAsyncContextManager[None]] | None" = None


class NotKept(Exception):  # noqa: N818  # not an error of ours
    """No game begins that the server cannot keep; `why` is what the disk said."""

    def __init__(self, error: OSError) -> None:
        self.why: Final = error.strerror or str(error)
        super().__init__(f"no game can be kept: {self.why}")


class InterruptedGame(Struct, frozen=True):
    """A game that an earlier server left unfinished: its participants by seat, but for seats that are to be filled, and
    which bots play for players that cannot come back.
    """

    begun: LogContents
    participants: dict[int, Participant]
    instead: dict[int, str]

    @property
    def clients(self) -> list[RemoteParticipant]:
        return [client for client in self.participants.values() if isinstance(client, RemoteParticipant)]


class Games:
    """Deals game after game: each gets a number, a deck, a record and a report. `watched` makes the audience of a game
    of the lobby. `left` are games that an earlier server left unfinished at tables of the page. A game that is stopped
    while the server is not `open` is left for the next one.
    """

    def __init__(self, service: Service) -> None:
        self.watched: Callable[[Sequence[Participant]], Audience | None] = lambda _: None
        self.left: list[InterruptedGame] = []
        self.open = False
        self.resumed = 0
        self.service: Final = service
        self.finished_seats: Final = FinishedSeats(service.archiver)
        self._numbers = itertools.count(first_free(service.records))

    # New games.

    async def play_clients(self, clients: Sequence[RemoteParticipant]) -> None:
        """A game of these clients, with bots on the seats left empty."""
        number = next(self._numbers)
        empty = range(len(clients) + 1, self.service.tables.most + 1) if self.service.fill else range(0)
        async with AsyncExitStack() as stack:
            seeds = {seat: agent_seed(self.service.seed, number, seat) for seat in empty}
            filling = await self._filling(stack, seeds)
            tickets = [client.ticket() for client in clients]
            tickets += [
                replace(filling[seat].ticket(), kind="filled", seed=seeds[seat], token_hashes=()) for seat in empty
            ]
            participants: list[Participant] = [*clients, *filling.values()]
            try:
                await self._new(number, participants, tickets, self.watched(participants))
            except NotKept as why:
                for client in clients:
                    client.expel(Fault(Reason.SERVER_ERROR, f"is disconnected: {why}"))

    async def play(
        self,
        participants: Sequence[Participant],
        audience: Audience,
        notes: Sequence[Note] = (),
        begun: Record | None = None,
        session_made: Callable[[GameSession], None] = lambda _: None,
        room: bytes | None = None,
    ) -> Result:
        """A game of these, from the end of a record on if there is one; `session_made` gets its session before it
        starts. `room` is what the page has to know to set up the table again.
        """
        tickets = [participant.ticket() for participant in participants]
        return await self._new(next(self._numbers), participants, tickets, audience, notes, begun, session_made, room)

    async def _new(
        self,
        number: int,
        participants: Sequence[Participant],
        tickets: Sequence[SeatTicket],
        audience: Audience | None,
        notes: Sequence[Note] = (),
        begun: Record | None = None,
        session_made: Callable[[GameSession], None] = lambda _: None,
        room: bytes | None = None,
    ) -> Result:
        service = self.service
        deal = service.deal(number) if begun is None else Deal(begun.deck)
        names = tuple(participant.name for participant in participants)
        notes = [{"game": number}, *before(deal), *notes]
        deck = faces(deal.deck) if deal.seed is None else ()
        opening = Opening(VERSION, number, service.now(), names, tuple(tickets), deck, deal.seed)
        if begun is not None:
            replies = tuple((seat, ReplyJson(reply)) for seat, reply in begun.replies)
            opening = replace(opening, replies=replies, watering_hole=begun.watering_hole)
        opening = replace(opening, notes=tuple(notes), room=None if room is None else room.decode())
        try:
            game_log = None if service.game_logs is None else service.game_logs.new(opening)
        except OSError as error:
            if audience is not None:
                audience.ended(None)
            raise NotKept(error) from None
        session = GameSession(
            participants,
            deal.deck,
            partial(service.monitor.expelled, number),
            service.gap,
            notes,
            begun=begun,
            audience=audience,
            game_log=game_log,
            seed=after(deal),
        )
        session_made(session)
        return await self._run(opening, dict(enumerate(participants, 1)), session, game_log)

    async def _filling(self, stack: AsyncExitStack, seeds: Mapping[int, str]) -> dict[int, Participant]:
        """The participants that fill these seats. They all start at the same time."""
        fill = self.service.fill
        async with asyncio.TaskGroup() as group:
            coming = {seat: group.create_task(fill(stack, seat, seed)) for seat, seed in seeds.items() if fill}
        return {seat: task.result() for seat, task in coming.items()}

    # Games that an earlier server left.

    async def read_unfinished(self) -> list[LogContents]:
        """The games that are to be played on. Those that had ended go to the archiver, a damaged log is quarantined."""
        unfinished, ended = [], []
        game_logs = self.service.game_logs
        last = 0 if self.service.archiver is None else self.service.archiver.store.last_number()
        for begun in [] if game_logs is None else game_logs.found():
            assert game_logs is not None
            if isinstance(begun, UnreadableLog):
                if begun.damage is None:
                    game_logs.discard(begun.name)
                else:
                    self._damaged(begun.name, begun.damage, begun.foreign)
                continue
            last = max(last, begun.opening.number)
            damage = begun.damage
            game = None
            try:
                game = replay(begun.record)
            except RecordError as error:
                damage = damage or str(error)
            if game is None or damage is not None:
                self._damaged(begun.name, damage or "")
                if game is not None:
                    self._queue_for_archiver(begun.opening, begun.record, "damaged", self.service.now(), None)
            elif begun.end is not None:
                ended.append((begun, begun.end, game))
            else:
                unfinished.append(begun)
        if game_logs is not None:
            # Or a power cut could undo the end of a game that the store has, and then the removal of its log.
            await asyncio.gather(*(game_logs.settle(begun) for begun, _, _ in ended))
        for begun, end, game in ended:
            self._queue_for_archiver(begun.opening, begun.record, end.status, end.ended, begun.name, saved=True)
            if end.status in OVER:
                self.finished_seats.add(client_token_hashes(begun.seats), Result(ranking(game), begun.record))
        self._numbers = itertools.count(max(next(self._numbers), last + 1))
        return unfinished

    def _damaged(self, name: str, damage: str, foreign: bool = False) -> None:
        """Report a damaged log and quarantine it; a log that a newer version may be able to read stays in its place."""
        assert self.service.game_logs is not None
        self.service.monitor.damaged(name, damage)
        if not foreign:
            self.service.game_logs.quarantine(name)

    def rebuild_participants(self, begun: LogContents) -> InterruptedGame:
        """This game with its participants, as far as they can be made again."""
        service = self.service
        game = replay(begun.record)
        out = begun.early_expulsions | dict(game.leaving)
        out |= {seat: planned for seat, planned in game.plays.items() if isinstance(planned, Fault)}
        participants: dict[int, Participant] = {}
        instead: dict[int, str] = {}
        for seat, ticket in enumerate(begun.seats, 1):
            if seat not in game.players or seat in out:
                participants[seat] = AbsentParticipant(ticket.name, out.get(seat, _CANNOT_COME_BACK))
            elif ticket.kind == "guest":
                dialect = Native(ticket.token_hashes)
                dialect.welcome(seat)
                connection = Connection.lost(service.limits)
                participants[seat] = RemoteParticipant(
                    ticket.name, connection, dialect, service.control, service.rejoin, recalling=True
                )
            elif ticket.kind == "bot" and ticket.agent in HOUSE:
                agent = named(ticket.agent, ticket.seed)
                participants[seat] = BotParticipant(
                    ticket.name, agent, TimeControl(None), 0.0, ticket.agent, ticket.seed
                )
            elif ticket.kind == "filled" and service.fill is not None:
                continue
            elif service.on_restart == "expel":
                participants[seat] = AbsentParticipant(ticket.name, _CANNOT_COME_BACK)
            else:
                instead[seat] = STAND_IN
                seed = agent_seed(begun.name, 0, seat)
                participants[seat] = BotParticipant(
                    ticket.name, named(STAND_IN, seed), service.control, 0.0, STAND_IN, seed
                )
        return InterruptedGame(begun, participants, instead)

    async def resume(
        self,
        left: InterruptedGame,
        audience: Audience | None = None,
        session_made: Callable[[GameSession], None] = lambda _: None,
    ) -> Result:
        """Play it on, with bots on the seats that are still empty. It waits a while for clients to return."""
        service = self.service
        assert service.game_logs is not None
        begun = left.begun
        record, number = begun.record, begun.opening.number
        async with AsyncExitStack() as stack:
            seeds = {seat: known.seed for seat, known in enumerate(begun.seats, 1) if seat not in left.participants}
            seated = dict(sorted({**left.participants, **await self._filling(stack, seeds)}.items()))

            async def gathered() -> None:
                await asyncio.gather(*(client.returned(service.rejoin) for client in left.clients))

            game_log = service.game_logs.go_on(begun)
            session = GameSession(
                list(seated.values()),
                record.deck,
                partial(service.monitor.expelled, number),
                service.gap,
                record.notes,
                begun=record,
                audience=self.watched(list(seated.values())) if audience is None else audience,
                game_log=game_log,
                seed=after(Deal(record.deck, begun.opening.seed)),
                memory=ResumeState(begun.asked, gathered),
            )
            session_made(session)
            for seat in sorted(left.instead.keys() - stood_in(record.notes)):
                session.note({"seat": seat, PLAYED_BY: left.instead[seat]})
            return await self._run(replace(begun.opening, seats=begun.seats), seated, session, game_log)

    # All of them.

    async def _run(
        self, opening: Opening, participants: Mapping[int, Participant], session: GameSession, game_log: GameLog | None
    ) -> Result:
        service = self.service
        seal = sealed(session.record)
        for seat, participant in participants.items():
            if isinstance(participant, RemoteParticipant):
                participant.replied = service.monitor.replied
                participant.token_changed = partial(session.token_hashes_changed, seat)
                participant.dialect.seal(seal or "")
        service.monitor.began(opening.number, list(opening.names), seal)
        result: Result | None = None
        status: Status = "failed"
        try:
            result = await session.play()
            status = "finished" if any(row.fault is None for row in result.ranking) else "abandoned"
        except asyncio.CancelledError:
            status = "stopped"
            raise
        finally:
            if result is not None:
                now = [participant.ticket() for participant in participants.values()]
                self.finished_seats.add(client_token_hashes((*opening.seats, *now)), result)
            self._write_record_file(opening.number, session.record, None if result is None else session.game)
            await self._archive(opening, session, game_log, status)
            service.monitor.ended(opening.number, result)
        service.finished(opening.number, result)
        return result

    async def _archive(self, opening: Opening, session: GameSession, game_log: GameLog | None, status: Status) -> None:
        """Hand the game to the archiver; what is stopped because the server ends is left for the next one."""
        if game_log is not None:
            if status == "stopped" and not self.open:
                game_log.close()
                return
            if status in {"stopped", "failed"}:
                with contextlib.suppress(OSError):
                    await game_log.over(session.last_notes, status)
            game_log.close()
        if game_log is None:
            self._queue_for_archiver(opening, session.record, status, self.service.now(), None)
        else:
            self._queue_for_archiver(
                opening, session.record, status, game_log.ended, game_log.name, not game_log.unsaved
            )

    def _queue_for_archiver(
        self, opening: Opening, record: Record, status: str, ended: str, game_log: str | None, saved: bool = False
    ) -> None:
        """To the archiver, if there is one."""
        if self.service.archiver is not None:
            server = self.service.name
            self.service.archiver.put(game_log, lambda: concluded(opening, record, status, ended, server), saved)

    def _write_record_file(self, number: int, record: Record, game: Game | None) -> None:
        """Write the record down, also that of a game that failed or was stopped."""
        if self.service.records is None:
            return
        try:
            keep(record, self.service.records / f"game-{number}.jsonl", game)
        except OSError as error:
            self.service.monitor.unsaved(number, error)


_CANNOT_COME_BACK: Final = Fault(Reason.DISCONNECTED, "cannot come back: the server was restarted")


def first_free(records: Path | None) -> int:
    """The number of the next game: behind all that are kept there, so that none is written over."""
    kept = [] if records is None else [path.stem.removeprefix("game-") for path in records.glob("game-*.jsonl")]
    return 1 + max((int(number) for number in kept if number.isascii() and number.isdigit()), default=0)
