"""How fast the environments for learning are: steps per CPU-second, one core, random actions that the masks allow.

Each figure is from one run of this process. PettingZoo's connect four and texas hold'em are measured in the same way
where their own libraries (pygame, rlcard) are installed.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from typing import Any, Final

import numpy as np

from wateringhole.env import env
from wateringhole.env.batches import NO_ACTION
from wateringhole.env.gym_env import TableEnv
from wateringhole.env.vector_env import VectorEnv, masked_choice
from wateringhole.value import COMPILED

SEED: Final = 1
OTHERS: Final = {
    "connect four": "pettingzoo.classic.connect_four_v3",
    "texas hold'em": "pettingzoo.classic.texas_holdem_v4",
}


def rate(steps: Iterator[int], seconds: float) -> float:
    """Steps per CPU-second, after a second of warming up at most."""
    warm = time.process_time() + min(1.0, seconds / 4)
    while time.process_time() < warm:
        next(steps)
    done = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        done += next(steps)
    return done / spent


def vector(games: int, players: int, kernel: bool) -> Iterator[int]:
    """With actions chosen in numpy."""
    many = VectorEnv(games, players, "rank", SEED, kernel)
    dice = np.random.default_rng(SEED)
    while True:
        many.step(masked_choice(many.masks, dice))
        yield games


class Recorded:
    """The actions of a vector environment, chosen beforehand: so that a measurement has the steps alone."""

    def __init__(self, games: int, players: int, steps: int) -> None:
        self.many: Final = VectorEnv(games, players, "rank", SEED)
        dice = np.random.default_rng(SEED)
        self.actions: Final = []
        for _ in range(steps):
            actions = np.where(self.many.over, NO_ACTION, masked_choice(self.many.masks, dice))
            self.actions.append(actions)
            self.many.step(actions)

    def replayed(self, games: int) -> Iterator[int]:
        """Masks and observations of every step, again and again from the first."""
        while True:
            self.many.reset(SEED)
            for actions in self.actions:
                self.many.step(actions)
                yield games


def one_of(allowed: Any, dice: Random) -> Any:
    """One of the actions that this mask allows; numpy's own choice takes longer than a step."""
    options = np.flatnonzero(allowed)
    return options[int(dice.random() * len(options))]


def in_turn(make: Callable[[], Any]) -> Iterator[int]:
    """A PettingZoo environment as its users step it: last(), an action, step()."""
    made = make()
    dice = Random(SEED)
    seed = SEED
    while True:
        made.reset(seed=seed)
        seed += 1
        for _ in made.agent_iter():
            seen, _, terminated, truncated, info = made.last()
            if terminated or truncated:
                made.step(None)
                continue
            allowed = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
            made.step(one_of(allowed, dice))
            yield 1


def single(opponent: str) -> Iterator[int]:
    """One seat against three house bots."""
    made = TableEnv((opponent,) * 3, "rank")
    dice = Random(SEED)
    seen, _ = made.reset(seed=SEED)
    while True:
        seen, _, over, _, _ = made.step(one_of(seen["action_mask"], dice))
        if over:
            seen, _ = made.reset()
        yield 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="CPU-seconds of each measurement (4)")
    parser.add_argument("--games", type=int, default=256, help="games of the vector environments (256)")
    parser.add_argument("--players", type=int, default=4, help="players of each game (4)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of sentences")
    options = parser.parse_args()
    games, players, seconds = options.games, options.players, options.seconds
    figures: dict[str, float] = {}
    kernel = VectorEnv(1).in_kernel
    if kernel:
        recorded = Recorded(games, players, 400)
        figures["kernel, masks and observations"] = rate(recorded.replayed(games), seconds)
        figures["kernel, actions chosen in numpy"] = rate(vector(games, players, kernel=True), seconds)
    figures["Python, actions chosen in numpy"] = rate(vector(games, players, kernel=False), seconds)
    figures["PettingZoo"] = rate(in_turn(lambda: env(players, "rank")), seconds)
    figures["Gymnasium against silly"] = rate(single("silly"), seconds)
    for name, module in OTHERS.items():
        try:
            figures[f"PettingZoo's {name}"] = rate(in_turn(import_module(module).env), seconds)
        except ImportError as error:
            if not options.json:
                print(f"{name} is not measured: {error}")
    if options.json:
        print(json.dumps(figures))
        return
    print(f"steps per CPU-second, {games} games of {players}, core {'compiled' if COMPILED else 'in plain Python'}")
    for name, figure in figures.items():
        print(f"{name:34} {figure:12,.0f}")
    for name in OTHERS:
        theirs = figures.get(f"PettingZoo's {name}")
        if theirs is not None:
            print(f"our PettingZoo environment / {name}: {figures['PettingZoo'] / theirs:.2f}")
    if kernel:
        faster = figures["kernel, actions chosen in numpy"] / figures["Python, actions chosen in numpy"]
        print(f"kernel / Python, actions chosen in numpy: {faster:.0f}")


if __name__ == "__main__":
    main()
