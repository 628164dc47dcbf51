"""Runs external harness programs as child processes with limits: one JSON value on standard input, one on standard
output.

Laws: whatever a program does is a ProgramAnswer and never an exception. It runs in a process group of its own, which is
killed after its answer, after a time limit, and at an interrupt by the user: no process that it started runs on.
"""

import json
import os
import secrets
import selectors
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import IO, Final, TypeVar

import msgspec
from msgspec.structs import replace

from wateringhole.external.process_cleanup import end_marked, marked, reap, started
from wateringhole.external.sandbox import Sandbox, ended_by, environment, not_started, of_command
from wateringhole.fault import shown
from wateringhole.wire.framing import Json, JsonError, parse

T = TypeVar("T")
R = TypeVar("R")

MAX_OUTPUT_BYTES: Final = 1_000_000
MAX_STDERR_BYTES: Final = 2_000
MAX_JOBS: Final = 64
MAX_CASE_SECONDS: Final = 3_600
GLANCE: Final = 0.02  # seconds between two looks at a silent program


class InputError(ValueError):
    """A program, a suite or a limit that the user named and that cannot be used; a sentence."""


class Failure(StrEnum):
    """Why a program gave no answer."""

    NO_START = "no start"
    TIMEOUT = "timeout"
    CRASH = "crash"
    FLOOD = "flood"
    RUBBISH = "rubbish"


class ProgramAnswer(msgspec.Struct, frozen=True):
    """The value that a program printed, or an object that says why there is none."""

    value: Json
    failure: Failure | None = None
    stderr: str = ""


class Command(msgspec.Struct, frozen=True):
    """A command and the folder that it runs in; or why there is none."""

    words: tuple[str, ...]
    folder: Path | None = None
    missing: str = ""


