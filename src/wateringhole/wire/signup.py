"""Sign-up: recognises the dialect and the name from the first value of a connection.

Laws: pure; a first value that is no sign-up is a ShapeError with the value.
"""

from msgspec import Struct

from wateringhole.fault import shown
from wateringhole.wire.dialect import Dialect
from wateringhole.wire.dialects import DIALECTS
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError
from wateringhole.wire.names import cleaned
from wateringhole.wire.native import Native
from wateringhole.wire.native_messages import VERSION, sign_up_in
from wateringhole.wire.requests import Requests


class Newcomer(Struct, frozen=True):
    """A client as its first value describes it: the dialect and the name, or the token of a seat."""

    dialect: Dialect
    name: str = ""
    token: str = ""
    since: int = 0


def recognised(value: Json, bound: str | None) -> Newcomer:
    """The client with this first value, on a port of this dialect or of any; ShapeError when it is no sign-up."""
    if isinstance(value, dict) and bound in {None, Native.name}:
        return _with_object(value)
    spoken = list(DIALECTS.values()) if bound is None else [DIALECTS[bound]]
    for dialect in reversed(spoken):
        if dialect.recognises(value, bound is not None):
            return Newcomer(dialect(), dialect.name_in(value))
    raise ShapeError(f"{shown(value)} is no sign-up")


def _with_object(value: Json) -> Newcomer:
    """The sign-up of native, which may name any dialect."""
    hello = sign_up_in(value)
    if hello.wateringhole != VERSION:
        raise ShapeError(f"version {hello.wateringhole} is not spoken here")
    if hello.dialect not in DIALECTS:
        raise ShapeError(f"no dialect {shown(hello.dialect)}; known: {', '.join(DIALECTS)}")
    if hello.select_food_card and hello.dialect != Requests.name:
        raise ShapeError(f"select_food_card is a question of {Requests.name}, not of {hello.dialect}")
    dialect = Requests(food_card=True) if hello.select_food_card else DIALECTS[hello.dialect]()
    return Newcomer(dialect, cleaned(hello.name), hello.token, hello.since)
