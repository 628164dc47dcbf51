"""Complete games of silly players per CPU-second, and the time of a clone.

Through `table.play`: new game, dealer checks on, agents behind the Agent interface. The decks are shuffled beforehand.
"rich" means that the watering hole starts with 100 tokens, so that feeding and attacks really happen.
"""

import argparse
import json
import time
from collections.abc import Callable
from functools import partial

from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.dealer import answer, new_game, pending
from wateringhole.game import Game
from wateringhole.table import play
from wateringhole.value import COMPILED
from wateringhole.view import Feed, request

DECKS = [shuffled(seed) for seed in range(200)]


def rate(once: Callable[[int], object], seconds: float) -> float:
    """How often per CPU-second; the best of twelve runs, because whatever disturbs a run only slows it."""
    best = 0.0
    for _ in range(12):
        done = 0
        begun = time.process_time()
        while (spent := time.process_time() - begun) < seconds / 12:
            once(done)
            done += 1
        best = max(best, done / spent)
    return best


def games_per_second(players: int, watering_hole: int, seconds: float) -> float:
    agents = [Silly() for _ in range(players)]
    return rate(lambda n: play(agents, DECKS[n % len(DECKS)], watering_hole=watering_hole), seconds)


def game_in_mid_turn(players: int) -> Game:
    """A rich game in the feeding of its second turn."""
    silly = Silly()
    game = new_game(["silly"] * players, DECKS[0], watering_hole=100)
    while not (game.turn == 2 and game.phase == "feed"):
        seat = pending(game)[0]
        asked = request(game, seat)
        answer(game, seat, silly.feed(asked) if isinstance(asked, Feed) else silly.choose(asked))
    return game


def twin(game: Game, _: int) -> Game:
    return game.clone()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0, help="CPU time for each figure (6)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    options = parser.parse_args()
    rows = []
    for players in (3, 5, 8):
        game = game_in_mid_turn(players)
        rows.append(
            {
                "players": players,
                "shuffled": round(games_per_second(players, 0, options.seconds)),
                "rich": round(games_per_second(players, 100, options.seconds)),
                "clone_us": round(1e6 / rate(partial(twin, game), 0.6), 2),
            }
        )
    if options.json:
        print(json.dumps({"core": "compiled" if COMPILED else "plain", "rows": rows}))
        return
    print(f"complete silly games per CPU-second, {'compiled' if COMPILED else 'plain'} core")
    print(f"{'players':>8} {'shuffled':>9} {'rich':>7} {'clone (us)':>11}")
    for row in rows:
        print(f"{row['players']:>8} {row['shuffled']:>9,} {row['rich']:>7,} {row['clone_us']:>11}")


if __name__ == "__main__":
    main()
