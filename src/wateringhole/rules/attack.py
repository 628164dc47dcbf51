"""Who may attack whom. Pure: boards in, verdict out. The defences are in traits.py.

`left` and `right` are the boards beside the defender, of the same player; None where there is none.
"""

from typing import Final

from wateringhole import rulebook
from wateringhole.species import Species
from wateringhole.traits import CARNIVORE, DEFENCES, Defence, Trait

_OWN: Final = [defence for defence in DEFENCES if not defence.for_neighbours]
_OF_NEIGHBOURS: Final = [defence for defence in DEFENCES if defence.for_neighbours]
_OWN_BITS: Final = sum([defence.bit for defence in _OWN])
_BITS_OF_NEIGHBOURS: Final = sum([defence.bit for defence in _OF_NEIGHBOURS])


def blocked_by(attacker: Species, defender: Species, left: Species | None, right: Species | None) -> Trait | None:
    """The trait that stops this attack, or None when it may go ahead. CARNIVORE means that the attacker lacks it."""
    if not attacker.mask & CARNIVORE:
        return Trait.CARNIVORE
    beside = 0 if left is None else left.mask
    if right is not None:
        beside |= right.mask
    if not beside & _BITS_OF_NEIGHBOURS and not defender.mask & _OWN_BITS:
        return None  # as with most boards; this saves the call
    defence = _stopping(attacker, defender, beside, right)
    return None if defence is None else defence.trait


def _stopping(attacker: Species, defender: Species, beside: int, right: Species | None) -> Defence | None:
    """The first defence that stops this attack of a carnivore; `beside` has the bits of both neighbours."""
    if beside & _BITS_OF_NEIGHBOURS:
        for defence in _OF_NEIGHBOURS:
            if beside & defence.bit and defence.stops(attacker, defender, right):
                return defence
    own = defender.mask
    if own & _OWN_BITS:
        for defence in _OWN:
            if own & defence.bit and defence.stops(attacker, defender, right):
                return defence
    return None


def why_blocked(attacker: Species, boards: tuple[Species, ...], target: int) -> tuple[str, str] | None:
    """The rule that stops this attack, and words that go behind "attacks it, but"; None when it may go ahead."""
    if not attacker.mask & CARNIVORE:
        return rulebook.CARNIVORE, "it is no carnivore"
    beside = boards[target - 1].mask if target else 0
    right = boards[target + 1] if target + 1 < len(boards) else None
    if right is not None:
        beside |= right.mask
    defence = _stopping(attacker, boards[target], beside, right)
    return None if defence is None else (defence.rule, defence.words(attacker, boards[target], right))
