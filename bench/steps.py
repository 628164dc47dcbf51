"""The longest that one step of a game can keep the server busy: the request, its message in each dialect, the answer.

On the worst tables that the cards allow and worse: eight players with a hundred boards and more, all of them hungry,
many of them hunters that may attack nearly everybody.
"""

import argparse
import json
import random
import time

import msgspec

from wateringhole.agents.rash import Rash
from wateringhole.cards import DECK
from wateringhole.dealer import answer, new_game
from wateringhole.game import Game
from wateringhole.species import Species
from wateringhole.traits import Trait
from wateringhole.view import Feed, request
from wateringhole.wire.dialect import talk
from wateringhole.wire.dialects import DIALECTS


def crowded(dice: random.Random, boards: int) -> Game:
    """A table of eight in the middle of a feeding, each player with so many boards."""
    game = new_game([f"player {seat}" for seat in range(1, 9)], DECK, watering_hole=400, listen=True)
    for player in game.players.values():
        player.species = tuple(
            Species(dice.randint(2, 7), dice.randint(3, 7), 0, 0, (Trait.CARNIVORE, *dice.sample(FRIENDLY, 2)))
            for _ in range(boards)
        )
    game.phase = "feed"
    game.queue = list(game.players)
    return game


# Whatever makes a feeding feed others as well, and nothing that forbids an attack.
FRIENDLY = [Trait.COOPERATION, Trait.FORAGING, Trait.SCAVENGER, Trait.FAT_TISSUE, Trait.FERTILE, Trait.HORNS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=1_000, help="tables to try (1,000)")
    parser.add_argument("--boards", type=int, default=15, help="boards of each player (15)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of sentences")
    options = parser.parse_args()
    dice, rash = random.Random(0), Rash("0")
    times: dict[str, list[float]] = {}

    def timed(what: str, begun: float) -> None:
        times.setdefault(what, []).append(time.perf_counter() - begun)

    for _ in range(options.states):
        game = crowded(dice, options.boards)
        begun = time.perf_counter()
        asked = request(game, 1)
        assert isinstance(asked, Feed)
        assert asked.options
        timed("request and options", begun)
        for name, dialect in DIALECTS.items():
            begun = time.perf_counter()
            msgspec.json.encode(next(talk(dialect(), asked)).value)
            timed(f"message in {name}", begun)
        move = rash.feed(asked)
        begun = time.perf_counter()
        answer(game, 1, move)
        timed("answer", begun)
    figures = {
        what: {"p50 ms": 1e3 * sorted(spent)[len(spent) // 2], "slowest ms": 1e3 * max(spent)}
        for what, spent in times.items()
    }
    if options.json:
        print(json.dumps(figures))
        return
    print(f"{options.states} tables of eight players with {options.boards} boards each")
    for what, row in figures.items():
        print(f"{what:22} p50 {row['p50 ms']:7.2f} ms   slowest {row['slowest ms']:7.2f} ms")


if __name__ == "__main__":
    main()
