"""A player in a browser, as a participant of a game session.

Laws: a move that would be illegal is answered with the reason and nothing else happens: a person is not expelled for a
slip. Who is away for too long, out of time or sent to rest is played for by a bot, and may take the seat back whenever
they like.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from wateringhole.agents import Agent
from wateringhole.agents.greedy_reasons import reasons
from wateringhole.agents.house import STAND_IN
from wateringhole.events import Event
from wateringhole.fault import Fault
from wateringhole.move_json import MoveJson
from wateringhole.moves import Move, Reply
from wateringhole.record import Note, Result
from wateringhole.server.clock import Clock, TimeControl
from wateringhole.store.log_entries import SeatTicket
from wateringhole.table import ask
from wateringhole.view import Choose, Request, Start
from wateringhole.web.card_plan import checked, feed_request, said
from wateringhole.web.page_messages import (
    PAGE_VERSION,
    CardPlan,
    ChooseCards,
    MoveHint,
    MoveObjection,
    RequestDone,
    ServerSays,
    TabWelcome,
    showing_seconds,
)
from wateringhole.web.tab import OTHER_TAB, Tab
from wateringhole.wire.native_messages import token_hash

TOKEN_BYTES: Final = 24


class Question(Struct, frozen=True):
    """The open request: its number, what it asks, when its clock starts, and where the answer goes."""

    number: int
    request: Request
    clock_starts: float
    answer: "asyncio.Future[Reply]"


class BrowserParticipant:
    """`patience` is how long a lost page may stay away before the stand-in plays; None: for ever. With hashes of
    tokens, it is the seat of a person who had it before the server was restarted.
    """

    def __init__(
        self, name: str, control: TimeControl, bot: Agent, patience: float | None, token_hashes: tuple[str, ...] = ()
    ) -> None:
        self.name = name
        self.given_name = name
        self.listens = True
        self.deadline: float | None = None
        self.why = ""
        self.tab: Tab | None = None
        self.standing_in = False
        self.changed: Callable[[], None] = lambda: None
        self.relieved: Callable[[str], None] = lambda _: None
        self.token_changed: Callable[[tuple[str, ...]], None] = lambda _: None
        self._token_hashes = token_hashes
        self._asked_so_far = 0
        self._told = 0
        self._bot = bot
        self._clock = Clock(control)
        self._patience = patience
        self._question: Question | None = None
        self._away: asyncio.TimerHandle | None = None

    # Its page comes and goes.

    def admits(self, token: str) -> bool:
        """Whether this is the seat's token: the last one given out or, until that has arrived, the one before."""
        return any(secrets.compare_digest(token_hash(token), known) for known in self._token_hashes)

    def open(self, tab: Tab, token: str = "") -> None:
        """From now on this tab, which came with this token, is the seat's; one that was open before is shut."""
        if self.tab is not None:
            self.tab.shut(OTHER_TAB)
        self.tab = tab
        self._come_to()
        new = secrets.token_urlsafe(TOKEN_BYTES)
        # The old one leads here, too, until the page has said that the new one has arrived.
        self._token_hashes = (token_hash(new), token_hash(token)) if token else (token_hash(new),)
        self.token_changed(self._token_hashes)
        self._say(TabWelcome(PAGE_VERSION, new))

    def invitation(self) -> str:
        """A token with which a page can open the seat; the last one that was given out stays good."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._token_hashes = (token_hash(token), *self._token_hashes[:1])
        self.token_changed(self._token_hashes)
        return token

    def left(self, tab: Tab | None) -> None:
        """This tab is gone; the seat's patience begins to run. None: it went with an earlier server."""
        if self.tab is tab:
            self.tab = None
            if self._patience is not None:
                self._away = asyncio.get_running_loop().call_later(self._patience, self.rest)
            self.changed()

    def rest(self) -> None:
        """From now on the stand-in plays, until the person comes back."""
        if not self.standing_in:
            self.standing_in = True
            self.relieved(STAND_IN)
        self._play_for()
        self.changed()

    def set_time(self, control: TimeControl, patience: float | None) -> None:
        """The time that the seat has, before the game: who waits for it may have changed."""
        self._clock, self._patience = Clock(control), patience

    def remove_clock(self) -> None:
        """No other person or program waits for this person, so there is no hurry."""
        self._patience = None
        self._clock = Clock(TimeControl(None))
        if self._away is not None:
            self._away.cancel()

    def back(self) -> None:
        """The person plays again."""
        self._come_to()
        self.changed()

    def _come_to(self) -> None:
        if self.standing_in:
            self.standing_in = False
            self.relieved("person")
        if self._away is not None:
            self._away.cancel()

    # What its page says.

    def seen(self) -> None:
        """The page has its new token, so the old one is worth nothing any more."""
        self._token_hashes = self._token_hashes[:1]

    def repeat(self) -> None:
        """Ask again what is open, with the time that is left."""
        question = self._question
        if question is not None:
            now = asyncio.get_running_loop().time()
            left = None if self.deadline is None else round(max(0.0, self.deadline - now), 1)
            showing = round(max(0.0, question.clock_starts - now), 1)
            self._say(
                ChooseCards(question.number, left, showing)
                if isinstance(question.request, Choose)
                else feed_request(question.request, question.number, left, showing)
            )

    def answer(self, number: int, move: Move) -> None:
        """A move: taken if it is legal, otherwise the reason goes back and the request stays open."""
        question = self._asked(number)
        if question is None:
            return
        fault = question.request.why_not(move)
        if fault is None:
            question.answer.set_result(move)
        else:
            self._object(number, fault.rule, said(fault))

    def check(self, draft: CardPlan, card: int | None, ref: int) -> None:
        """What the rules say to a plan."""
        question = self._question
        if question is not None and isinstance(question.request, Choose):
            self._say(checked(question.request, draft, card, ref))

    def hint(self, number: int) -> None:
        """What a house bot would do, and why."""
        question = self._asked(number)
        if question is not None:
            move = ask(self._bot, question.request)
            if not isinstance(move, Fault):
                why = reasons(self._bot, question.request, move)
                self._say(MoveHint(number, STAND_IN, MoveJson(move), why))

    def _asked(self, number: int) -> Question | None:
        """The request of this number, if it is still open; its page may have been too late."""
        question = self._question
        if question is None or question.number != number or question.answer.done():
            self._object(number, "", f"Request {number} is not open any more.")
            return None
        return question

    def _object(self, number: int, rule: str, text: str) -> None:
        self._say(MoveObjection(number, rule, text))

    # What the game session says.

    def ticket(self) -> SeatTicket:
        return SeatTicket("person", self.name, token_hashes=self._token_hashes)

    def watch(self, broke: Callable[[Fault], None]) -> None:
        pass  # a person cannot fail while nothing is asked

    def start(self, request: Start) -> None:
        pass  # the room tells its tab what is on the table

    def told(self, events: Sequence[Event]) -> None:
        self._told += len(events)

    async def reply(self, request: Request) -> Reply:
        loop = asyncio.get_running_loop()
        clock_starts = loop.time() + showing_seconds(self._told)
        allowed = self._clock.allowance
        self.deadline = None if allowed is None else clock_starts + allowed
        number = self._next_number()
        self._question = Question(number, request, clock_starts, loop.create_future())
        limit = None if self.deadline is None else loop.call_at(self.deadline, self.rest)
        self.repeat()
        if self.standing_in:
            self._play_for()
        try:
            return await self._question.answer
        finally:
            self._question = self.deadline = None
            if limit is not None:
                limit.cancel()
            self._clock.spent(max(0.0, loop.time() - clock_starts))
            self._say(RequestDone(number))

    async def recall(self, request: Request) -> None:  # noqa: ARG002
        self._next_number()

    def _next_number(self) -> int:
        """The number of the next request; the events so far were told before it."""
        self._asked_so_far += 1
        self._told = 0
        return self._asked_so_far

    def _play_for(self) -> None:
        if self._question is not None and not self._question.answer.done():
            self._question.answer.set_result(ask(self._bot, self._question.request))

    def evidence(self) -> Note:
        return {}

    def expel(self, fault: Fault) -> None:
        pass  # the event says so to all tabs

    def over(self, seat: int, result: Result) -> None:
        pass  # the room tells its tabs

    def _say(self, message: ServerSays) -> None:
        if self.tab is not None:
            self.tab.say(message)
