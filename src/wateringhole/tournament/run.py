"""Many games at once, in processes of their own, kept in a folder, and taken up again after any interruption.

Laws: what a game comes to depends on the plan and its number, not on how many are played at once nor in which order. A
game counts once its line is in the journal; its record is there before.
"""

import contextlib
import multiprocessing
import os
import queue
import signal
from array import array
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.context import SpawnProcess
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from wateringhole.cards import shuffled
from wateringhole.outside.anyone import Treatment, timed
from wateringhole.outside.spec import spec
from wateringhole.record import RULES, write
from wateringhole.tournament.schedule import Fixture
from wateringhole.tournament.tally import Outcome, outcome

PLAN: Final = "plan.json"
JOURNAL: Final = "games.jsonl"
RECORDS: Final = "records"
PATIENCE: Final = 0.5
"""Seconds between two looks at whether the workers are alive."""


class Plan(Struct, frozen=True):
    """What a run is about; it is the same run as long as this is the same."""

    agents: tuple[str, ...]
    seed: str
    treatment: Treatment
    rules: str = RULES


class RunError(Exception):
    """A run that cannot go on; the sentence says why."""


def run(
    plan: Plan, fixtures: Sequence[Fixture], jobs: int, out: Path | None, finished: Callable[[Outcome], None]
) -> list[Outcome]:
    """Play what has not been played; all outcomes, in the order of their numbers. `finished` also gets the old ones."""
    numbers = range(len(fixtures))
    done = {ended.number: ended for ended in (_resumed(plan, out) if out else ()) if ended.number in numbers}
    for ended in done.values():
        finished(ended)
    todo = array("q", (number for number in numbers if number not in done))
    with (out / JOURNAL).open("ab") if out else contextlib.nullcontext() as journal:
        for ended in _played(plan, fixtures, todo, min(jobs, len(todo)), out):
            if journal is not None:
                journal.write(msgspec.json.encode(ended) + b"\n")
                journal.flush()
            done[ended.number] = ended
            finished(ended)
    return [done[number] for number in sorted(done)]


def _resumed(plan: Plan, out: Path) -> list[Outcome]:
    """What was played in this folder before; it must have been the same run."""
    try:
        (out / RECORDS).mkdir(parents=True, exist_ok=True)
        if not (out / PLAN).exists():
            (out / PLAN).write_bytes(msgspec.json.format(msgspec.json.encode(plan), indent=1) + b"\n")
        known = msgspec.json.decode((out / PLAN).read_bytes(), type=Plan)
        journal = (out / JOURNAL).read_bytes() if (out / JOURNAL).exists() else b""
    except OSError as error:
        raise RunError(f"{out}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise RunError(f"{out / PLAN}: {error}") from None
    if known != plan:
        names = [name for name in plan.__struct_fields__ if getattr(known, name) != getattr(plan, name)]
        raise RunError(f"{out} holds another run: {', '.join(names)} differ; take another folder")
    whole, _, torn = journal.rpartition(b"\n")
    if torn:
        (out / JOURNAL).write_bytes(whole + b"\n" if whole else b"")  # the power went in the middle of this line
    try:
        return [msgspec.json.decode(line, type=Outcome) for line in whole.splitlines()]
    except msgspec.DecodeError as error:
        raise RunError(f"{out / JOURNAL}: {error}") from None


def _played(
    plan: Plan, fixtures: Sequence[Fixture], todo: Sequence[int], jobs: int, out: Path | None
) -> Iterator[Outcome]:
    if jobs <= 1:
        for number in todo:
            yield _one(plan, fixtures[number], out)
        return
    spawning = multiprocessing.get_context("spawn")
    taken = spawning.Value("q", 0)
    results: multiprocessing.Queue[Outcome | str] = spawning.Queue()
    workers = [spawning.Process(target=_work, args=(plan, fixtures, todo, taken, results, out)) for _ in range(jobs)]
    try:
        with _deaf():
            for worker in workers:
                worker.start()
        for _ in todo:
            ended = _next(results, workers)
            if isinstance(ended, str):
                raise RunError(ended)
            yield ended
    except BaseException:
        # Nobody begins another game, and whoever plays must end the programs that it has started.
        with taken.get_lock():
            taken.value = len(todo)
        for worker in workers:
            if worker.is_alive() and worker.pid is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker.pid, signal.SIGINT)
        raise
    finally:
        for worker in workers:
            if worker.pid is not None:
                worker.join(10)
                worker.kill()
                worker.join()


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Who is started meanwhile does not hear an interrupt, which might come in the middle of an import."""
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)


def _next(results: "multiprocessing.Queue[Outcome | str]", workers: Sequence[SpawnProcess]) -> Outcome | str:
    """The next outcome, as long as there is somebody to wait for."""
    while True:
        # Whoever is dead now has put everything that it will ever put.
        dead = [worker for worker in workers if worker.exitcode is not None]
        try:
            return results.get(timeout=PATIENCE)
        except queue.Empty:
            lost = [worker for worker in dead if worker.exitcode]
            if lost or len(dead) == len(workers):
                code = lost[0].exitcode if lost else 0
                raise RunError(f"a worker ended with code {code}; run it again to go on") from None


def _work(
    plan: Plan,
    fixtures: Sequence[Fixture],
    todo: Sequence[int],
    taken: "Synchronized[int]",
    results: "multiprocessing.Queue[Outcome | str]",
    out: Path | None,
) -> None:
    """A worker: takes the next game until there is none."""
    parent = multiprocessing.parent_process()
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        while True:
            with taken.get_lock():
                at = taken.value
                taken.value += 1
            if at >= len(todo):
                return
            if parent is None or not parent.is_alive():
                results.cancel_join_thread()  # nobody would write down what comes of it
                return
            results.put(_one(plan, fixtures[todo[at]], out))
    except (RunError, ValueError) as error:
        results.put(str(error))
    except KeyboardInterrupt:
        results.cancel_join_thread()  # nobody listens any more
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _one(plan: Plan, fixture: Fixture, out: Path | None) -> Outcome:
    """Play one game and keep its record."""
    specs = [spec(plan.agents[agent]) for agent in fixture.seats]
    seed = f"{plan.seed}:{fixture.number}"
    result = timed(specs, shuffled(f"{plan.seed}:{fixture.deal}"), seed, plan.treatment, [{"game": fixture.number}])
    if out is not None:
        path = out / RECORDS / f"game-{fixture.number:06}.jsonl"
        try:
            write(result.record, path)
        except OSError as error:
            raise RunError(f"{path}: {error.strerror}") from None
    return outcome(fixture, result.ranking, result.record)
