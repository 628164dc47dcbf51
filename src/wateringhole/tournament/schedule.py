"""Who sits where, with which deck.

Laws: pure; a game is known by its number. The same deal is played once with every agent on every seat, one seat further
each time, so that neither the cards nor the place at the table favour anybody.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct


class Fixture(Struct, frozen=True):
    """A game to be played: its number, the deal, and which of the agents sits on each seat, from 0 on."""

    number: int
    deal: int
    seats: tuple[int, ...]


def rotations(agents: Sequence[int], games: int) -> Iterator[Fixture]:
    """So many games of these agents, all at one table."""
    size = len(agents)
    for number in range(games):
        deal, turn = divmod(number, size)
        yield Fixture(number, deal, tuple(agents[(seat + turn) % size] for seat in range(size)))
