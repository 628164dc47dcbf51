"""Who may attack whom. Pure: boards in, verdict out.

L and R are the boards left and right of the defender, of the same player; None where there is none.
"""

from typing import Final

from wateringhole import rulebook
from wateringhole.cards import (
    AMBUSH,
    BURROWING,
    CARNIVORE,
    CLIMBING,
    HARD_SHELL,
    HERDING,
    PACK_HUNTING,
    SYMBIOSIS,
    WARNING_CALL,
    Trait,
)
from wateringhole.species import Species

HARD_SHELL_MARGIN: Final = 4

_SHIELDS: Final = BURROWING | CLIMBING | HARD_SHELL | HERDING | SYMBIOSIS


def blocked_by(attacker: Species, defender: Species, left: Species | None, right: Species | None) -> Trait | None:
    """The trait that stops this attack, or None when it may go ahead. CARNIVORE means that the attacker lacks it."""
    if not attacker.mask & CARNIVORE:
        return Trait.CARNIVORE
    if left is not None and left.mask & WARNING_CALL and hears(attacker):
        return Trait.WARNING_CALL
    if right is not None and right.mask & WARNING_CALL and hears(attacker):
        return Trait.WARNING_CALL
    shields = defender.mask & _SHIELDS
    if not shields:
        return None
    if shields & BURROWING and burrowed(defender):
        return Trait.BURROWING
    if shields & CLIMBING and out_of_reach(attacker):
        return Trait.CLIMBING
    if shields & HARD_SHELL and too_hard(attacker, defender):
        return Trait.HARD_SHELL
    if shields & HERDING and herded(attacker, defender):
        return Trait.HERDING
    if shields & SYMBIOSIS and guarded(defender, right):
        return Trait.SYMBIOSIS
    return None


def hears(attacker: Species) -> bool:
    """Warning-call: a neighbour cries out, and only an ambush is not disturbed."""
    return not attacker.mask & AMBUSH


def burrowed(defender: Species) -> bool:
    """Burrowing: a sated board is below ground."""
    return defender.food == defender.population


def out_of_reach(attacker: Species) -> bool:
    """Climbing: only a climber follows."""
    return not attacker.mask & CLIMBING


def strength(attacker: Species) -> int:
    """What a shell has to withstand; pack-hunting adds the whole pack."""
    return attacker.body + attacker.population if attacker.mask & PACK_HUNTING else attacker.body


def too_hard(attacker: Species, defender: Species) -> bool:
    """Hard-shell: it takes 4 more than the shell's body."""
    return strength(attacker) < defender.body + HARD_SHELL_MARGIN


def herded(attacker: Species, defender: Species) -> bool:
    """Herding: a herd as large as the attacker's is safe."""
    return attacker.population <= defender.population


def guarded(defender: Species, right: Species | None) -> bool:
    """Symbiosis: a larger neighbour on the right protects."""
    return right is not None and right.body > defender.body


def blocked_at(attacker: Species, boards: tuple[Species, ...], target: int) -> Trait | None:
    """The trait that stops an attack on this one of a player's boards, or None."""
    left = boards[target - 1] if target else None
    right = boards[target + 1] if target + 1 < len(boards) else None
    return blocked_by(attacker, boards[target], left, right)


def why_blocked(attacker: Species, boards: tuple[Species, ...], target: int) -> tuple[str, str] | None:
    """The rule that stops this attack, and words that go behind "attacks it, but"; None when it may go ahead."""
    trait = blocked_at(attacker, boards, target)
    defender = boards[target]
    match trait:
        case None:
            return None
        case Trait.CARNIVORE:
            return rulebook.CARNIVORE, "it is no carnivore"
        case Trait.WARNING_CALL:
            return rulebook.WARNING_CALL, "a neighbour's warning-call is heard and it has no ambush"
        case Trait.BURROWING:
            return (
                rulebook.BURROWING,
                f"its prey is below ground, with food {defender.food} for population {defender.population}",
            )
        case Trait.CLIMBING:
            return rulebook.CLIMBING, "its prey has climbed and it cannot climb"
        case Trait.HARD_SHELL:
            need = defender.body + HARD_SHELL_MARGIN
            return rulebook.HARD_SHELL, f"its strength of {strength(attacker)} does not break a shell that takes {need}"
        case Trait.HERDING:
            return (
                rulebook.HERDING,
                f"its population of {attacker.population} is not above the herd's {defender.population}",
            )
        case _:
            body = boards[target + 1].body
            return rulebook.SYMBIOSIS, f"the board right of its prey has body {body}, above {defender.body}"
