"""The WebSocket of a table: a tab signs up, and each of its messages goes to the room.

Laws: the number of open tabs is bounded, in all and from one address. A tab that sends nonsense keeps its seat.
"""

import asyncio
from collections import Counter
from typing import Final

from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket

from wateringhole.server.games import NotKept
from wateringhole.web.browser_participant import BrowserParticipant
from wateringhole.web.http_input import page_message
from wateringhole.web.page_messages import PAGE_VERSION, TabRefused, Trouble
from wateringhole.web.page_text import language_of
from wateringhole.web.room import Room
from wateringhole.web.rooms import Refusal, Rooms, TooManyTables, is_here
from wateringhole.web.tab import NO_TABLE, NONSENSE, REFUSED, SIGN_UP_SECONDS, GoneError, Tab
from wateringhole.web.tab_messages import (
    BeginGame,
    ChangeSeat,
    CheckPlan,
    HintWanted,
    LeaveTable,
    MoveAnswer,
    PageSays,
    Rematch,
    SeatBack,
    StandIn,
    TabSignUp,
    TokenSeen,
)
from wateringhole.wire.names import cleaned

MAX_TABS: Final = 1_000
MAX_TABS_PER_ADDRESS: Final = 64
CROWDED: Final = 1013
LAST_WORDS_SECONDS: Final = 1.0


class TableSocket:
    """The endpoint of all tabs."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._tabs: Counter[str] = Counter()

    async def line(self, socket: WebSocket) -> None:
        """One tab, from its first message to its last."""
        address = address_of(socket)
        if self._tabs.total() >= MAX_TABS or (self._tabs[address] >= MAX_TABS_PER_ADDRESS and not is_here(address)):
            await socket.close(CROWDED)
            return
        await socket.accept()
        self._tabs[address] += 1
        tab = Tab(socket)
        writing = asyncio.ensure_future(tab.write())
        try:
            await self._talk(tab, socket.path_params["id"], language_of(socket))
        except GoneError:
            pass
        finally:
            self._tabs[address] -= 1
            self._tabs += Counter()  # without those who have gone
            await asyncio.wait([writing], timeout=LAST_WORDS_SECONDS)
            writing.cancel()

    async def _talk(self, tab: Tab, known: str, language: str) -> None:
        try:
            room = self._rooms[known]
        except KeyError:
            tab.shut(NO_TABLE)
            return
        seat, code = None, REFUSED
        try:
            async with asyncio.timeout(SIGN_UP_SECONDS):
                seat = _seated(room, tab, page_message(await tab.read()), language)
            code = NONSENSE  # from now on, a tab that sends nonsense keeps its seat and may come again
            while True:
                self._hear(room, tab, seat, page_message(await tab.read()))
        except TimeoutError:
            tab.shut(NONSENSE)
        except Refusal as refusal:
            tab.say(TabRefused(refusal.said(language)))
            tab.shut(code)
        finally:
            room.leave(tab, seat)

    def _hear(self, room: Room, tab: Tab, seat: BrowserParticipant | None, said: PageSays) -> None:
        if seat is None:
            raise Refusal("Spectators cannot send messages.")
        if seat.tab is not tab:
            return  # the seat was opened elsewhere meanwhile
        match said:
            case TabSignUp():
                raise Refusal("This tab has signed up already.")
            case MoveAnswer(number, move):
                seat.answer(number, move.value)
            case CheckPlan(plan, card, ref):
                seat.check(plan, card, ref)
            case HintWanted(number):
                seat.hint(number)
            case TokenSeen():
                seat.seen()
            case SeatBack():
                seat.back()
            case Rematch() | BeginGame() if room.stage == "over":
                self._play_again(room, seat, isinstance(said, BeginGame))
            case BeginGame() if room.commands(seat):
                room.begin()
            case ChangeSeat(number, chair) if room.commands(seat):
                room.change(number, chair)
            case LeaveTable():
                room.vacate(seat)
            case StandIn(number):
                room.rest(number, seat)

    def _play_again(self, room: Room, seat: BrowserParticipant, begin: bool) -> None:
        """This person wants another game, or to begin it without those who have not said so."""
        number = room.number_of(seat)
        room.trouble = None
        if not begin:
            room.again.want(number)
        try:
            if not room.again.undecided(room.seats) or (begin and room.again.may_begin(number, room.commands(seat))):
                self._rooms.again(room)
        except NotKept as unkept:
            room.trouble = Trouble("unkept", unkept.why)
        except TooManyTables as refusal:
            room.trouble = refusal.trouble
        room.changed()


def _seated(room: Room, tab: Tab, hello: PageSays, language: str) -> BrowserParticipant | None:
    """The seat that this first message leads to; None for a spectator."""
    if not isinstance(hello, TabSignUp):
        raise Refusal("The first message of a tab must be its sign-up.")
    if hello.wateringhole != PAGE_VERSION:
        raise Refusal(key="refused.version", page=hello.wateringhole, server=PAGE_VERSION)
    if hello.watch:
        room.watch(tab)
        return None
    if hello.token:
        seat = room.returning(hello.token)
        if seat is None:
            raise Refusal(key="refused.seat")
        room.open(tab, seat, hello.token)
        return seat
    seat = room.join(tab, cleaned(hello.name), hello.key, language)
    if seat is None:
        raise Refusal(key="refused.full")
    return seat


def address_of(request: HTTPConnection) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else ""
