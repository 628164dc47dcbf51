"""Bytes to JSON values: whole texts, and streams of values with no framing.

Laws: no sockets, no clock (the time is an argument). Linear in the number of bytes. Size, depth and digits are bounded
before anything is parsed. Whatever the bytes, the only exception is JsonError, its text one line.
"""

import json
import re
from typing import Final, NoReturn, TypeAlias

from wateringhole.moves import Reason

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None

MOST_DIGITS: Final = 4_000
MOST_DEPTH: Final = 64

_STRINGS_AND_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]')


class JsonError(ValueError):
    """The bytes are no acceptable JSON text; the reason is the one that an agent who sent them is expelled for."""

    def __init__(self, text: str, reason: Reason = Reason.BAD_JSON) -> None:
        super().__init__(text)
        self.reason = reason


def parse(data: bytes) -> Json:
    """The one JSON value that these bytes spell."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise JsonError(f"not UTF-8: byte {error.start} is {data[error.start]:#04x}", Reason.BAD_UTF8) from None
    _check_depth(text)
    try:
        value: Json = json.loads(text, parse_constant=_refuse, parse_int=_whole, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    if "\\ud" in text.lower():
        # Half a surrogate pair can be spelt in JSON, but not written to anything: it becomes a question mark.
        value = json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
    return value


def _check_depth(text: str) -> None:
    """Parsers recurse, so the depth is bounded before one runs."""
    depth = 0
    for token in _STRINGS_AND_BRACKETS.finditer(text):
        match token[0]:
            case "[" | "{":
                depth += 1
                if depth > MOST_DEPTH:
                    raise JsonError(f"JSON nested more than {MOST_DEPTH} deep")
            case "]" | "}":
                depth -= 1


def _refuse(name: str) -> NoReturn:
    raise JsonError(f"not JSON: {name} is no JSON number")


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise JsonError(f"JSON with a number of {len(digits)} digits, above {MOST_DIGITS}")
    return int(digits)


def _finite(numeral: str) -> float:
    number = float(numeral)
    if number in {float("inf"), float("-inf")}:
        raise JsonError(f"JSON with {numeral:.20}, too large a number")
    return number
