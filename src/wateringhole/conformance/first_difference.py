"""Finds the first place in which two outputs of a harness differ, and names it in the words of that format.

Laws: 0 is not false and 1.0 is not 1. Any two values that differ have a first difference: where one of them does
not have the format, they are compared there as a whole.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from wateringhole.fault import shown
from wateringhole.wire.framing import Json


class FirstDifference(Struct, frozen=True):
    """Where two values differ and what stands there; one of the two may have nothing there.

    As JSON it is an object, in which a value that is not there has no key.
    """

    place: tuple[str, ...] = ()
    expected: Json | UnsetType = UNSET
    got: Json | UnsetType = UNSET

    def __str__(self) -> str:
        where = ", ".join(self.place) + ": " if self.place else ""
        return f"{where}expected {_words(self.expected)}, got {_words(self.got)}"

    @property
    def kind(self) -> tuple[str, ...]:
        """The place without its numbers, and of which type the values are: what differences of one sort share."""
        places = [re.sub(r" \d+$", "", step) for step in self.place]
        return (*places, _type(self.expected), _type(self.got))


def same(one: Json, other: Json) -> bool:
    """Whether these are the same JSON value. As texts, because to Python 0 == False and 1 == 1.0."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def first_difference(harness: str, expected: Json, got: Json) -> FirstDifference | None:
    """The first difference between two outputs of this harness; None if they are the same JSON value."""
    return None if same(expected, got) else _FORMATS[harness](expected, got)


def _words(value: Json | UnsetType) -> str:
    return "nothing" if isinstance(value, UnsetType) else shown(value)


def _type(value: Json | UnsetType) -> str:
    match value:
        case bool() | None:
            return json.dumps(value)
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case dict():
            return "object"
        case _:
            return "nothing"


# One function for each kind of value compares two that are not the same.

Compare: TypeAlias = Callable[[Json, Json], FirstDifference]


def _whole(expected: Json, got: Json) -> FirstDifference:
    return FirstDifference((), expected, got)


def _within(step: str, found: FirstDifference) -> FirstDifference:
    return replace(found, place=(step, *found.place))


def _row(word: str, each: Compare = _whole) -> Compare:
    """An array of things of the same sort, which names its own items: `board 0`."""

    def compare(expected: Json, got: Json) -> FirstDifference:
        if not (isinstance(expected, list) and isinstance(got, list)):
            return FirstDifference((f"{word}s",), expected, got)
        if len(expected) != len(got):
            return FirstDifference((f"number of {word}s",), len(expected), len(got))
        pairs = enumerate(zip(expected, got, strict=True))
        at, (one, other) = next((at, pair) for at, pair in pairs if not same(*pair))
        return _within(f"{word} {at}", each(one, other))

    return compare


def _parts(*parts: str | Compare) -> Compare:
    """An array with something else in each place: a name for a plain value, or how to compare what names itself."""

    def compare(expected: Json, got: Json) -> FirstDifference:
        if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got) == len(parts):
            for part, one, other in zip(parts, expected, got, strict=True):
                if not same(one, other):
                    return FirstDifference((part,), one, other) if isinstance(part, str) else part(one, other)
        return _whole(expected, got)

    return compare


def _labelled(rows: Mapping[str, Compare]) -> Compare:
    """An array of pairs of a label and a value, some of which may be left out; these values are rows."""

    def compare(expected: Json, got: Json) -> FirstDifference:
        due, found = _pairs(expected), _pairs(got)
        if due is None or found is None:
            return _whole(expected, got)
        for label in due | found:
            one, other = due.get(label, UNSET), found.get(label, UNSET)
            if isinstance(one, UnsetType) or isinstance(other, UnsetType):
                return FirstDifference((label,), one, other)
            if not same(one, other):
                return rows[label](one, other) if label in rows else FirstDifference((label,), one, other)
        return FirstDifference(("order of the labels",), [*due], [*found])

    return compare


def _pairs(value: Json) -> dict[str, Json] | None:
    """The values by their labels; None if this is no array of pairs, each with another label."""
    pairs: dict[str, Json] = {}
    for item in value if isinstance(value, list) else [value]:
        match item:
            case [str() as label, part] if label not in pairs:
                pairs[label] = part
            case _:
                return None
    return pairs


_PLAYER: Final = _labelled({"species": _row("board", _labelled({})), "cards": _row("card")})


def _players(expected: Json, got: Json) -> FirstDifference:
    """The players of a configuration, each under its id."""
    due, found = _ids(expected), _ids(got)
    if due is None or found is None:
        return _row("player", _PLAYER)(expected, got)
    if not same([*due], [*found]):
        return FirstDifference(("ids of the players",), [*due], [*found])
    number = next(number for number in due if not same(due[number], found[number]))
    return _within(f"player {number}", _PLAYER(due[number], found[number]))


def _ids(players: Json) -> dict[int, Json] | None:
    """The players by their ids; None if one has none, or that of another."""
    found: dict[int, Json] = {}
    for player in players if isinstance(players, list) else [players]:
        match _pairs(player):
            case {"id": int() as number} if number not in found:
                found[number] = player
            case _:
                return None
    return found


_FAT: Final = _parts("board", "stored tokens")
_ATTACK: Final = _parts("attacking board", "attacked player", "attacked board")


def _feeding(expected: Json, got: Json) -> FirstDifference:
    found = _FAT(expected, got)
    return found if found.place else _ATTACK(expected, got)


_CONFIGURATION: Final = _parts(_players, "watering hole", _row("deck card"))

_FORMATS: Final[dict[str, Compare]] = {
    "xattack": _whole,
    "xfeed": _feeding,
    "xsilly": _parts(
        "food card", _row("population growth"), _row("body growth"), _row("new board"), _row("replacement")
    ),
    "xstep": _CONFIGURATION,
    "xstep4": _CONFIGURATION,
}
