"""Two ways to be greedy: the hunter lives on the others, the shepherd keeps them from living on its own.

Both play like the greedy player with another taste. They are opponents for bots that must cope with either.
"""

from typing import Final

from mypy_extensions import mypyc_attr

from wateringhole.agents.greedy import LIKES, Greedy, Taste
from wateringhole.kernel.policy import Policy
from wateringhole.traits import Trait

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


@mypyc_attr(allow_interpreted_subclasses=True)
class Hunter(Greedy):
    """A Greedy that builds carnivores and prefers attacks."""

    def __init__(self) -> None:
        super().__init__(HUNTER)

    def kernel_policy(self) -> Policy | None:
        return HUNTER.policy if type(self) is Hunter else None


@mypyc_attr(allow_interpreted_subclasses=True)
class Shepherd(Greedy):
    """A Greedy that builds protected boards and gains nothing from attacks but food."""

    def __init__(self) -> None:
        super().__init__(SHEPHERD)

    def kernel_policy(self) -> Policy | None:
        return SHEPHERD.policy if type(self) is Shepherd else None
