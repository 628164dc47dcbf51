"""The shrinker's steps for card plays: a part of the play taken away, or a count made smaller.

Laws: what is left means what it meant; boards, slots and cards behind the one that is gone move up.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias, TypeVar

from wateringhole.conformance.situations import with_item
from wateringhole.moves import CardPlay, Growth, NewBoard, Replacement
from wateringhole.value import replace

T = TypeVar("T")
P = TypeVar("P", Growth, Replacement)

Edit: TypeAlias = Callable[[CardPlay], CardPlay]


def without(row: tuple[T, ...], at: int) -> tuple[T, ...]:
    """The row without what is at this place."""
    return row[:at] + row[at + 1 :]


def parts(play: CardPlay, old: int) -> list[Edit]:
    """Everything in this play but the food card, for a player with so many old boards.

    What names something by its place comes behind what may take that thing away: edits are made from right to left.
    """
    return [
        *[partial(_without_new_board, old=old, at=at) for at in range(len(play.boards))],
        *[
            partial(_without_new_trait, old=old, at=at, slot=slot)
            for at, new in enumerate(play.boards)
            for slot in range(len(new.traits))
        ],
        *[partial(_without_population, at=at) for at in range(len(play.population))],
        *[partial(_without_body, at=at) for at in range(len(play.body))],
        *[partial(_without_replacement, at=at) for at in range(len(play.traits))],
    ]


def _without_population(play: CardPlay, at: int) -> CardPlay:
    return replace(play, population=without(play.population, at))


def _without_body(play: CardPlay, at: int) -> CardPlay:
    return replace(play, body=without(play.body, at))


def _without_replacement(play: CardPlay, at: int) -> CardPlay:
    return replace(play, traits=without(play.traits, at))


def _without_new_board(play: CardPlay, old: int, at: int) -> CardPlay:
    return forget_board(replace(play, boards=without(play.boards, at)), old + at)


def _without_new_trait(play: CardPlay, old: int, at: int, slot: int) -> CardPlay:
    new = replace(play.boards[at], traits=without(play.boards[at].traits, slot))
    return forget_slot(replace(play, boards=with_item(play.boards, at, new)), old + at, slot)


def forget_board(play: CardPlay, gone: int) -> CardPlay:
    """The play without anything for this board; the boards to the right of it move up."""

    def kept(parts: tuple[P, ...]) -> tuple[P, ...]:
        return tuple(replace(part, board=_lower(part.board, gone)) for part in parts if part.board != gone)

    return replace(play, population=kept(play.population), body=kept(play.body), traits=kept(play.traits))


def forget_slot(play: CardPlay, board: int, gone: int) -> CardPlay:
    """The play without a replacement in this slot; the slots behind it move up."""
    swaps = [
        replace(swap, slot=_lower(swap.slot, gone)) if swap.board == board else swap
        for swap in play.traits
        if (swap.board, swap.slot) != (board, gone)
    ]
    return replace(play, traits=tuple(swaps))


def forget_card(play: CardPlay, gone: int) -> CardPlay:
    """The play with the cards behind this one, which it does not use, moved up."""

    def moved(parts: tuple[P, ...]) -> tuple[P, ...]:
        return tuple(replace(part, card=_lower(part.card, gone)) for part in parts)

    boards = [NewBoard(_lower(new.pay, gone), tuple(_lower(card, gone) for card in new.traits)) for new in play.boards]
    return CardPlay(
        _lower(play.food, gone), moved(play.population), moved(play.body), tuple(boards), moved(play.traits)
    )


def _lower(number: int, gone: int) -> int:
    return number - 1 if number > gone else number
