"""Who plays the games: this process, or several on this machine.

Laws: an engine plays fixtures and gives the frames that hold them, in any order; it keeps no state of the run, and
writes nothing. A worker has one lot of games to play and one that waits, each of one game or of as many as take no
time; when the process that started it has gone, it ends.
"""

import contextlib
import gc
import multiprocessing
import os
import select
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Final, Protocol

from wateringhole.tournament.journal import RunError
from wateringhole.tournament.runfile import framed
from wateringhole.tournament.schedule import Fixture
from wateringhole.tournament.single import Job, play_game, play_lot

AHEAD: Final = 2
"""Lots that a worker has been given: it need not wait for the next while we write down the last."""
SHORT: Final = 0.025
LONG: Final = 0.1
"""A lot that takes less or more seconds is followed by one of twice or half as many games."""
MOST_IN_A_LOT: Final = 128


class Engine(Protocol):
    """Plays fixtures; to stop asking for frames is to stop playing."""

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[bytes]: ...


@contextlib.contextmanager
def processes(job: Job, jobs: int) -> Iterator[Engine]:
    """So many games at once, each in a process; a single one in this."""
    if jobs == 1:
        with contextlib.chdir(job.folder):
            yield _Here(job)
        return
    team = _Team(job, jobs)
    try:
        yield team
    finally:
        team.end()


class _Here:
    """This process plays."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[bytes]:
        lot, begun = [], time.monotonic()
        for fixture in fixtures:
            lot.append(play_game(self._job, fixture))
            if len(lot) == MOST_IN_A_LOT or time.monotonic() - begun > SHORT:
                yield framed(lot)
                lot, begun = [], time.monotonic()
        if lot:
            yield framed(lot)


class _Worker:
    """Another process, what it has been given, and the line to it."""

    def __init__(self, job: Job) -> None:
        spawning = multiprocessing.get_context("spawn")
        self.line, theirs = spawning.Pipe()
        self.owes = 0
        self.lot = 1
        self._heard = time.monotonic()
        self.process: SpawnProcess = spawning.Process(target=_work, args=(job, theirs))
        with _deaf():
            self.process.start()
        theirs.close()

    def give(self, fixtures: list[Fixture]) -> None:
        if fixtures:
            with contextlib.suppress(BrokenPipeError):  # it is dead, and we hear of it when we listen
                self.line.send(fixtures)
            self.owes += 1

    def hear(self) -> bytes:
        """The frame of its next lot."""
        try:
            said: bytes | str = self.line.recv()
        except (EOFError, ConnectionResetError):
            self.process.join()
            raise RunError(f"a worker ended with code {self.process.exitcode}; run it again to go on") from None
        if isinstance(said, str):
            raise RunError(said)
        self.owes -= 1
        now = time.monotonic()
        if now - self._heard < SHORT:
            self.lot = min(2 * self.lot, MOST_IN_A_LOT)
        elif now - self._heard > LONG:
            self.lot = max(self.lot // 2, 1)
        self._heard = now
        return said


class _Team:
    """Workers, which come when there is something to do."""

    def __init__(self, job: Job, jobs: int) -> None:
        self._job = job
        self._jobs = jobs
        self._workers: list[_Worker] = []

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[bytes]:
        waiting = iter(fixtures)
        for place, fixture in zip(range(AHEAD * self._jobs), waiting, strict=False):
            at = place % self._jobs
            if at == len(self._workers):
                self._workers.append(_Worker(self._job))
            self._workers[at].give([fixture])
        while busy := {worker.line: worker for worker in self._workers if worker.owes}:
            for line in wait(list(busy)):
                assert isinstance(line, Connection)
                worker = busy[line]
                frame = worker.hear()
                worker.give(list(islice(waiting, worker.lot)))
                yield frame

    def end(self) -> None:
        """Close the lines: that interrupts each worker, which ends the programs that it has started."""
        for worker in self._workers:
            worker.line.close()
        for worker in self._workers:
            worker.process.join(10)
            worker.process.kill()
            worker.process.join()


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Who is started meanwhile does not hear an interrupt, which might come in the middle of an import."""
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)


def _work(job: Job, line: Connection) -> None:
    """A worker; it may be interrupted twice, from the terminal and because its line was closed."""
    with contextlib.suppress(KeyboardInterrupt):
        _play_lots(job, line)


def _play_lots(job: Job, line: Connection) -> None:
    """Play what is given until nobody is left who would write down what came of it."""
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        listening = (line.fileno(), threading.get_ident())
        threading.Thread(target=_interrupt_when_closed, args=listening, daemon=True).start()
        os.chdir(job.folder)
        gc.freeze()  # what is loaded stays, and need not be looked through again and again
        while True:
            line.send(play_lot(job, line.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        pass
    except (RunError, ValueError) as error:
        line.send(str(error))
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _interrupt_when_closed(line: int, player: int) -> None:
    """Interrupt this thread when the other end of the line is closed, or has been closed before.

    A signal from the parent would be lost while the worker still starts, and never come from a parent that was killed;
    an agent without a time limit would then be waited for without end.
    """
    closed = select.poll()
    closed.register(line, 0)  # hanging up is reported without being asked for
    closed.poll()
    signal.pthread_kill(player, signal.SIGINT)
