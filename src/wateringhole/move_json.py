"""Moves and faults as JSON, for records, game logs, the native dialect and the page.

msgspec reads, writes and describes them with the hooks below: in a Struct, a field that holds a move has the type
MoveJson, FeedingJson or ReplyJson, and one that holds parts of a card play the type of the part.

Laws: an object has the fields of the move's class, and `move` with its tag. Which values the fields may have is checked
by that class alone.
"""

from collections.abc import Mapping
from typing import ClassVar, Final, Generic, TypeAlias, TypeVar

import msgspec

from wateringhole.fault import Fault, shown
from wateringhole.moves import (
    MAX_NUMBER,
    Attack,
    CardPlay,
    Decline,
    Feeding,
    Graze,
    Growth,
    Move,
    NewBoard,
    Replacement,
    Reply,
    StoreFat,
)
from wateringhole.species import MAX_TRAITS
from wateringhole.value import Value

R = TypeVar("R", bound=Reply)
V = TypeVar("V", bound=Value)
Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
Schema: TypeAlias = dict[str, object]

FEEDINGS: Final[dict[str, type[Feeding]]] = {"graze": Graze, "store": StoreFat, "attack": Attack, "decline": Decline}
MOVES: Final[dict[str, type[Move]]] = {"play": CardPlay, **FEEDINGS}
REPLIES: Final[dict[str, type[Reply]]] = {**MOVES, "fault": Fault}
_TAGS: Final = {kind: tag for tag, kind in MOVES.items()}
_PARTS: Final = (Growth, NewBoard, Replacement)
ITEMS: Final[dict[tuple[type[Value], str], type]] = {
    (CardPlay, "population"): Growth,
    (CardPlay, "body"): Growth,
    (CardPlay, "boards"): NewBoard,
    (CardPlay, "traits"): Replacement,
    (NewBoard, "traits"): int,
}
"""What the fields that are arrays hold; they may be left out. Every other field is a number."""


class _Field(Generic[R]):
    """A reply in a field of a Struct: for msgspec one class, where a reply may be of several."""

    __slots__ = ("value",)
    kinds: ClassVar[Mapping[str, type[Reply]]]

    def __init__(self, value: R) -> None:
        self.value: Final = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Field) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"


class FeedingJson(_Field[Feeding]):
    __slots__ = ()
    kinds = FEEDINGS


class MoveJson(_Field[Move]):
    __slots__ = ()
    kinds = MOVES


class ReplyJson(_Field[Reply]):
    __slots__ = ()
    kinds = REPLIES


# Writing.


def written(reply: Reply) -> dict[str, Json]:
    """The reply as a JSON object."""
    if isinstance(reply, Fault):
        fields: dict[str, Json] = msgspec.to_builtins(reply)
        return fields
    fields = {"move": _TAGS[type(reply)]}
    for name in reply.__match_args__:
        part = getattr(reply, name)
        if part != ():
            fields[name] = _written_part(part)
    return fields


def _written_part(part: int | Value | tuple[int | Value, ...]) -> Json:
    if isinstance(part, tuple):
        return [_written_part(item) for item in part]
    if isinstance(part, Value):
        return {name: _written_part(getattr(part, name)) for name in part.__match_args__}
    return part


def enc_hook(value: object) -> object:
    """Writes what is none of msgspec's own types."""
    if isinstance(value, _Field):
        return written(value.value)
    raise NotImplementedError(f"{type(value).__name__} has no place in a message")


# Reading.


def dec_hook(kind: type, value: object) -> object:
    """Reads what is none of msgspec's own types; msgspec adds the place to a ValueError or a TypeError."""
    if issubclass(kind, _Field):
        return kind(_reply(value, kind.kinds))
    if kind in _PARTS:
        return _built(kind, value)
    raise NotImplementedError(kind)


def _reply(value: object, kinds: Mapping[str, type[Reply]]) -> Reply:
    tag = value.get("move") if isinstance(value, dict) else None
    kind = kinds.get(tag) if isinstance(tag, str) else None
    if not isinstance(value, dict) or kind is None:
        raise ValueError(f'{shown(value)} is not an object whose "move" is one of {", ".join(kinds)}')
    if kind is Fault:
        try:
            return msgspec.convert(value, Fault)
        except msgspec.ValidationError as error:
            raise ValueError(str(error)) from None  # to which msgspec adds the place of the fault
    return _built(kind, {name: item for name, item in value.items() if name != "move"})


def _built(kind: type[V], value: object) -> V:
    """The move, or the part of one, with these fields."""
    if not isinstance(value, dict):
        raise ValueError(f"{shown(value)} is not an object with the fields of {kind.__name__}")
    names = kind.__match_args__
    for name in value:
        if name not in names:
            raise ValueError(f"{kind.__name__} has no field {shown(name)}, but {', '.join(names) or 'none'}")
    for name in names:
        if name not in value and (kind, name) not in ITEMS:
            raise ValueError(f"{kind.__name__} lacks its field {name}")
    return kind(**{name: _array(kind, name, item) if (kind, name) in ITEMS else item for name, item in value.items()})


def _array(kind: type[Value], name: str, value: object) -> tuple[object, ...]:
    field, items = f"{kind.__name__}.{name}", ITEMS[kind, name]
    if not isinstance(value, list | tuple):
        raise ValueError(f"{field} is {shown(value)}, not an array")
    if items is int:
        return tuple(value)
    built: list[object] = []
    for at, item in enumerate(value):
        try:
            built.append(_built(items, item))
        except (TypeError, ValueError) as error:
            raise ValueError(f"{field}[{at}]: {error}") from None
    return tuple(built)


# JSON Schema.


def schema_hook(kind: type) -> Schema:
    """The schema of a field that holds a reply."""
    if not issubclass(kind, _Field):
        raise NotImplementedError(kind)
    places = {tag: f"#/$defs/{known.__name__}" for tag, known in kind.kinds.items()}
    return {
        "anyOf": [{"$ref": place} for place in places.values()],
        "discriminator": {"propertyName": "move", "mapping": places},
    }


def schemas() -> dict[str, Schema]:
    """The schema of every move and of the parts of card plays, by name."""
    return {kind.__name__: _schema(kind) for kind in (*_TAGS, *_PARTS)}


def _schema(kind: type[Value]) -> Schema:
    required = [name for name in kind.__match_args__ if (kind, name) not in ITEMS]
    properties = {name: _field_schema(kind, name) for name in kind.__match_args__}
    if kind in _TAGS:
        required.insert(0, "move")
        properties["move"] = {"enum": [_TAGS[kind]]}
    return {
        "title": kind.__name__,
        "description": kind.__doc__,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _field_schema(kind: type[Value], name: str) -> Schema:
    number: Schema = {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER}
    items = ITEMS.get((kind, name))
    if items is None:
        return number
    if items is int:
        return {"type": "array", "items": number, "maxItems": MAX_TRAITS, "default": []}
    return {"type": "array", "items": {"$ref": f"#/$defs/{items.__name__}"}, "default": []}
