"""Generates all card plays with distinct outcomes: food card, boards, cards left.

Cards that pay for a board or for growth are interchangeable, and so are the orders of most steps: of all plays that
lead to one outcome, one is made. Cards become traits in all orders that the rules allow, because a trait that is put
down and replaced in the same play leaves no trace but a card less.

Laws: the plays come by food card, then by how many other cards they use, then by which, in the order of the hand. They
are made when they are asked for.
"""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import NamedTuple

from wateringhole.cards import Card
from wateringhole.moves import CardPlay, Growth, NewBoard, Replacement
from wateringhole.species import MAX_BODY, MAX_POPULATION, MAX_TRAITS, Species
from wateringhole.traits import Trait

Slots = tuple[tuple[Trait, ...], ...]
"""The traits on every board, from left to right, new boards at the end."""


class _Steps(NamedTuple):
    """How traits came onto boards: the cards of each new board, and the replacements in their order."""

    boards: tuple[tuple[int, ...], ...]
    replacements: tuple[Replacement, ...] = ()


_Placings = dict[tuple[Slots, frozenset[int]], _Steps]
"""By the traits on all boards, and the boards that have lost their fat."""


def plays(species: tuple[Species, ...], hand: tuple[Card, ...]) -> Iterator[CardPlay]:
    """Every card play that may be chosen with these boards and this hand."""
    placings = _Placing(species, hand)
    for food in range(len(hand)):
        others = [card for card in range(len(hand)) if card != food]
        for count in range(len(others) + 1):
            for used in combinations(others, count):
                yield from _plays_with(food, used, species, placings)


def _plays_with(
    food: int, used: tuple[int, ...], species: tuple[Species, ...], placings: "_Placing"
) -> Iterator[CardPlay]:
    """All that use exactly these cards besides the food card."""
    known = set()
    for count in range(len(used) + 1):
        for traits in combinations(used, count):
            rest = [card for card in used if card not in traits]
            for new in range(len(rest) + 1):
                for (slots, lean), steps in placings.of(traits, new).items():
                    for grown in _growths(len(rest) - new, _room(species, new)):
                        key = slots, lean, grown
                        if key not in known:
                            known.add(key)
                            yield _play(food, rest, new, steps, grown)


def _room(species: tuple[Species, ...], new: int) -> tuple[int, ...]:
    """By how much each population may grow, and then each body."""
    populations = [MAX_POPULATION - board.population for board in species] + [MAX_POPULATION - 1] * new
    bodies = [MAX_BODY - board.body for board in species] + [MAX_BODY] * new
    return (*populations, *bodies)


def _growths(cards: int, room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All ways to give so many cards to places with so much room."""
    if not room:
        if not cards:
            yield ()
        return
    for here in range(min(cards, room[0]), -1, -1):
        for others in _growths(cards - here, room[1:]):
            yield (here, *others)


def _play(food: int, cards: list[int], new: int, steps: _Steps, grown: tuple[int, ...]) -> CardPlay:
    """The first cards pay for the boards, the next ones for growth, from left to right."""
    boards = tuple([NewBoard(pay, traits) for pay, traits in zip(cards[:new], steps.boards, strict=True)])
    places = [place for place, times in enumerate(grown) for _ in range(times)]
    growths = list(zip(places, cards[new:], strict=True))
    bodies = len(grown) // 2
    population = tuple([Growth(place, card) for place, card in growths if place < bodies])
    body = tuple([Growth(place - bodies, card) for place, card in growths if place >= bodies])
    return CardPlay(food, population, body, boards, steps.replacements)


class _Placing:
    """How cards can become traits; each answer is worked out once."""

    def __init__(self, species: tuple[Species, ...], hand: tuple[Card, ...]) -> None:
        self._hand = hand
        self._slots: Slots = tuple([board.traits for board in species])
        self._fat = frozenset([at for at, board in enumerate(species) if board.fat_food])
        self._known: dict[tuple[tuple[int, ...], int], _Placings] = {}

    def of(self, cards: tuple[int, ...], new: int) -> _Placings:
        """All that exactly these cards can become with so many new boards."""
        known = self._known.get((cards, new))
        if known is None:
            known = self._known[cards, new] = self._on_new_boards(cards, new)
            for card in cards:
                before = self.of(tuple([other for other in cards if other != card]), new)
                for (slots, lean), steps in before.items():
                    self._replace(known, slots, lean, steps, card)
        return known

    def _on_new_boards(self, cards: tuple[int, ...], new: int) -> _Placings:
        """All cards lie on new boards, in every order."""
        found: _Placings = {}
        for dealt in _dealt(cards, new):
            traits = tuple([tuple([self._hand[card].trait for card in board]) for board in dealt])
            if all(len(set(board)) == len(board) for board in traits):
                found.setdefault((self._slots + traits, frozenset()), _Steps(dealt))
        return found

    def _replace(self, found: _Placings, slots: Slots, lean: frozenset[int], steps: _Steps, card: int) -> None:
        """This card replaces any trait for which that is allowed."""
        trait = self._hand[card].trait
        for at, traits in enumerate(slots):
            for slot, replaced in enumerate(traits):
                if trait is replaced or trait not in traits:
                    changed = (*traits[:slot], trait, *traits[slot + 1 :])
                    lost = replaced is Trait.FAT_TISSUE and at in self._fat
                    key = (*slots[:at], changed, *slots[at + 1 :]), lean | {at} if lost else lean
                    swap = Replacement(at, slot, card)
                    found.setdefault(key, _Steps(steps.boards, (*steps.replacements, swap)))


def _dealt(cards: tuple[int, ...], new: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All ways to lay these cards in rows on so many new boards."""
    if not new:
        if not cards:
            yield ()
        return
    for count in range(min(len(cards), MAX_TRAITS) + 1):
        for chosen in combinations(cards, count):
            rest = tuple([card for card in cards if card not in chosen])
            for others in _dealt(rest, new - 1):
                for row in permutations(chosen):
                    yield (row, *others)
