"""Whether memory grows with the games that a process plays: its resident memory after a while, and at the end.

Half of the games go through `table.play`, half through `simulate`; 3 to 8 silly players in turn, with an empty and with
a rich watering hole. The figure is that of the kernel, in /proc, so this runs on Linux only.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from wateringhole.agents.playout import simulate
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.table import play
from wateringhole.value import COMPILED

DECKS = [shuffled(seed) for seed in range(500)]
A_WHILE = 10_000
AT_ONCE = 2 * len(DECKS)


def resident() -> float:
    """The memory that this process has just now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def play_some(number: int) -> None:
    """The next thousand games."""
    silly = [Silly() for _ in range(3 + number % 6)]
    food = 100 * (number // 6 % 2)
    for deck in DECKS:
        play(silly, deck, watering_hole=food)
    simulate(DECKS, silly, food)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--games", type=int, default=1_000_000, help="games to play, rounded up to thousands (1,000,000)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of sentences")
    options = parser.parse_args()
    if options.games <= A_WHILE:
        parser.error(f"--games must be above {A_WHILE:,}, where the first look is taken")
    done = 0
    early = 0.0
    while done < options.games:
        play_some(done // AT_ONCE)
        done += AT_ONCE
        if done == A_WHILE:
            early = resident()
        if done % A_WHILE == 0:
            print(f"\r{done:,} games, {resident():.1f} MB", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    late = resident()
    core = "compiled" if COMPILED else "plain"
    if options.json:
        print(json.dumps({"core": core, "games": done, "early_mb": early, "late_mb": late, "growth_mb": late - early}))
        return
    print(f"resident memory, {core} core")
    print(f"after {A_WHILE:>9,} games {early:8.1f} MB")
    print(f"after {done:>9,} games {late:8.1f} MB")
    print(f"growth                {late - early:8.1f} MB")


if __name__ == "__main__":
    main()
