"""Runs external harness programs as child processes with limits: one JSON value on standard input, one on standard
output.

Laws: whatever a program does is a ProgramAnswer and never an exception. It runs in a process group of its own, which is
killed after its answer, beyond a limit, and at an interrupt by the user: no process that it started runs on. The clock
of a program stops while it waits for a CPU or a disk, so what other programs do does not make it late.
"""

import json
import os
import re
import secrets
import selectors
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from math import ceil
from typing import IO, Final, TypeVar

import msgspec
from msgspec.structs import replace

from wateringhole.conformance.programs import Command, Failure, InputError, ProgramAnswer, failed
from wateringhole.external.process_cleanup import end_marked, marked, reap, started
from wateringhole.external.process_usage import ready, restrict, restricted, usage
from wateringhole.external.sandbox import EXTRA_PROCESSES, Sandbox, ended_by, environment, not_started, of_command
from wateringhole.wire.framing import Json, JsonError, parse

T = TypeVar("T")
R = TypeVar("R")

MAX_OUTPUT_BYTES: Final = 1_000_000
MAX_STDERR_BYTES: Final = 2_000
MAX_JOBS: Final = 64
MAX_CASE_SECONDS: Final = 3_600
MAX_MEMORY_BYTES: Final = 1 << 30
MAX_PROCESSES: Final = 64
MAX_FILES: Final = 256
ENV_FOUND_NOTHING: Final = 127
ENV_COMPLAINT: Final = re.compile(r"(?:\S*/)?env: ['‘]?([^'’\n]+)['’]?: No such file or directory")  # noqa: RUF001
NICENESS: Final = 5  # else the processes of a fork bomb would keep us from killing it
MIN_GLANCE: Final = 0.05
MAX_GLANCE: Final = 0.1
"""Seconds between two looks at what a program uses."""


