"""`Fault`, the reply that the failure of an agent becomes, with its reason, and texts for its sentence."""

import json
from collections.abc import Iterable
from enum import StrEnum
from typing import Literal, TypeAlias, final

from msgspec import Struct
from msgspec.structs import force_setattr

from wateringhole import rulebook


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


def json_line(value: object) -> str:
    """The value as JSON that can be shown on any screen; what has no JSON is told by its class."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return (
            f"the class {value.__name__}"
            if isinstance(value, type)
            else f"an object of the class {type(value).__name__}"
        )
    return text if text.isprintable() else "".join([_escaped(char) for char in text])


def _escaped(char: str) -> str:
    return char if char.isprintable() else json.dumps(char)[1:-1]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The known word that was probably meant, in brackets with a space before them; empty if none is close."""
    import difflib  # noqa: PLC0415  # only mistakes need it

    close = difflib.get_close_matches(word, list(known), 1)
    return f" (did you mean {close[0]}?)" if close else ""


def shown(value: object) -> str:
    """The same, cut to a length that fits into a sentence."""
    text = json_line(value)
    return text if len(text) <= 80 else text[:77] + "..."


During: TypeAlias = Literal["start", "choose", "feed", ""]
Asked: TypeAlias = Literal["choose", "feed"]


@final
class Fault(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="move", tag="fault"
):
    """The failure of an agent. `text` fits behind the player's name; `rule` is the broken one, `during` what was asked.

    A fault in `start` removes the seat at once; others wait until all seats that were asked have answered.
    """

    reason: Reason
    text: str
    rule: str = rulebook.EXPULSION
    during: During = ""

    def __post_init__(self) -> None:
        # The words may be an agent's: whatever they are, they must fit into one line and not move a cursor.
        text = self.text
        if not text.isprintable():
            text = "".join(char if char.isprintable() else " " for char in text)
        force_setattr(self, "text", " ".join(text.split()))
