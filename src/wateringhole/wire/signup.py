"""Sign-up: recognises the dialect and the name from the first value of a connection.

Laws: pure; a first value that means nothing is a ShapeError that says so.
"""

import unicodedata
from collections.abc import Callable, Collection
from typing import Final

from msgspec import Struct

from wateringhole.fault import shown
from wateringhole.wire.dialect import Dialect
from wateringhole.wire.framing import Json
from wateringhole.wire.hello import Hello
from wateringhole.wire.json_codec import ShapeError
from wateringhole.wire.native import VERSION, Native, sign_up_in
from wateringhole.wire.requests import Requests
from wateringhole.wire.s16 import S16
from wateringhole.wire.tagged import Tagged

MAX_NAME_CHARS: Final = 64
DIALECTS: Final[dict[str, Callable[[], Dialect]]] = {
    "s16": S16,
    "hello": Hello,
    "tagged": Tagged,
    "requests": Requests,
    "native": Native,
}

DEALER_FIRST: Final = frozenset({"tagged", "requests"})
"""Dialects whose first designs know no sign-up: a client just connects and waits."""


class Newcomer(Struct, frozen=True):
    """What a first value tells: the dialect and the name, or the token of a seat."""

    dialect: Dialect
    name: str = ""
    token: str = ""
    since: int = 0


def recognised(value: Json, bound: str | None) -> Newcomer:
    """Who says this first on a port that speaks this dialect, or any; ShapeError when it means nothing."""
    if isinstance(value, str) and bound != "native":
        if bound is None:
            return Newcomer(Hello()) if value == "Hello" else Newcomer(S16(), cleaned(value))
        return Newcomer(DIALECTS[bound](), "" if bound == "hello" else cleaned(value))
    if not isinstance(value, dict) or bound not in {None, "native"}:
        raise ShapeError(f"{shown(value)} is no sign-up")
    hello = sign_up_in(value)
    if hello.wateringhole != VERSION:
        raise ShapeError(f"version {hello.wateringhole} is not spoken here")
    if hello.dialect not in DIALECTS:
        raise ShapeError(f"no dialect {shown(hello.dialect)}; known: {', '.join(DIALECTS)}")
    if hello.select_food_card and hello.dialect != Requests.name:
        raise ShapeError(f"select_food_card is a question of {Requests.name}, not of {hello.dialect}")
    dialect = Requests(food_card=True) if hello.select_food_card else DIALECTS[hello.dialect]()
    return Newcomer(dialect, cleaned(hello.name), hello.token, hello.since)


def cleaned(name: str) -> str:
    """A name that can be shown anywhere: printable, on one line, of a bearable length; it may be empty."""
    kept = "".join(char if char.isprintable() else " " for char in unicodedata.normalize("NFC", name))
    return " ".join(kept.split())[:MAX_NAME_CHARS].rstrip()


def numbered(name: str, taken: Collection[str]) -> str:
    """This name, or the first of "NAME 2", "NAME 3" and so on that is not taken."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name[: MAX_NAME_CHARS - len(f' {number}')]} {number}"
    return found
