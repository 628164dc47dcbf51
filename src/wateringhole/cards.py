"""The cards: one for each trait and food value, 122 in all, and a shuffle that any language can repeat.

Laws: a card is one of the 122 and exists once, so cards compare by identity; a deck is a tuple, its first card on top.
"""

import hashlib
from collections.abc import Iterator
from typing import Final, NoReturn

from mypy_extensions import mypyc_attr

from wateringhole.traits import BIT, MAX_FOOD, Trait
from wateringhole.value import COMPILED


@mypyc_attr(acyclic=True)
class Card:
    """One of the 122 cards: its trait and its food value. `bit` is that of its trait, `order` its place in DECK.

    Each card exists once; `card` finds it.
    """

    __slots__ = ("bit", "food", "order", "trait")

    def __init__(self, trait: Trait, food: int, order: int) -> None:
        self.trait: Final = trait
        self.food: Final = food
        self.order: Final = order
        self.bit: Final = BIT[trait]

    def __repr__(self) -> str:
        return f"card({self.food}, {self.trait.value!r})"

    def __reduce__(self) -> tuple[object, tuple[int, str]]:
        return card, (self.food, self.trait.value)


def _sorted_deck() -> Iterator[Card]:
    order = 0
    for trait in sorted(Trait):
        for food in range(-MAX_FOOD[trait], MAX_FOOD[trait] + 1):
            yield Card(trait, food, order)
            order += 1


DECK: Final = tuple(_sorted_deck())
"""All 122 cards, sorted by the name of the trait, then by the food value."""


def _refuse(held: Card, name: str, *_: object) -> NoReturn:
    raise AttributeError(f"{name} of {held} cannot be changed")


if not COMPILED:  # where Final binds no caller
    for method in ("__setattr__", "__delattr__"):
        setattr(Card, method, _refuse)

_BY_FACE: Final = {(c.food, c.trait.value): c for c in DECK}


def card(food: int, trait: str) -> Card:
    """The card with this face; KeyError when it is not one of the 122."""
    return _BY_FACE[food, trait]


def any_twice(cards: tuple[Card, ...]) -> bool:
    """Whether a card is there more than once.

    A set is quickest in plain Python; compiled it would take three times as long as this list.
    """
    if not COMPILED:
        return len(set(cards)) < len(cards)
    seen = [False] * len(DECK)
    for held in cards:
        if seen[held.order]:
            return True
        seen[held.order] = True
    return False


def shuffled(seed: str | int) -> tuple[Card, ...]:
    """The deck of 122 cards in the order that this seed gives, on any machine; docs/rules.md specifies the shuffle."""
    deck = list(DECK)
    stream = _bytes_of(str(seed))
    for last in range(len(deck) - 1, 0, -1):
        swap = _below(last + 1, stream)
        deck[last], deck[swap] = deck[swap], deck[last]
    return tuple(deck)


def _bytes_of(seed: str) -> Iterator[int]:
    counter = 0
    while True:
        yield from hashlib.sha256(seed.encode() + counter.to_bytes(8, "big")).digest()
        counter += 1


def _below(limit: int, stream: Iterator[int]) -> int:
    """A number below limit, each equally likely: bytes that would favour the small ones are thrown away."""
    fair = 256 - 256 % limit
    while True:
        byte = next(stream)
        if byte < fair:
            return byte % limit
