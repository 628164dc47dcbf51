"""Worlds: games that look to one seat like the one it is asked about, with the hidden cards dealt at random.

Laws: a world depends on what the seat may know and on the random numbers, on nothing else.
"""

from collections.abc import Collection, Mapping
from random import Random

from wateringhole.cards import DECK, Card
from wateringhole.game import Game
from wateringhole.player import Other, Player


def world(
    random: Random,
    me: Player,
    before: tuple[Other, ...],
    after: tuple[Other, ...],
    cards_left: int,
    spent: Collection[Card] | None,
    bags: Mapping[int, int] | None = None,
) -> Game:
    """A game with these players, in this order, and so many cards left in the deck.

    No card is in two places: the others' hands and the deck come from those that are not in the own hand, nor on a
    board. Of a trait on a board any card may be that one. `spent`: the cards that this seat has played, if it knows
    them, those on its own boards included. `bags`: what it thinks that the others have in their bags, by seat; without
    it nothing.
    """
    others = (*before, *after)
    hands, deck = _dealt(random, me, others, cards_left, spent)
    row = [_guessed(other, hands, bags) for other in before]
    row.append(me)
    row += [_guessed(other, hands, bags) for other in after]
    names = tuple([f"seat {seat}" for seat in range(1, max([player.seat for player in row]) + 1)])
    return Game(names, {player.seat: player for player in row}, deck, 0)


def _guessed(other: Other, hands: dict[int, tuple[Card, ...]], bags: Mapping[int, int] | None) -> Player:
    return Player(other.seat, other.species, hands[other.seat], 0 if bags is None else bags.get(other.seat, 0))


def _dealt(
    random: Random, me: Player, others: tuple[Other, ...], cards_left: int, spent: Collection[Card] | None
) -> tuple[dict[int, tuple[Card, ...]], tuple[Card, ...]]:
    """The others' hands and the deck, as they may be."""
    gone = () if spent is None else spent
    unseen = [card for card in DECK if card not in gone and card not in me.hand]
    random.shuffle(unseen)
    boards = [board for other in others for board in other.species]
    if spent is None:
        boards += me.boards
    for board in boards:
        for trait in board.traits:
            for at, card in enumerate(unseen):
                if card.trait is trait:
                    del unseen[at]
                    break
    hands: dict[int, tuple[Card, ...]] = {}
    for other in others:
        hands[other.seat] = tuple(unseen[: other.cards])
        del unseen[: other.cards]
    return hands, tuple(unseen[:cards_left])
