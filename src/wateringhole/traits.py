"""The table of traits: names, cards, bits, and how each defence stops an attack.

A new trait is a member of Trait; a new defence is also a subclass of Defence and a row of DEFENCES. CONTRIBUTING.md has
the recipe, with the rule's text, the drawing and the version of the rules. In the source all else follows: the cards,
the bits, who may attack whom, the words of a refusal, the rule ids of attacks, the agents that attack through a
defence, the doctor's and the generator's scenes.

Laws: bits are given once and never again; a trait without a constant of its own gets the next one that is free.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from wateringhole.species import Species


class Trait(StrEnum):
    """A trait, by the name that the rules and all messages give it."""

    __hash__ = str.__hash__  # an Enum's own is written in Python, and boards look their bits up all the time

    AMBUSH = "ambush"
    BURROWING = "burrowing"
    CARNIVORE = "carnivore"
    CLIMBING = "climbing"
    COOPERATION = "cooperation"
    FAT_TISSUE = "fat-tissue"
    FERTILE = "fertile"
    FORAGING = "foraging"
    HARD_SHELL = "hard-shell"
    HERDING = "herding"
    HORNS = "horns"
    LONG_NECK = "long-neck"
    PACK_HUNTING = "pack-hunting"
    SCAVENGER = "scavenger"
    SYMBIOSIS = "symbiosis"
    WARNING_CALL = "warning-call"
    # Recipe: a new trait goes here.


# Once more, because mypyc loses the docstring of an Enum, and assigns to no attribute of one.
setattr(Trait, "__doc__", "A trait, by the name that the rules and all messages give it.")  # noqa: B010

MAX_FOOD: Final = {trait: 8 if trait is Trait.CARNIVORE else 3 for trait in Trait}
"""A trait has one card for each food value from minus this to this."""

# A board answers "has it this trait?" with one bit test: the rules ask that far more often than anything else.
AMBUSH: Final = 1 << 0
BURROWING: Final = 1 << 1
CARNIVORE: Final = 1 << 2
CLIMBING: Final = 1 << 3
COOPERATION: Final = 1 << 4
FAT_TISSUE: Final = 1 << 5
FERTILE: Final = 1 << 6
FORAGING: Final = 1 << 7
HARD_SHELL: Final = 1 << 8
HERDING: Final = 1 << 9
HORNS: Final = 1 << 10
LONG_NECK: Final = 1 << 11
PACK_HUNTING: Final = 1 << 12
SCAVENGER: Final = 1 << 13
SYMBIOSIS: Final = 1 << 14
WARNING_CALL: Final = 1 << 15


def _bits(constants: dict[str, object]) -> dict[Trait, int]:
    """The bit of each trait, by its constant if there is one."""
    bits: dict[Trait, int] = {}
    for trait in Trait:
        bit = constants.get(trait.name)
        if isinstance(bit, int):
            bits[trait] = bit
    for trait in Trait:
        if trait not in bits:
            bits[trait] = 2 * max(bits.values())
    assert len(set(bits.values())) == len(Trait), "two traits have the same bit"
    return bits


BIT: Final[dict[Trait, int]] = _bits(globals())


class Defence:
    """A trait that may stop an attack on the board that bears it, or, with `for_neighbours`, on the boards beside it.

    `foiled_by`: what an attacker needs to get through. `examples`: population, body and food of boards on which the
    doctor shows it to agents.
    """

    def __init__(
        self,
        trait: Trait,
        examples: tuple[tuple[int, int, int], ...],
        foiled_by: tuple[Trait, ...] = (),
        for_neighbours: bool = False,
    ) -> None:
        self.trait: Final = trait
        self.bit: Final = BIT[trait]
        self.rule: Final = f"attack.{trait.value}"
        self.examples: Final = examples
        self.foiled_by: Final = foiled_by
        self.for_neighbours: Final = for_neighbours

    def stops(self, attacker: Species, defender: Species, right: Species | None) -> bool:
        """Whether it stops this attack; `right` is the board right of the defender, of the same player."""
        raise NotImplementedError

    def words(self, attacker: Species, defender: Species, right: Species | None) -> str:
        """Why, in words that go behind "attacks it, but"."""
        raise NotImplementedError


class _WarningCall(Defence):
    """A neighbour cries out, and only an ambush is not disturbed."""

    def stops(self, attacker: Species, defender: Species, right: Species | None) -> bool:
        return not attacker.mask & AMBUSH

    def words(self, attacker: Species, defender: Species, right: Species | None) -> str:
        return "a neighbour's warning-call is heard and it has no ambush"


class _Burrowing(Defence):
    """A sated board is below ground."""

    def stops(self, attacker: Species, defender: Species, right: Species | None) -> bool:
        return defender.food == defender.population

    def words(self, attacker: Species, defender: Species, right: Species | None) -> str:
        return f"its prey is below ground, with food {defender.food} for population {defender.population}"


class _Climbing(Defence):
    """Only a climber follows."""

    def stops(self, attacker: Species, defender: Species, right: Species | None) -> bool:
        return not attacker.mask & CLIMBING

    def words(self, attacker: Species, defender: Species, right: Species | None) -> str:
        return "its prey has climbed and it cannot climb"


HARD_SHELL_MARGIN: Final = 4


def strength(attacker: Species) -> int:
    """What a shell has to withstand; pack-hunting adds the whole pack."""
    return attacker.body + attacker.population if attacker.mask & PACK_HUNTING else attacker.body


class _HardShell(Defence):
    """It takes 4 more than the shell's body."""

    def stops(self, attacker: Species, defender: Species, right: Species | None) -> bool:
        return strength(attacker) < defender.body + HARD_SHELL_MARGIN

    def words(self, attacker: Species, defender: Species, right: Species | None) -> str:
        need = defender.body + HARD_SHELL_MARGIN
        return f"its strength of {strength(attacker)} does not break a shell that takes {need}"


class _Herding(Defence):
    """A herd as large as the attacker's is safe."""

    def stops(self, attacker: Species, defender: Species, right: Species | None) -> bool:
        return attacker.population <= defender.population

    def words(self, attacker: Species, defender: Species, right: Species | None) -> str:
        return f"its population of {attacker.population} is not above the herd's {defender.population}"


class _Symbiosis(Defence):
    """A larger neighbour on the right protects."""

    def stops(self, attacker: Species, defender: Species, right: Species | None) -> bool:
        return right is not None and right.body > defender.body

    def words(self, attacker: Species, defender: Species, right: Species | None) -> str:
        assert right is not None
        return f"the board right of its prey has body {right.body}, above {defender.body}"


# Recipe: a new defence goes here.

DEFENCES: Final[tuple[Defence, ...]] = (
    _WarningCall(Trait.WARNING_CALL, ((2, 1, 0), (3, 2, 0)), (Trait.AMBUSH,), for_neighbours=True),
    _Burrowing(Trait.BURROWING, ((2, 1, 2), (3, 1, 0))),
    _Climbing(Trait.CLIMBING, ((4, 2, 0),), (Trait.CLIMBING,)),
    _HardShell(Trait.HARD_SHELL, ((2, 3, 0), (2, 0, 0)), (Trait.PACK_HUNTING,)),
    _Herding(Trait.HERDING, ((7, 1, 0), (2, 1, 0))),
    _Symbiosis(Trait.SYMBIOSIS, ((2, 1, 0), (2, 6, 0))),
    # Recipe: its row goes here.
)
"""In the order in which they are looked at."""