def program(command: str) -> Command:
    """The program that the user named; InputError if it is not there."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{shown(command)} is no command: {error}") from None
    if not words:
        raise InputError(f"{shown(command)} is no command")
    if shutil.which(words[0]) is None:
        raise InputError(f"{shown(words[0])}: no such program, or it is not executable")
    return Command(tuple(words))


def program_in(folder: Path, name: str) -> Command:
    """The program of this name in a folder, to be run there; it may be missing."""
    path = folder.resolve() / name
    try:
        there = path.is_file()
    except OSError as error:
        return Command((), missing=f"{name}: {error.strerror}")
    if not there:
        return Command((), missing=f"there is no file {name}")
    if not os.access(path, os.X_OK):
        return Command((), missing=f"{name} is not executable")
    return Command((str(path),), path.parent)


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
def proctor(jobs: int | None, seconds: float, sandbox: Sandbox | None) -> "Iterator[Proctor]":
    """A Proctor; at the end, no process of any of its programs is left."""
    if not 0 < seconds <= MAX_CASE_SECONDS:
        raise InputError(f"--seconds is {seconds:g}, not a number of seconds up to {MAX_CASE_SECONDS}")
    watching = Proctor(jobs or min(os.cpu_count() or 1, MAX_JOBS), seconds, sandbox)
    try:
        yield watching
    finally:
        watching.sweep()


class Proctor:
    """Runs programs, so many at a time, each case for so many seconds, in a sandbox if there is one."""

    def __init__(self, jobs: int, seconds: float, sandbox: Sandbox | None) -> None:
        self.jobs: Final = jobs
        self.seconds: Final = seconds
        self._sandbox: Final = sandbox
        self._mark: Final = secrets.token_hex(16)
        self._enough = threading.Event()

    def each(self, work: Callable[[T], R], items: Iterable[T], ahead: int = 8) -> Generator[R, None, None]:
        """The result of the work for each item, in their order; closing the generator stops the work that is under way.

        `ahead` is how many items, for each job, may be begun before the first result is looked at.
        """
        self._enough = threading.Event()
        pool = ThreadPoolExecutor(self.jobs)
        due: deque[Future[R]] = deque()
        try:
            for item in items:
                with _undisturbed():
                    due.append(pool.submit(work, item))
                if len(due) >= ahead * self.jobs:
                    yield due.popleft().result()
            while due:
                yield due.popleft().result()
        finally:
            self._enough.set()
            pool.shutdown(cancel_futures=True)

    def answer(self, asked: Command, given: Json) -> ProgramAnswer:
        """Run this program with this value as its input."""
        if asked.missing:
            return _failed(Failure.NO_START, asked.missing)
        with tempfile.TemporaryFile() as question:  # a file, because a pipe blocks when the program does not read
            question.write(json.dumps(given).encode() + b"\n")
            question.seek(0)
            try:
                process = self._started(asked, question)
            except OSError as error:
                return _failed(Failure.NO_START, f"cannot be started: {error.strerror}")
        out, err = bytearray(), bytearray()
        with process:
            try:
                in_time = self._watched(process, out, err)
            finally:
                _kill(process)
                reap(process)
            _drain(process, out, err)
        code, said = process.returncode, err.decode(errors="replace")
        if self._sandbox is not None:
            code = ended_by(code)
            if why := not_started(said):
                return _failed(Failure.NO_START, f"cannot be started: {why}")
        return self._judged(in_time, code, bytes(out), said)

    def _started(self, asked: Command, question: IO[bytes]) -> subprocess.Popen[bytes]:
        words, surroundings = asked.words, marked(self._mark)
        if self._sandbox is not None:
            own = replace(self._sandbox, own=of_command(words, asked.folder))
            words, surroundings = tuple(own.command(words, asked.folder)), environment(self._mark)
        deadline = time.monotonic() + self.seconds
        while True:
            try:
                return started(
                    lambda: subprocess.Popen(  # noqa: S603  # the user asks to run it
                        words,
                        stdin=question,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE,
                        cwd=asked.folder,
                        env=surroundings,
                        start_new_session=True,
                    )
                )
            except BlockingIOError:
                # Another program has used up the limit of processes; it will soon be killed.
                if time.monotonic() > deadline or self._enough.is_set():
                    raise
                time.sleep(GLANCE)

    def _watched(self, process: subprocess.Popen[bytes], out: bytearray, err: bytearray) -> bool:
        """Read its output until it ends or is too long; whether that was in time."""
        deadline = time.monotonic() + self.seconds
        with selectors.DefaultSelector() as talking:
            for pipe, kept, most in _pipes(process, out, err):
                os.set_blocking(pipe.fileno(), False)
                talking.register(pipe, selectors.EVENT_READ, (kept, most))
            while process.poll() is None and len(out) <= MAX_OUTPUT_BYTES:
                left = deadline - time.monotonic()
                if left <= 0 or self._enough.is_set():
                    return False
                if not talking.get_map():
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(min(left, GLANCE))
                    continue
                for key, _ in talking.select(min(left, GLANCE)):
                    assert not isinstance(key.fileobj, int)
                    if not _pull(key.fd, *key.data):
                        talking.unregister(key.fileobj)
        return True

    def _judged(self, in_time: bool, code: int, out: bytes, stderr: str) -> ProgramAnswer:
        if len(out) > MAX_OUTPUT_BYTES:
            return _failed(Failure.FLOOD, f"prints more than {MAX_OUTPUT_BYTES} bytes", stderr)
        if not in_time:
            return _failed(Failure.TIMEOUT, f"not done after {self.seconds:g} s", stderr)
        if code:
            return _failed(Failure.CRASH, f"exits with code {code}" if code > 0 else f"dies of signal {-code}", stderr)
        if not out.strip():
            return _failed(Failure.RUBBISH, "prints nothing", stderr)
        try:
            return ProgramAnswer(parse(out), stderr=stderr)
        except JsonError as error:
            return _failed(Failure.RUBBISH, f"prints something else than one JSON value: {error}", stderr)

    def sweep(self) -> None:
        """Kill processes that have left their process group."""
        end_marked(self._mark)


def _failed(failure: Failure, why: str, stderr: str = "") -> ProgramAnswer:
    return ProgramAnswer({"error": why}, failure, stderr)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill its process group. The number is not reused while a process is in the group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _pipes(process: subprocess.Popen[bytes], out: bytearray, err: bytearray) -> list[tuple[IO[bytes], bytearray, int]]:
    """Each pipe, what is kept of it, and how much of it at most; one byte more shows that there was more."""
    assert process.stdout is not None
    assert process.stderr is not None
    return [(process.stdout, out, MAX_OUTPUT_BYTES + 1), (process.stderr, err, MAX_STDERR_BYTES)]


def _pull(pipe: int, kept: bytearray, most: int) -> bool:
    """Keep what has come, up to the limit; whether there may be more."""
    piece = os.read(pipe, 65_536)
    kept += piece[: most - len(kept)]
    return bool(piece)


def _drain(process: subprocess.Popen[bytes], out: bytearray, err: bytearray) -> None:
    """Keep the rest of its output, without waiting for the end: a process outside the group may hold the pipe open for
    ever.
    """
    for pipe, kept, most in _pipes(process, out, err):
        with suppress(BlockingIOError):
            while len(kept) < most and _pull(pipe.fileno(), kept, most):
                pass
