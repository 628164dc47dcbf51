"""The server as a whole: its ports, its lobby, its games, and how it ends."""

import asyncio
import signal
import ssl
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from wateringhole.cards import Card
from wateringhole.game import Game
from wateringhole.record import Record, Result, keep
from wateringhole.server.clock import TimeControl
from wateringhole.server.host import Guest, Host, Sitter
from wateringhole.server.line import Limits
from wateringhole.server.lobby import Lobby, Tables
from wateringhole.server.monitor import LONGEST_REQUEST, Monitor

LONGEST_QUEUE: Final = 1_024
"""How many connections the kernel may hold until we take them."""


class Service(Struct, frozen=True):
    """What a server is told to do.

    `deck` gives the deck of the k-th game, from 1 on; `finished` gets its result; `fill` takes a seat that nobody took,
    with this seed, until the stack is unwound.
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


async def serve(service: Service) -> None:
    """Take guests and deal games until all are dealt, or until a signal says to stop."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    numbers = iter(range(1, 1_000_000_000))

    async def play(guests: list[Guest]) -> None:
        number = next(numbers)
        for guest in guests:
            guest.replied = service.monitor.replied
        async with AsyncExitStack() as stack:
            sitters: list[Sitter] = [*guests, *await _filling(service, stack, number, len(guests) + 1)]
            service.monitor.began(number, [sitter.name for sitter in sitters])
            expelled = partial(service.monitor.expelled, number)
            host = Host(sitters, service.deck(number), expelled, service.gap, [{"game": number}])
            result = None
            try:
                result = await host.play()
            finally:
                _keep(service, number, host.record, None if result is None else host.game)
                service.monitor.ended(number, result)
            service.finished(number, result)

    lobby = Lobby(service.tables, service.control, play, service.limits, service.rejoin)
    servers = []
    try:
        for port, dialect in service.ports:
            # One connection a round: out of descriptors, asyncio would try, fail and log as often as the queue is long.
            server = await loop.create_server(
                lambda dialect=dialect: lobby.line(dialect), service.host, port, ssl=service.tls, backlog=1
            )
            servers.append(server)
            for listener in server.sockets:
                with listener.dup() as twin:
                    twin.listen(LONGEST_QUEUE)
            service.listening(service.host, server.sockets[0].getsockname()[1], dialect)
        if service.metrics is not None:
            figures = await asyncio.start_server(
                service.monitor.answer, service.host, service.metrics, limit=LONGEST_REQUEST, backlog=1
            )
            servers.append(figures)
            service.listening(service.host, figures.sockets[0].getsockname()[1], "metrics")
        await _first(lobby.done.wait(), stop.wait())
    finally:
        for server in servers:
            server.close()
        await lobby.close(service.grace)
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(name)


async def _filling(service: Service, stack: AsyncExitStack, number: int, first: int) -> list[Sitter]:
    """Whoever takes the seats of this game from the first empty one on. They all start at the same time."""
    if service.fill is None:
        return []
    async with asyncio.TaskGroup() as group:
        coming = [
            group.create_task(service.fill(stack, seat, f"{service.seed}:{number}:{seat}"))
            for seat in range(first, service.tables.most + 1)
        ]
    return [task.result() for task in coming]


def _keep(service: Service, number: int, record: Record, game: Game | None) -> None:
    """Write the record down, also that of a game that failed or was stopped."""
    if service.records is None:
        return
    try:
        keep(record, service.records / f"game-{number}.jsonl", game)
    except OSError as error:
        service.monitor.unsaved(number, error)


async def _first(*waits: Coroutine[object, object, object]) -> None:
    """Until one of these is done."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
