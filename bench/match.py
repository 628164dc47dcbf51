"""What a match costs beside its games: how many a second it plays, with all its processes, records and counting, and
how many the bare engine plays in as many processes of its own, before and after it; the processor time of a game in
both, that of the main process included; and how many bytes a game takes in the folder.

--seats: the agents, four bots of the house if nothing is said. --kept: records and outcomes are written, too.
"""

import argparse
import json
import resource
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path

from wateringhole import play
from wateringhole.agents.house import named
from wateringhole.cards import shuffled
from wateringhole.external.play_specs import Treatment
from wateringhole.tournament.outcomes import rows
from wateringhole.tournament.run import run
from wateringhole.tournament.run_journal import RunPlan
from wateringhole.tournament.schedule import rotations

AGENTS = ("silly", "rash", "rash", "rash")


def match(agents: tuple[str, ...], games: int, jobs: int, out: Path | None) -> tuple[float, float, float]:
    """Games a second of a match, how much of the processors' time its workers had, and that of all for a game."""
    from wateringhole.cli.terminal import CountBar  # noqa: PLC0415  # workers load this module, and draw no bar

    plan = RunPlan(agents, "bench", Treatment("10", False, 1_024))
    ours, theirs, begun = time.process_time(), of_children(), time.perf_counter()
    with CountBar("games", games) as bar:
        outcomes = run(plan, rotations(range(len(agents)), games), jobs, out, lambda _: bar.count())
    rows(outcomes, len(agents))
    took, children = time.perf_counter() - begun, of_children() - theirs
    return games / took, children / took, (time.process_time() - ours + children) / games


def of_children() -> float:
    """The processor time of all processes that we have started and that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def bare_games(agents: tuple[str, ...], seconds: float) -> tuple[int, float]:
    """How many games of these agents the engine plays in this time, with nothing around it but the deal, and what
    processor time that takes.
    """
    games, begun, end = 0, time.process_time(), time.perf_counter() + seconds
    while time.perf_counter() < end:
        play([named(agent, f"bench:{games}") for agent in agents], shuffled(f"bench:{games // len(agents)}"))
        games += 1
    return games, time.process_time() - begun


def bare(agents: tuple[str, ...], jobs: int, seconds: float) -> tuple[float, float]:
    """Games a second of so many processes that know nothing of each other, and the processor time of a game."""
    with get_context("spawn").Pool(jobs) as pool:
        pool.starmap(bare_games, [(agents, 0.1)] * jobs)  # everything is loaded
        played = pool.starmap(bare_games, [(agents, seconds)] * jobs, 1)
    games = sum(count for count, _ in played)
    return games / seconds, sum(spent for _, spent in played) / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4_000, help="games of a match (4,000)")
    parser.add_argument("--jobs", type=int, default=2, help="games at once (2)")
    parser.add_argument("--seconds", type=float, default=5.0, help="of bare play, before and after the match (5)")
    parser.add_argument("--seats", nargs="+", default=AGENTS, help="who plays")
    parser.add_argument("--kept", action="store_true", help="keep records and results, in a folder that goes again")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of sentences")
    options = parser.parse_args()
    agents = tuple(options.seats)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out" if options.kept else None
        first, cost_before = bare(agents, options.jobs, options.seconds)
        rate, use, cost = match(agents, options.games, options.jobs, out)
        second, cost_after = bare(agents, options.jobs, options.seconds)
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    engine, bare_cost = (first + second) / 2, (cost_before + cost_after) / 2
    figures = {
        "games": options.games,
        "games a second": rate,
        "games a second, bare engine": engine,
        "share lost to all else": 1 - rate / engine,
        "children's CPU over wall": use,
        "CPU, ms a game": 1_000 * cost,
        "CPU, ms a game, bare engine": 1_000 * bare_cost,
        "CPU over bare engine's": cost / bare_cost,
        "bytes kept a game": size / options.games,
    }
    if options.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name:32} {figure:12.3f}")


if __name__ == "__main__":
    main()
