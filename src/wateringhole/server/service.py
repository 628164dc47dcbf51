"""The server: its ports, its lobby, its game sessions, and its shutdown.

Laws: with game logs, a game that is not over when the server ends or is killed is played on by the next one.
"""

import asyncio
import contextlib
import signal
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from functools import partial
from typing import Final

from wateringhole.server.games import Games, InterruptedGame, NotKept, Service
from wateringhole.server.listening import listen
from wateringhole.server.lobby import Lobby
from wateringhole.store.archiver import Archiver
from wateringhole.store.error import StoreError

MAX_SETTLING_SECONDS: Final = 60.0
"""Seconds to wait for the store when all games are over."""


async def serve(service: Service) -> None:
    """Take clients and deal games until all are dealt, or until SIGTERM or SIGINT."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    games = Games(service)
    lobby = Lobby(service.tables, service.control, games.play_clients, service.limits, service.rejoin)
    lobby.turned_away = service.monitor.turned_away
    lobby.finished = games.finished_seats.messages
    async with AsyncExitStack() as stack:
        stack.callback(_remove_signal_handlers, loop)
        stack.enter_context(service.monitor.errors_logged())
        if service.archiver is not None:
            stack.push_async_callback(_settled, service.archiver)
            archiving = loop.create_task(service.archiver.run())
            stack.callback(archiving.cancel)
        stack.push_async_callback(lobby.close, service.grace)
        left = await _load_unfinished_games(service, games, lobby)
        for port, dialect in service.ports:
            server = await listen(partial(lobby.new_connection, dialect), service.host, port, service.tls)
            stack.callback(server.close)
            lobby.port = lobby.port or server.port
            service.listening(service.host, server.port, dialect)
        if service.metrics is not None:
            host, port = service.metrics
            figures = await listen(service.monitor.connection, host, port)
            stack.callback(figures.close)
            service.listening(host, figures.port, "metrics")
        if service.page is not None:
            await stack.enter_async_context(service.page(games, lobby))
        for game in left:
            lobby.start_game(game.clients, partial(games.resume, game))
        service.monitor.ready(games.resumed)
        games.open = True
        try:
            await _first(lobby.done.wait(), stop.wait())
        finally:
            games.open = False


async def _load_unfinished_games(service: Service, games: Games, lobby: Lobby) -> list[InterruptedGame]:
    """The unfinished games of an earlier server, but for the tables of the page, if there is one. Clients with a seat
    in them may come back from now on.
    """
    if service.game_logs is not None:
        game_logs = service.game_logs
        lobby.refusal = lambda: NotKept(trouble) if (trouble := game_logs.trouble) else None
    ours = []
    try:
        found = await games.read_unfinished()
    except OSError as error:
        raise StoreError(f"the logs of running games cannot be read: {error}") from None
    for begun in found:
        service.monitor.resumed(begun.opening.number, list(begun.opening.names))
        game = games.rebuild_participants(begun)
        lobby.expect(game.clients)
        games.resumed += 1
        if begun.opening.room is not None and service.page is not None:
            games.left.append(game)
        else:
            ours.append(game)
    return ours


async def _settled(archiver: Archiver) -> None:
    """Wait for the store; what it does not take now, the next server finds in the game logs."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(MAX_SETTLING_SECONDS):
            await archiver.settle()


def _remove_signal_handlers(loop: asyncio.AbstractEventLoop) -> None:
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.remove_signal_handler(name)


async def _first(*waits: Coroutine[object, object, object]) -> None:
    """Wait until one of these is done."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
