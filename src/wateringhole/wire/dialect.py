"""The protocol of a dialect: how requests to one seat become JSON, and how the answers become a move.

Laws: no sockets, no clock. A talk asks, gets JSON answers and returns a move; an answer that is none raises ShapeError.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct

from wateringhole.events import Event
from wateringhole.fault import Asked, Fault
from wateringhole.moves import ASKED_BY, Move, Reply
from wateringhole.record import Result
from wateringhole.view import Choose, Feed, Request, Start
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError


class Ask(Struct, frozen=True):
    """A message that must be answered. `most` is the largest bare number that the answer could be."""

    value: Json
    most: int | None = None


Talk: TypeAlias = Generator[Ask, Json, Move]


class Dialect(Protocol):
    """One seat's language. Whatever it has no word for is an empty list of messages."""

    @property
    def name(self) -> str: ...

    def welcome(self, seat: int) -> list[Json]:
        """The seat is taken."""

    def start(self, request: Start) -> list[Json]:
        """A turn begins."""

    def choose(self, request: Choose) -> Talk:
        """How do you use your cards?"""

    def feed(self, request: Feed) -> Talk:
        """What do you feed next?"""

    def story(self, events: Sequence[Event]) -> list[Json]:
        """This happened, for everybody to see."""

    def expelled(self, fault: Fault) -> list[Json]:
        """You are out."""

    def over(self, seat: int, result: Result) -> list[Json]:
        """The game is over, and nothing in it is secret any more."""


def talk(dialect: Dialect, request: Request) -> Talk:
    """The conversation about this request."""
    return dialect.feed(request) if isinstance(request, Feed) else dialect.choose(request)


def hold(talk: Talk, request: Request, answer: Callable[[Ask], Json]) -> Reply:
    """Carry on a whole conversation with somebody who answers at once."""
    during: Asked = "feed" if isinstance(request, Feed) else "choose"
    try:
        ask = next(talk)
        while True:
            given = answer(ask)
            # Only the talk is tried: a StopIteration that the answerer lets out must not pass for the end of it.
            try:
                ask = talk.send(given)
            except StopIteration as end:
                move: Move = end.value
                return move
    except ShapeError as error:
        return misspoken(error, during)


def misspoken(error: ShapeError, during: Asked) -> Fault:
    """The fault of an answer that is no move."""
    return Fault(error.reason, f"answers {during} badly: {error}", error.rule or ASKED_BY[during], during)
