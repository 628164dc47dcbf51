"""How well a match uses the processors: the CPU time of its workers over the time that it took."""

import argparse
import json
import resource
import time

from wateringhole.outside.anyone import Treatment
from wateringhole.tournament.journal import Plan
from wateringhole.tournament.run import run
from wateringhole.tournament.schedule import rotations

AGENTS = ("silly", "rash", "rash", "rash")


def measured(games: int, jobs: int) -> dict[str, float]:
    """A match of house bots, all of them in the workers' own processes."""
    plan = Plan(AGENTS, "bench", Treatment("10", False, 1_024))
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    run(plan, list(rotations(range(len(AGENTS)), games)), jobs, None, lambda _: None)
    took, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"jobs": jobs, "games": games, "seconds": took, "children's CPU over wall": spent / took}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4_000, help="games of a match (4,000)")
    parser.add_argument("--jobs", type=int, nargs="+", default=[2], help="numbers of jobs to try (2)")
    parser.add_argument("--json", action="store_true", help="one JSON list instead of sentences")
    options = parser.parse_args()
    rows = [measured(options.games, jobs) for jobs in options.jobs]
    if options.json:
        print(json.dumps(rows))
        return
    for row in rows:
        print(", ".join(f"{name} {value:.2f}" for name, value in row.items()))


if __name__ == "__main__":
    main()
