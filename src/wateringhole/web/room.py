"""One table of the page: its seats, its spectators, and the messages to each of them.

Laws: what a tab is shown is public, except for its own seat's hand and bag. Players are told at once, those who look
on a moment later and all together, so that nobody at the table waits for them.
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, Literal

from msgspec import Struct

from wateringhole.agents.house import HOUSE, STAND_IN, named
from wateringhole.events import Event
from wateringhole.fair import sealed
from wateringhole.fault import Fault
from wateringhole.game import Game
from wateringhole.record import Note, Record, Result
from wateringhole.seeds import agent_seed
from wateringhole.server.clock import TimeControl, time_control
from wateringhole.server.game_session import GameSession
from wateringhole.server.participants import BotParticipant, Participant, RemoteParticipant
from wateringhole.store.counting import Contender, contenders, explained
from wateringhole.store.finished_from_log import kind_of
from wateringhole.store.finished_game import NAMESAKE, PRIVATE, namesakes, stood_in
from wateringhole.store.log_entries import SeatTicket
from wateringhole.view import start, table
from wateringhole.web.browser_participant import BrowserParticipant
from wateringhole.web.replay_frames import boards_value, hand_value, lines_of, standings, turn_ends
from wateringhole.web.tab import RESTART, Tab
from wateringhole.wire.framing import Json
from wateringhole.wire.signup import numbered

Kind = Literal["person", "bot", "client"]
Stage = Literal["open", "playing", "over"]

WATCHERS_SECONDS: Final = 0.1
"""How often those who look on are told."""
WATCHERS_AT_ONCE: Final = 10
"""How many of them between two looks at what the players say."""


class Chair(Struct, frozen=True, forbid_unknown_fields=True):
    """What a place is meant for; a bot by its name."""

    kind: Kind
    bot: str = STAND_IN


class TablePlan(Struct, frozen=True):
    """A table as somebody wants it."""

    chairs: tuple[Chair, ...]
    title: str = "A table"
    private: bool = False
    time: str = ""
    pace: float = 0.5
    grace: float = 60.0

    @property
    def time_control(self) -> str:
        """The time control that was chosen; by default none when nobody else would have to wait."""
        return self.time or ("120+30" if self.shared else "none")

    @property
    def shared(self) -> bool:
        """Whether anybody else would have to wait for a person."""
        return sum(chair.kind != "bot" for chair in self.chairs) > 1


class RoomMemo(Struct, frozen=True):
    """What is written down of a table, to set it up again: the plan, the owner's place, and who it was made by."""

    title: str
    id: str
    key: str
    plan: TablePlan
    owner: int | None = None
    address: str = ""


class RoomSeat:
    """One place at the table, and who has it."""

    def __init__(self, number: int, chair: Chair) -> None:
        self.number: Final = number
        self.chair: Final = chair
        self.participant: Participant | None = None
        self.out = False

    @property
    def presence(self) -> str:
        if self.out:
            return "out"
        match self.participant:
            case None:
                return "empty"
            case BrowserParticipant() as seat if seat.standing_in:
                return "stand-in"
            case BrowserParticipant() as seat if seat.tab is None:
                return "away"
            case _:
                return "here"

    @property
    def kind(self) -> Kind:
        """Who sits there, or is meant to: a bot may have taken a person's place."""
        return "bot" if isinstance(self.participant, BotParticipant) else self.chair.kind

    def value(self) -> dict[str, Json]:
        name = "" if self.participant is None else self.participant.name
        return {"seat": self.number, "kind": self.kind, "name": name, "presence": self.presence}


