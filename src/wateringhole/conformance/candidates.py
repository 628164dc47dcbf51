"""Situations from which the cases of a suite are chosen: random ones, and some that chance makes too rarely."""

import itertools
from collections.abc import Iterator
from random import Random
from typing import Final

from wateringhole.conformance.generator import situations
from wateringhole.conformance.limit_plays import with_limit_play
from wateringhole.conformance.rare_scenes import with_rare_scene
from wateringhole.conformance.situations import Situation
from wateringhole.dealer import MAX_PLAYERS, MIN_PLAYERS

FEW_PLAYERS: Final = MIN_PLAYERS + 1
"""Most situations have few players, so that a case can be read; one in four may have up to 8."""
RARE: Final = {"xfeed": 8, "xstep": 4, "xstep4": 4}
"""One in so many situations of a harness has a rare scene."""


def candidate_situations(harness: str, seed: str) -> Iterator[Situation]:
    """Situations without end; every other turn has a card play at a limit."""
    few = situations(harness, f"few:{seed}", MIN_PLAYERS, FEW_PLAYERS, drafted=(1,))
    any_number = situations(harness, f"any:{seed}", MIN_PLAYERS, MAX_PLAYERS, drafted=(1,))
    for number in itertools.count():
        situation = next(any_number if number % 4 == 3 else few)
        random = Random(f"{seed}:{harness}:candidate:{number}")
        if harness in RARE and number % RARE[harness] == 0:
            situation = with_rare_scene(random, situation)
        elif harness == "xstep4" and number % 2:
            situation = with_limit_play(random, situation)
        yield situation
