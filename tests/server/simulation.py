"""A network and a clock that exist only in this process, for the real server to run on.

Laws: nothing sleeps; the time jumps to whatever happens next. Like a selector's loop, this one looks at the network
first and at the timers then, and every connection has at most one event in a round. The same script gives the same run.
"""

import asyncio
import gc
import heapq
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from wateringhole.cards import Card, shuffled
from wateringhole.fair import Deal
from wateringhole.record import Result
from wateringhole.server.clock import TimeControl
from wateringhole.server.connection import Limits
from wateringhole.server.games import Service
from wateringhole.server.lobby import Tables
from wateringhole.server.service import serve

DAWN: Final = 1_000.0
"""When every simulation begins; not 0, which would hide a confusion of points of time with durations."""

LATENCY: Final = 1 / 1024
"""How long a byte is under way, in seconds. A power of two adds up without rounding."""

MAX_READ_BYTES: Final = 262_144
"""How many bytes asyncio reads at once."""

HERE: Final = "127.0.0.1"
PORT: Final = 45678
USUAL_TIME: Final = TimeControl(10.0)
USUAL_LIMITS: Final = Limits()
HORIZON: Final = 100_000.0


class StuckError(AssertionError):
    """Nothing will ever happen again, but somebody waits."""


class _Happening(NamedTuple):
    when: float
    order: int
    what: Callable[[], object]
    wire: "Wire | None"


class SimulatedLoop(asyncio.BaseEventLoop):
    """An event loop with no selector and no clock but its own.

    With one `before` it, which is dead, the time goes on, and so does whoever was at the far end of a connection.
    """

    _ready: deque[asyncio.Handle]
    _scheduled: list[asyncio.TimerHandle]

    def __init__(self, before: "SimulatedLoop | None" = None) -> None:
        super().__init__()
        self.now = DAWN
        self.dead = False
        self.announcing: Callable[[str], bool] = lambda _: True
        self.complaints: list[str] = []
        self.wires: list[Wire] = []
        self._ports: dict[int, Callable[[], asyncio.BaseProtocol]] = {}
        self._signals: dict[int, Callable[[], object]] = {}
        self._happenings: list[_Happening] = []
        self._order = 0
        self._selector = self
        self._clock_resolution = 1e-9
        self.set_exception_handler(lambda _, context: self.complaints.append(f"{context}"))
        if before is not None:
            self._take_over(before)

    def _take_over(self, before: "SimulatedLoop") -> None:
        self.now, self._order = before.now, before._order
        self._happenings, before._happenings = before._happenings, []
        for wire in before.wires:
            wire.end_of.loop = self
        for wire in before.open_wires:
            wire.end_of.hang_up()  # the kernel closes what a process leaves open

    # What asyncio calls.

    def time(self) -> float:
        return self.now

    def select(self, timeout: float | None) -> list[asyncio.Handle]:
        """Let the time pass until something happens; the network's part of it."""
        if timeout != 0:
            timers = [self._scheduled[0].when()] if self._scheduled else []
            network = [self._happenings[0].when] if self._happenings else []
            if not timers and not network:
                raise StuckError(f"nothing is under way at {self.now}, and no timer runs")
            self.now = max(self.now, min(timers + network))
            if self.now > DAWN + HORIZON:
                raise StuckError("this takes more than a simulated day")
        return list(self._due())

    def _due(self) -> Iterator[asyncio.Handle]:
        served: set[Wire] = set()
        later: list[_Happening] = []
        while self._happenings and self._happenings[0].when <= self.now:
            happening = heapq.heappop(self._happenings)
            if happening.wire is not None:
                if happening.wire in served:
                    later.append(happening)
                    continue
                served.add(happening.wire)
            yield asyncio.Handle(happening.what, (), self)
        for happening in later:
            heapq.heappush(self._happenings, happening)

    def _process_events(self, events: list[asyncio.Handle]) -> None:
        self._ready.extend(events)

    def _write_to_self(self) -> None:
        pass

    async def create_server(  # type: ignore[override]
        self,
        factory: Callable[[], asyncio.BaseProtocol],
        host: str,  # noqa: ARG002
        port: int,
        **_: object,
    ) -> "_Listener":
        """Nobody listens, but whoever connects to this port is given a line."""
        self._ports[port] = factory
        return _Listener(port, self._ports)

    def add_signal_handler(  # type: ignore[override]
        self, sig: int, callback: Callable[[], object]
    ) -> None:
        self._signals[sig] = callback

    def remove_signal_handler(self, sig: int) -> bool:
        return self._signals.pop(sig, None) is not None

    def add_reader(self, fd: object, callback: Callable[..., object], *args: object) -> None:
        """Nothing is read: whoever connects is given a line at once."""

    def remove_reader(self, fd: object) -> bool:
        return fd is not None

    # What the tests call.

    def happen(self, when: float, what: Callable[[], object], wire: "Wire | None" = None) -> None:
        """The network does this at that time."""
        self._order += 1
        heapq.heappush(self._happenings, _Happening(when, self._order, what, wire))

    def connect(self, far: "Far", port: int = PORT, latency: float = LATENCY, address: str = HERE) -> "End":
        """A connection from the far side, which has this address, now."""
        if port not in self._ports:
            raise ConnectionRefusedError(port)
        end = End(self, far, latency)
        end.wire = Wire(self, self._ports[port](), end, address)
        self.wires.append(end.wire)
        return end

    def signal(self, number: int) -> None:
        self._signals[number]()

    def die(self) -> None:
        """As by SIGKILL: whatever the process does from now on reaches nobody."""
        self.dead = True
        self.stop()

    def bury(self) -> None:
        """What is left of a dead process goes."""
        while tasks := asyncio.all_tasks(self):  # what ends may begin something
            for task in tasks:
                task.cancel()
            self.run_until_complete(asyncio.wait(tasks, timeout=60.0))
        self.run_until_complete(_nothing(0.0))
        self.close()

    def stall(self, seconds: float) -> None:
        """The process is busy for so long: the time passes, but nothing is looked at."""
        self.now += seconds

    @property
    def timers(self) -> list[asyncio.TimerHandle]:
        return [timer for timer in self._scheduled if not timer.cancelled()]

    @property
    def open_wires(self) -> list["Wire"]:
        return [wire for wire in self.wires if wire.lost_at is None]


