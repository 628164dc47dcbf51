"""The server as a whole: its ports, its lobby, its games, and how it ends."""

import asyncio
import itertools
import signal
import ssl
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from wateringhole.cards import Card
from wateringhole.game import Game
from wateringhole.record import Note, Record, Result, keep
from wateringhole.server.clock import TimeControl
from wateringhole.server.host import Audience, Guest, Host, Sitter
from wateringhole.server.line import Limits
from wateringhole.server.lobby import Lobby, Tables
from wateringhole.server.monitor import LONGEST_REQUEST, Monitor

LONGEST_QUEUE: Final = 1_024
"""How many connections the kernel may hold until we take them."""


class Service(Struct, frozen=True):
    """What a server is told to do.

    `deck` gives the deck of the k-th game, from 1 on; `finished` gets its result; `fill` takes a seat that nobody took,
    with this seed, until the stack is unwound. `beside` is whatever else runs while the ports are open, such as a page.
    """

    deck: Callable[[int], tuple[Card, ...]]
    finished: Callable[[int, Result], None]
    listening: Callable[[str, int, str | None], None]
    host: str = "127.0.0.1"
    ports: tuple[tuple[int, str | None], ...] = ((45678, None),)
    tables: Tables = Tables()
    control: TimeControl = TimeControl()
    gap: float = 0.0
    fill: Callable[[AsyncExitStack, int, str], Coroutine[object, object, Sitter]] | None = None
    seed: str = "0"
    records: Path | None = None
    grace: float = 10.0
    rejoin: float = 30.0
    limits: Limits = Limits()
    tls: ssl.SSLContext | None = None
    metrics: int | None = None
    monitor: Monitor = field(default_factory=Monitor)
    beside: "Callable[[Games, Lobby], AbstractAsyncContextManager[None]] | None" = None


class Games:
    """Deals game after game: each gets a number, a deck, a record and a report. `watched` may look on at those of the
    lobby.
    """

    def __init__(self, service: Service) -> None:
        self.watched: Callable[[Sequence[Sitter]], Audience | None] = lambda _: None
        self._service = service
        self._numbers = itertools.count(_first_free(service.records))

    async def guests(self, guests: list[Guest]) -> None:
        """A game of these, and of whoever fills the seats left empty."""
        number = next(self._numbers)
        async with AsyncExitStack() as stack:
            sitters: list[Sitter] = [*guests, *await self._filling(stack, number, len(guests) + 1)]
            await self._play(number, sitters, self.watched(sitters))

    async def play(
        self,
        sitters: Sequence[Sitter],
        audience: Audience,
        notes: Sequence[Note] = (),
        begun: Record | None = None,
        hosted: Callable[[Host], None] = lambda _: None,
    ) -> Result:
        """A game of these, from the end of a record on if there is one; `hosted` gets to know its host."""
        return await self._play(next(self._numbers), sitters, audience, notes, begun, hosted)

    async def _play(
        self,
        number: int,
        sitters: Sequence[Sitter],
        audience: Audience | None,
        notes: Sequence[Note] = (),
        begun: Record | None = None,
        hosted: Callable[[Host], None] = lambda _: None,
    ) -> Result:
        service = self._service
        for sitter in sitters:
            if isinstance(sitter, Guest):
                sitter.replied = service.monitor.replied
        service.monitor.began(number, [sitter.name for sitter in sitters])
        expelled = partial(service.monitor.expelled, number)
        host = Host(
            sitters,
            service.deck(number) if begun is None else begun.deck,
            expelled,
            service.gap,
            [{"game": number}, *notes],
            begun=begun,
            audience=audience,
        )
        hosted(host)
        result = None
        try:
            result = await host.play()
        finally:
            self._keep(number, host.record, None if result is None else host.game)
            service.monitor.ended(number, result)
        service.finished(number, result)
        return result

    async def _filling(self, stack: AsyncExitStack, number: int, first: int) -> list[Sitter]:
        """Whoever takes the seats of this game from the first empty one on. They all start at the same time."""
        service = self._service
        if service.fill is None:
            return []
        async with asyncio.TaskGroup() as group:
            coming = [
                group.create_task(service.fill(stack, seat, f"{service.seed}:{number}:{seat}"))
                for seat in range(first, service.tables.most + 1)
            ]
        return [task.result() for task in coming]

    def _keep(self, number: int, record: Record, game: Game | None) -> None:
        """Write the record down, also that of a game that failed or was stopped."""
        if self._service.records is None:
            return
        try:
            keep(record, self._service.records / f"game-{number}.jsonl", game)
        except OSError as error:
            self._service.monitor.unsaved(number, error)


def _first_free(records: Path | None) -> int:
    """The number of the next game: behind all that are kept there, so that none is written over."""
    kept = [] if records is None else [path.stem.removeprefix("game-") for path in records.glob("game-*.jsonl")]
    return 1 + max((int(number) for number in kept if number.isascii() and number.isdigit()), default=0)


async def serve(service: Service) -> None:
    """Take guests and deal games until all are dealt, or until a signal says to stop."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    games = Games(service)
    lobby = Lobby(service.tables, service.control, games.guests, service.limits, service.rejoin)
    async with AsyncExitStack() as stack:
        stack.callback(_deaf, loop)
        stack.push_async_callback(lobby.close, service.grace)
        for port, dialect in service.ports:
            # One connection a round: out of descriptors, asyncio would try, fail and log as often as the queue is long.
            server = await loop.create_server(
                lambda dialect=dialect: lobby.line(dialect), service.host, port, ssl=service.tls, backlog=1
            )
            stack.callback(server.close)
            for listener in server.sockets:
                with listener.dup() as twin:
                    twin.listen(LONGEST_QUEUE)
            bound = server.sockets[0].getsockname()[1]
            lobby.port = lobby.port or bound
            service.listening(service.host, bound, dialect)
        if service.metrics is not None:
            figures = await asyncio.start_server(
                service.monitor.answer, service.host, service.metrics, limit=LONGEST_REQUEST, backlog=1
            )
            stack.callback(figures.close)
            service.listening(service.host, figures.sockets[0].getsockname()[1], "metrics")
        if service.beside is not None:
            await stack.enter_async_context(service.beside(games, lobby))
        await _first(lobby.done.wait(), stop.wait())


def _deaf(loop: asyncio.AbstractEventLoop) -> None:
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.remove_signal_handler(name)


async def _first(*waits: Coroutine[object, object, object]) -> None:
    """Until one of these is done."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
