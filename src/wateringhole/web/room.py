"""One table of the page: its seats, its spectators, and the messages to each of them.

Laws: what a tab is shown is public, except for its own seat's hand and bag. Players are told at once,
spectators a moment later and all together, so that no player waits for them.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

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
from wateringhole.store.finished_game import PRIVATE
from wateringhole.web.browser_participant import BrowserParticipant
from wateringhole.web.page_messages import Chair, GameEnd, Kind, RoomMessage, RoomStage, SeatsAsked, Trouble
from wateringhole.web.page_text import DEFAULT_LANGUAGE, text
from wateringhole.web.play_again import PlayAgain
from wateringhole.web.room_messages import game_end, own_hand, tell
from wateringhole.web.room_seats import RoomMemo, RoomSeat, TablePlan, contenders_at, name_apart, namesake_notes
from wateringhole.web.spectators import Spectators
from wateringhole.web.tab import REFUSED, RESTART, Tab
from wateringhole.wire.framing import Json
from wateringhole.wire.native_messages import value_of


class Room:
    """A table from its first player to the last look at its end. It is the audience of its own game.

    `play` plays the game, `kept` says by which id a finished one is known, `gone` is told of clients that were let go.
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
        self.plan = plan
        self.begun: Final = begun
        self.stage: RoomStage = "open"
        self.again: Final = PlayAgain()
        self.finished: str | None = None
        self.session: GameSession | None = None
        self.trouble: Trouble | None = None
        self.touched = asyncio.get_running_loop().time()
        self.places: Final = [RoomSeat(number, chair) for number, chair in enumerate(plan.chairs, 1)]
        self._play = play
        self._kept = kept
        self._gone = gone
        self._port = port
        self.owner: BrowserParticipant | None = None
        self._spectators = Spectators(lambda tab: self._show(tab, None))
        self.task: asyncio.Task[Result] | None = None
        self._game: Game | None = None
        self._events: list[Event] = []
        self._asked: set[int] = set()
        self._end: GameEnd | None = None
        self._seal: str | None = None
        self._seats_due: asyncio.Handle | None = None

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
        """Whether no tab has it open."""
        return not self._spectators.tabs and all(seat.tab is None for seat in self.seats.values())

    def join(self, tab: Tab, name: str, key: str, language: str = DEFAULT_LANGUAGE) -> BrowserParticipant | None:
        """A person takes the first free place; None when there is none. Without a name it is one in this language."""
        place = self._free("person")
        if place is None:
            return None
        seat = self.seat_person(place, name or text(language, "name.default", seat=place.number))
        if self.owner is None or secrets.compare_digest(key.encode(), self.key.encode()):
            self.owner = seat
        self.open(tab, seat)
        self.begin_if_full()
        return seat

    def seat_person(self, place: RoomSeat, name: str, token_hashes: tuple[str, ...] = ()) -> BrowserParticipant:
        control = time_control(self.plan.time_control)
        bot = named(STAND_IN, f"{self.key}:{place.number}")
        seat = place.participant = BrowserParticipant(name, control, bot, self.plan.patience, token_hashes)
        name_apart(seat, self.seats)
        seat.changed = self.changed
        seat.relieved = partial(self._relieved, place.number)
        seat.token_changed = partial(self._token_changed, place.number)
        return seat

    def number_of(self, seat: BrowserParticipant) -> int:
        return next(number for number, known in self.seats.items() if known is seat)

    def returning(self, token: str) -> BrowserParticipant | None:
        """Whose token this is."""
        return next((seat for seat in self.seats.values() if seat.admits(token)), None)

    def open(self, tab: Tab, seat: BrowserParticipant, token: str = "") -> None:
        """This tab, which came with this token, is that seat's now, and is shown everything."""
        seat.open(tab, token)
        self._show(tab, self.number_of(seat))
        self.again.invite(self.number_of(seat), tab)
        seat.repeat()
        self.changed()

    def watch(self, tab: Tab) -> None:
        self._spectators.tabs.add(tab)
        self._show(tab, None)
        self.changed()

    def leave(self, tab: Tab, seat: BrowserParticipant | None) -> None:
        self._spectators.tabs.discard(tab)
        if seat is None:
            self.changed()
        else:
            seat.left(tab)

    def take(self, client: RemoteParticipant) -> bool:
        """Whether this client of the port for programs has a place here, where a person waits for it."""
        place = self._free("client")
        if place is None or all(seat.tab is None for seat in self.seats.values()):
            return False
        place.participant = client
        client.name = client.name or f"player {place.number}"
        client.watch(partial(self._client_left, place, client))
        client.welcome(place.number)
        self.changed()
        self.begin_if_full()
        return True

    def change(self, number: int, chair: Chair) -> None:
        """Before the game, a free place is meant for this bot, or for a person; nothing happens where one sits."""
        place = next((place for place in self.places if place.number == number), None)
        known = chair.kind == "person" or (chair.kind == "bot" and chair.bot in HOUSE)
        if self.stage != "open" or place is None or place.participant is not None or not known:
            return
        place.chair = chair
        self.plan = self.plan.changed(each.chair for each in self.places)
        for seat in self.seats.values():
            seat.set_time(time_control(self.plan.time_control), self.plan.patience)
        self.changed()
        self.begin_if_full()

    def vacate(self, seat: BrowserParticipant) -> None:
        """Before the game, this person gives the place back."""
        place = next((place for place in self.places if place.participant is seat), None)
        if self.stage != "open" or place is None or seat.tab is None:
            return
        tab, seat.tab, place.participant = seat.tab, None, None
        if self.owner is seat:
            self.owner = next(iter(self.seats.values()), None)
        tab.shut(REFUSED)
        self.changed()

    def _client_left(self, place: RoomSeat, client: RemoteParticipant, fault: Fault) -> None:  # noqa: ARG002
        place.participant = None
        self._gone([client])
        self.changed()

    def _free(self, kind: Kind) -> RoomSeat | None:
        if self.stage != "open":
            return None
        return next((place for place in self.places if place.chair.kind == kind and place.participant is None), None)

    def begin_if_full(self) -> None:
        """Begin when all seats are taken."""
        if all(place.participant is not None or place.chair.kind == "bot" for place in self.places):
            self.begin()

    # The game.

    def commands(self, seat: BrowserParticipant) -> bool:
        """Whether this person may begin and send others to rest: the host or, while the host is away, any person."""
        return seat is self.owner or self.owner is None or self.owner.tab is None

    def begin(self) -> None:
        """Play; bots take what is free."""
        if self.stage != "open":
            return
        self.stage = "playing"
        self.trouble = None
        for place in self.places:
            if place.participant is None:
                place.participant = self.bot(place, f"{place.chair.bot} {place.number}", place.chair.bot)
        participants = [place.participant for place in self.places if place.participant is not None]
        notes: list[Note] = [{PRIVATE: 1}] if self.plan.private else []
        notes += namesake_notes(self.seats)
        self.task = self._play(self, participants, notes)
        self.changed()

    def bot(self, place: RoomSeat, name: str, bot: str) -> BotParticipant:
        seed = agent_seed(self.key, 0, place.number)
        return BotParticipant(name, named(bot, seed), TimeControl(None), self.plan.pace, bot, seed)

    def _unhurried(self) -> None:
        """A person for whom only bots wait has no clock."""
        waiting = [place.participant for place in self.places if not isinstance(place.participant, BotParticipant)]
        if len(waiting) == 1 and isinstance(waiting[0], BrowserParticipant) and not self.plan.time:
            waiting[0].remove_clock()

    def attend(self, participants: Sequence[Participant]) -> None:
        """The game of these, which another session plays, is shown here."""
        self.stage = "playing"
        for place, participant in zip(self.places, participants, strict=True):
            place.participant = participant

    def session_made(self, session: GameSession) -> None:
        """The game begins now, or goes on."""
        self.session = session
        self._seal = sealed(session.record)
        self._unhurried()
        self.changed()

    def refuse(self, trouble: Trouble) -> None:
        """The game could not begin: the table is as it was, and all tabs are told why."""
        self.stage = "open"
        self.trouble = trouble
        for place in self.places:
            if isinstance(place.participant, BotParticipant):
                place.participant = None
        self.changed()

    def fail(self, trouble: Trouble) -> None:
        """The game could not be played to its end."""
        self.stage = "over"
        self.trouble = trouble
        self.changed()

    def _relieved(self, number: int, by: str) -> None:
        """For the ladder, which rates players by their games: who really played."""
        if self.session is not None:
            self.session.note({"seat": number, "played by": by})

    def _token_changed(self, number: int, token_hashes: tuple[str, ...]) -> None:
        if self.session is not None:
            self.session.token_hashes_changed(number, token_hashes)

    def rest(self, number: int, by: BrowserParticipant) -> None:
        """Let the stand-in play for this seat, if this person may say so: who is there is sent to rest by the host."""
        seat = self.seats.get(number)
        if seat is not None and self.stage == "playing" and (by is self.owner or (self.commands(by) and not seat.tab)):
            seat.rest()

    def stop(self) -> None:
        """The server ends, or drops this room."""
        if self.task is not None:
            self.task.cancel()
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
                self._show_events(seat.tab, number)
        self._spectators.tell()

    def asked(self, seat: int) -> None:
        self._asked.add(seat)
        self._tell_seats()

    def answered(self, seat: int) -> None:
        self._asked.discard(seat)
        self._tell_seats()

    def ended(self, result: Result | None) -> None:
        if self.task is not None and self.session is None:
            return  # it never began, and the table is still there
        self.stage = "over"
        self._asked.clear()
        self._gone([place.participant for place in self.places if isinstance(place.participant, RemoteParticipant)])
        if result is not None and self._game is not None:
            self.finished = self._kept(self, result, self._game)
            record = result.record if self.session is None else self.session.record
            seats = contenders_at(self.places, record.notes)
            self._end = game_end(self._game, result.record, self.finished, seats, self.plan.private)
            for seat in self.seats.values():
                if seat.tab is not None:
                    self._show_end(seat.tab)
        self.changed()  # spectators are told the end behind the last events

    # What the tabs are shown.

    def _tabs(self) -> list[Tab]:
        return [*(seat.tab for seat in self.seats.values() if seat.tab is not None), *self._spectators.tabs]

    def changed(self) -> None:
        """A player or spectator came, left or went to rest."""
        self.touched = asyncio.get_running_loop().time()
        for place in self.places:
            if self.stage == "open" and place.presence == "stand-in":
                place.participant = None  # who is away for long before the game does not hold a place
        for number, seat in self.seats.items():
            if seat.tab is not None:
                self._show_room(seat.tab, number)
        self._spectators.tell()

    def _tell_seats(self) -> None:
        """Soon: what is asked of several at once is told in one message."""
        if self._seats_due is None:
            self._seats_due = asyncio.get_running_loop().call_soon(self._tell_seats_now)
        self._spectators.tell()

    def _tell_seats_now(self) -> None:
        self._seats_due = None
        for seat in self.seats.values():
            if seat.tab is not None:
                self._show_asked(seat.tab)

    def _show(self, tab: Tab, number: int | None) -> None:
        """Tell this tab, of a seat or of a spectator, all that it has not been told."""
        self._show_room(tab, number)
        self._show_events(tab, number)
        self._show_asked(tab)
        self._show_end(tab)

    def _show_room(self, tab: Tab, number: int | None) -> None:
        room = self._room(number)
        tab.update(room, room)

    def _room(self, number: int | None) -> RoomMessage:
        """The room, as the person on this seat or a spectator may know it."""
        return RoomMessage(
            id=self.id,
            title=self.plan.title,
            private=self.plan.private,
            time=self.plan.time_control,
            stage=self.stage,
            places=tuple(place.shown() for place in self.places),
            you=number,
            host=number is not None and self.commands(self.seats[number]),
            watchers=len(self._spectators.tabs),
            port=self._port,
            ready=tuple(self.again.ready),
            undecided=tuple(self.again.undecided(self.seats)) if self.stage == "over" else (),
            next=self.again.table,
            game=self.finished,
            seal=self._seal,
            trouble=self.trouble,
        )

    def listed(self) -> dict[str, Json]:
        """The room in a list of rooms."""
        turn = None if self._game is None else self._game.turn
        room = value_of(self._room(None))
        return {key: room[key] for key in ("id", "title", "time", "stage", "places", "watchers")} | {"turn": turn}

    def held(self, token: str) -> dict[str, Json] | None:
        """The room in a list of own games, for the browser with this token; None when no seat has it."""
        number = next((number for number, seat in self.seats.items() if seat.admits(token)), None)
        return None if number is None else self.listed() | {"you": number, "asked": number in self._asked}

    def _show_events(self, tab: Tab, number: int | None) -> None:
        if self._game is not None:
            tell(tab, self._game, self._events, own_hand(self._game, number))

    def _show_asked(self, tab: Tab) -> None:
        """Who is asked, once a game has begun."""
        if tab.heard is not None:
            now, asked = asyncio.get_running_loop().time(), [self.places[seat - 1] for seat in sorted(self._asked)]
            seats = SeatsAsked(tuple(place.awaited(now) for place in asked))
            tab.update(seats, [(place.number, place.deadline) for place in asked])

    def _show_end(self, tab: Tab) -> None:
        if self._end is not None:
            tab.update(self._end, self._end)
