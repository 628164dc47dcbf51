"""A species board as a value: what lies on it, and what it becomes.

Laws: a board never changes; the rules put a new one in its place. So views and clones share boards without a copy.
"""

from typing import Final, final

from mypy_extensions import mypyc_attr

from wateringhole.traits import BIT, FAT_TISSUE, Trait
from wateringhole.value import Value

MAX_POPULATION: Final = 7
MAX_BODY: Final = 7
MAX_TRAITS: Final = 3


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Species(Value):
    """A species board: population, body, food, stored fat, and the traits in the order of their slots.

    `mask` has the bit of each trait; it follows from `traits` and is passed on only to save time.
    """

    __slots__ = ("body", "fat_food", "food", "mask", "population", "traits")
    __match_args__ = ("population", "body", "food", "fat_food", "traits", "mask")

    def __init__(
        self,
        population: int = 1,
        body: int = 0,
        food: int = 0,
        fat_food: int = 0,
        traits: tuple[Trait, ...] = (),
        mask: int = -1,
    ) -> None:
        self.population: Final = population
        self.body: Final = body
        self.food: Final = food
        self.fat_food: Final = fat_food
        self.traits: Final = traits
        self.mask: Final = mask if mask >= 0 else mask_of(traits)

    @property
    def hungry(self) -> bool:
        """Whether it has less food than animals."""
        return self.food < self.population

    @property
    def fat_need(self) -> int:
        """How many tokens its fat-tissue could still store."""
        return self.body - self.fat_food if self.mask & FAT_TISSUE else 0

    def having_eaten(self, tokens: int) -> "Species":
        return Species(self.population, self.body, self.food + tokens, self.fat_food, self.traits, self.mask)

    def having_stored(self, tokens: int) -> "Species":
        return Species(self.population, self.body, self.food, self.fat_food + tokens, self.traits, self.mask)

    def having_moved_fat(self) -> "Species":
        """As many tokens as it is hungry for move from the fat to the food."""
        tokens = min(self.fat_food, self.population - self.food)
        return Species(self.population, self.body, self.food + tokens, self.fat_food - tokens, self.traits, self.mask)

    def with_population(self, population: int) -> "Species":
        """The same board with this many animals; food beyond that is lost."""
        food = min(self.food, population)
        return Species(population, self.body, food, self.fat_food, self.traits, self.mask)

    def after_turn(self) -> "Species":
        """The same board with as many animals as had food, and the food gone to the bag."""
        return Species(self.food, self.body, 0, self.fat_food, self.traits, self.mask)

    def __repr__(self) -> str:
        parts = [f"population={self.population}", f"body={self.body}", f"food={self.food}"]
        if self.fat_food:
            parts.append(f"fat_food={self.fat_food}")
        if self.traits:
            parts.append(f"traits=({', '.join(self.traits)})")
        return f"Species({', '.join(parts)})"


def mask_of(traits: tuple[Trait, ...]) -> int:
    mask = 0
    for trait in traits:
        mask |= BIT[trait]
    return mask