def wall_seconds(seconds: float) -> float:
    """How long a program with so many seconds may take by the clock on the wall, on a machine with much else to do."""
    return 10 * seconds + 10


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Delay SIGINT and SIGTERM to the end of the block: an interrupt in the start of a thread would leave Python's own
    locks held for ever.
    """
    late: list[int] = []
    before = {end: signal.signal(end, lambda number, _: late.append(number)) for end in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for end, handler in before.items():
            signal.signal(end, handler)
        for number in late[:1]:
            signal.raise_signal(number)


@contextmanager
def open_proctor(jobs: int | None, seconds: float, sandbox: Sandbox | None) -> "Iterator[Proctor]":
    """A Proctor; at the end, no process of any of its programs is left."""
    if not 0 < seconds <= MAX_CASE_SECONDS:
        raise InputError(f"--seconds is {seconds:g}, not a number of seconds up to {MAX_CASE_SECONDS}")
    proctor = Proctor(jobs or min(os.cpu_count() or 1, MAX_JOBS), seconds, sandbox)
    try:
        yield proctor
    finally:
        proctor.sweep()


class ProgramRun(msgspec.Struct):
    """A run of a program: what it printed, its exit code, and why it was ended, if it did not end by itself."""

    out: bytearray = msgspec.field(default_factory=bytearray)
    err: bytearray = msgspec.field(default_factory=bytearray)
    code: int = 0
    ended: ProgramAnswer | None = None

    @property
    def stderr(self) -> str:
        return self.err.decode(errors="replace")


class Proctor:
    """Runs programs, so many at a time, each case for so many seconds, in a sandbox if there is one."""

    def __init__(self, jobs: int, seconds: float, sandbox: Sandbox | None) -> None:
        self.jobs: Final = jobs
        self.seconds: Final = seconds
        self.sandbox: Final = sandbox
        self._mark: Final = secrets.token_hex(16)
        self._environment: Final = marked(self._mark) if sandbox is None else environment(self._mark)
        self._enough = threading.Event()
        self._sandboxed: dict[Command, list[str]] = {}

    def each(
        self, work: Callable[[T], R], items: Iterable[T], ahead: int = 8, alone: bool = False
    ) -> Generator[R, None, None]:
        """The result of the work for each item, in their order; closing the generator stops the work that is under way.

        `ahead` is how many items, for each job, may be begun before the first result is looked at; `alone`: one by one.
        """
        jobs = 1 if alone else self.jobs
        self._enough = threading.Event()
        pool = ThreadPoolExecutor(jobs)
        due: deque[Future[R]] = deque()
        try:
            for item in items:
                with _undisturbed():
                    due.append(pool.submit(work, item))
                if len(due) >= ahead * jobs:
                    yield due.popleft().result()
            while due:
                yield due.popleft().result()
        finally:
            self._enough.set()
            pool.shutdown(cancel_futures=True)

    def answer(self, asked: Command, given: Json) -> ProgramAnswer:
        """Run this program with this value as its input."""
        if asked.lacking is not None:
            return asked.lacking
        try:
            ran = self.run(asked, json.dumps(given).encode() + b"\n", self.seconds)
        except OSError as error:
            return failed(Failure.NO_START, f"cannot be started: {error.strerror}")
        return ran.ended or _judged(ran)

    def run(self, asked: Command, given: bytes, seconds: float, writes: tuple[str, ...] = ()) -> ProgramRun:
        """Run this program with these bytes as its input; `writes` are folders that it may change in a sandbox.

        OSError if it cannot be started.
        """
        with tempfile.TemporaryFile() as question:  # a file, because a pipe blocks when the program does not read
            question.write(given)
            question.seek(0)
            process = self._started(asked, question, seconds, writes)
        ran = ProgramRun()
        with process:
            try:
                ran.ended = self._watched(process, ran, seconds)
            finally:
                _kill(process)
                reap(process)
            _drain(process, ran)
        ran.code = process.returncode if self.sandbox is None else ended_by(process.returncode)
        why = "" if self.sandbox is None else not_started(ran.stderr)
        if why := why or _lacks_interpreter(ran):
            ran.ended = failed(Failure.NO_START, f"cannot be started: {why}")
        return ran

    def _started(
        self, asked: Command, question: IO[bytes], seconds: float, writes: tuple[str, ...]
    ) -> subprocess.Popen[bytes]:
        # The kernel knows only single processes, so its limit of CPU time is for those that leave the family.
        limits = MAX_MEMORY_BYTES, ceil(2 * seconds) + 2, MAX_FILES
        boxed = self.sandbox is not None
        words = restricted(self._boxed(asked, writes), *limits) if boxed else asked.words
        deadline = time.monotonic() + wall_seconds(seconds)
        while True:
            try:
                process = started(
                    lambda: subprocess.Popen(  # noqa: S603  # the user asks to run it
                        words,
                        stdin=question,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE,
                        cwd=asked.folder,
                        env=self._environment,
                        start_new_session=True,
                        # It takes no lock that another thread could hold.
                        preexec_fn=None if boxed else partial(restrict, *limits),  # noqa: PLW1509
                    )
                )
                with suppress(ProcessLookupError):
                    os.setpriority(os.PRIO_PGRP, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
                return process
            except BlockingIOError:
                # Another program has used up the limit of processes; it will soon be killed.
                if time.monotonic() > deadline or self._enough.is_set():
                    raise
                time.sleep(MIN_GLANCE)

    def _boxed(self, asked: Command, writes: tuple[str, ...]) -> list[str]:
        """The command line that runs this program in the sandbox, worked out once for all its cases."""
        if writes or asked not in self._sandboxed:
            assert self.sandbox is not None
            own = replace(self.sandbox, own=of_command(asked.words, asked.folder), writes=writes)
            words = own.command(asked.words, asked.folder)
            if writes:
                return words
            self._sandboxed[asked] = words
        return self._sandboxed[asked]

    def _watched(self, process: subprocess.Popen[bytes], ran: ProgramRun, seconds: float) -> ProgramAnswer | None:
        """Read its output until it ends; the failure, if it goes beyond a limit."""
        processes = MAX_PROCESSES + (EXTRA_PROCESSES if self.sandbox is not None else 0)
        clock = _ProgramClock(process.pid, seconds, processes)
        with selectors.DefaultSelector() as talking, _exit_of(process) as exits:
            for pipe, kept, most in _pipes(process, ran):
                os.set_blocking(pipe.fileno(), False)
                talking.register(pipe, selectors.EVENT_READ, (kept, most))
            if exits is not None:
                talking.register(exits, selectors.EVENT_READ)
            while True:
                for key, _ in talking.select(clock.until_next_look()):
                    if key.fd == exits:
                        return clock.at_the_end()
                    if not _pull(key.fd, *key.data):
                        talking.unregister(key.fileobj)
                if exits is None and process.poll() is not None:
                    return None
                if len(ran.out) > MAX_OUTPUT_BYTES:
                    return failed(Failure.FLOOD, f"prints more than {MAX_OUTPUT_BYTES} bytes", ran.stderr)
                if self._enough.is_set():
                    return failed(Failure.TIMEOUT, "interrupted")
                if (beyond := clock.look()) is not None:
                    return replace(beyond, stderr=ran.stderr)

    def sweep(self) -> None:
        """Kill processes that have left their process group."""
        end_marked(self._mark)


class _ProgramClock:
    """How long a program has taken: its CPU time, and the time in which it had nothing to do."""

    def __init__(self, pid: int, seconds: float, processes: int) -> None:
        self._pid = pid
        self._seconds = seconds
        self._processes = processes
        self._cpu = 0.0
        self._idle = 0.0
        self._pause = MIN_GLANCE
        self._looked = time.monotonic()
        self._deadline = self._looked + wall_seconds(seconds)

    def until_next_look(self) -> float:
        return max(0.0, self._looked + self._pause - time.monotonic())

    def look(self) -> ProgramAnswer | None:
        """The failure, if it uses too much; looks only as often as it pays."""
        now = time.monotonic()
        if now < self._looked + self._pause:
            return None
        found = usage(self._pid, self._processes)
        if found.cpu <= self._cpu and not ready(found.pids):
            self._idle += now - self._looked
        self._cpu = max(self._cpu, found.cpu)
        self._looked, self._pause = now, min(1.5 * self._pause, MAX_GLANCE)
        if len(found.pids) > self._processes:
            return failed(Failure.PROCESSES, f"runs more than {MAX_PROCESSES} processes")
        if found.memory > MAX_MEMORY_BYTES:
            return failed(Failure.MEMORY, f"uses more than {MAX_MEMORY_BYTES >> 20} MB of memory")
        if now > self._deadline:
            wall = wall_seconds(self._seconds)
            return failed(Failure.TIMEOUT, f"not done after {wall:g} s on a busy machine")
        return self._late()

    def at_the_end(self) -> ProgramAnswer | None:
        """The failure, if it took too long before it ended, with all processes for which it waited."""
        self._cpu = max(self._cpu, usage(self._pid, self._processes).cpu)
        return self._late()

    def _late(self) -> ProgramAnswer | None:
        if self._cpu + self._idle <= self._seconds:
            return None
        return failed(Failure.TIMEOUT, f"not done after {self._seconds:g} s")


def _lacks_interpreter(ran: ProgramRun) -> str:
    """What is not installed, if the first line of a script is `#!/usr/bin/env NAME`: then it is env that says so."""
    found = ENV_COMPLAINT.fullmatch(ran.stderr.strip()) if ran.code == ENV_FOUND_NOTHING else None
    return "" if found is None else f"{found[1]} is not installed"


def _judged(ran: ProgramRun) -> ProgramAnswer:
    """The answer of a program that has ended by itself."""
    code, said = ran.code, ran.stderr
    if len(ran.out) > MAX_OUTPUT_BYTES:
        return failed(Failure.FLOOD, f"prints more than {MAX_OUTPUT_BYTES} bytes", said)
    if code:
        return failed(Failure.CRASH, f"exits with code {code}" if code > 0 else f"dies of signal {-code}", said)
    if not ran.out.strip():
        return failed(Failure.NO_JSON, "prints nothing", said)
    try:
        return ProgramAnswer(parse(bytes(ran.out)), stderr=said)
    except JsonError as error:
        return failed(Failure.NO_JSON, f"prints something else than one JSON value: {error}", said)


@contextmanager
def _exit_of(process: subprocess.Popen[bytes]) -> Iterator[int | None]:
    """A file descriptor that can be read as soon as the process has ended, where the system has such a thing."""
    try:
        descriptor = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill its process group. The number is not reused while a process is in the group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _pipes(process: subprocess.Popen[bytes], ran: ProgramRun) -> list[tuple[IO[bytes], bytearray, int]]:
    """Each pipe, what is kept of it, and how much of it at most; one byte more shows that there was more."""
    assert process.stdout is not None
    assert process.stderr is not None
    return [(process.stdout, ran.out, MAX_OUTPUT_BYTES + 1), (process.stderr, ran.err, MAX_STDERR_BYTES)]


def _pull(pipe: int, kept: bytearray, most: int) -> bool:
    """Keep what has come, up to the limit; whether there may be more."""
    piece = os.read(pipe, 65_536)
    kept += piece[: most - len(kept)]
    return bool(piece)


def _drain(process: subprocess.Popen[bytes], ran: ProgramRun) -> None:
    """Keep the rest of its output, without waiting for the end: a process outside the group may hold the pipe open for
    ever.
    """
    for pipe, kept, most in _pipes(process, ran):
        with suppress(BlockingIOError):
            while len(kept) < most and _pull(pipe.fileno(), kept, most):
                pass
