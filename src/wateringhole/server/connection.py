"""One TCP connection of the server: bytes in and out, one request at a time, and the first fault.

Laws: a value that the server did not ask for is a fault; in a conversation of several questions, one that comes ahead
of its question waits for it. The first fault is the only one. Nothing is sent after the connection is shut.
"""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol, cast

import msgspec
from msgspec import Struct

from wateringhole.fault import Fault, Reason, shown
from wateringhole.wire.framing import Json, JsonError, Reader, parse


class Limits(Struct, frozen=True):
    """What one connection may take, and how many there may be."""

    sign_up_seconds: float = 5.0
    silent_seconds: float = 1.0
    sign_up_bytes: int = 1_024
    reply_bytes: int = 65_536
    depth: int = 8
    unsent_bytes: int = 262_144
    drain_seconds: float = 10.0
    connections: int = 2_000
    strangers: int = 1_200
    per_address: int = 64


class Broken(Exception):  # noqa: N818  # it is not an error of ours
    """The connection failed while an answer was awaited."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


class Observer(Protocol):
    """Receives the bytes of both directions."""

    def sent(self, data: bytes) -> None: ...

    def received(self, data: bytes) -> None: ...


def _ignore_fault(_: Fault) -> None:
    pass


class _Closed(asyncio.Transport):
    """A connection that has ended."""

    def is_closing(self) -> bool:
        return True

    def close(self) -> None:
        pass

    def abort(self) -> None:
        pass


class Connection(asyncio.Protocol):
    """One TCP connection to a client.

    `broke` is called when it fails while nothing is asked, `gone` when it has ended. `explained` may replace a fault by
    one that says more, as the owner of a process can. `confessed` says whether a value reports a fault of the client,
    which breaks the connection, asked for or not. `named` receives a string that comes before the first answer from a
    client whose sign-up was `presumed`.
    """

    def __init__(self, opened: "Callable[[Connection], None]", limits: Limits) -> None:
        self.limits: Final = limits
        self.broke: Callable[[Fault], None] = _ignore_fault
        self.gone: Callable[[Connection], None] = lambda _: None
        self.explained: Callable[[Fault], Fault] = lambda fault: fault
        self.confessed: Callable[[Json], Fault | None] = lambda _: None
        self.observer: Observer | None = None
        self.presumed = False
        self.named: Callable[[str], None] | None = None
        self.fault: Fault | None = None
        self._known = False  # whether the fault was reported
        self.address = ""
        self.last_sent = b""
        self.last_received = b""
        self._opened = opened
        self._loop = asyncio.get_running_loop()
        self._reader = Reader(limits.sign_up_bytes, limits.depth)
        self._conversing = False
        self._answer: asyncio.Future[Json] | None = None
        self._most: int | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._draining: asyncio.TimerHandle | None = None

    @classmethod
    def lost(cls, limits: Limits) -> "Connection":
        """The connection of a client of an earlier server: it is closed from the start."""
        connection = cls(lambda _: None, limits)
        connection._transport = _Closed()
        connection.fault = Fault(Reason.DISCONNECTED, "did not come back after the server was restarted")
        return connection

    # Called by asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        peer = self._transport.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple) else "127.0.0.1"
        self._transport.set_write_buffer_limits(high=self.limits.unsent_bytes // 4)
        self.keep_alive(self._transport.get_extra_info("socket"))
        self._opened(self)

    def data_received(self, data: bytes) -> None:
        if self.observer is not None:
            self.observer.received(data)
        if self.fault is None:
            self._reader.feed(data, self._loop.time())
            self._read()

    def eof_received(self) -> bool:
        self._reader.close()
        self._read()
        self.fail(Fault(Reason.DISCONNECTED, "closed the connection"))
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.fail(Fault(Reason.DISCONNECTED, "lost the connection" if exc else "closed the connection"))
        self.gone(self)

    def pause_writing(self) -> None:
        self._draining = self._loop.call_later(self.limits.drain_seconds, self._not_read)

    def resume_writing(self) -> None:
        if self._draining is not None:
            self._draining.cancel()

    # Called by the lobby and by participants.

    def signed_up(self) -> None:
        """The client has signed up: its answers may be longer than a name."""
        self._reader.most_bytes = self.limits.reply_bytes

    def send(self, value: Json, farewell: bool = False) -> None:
        """Send a message, in a segment of its own; a client that has failed gets only a farewell."""
        if (self.fault is None or farewell) and not self._transport.is_closing():
            message = msgspec.json.encode(value) + b"\n"
            self._transport.write(message)
            if self.observer is not None:
                self.observer.sent(message)
            if not farewell:
                self.last_sent = message
            if self._transport.get_write_buffer_size() > self.limits.unsent_bytes:
                self._not_read()

    def presume(self, value: Json) -> None:
        """Take this as the answer if no byte of one has come by now."""
        self._read()
        if self._answer is not None and not self._answer.done() and not self._reader.held:
            self.presumed = True
            self._answer.set_result(value)

    @contextmanager
    def conversation(self) -> Iterator[None]:
        """All questions of one move: nothing of the answers can have come before, and nothing may follow the last."""
        self._expect_nothing()
        self._conversing = True
        try:
            yield
        finally:
            self._conversing = False
            self._loop.call_soon(self._read)

    async def receive(self, seconds: float | None, most: int | None = None) -> Json:
        """The next value; Broken when there is none in time, or none that can be read."""
        if not self._conversing:
            self._expect_nothing()
        if self.fault is not None:
            self._known = True
            raise Broken(self.fault)
        self._answer = self._loop.create_future()
        self._most = most
        self._read()
        limit = None if seconds is None else self._loop.call_later(seconds, self._too_late, seconds)
        try:
            return await self._answer
        finally:
            self._answer = None
            if limit is not None:
                limit.cancel()

    def _expect_nothing(self) -> None:
        """No question is open: whatever has come by now is a fault."""
        self._read()
        naming = self.named is not None and self._reader.start(1) == b'"'
        if self._reader.held and self.fault is None and not naming:
            self.fail(Fault(Reason.UNSOLICITED, "sends more than it was asked for"))

    def _too_late(self, seconds: float) -> None:
        """The time is up; what has come by now counts, also a number that could have gone on."""
        self._read(self._reader.patience)
        if self._answer is not None and not self._answer.done():
            self.last_received = self._reader.start(2_048) or self.last_received
            self.fail(Fault(Reason.TIMEOUT, f"is silent for {seconds:.1f} s"))

    def fail(self, fault: Fault) -> None:
        """Keep the first fault, and report it to the waiting caller or to `broke`."""
        if self.fault is not None:
            return
        self.fault = fault = self.explained(fault)
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Broken(fault))
        else:
            # Not at once: a caller of `send` must not be called back in the middle of it.
            self._loop.call_soon(self._report, fault)

    def _report(self, fault: Fault) -> None:
        if not self._known:
            self._known = True
            self.broke(fault)

    def shut(self) -> None:
        """Close the connection once everything is sent, or soon."""
        self.close()

    def close(self) -> None:
        """Close it in any case; a subclass may do something else when it is shut."""
        self.detach()
        self._transport.close()
        self._loop.call_later(1.0, self._transport.abort)

    def detach(self) -> None:
        """Stop to send and to read, without closing the transport."""
        if self.fault is None:
            self.fault = Fault(Reason.DISCONNECTED, "was disconnected by the server")
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Broken(self.fault))
        for handle in (self._timer, self._draining):
            if handle is not None:
                handle.cancel()
        self.broke, self.named = _ignore_fault, None  # and no callback is kept: see GameSession.play

    # Reading.

    def _read(self, ahead: float = 0.0) -> None:
        """Take the value that is complete, now or so many seconds ahead, if any; an unasked one is a fault."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.fault is not None:
            return
        asked = self._answer is not None and not self._answer.done()
        if self._conversing and not asked:
            return
        text = None
        try:
            text = self._reader.take(self._loop.time() + ahead, self._most if asked else None)
            if text is not None:
                self.last_received = text[:2_048]
                value = parse(text, bounded=True)
        except JsonError as error:
            if text is None:
                self.last_received = self._reader.start(2_048)
            self.fail(Fault(error.reason, f"sends {error}"))
            return
        if text is None:
            due = self._reader.due()
            if due is not None:
                self._timer = self._loop.call_at(due, self._read)
        elif (fault := self.confessed(value)) is not None:
            self.fail(fault)
        elif self.named is not None and isinstance(value, str):
            named, self.named = self.named, None
            named(value)
            self._loop.call_soon(self._read)
        elif asked:
            assert self._answer is not None
            self.named = None
            self._answer.set_result(value)
            if self._reader.held:
                self._loop.call_soon(self._read)
        else:
            self.fail(Fault(Reason.UNSOLICITED, f"sends {shown(value)} although nothing is asked"))

    def _not_read(self) -> None:
        self.fail(Fault(Reason.SLOW_READER, f"does not read: {self.limits.drain_seconds:.0f} s or more behind"))

    @staticmethod
    def keep_alive(connection: socket.socket | None) -> None:
        """Turn on TCP keepalive: a peer that vanished is noticed within two minutes."""
        if connection is None or connection.family not in {socket.AF_INET, socket.AF_INET6}:
            return
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4)):
            if hasattr(socket, option):
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
