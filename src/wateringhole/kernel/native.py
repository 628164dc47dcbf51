"""Whether there is a kernel: built, and written for the traits, defences and cards that the rules have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wateringhole.cards import DECK
from wateringhole.traits import BIT, DEFENCES, Trait

if TYPE_CHECKING:
    from wateringhole.kernel._kernel import FlatGames


def _found() -> type[FlatGames] | None:
    try:
        from wateringhole.kernel._kernel import TABLES, FlatGames, know_cards  # noqa: PLC0415  optional
    except ImportError:
        return None
    if tables() != TABLES:
        return None
    know_cards(DECK)
    return FlatGames


def tables() -> tuple[object, ...]:
    """The traits and their bits, the defences in their order, and the cards: what the kernel has copies of."""
    traits = sorted(Trait)
    return (
        tuple([(trait.value, BIT[trait]) for trait in traits]),
        tuple([defence.trait.value for defence in DEFENCES]),
        tuple([(card.food, card.trait.value) for card in DECK]),
    )


FLAT_GAMES: Final = _found()
"""The kernel's class of games, or None where Python has to play."""
