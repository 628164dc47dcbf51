"""What a process of its own costs a Python agent: a match of one such agent and two house bots, both ways in turns.

It prints the wall time of the whole command for each way, the median of the rounds, and their ratio.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

BOT = "from wateringhole import Silly\n\n\nclass Bot(Silly):\n    pass\n"
WAYS = {
    "in process": ["--in-process"],
    "own process, sandbox": ["--sandbox", "on"],
    "own process, no sandbox": ["--sandbox", "off"],
    "a process for each game": ["--sandbox", "off", "--fresh"],
}


def seconds(agent: str, games: int, options: list[str]) -> float:
    """How long the command takes."""
    words = ["match", agent, "silly", "silly", "--games", str(games), "--seed", "bench", "--json", *options]
    begun = time.perf_counter()
    ended = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "wateringhole", *words], check=True, capture_output=True
    )
    took = time.perf_counter() - begun
    assert json.loads(ended.stdout)["games"] == games
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60, help="games of a match (60)")
    parser.add_argument("--rounds", type=int, default=5, help="matches of each way (5)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bot.py").write_text(BOT)
        agent = f"py:{folder}/bot.py:Bot"
        took: dict[str, list[float]] = {way: [] for way in WAYS}
        for _ in range(options.rounds):
            for way, words in WAYS.items():
                took[way].append(seconds(agent, options.games, words))
    base = median(took["in process"])
    for way, times in took.items():
        print(f"{way:26} {median(times):8.2f} s   {median(times) / base:6.2f} times in process")


if __name__ == "__main__":
    main()
