"""What lies in front of one seat, and what the others see of it."""

from collections.abc import Iterable
from typing import Final, final

from mypy_extensions import mypyc_attr

from wateringhole.cards import Card
from wateringhole.species import Species
from wateringhole.value import Value


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Other(Value):
    """A player as the others see it: its seat, its boards, and how many cards it holds."""

    __slots__ = ("cards", "seat", "species")
    __match_args__ = ("seat", "species", "cards")

    def __init__(self, seat: int, species: tuple[Species, ...], cards: int) -> None:
        self.seat: Final = seat
        self.species: Final = species
        self.cards: Final = cards


@mypyc_attr(acyclic=True)
class Player:
    """What lies in front of one seat: the boards from left to right, the hand, the bag. Only the rules change it.

    `species` and `hand` are tuples: a view that has shown them may keep them. The rules work on the list `boards`,
    whose tuple is made when a view needs it: a meal in a list costs a twentieth of one in a tuple.
    """

    __slots__ = ("_seen", "_species", "bag", "boards", "hand", "seat")

    def __init__(self, seat: int, species: Iterable[Species], hand: tuple[Card, ...], bag: int) -> None:
        self.seat = seat
        self.boards = list(species)
        self.hand = hand
        self.bag = bag
        self._species: tuple[Species, ...] | None = None
        self._seen: Other | None = None

    @property
    def species(self) -> tuple[Species, ...]:
        species = self._species
        if species is None:
            self._species = species = tuple(self.boards)
        return species

    @species.setter
    def species(self, species: tuple[Species, ...]) -> None:
        self.boards = list(species)
        self._species = species

    def settle(self, boards: list[Species]) -> None:
        """These are the boards from now on; the list is the player's own now."""
        self.boards = boards
        self._species = None

    def put(self, at: int, board: Species) -> None:
        """This board lies in the place of the one that was there."""
        self.boards[at] = board
        self._species = None

    def lose(self, at: int) -> None:
        """This board is gone, and those on its right move up."""
        del self.boards[at]
        self._species = None

    def seen(self) -> Other:
        """What the others see; made anew only when it has changed, because every request shows it."""
        seen = self._seen
        if seen is None or seen.species is not self._species or seen.cards != len(self.hand):
            self._seen = seen = Other(self.seat, self.species, len(self.hand))
        return seen

    @property
    def score(self) -> int:
        """The food in the bag, plus the animals and the traits on the boards."""
        score = self.bag
        for board in self.boards:
            score += board.population + len(board.traits)
        return score

    def clone(self) -> "Player":
        return Player(self.seat, self.boards, self.hand, self.bag)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Player)
            and self.seat == other.seat
            and self.bag == other.bag
            and self.hand == other.hand
            and self.boards == other.boards
        )

    def __repr__(self) -> str:
        return f"Player({self.seat}, {self.species}, hand={list(self.hand)}, bag={self.bag})"

    def __reduce__(self) -> tuple[object, tuple[int, tuple[Species, ...], tuple[Card, ...], int]]:
        return Player, (self.seat, self.species, self.hand, self.bag)
