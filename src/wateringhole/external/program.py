"""A bot as a child process: standard input and output are its connection, standard error is kept.

Laws: a program gets the memory, CPU and files that its bounds allow. When its connection ends, it is ended with all
processes that it has started.
"""

import asyncio
import contextlib
import os
import secrets
import signal
import socket
import subprocess
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from wateringhole.external.agent_log import AgentLog
from wateringhole.external.process_cleanup import end_marked, marked, reap, started
from wateringhole.external.process_usage import restrict, usage
from wateringhole.external.sandbox import EXTRA_PROCESSES, Sandbox, ended_by, environment, not_started
from wateringhole.fault import Fault, Reason, shown
from wateringhole.server.connection import Connection, Limits
from wateringhole.wire.framing import Json

OUT_OF_MEMORY: Final = ("MemoryError", "bad_alloc", "OutOfMemoryError", "heap out of memory", "Cannot allocate memory")
WATCH_SECONDS: Final = 0.1
CONFESSED: Final = (Reason.EXCEPTION, Reason.SHAPE, Reason.ILLEGAL)
"""The reasons that a worker may report of its agent; all others are found by the server alone."""


class Bounds(Struct, frozen=True):
    """What a program may use. `ready_seconds` is how long a kept worker may take until it is ready for its next game; a
    new one has longer. `last_moment` is how long a program may take from the end of its output to its own end, on a
    machine that has much else to do; meanwhile its table waits, and so do all others of this process.
    """

    start_seconds: float = 10.0
    ready_seconds: float = 2.0
    end_seconds: float = 0.5
    memory: int = 1_073_741_824
    cpu_seconds: int = 3_600
    processes: int = 64
    files: int = 256
    stderr_bytes: int = 10_240
    last_moment: float = 1.0


class WorkerConnection(Connection):
    """The connection to a worker for one game: when it is shut, the socket stays open for the next.
    `whole`: there was no fault before it was shut.
    """

    def __init__(self, limits: Limits) -> None:
        super().__init__(lambda _: None, limits)
        self.whole = False

    def shut(self) -> None:
        self.whole = self.whole or self.fault is None
        self.detach()

    def next_game(self) -> "WorkerConnection":
        """A new connection on the same socket; a value that comes before the first request is a fault."""
        connection = WorkerConnection(self.limits)
        self._transport.set_protocol(connection)
        connection.connection_made(self._transport)
        return connection


