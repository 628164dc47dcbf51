"""Parses JSON from bytes: whole texts, and streams of values without framing.

Laws: no sockets, no clock (the time is an argument). Linear in the number of bytes. Size, depth and digits are bounded
before anything is parsed. Whatever the bytes, the only exception is JsonError, its text one line.
"""

import json
import re
from typing import Final, NoReturn, TypeAlias

from wateringhole import move_json
from wateringhole.fault import Reason

Json: TypeAlias = move_json.Json

MAX_DIGITS: Final = 4_000
MAX_DEPTH: Final = 64

_STRINGS_AND_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]')


class JsonError(ValueError):
    """The bytes are no acceptable JSON text; the reason is the one for which an agent that sent them is expelled."""

    def __init__(self, text: str, reason: Reason = Reason.BAD_JSON) -> None:
        super().__init__(text)
        self.reason = reason


def parse(data: bytes, bounded: bool = False) -> Json:
    """The one JSON value that these bytes spell; `bounded` says that its depth is known to be harmless."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise JsonError(f"not UTF-8: byte {error.start} is {data[error.start]:#04x}", Reason.BAD_UTF8) from None
    if text.startswith("\ufeff"):
        raise JsonError("not JSON: it begins with a byte order mark (BOM)")
    if not bounded:
        _check_depth(text)
    try:
        value: Json = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON: {error.msg}: line {error.lineno}, column {error.colno}") from None
    if "\\ud" in text.lower():
        # Half a surrogate pair can be spelt in JSON, but not written to anything: it becomes a question mark.
        value = json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
    return value


class Reader:
    """Cuts a stream of bytes into the texts of JSON values, which may follow each other with nothing in between.

    An array, object or string is complete when it closes. A bare number does not say where it ends: it is complete when
    something else follows, when no longer number could be meant, when nothing has come for a while, or at the end.
    """

    def __init__(self, most_bytes: int = 65_536, most_depth: int = 8, patience: float = 0.05) -> None:
        self.most_bytes = most_bytes
        self.most_depth: Final = most_depth
        self.patience: Final = patience
        self._data = bytearray()
        self._at = 0  # how far the value at the front of the data has been scanned
        self._depth = 0
        self._in_string = False
        self._last = 0.0
        self._closed = False

    def feed(self, data: bytes, now: float) -> None:
        """Add bytes that arrived."""
        self._data += data
        self._last = now

    def close(self) -> None:
        """Nothing more will arrive."""
        self._closed = True

    @property
    def held(self) -> int:
        """How many bytes are waiting."""
        return len(self._data)

    def start(self, length: int) -> bytes:
        """The first of the bytes that are waiting."""
        return bytes(self._data[:length])

    def due(self) -> float | None:
        """When the bare scalar that is waiting counts as complete, if one is."""
        return self._last + self.patience if self._data and self._data[0] in _BARE else None

    def take(self, now: float, most: int | None = None) -> bytes | None:
        """The text of the next value, if it is complete. `most` is the largest bare number that could be meant."""
        if self._at == 0:
            self._skip_blanks()
        if not self._data:
            return None
        if self._data[0] in _BARE:
            end = self._end_of_bare(now, most)
        elif self._data[0] in b'[{"':
            end = self._end_of_closed()
        else:
            first = self._data[0]
            reason = Reason.BAD_UTF8 if 0x80 <= first < 0xC2 or first > 0xF4 else Reason.BAD_JSON
            raise JsonError(f"a value that begins with byte {first:#04x}", reason)
        if (len(self._data) if end is None else end) > self.most_bytes:
            raise JsonError(f"a value of more than {self.most_bytes} bytes", Reason.TOO_BIG)
        if end is None:
            if self._closed:
                raise JsonError(f"only the first {len(self._data)} bytes of a value", Reason.DISCONNECTED)
            return None
        text = bytes(self._data[:end])
        del self._data[:end]
        self._at = 0
        return text

    def _skip_blanks(self) -> None:
        blanks = _BLANKS.match(self._data)
        assert blanks is not None
        del self._data[: blanks.end()]

    def _end_of_bare(self, now: float, most: int | None) -> int | None:
        """Go on where the last scan stopped; where the scalar ends, if that is known."""
        found = _SCALAR.match(self._data, self._at)
        assert found is not None
        self._at = end = found.end()
        if end < len(self._data) or self._closed or now >= self._last + self.patience:
            return end
        token = bytes(self._data[:10]) if end < 10 else b""
        if token in {b"true", b"false", b"null", b"0"}:
            return end
        if most is not None and token.isdigit() and int(token) * 10 > most:
            return end
        return None

    def _end_of_closed(self) -> int | None:
        """Go on where the last scan stopped; where the value closes, if it does."""
        data = self._data
        while self._at < len(data):
            if self._in_string:
                mark = _IN_STRING.search(data, self._at)
                if mark is None:
                    self._at = len(data)
                elif mark[0] == b'"':
                    self._in_string = False
                    self._at = mark.end()
                    if self._depth == 0:
                        return self._at
                elif mark.end() < len(data):
                    self._at = mark.end() + 1
                else:
                    self._at = mark.start()
                    return None
                continue
            mark = _STRUCTURE.search(data, self._at)
            if mark is None:
                self._at = len(data)
                break
            self._at = mark.end()
            if mark[0] == b'"':
                self._in_string = True
            elif mark[0] in b"[{":
                self._depth += 1
                if self._depth > self.most_depth:
                    raise JsonError(f"JSON nested more than {self.most_depth} deep")
            else:
                self._depth -= 1
                if self._depth == 0:
                    return self._at
        return None


_BARE: Final = frozenset(b"+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_SCALAR: Final = re.compile(rb"[+\-.0-9A-Za-z]*")
_BLANKS: Final = re.compile(rb"[ \t\r\n]*")
_STRUCTURE: Final = re.compile(rb'["\[\]{}]')
_IN_STRING: Final = re.compile(rb'["\\]')


def _check_depth(text: str) -> None:
    """Parsers recurse, so the depth is bounded before one runs."""
    depth = 0
    for token in _STRINGS_AND_BRACKETS.finditer(text):
        match token[0]:
            case "[" | "{":
                depth += 1
                if depth > MAX_DEPTH:
                    raise JsonError(f"JSON nested more than {MAX_DEPTH} deep")
            case "]" | "}":
                depth -= 1


def _refuse(name: str) -> NoReturn:
    raise JsonError(f"not JSON: {name} is no JSON number")


def _whole(digits: str) -> int | float:
    if digits == "-0":
        return -0.0  # no natural number, whatever int() makes of it
    if len(digits) > MAX_DIGITS:
        raise JsonError(f"JSON with a number of {len(digits)} digits, above {MAX_DIGITS}")
    return int(digits)


def _finite(numeral: str) -> float:
    number = float(numeral)
    if number in {float("inf"), float("-inf")}:
        raise JsonError(f"JSON with {numeral:.20}, too large a number")
    return number


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse, parse_int=_whole, parse_float=_finite)