class Room:
    """A table from the first guest to the last look at its end. It is the audience of its own game.

    `play` plays the game, `kept` says by which id a finished one is known, `gone` is told of guests who were let go.
    """

    def __init__(
        self,
        plan: TablePlan,
        play: Callable[["Room", list[Participant], list[Note]], "asyncio.Task[Result]"],
        kept: Callable[["Room", Result, Game], str],
        gone: Callable[[Sequence[RemoteParticipant]], None],
        port: int | None,
        begun: Record | None = None,
        memo: RoomMemo | None = None,
    ) -> None:
        self.id: Final = secrets.token_hex(8) if memo is None else memo.id
        self.key: Final = secrets.token_urlsafe(16) if memo is None else memo.key
        self.plan: Final = plan
        self.begun: Final = begun
        self.stage: Stage = "open"
        self.next: str | None = None
        self.finished: str | None = None
        self.host: GameSession | None = None
        self.trouble = ""
        self.touched = asyncio.get_running_loop().time()
        self.places: Final = [RoomSeat(number, chair) for number, chair in enumerate(plan.chairs, 1)]
        self._play = play
        self._kept = kept
        self._gone = gone
        self._port = port
        self._owner: BrowserParticipant | None = None
        self._watchers: set[Tab] = set()
        self._task: asyncio.Task[Result] | None = None
        self._game: Game | None = None
        self._events: list[Event] = []
        self._lines: list[Json] = []
        self._asked: set[int] = set()
        self._end: dict[str, Json] | None = None
        self._seal: str | None = None
        self._seats_due: asyncio.Handle | None = None
        self._watchers_due: asyncio.Task[None] | None = None

    # Who comes and goes.

    @property
    def seats(self) -> dict[int, BrowserParticipant]:
        """The people, by the number of their place."""
        return {
            place.number: place.participant
            for place in self.places
            if isinstance(place.participant, BrowserParticipant)
        }

    @property
    def empty(self) -> bool:
        """Whether nobody at all has it open."""
        return not self._watchers and all(seat.tab is None for seat in self.seats.values())

    def join(self, tab: Tab, name: str, key: str) -> BrowserParticipant | None:
        """A person takes the first free place; None when there is none."""
        place = self._free("person")
        if place is None:
            return None
        seat = self._seated(place, name or f"player {place.number}")
        if seat.given in self._others(seat):
            seat.name = numbered(seat.given, self._others(seat))
        if self._owner is None or secrets.compare_digest(key.encode(), self.key.encode()):
            self._owner = seat
        self.open(tab, seat)
        self._fill()
        return seat

    def _seated(self, place: RoomSeat, name: str, token_hashes: tuple[str, ...] = ()) -> BrowserParticipant:
        control = time_control(self.plan.time_control)
        patience = self.plan.grace if self.plan.shared else None
        bot = named(STAND_IN, f"{self.key}:{place.number}")
        seat = place.participant = BrowserParticipant(name, control, bot, patience, token_hashes)
        seat.changed = self.changed
        seat.relieved = partial(self._relieved, place.number)
        seat.token_changed = partial(self._token_changed, place.number)
        return seat

    def _others(self, seat: BrowserParticipant) -> set[str]:
        """The names of the other people: the second Ann becomes "Ann 2". Programs keep the names that they gave."""
        return {other.name for other in self.seats.values() if other is not seat}

    def returning(self, token: str) -> BrowserParticipant | None:
        """Whose token this is."""
        return next((seat for seat in self.seats.values() if seat.admits(token)), None)

    def open(self, tab: Tab, seat: BrowserParticipant, token: str = "") -> None:
        """This tab, which came with this token, is that seat's now, and is shown everything."""
        seat.open(tab, token)
        self._show(tab, seat)
        seat.repeat()
        self.changed()

    def watch(self, tab: Tab) -> None:
        self._watchers.add(tab)
        self._show(tab, None)
        self.changed()

    def leave(self, tab: Tab, seat: BrowserParticipant | None) -> None:
        self._watchers.discard(tab)
        if seat is None:
            self.changed()
        else:
            seat.left(tab)

    def take(self, guest: RemoteParticipant) -> bool:
        """Whether this client of the port for programs has a place here, where somebody waits for it."""
        place = self._free("client")
        if place is None or all(seat.tab is None for seat in self.seats.values()):
            return False
        place.participant = guest
        guest.name = guest.name or f"player {place.number}"
        guest.watch(partial(self._guest_left, place, guest))
        guest.welcome(place.number)
        self.changed()
        self._fill()
        return True

    def _guest_left(self, place: RoomSeat, guest: RemoteParticipant, fault: Fault) -> None:  # noqa: ARG002
        place.participant = None
        self._gone([guest])
        self.changed()

    def _free(self, kind: Kind) -> RoomSeat | None:
        if self.stage != "open":
            return None
        return next((place for place in self.places if place.chair.kind == kind and place.participant is None), None)

    def _fill(self) -> None:
        """Begin when nobody is missing any more."""
        if all(place.participant is not None or place.chair.kind == "bot" for place in self.places):
            self.begin()

    # The game.

    def commands(self, seat: BrowserParticipant) -> bool:
        """Whether this person may begin and send others to rest: the host or, while that one is away, anybody."""
        return seat is self._owner or self._owner is None or self._owner.tab is None

    def begin(self) -> None:
        """Play; bots take what is free."""
        if self.stage != "open":
            return
        self.stage = "playing"
        self.trouble = ""
        for place in self.places:
            if place.participant is None:
                place.participant = self._bot(place, f"{place.chair.bot} {place.number}", place.chair.bot)
        participants = [place.participant for place in self.places if place.participant is not None]
        notes: list[Note] = [{PRIVATE: 1}] if self.plan.private else []
        for number, seat in self.seats.items():
            if seat.given not in self._others(seat):
                seat.name = seat.given  # if it was another's, that one has left since
            else:
                notes.append({"seat": number, NAMESAKE: seat.given})
        self._task = self._play(self, participants, notes)
        self.changed()

    def _bot(self, place: RoomSeat, name: str, bot: str) -> BotParticipant:
        seed = agent_seed(self.key, 0, place.number)
        return BotParticipant(name, named(bot, seed), TimeControl(None), self.plan.pace, bot, seed)

    def _unhurried(self) -> None:
        """Nobody hurries a person for whom only bots wait."""
        waiting = [place.participant for place in self.places if not isinstance(place.participant, BotParticipant)]
        if len(waiting) == 1 and isinstance(waiting[0], BrowserParticipant) and not self.plan.time:
            waiting[0].alone()

    def memo(self, address: str) -> RoomMemo:
        """This table, as it is written down."""
        owner = next((number for number, seat in self.seats.items() if seat is self._owner), None)
        return RoomMemo(self.plan.title, self.id, self.key, self.plan, owner, address)

    def resume(
        self,
        tickets: Sequence[SeatTicket],
        participants: Mapping[int, Participant],
        owner: int | None,
        play_on: Callable[[dict[int, Participant]], "asyncio.Task[Result]"],
    ) -> None:
        """Play on what an earlier server left: these sitters have their seats again, the others are people's."""
        self.stage = "playing"
        for place, ticket in zip(self.places, tickets, strict=True):
            participant = participants.get(place.number)
            if participant is None:
                self._seated(place, ticket.name, ticket.token_hashes).left(None)
            elif isinstance(participant, BotParticipant) and ticket.agent in HOUSE:
                place.participant = self._bot(place, ticket.name, ticket.agent)  # at this table's pace
            else:
                place.participant = participant
        self._owner = self.seats.get(owner or 0)
        self._task = play_on(
            {place.number: place.participant for place in self.places if place.participant is not None}
        )

    def attend(self, participants: Sequence[Participant]) -> None:
        """The game of these, which somebody else plays, is shown here."""
        self.stage = "playing"
        for place, participant in zip(self.places, participants, strict=True):
            place.participant = participant

    def hosted(self, host: GameSession) -> None:
        """The game begins now, or goes on."""
        self.host = host
        self._seal = sealed(host.record)
        self._unhurried()
        self.changed()

    def refuse(self, why: str) -> None:
        """The game could not begin: the table is as it was, and everybody is told why."""
        self.stage = "open"
        self.trouble = why
        for place in self.places:
            if isinstance(place.participant, BotParticipant):
                place.participant = None
        self.changed()

    def fail(self, why: str) -> None:
        """The game could not be played to its end."""
        self.stage = "over"
        self.trouble = why
        self.changed()

    def _relieved(self, number: int, by: str) -> None:
        """For whoever rates players by their games: who it really was."""
        if self.host is not None:
            self.host.note({"seat": number, "played by": by})

    def _token_changed(self, number: int, token_hashes: tuple[str, ...]) -> None:
        if self.host is not None:
            self.host.token_hashes_changed(number, token_hashes)

    def rest(self, number: int, by: BrowserParticipant) -> None:
        """Let the stand-in play for this seat, if this person may say so: who is there is sent to rest by the host."""
        seat = self.seats.get(number)
        if seat is not None and self.stage == "playing" and (by is self._owner or (self.commands(by) and not seat.tab)):
            seat.rest()

    def stop(self) -> None:
        """Nobody wants it any more."""
        if self._task is not None:
            self._task.cancel()
        self._gone([place.participant for place in self.places if isinstance(place.participant, RemoteParticipant)])
        for tab in self._tabs():
            tab.shut(RESTART)

    # As the audience of the game.

    def told(self, game: Game, events: Sequence[Event]) -> None:
        self._game = game
        self._events += events
        self.touched = asyncio.get_running_loop().time()
        for place in self.places:
            place.out = place.number not in game.players
        for number, seat in self.seats.items():
            if seat.tab is not None:
                seat.tab.say(self._table(seat.tab, number))
        self._tell_watchers()

    def asked(self, seat: int) -> None:
        self._asked.add(seat)
        self._tell_seats()

    def answered(self, seat: int) -> None:
        self._asked.discard(seat)
        self._tell_seats()

    def ended(self, result: Result | None) -> None:
        if self._task is not None and self.host is None:
            return  # it never began, and the table is still there
        self.stage = "over"
        self._asked.clear()
        self._gone([place.participant for place in self.places if isinstance(place.participant, RemoteParticipant)])
        if result is not None and self._game is not None:
            self.finished = self._kept(self, result, self._game)
            seats = self._contenders(result.record.notes if self.host is None else self.host.record.notes)
            self._end = {
                "type": "end",
                "game": self.finished,
                "ranking": standings(self._game),
                "identities": [seat.identity for seat in seats],
                "ladder": explained(self.plan.private, "finished" if self._game.players else "abandoned", seats),
                "turns": turn_ends(result.record),
            }
            for tab in self._tabs():
                tab.say(self._end)
        self.changed()

    def _contenders(self, notes: Sequence[Note]) -> list[Contender]:
        """The seats as the ladder sees them."""
        tickets = [place.participant.ticket() for place in self.places if place.participant is not None]
        names = tuple(ticket.name for ticket in tickets)
        kinds = tuple(kind_of(ticket) for ticket in tickets)
        agents = tuple(ticket.agent for ticket in tickets)
        return contenders(names, kinds, agents, stood_in(notes), namesakes(notes))

    # What the tabs are shown.

    def _tabs(self) -> list[Tab]:
        return [*(seat.tab for seat in self.seats.values() if seat.tab is not None), *self._watchers]

    def changed(self) -> None:
        """Somebody came, left or went to rest."""
        self.touched = asyncio.get_running_loop().time()
        for place in self.places:
            if self.stage == "open" and place.presence == "stand-in":
                place.participant = None  # who is away for long before the game does not hold a place
        for seat in self.seats.values():
            if seat.tab is not None:
                seat.tab.say(self._value(seat))
        self._tell_watchers()

    def _tell_seats(self) -> None:
        """Soon: what is asked of several at once is told in one message."""
        if self._seats_due is None:
            self._seats_due = asyncio.get_running_loop().call_soon(self._tell_seats_now)
        self._tell_watchers()

    def _tell_seats_now(self) -> None:
        self._seats_due = None
        for number, seat in self.seats.items():
            if seat.tab is not None and self._game is not None:
                seat.tab.say(self._table(seat.tab, number))

    def _tell_watchers(self) -> None:
        if self._watchers and self._watchers_due is None:
            self._watchers_due = asyncio.ensure_future(self._tell_watchers_soon())

    async def _tell_watchers_soon(self) -> None:
        """A few at a time; who has not taken the last message gets all that it missed with a later one."""
        await asyncio.sleep(WATCHERS_SECONDS)
        self._watchers_due = None
        room = self._value(None)
        for count, tab in enumerate(list(self._watchers), 1):
            if tab.behind:
                self._tell_watchers()  # once more, a moment later
            else:
                tab.say(room)
                if self._game is not None:
                    tab.say(self._table(tab, None))
            if count % WATCHERS_AT_ONCE == 0:
                await asyncio.sleep(0)

    def _show(self, tab: Tab, seat: BrowserParticipant | None) -> None:
        """Everything, to a tab that has just come."""
        tab.heard = 0
        tab.say(self._value(seat))
        if self._game is not None:
            number = next((number for number, known in self.seats.items() if known is seat), None)
            tab.say(self._table(tab, number))
        if self._end is not None:
            tab.say(self._end)

    def _value(self, seat: BrowserParticipant | None) -> dict[str, Json]:
        """The room, as the person on this seat or somebody who looks on may know it."""
        you = next((number for number, known in self.seats.items() if known is seat), None)
        return {
            "type": "room",
            "id": self.id,
            "title": self.plan.title,
            "private": self.plan.private,
            "time": self.plan.time_control,
            "stage": self.stage,
            "places": [place.value() for place in self.places],
            "you": you,
            "host": seat is not None and self.commands(seat),
            "watchers": len(self._watchers),
            "port": self._port,
            "next": self.next,
            "game": self.finished,
            "seal": self._seal,
            "trouble": self.trouble,
        }

    def listed(self) -> dict[str, Json]:
        """The room in a list of rooms."""
        turn = None if self._game is None else self._game.turn
        room = self._value(None)
        return {key: room[key] for key in ("id", "title", "time", "stage", "places", "watchers")} | {"turn": turn}

    def _table(self, tab: Tab, number: int | None) -> dict[str, Json]:
        """The table as it is now, with the lines of the story that this tab has not been told yet."""
        game = self._game
        assert game is not None
        self._lines += lines_of(self._events[len(self._lines) :], game.names)
        heard, tab.heard = tab.heard, len(self._lines)
        seen = table(game)
        return {
            "type": "table",
            "turn": seen.turn,
            "phase": seen.phase,
            "watering_hole": seen.watering_hole,
            "deck": seen.deck,
            "players": [
                {
                    "seat": other.seat,
                    "name": game.name(other.seat),
                    "boards": boards_value(other.species),
                    "cards": other.cards,
                }
                for other in seen.players
            ],
            "asked": [{"seat": seat, "seconds": self._seconds(seat)} for seat in sorted(self._asked)],
            "me": _me(game, number) if number in game.players else None,
            "lines": self._lines[heard:],
            "whole": heard == 0,
        }

    def _seconds(self, seat: int) -> float | None:
        participant = self.places[seat - 1].participant
        if participant is None or participant.deadline is None:
            return None
        return round(max(0.0, participant.deadline - asyncio.get_running_loop().time()), 1)


def _me(game: Game, number: int | None) -> dict[str, Json]:
    """What lies before this seat, and only it may see."""
    assert number is not None
    me = start(game, number).me
    return {"seat": me.seat, "boards": boards_value(me.species), "hand": hand_value(me.hand), "bag": me.bag}
