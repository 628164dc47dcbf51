"""One game on the server: asks every seat at its time, and writes down what was answered.

Laws: a seat that fails is expelled by the dealer and by nobody else; the others wait for nothing but its time.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from wateringhole.agents import Agent
from wateringhole.cards import Card
from wateringhole.dealer import answer, new_game, pending
from wateringhole.events import Event
from wateringhole.game import Game
from wateringhole.moves import Asked, Fault, Reason, Reply
from wateringhole.record import Note, Record
from wateringhole.rules.turn import ranking
from wateringhole.server.clock import Clock, TimeControl
from wateringhole.server.line import Broken, Line
from wateringhole.table import Result, ask
from wateringhole.view import Feed, Request, Start, choices, request, start
from wateringhole.wire.native import Native
from wateringhole.wire.shapes import ShapeError
from wateringhole.wire.stream import Json
from wateringhole.wire.talk import Dialect, misspoken, talk


class Sitter(Protocol):
    """Whoever sits on a seat; `listens` says whether it wants to be told what happens."""

    name: str
    listens: bool

    def watch(self, broke: Callable[[Fault], None]) -> None:
        """Call this when the sitter fails while it is not asked."""

    def start(self, request: Start) -> None:
        """A turn begins."""

    def told(self, events: Sequence[Event]) -> None:
        """This happened."""

    async def reply(self, request: Request) -> Reply:
        """The answer, or the fault that it is."""

    def evidence(self) -> Note:
        """The last words of both sides, for whoever wants to know why a seat was expelled."""

    def expel(self, fault: Fault) -> None:
        """You are out."""

    def over(self, seat: int, game: Game) -> None:
        """The game is over."""


class House:
    """An agent of this process on a seat."""

    def __init__(self, name: str, agent: Agent) -> None:
        self.name = name
        self.listens = False
        self._agent = agent

    def watch(self, broke: Callable[[Fault], None]) -> None:
        pass

    def start(self, request: Start) -> None:
        pass

    def told(self, events: Sequence[Event]) -> None:
        pass

    async def reply(self, request: Request) -> Reply:
        return ask(self._agent, request)

    def evidence(self) -> Note:
        return {}

    def expel(self, fault: Fault) -> None:
        pass

    def over(self, seat: int, game: Game) -> None:
        pass


class Guest:
    """Somebody at the other end of a line. In the native dialect a lost line may be taken up again within a while."""

    def __init__(self, name: str, line: Line, dialect: Dialect, control: TimeControl, rejoin: float = 0.0) -> None:
        self.name = name
        self.line = line
        self.dialect = dialect
        self.listens = isinstance(dialect, Native)
        self.replied: Callable[[float], None] = lambda _: None
        self._clock = Clock(control)
        self._rejoin = rejoin if isinstance(dialect, Native) else 0.0
        self._broke: Callable[[Fault], None] = lambda _: None
        self._returned = asyncio.Event()
        self._away: asyncio.TimerHandle | None = None

    def watch(self, broke: Callable[[Fault], None]) -> None:
        self._broke = broke
        self.line.broke = self._line_broke
        if self._away is not None:
            self._away.cancel()
        if self.line.fault is not None:
            self._line_broke(self.line.fault)

    def come_back(self, line: Line, since: int) -> None:
        """The guest has a new line: the old one is shut, and everything it missed is said again."""
        assert isinstance(self.dialect, Native)
        old, self.line = self.line, line
        old.broke = lambda _: None
        old.shut()
        if self._away is not None:
            self._away.cancel()
        line.broke = self._line_broke
        self._say(self.dialect.welcome_back(since))
        self._returned.set()

    def start(self, request: Start) -> None:
        self._say(self.dialect.start(request))

    def told(self, events: Sequence[Event]) -> None:
        self._say(self.dialect.story(events))

    async def reply(self, request: Request) -> Reply:
        """Hold the conversation; one clock runs for all its questions."""
        during: Asked = "feed" if type(request) is Feed else "choose"
        loop = asyncio.get_running_loop()
        begun = loop.time()
        allowed = self._clock.allowance
        deadline = None if allowed is None else begun + allowed
        if isinstance(self.dialect, Native):
            self.dialect.seconds = allowed
        conversation = talk(self.dialect, request)
        try:
            question = next(conversation)
            while True:
                self.line.send(question.value)
                question = conversation.send(await self._receive(deadline, question.most))
        except StopIteration as end:
            self._clock.spent(loop.time() - begun)
            self.replied(loop.time() - begun)
            reply: Reply = end.value
            return reply
        except ShapeError as error:
            return misspoken(error, during)
        except Broken as broken:
            fault = broken.fault
            return Fault(fault.reason, fault.text, fault.rule, during)

    async def _receive(self, deadline: float | None, most: int | None) -> Json:
        """The next value, from whichever line the guest is on."""
        loop = asyncio.get_running_loop()
        while True:
            self._returned.clear()
            try:
                return await self.line.receive(None if deadline is None else max(0.0, deadline - loop.time()), most)
            except Broken as broken:
                if not self._rejoin or broken.fault.reason is not Reason.DISCONNECTED:
                    raise
                latest = loop.time() + self._rejoin
                try:
                    async with asyncio.timeout_at(latest if deadline is None else min(latest, deadline)):
                        await self._returned.wait()
                except TimeoutError:
                    raise broken from None

    def _line_broke(self, fault: Fault) -> None:
        """The line failed while nothing was asked; a guest who may come back has a while to do so."""
        if self._rejoin and fault.reason is Reason.DISCONNECTED:
            self._away = asyncio.get_running_loop().call_later(self._rejoin, self._broke, fault)
        else:
            self._broke(fault)

    def evidence(self) -> Note:
        sent, received = self.line.last_sent[:2_048], self.line.last_received
        return {
            "dialect": self.dialect.name,
            "last request": sent.decode(errors="replace").strip(),
            "last reply": received.decode(errors="replace"),
        }

    def expel(self, fault: Fault) -> None:
        for message in self.dialect.expelled(fault):
            self.line.send(message, farewell=True)
        self._leave()

    def over(self, seat: int, game: Game) -> None:
        self._say(self.dialect.over(seat, game))
        self._leave()

    def _say(self, messages: Sequence[Json]) -> None:
        for message in messages:
            self.line.send(message)

    def _leave(self) -> None:
        if self._away is not None:
            self._away.cancel()
        self.line.shut()


class Host:
    """Runs one game; `expelled` gets the note on each seat that is shown out."""

    def __init__(
        self,
        sitters: Sequence[Sitter],
        deck: Sequence[Card],
        expelled: Callable[[Note], None] = lambda _: None,
        gap: float = 0.0,
    ) -> None:
        self._sitters = dict(enumerate(sitters, 1))
        self._deck = tuple(deck)
        self._expelled = expelled
        self._gap = gap
        # Without a listener the dealer need not put into words what happens.
        self._heard = any(sitter.listens for sitter in sitters)
        self._replies: list[tuple[int, Reply]] = []
        self._notes: list[Note] = []

    async def play(self, notes: tuple[Note, ...] = ()) -> Result:
        """The whole game, from the first turn to the word that it is over."""
        game = new_game([sitter.name for sitter in self._sitters.values()], self._deck, listen=self._heard)
        for seat, sitter in self._sitters.items():
            sitter.watch(partial(self._answer, game, seat))
        self._tell(game, game.hear())
        while game.phase != "over":
            if game.phase == "choose":
                await self._choose(game)
            else:
                seat = game.queue[0]
                self._answer(game, seat, await self._sitters[seat].reply(request(game, seat)))
        for seat in game.players:
            self._sitters[seat].over(seat, game)
        return Result(ranking(game), Record(game.names, self._deck, tuple(self._replies), notes=(*notes, *self._notes)))

    async def _choose(self, game: Game) -> None:
        """Everybody hears of the turn; then all are asked at once about the same situation.

        The dealer gets the answers in turn order, so that a record does not depend on who was quicker.
        """
        for seat in pending(game):
            self._sitters[seat].start(start(game, seat))
        await asyncio.sleep(self._gap)
        questions = {question.me.seat: question for question in choices(game)}
        replies = await asyncio.gather(*(self._sitters[seat].reply(asked) for seat, asked in questions.items()))
        for seat, reply in zip(questions, replies, strict=True):
            if seat in pending(game):
                self._answer(game, seat, reply)

    def _answer(self, game: Game, seat: int, reply: Reply) -> None:
        """Give a reply to the dealer and pass on what happens; who was expelled is shown out at once."""
        if seat not in game.players or game.phase == "over":
            return
        self._replies.append((seat, reply))
        gone = len(game.expelled)
        self._tell(game, answer(game, seat, reply))
        for expelled, fault in game.expelled[gone:]:
            sitter = self._sitters[expelled]
            why: Note = {"expelled": expelled, "reason": fault.reason.value, "text": fault.text, "rule": fault.rule}
            why |= sitter.evidence()
            self._notes.append(why)
            self._expelled(why)
            sitter.expel(fault)  # shown out at once

    def _tell(self, game: Game, events: list[Event]) -> None:
        """Everybody hears what happened."""
        for seat in game.players if events else ():
            self._sitters[seat].told(events)
