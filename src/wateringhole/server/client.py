"""A TCP client that lets an agent play at another server.

Laws: the client sends only what the server asks for. A silent server is no fault. A failure is returned, not raised.
"""

import asyncio
import json
import os
import socket
import ssl
from collections.abc import Callable
from typing import Final, TypeVar

from msgspec import Struct

from wateringhole.agents import Agent
from wateringhole.server.connection import Connection
from wateringhole.server.event_loop import blocked
from wateringhole.server.listening import joined_address
from wateringhole.wire.client_end import AgentError, ClientEnd
from wateringhole.wire.dialects import CLIENT_ENDS
from wateringhole.wire.framing import Json, JsonError, Reader, parse
from wateringhole.wire.json_codec import ShapeError

MAX_MESSAGE_BYTES: Final = 1_048_576
MAX_DEPTH: Final = 16
KEPT_BYTES: Final = 2_048
ATTEMPT_SECONDS: Final = 10.0
PAUSE_SECONDS: Final = 0.1

P = TypeVar("P", bound=asyncio.BaseProtocol)


class UnreachableError(Exception):
    """No connection to the server was possible; the text has the address and the cause."""


class Ending(Struct, frozen=True):
    """How the connection to a server ended. `failure` is empty when the server closed it and no message was missing.

    `scores` are pairs of id and score, best first, and `seat` is our own id, if the dialect tells them; an id that it
    does not tell is 0. `place` is that of our own pair. The messages are as they were on the wire, cut to a limit.
    `thrown_out`: the failure is that the server closed the connection in turn 1.
    """

    failure: str
    turns: int
    seat: int
    scores: tuple[tuple[int, int], ...] | None
    last_received: str
    last_reply: str
    place: int | None = None
    thrown_out: bool = False


async def connect(
    agent: Agent,
    host: str,
    port: int,
    dialect: str = "s16",
    name: str | None = "",
    separator: str = "\n",
    tagged_growth: bool = False,
    tls: bool = False,
    retry: float = 0.0,
) -> Ending:
    """Let the agent play one game on that server. With None for a name nothing is sent to sign up. `separator` follows
    each value; `retry` is how long to try to connect, also after a lost connection if clients of the dialect can
    return.

    UnreachableError when there is no connection.
    """
    context = ssl.create_default_context() if tls else None
    visitor = CLIENT_ENDS[dialect](agent, tagged_growth)
    first = None if name is None else visitor.sign_up(name)
    while True:
        transport, inbox = await _reached(_Inbox, host, port, context, retry)
        visit = _Visit(visitor, transport, inbox, separator.encode())
        try:
            failure = await visit.failure(first)
        finally:
            transport.abort()
            await inbox.closed.wait()
        first = visitor.come_back() if retry and failure == visitor.missing else None
        if first is None:
            break
        await asyncio.sleep(PAUSE_SECONDS)
    return Ending(
        failure,
        visitor.turns,
        visitor.seat,
        visitor.scores,
        _text(visit.last_received),
        _text(visit.last_reply),
        visitor.place,
        failure != "" and failure == visitor.missing and visitor.turns == 1,
    )


class _Inbox(asyncio.Protocol):
    """Keeps what arrives; an empty piece is the end. Nothing that came before a reset is lost."""

    def __init__(self) -> None:
        self.pieces: Final[asyncio.Queue[bytes]] = asyncio.Queue()
        self.closed: Final = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        Connection.keep_alive(transport.get_extra_info("socket"))

    def data_received(self, data: bytes) -> None:
        self.pieces.put_nowait(data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        # A server that leaves our last separator unread resets the connection when it closes: that is an end, too.
        self.pieces.put_nowait(b"")
        self.closed.set()


class _Visit:
    """The conversation of one client with a server."""

    def __init__(self, visitor: ClientEnd, transport: asyncio.Transport, inbox: _Inbox, separator: bytes) -> None:
        self.visitor: Final = visitor
        self.last_received = b""
        self.last_reply = b""
        self._transport = transport
        self._inbox = inbox
        self._separator = separator
        self._reader = Reader(MAX_MESSAGE_BYTES, MAX_DEPTH)

    async def failure(self, first: Json) -> str:
        """Send this first, if anything, and play to the end; the failure as a sentence, or an empty text."""
        if first is not None:
            self._send(first)
        try:
            while (text := await self._receive()) is not None:
                self.last_received = text[:KEPT_BYTES]
                with blocked():  # an agent may think for long, or wait for a program that does
                    answers = self.visitor.hear(parse(text))
                for value in answers:
                    self.last_reply = self._send(value)[:KEPT_BYTES]
        except JsonError as error:
            return f"what the server sends cannot be read: {error}"
        except ShapeError as error:
            return f"the server sends what is not in the dialect: {error}"
        except AgentError as error:
            return f"the agent {error}"
        return self.visitor.missing

    def _send(self, value: Json) -> bytes:
        """Send a value, and return its text."""
        text = json.dumps(value, separators=(",", ":")).encode()
        if not self._transport.is_closing():
            self._transport.write(text + self._separator)
        return text

    async def _receive(self) -> bytes | None:
        """The text of the next value; None when the connection ended in between two."""
        loop = asyncio.get_running_loop()
        while (text := self._reader.take(loop.time())) is None:
            if self._inbox.closed.is_set() and self._inbox.pieces.empty():
                return None
            try:
                async with asyncio.timeout_at(self._reader.due()):
                    piece = await self._inbox.pieces.get()
            except TimeoutError:
                continue
            if piece:
                self._reader.feed(piece, loop.time())
            else:
                self._reader.close()
        return text


async def _reached(
    make: Callable[[], P], host: str, port: int, context: ssl.SSLContext | None, retry: float
) -> tuple[asyncio.Transport, P]:
    """A connection, as soon as there is one."""
    loop = asyncio.get_running_loop()
    until = loop.time() + retry
    while True:
        try:
            return await _attempt(make, host, port, context)
        except (OSError, UnicodeError) as error:
            # A server that speaks no TLS, or whose certificate is not trusted, will not change: no retry.
            if isinstance(error, ssl.SSLError | UnicodeError) or loop.time() >= until:
                raise UnreachableError(f"could not connect to {joined_address(host, port)}: {_why(error)}") from None
        await asyncio.sleep(PAUSE_SECONDS)


async def _attempt(
    make: Callable[[], P], host: str, port: int, context: ssl.SSLContext | None
) -> tuple[asyncio.Transport, P]:
    """A connection to the first of the host's addresses that takes one; OSError of the last one otherwise.

    One address at a time, because asyncio puts the failures of several into one that says nothing.
    """
    loop = asyncio.get_running_loop()
    failed = OSError("no address")
    for *_, address in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        try:
            async with asyncio.timeout(ATTEMPT_SECONDS):
                return await loop.create_connection(
                    make, str(address[0]), port, ssl=context, server_hostname=host if context else None
                )
        except OSError as error:
            failed = error
    raise failed


def _why(error: OSError | UnicodeError) -> str:
    match error:
        case UnicodeError():
            return "that is no host's name"
        case TimeoutError():
            return f"no answer for {ATTEMPT_SECONDS:.0f} s"
        case ssl.SSLCertVerificationError():
            return f"its certificate is not trusted: {error.verify_message}"
        case ssl.SSLError():
            return f"no TLS there: {error.reason}"
        case socket.gaierror():
            return error.strerror or "unknown host"
        case _:
            return os.strerror(error.errno) if error.errno else str(error)


def _text(data: bytes) -> str:
    return data.decode(errors="replace")
