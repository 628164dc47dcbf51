"""Both cores in one run: what the scripts that measure CPU time have in common.

A script says what it measures and starts itself twice more, with the plain core and with the compiled one. The two are
asked in turn to measure for a moment, so that whatever else the machine does hurts both. The quickest run of all
counts: whatever disturbs a run only slows it.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from wateringhole.value import COMPILED

ROUNDS = 12
MIN_RUN_SECONDS = 0.005
"""In seconds: on a busy machine the clock of a process may stand still for some microseconds."""
PURE = "WATERINGHOLE_PURE"


class Figure(NamedTuple):
    """Something to measure: a pass over it, and how many things a pass does."""

    name: str
    things: int
    once: Callable[[], object]


class Unit(NamedTuple):
    """What a figure is printed as; `shown` makes it of the seconds that one thing takes."""

    title: str
    shown: Callable[[float], float]
    digits: int = 0


def per_second(title: str) -> Unit:
    return Unit(f"{title} per CPU-second", lambda seconds: 1 / seconds)


def microseconds(title: str) -> Unit:
    return Unit(f"{title}, microseconds of CPU time", lambda seconds: 1e6 * seconds, 2)


def run(script: str, about: str | None, unit: Unit, figures: Sequence[Figure], seconds: float = 2.0) -> None:
    """Be a whole script: read the command line, measure with each core, print."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument(
        "--seconds", type=float, default=seconds, help=f"CPU time for each figure and core ({seconds:g})"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(figures)
        return
    times = compare(script, len(figures), options.seconds)
    rows = [
        {core: unit.shown(found[at] / figure.things) for core, found in times.items()}
        for at, figure in enumerate(figures)
    ]
    ratios = [times["plain"][at] / times["compiled"][at] if len(times) > 1 else None for at in range(len(figures))]
    if options.json:
        named = [
            {"figure": figure.name, **row, "ratio": ratio}
            for figure, row, ratio in zip(figures, rows, ratios, strict=True)
        ]
        print(json.dumps({"unit": unit.title, "rows": named}))
        return
    if len(times) == 1:
        print("the installed core is plain Python only; nothing to compare it with")
    print(unit.title)
    width = max(len(figure.name) for figure in figures)
    print(" " * width, *(f"{core:>10}" for core in times), *["   ratio"] * (len(times) > 1))
    for figure, row, ratio in zip(figures, rows, ratios, strict=True):
        print(
            f"{figure.name:{width}}",
            *(f"{shown:>10,.{unit.digits}f}" for shown in row.values()),
            *([] if ratio is None else [f"{ratio:>8.1f}"]),
        )


def compare(script: str, figures: int, seconds: float) -> dict[str, list[float]]:
    """The CPU time of the quickest pass of each figure, by core; one core only where only one is installed."""
    with ExitStack() as stack:
        workers: dict[str, subprocess.Popen[str]] = {}
        for pure in ("1", "0"):
            worker = stack.enter_context(
                subprocess.Popen(  # noqa: S603
                    [sys.executable, script, "--worker"],
                    env={**os.environ, PURE: pure},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            workers.setdefault(_said(worker), worker)
        times = {core: [float("inf")] * figures for core in workers}
        for _ in range(ROUNDS):
            for at in range(figures):
                for core, worker in workers.items():
                    assert worker.stdin is not None
                    print(at, seconds / ROUNDS, file=worker.stdin, flush=True)
                    times[core][at] = min(times[core][at], float(_said(worker)))
        return times


def _said(worker: "subprocess.Popen[str]") -> str:
    assert worker.stdout is not None
    line = worker.stdout.readline().strip()
    if not line:
        raise SystemExit("a worker has failed")
    return line


def work(figures: Sequence[Figure]) -> None:
    """In a worker: say which core this is, then measure whatever is asked for."""
    print("compiled" if COMPILED else "plain", flush=True)
    for line in sys.stdin:
        at, seconds = line.split()
        print(quickest(figures[int(at)].once, float(seconds)), flush=True)


def quickest(once: Callable[[], object], seconds: float) -> float:
    """The CPU time of a pass in the quickest of the runs that fit into so many seconds, or in the only one."""
    best = float("inf")
    spent = 0.0
    passes = 1
    while spent < seconds or best == float("inf"):
        begun = time.process_time()
        for _ in range(passes):
            once()
        took = time.process_time() - begun
        spent += took
        if took < MIN_RUN_SECONDS:
            passes *= 2
        else:
            best = min(best, took / passes)
    return best