class _Listener:
    """What is left of a listening socket when there is none."""

    def __init__(self, port: int, ports: dict[int, Callable[[], asyncio.BaseProtocol]]) -> None:
        self.sockets = [self]
        self._port = port
        self._ports = ports

    def getsockname(self) -> tuple[str, int]:
        return HERE, self._port

    def dup(self) -> "_Listener":
        return self

    def setblocking(self, flag: bool) -> None:
        """Nobody waits here."""

    def listen(self, backlog: int) -> None:
        """Nobody queues here."""

    def close(self) -> None:
        self._ports.pop(self._port, None)


class Far(Protocol):
    """Whoever is at the far end of a connection."""

    def connected(self) -> None: ...
    def received(self, data: bytes) -> None: ...
    def closed(self) -> None: ...


class End:
    """The far end of a connection: what its owner does to it reaches the server one latency later."""

    def __init__(self, loop: SimulatedLoop, far: Far, latency: float = LATENCY) -> None:
        self.loop = loop
        self.wire: Wire
        self.reading = True
        self._latency = latency
        self._far = far
        self._sent_until = 0.0
        self._gone = False

    def send(self, data: bytes, after: float = 0.0) -> None:
        """These bytes as one segment, so many seconds from now, but never before what was sent earlier."""
        for at in range(0, len(data), MAX_READ_BYTES):
            chunk = data[at : at + MAX_READ_BYTES]
            self._later(after, lambda chunk=chunk: self.wire.arrive(chunk))  # type: ignore[misc]

    def finish(self, after: float = 0.0, last_words: bytes = b"") -> None:
        """Send no more, but read on. Last words come in one go with the end, as they may over TLS."""
        self._later(after, lambda: self.wire.end(last_words))

    def close(self, after: float = 0.0) -> None:
        """Send no more and read no more: what still arrives is answered by a reset."""
        self.finish(after)
        self._later(after, self._leave)

    def reset(self, after: float = 0.0) -> None:
        """The connection breaks."""
        self._later(after, lambda: self.wire.break_off(ConnectionResetError("connection reset by peer")))
        self._later(after, self._leave)

    def stop_reading(self) -> None:
        """Nothing more is taken from the network, and nothing fits into it."""
        self.reading = False

    def read_on(self) -> None:
        self.reading = True
        self.wire.flush()

    def take(self, data: bytes) -> None:
        """The server sends this."""
        if self._gone:
            self.reset()
        else:
            self.loop.happen(self.loop.now + self._latency, lambda: self._far.received(data))

    def hang_up(self) -> None:
        """The server has closed."""
        if not self._gone:
            self.loop.happen(self.loop.now + self._latency, self._far.closed)

    def peek(self) -> bytes:
        """What the server has for us and cannot send."""
        return bytes(self.wire.unsent)

    def _leave(self) -> None:
        self._gone = True

    def _later(self, after: float, what: Callable[[], object]) -> None:
        self._sent_until = max(self._sent_until, self.loop.now + after + self._latency)
        self.loop.happen(self._sent_until, what, self.wire)