class Program:
    """A running program and its connection. `deals` are those of which it has played a game."""

    def __init__(self, command: Sequence[str], bounds: Bounds, sandbox: Sandbox | None = None) -> None:
        """Start it, in a sandbox if one is given; OSError when it cannot be started."""
        words = command if sandbox is None else sandbox.command(command)
        self.deals: set[int] = set()
        self._sandboxed = sandbox is not None
        self._observer: AgentLog | None = None
        self._bounds = bounds
        self._connection: Connection | None = None
        self._gone = False
        self._ended = False
        self._mark = secrets.token_hex(16)
        self._cause: Fault | None = None
        self._errors = b""
        self._loop = asyncio.get_running_loop()
        ours, theirs = socket.socketpair()
        reads, writes = os.pipe()
        try:
            self.process = started(
                lambda: subprocess.Popen(  # noqa: S603
                    words,
                    stdin=theirs.fileno(),
                    stdout=theirs.fileno(),
                    stderr=writes,
                    start_new_session=True,
                    preexec_fn=self._limit,  # noqa: PLW1509  # it takes no lock that another thread could hold
                    env=environment(self._mark) if self._sandboxed else marked(self._mark),
                )
            )
        except BaseException:
            ours.close()
            os.close(reads)
            raise
        finally:
            theirs.close()
            os.close(writes)
        self._socket = ours
        self._stderr = reads
        os.set_blocking(reads, False)
        self._loop.add_reader(reads, self._hear)
        self._watch = self._loop.call_later(WATCH_SECONDS, self._enforce_limits)

    async def connect(self, limits: Limits) -> Connection:
        """The connection to its standard input and output."""
        _, connection = await self._loop.create_unix_connection(
            lambda: Connection(lambda _: None, limits), sock=self._socket
        )
        self._attach(connection)
        return connection

    async def connect_worker(self, limits: Limits) -> WorkerConnection:
        """The connection to a worker, for one game; standard error of earlier games is forgotten."""
        if self._connection is None:
            _, connection = await self._loop.create_unix_connection(lambda: WorkerConnection(limits), sock=self._socket)
        else:
            assert isinstance(self._connection, WorkerConnection)
            connection = self._connection.next_game()
            self._hear()
            self._errors = b""
        connection.confessed = self._reported_fault
        self._attach(connection)
        return connection

    def observe(self, observer: AgentLog | None) -> None:
        """Give all messages from now on to this observer, which is closed with the program."""
        self._hear()
        if self._observer is not None:
            self._observer.close()
        self._observer = observer

    def _attach(self, connection: Connection) -> None:
        connection.observer = self._observer
        connection.explained = self._explained
        self._connection = connection

    @property
    def stderr(self) -> str:
        """The end of what it wrote to its standard error."""
        self._hear()
        return self._errors.decode(errors="replace")

    @property
    def idle(self) -> bool:
        """Whether it is a worker whose game has ended well, and which waits for another."""
        return isinstance(self._connection, WorkerConnection) and self._connection.whole and self.process.poll() is None

    async def end(self) -> None:
        """Let it end by itself for a moment, then end it and everything that it has started; once is enough."""
        if self._ended:
            return
        self._ended = True
        self._watch.cancel()
        if self._connection is not None:
            self._connection.close()
        try:
            for _ in range(int(self._bounds.end_seconds / 0.01)):
                if self.process.poll() is not None:
                    break
                await asyncio.sleep(0.01)
        finally:  # also when this wait is cancelled
            self.kill()
            reap(self.process)
            self.observe(None)
            self._loop.remove_reader(self._stderr)
            os.close(self._stderr)

    def kill(self) -> None:
        """End it now, and all that it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        end_marked(self._mark)

    def _limit(self) -> None:
        """The kernel's part of the bounds, before the program begins."""
        restrict(self._bounds.memory, self._bounds.cpu_seconds, self._bounds.files)

    def _enforce_limits(self) -> None:
        """Our own part of the bounds: the memory, and the number, of all processes together.

        A program that has exited is disconnected, even if a process that it has started keeps its socket open; but its
        last bytes may still be under way at the first look.
        """
        if self._gone and self._connection is not None:
            self._connection.fail(Fault(Reason.DISCONNECTED, "closed the connection"))
            return
        self._gone = self.process.poll() is not None
        most_processes = self._bounds.processes + (EXTRA_PROCESSES if self._sandboxed else 0)
        found = usage(self.process.pid, most_processes)
        used = found.memory
        if used > self._bounds.memory:
            most = self._bounds.memory >> 20
            self._stop(Fault(Reason.MEMORY, f"uses {used >> 20} MB of memory, above {most} MB"))
        elif len(found.pids) > most_processes:
            self._stop(Fault(Reason.EXITED, f"is ended: it runs more than {self._bounds.processes} processes"))
        else:
            self._watch = self._loop.call_later(WATCH_SECONDS, self._enforce_limits)

    def _stop(self, cause: Fault) -> None:
        self._cause = cause
        self.kill()

    def _hear(self) -> None:
        """Keep the end of its standard error."""
        with contextlib.suppress(BlockingIOError):
            heard = os.read(self._stderr, 65_536)
            self._errors = (self._errors + heard)[-self._bounds.stderr_bytes :]
            if self._observer is not None:
                self._observer.stderr(heard)
            if not heard:
                self._loop.remove_reader(self._stderr)

    @property
    def _out_of_memory(self) -> Fault:
        return Fault(Reason.MEMORY, f"ran out of its {self._bounds.memory >> 20} MB of memory")

    def _reported_fault(self, value: Json) -> Fault | None:
        """The fault that a worker reports. It comes from the agent's process, so it may only have reasons of the
        agent's own.
        """
        if not isinstance(value, dict) or [*value] != ["failed"]:
            return None
        try:
            fault = msgspec.convert(value["failed"], Fault)
        except msgspec.ValidationError:
            return Fault(Reason.SHAPE, f"sends {shown(value)}, which is no fault")
        if any(word in fault.text for word in OUT_OF_MEMORY):
            return self._out_of_memory
        return fault if fault.reason in CONFESSED else replace(fault, reason=Reason.EXCEPTION)

    def _explained(self, fault: Fault) -> Fault:
        """The fault with the cause, as far as the process shows it."""
        if self._cause is not None:
            return self._cause
        if fault.reason is not Reason.DISCONNECTED:
            return fault
        try:
            code = self.process.wait(self._bounds.last_moment)
        except subprocess.TimeoutExpired:
            return fault
        code = ended_by(code) if self._sandboxed else code
        errors = self.stderr
        if any(word in errors for word in OUT_OF_MEMORY):
            return self._out_of_memory
        last = errors.strip().rpartition("\n")[2]
        if self._sandboxed and (why := not_started(errors)):
            return Fault(Reason.EXITED, f"cannot be started: {why}")
        how = f"exited with code {code}" if code >= 0 else f"was ended by {_named(-code)}"
        return Fault(Reason.EXITED, f"{how}: {last:.200}" if last else how)


def _named(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
