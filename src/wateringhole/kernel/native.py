"""Loads the C kernel if it is built and its tables of traits, defences and cards match the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from wateringhole.cards import DECK
from wateringhole.traits import BIT, DEFENCES, Trait

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from wateringhole.kernel._kernel import FlatGames


class NetworkInputs(Protocol):
    """`_kernel.network_inputs`."""

    def __call__(self, width: int, observations: object, inputs: object, /) -> None: ...


class NetworkScores(Protocol):
    """`_kernel.network_scores`."""

    def __call__(
        self, first: int, second: int, numbers: Buffer, observation: Buffer, mask: Buffer, scores: Buffer, /
    ) -> None: ...


def _found() -> type[FlatGames] | None:
    try:
        from wateringhole.kernel._kernel import TABLES, FlatGames, know_cards  # noqa: PLC0415  optional
    except ImportError:
        return None
    if tables() != TABLES:
        return None
    know_cards(DECK)
    return FlatGames


def _network() -> tuple[NetworkInputs, NetworkScores] | tuple[None, None]:
    if FLAT_GAMES is None:
        return None, None
    from wateringhole.kernel._kernel import network_inputs, network_scores  # noqa: PLC0415  optional

    return network_inputs, network_scores


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
NETWORK_INPUTS, NETWORK_SCORES = _network()
"""The kernel's functions for networks, or None."""
