"""The participants of a game session: a bot in this process, a client at a connection, or an absent one.

Laws: a participant does not raise; its failure is the fault that it replies. One clock runs for all questions of a
request.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol

from msgspec.structs import replace

from wateringhole.agents import Agent
from wateringhole.events import Event
from wateringhole.fault import Asked, Fault, Reason
from wateringhole.moves import Reply
from wateringhole.record import Note, Result
from wateringhole.server.clock import Clock, TimeControl
from wateringhole.server.connection import Broken, Connection
from wateringhole.store.log_entries import SeatTicket
from wateringhole.table import ask, tell, tell_over, why_of
from wateringhole.view import Feed, Request, Start
from wateringhole.wire.dialect import Dialect, misspoken, talk
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError
from wateringhole.wire.names import cleaned

MAX_BLOCKING_SECONDS: Final = 0.005
"""Seconds for which an agent may block the event loop."""


class Participant(Protocol):
    """What answers for a seat: a bot, a client, a browser, a terminal, or an absent player.

    `listens` says whether it wants to be told what happens. `deadline` is when its time for the open request is up, by
    the loop's clock; `why` is what it says about its last reply, if anything.
    """

    name: str
    listens: bool
    deadline: float | None
    why: str

    def ticket(self) -> SeatTicket:
        """How to make this participant again after a restart."""

    def watch(self, broke: Callable[[Fault], None]) -> None:
        """Call this when the participant fails while it is not asked."""

    def start(self, request: Start) -> None:
        """A turn begins."""

    def told(self, events: Sequence[Event]) -> None:
        """This happened."""

    async def reply(self, request: Request) -> Reply:
        """The answer, or the fault of a participant that gives none."""

    async def recall(self, request: Request) -> None:
        """This was asked and answered before the server was restarted."""

    def evidence(self) -> Note:
        """The last messages of both sides, for the note on an expulsion."""

    def expel(self, fault: Fault) -> None:
        """Tell it that it is expelled, and close its connection; at choose, before the dealer removes it."""

    def over(self, seat: int, result: Result) -> None:
        """The game is over."""


class AbsentParticipant:
    """A player that cannot return, or was expelled before the dealer heard of it; its reply is always its fault."""

    def __init__(self, name: str, fault: Fault) -> None:
        self.name = name
        self.listens = False
        self.deadline: float | None = None
        self.why = ""
        self._fault = fault

    def ticket(self) -> SeatTicket:
        return SeatTicket("gone", self.name)

    def watch(self, broke: Callable[[Fault], None]) -> None:
        pass

    def start(self, request: Start) -> None:
        pass

    def told(self, events: Sequence[Event]) -> None:
        pass

    async def reply(self, request: Request) -> Reply:
        return replace(self._fault, during=_asked(request))

    async def recall(self, request: Request) -> None:
        pass

    def evidence(self) -> Note:
        return {}

    def expel(self, fault: Fault) -> None:
        pass

    def over(self, seat: int, result: Result) -> None:
        pass


class BotParticipant:
    """An agent of this process on a seat, by the same clock as every other participant.

    It runs in the server's own thread, or in another if it says that it `thinks` for long. With a `pace` it lets
    so many seconds pass before each feeding, so that people can follow. `bot` and `seed` are what it was made from.
    """

    def __init__(
        self, name: str, agent: Agent, control: TimeControl, pace: float = 0.0, bot: str = "", seed: str = ""
    ) -> None:
        self.name = name
        self._made_from = bot, seed
        self.listens = False
        self.deadline: float | None = None
        self.why = ""
        self._pace = pace
        self.also: Callable[[], Note] = dict
        self._agent = agent
        self._clock = Clock(control)
        self._broke: Callable[[Fault], None] = lambda _: None

    def ticket(self) -> SeatTicket:
        return SeatTicket("bot", self.name, *self._made_from)

    def watch(self, broke: Callable[[Fault], None]) -> None:
        self._broke = broke

    def start(self, request: Start) -> None:
        fault = tell(self._agent, request)
        if fault is not None:
            self._broke(fault)

    def told(self, events: Sequence[Event]) -> None:
        pass

    async def reply(self, request: Request) -> Reply:
        if self._pace and isinstance(request, Feed):
            await asyncio.sleep(self._pace)
        allowed = self._clock.allowance
        loop = asyncio.get_running_loop()
        begun = loop.time()
        reply = await self._thought(request)
        self.why = why_of(self._agent)
        took = loop.time() - begun
        self._clock.spent(took)
        if allowed is not None and took > allowed:
            return Fault(
                Reason.TIMEOUT, f"answers after {took:.1f} s, later than {allowed:.1f} s", during=_asked(request)
            )
        return reply

    async def recall(self, request: Request) -> None:
        await self._thought(request)  # so that its random numbers and its memory are as before

    async def _thought(self, request: Request) -> Reply:
        slow = getattr(self._agent, "thinks", 0) > MAX_BLOCKING_SECONDS
        return await asyncio.to_thread(ask, self._agent, request) if slow else ask(self._agent, request)

    def evidence(self) -> Note:
        return self.also()

    def expel(self, fault: Fault) -> None:
        pass

    def over(self, seat: int, result: Result) -> None:
        tell_over(self._agent, result)


class RemoteParticipant:
    """A client on a TCP connection. In dialects whose clients can return, a lost connection may be taken up again.

    With `recalling`, the game was played by an earlier server: a client that returns before it is recalled has to wait.
    """

    def __init__(
        self,
        name: str,
        connection: Connection,
        dialect: Dialect,
        control: TimeControl,
        rejoin: float = 0.0,
        recalling: bool = False,
    ) -> None:
        self.name = name
        self._recalling = recalling
        self._early: tuple[Connection, int] | None = None
        self.connection = connection
        self.dialect = dialect
        self.listens = dialect.hears_story
        self.why = ""
        self.replied: Callable[[float], None] = lambda _: None
        self.token_changed: Callable[[tuple[str, ...]], None] = lambda _: None
        self.also: Callable[[], Note] = dict
        self._clock = Clock(control)
        self._rejoin = rejoin if dialect.can_return else 0.0
        self._broke: Callable[[Fault], None] = lambda _: None
        self.deadline: float | None = None
        self._returned = asyncio.Event()
        self._away: asyncio.TimerHandle | None = None

    def ticket(self) -> SeatTicket:
        kind = "guest" if self.dialect.can_return else "stranger"
        return SeatTicket(kind, self.name, token_hashes=self.dialect.token_hashes)

    def watch(self, broke: Callable[[Fault], None]) -> None:
        self._broke = broke
        self.connection.broke = self._connection_failed
        if self._away is not None:
            self._away.cancel()
        if self.connection.fault is not None:
            self._connection_failed(self.connection.fault)

    def welcome(self, seat: int) -> None:
        """Welcome the client, which has to answer from now on. A client that did not sign up gets its welcome when it
        does.
        """
        self.connection.signed_up()
        if self.connection.presumed:
            self.connection.named = partial(self._named, seat)
        else:
            self._say(self.dialect.welcome(seat))

    def _named(self, seat: int, name: str) -> None:
        """The sign-up has come late; the game keeps the name that it began with."""
        self.name = self.name or cleaned(name)
        self._say(self.dialect.welcome(seat))

    def come_back(self, connection: Connection, since: int) -> None:
        """The client has a new connection: shut the old one, and send again what it missed."""
        if self._recalling:
            if self._early is not None:
                self._early[0].shut()
            self._early = connection, since
            return
        old, self.connection = self.connection, connection
        old.broke = lambda _: None
        old.shut()
        if self._away is not None:
            self._away.cancel()
        connection.broke = self._connection_failed
        left = None if self.deadline is None else max(0.0, self.deadline - asyncio.get_running_loop().time())
        again = self.dialect.welcome_back(since, left)
        self.token_changed(self.dialect.token_hashes)
        self._say(again)
        self._returned.set()

    async def returned(self, seconds: float) -> None:
        """Wait until this client has returned; after these seconds it cannot any more."""
        self.dialect.recalled()
        self._recalling = False
        if self._early is not None:
            self.come_back(*self._early)
        try:
            async with asyncio.timeout(seconds):
                await self._returned.wait()
        except TimeoutError:
            self._rejoin = 0.0

    def start(self, request: Start) -> None:
        self._say(self.dialect.start(request))

    def told(self, events: Sequence[Event]) -> None:
        self._say(self.dialect.story(events))

    async def reply(self, request: Request) -> Reply:
        """Hold the conversation; one clock runs for all its questions."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        allowed = self._clock.allowance
        self.deadline = None if allowed is None else begun + allowed
        self.dialect.allow(allowed, self._clock.bank)
        conversation = talk(self.dialect, request)
        try:
            with self.connection.conversation():
                question = next(conversation)
                while True:
                    self.connection.send(question.value)
                    question = conversation.send(await self._receive(question.most))
        except StopIteration as end:
            self._clock.spent(loop.time() - begun)
            self.replied(loop.time() - begun)
            reply: Reply = end.value
            return reply
        except ShapeError as error:
            return misspoken(error, _asked(request))
        except Broken as broken:
            fault = broken.fault
            return Fault(fault.reason, fault.text, fault.rule, _asked(request))

    async def recall(self, request: Request) -> None:
        self.dialect.recall(request)

    async def _receive(self, most: int | None) -> Json:
        """The next value, from the connection that the client has now."""
        loop = asyncio.get_running_loop()
        deadline = self.deadline
        while True:
            self._returned.clear()
            try:
                return await self.connection.receive(
                    None if deadline is None else max(0.0, deadline - loop.time()), most
                )
            except Broken as broken:
                if not self._rejoin or broken.fault.reason is not Reason.DISCONNECTED:
                    raise
                latest = loop.time() + self._rejoin
                try:
                    async with asyncio.timeout_at(latest if deadline is None else min(latest, deadline)):
                        await self._returned.wait()
                except TimeoutError:
                    raise broken from None

    def _connection_failed(self, fault: Fault) -> None:
        """The connection failed while nothing was asked; a client that can return has `rejoin` seconds to do so."""
        if self._rejoin and fault.reason is Reason.DISCONNECTED:
            self._away = asyncio.get_running_loop().call_later(self._rejoin, self._broke, fault)
        else:
            self._broke(fault)

    def evidence(self) -> Note:
        sent, received = self.connection.last_sent[:2_048], self.connection.last_received
        return {
            "dialect": self.dialect.name,
            "last request": sent.decode(errors="replace").strip(),
            "last reply": received.decode(errors="replace"),
            **self.also(),
        }

    def expel(self, fault: Fault) -> None:
        for message in self.dialect.expelled(fault):
            self.connection.send(message, farewell=True)
        self.leave()

    def over(self, seat: int, result: Result) -> None:
        self._say(self.dialect.over(seat, result))
        self.leave()

    def _say(self, messages: Sequence[Json]) -> None:
        for message in messages:
            self.connection.send(message)

    def leave(self) -> None:
        """Close the connection; nothing more is sent or expected."""
        if self._away is not None:
            self._away.cancel()
        self.connection.shut()
        if self._recalling and self._early is not None:
            self._early[0].shut()


def _asked(request: Request) -> Asked:
    return "feed" if isinstance(request, Feed) else "choose"
