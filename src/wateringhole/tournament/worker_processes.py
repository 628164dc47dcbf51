"""Plays the games of a run in this process or in several worker processes.

Laws: an engine plays fixtures and gives the frames that hold them, in any order; it keeps no state of the run, and
writes nothing. A worker has one lot of games to play and one that waits; a lot is one game, or as many as take a
moment. When the process that started it has gone, it ends. A worker that is killed, stopped or hangs costs no game of
other agents: an agent that is not in a sandbox can do that to it.
"""

import contextlib
import gc
import multiprocessing
import os
import select
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Final, Protocol

from wateringhole.external.play_specs import Players
from wateringhole.external.process_cleanup import adopt_orphans, end_orphans
from wateringhole.tournament.game_worker import Job, framed_lot, play_game, play_lot, settle
from wateringhole.tournament.run_journal import RunError
from wateringhole.tournament.schedule import Fixture

AHEAD: Final = 2
"""Lots that a worker gets in advance: it need not wait for the next while the last is written to the file."""
SHORT: Final = 0.025
LONG: Final = 0.1
"""A lot that takes less or more seconds is followed by one of twice or half as many games."""
MAX_LOT_GAMES: Final = 128
MAX_SILENCE: Final = 10.0
"""Seconds without a heartbeat after which a worker counts as stopped."""
BEATS: Final = 10
"""Heartbeats in MAX_SILENCE."""
START_SECONDS: Final = 60.0
"""Seconds that a worker has until its first heartbeat."""
MAX_COMING: Final = 96
"""Fixtures read ahead, from which a worker's next lot is chosen."""
YOUNG_OBJECTS: Final = 20_000
"""The threshold of the garbage collector: a lot of games has more than the 700 of Python's own setting, and
next to none of them are garbage that only the collector finds.
"""
MAX_LOSSES: Final = 2
"""Workers that may be lost in one game before it is settled."""


class GameEngine(Protocol):
    """Plays fixtures; it stops when the caller stops to ask for frames."""

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[bytes]: ...


@contextlib.contextmanager
def processes(job: Job, jobs: int, silence: float = MAX_SILENCE) -> Iterator[GameEngine]:
    """So many games at once, each in a process. A single one is played in this process if no agent's code could harm
    it, or if an agent must be here: a person, or a client at a port.
    """
    outside = any(found.foreign for found in job.agents)
    if any(found.alone for found in job.agents) or (jobs == 1 and not outside):
        with contextlib.chdir(job.folder), Players(job.treatment) as players:
            yield _Here(job, players)
        return
    team = _Team(job, jobs, silence)
    try:
        yield team
    finally:
        team.end()


class _Here:
    """This process plays."""

    def __init__(self, job: Job, players: Players) -> None:
        self._job = job
        self._players = players

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[bytes]:
        lot, begun = [], time.monotonic()
        for fixture in fixtures:
            lot.append(play_game(self._job, fixture, self._players))
            if len(lot) == MAX_LOT_GAMES or time.monotonic() - begun > SHORT:
                yield framed_lot(self._job, lot)
                lot, begun = [], time.monotonic()
        if lot:
            yield framed_lot(self._job, lot)


class _Lost(Exception):  # noqa: N818  # not an error of this program
    """A worker has ended, or is stopped; the text fits behind "the process"."""


