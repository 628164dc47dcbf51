"""Finds out what the greedy player should like: tries small changes to its taste, and keeps those that win more games.

Every deal is played by the changed taste on each seat against three of the present one; if it were no better, it would
win a quarter. After each batch of deals the mean gain and its error are looked at: a
change is dropped once its mean is below nothing, and kept once it is better by `--sure` standard errors. So many looks
make a false find likelier than one would, so what is found should be tried again with another seed.
"""

import argparse
import random
import time
from math import sqrt
from statistics import fmean, stdev

from wateringhole import shuffled, simulate
from wateringhole.agents.greedy import LIKES, Greedy, Taste
from wateringhole.traits import Trait

SEATS = 4
BATCH = 50
MAX_BATCHES = 40
MIN_BATCHES = 3


def taste(worth: dict[Trait, float], numbers: dict[str, float]) -> Taste:
    return Taste(
        worth, numbers["thrift"], round(numbers["boards"]), numbers["kill"], numbers["end"], begun=numbers["begun"]
    )


def gains(changed: Greedy, present: Greedy, seeds: list[str]) -> list[float]:
    """For each deal, how much more than a quarter the changed one wins, over all seats."""
    decks = [shuffled(seed) for seed in seeds]
    won = [0.0] * len(decks)
    for seat in range(SEATS):
        agents = [present] * SEATS
        agents[seat] = changed
        for deal, scores in enumerate(simulate(decks, agents)):
            best = max(scores)
            won[deal] += (scores[seat] == best) / scores.count(best) / SEATS
    return [share - 1 / SEATS for share in won]


def better(changed: Greedy, present: Greedy, seed: str, sure: float) -> float | None:
    """The mean gain of a change that is better, as far as games can tell; None if it is not."""
    found: list[float] = []
    for batch in range(MAX_BATCHES):
        found += gains(changed, present, [f"{seed}:{batch}:{deal}" for deal in range(BATCH)])
        mean, error = fmean(found), stdev(found) / sqrt(len(found))
        if batch + 1 >= MIN_BATCHES and (mean > sure * error or mean < 0):
            return mean if mean > sure * error else None
    return None


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=120)
    options.add_argument("--seed", default="1")
    options.add_argument("--sure", type=float, default=3.0, help="standard errors that a change must be better by")
    given = options.parse_args()
    dice = random.Random(given.seed)
    worth, numbers = dict(LIKES), {"thrift": 0.6, "boards": 4.0, "kill": 1.0, "end": 0.1, "begun": 0.3}
    until = time.monotonic() + given.seconds
    tried = 0
    while time.monotonic() < until:
        tried += 1
        other_worth, other_numbers = dict(worth), dict(numbers)
        if dice.random() < 0.7:
            trait = dice.choice(list(Trait))
            other_worth[trait] = max(0.0, other_worth.get(trait, 0.0) + dice.gauss(0, 1.5))
        else:
            name = dice.choice(list(numbers))
            other_numbers[name] = max(0.0, other_numbers[name] + dice.gauss(0, 1 if name == "boards" else 0.4))
        changed, present = Greedy(taste(other_worth, other_numbers)), Greedy(taste(worth, numbers))
        gain = better(changed, present, f"{given.seed}:{tried}", given.sure)
        if gain is not None:
            worth, numbers = other_worth, other_numbers
            print(f"change {tried}: wins {gain:+.1%}", flush=True)
    print({trait.value: round(value, 1) for trait, value in worth.items()})
    print({name: round(value, 2) for name, value in numbers.items()}, f"{tried} changes tried")


if __name__ == "__main__":
    main()
