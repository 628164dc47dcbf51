"""Listening sockets: how a port is opened, and how new connections are taken from its queue.

Laws: one turn of the event loop takes a bounded number of connections, so that play does not wait for them. Without a
free descriptor new connections wait in the kernel's queue, and those that are there go on.
"""

import asyncio
import logging
import os
import socket
import ssl
from collections.abc import Callable
from typing import Final

_LOG: Final = logging.getLogger(__name__)

MAX_QUEUE: Final = 1_024
"""How many connections the kernel may hold until the server takes them."""
MAX_TAKEN: Final = 16
"""How many the server takes in a turn of the event loop. A turn of a busy server has an answer from each of its tables
in it, so newcomers must not wait for many of them; a connection costs a fifth of a millisecond, so play must not wait
for many of those.
"""
PAUSE_SECONDS: Final = 1.0
"""How long to wait for a free descriptor."""

Connected = Callable[[], asyncio.BaseProtocol]


class ListenError(Exception):
    """A port cannot be opened; the sentence says which, and why."""

    def __init__(self, host: str, port: int, error: OSError) -> None:
        known = isinstance(error, socket.gaierror) or not error.errno
        why = error.strerror or str(error) if known else os.strerror(error.errno or 0)  # asyncio's repeats the address
        super().__init__(f"cannot listen on {joined_address(host, port)}: {why}")


def joined_address(host: str, port: int) -> str:
    """A host and its port, as they are written together."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def listen(protocol: Connected, host: str, port: int, tls: ssl.SSLContext | None = None) -> "Listener":
    """Take connections on this port from now on; ListenError if that cannot be."""
    try:
        bound = await asyncio.get_running_loop().create_server(protocol, host, port, start_serving=False)
        return Listener(bound, protocol, tls)
    except OSError as error:
        raise ListenError(host, port, error) from None


class Listener:
    """An open port, by as many sockets as its host has addresses.

    asyncio's own server has one number for the length of the queue and for how many connections a turn takes; out of
    descriptors it fails, and logs, that often.
    """

    def __init__(self, bound: asyncio.Server, protocol: Connected, tls: ssl.SSLContext | None) -> None:
        self.port: Final[int] = bound.sockets[0].getsockname()[1]
        self._bound = bound
        self._protocol = protocol
        self._tls = tls
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._sockets = [listener.dup() for listener in bound.sockets]
        for listener in self._sockets:
            listener.setblocking(False)
            listener.listen(MAX_QUEUE)
            self._loop.add_reader(listener, self._take, listener)

    def close(self) -> None:
        """Take no more connections."""
        for listener in self._sockets:
            self._loop.remove_reader(listener)
            listener.close()
        self._sockets.clear()
        self._bound.close()

    def _take(self, listener: socket.socket) -> None:
        for _ in range(MAX_TAKEN):
            try:
                connection, _ = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                _LOG.warning("no connection can be taken now: %s", error.strerror)
                self._loop.remove_reader(listener)
                self._loop.call_later(PAUSE_SECONDS, self._resume, listener)
                return
            task = self._loop.create_task(self._connect(connection))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _resume(self, listener: socket.socket) -> None:
        if listener in self._sockets:
            self._loop.add_reader(listener, self._take, listener)

    async def _connect(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        try:
            await self._loop.connect_accepted_socket(self._protocol, connection, ssl=self._tls)
        except OSError:
            connection.close()  # it has gone, or speaks no TLS