class _Worker:
    """A worker process, the lots it has been given, the pipe to it, and its heartbeat."""

    def __init__(self, job: Job, silence: float) -> None:
        spawning = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawning.Pipe()
        self.heart, beats = spawning.Pipe(duplex=False)
        self.given: deque[list[Fixture]] = deque()
        self.deals: set[int] = set()
        self.lot = 1
        self._silence = silence
        self._heard = self._beaten = time.monotonic()
        self._patience = max(silence, START_SECONDS)
        self.process: SpawnProcess = spawning.Process(target=_work, args=(job, theirs, beats, silence / BEATS))
        with _sigint_ignored():
            self.process.start()
        theirs.close()
        beats.close()

    def give(self, fixtures: list[Fixture]) -> None:
        if fixtures:
            with contextlib.suppress(BrokenPipeError):  # it is dead, which `hear` notices
                self.pipe.send(fixtures)
            self.given.append(fixtures)

    def hear(self) -> bytes:
        """The frame of its next lot; _Lost if there will be none."""
        try:
            said: bytes | str = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            raise _Lost(_ending(self.process.exitcode)) from None
        if isinstance(said, str):
            raise RunError(said)
        self.given.popleft()
        now = time.monotonic()
        if now - self._heard < SHORT:
            self.lot = min(2 * self.lot, MAX_LOT_GAMES)
        elif now - self._heard > LONG:
            self.lot = max(self.lot // 2, 1)
        self._heard = now
        return said

    def feel(self) -> None:
        """Read its heartbeat; _Lost if there has been none for too long."""
        now = time.monotonic()
        with contextlib.suppress(EOFError, OSError):  # it is dead, which `hear` notices
            while self.heart.poll():
                self.heart.recv_bytes()
                self._beaten, self._patience = now, self._silence
        if now - self._beaten > self._patience:
            raise _Lost(f"was silent for {self._patience:g} s")

    def end(self) -> None:
        """Kill it; the programs that it has started become our children, and end with it."""
        self.process.kill()
        self.process.join()
        self.pipe.close()
        self.heart.close()
        end_orphans()


def _ending(code: int | None) -> str:
    if code is None or code >= 0:
        return f"ended with code {code}"
    return f"was ended by {signal.Signals(-code).name if -code in {*signal.Signals} else f'signal {-code}'}"


class _Team:
    """Workers, which are started when there are games for them.

    The games of a worker that is lost are played again, each in a lot of its own. A game in
    which MAX_LOSSES workers were lost is settled: the one suspect loses its seat and the others play, or it is void.
    """

    def __init__(self, job: Job, jobs: int, silence: float) -> None:
        self._job = job
        self._jobs = jobs
        self._silence = silence
        self._workers: list[_Worker] = []
        self._again: deque[Fixture] = deque()
        self._losses: Counter[int] = Counter()
        self._coming: list[Fixture] = []
        self._foreign = any(found.foreign for found in job.agents)
        if self._foreign:
            adopt_orphans()

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[bytes]:
        waiting = iter(fixtures)
        self._coming = list(islice(waiting, AHEAD * self._jobs))
        while len(self._workers) < min(self._jobs, len(self._coming)):
            self._workers.append(_Worker(self._job, self._silence))
        for worker in self._workers * AHEAD:
            worker.give(self._next(waiting, worker))
        while busy := [worker for worker in self._workers if worker.given]:
            ready = wait([part for worker in busy for part in (worker.pipe, worker.heart)], self._silence / 4)
            for worker in busy:
                try:
                    if worker.pipe in ready:
                        yield worker.hear()
                    else:
                        worker.feel()
                except _Lost as lost:
                    yield from self._replaced(worker, str(lost))
            for worker in self._workers:
                while len(worker.given) < AHEAD and (lot := self._next(waiting, worker)):
                    worker.give(lot)

    def _next(self, waiting: Iterator[Fixture], worker: _Worker) -> list[Fixture]:
        """What to play next: a game that must be played again, alone, or a lot of those that have not been tried.

        With outside agents, of deals that this worker has not played: another game of a deal takes another process.
        """
        if self._again:
            return [self._again.popleft()]
        if not self._foreign:
            lot = [*self._coming[: worker.lot], *islice(waiting, max(0, worker.lot - len(self._coming)))]
            del self._coming[: worker.lot]
            return lot
        self._coming += islice(waiting, MAX_COMING - len(self._coming))
        lot = []
        for fixture in sorted(self._coming, key=lambda fixture: fixture.deal in worker.deals)[: worker.lot]:
            if not lot or fixture.deal not in worker.deals:
                worker.deals.add(fixture.deal)
                lot.append(fixture)
                self._coming.remove(fixture)
        return lot

    def _replaced(self, worker: _Worker, why: str) -> Iterator[bytes]:
        """A new worker instead of one that is lost; the frame of the game that it was lost in, if that is settled."""
        worker.end()
        [lot, *others] = worker.given
        self._workers[self._workers.index(worker)] = _Worker(self._job, self._silence)
        self._again.extend(fixture for other in others for fixture in other)
        if len(lot) > 1:  # each is played again alone, which shows the cause
            self._again.extend(lot)
            return
        [fixture] = lot
        self._losses[fixture.number] += 1
        if self._losses[fixture.number] < MAX_LOSSES:
            self._again.appendleft(fixture)
        elif any(self._job.agents[agent].foreign for agent in fixture.seats):
            yield settle(self._job, fixture, f"{why}, twice")
        else:
            raise RunError(f"the process that played game {fixture.number} {why}, twice; run it again to go on")

    def end(self) -> None:
        """Close the pipes: that interrupts each worker, which ends the programs that it has started."""
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join(10)
            worker.end()


@contextlib.contextmanager
def _sigint_ignored() -> Iterator[None]:
    """A process that is started in this block ignores SIGINT, which might come in the middle of an import."""
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)


def _work(job: Job, pipe: Connection, beats: Connection, pause: float) -> None:
    """The main function of a worker; it may be interrupted twice, by the terminal and by a closed pipe."""
    with contextlib.suppress(KeyboardInterrupt):
        _play_lots(job, pipe, beats, pause)


def _play_lots(job: Job, pipe: Connection, beats: Connection, pause: float) -> None:
    """Play lots until the process that takes the frames has gone."""
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        listening = (pipe.fileno(), threading.get_ident())
        threading.Thread(target=_interrupt_when_closed, args=listening, daemon=True).start()
        threading.Thread(target=_beat, args=(beats, pause), daemon=True).start()
        os.chdir(job.folder)
        gc.freeze()  # what is loaded stays, and need not be looked through again and again
        gc.set_threshold(YOUNG_OBJECTS)
        with Players(job.treatment) as players:
            while True:
                pipe.send(play_lot(job, pipe.recv(), players))
    except (EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        pass
    except (RunError, ValueError) as error:
        pipe.send(str(error))
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _beat(beats: Connection, pause: float) -> None:
    """Send heartbeats."""
    with contextlib.suppress(OSError):
        while True:
            beats.send_bytes(b".")
            time.sleep(pause)


def _interrupt_when_closed(pipe: int, player: int) -> None:
    """Interrupt this thread when the other end of the pipe is closed, or has been closed before.

    A signal from the parent would be lost while the worker still starts, and never come from a parent that was killed;
    the worker would then wait without end for an agent without a time limit.
    """
    closed = select.poll()
    closed.register(pipe, 0)  # POLLHUP is reported without being asked for
    closed.poll()
    signal.pthread_kill(player, signal.SIGINT)
