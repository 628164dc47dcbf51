"""How strong the sage is for its time: what it wins, alone against three others, with more and more iterations.

Every deal is played once from each seat, and all rows have the same deals; 25 % would be equal strength. The time is
CPU time of a decision, measured in a few games beforehand. With --out the games are kept, and the same command goes on.
"""

import argparse
import time
from pathlib import Path

from wateringhole import play
from wateringhole.agents.house import named
from wateringhole.cards import shuffled
from wateringhole.cli.terminal import CountBar
from wateringhole.external.play_specs import Treatment
from wateringhole.external.spec import made, spec
from wateringhole.moves import CardPlay, Feeding
from wateringhole.tournament.outcomes import rows
from wateringhole.tournament.run import run
from wateringhole.tournament.run_journal import RunPlan
from wateringhole.tournament.schedule import rotations
from wateringhole.tournament.standings import interval, percent
from wateringhole.view import Choose, Feed

TIMED_GAMES = 8
SEATS = 4


class Timed:
    """The sage, and the CPU time of its decisions."""

    def __init__(self, options: dict[str, str], seed: str) -> None:
        self._sage = named("sage", seed, options)
        self.spent: list[float] = []

    def choose(self, request: Choose) -> CardPlay:
        begun = time.process_time()
        play = self._sage.choose(request)
        self.spent.append(time.process_time() - begun)
        assert isinstance(play, CardPlay)
        return play

    def feed(self, request: Feed) -> Feeding:
        begun = time.process_time()
        feeding = self._sage.feed(request)
        self.spent.append(time.process_time() - begun)
        assert isinstance(feeding, Feeding)
        return feeding


def milliseconds(iterations: int, against: str) -> float:
    """CPU time of a decision."""
    spent: list[float] = []
    for deal in range(TIMED_GAMES):
        sage = Timed({"iterations": str(iterations)}, f"{deal}")
        others = [made(spec(against), f"{deal}:{seat}") for seat in range(1, SEATS)]
        play([sage, *others], shuffled(f"time {deal}"))
        spent += sage.spent
    return 1_000 * sum(spent) / len(spent)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", default="greedy", help="the agent on the other three seats (greedy)")
    parser.add_argument("--iterations", type=int, nargs="+", default=[1, 50, 400, 4_000], help="rows of the table")
    parser.add_argument("--games", type=int, default=2_000, help="games of each row (2,000)")
    parser.add_argument("--jobs", type=int, default=1, help="games at once (1)")
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--out", type=Path, help="keep the games in folders here")
    given = parser.parse_args()
    print("| iterations | CPU ms a decision | games | wins % |", "| ---: | ---: | ---: | ---: |", sep="\n", flush=True)
    for iterations in given.iterations:
        took = milliseconds(iterations, given.against)
        plan = RunPlan(
            (f"sage?iterations={iterations}", *[given.against] * (SEATS - 1)), given.seed, Treatment("10", False, 1_024)
        )
        name = f"{given.against}-{iterations}".replace("?", "-").replace("=", "-")
        out = None if given.out is None else given.out / name
        with CountBar(f"{iterations} iterations", given.games) as bar:
            outcomes = run(plan, rotations(range(SEATS), given.games), given.jobs, out, lambda _: bar.count())
        row = rows(outcomes, SEATS)[0]
        print(f"| {iterations:,} | {took:.1f} | {len(outcomes):,} | {interval(percent(row.wins), 1)} |", flush=True)


if __name__ == "__main__":
    main()