class Wire(asyncio.Transport):
    """The server's end of a connection, which behaves as asyncio's own transport of a socket does."""

    def __init__(self, loop: SimulatedLoop, protocol: asyncio.BaseProtocol, end: End, address: str) -> None:
        super().__init__({"peername": (address, 1_024 + len(loop.wires))})
        assert isinstance(protocol, asyncio.Protocol)
        self.end_of = end
        self.unsent = bytearray()
        self.opened_at = loop.now
        self.closing_at: float | None = None
        self.lost_at: float | None = None
        self.sent: list[tuple[float, bytes]] = []
        self.received: list[tuple[float, bytes]] = []
        self._loop = loop
        self._protocol = protocol
        self._losing = False
        self._reading = True
        self._held: list[Callable[[], None]] = []
        self._high, self._low = 65_536, 16_384
        self._paused = False
        loop.call_soon(protocol.connection_made, self)
        loop.call_soon(end._far.connected)

    # What comes from the far end.

    def arrive(self, data: bytes) -> None:
        if self._takes(lambda: self.arrive(data)):
            self.received.append((self._loop.now, data))
            self._protocol.data_received(data)

    def end(self, last_words: bytes = b"") -> None:
        if self._takes(lambda: self.end(last_words)):
            if last_words:
                self.received.append((self._loop.now, last_words))
                self._protocol.data_received(last_words)
            if not self._protocol.eof_received():
                self.close()

    def break_off(self, error: Exception | None) -> None:
        if self._loop.dead:
            return
        self.unsent.clear()
        self._closing()
        self._lose(error)

    def flush(self) -> None:
        """The far end reads again."""
        if self._loop.dead:
            return
        data = bytes(self.unsent)
        self.unsent.clear()
        if data:
            self.end_of.take(data)
        if self._paused and len(self.unsent) <= self._low:
            self._paused = False
            self._protocol.resume_writing()
        if self.closing_at is not None:
            self._lose(None)

    def _takes(self, again: Callable[[], None]) -> bool:
        if self.closing_at is not None or self._loop.dead:
            return False
        if not self._reading:
            self._held.append(again)
        return self._reading

    # What the protocol calls.

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._loop.dead or not self._loop.announcing("before"):
            return
        if self.closing_at is not None:
            self._loop.complaints.append(f"{bytes(data)!r:.40} is written after the close")
            return
        self.sent.append((self._loop.now, bytes(data)))
        if self.end_of.reading:
            self.end_of.take(bytes(data))
            self._loop.announcing("after")
            return
        self.unsent += data
        if len(self.unsent) > self._high and not self._paused:
            self._paused = True
            self._protocol.pause_writing()

    def close(self) -> None:
        self._closing()
        if not self.unsent:
            self._lose(None)

    def abort(self) -> None:
        self.break_off(None)

    def is_closing(self) -> bool:
        return self.closing_at is not None

    def get_write_buffer_size(self) -> int:
        return len(self.unsent)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._high = high if high is not None else 65_536 if low is None else 4 * low
        self._low = low if low is not None else self._high // 4

    def pause_reading(self) -> None:
        self._reading = False

    def resume_reading(self) -> None:
        self._reading = True
        held, self._held = self._held, []
        for again in held:
            self._loop.call_soon(again)

    def is_reading(self) -> bool:
        return self._reading and self.closing_at is None

    def _closing(self) -> None:
        if self.closing_at is None:
            self.closing_at = self._loop.now

    def _lose(self, error: Exception | None) -> None:
        if not self._losing:
            self._losing = True
            self._loop.call_soon(self._lost, error)

    def _lost(self, error: Exception | None) -> None:
        if self._loop.dead:
            return
        self.lost_at = self._loop.now
        self.end_of.hang_up()
        self._protocol.connection_lost(error)


