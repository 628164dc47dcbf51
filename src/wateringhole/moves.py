"""Everything an agent may answer, and what its failures become.

Laws: boards and cards are named by their index, seats absolutely. A move that passes `misshapen` holds only naturals;
whether it is legal is for the rules to say.
"""

from enum import StrEnum
from typing import Final, Literal, TypeAlias, final

from msgspec import Struct

from wateringhole import rulebook


class Growth(Struct, frozen=True, gc=False):
    """Trade this card for one more population, or body, of this board."""

    board: int
    card: int


class NewBoard(Struct, frozen=True, gc=False):
    """Trade the card `pay` for a board on the right that bears these cards as traits."""

    pay: int
    traits: tuple[int, ...] = ()


class Replacement(Struct, frozen=True, gc=False):
    """Put this card into this trait slot of this board."""

    board: int
    slot: int
    card: int


@final
class CardPlay(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="move", tag="play"):
    """The answer to `choose`. New boards are numbered on behind the old ones."""

    food: int
    population: tuple[Growth, ...] = ()
    body: tuple[Growth, ...] = ()
    boards: tuple[NewBoard, ...] = ()
    traits: tuple[Replacement, ...] = ()


@final
class Graze(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="move", tag="graze"):
    """Feed this hungry vegetarian."""

    board: int


@final
class StoreFat(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="move", tag="store"):
    """Store tokens on this board's fat-tissue."""

    board: int
    tokens: int


@final
class Attack(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="move", tag="attack"):
    """Let this carnivore attack board `target` of another seat."""

    board: int
    seat: int
    target: int


@final
class Decline(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="move", tag="decline"):
    """Feed no more in this turn."""


class Reason(StrEnum):
    """Why a seat was expelled."""

    EXCEPTION = "exception"
    TIMEOUT = "timeout"
    DISCONNECTED = "disconnected"
    UNSOLICITED = "unsolicited"
    BAD_UTF8 = "bad-utf8"
    BAD_JSON = "bad-json"
    TOO_BIG = "too-big"
    SHAPE = "shape"
    ILLEGAL = "illegal"
    SLOW_READER = "slow-reader"
    EXITED = "exited"
    MEMORY = "memory"
    SERVER_ERROR = "server-error"


During: TypeAlias = Literal["start", "choose", "feed", ""]


@final
class Fault(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="move", tag="fault"):
    """Whatever an agent did wrong. The text fits behind the player's name; the rule is the one it broke, if any.

    A fault in `start` removes the seat at once; others wait until everybody who was asked has answered.
    """

    reason: Reason
    text: str
    rule: str = rulebook.EXPULSION
    during: During = ""


Feeding: TypeAlias = Graze | StoreFat | Attack | Decline
Move: TypeAlias = CardPlay | Feeding
Reply: TypeAlias = Move | Fault

MOVES: Final = (CardPlay, Graze, StoreFat, Attack, Decline)


def misshapen(move: Move) -> str | None:
    """What in this move is no natural number or not made of the right parts, or None: types alone bind no agent."""
    if type(move) is Graze:
        numbers: tuple[object, ...] = (move.board,)
    elif type(move) is StoreFat:
        numbers = (move.board, move.tokens)
    elif type(move) is Attack:
        numbers = (move.board, move.seat, move.target)
    elif type(move) is Decline:
        return None
    else:
        wrong = _misbuilt(move)
        if wrong is not None:
            return wrong
        numbers = (move.food,)
        for growth in move.population + move.body:
            numbers += (growth.board, growth.card)
        for new in move.boards:
            numbers += (new.pay, *new.traits)
        for swap in move.traits:
            numbers += (swap.board, swap.slot, swap.card)
    for number in numbers:
        if type(number) is not int or number < 0:
            return f"has {number!r:.80} where a natural number is due"
    return None


def _misbuilt(play: CardPlay) -> str | None:
    parts: tuple[tuple[object, type], ...] = (
        (play.population, Growth),
        (play.body, Growth),
        (play.boards, NewBoard),
        (play.traits, Replacement),
    )
    for part, kind in parts:
        if type(part) is not tuple:
            return f"has {part!r:.80} where a tuple of {kind.__name__} is due"
        for item in part:
            if type(item) is not kind:
                return f"has {item!r:.80} where a {kind.__name__} is due"
    for new in play.boards:
        if type(new.traits) is not tuple:
            return f"has {new.traits!r:.80} where a tuple of trait cards is due"
        if len(new.traits) > 3:
            return f"puts {len(new.traits)} traits on a new board, which has room for 3"
    return None
