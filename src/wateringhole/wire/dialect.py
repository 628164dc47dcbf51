"""What a dialect is: how requests to one seat become JSON, and how the answers become a move.

Laws: no sockets, no clock. A talk asks, gets JSON answers and returns a move; an answer that is none raises ShapeError.
"""

from collections.abc import Callable, Generator, Sequence
from typing import ClassVar, TypeAlias

from msgspec import Struct

from wateringhole.events import Event
from wateringhole.fault import Asked, Fault
from wateringhole.moves import ASKED_BY, Move, Reply
from wateringhole.record import Result
from wateringhole.view import Choose, Feed, Request, Start
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError
from wateringhole.wire.names import cleaned


class Ask(Struct, frozen=True):
    """A message that must be answered. `most` is the largest bare number that the answer could be."""

    value: Json
    most: int | None = None


Talk: TypeAlias = Generator[Ask, Json, Move]


class Dialect:
    """The server's end of one seat's conversation. What a dialect has no word for is an empty list of messages.

    A dialect module has a subclass of it, and one of ClientEnd for the other end; wire/dialects.py lists them.
    """

    name: ClassVar[str]
    hears_story: ClassVar[bool] = False
    """Whether it tells clients what happens."""
    can_return: ClassVar[bool] = False
    """Whether a client that has lost its connection can take its seat again, with a token."""
    dealer_first: ClassVar[bool] = False
    """Whether its document knows no sign-up: a client just connects, and the server speaks first."""

    token_hashes: tuple[str, ...] = ()
    """Of the tokens that a client may return with."""

    @classmethod
    def recognises(cls, value: Json, bound: bool) -> bool:
        """Whether clients sign up with this value; `bound`: on a port that speaks this dialect only."""
        return bound and isinstance(value, str)

    @classmethod
    def name_in(cls, value: Json) -> str:
        """The name that a client signs up with."""
        return cleaned(value) if isinstance(value, str) else ""

    def welcome(self, seat: int) -> list[Json]:
        """The seat is taken."""
        raise NotImplementedError

    def start(self, request: Start) -> list[Json]:
        """A turn begins."""
        raise NotImplementedError

    def choose(self, request: Choose) -> Talk:
        """Ask for a card play."""
        raise NotImplementedError

    def feed(self, request: Feed) -> Talk:
        """Ask for a feeding."""
        raise NotImplementedError

    def story(self, events: Sequence[Event]) -> list[Json]:
        """These public events happened."""
        return []

    def expelled(self, fault: Fault) -> list[Json]:
        """The seat is expelled."""
        return []

    def over(self, seat: int, result: Result) -> list[Json]:
        """The game is over, and nothing in it is secret any more."""
        return []

    # For dialects that tell the time and the deck's seal.

    def allow(self, seconds: float | None, bank: float | None) -> None:
        """The time for the next request, and what is left of the bank."""

    def seal(self, seal: str) -> None:
        """The seal of the deck, before the first turn."""

    # For dialects whose clients can return.

    def admits(self, token: str) -> bool:
        """Whether this is the token to return with."""
        return False

    def welcome_back(self, since: int, left: float | None = None) -> list[Json]:
        """All messages after number `since`; an open request has so many seconds left."""
        raise NotImplementedError

    def recall(self, request: Request) -> None:
        """This was asked and answered before the server was restarted."""

    def recalled(self) -> None:
        """The old messages are complete; what follows is new."""


def talk(dialect: Dialect, request: Request) -> Talk:
    """The conversation about this request."""
    return dialect.feed(request) if isinstance(request, Feed) else dialect.choose(request)


def hold(talk: Talk, request: Request, answer: Callable[[Ask], Json]) -> Reply:
    """Hold a whole conversation with a function that answers at once."""
    during: Asked = "feed" if isinstance(request, Feed) else "choose"
    try:
        ask = next(talk)
        while True:
            given = answer(ask)
            # Only the talk is in the try: a StopIteration from `answer` must not pass for the end of the talk.
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
