"""Bytes to JSON values.

Laws: whatever the bytes, the only exception is JsonError, and its text is one line.
"""

import json
import re
from typing import Final, NoReturn, TypeAlias

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None

MOST_DIGITS: Final = 4_000
MOST_DEPTH: Final = 64

_STRINGS_AND_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]')


class JsonError(ValueError):
    """The bytes are no acceptable JSON text; the message says why."""


def parse(data: bytes) -> Json:
    """The one JSON value that these bytes spell."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise JsonError(f"not UTF-8: byte {error.start} is {data[error.start]:#04x}") from None
    _check_depth(text)
    try:
        value: Json = json.loads(text, parse_constant=_refuse, parse_int=_whole)
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
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
