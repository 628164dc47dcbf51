"""Fixtures: which agent sits on which seat, with which deal.

Laws: pure; a game is known by its number, which is its place in the schedule. The same deal is played once with every
agent on every seat, one seat further each time, so that neither the cards nor the place at the table favour an agent.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, cycle
from typing import overload

from msgspec import Struct


class Fixture(Struct, frozen=True, gc=False, array_like=True):
    """A game to be played: its number, the deal, and which of the agents sits on each seat, from 0 on."""

    number: int
    deal: int
    seats: tuple[int, ...]


def rotations(agents: Sequence[int], games: int) -> Sequence[Fixture]:
    """So many games of these agents, all at one table."""
    return _Laps([agents], games, 0, 0)


def laps(tables: Sequence[Sequence[int]], deals: int, number: int = 0, deal: int = 0) -> Sequence[Fixture]:
    """A deal at every table, all the way round, then the next at every table; numbers and deals count from these on."""
    return _Laps(tables, deals * sum(map(len, tables)), number, deal)


class _Laps(Sequence[Fixture]):
    """Fixtures that are made when they are wanted: a million of them would take a second and a lot of room."""

    def __init__(self, tables: Sequence[Sequence[int]], games: int, number: int, deal: int) -> None:
        self._tables = [tuple(table) for table in tables]
        self._games = games
        self._number = number
        self._deal = deal
        self._begins = list(accumulate(map(len, self._tables), initial=0))

    def __len__(self) -> int:
        return self._games

    @overload
    def __getitem__(self, at: int) -> Fixture: ...

    @overload
    def __getitem__(self, at: slice) -> list[Fixture]: ...

    def __getitem__(self, at: int | slice) -> Fixture | list[Fixture]:
        if isinstance(at, slice):
            return [self[place] for place in range(self._games)[at]]
        place = range(self._games)[at]
        lap, within = divmod(place, self._begins[-1])
        which = bisect_right(self._begins, within) - 1
        table, turn = self._tables[which], within - self._begins[which]
        return Fixture(self._number + place, self._deal + lap * len(self._tables) + which, table[turn:] + table[:turn])

    def __iter__(self) -> Iterator[Fixture]:
        """The same one after the other, for a fifth of the time."""
        number, end = self._number, self._number + self._games
        for deal, table in enumerate(cycle(self._tables), self._deal):
            for turn in range(len(table)):
                if number == end:
                    return
                yield Fixture(number, deal, table[turn:] + table[:turn])
                number += 1
