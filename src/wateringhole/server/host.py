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
from wateringhole.events import Event, Expelled
from wateringhole.game import Game
from wateringhole.moves import Asked, Fault, Reply
from wateringhole.record import Note, Record
from wateringhole.rules.turn import ranking
from wateringhole.server.clock import Clock, TimeControl
from wateringhole.server.line import Broken, Line
from wateringhole.table import Result, ask
from wateringhole.view import Feed, Request, Start, request, start
from wateringhole.wire.shapes import ShapeError
from wateringhole.wire.talk import Dialect, misspoken, talk


class Sitter(Protocol):
    """Whoever sits on a seat."""

    name: str

    def watch(self, broke: Callable[[Fault], None]) -> None:
        """Call this when the sitter fails while it is not asked."""

    def start(self, request: Start) -> None:
        """A turn begins."""

    async def reply(self, request: Request) -> Reply:
        """The answer, or the fault that it is."""

    def expel(self, fault: Fault) -> None:
        """You are out."""

    def over(self, seat: int, game: Game) -> None:
        """The game is over."""


class House:
    """An agent of this process on a seat."""

    def __init__(self, name: str, agent: Agent) -> None:
        self.name = name
        self._agent = agent

    def watch(self, broke: Callable[[Fault], None]) -> None:
        pass

    def start(self, request: Start) -> None:
        pass

    async def reply(self, request: Request) -> Reply:
        return ask(self._agent, request)

    def expel(self, fault: Fault) -> None:
        pass

    def over(self, seat: int, game: Game) -> None:
        pass


class Guest:
    """Somebody at the other end of a line."""

    def __init__(self, name: str, line: Line, dialect: Dialect, control: TimeControl) -> None:
        self.name = name
        self.line = line
        self.dialect = dialect
        self._clock = Clock(control)

    def watch(self, broke: Callable[[Fault], None]) -> None:
        self.line.broke = broke
        if self.line.fault is not None:
            broke(self.line.fault)

    def start(self, request: Start) -> None:
        for message in self.dialect.start(request):
            self.line.send(message)

    async def reply(self, request: Request) -> Reply:
        """Hold the conversation; one clock runs for all its questions."""
        during: Asked = "feed" if type(request) is Feed else "choose"
        loop = asyncio.get_running_loop()
        begun = loop.time()
        allowed = self._clock.allowance
        conversation = talk(self.dialect, request)
        try:
            question = next(conversation)
            while True:
                self.line.send(question.value)
                left = None if allowed is None else max(0.0, begun + allowed - loop.time())
                question = conversation.send(await self.line.receive(left, question.most))
        except StopIteration as end:
            self._clock.spent(loop.time() - begun)
            reply: Reply = end.value
            return reply
        except ShapeError as error:
            return misspoken(error, during)
        except Broken as broken:
            fault = broken.fault
            return Fault(fault.reason, fault.text, fault.rule, during)

    def expel(self, fault: Fault) -> None:
        for message in self.dialect.expelled(fault):
            self.line.send(message)
        self.line.shut()

    def over(self, seat: int, game: Game) -> None:
        for message in self.dialect.over(seat, game):
            self.line.send(message)
        self.line.shut()


class Host:
    """Runs one game; `told` gets the events as they happen."""

    def __init__(
        self,
        sitters: Sequence[Sitter],
        deck: Sequence[Card],
        told: Callable[[Event], None] = lambda _: None,
        gap: float = 0.0,
    ) -> None:
        self._sitters = dict(enumerate(sitters, 1))
        self._deck = tuple(deck)
        self._told = told
        self._gap = gap
        self._replies: list[tuple[int, Reply]] = []

    async def play(self, notes: tuple[Note, ...] = ()) -> Result:
        """The whole game, from the first turn to the word that it is over."""
        game = new_game([sitter.name for sitter in self._sitters.values()], self._deck, listen=True)
        for event in game.hear():
            self._told(event)
        for seat, sitter in self._sitters.items():
            sitter.watch(partial(self._answer, game, seat))
        while game.phase != "over":
            if game.phase == "choose":
                await self._choose(game)
            else:
                seat = game.queue[0]
                self._answer(game, seat, await self._sitters[seat].reply(request(game, seat)))
        for seat in game.players:
            self._sitters[seat].over(seat, game)
        return Result(ranking(game), Record(game.names, self._deck, tuple(self._replies), notes=notes))

    async def _choose(self, game: Game) -> None:
        """Everybody hears of the turn; then all are asked at once about the same situation.

        The dealer gets the answers in turn order, so that a record does not depend on who was quicker.
        """
        for seat in pending(game):
            self._sitters[seat].start(start(game, seat))
        await asyncio.sleep(self._gap)
        questions = {seat: request(game, seat) for seat in pending(game)}
        replies = await asyncio.gather(*(self._sitters[seat].reply(asked) for seat, asked in questions.items()))
        for seat, reply in zip(questions, replies, strict=True):
            if seat in pending(game):
                self._answer(game, seat, reply)

    def _answer(self, game: Game, seat: int, reply: Reply) -> None:
        """Give a reply to the dealer and pass on what happens; who was expelled is shown out at once."""
        if seat not in game.players:
            return
        self._replies.append((seat, reply))
        for event in answer(game, seat, reply):
            self._told(event)
            if type(event) is Expelled:
                self._sitters[event.seat].expel(event.fault)
