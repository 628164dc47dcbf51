"""What a match costs beside its games: how many a second it plays, with all its processes, records and counting, and
how many the bare engine plays in as many processes of its own, before and after it.

--seats: the agents, four bots of the house if nothing is said. --kept: records and a journal are written, too.
"""

import argparse
import json
import resource
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path

from rich.progress import Progress

from wateringhole import play
from wateringhole.agents.house import named
from wateringhole.cards import shuffled
from wateringhole.outside.anyone import Treatment
from wateringhole.tournament.journal import Plan
from wateringhole.tournament.run import run
from wateringhole.tournament.schedule import rotations

AGENTS = ("silly", "rash", "rash", "rash")


def match(agents: tuple[str, ...], games: int, jobs: int, out: Path | None) -> tuple[float, float]:
    """Games a second of a match, and how much of the processors' time its workers had."""
    plan = Plan(agents, "bench", Treatment("10", False, 1_024))
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with Progress() as progress:
        bar = progress.add_task("games", total=games)
        run(plan, list(rotations(range(len(agents)), games)), jobs, out, lambda _: progress.advance(bar))
    took, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return games / took, spent / took


def bare_games(agents: tuple[str, ...], seconds: float) -> int:
    """How many games of these agents the engine plays in this time, with nothing around it but the deal."""
    games, end = 0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        play([named(agent, f"bench:{games}") for agent in agents], shuffled(f"bench:{games // len(agents)}"))
        games += 1
    return games


def bare(agents: tuple[str, ...], jobs: int, seconds: float) -> float:
    """Games a second of so many processes that know nothing of each other."""
    with get_context("spawn").Pool(jobs) as pool:
        pool.starmap(bare_games, [(agents, 0.1)] * jobs)  # everything is loaded
        return sum(pool.starmap(bare_games, [(agents, seconds)] * jobs, 1)) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4_000, help="games of a match (4,000)")
    parser.add_argument("--jobs", type=int, default=2, help="games at once (2)")
    parser.add_argument("--seats", nargs="+", default=AGENTS, help="who plays")
    parser.add_argument("--kept", action="store_true", help="keep records and results, in a folder that goes again")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of sentences")
    options = parser.parse_args()
    agents = tuple(options.seats)
    with tempfile.TemporaryDirectory() as folder:
        first = bare(agents, options.jobs, 5.0)
        rate, use = match(agents, options.games, options.jobs, Path(folder) / "out" if options.kept else None)
        second = bare(agents, options.jobs, 5.0)
    engine = (first + second) / 2
    figures = {
        "games": options.games,
        "games a second": rate,
        "games a second, bare engine": engine,
        "share lost to all else": 1 - rate / engine,
        "children's CPU over wall": use,
    }
    if options.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name:32} {figure:12.2f}")


if __name__ == "__main__":
    main()
