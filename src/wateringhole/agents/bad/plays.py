"""Well-shaped card plays that the rules forbid."""

from typing import Final

from wateringhole import rulebook
from wateringhole.agents.bad.misdeed import NOT_YET, Misdeed
from wateringhole.cards import Card
from wateringhole.fault import Reason
from wateringhole.moves import CardPlay, Growth, NewBoard, Replacement
from wateringhole.species import MAX_BODY, MAX_POPULATION
from wateringhole.view import Choose


def _missing_card(request: Choose) -> object:
    return CardPlay(food=len(request.me.hand))


def _card_twice(_: Choose) -> object:
    return CardPlay(food=0, population=(Growth(0, 1),), body=(Growth(0, 1),))


def _missing_board(request: Choose) -> object:
    return CardPlay(food=0, population=(Growth(len(request.me.species), 1),))


def _missing_board_for_body(request: Choose) -> object:
    return CardPlay(food=0, body=(Growth(len(request.me.species), 1),))


def _missing_board_for_trait(request: Choose) -> object:
    return CardPlay(food=0, traits=(Replacement(len(request.me.species), 0, 1),))


def _growths(request: Choose, number: int) -> tuple[Growth, ...] | None:
    """This many growths of board 0, once there are the cards for it."""
    return tuple(Growth(0, card) for card in range(1, 1 + number)) if len(request.me.hand) > number else None


def _too_many_animals(request: Choose) -> object:
    growths = _growths(request, MAX_POPULATION + 1 - request.me.species[0].population)
    return NOT_YET if growths is None else CardPlay(food=0, population=growths)


def _too_large_a_body(request: Choose) -> object:
    growths = _growths(request, MAX_BODY + 1 - request.me.species[0].body)
    return NOT_YET if growths is None else CardPlay(food=0, body=growths)


def _pair(hand: tuple[Card, ...]) -> tuple[int, int] | None:
    """Two cards with the same trait."""
    for second in range(len(hand)):
        for first in range(second):
            if hand[first].trait is hand[second].trait:
                return first, second
    return None


def _trait_twice_on_new_board(request: Choose) -> object:
    pair = _pair(request.me.hand)
    if pair is None:
        return NOT_YET
    food, pay = [card for card in range(len(request.me.hand)) if card not in pair][:2]
    return CardPlay(food, boards=(NewBoard(pay, pair),))


def _trait_twice_by_replacement(request: Choose) -> object:
    pair = _pair(request.me.hand)
    if pair is None or len(request.me.hand) < 5:
        return NOT_YET
    first, second = pair
    food, pay, other = [card for card in range(len(request.me.hand)) if card not in pair][:3]
    if request.me.hand[other].trait is request.me.hand[first].trait:
        return NOT_YET
    board = len(request.me.species)
    return CardPlay(food, boards=(NewBoard(pay, (first, other)),), traits=(Replacement(board, 1, second),))


def _missing_slot(request: Choose) -> object:
    return CardPlay(food=0, traits=(Replacement(0, len(request.me.species[0].traits), 1),))


PLAYS: Final = (
    Misdeed("missing-card", Reason.ILLEGAL, rulebook.PLAY_CARDS, choose=_missing_card),
    Misdeed("card-twice", Reason.ILLEGAL, rulebook.PLAY_ONCE, choose=_card_twice),
    Misdeed("missing-board", Reason.ILLEGAL, rulebook.PLAY_BOARDS, choose=_missing_board),
    Misdeed("missing-board-for-body", Reason.ILLEGAL, rulebook.PLAY_BOARDS, choose=_missing_board_for_body),
    Misdeed("missing-board-for-trait", Reason.ILLEGAL, rulebook.PLAY_BOARDS, choose=_missing_board_for_trait),
    Misdeed("too-many-animals", Reason.ILLEGAL, rulebook.PLAY_POPULATION, choose=_too_many_animals),
    Misdeed("too-large-a-body", Reason.ILLEGAL, rulebook.PLAY_BODY, choose=_too_large_a_body),
    Misdeed("trait-twice-on-new-board", Reason.ILLEGAL, rulebook.PLAY_NEW_TRAITS, choose=_trait_twice_on_new_board),
    Misdeed("missing-slot", Reason.ILLEGAL, rulebook.PLAY_SLOTS, choose=_missing_slot),
    Misdeed("trait-twice-by-replacement", Reason.ILLEGAL, rulebook.PLAY_TRAITS, choose=_trait_twice_by_replacement),
)
