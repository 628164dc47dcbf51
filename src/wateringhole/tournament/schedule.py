"""Who sits where, with which deck.

Laws: pure; a game is known by its number, which is its place in the schedule. The same deal is played once with every
agent on every seat, one seat further each time, so that neither the cards nor the place at the table favour anybody.
"""

from collections.abc import Sequence
from typing import overload

from msgspec import Struct


class Fixture(Struct, frozen=True):
    """A game to be played: its number, the deal, and which of the agents sits on each seat, from 0 on."""

    number: int
    deal: int
    seats: tuple[int, ...]


def rotations(agents: Sequence[int], games: int) -> Sequence[Fixture]:
    """So many games of these agents, all at one table."""
    return _Rotations(agents, games)


class _Rotations(Sequence[Fixture]):
    """Fixtures that are made when they are wanted: to send a million of them to every worker would take seconds."""

    def __init__(self, agents: Sequence[int], games: int) -> None:
        self._agents = tuple(agents)
        self._games = games

    def __len__(self) -> int:
        return self._games

    @overload
    def __getitem__(self, at: int) -> Fixture: ...

    @overload
    def __getitem__(self, at: slice) -> list[Fixture]: ...

    def __getitem__(self, at: int | slice) -> Fixture | list[Fixture]:
        if isinstance(at, slice):
            return [self[number] for number in range(self._games)[at]]
        number = range(self._games)[at]
        size = len(self._agents)
        deal, turn = divmod(number, size)
        return Fixture(number, deal, tuple(self._agents[(seat + turn) % size] for seat in range(size)))
