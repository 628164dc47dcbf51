"""Everything an agent may answer, and what its failures become.

Laws: boards and cards are named by their index, seats absolutely. A `sound` move holds only naturals; whether it is
legal is for the rules to say.
"""

from enum import StrEnum
from typing import Annotated, Final, Literal, TypeAlias, final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from wateringhole import rulebook
from wateringhole.species import MOST_TRAITS

MOST_NUMBER: Final = 2**31 - 1
Natural: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_NUMBER)]


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
    traits: Annotated[tuple[Natural, ...], Meta(max_length=MOST_TRAITS)] = ()


class Replacement(_Part, frozen=True):
    """Put this card into this trait slot of this board."""

    board: Natural
    slot: Natural
    card: Natural


@final
class CardPlay(_Answer, frozen=True, tag="play"):
    """The answer to `choose`. New boards are numbered on behind the old ones."""

    food: Natural
    population: tuple[Growth, ...] = ()
    body: tuple[Growth, ...] = ()
    boards: tuple[NewBoard, ...] = ()
    traits: tuple[Replacement, ...] = ()


@final
class Graze(_Answer, frozen=True, tag="graze"):
    """Feed this hungry vegetarian."""

    board: Natural


@final
class StoreFat(_Answer, frozen=True, tag="store"):
    """Store tokens on this board's fat-tissue."""

    board: Natural
    tokens: Natural


@final
class Attack(_Answer, frozen=True, tag="attack"):
    """Let this carnivore attack board `target` of another seat."""

    board: Natural
    seat: Natural
    target: Natural


@final
class Decline(_Answer, frozen=True, tag="decline"):
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
Asked: TypeAlias = Literal["choose", "feed"]


@final
class Fault(_Answer, frozen=True, tag="fault"):
    """Whatever an agent did wrong. The text fits behind the player's name; the rule is the one it broke, if any.

    A fault in `start` removes the seat at once; others wait until everybody who was asked has answered.
    """

    reason: Reason
    text: str
    rule: str = rulebook.EXPULSION
    during: During = ""

    def __post_init__(self) -> None:
        # The words may be an agent's: whatever they are, they must fit into one line and not move a cursor.
        printable = "".join(char if char.isprintable() else " " for char in self.text)
        force_setattr(self, "text", " ".join(printable.split()))


Feeding: TypeAlias = Graze | StoreFat | Attack | Decline
Move: TypeAlias = CardPlay | Feeding
Reply: TypeAlias = Move | Fault

MOVES: Final = (CardPlay, Graze, StoreFat, Attack, Decline)


ASKED_BY: Final = {"choose": rulebook.PLAY_SHAPE, "feed": rulebook.OPTIONS}
_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Move)


def sound(answer: object, during: Asked) -> Move | Fault:
    """The move that was answered, or a fault if it is none in every part: types alone bind no agent.

    Out and in again, because the library checks the shape in a fraction of the time that Python would take.
    """
    try:
        if type(answer) in MOVES:
            move: Move = _DECODER.decode(_ENCODER.encode(answer))
            return move
        wrong = "not a move"
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        wrong = str(error)
    return Fault(Reason.SHAPE, f"answers {during} with {answer!r:.80}: {wrong}", ASKED_BY[during], during)


def misplaced(move: Move, during: Asked) -> Fault:
    """The fault of answering with a move of the wrong kind."""
    return Fault(Reason.ILLEGAL, f"answers {during} with {type(move).__name__}", ASKED_BY[during], during)
