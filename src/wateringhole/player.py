"""What lies in front of one seat, and what the others see of it."""

from collections.abc import Iterable
from typing import Final, final

from mypy_extensions import mypyc_attr

from wateringhole.cards import Card
from wateringhole.species import Species
from wateringhole.value import Value


@mypyc_attr(acyclic=True)
@final
class Other(Value):
    """A player as the others see it: the boards, and how many cards it holds."""

    __match_args__ = ("seat", "species", "cards")

    def __init__(self, seat: int, species: tuple[Species, ...], cards: int) -> None:
        self.seat: Final = seat
        self.species: Final = species
        self.cards: Final = cards


@mypyc_attr(acyclic=True)
class Player:
    """A seat's boards from left to right, its hand and its bag. Only the rules and the dealer change it.

    Boards and hand are tuples and change by being replaced: whoever has seen them may keep what it saw.
    """

    __slots__ = ("_seen", "bag", "hand", "seat", "species")

    def __init__(self, seat: int, species: Iterable[Species], hand: tuple[Card, ...], bag: int) -> None:
        self.seat = seat
        self.species = tuple(species)
        self.hand = hand
        self.bag = bag
        self._seen = Other(seat, self.species, len(hand))

    def put(self, at: int, board: Species) -> None:
        """This board lies in the place of the one that was there."""
        species = list(self.species)
        species[at] = board
        self.species = tuple(species)

    def seen(self) -> Other:
        """What the others see; made anew only when it has changed, because every request shows it."""
        seen = self._seen
        if seen.species is not self.species or seen.cards != len(self.hand):
            self._seen = seen = Other(self.seat, self.species, len(self.hand))
        return seen

    @property
    def score(self) -> int:
        score = self.bag
        for board in self.species:
            score += board.population + len(board.traits)
        return score

    def clone(self) -> "Player":
        return Player(self.seat, self.species, self.hand, self.bag)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Player)
            and self.seat == other.seat
            and self.bag == other.bag
            and self.hand == other.hand
            and self.species == other.species
        )

    def __repr__(self) -> str:
        return f"Player({self.seat}, {self.species}, hand={list(self.hand)}, bag={self.bag})"

    def __reduce__(self) -> tuple[object, tuple[int, tuple[Species, ...], tuple[Card, ...], int]]:
        return Player, (self.seat, self.species, self.hand, self.bag)
