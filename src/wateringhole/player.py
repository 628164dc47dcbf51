"""What lies in front of one seat."""

from wateringhole.cards import Card
from wateringhole.species import Species


class Player:
    """A seat's boards from left to right, its hand and its bag. Only the rules and the dealer change it."""

    __slots__ = ("bag", "hand", "seat", "species")

    def __init__(self, seat: int, species: list[Species], hand: tuple[Card, ...], bag: int) -> None:
        self.seat = seat
        self.species = species
        self.hand = hand
        self.bag = bag

    @property
    def score(self) -> int:
        score = self.bag
        for board in self.species:
            score += board.population + len(board.traits)
        return score

    def clone(self) -> "Player":
        return Player(self.seat, self.species[:], self.hand, self.bag)

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

    def __reduce__(self) -> tuple[object, tuple[int, list[Species], tuple[Card, ...], int]]:
        return Player, (self.seat, self.species, self.hand, self.bag)
