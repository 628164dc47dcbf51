"""Many worlds, one after the other or several at once: `make simulate SEEDS=1000`.

Laws: the first world in which a law does not hold ends it all, with the command that repeats just that one.
"""

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from .scenario import POINTS, Kind, Outcome, play, scratch

CHUNK = 20
"""How many seeds a process is given at a time."""


def outcomes(seeds: range, full: bool) -> list[Outcome | str]:
    """What came of these worlds, up to the first in which a law does not hold."""
    found: list[Outcome | str] = []
    with scratch() as base:
        for seed in seeds:
            # Of three worlds two have everything in them, and one dies at a certain point.
            kind: Kind = "anything" if seed % 3 else "kills"
            point = None if seed % 3 == 1 else list(POINTS)[seed % len(POINTS)]
            try:
                found.append(play(str(seed), base, point, kind, full))
            except Exception as error:
                found.append(f"{type(error).__name__}: {error}")
                break
    return found


def all_outcomes(first: int, seeds: int, jobs: int, full: bool) -> Iterator[list[Outcome | str]]:
    """Chunk by chunk, in order."""
    chunks = [range(at, min(at + CHUNK, first + seeds)) for at in range(first, first + seeds, CHUNK)]
    if jobs == 1:
        for chunk in chunks:
            yield outcomes(chunk, full)
        return
    # Only this process hears an interrupt; the others end with it.
    with ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            yield from pool.map(outcomes, chunks, [full] * len(chunks))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@click.command()
@click.option("--seeds", default=100, show_default=True, type=click.IntRange(1), help="How many worlds.")
@click.option("--first", default=0, show_default=True, type=click.IntRange(0), help="The seed of the first one.")
@click.option("--seed", type=click.IntRange(0), help="Only this one.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(1, 64), help="At once.")
@click.option(
    "--size", type=click.Choice(["small", "full"]), default="small", show_default=True, help="Short or whole games."
)
def main(seeds: int, first: int, seed: int | None, jobs: int, size: str) -> None:
    """Let the real server live and die in simulated worlds, and see whether the laws hold in each.

    \b
    python -m tests.simulator --seeds 1000
    python -m tests.simulator --seed 42              again the one that failed
    python -m tests.simulator --seeds 100 --size full
    """
    full = size == "full"
    if seed is not None:
        first, seeds, jobs = seed, 1, 1
    again = " --size full" if full else ""
    deaths = games = worlds = 0
    columns = TextColumn("simulating"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("simulating", total=seeds)
        for chunk in all_outcomes(first, seeds, jobs, full):
            for found in chunk:
                if isinstance(found, str):
                    progress.stop()
                    click.echo(f"seed {first + worlds}: {found}", err=True)
                    click.echo(f"just this one: python -m tests.simulator --seed {first + worlds}{again}", err=True)
                    sys.exit(1)
                worlds += 1
                deaths += found.deaths
                games += found.games
                progress.advance(task)
                if seed is not None:
                    click.echo(f"history {found.digest}")
    click.echo(f"{worlds} worlds, {deaths} deaths, {games} games kept: all laws hold")


if __name__ == "__main__":
    main()