class Simulation:
    """The real server on a simulated network, for as long as a test wants to watch it."""

    def __init__(
        self,
        players: int = 3,
        *,
        fewest: int | None = None,
        wait: float = 10.0,
        games: int | None = None,
        control: TimeControl = USUAL_TIME,
        gap: float = 0.0,
        limits: Limits = USUAL_LIMITS,
        seed: str = "simulated",
        ports: tuple[tuple[int, str | None], ...] = ((PORT, None),),
        deck: Callable[[int], tuple[Card, ...]] | None = None,
        records: Path | None = None,
        grace: float = 10.0,
    ) -> None:
        self.loop = SimulatedLoop()
        self.results: list[Result] = []
        self.finished_at: list[float] = []
        service = Service(
            deal=lambda number: Deal(deck(number) if deck else shuffled(f"{seed}:{number}")),
            finished=self._finished,
            listening=lambda *_: None,
            ports=ports,
            tables=Tables(players if fewest is None else fewest, players, wait, games),
            control=control,
            gap=gap,
            limits=limits,
            records=records,
            grace=grace,
        )
        self.server = self.loop.create_task(serve(service))
        self._idle_tasks = 0
        self.go_on(0.0)
        self._idle_tasks = len(asyncio.all_tasks(self.loop))

    def _finished(self, _: int, result: Result) -> None:
        self.results.append(result)
        self.finished_at.append(self.now)

    @property
    def now(self) -> float:
        """Seconds since the simulation began."""
        return self.loop.now - DAWN

    def go_on(self, seconds: float) -> None:
        """Let so much time pass."""
        self.loop.run_until_complete(_nothing(seconds))

    def at(self, when: float, what: Callable[[], object]) -> None:
        """Let this happen so many seconds after the simulation began."""
        self.loop.happen(DAWN + when, what)

    def left_over(self) -> tuple[int, int, int]:
        """How many connections, tasks and timers there are beyond those of an idle server."""
        tasks = len(asyncio.all_tasks(self.loop)) - self._idle_tasks
        return len(self.loop.open_wires), tasks, len(self.loop.timers)

    def stop(self) -> None:
        """Let the server end as a signal makes it end."""
        if not self.server.done():
            self.loop.signal(signal.SIGTERM)
        self.loop.run_until_complete(self.server)
        self.go_on(2.0)

    def clear_away(self) -> None:
        """Whatever goes on ends here, also after a test that failed."""
        self.loop.bury()


async def _nothing(seconds: float) -> None:
    await asyncio.sleep(seconds)
    await asyncio.sleep(0)


_UNSEARCHED: Final[list[tuple[str, list[str]]]] = []
"""What simulations of which test complain of, as far as nobody has looked since they ended."""


@contextmanager
def simulation(players: int = 3, *, collect: bool = True, **options: Any) -> Iterator[Simulation]:
    """A server to try; whatever the test does, it ends with nothing left over and nothing complained of.

    An exception that nobody asked for is complained of when its future goes, for which the whole memory is searched.
    Without `collect` that is left to the next simulation that has it; the last one of a test should.
    """
    simulated = Simulation(players, **options)
    try:
        yield simulated
        simulated.stop()
        assert simulated.left_over() == (0, -simulated._idle_tasks, 0)
        assert simulated.loop.complaints == []
        _UNSEARCHED.append((os.environ.get("PYTEST_CURRENT_TEST", ""), simulated.loop.complaints))
        if collect:
            gc.collect()
            late = [(test, complaints) for test, complaints in _UNSEARCHED if complaints]
            _UNSEARCHED.clear()
            assert late == []
    finally:
        simulated.clear_away()
