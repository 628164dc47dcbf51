"""Policies: which decisions of the house bots the kernel makes itself, and what it needs for them.

Laws: a policy decides as its bot does, and draws the same random numbers: after a game the bot's generator stands where
it would stand if the bot had played.
"""

from array import array
from collections.abc import Sequence
from random import Random
from typing import Final, TypeVar, final

T = TypeVar("T")

SILLY: Final = 0
RASH: Final = 1
GREEDY: Final = 2
LEARNER: Final = 3
"""A seat whose actions come from outside; only `FlatGames.step` takes one."""
NETWORK: Final = 4
"""The best action of each draft, by a network; all seats of a table have the same one."""

NetworkNumbers = tuple[int, int, "array[float]"]
"""The sizes of its hidden layers, and its weights and biases as single floats, in the order of its file."""


@final
class Policy:
    """One of the kinds above. RASH has its generator; GREEDY the numbers of its taste: what each card is worth, then
    thrift, boards, kill, end, horns, fat and begun; NETWORK its network.
    """

    __slots__ = ("dice", "kind", "network", "taste")

    def __init__(
        self,
        kind: int,
        dice: Random | None = None,
        taste: Sequence[float] = (),
        network: NetworkNumbers | None = None,
    ) -> None:
        self.kind: Final = kind
        self.dice: Final = dice
        self.taste: Final = taste
        self.network: Final = network


@final
class PolicyTable:
    """The policy of each seat, as the kernel takes it."""

    def __init__(self, policies: Sequence[Policy]) -> None:
        self._random: list[Random] = []
        tastes: list[Sequence[float]] = []
        rows: list[int] = []
        for policy in policies:
            number = 0
            if policy.dice is not None:
                number = _place(self._random, policy.dice)
            elif policy.kind == GREEDY:
                number = _place(tastes, policy.taste)
            rows += [policy.kind, number]
        self.rows: Final = bytes(rows)
        self.tastes: Final = array("d", [number for taste in tastes for number in taste])
        self.dice: Final = array("I", [0])
        self.read_dice()

    def read_dice(self) -> None:
        """The kernel draws on from where the bots' generators stand."""
        self.dice[:] = array("I", [word for dice in self._random for word in _words(dice)] or [0])

    def write_dice(self) -> None:
        """The bots' generators stand where the kernel has left off."""
        for number, dice in enumerate(self._random):
            version, words, gauss = dice.getstate()
            words = tuple(self.dice[number * len(words) : (number + 1) * len(words)])
            dice.setstate((version, words, gauss))


def _words(dice: Random) -> tuple[int, ...]:
    words: tuple[int, ...] = dice.getstate()[1]
    return words


def _place(known: list[T], item: T) -> int:
    """Where it is in the list, by identity; it is added if it is not there: two seats may share one."""
    for at, other in enumerate(known):
        if other is item:
            return at
    known.append(item)
    return len(known) - 1
