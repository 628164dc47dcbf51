"""JSON forms of replies, for records and for the native dialect.

Every move has a twin here that the JSON library can read, write, check and describe. The rules never see one.
"""

from typing import Annotated, TypeAlias, overload

from msgspec import Meta, Struct

from wateringhole import moves
from wateringhole.fault import Fault
from wateringhole.moves import MAX_NUMBER
from wateringhole.species import MAX_TRAITS

Natural: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]


class _Part(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    pass


class _Answer(_Part, frozen=True, omit_defaults=True, tag_field="move"):
    pass


class Growth(_Part, frozen=True):
    """Trade this card for one more population, or body, of this board."""

    board: Natural
    card: Natural


class NewBoard(_Part, frozen=True):
    """Trade the card `pay` for a board on the right that bears these cards as traits."""

    pay: Natural
    traits: Annotated[tuple[Natural, ...], Meta(max_length=MAX_TRAITS)] = ()


class Replacement(_Part, frozen=True):
    """Put this card into this trait slot of this board."""

    board: Natural
    slot: Natural
    card: Natural


class CardPlay(_Answer, frozen=True, tag="play"):
    """The answer to `choose`. New boards are numbered on behind the old ones."""

    food: Natural
    population: tuple[Growth, ...] = ()
    body: tuple[Growth, ...] = ()
    boards: tuple[NewBoard, ...] = ()
    traits: tuple[Replacement, ...] = ()


class Graze(_Answer, frozen=True, tag="graze"):
    """Feed this hungry vegetarian."""

    board: Natural


class StoreFat(_Answer, frozen=True, tag="store"):
    """Store tokens on this board's fat-tissue."""

    board: Natural
    tokens: Natural


class Attack(_Answer, frozen=True, tag="attack"):
    """Let this carnivore attack board `target` of another seat."""

    board: Natural
    seat: Natural
    target: Natural


class Decline(_Answer, frozen=True, tag="decline"):
    """Feed no more in this turn."""


Feeding: TypeAlias = Graze | StoreFat | Attack | Decline
Move: TypeAlias = CardPlay | Feeding
Reply: TypeAlias = Move | Fault


@overload
def written(reply: moves.Feeding) -> Feeding: ...
@overload
def written(reply: moves.Move) -> Move: ...
@overload
def written(reply: moves.Reply) -> Reply: ...
def written(reply: moves.Reply) -> Reply:
    """The form of a reply. `int`, because an agent may well have said True for 1."""
    match reply:
        case moves.CardPlay():
            return CardPlay(
                int(reply.food),
                tuple(map(_growth, reply.population)),
                tuple(map(_growth, reply.body)),
                tuple(map(_new_board, reply.boards)),
                tuple(map(_replacement, reply.traits)),
            )
        case moves.Graze(board):
            return Graze(int(board))
        case moves.StoreFat(board, tokens):
            return StoreFat(int(board), int(tokens))
        case moves.Attack(board, seat, target):
            return Attack(int(board), int(seat), int(target))
        case moves.Decline():
            return Decline()
        case Fault():
            return reply


def _growth(growth: moves.Growth) -> Growth:
    return Growth(int(growth.board), int(growth.card))


def _new_board(new: moves.NewBoard) -> NewBoard:
    return NewBoard(int(new.pay), tuple(map(int, new.traits)))


def _replacement(swap: moves.Replacement) -> Replacement:
    return Replacement(int(swap.board), int(swap.slot), int(swap.card))


def move_of(form: Move) -> moves.Move:
    """The move of a form."""
    match form:
        case CardPlay(food, population, body, boards, traits):
            return moves.CardPlay(
                food,
                tuple([moves.Growth(growth.board, growth.card) for growth in population]),
                tuple([moves.Growth(growth.board, growth.card) for growth in body]),
                tuple([moves.NewBoard(new.pay, new.traits) for new in boards]),
                tuple([moves.Replacement(swap.board, swap.slot, swap.card) for swap in traits]),
            )
        case Graze(board):
            return moves.Graze(board)
        case StoreFat(board, tokens):
            return moves.StoreFat(board, tokens)
        case Attack(board, seat, target):
            return moves.Attack(board, seat, target)
        case Decline():
            return moves.Decline()


def reply_of(form: Reply) -> moves.Reply:
    """The reply of a form."""
    return form if isinstance(form, Fault) else move_of(form)
