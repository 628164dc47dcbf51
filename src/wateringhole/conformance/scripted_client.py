"""A TCP client for tests of servers: plays silly moves in the dialect `s16` until a rogue takes it over.

Laws: the only exception is Hangup, however the connection ends. What the server sends is read strictly.
"""

import asyncio
import json
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec import Struct

from wateringhole.agents.silly import Silly
from wateringhole.moves import CardPlay, Feeding
from wateringhole.view import Choose, Feed, Request
from wateringhole.wire.framing import Json, Reader, parse
from wateringhole.wire.s16 import S16Client

MAX_MESSAGE_BYTES: Final = 1_048_576
MAX_DEPTH: Final = 16
PIECE: Final = 65_536


class Target(Struct, frozen=True):
    """A server, and what it wants of a client: what follows each value, and how growth is spelt."""

    host: str
    port: int
    separator: str = "\n"
    tagged_growth: bool = False


class Hangup(Exception):  # noqa: N818  # the end of a game is no error
    """The connection is closed."""


Plays: TypeAlias = Callable[[Choose], CardPlay]
SILLY: Final[Plays] = Silly().choose


class _Heard:
    """A silly player that remembers what it was asked, and may play its cards in another way."""

    def __init__(self, plays: Plays) -> None:
        self.request: Request | None = None
        self._plays = plays
        self._silly = Silly()

    def choose(self, request: Choose) -> CardPlay:
        self.request = request
        return self._plays(request)

    def feed(self, request: Feed) -> Feeding:
        self.request = request
        return self._silly.feed(request)


class ScriptedClient:
    """The client's end of a connection. It knows what a silly player would answer, and sends what the script says."""

    def __init__(
        self, incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter, target: Target, plays: Plays
    ) -> None:
        self.target: Final = target
        self.seated = False
        self.gone = False
        self.left = False
        self.settled: Final = asyncio.Event()  # seated or gone
        self.company: list[ScriptedClient] = []
        self._incoming = incoming
        self._outgoing = outgoing
        self._reader = Reader(MAX_MESSAGE_BYTES, MAX_DEPTH)
        self._agent = _Heard(plays)
        self._visitor = S16Client(self._agent, target.tagged_growth)
        self._due: list[Json] = []

    @classmethod
    async def dial(cls, target: Target, plays: Plays = SILLY) -> "ScriptedClient":
        """Connect to the server; OSError when that fails."""
        return cls(*await asyncio.open_connection(target.host, target.port), target, plays)

    @property
    def turns(self) -> int:
        """How many turns have begun."""
        return self._visitor.turns

    @property
    def asked(self) -> Request | None:
        """The question that waits for an answer."""
        return self._agent.request if self._due else None

    @property
    def proper(self) -> bytes:
        """The answer of a silly player to the open question."""
        return b"".join(self.text(value) for value in self._due)

    def text(self, value: Json) -> bytes:
        return (json.dumps(value, separators=(",", ":")) + self.target.separator).encode()

    async def sign_up(self, name: str) -> None:
        """Take a seat; Hangup if there is none."""
        await self.say(self.text(name))
        await self.welcome()

    async def welcome(self) -> None:
        """Wait for the answer to a sign-up."""
        await self.listen()
        self.seated = True
        self.settled.set()

    async def listen(self) -> None:
        """Read the next message; Hangup at the end."""
        loop = asyncio.get_running_loop()
        while (text := self._reader.take(loop.time())) is None:
            self._reader.feed(await self.piece(), loop.time())
        self._due = self._visitor.hear(parse(text))

    async def pause(self, seconds: float) -> None:
        """Wait so long; Hangup as soon as the connection ends."""
        loop = asyncio.get_running_loop()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    self._reader.feed(await self.piece(), loop.time())

    async def answer(self) -> None:
        """Send the answer of a silly player, if something was asked."""
        if self._due:
            await self.say(self.proper)
            self._due = []

    async def piece(self) -> bytes:
        """The next bytes from the server, unparsed; Hangup at the end."""
        data = b""
        if not self.gone:
            with suppress(OSError):  # a reset is an end, too
                data = await self._incoming.read(PIECE)
        if not data:
            self._end()
            raise Hangup
        return data

    async def say(self, data: bytes) -> None:
        """Send these bytes; Hangup when they cannot be sent."""
        if self.gone:
            raise Hangup
        try:
            self._outgoing.write(data)
            await self._outgoing.drain()
        except OSError:
            self._end()
            raise Hangup from None

    def leave(self) -> None:
        """Close the connection in good order (FIN)."""
        self.left = True
        self._end()
        self._outgoing.close()

    def reset(self) -> None:
        """Reset the connection (RST)."""
        self._set(socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.left = True
        self._end()
        self._outgoing.transport.abort()

    def half_close(self) -> None:
        """Close the sending side (shutdown), and go on reading."""
        try:
            self._outgoing.write_eof()
        except OSError:
            self._end()
            raise Hangup from None

    def stop_reading(self) -> None:
        """Stop to read, with a small receive buffer, so that the server's writes block."""
        self._set(socket.SO_RCVBUF, struct.pack("i", 2_048))
        transport = self._outgoing.transport
        assert isinstance(transport, asyncio.Transport)
        transport.pause_reading()

    async def close(self) -> None:
        """Close the connection and those of its crowd."""
        for caller in self.company:
            await caller.close()
        self._end()
        self._outgoing.transport.abort()
        with suppress(OSError):  # how it ended is known by now
            await self._outgoing.wait_closed()

    def _end(self) -> None:
        self.gone = True
        self.settled.set()

    def _set(self, option: int, value: bytes) -> None:
        with suppress(OSError):  # the server may have reset it
            self._outgoing.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, option, value)
