"""Parses what browsers send: JSON bodies and messages, and the queries of lists."""

import asyncio
from datetime import datetime
from typing import Annotated, Final, TypeVar, cast

import msgspec
from msgspec import Meta, Struct
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from wateringhole.move_json import dec_hook
from wateringhole.store.queries import Cursor, Filter, StoredGame, utc_moment
from wateringhole.web.lessons import LessonTry
from wateringhole.web.middleware import MAX_BODY_BYTES
from wateringhole.web.page_messages import Chair
from wateringhole.web.page_text import text
from wateringhole.web.room_seats import PACE_SECONDS
from wateringhole.web.rooms import Refusal
from wateringhole.web.tab import MAX_MESSAGE_BYTES, SIGN_UP_SECONDS
from wateringhole.web.tab_messages import PageSays
from wateringhole.wire.framing import JsonError, parse

T = TypeVar("T")


CURSOR_MARK: Final = "_"
MAX_SEAT_CLAIMS: Final = 100


class Problem(HTTPException):
    """What a request asks for wrongly, by the key of its sentence in the catalogues; the answer is in the visitor's
    language. What only a program can get wrong is an `HTTPException` with an English sentence.
    """

    def __init__(self, status: int, key: str, **parameters: str | int) -> None:
        super().__init__(status, key)
        self.parameters: Final = parameters

    def sentence(self, language: str) -> str:
        return text(language, self.detail, **self.parameters)


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A table as the page asks for it."""

    places: tuple[Chair, ...]
    title: str = ""
    private: bool = False
    time: str = ""
    pace: float = PACE_SECONDS


class Fork(Struct, frozen=True, forbid_unknown_fields=True):
    """Play on after so many replies, on this seat."""

    step: int
    seat: int


class SeatClaim(Struct, frozen=True, forbid_unknown_fields=True):
    """A table, and the token of a seat there that a browser has kept."""

    table: str
    token: str


class SeatClaims(Struct, frozen=True, forbid_unknown_fields=True):
    """All seats that a browser has kept a token of."""

    seats: Annotated[tuple[SeatClaim, ...], Meta(max_length=MAX_SEAT_CLAIMS)]


def value_of_bytes(data: bytes, kind: type[T]) -> T:
    """These bytes as a value of this type; Refusal when they are none."""
    if len(data) > MAX_MESSAGE_BYTES:
        raise Refusal(f"A message of {len(data)} bytes is longer than {MAX_MESSAGE_BYTES}.")
    try:
        return msgspec.convert(parse(data), kind, dec_hook=dec_hook)
    except (JsonError, msgspec.ValidationError) as error:
        raise Refusal(f"This is not a message of the page: {error}.") from None


def page_message(data: bytes) -> PageSays:
    """The message of a page; Refusal when it is none."""
    # A union is no type to mypy, though it is one to msgspec.
    return cast(PageSays, value_of_bytes(data, cast(type, PageSays)))


async def lesson_try(request: Request) -> LessonTry:
    """The move or the plan that a page of the tutorial has tried."""
    return cast(LessonTry, await value_of_body(request, cast(type, LessonTry)))


async def value_of_body(request: Request, kind: type[T]) -> T:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "Only application/json is understood here.")
    data = b""
    try:
        async with asyncio.timeout(SIGN_UP_SECONDS):
            async for piece in request.stream():
                data += piece
                if len(data) > MAX_BODY_BYTES:
                    raise HTTPException(413, f"The request body is longer than {MAX_BODY_BYTES} bytes.")
        return value_of_bytes(data, kind)
    except TimeoutError:
        raise Problem(408, "problem.slow", count=int(SIGN_UP_SECONDS)) from None
    except ClientDisconnect:
        raise HTTPException(400, "The request body ended early.") from None
    except Refusal as refusal:
        raise HTTPException(400, str(refusal)) from None


def filter_of(request: Request) -> Filter:
    """Which games a request asks for."""
    asked = request.query_params
    return Filter(
        player=asked.get("player") or None,
        since=_moment(asked["since"]) if asked.get("since") else None,
        until=_moment(asked["until"]) if asked.get("until") else None,
        status="finished",
        tournament=asked.get("tournament") or None,
    )


def _moment(time: str) -> datetime:
    try:
        return utc_moment(time)
    except ValueError:
        raise Problem(400, "problem.time", time=f"{time:.40}") from None


def cursor_of(request: Request) -> Cursor | None:
    """Behind which game the list goes on."""
    before = request.query_params.get("before")
    if not before:
        return None
    ended, _, game = before.partition(CURSOR_MARK)
    return _moment(ended), game.replace("\0", "")


def cursor_text(game: StoredGame) -> str:
    return f"{game.ended:%Y-%m-%dT%H:%M:%S.%fZ}{CURSOR_MARK}{game.id}"
