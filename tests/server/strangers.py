"""The words of the network's tests: our own server on a free port, and strangers who follow a script.

Laws: real sockets of this machine; nothing is left open, and nothing waits for ever.
"""

import asyncio
import contextlib
import gc
import itertools
import socket
import ssl
import struct
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from wateringhole.cards import Card
from wateringhole.record import Result
from wateringhole.server.clock import TimeControl
from wateringhole.server.connection import Connection, Limits
from wateringhole.server.game_session import GameSession
from wateringhole.server.lobby import Lobby, Tables
from wateringhole.server.participants import RemoteParticipant

T = TypeVar("T")

HERE = "127.0.0.1"
CERTIFICATE = Path(__file__).parent / "localhost.pem"
"""A key that guards nothing, and a certificate of its own making for this machine, good for a hundred years."""
FOR_EVER = 120.0


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns, in an event loop of its own that leaves nothing behind."""

    async def bounded() -> T:
        async with asyncio.timeout(FOR_EVER):
            return await coroutine

    try:
        return asyncio.run(bounded())
    finally:
        gc.collect()  # whatever was left open complains now, in the test that left it


class Hosted:
    """Our own server, for one game."""

    def __init__(self, lobby: Lobby, result: "asyncio.Future[Result]") -> None:
        self.result = result
        self.ports: dict[str | None, int] = {}
        self._lobby = lobby
        self._lines: list[Connection] = []

    def line(self, bound: str | None) -> Connection:
        self._lines.append(self._lobby.new_connection(bound))
        return self._lines[-1]

    async def signed_up(self, number: int) -> None:
        """Wait until so many have signed up: who comes next sits behind them."""
        while sum(line.last_received != b"" for line in self._lines) < number:
            await asyncio.sleep(0.001)


@contextlib.asynccontextmanager
async def hosted(number: int, deck: Sequence[Card]) -> AsyncIterator[Hosted]:
    """Our own server for so many guests, on a port that knows the dialects apart and ports that speak only one."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[Result] = loop.create_future()

    async def deal(guests: list[RemoteParticipant]) -> None:
        try:
            result.set_result(await GameSession(guests, deck).play())
        except Exception as error:
            result.set_exception(error)

    tables = Tables(fewest=number, most=number, games=1)
    lobby = Lobby(tables, TimeControl(None), deal, Limits(sign_up_seconds=FOR_EVER, silent_seconds=0))
    host = Hosted(lobby, result)
    servers = []
    for bound in (None, "tagged", "requests"):
        server = await loop.create_server(lambda bound=bound: host.line(bound), HERE, 0)  # type: ignore[misc]
        servers.append(server)
        host.ports[bound] = server.sockets[0].getsockname()[1]
    try:
        yield host
    finally:
        for server in servers:
            server.close()
            await server.wait_closed()
        await lobby.close()


class Stranger:
    """The server's end of a connection, for somebody else's server that follows a script."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._file = connection.makefile("rb")

    def secure(self) -> None:
        """Go on by TLS, with our certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        self._file.close()
        self._connection = context.wrap_socket(self._connection, server_side=True)
        self._file = self._connection.makefile("rb")

    def send(self, text: bytes) -> None:
        self._connection.sendall(text)

    def receive(self, number: int) -> bytes:
        """The next bytes, so many."""
        return self._file.read(number)

    def line(self) -> bytes:
        """The next line with its end; what there is of it, if the guest leaves."""
        return self._file.readline()

    def rest(self) -> bytes:
        """All that still comes before the guest leaves, however it does."""
        try:
            return self._file.read()
        except ConnectionResetError:
            return b""

    def reset(self) -> None:
        """Let the connection be reset when it is closed, as if something had been left unread."""
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def close(self) -> None:
        self._file.close()
        self._connection.close()


@contextlib.contextmanager
def stranger(script: Callable[[Stranger], None], port: socket.socket | None = None) -> Iterator[int]:
    """Somebody else's server, which follows this script with its one guest and then closes; its port, which may have
    been taken before.
    """
    raised: list[Exception] = []

    def serve() -> None:
        try:
            connection, _ = listener.accept()
            connection.settimeout(FOR_EVER)
            with contextlib.closing(Stranger(connection)) as server:
                script(server)
        except Exception as error:
            raised.append(error)

    with port or socket.create_server((HERE, 0)) as listener:
        listener.listen()
        listener.settimeout(FOR_EVER)
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            thread.join()
    for error in raised:
        raise error


@contextlib.contextmanager
def deaf() -> Iterator[socket.socket]:
    """A port of this machine that is taken, but where nobody listens: until its owner does so, if ever."""
    with socket.socket() as taken:
        taken.bind((HERE, 0))
        yield taken


@contextlib.contextmanager
def deaf_port() -> Iterator[int]:
    with deaf() as taken:
        yield taken.getsockname()[1]


def refused_once(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Comes when this loop is asked for a connection again, because the first attempt has failed."""
    loop = asyncio.get_running_loop()
    connect, attempts, again = loop.create_connection, itertools.count(1), asyncio.Event()

    def counted(*args: Any, **named: Any) -> Any:
        if next(attempts) == 2:
            again.set()
        return connect(*args, **named)

    monkeypatch.setattr(loop, "create_connection", counted)
    return again
