"""Two ways to be greedy: the hunter lives on the others, the shepherd keeps them from living on its own.

Both play like the greedy player but for what they like. They are there to be met, by bots that must cope with either.
"""

from typing import Final

from wateringhole.agents.greedy import LIKES, Taste
from wateringhole.cards import Trait

HUNTER: Final = Taste(
    LIKES
    | {
        Trait.CARNIVORE: 5.0,
        Trait.AMBUSH: 1.2,
        Trait.PACK_HUNTING: 1.1,
        Trait.SCAVENGER: 1.3,
        Trait.CLIMBING: 1.0,
    },
    kill=2.0,
    end=0.5,
)

SHEPHERD: Final = Taste(
    LIKES
    | {
        Trait.HARD_SHELL: 2.0,
        Trait.BURROWING: 1.8,
        Trait.CLIMBING: 1.7,
        Trait.HERDING: 1.3,
        Trait.HORNS: 1.2,
    },
    kill=0.0,
)
