"""docs/page.schema.json and the types of the page's messages in JavaScript, made from web/page_messages.py,
web/tab_messages.py and web/replay_messages.py.
"""

import json
from pathlib import Path
from typing import Final

import msgspec
from msgspec import NODEFAULT, inspect

from tests.documents import DOCS
from wateringhole.agents.greedy_reasons import MoveReason
from wateringhole.cards import Card
from wateringhole.events import Event
from wateringhole.fault import Reason
from wateringhole.move_json import FEEDINGS, ITEMS, MOVES, MoveJson, ReplyJson, schemas
from wateringhole.moves import Growth, NewBoard, Replacement
from wateringhole.traits import Trait
from wateringhole.web.page_messages import PAGE_VERSION, Kind, Presence, RoomStage, ServerSays
from wateringhole.web.replay_messages import Replay
from wateringhole.web.tab_messages import PageSays
from wateringhole.wire.native_messages import Face, json_schema_of

PAGE_SCHEMA: Final = DOCS / "page.schema.json"
MESSAGE_TYPES: Final = Path(__file__).parents[2] / "src/wateringhole/web/static/shared/messages.js"

MAX_LINE_CHARS: Final = 118

HEAD: Final = """/**
 * The messages of a tab's WebSocket and a finished game as types, written by `make documents` from
 * web/page_messages.py, web/tab_messages.py and web/replay_messages.py. Nothing here runs.
 *
"""
ALIASES: Final = {
    "Trait": Trait,
    "Reason": Reason,
    "Face": Face,
    "Kind": Kind,
    "Presence": Presence,
    "RoomStage": RoomStage,
    "Event": Event,
    "MoveReason": MoveReason,
    "PageSays": PageSays,
    "ServerSays": ServerSays,
}
"""Types that have a name of their own."""
CUSTOM: Final[dict[type, str]] = {
    Card: "Face",
    MoveJson: "Move",
    ReplyJson: "Move | Fault",
    **{part: part.__name__ for part in (Growth, NewBoard, Replacement)},
}
"""Types of which msgspec knows only the class."""


def page_schema_text() -> str:
    return json.dumps(page_schema(), indent=2, sort_keys=True) + "\n"


def message_types() -> str:
    """The JavaScript module with a typedef for each struct of the messages, and for each alias."""
    types = _Types()
    for said in (PageSays, ServerSays, Replay):
        types.name_of(inspect.type_info(said))
    lines = [f"@typedef {{{text}}} {name}" for text, name in types.aliases.items()]
    lines += [f"@typedef {{{text}}} {name}" for name, text in sorted((types.structs | move_types()).items())]
    return HEAD + "".join(map(wrapped, lines)) + " */\nexport {};\n"


def move_types() -> dict[str, str]:
    """The types of moves and of their parts, by name."""
    tags = {kind: f'move: "{tag}"' for tag, kind in MOVES.items()}
    found = {}
    for kind in (*MOVES.values(), Growth, NewBoard, Replacement):
        fields = [tags[kind]] if kind in tags else []
        for name in kind.__match_args__:
            item = ITEMS.get((kind, name))
            each = "number" if item is int or item is None else item.__name__
            fields.append(f"{name}: {each}" if item is None else f"{name}?: {each}[]")
        found[kind.__name__] = f"{{{', '.join(fields)}}}"
    unions = {"Feeding": FEEDINGS.values(), "Move": MOVES.values()}
    return found | {name: " | ".join(kind.__name__ for kind in kinds) for name, kinds in unions.items()}


class _Types:
    """Types of TypeScript for types of Python. A field is optional if one side may leave it out: the page all that has
    a default, the server only what it omits.
    """

    def __init__(self) -> None:
        self.structs: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self._said_by_page = _structs_in(inspect.type_info(PageSays))
        for name, alias in ALIASES.items():
            self.aliases[self._text(inspect.type_info(alias))] = name

    def name_of(self, kind: inspect.Type) -> str:
        """The type in TypeScript, by its alias if it has one."""
        text = self._text(kind)
        return self.aliases.get(text, text)

    def _text(self, kind: inspect.Type) -> str:
        match kind:
            case inspect.IntType() | inspect.FloatType():
                return "number"
            case inspect.StrType():
                return "string"
            case inspect.BoolType():
                return "boolean"
            case inspect.NoneType():
                return "null"
            case inspect.LiteralType(values):
                return " | ".join(json.dumps(value) for value in values)
            case inspect.EnumType(enum):
                return " | ".join(json.dumps(member.value) for member in enum)
            case inspect.CustomType(cls):
                return CUSTOM[cls]
            case inspect.Metadata(type=inner):
                return self._text(inner)
            case inspect.TupleType(parts):
                return f"[{', '.join(map(self.name_of, parts))}]"
            case inspect.VarTupleType(item_type=item):
                each = self.name_of(item)
                return f"({each})[]" if " | " in each else f"{each}[]"
            case inspect.UnionType(parts):
                return " | ".join(map(self.name_of, parts))
            case inspect.StructType():
                return self._struct(kind)
        raise AssertionError(f"{kind} has no type in JavaScript")

    def _struct(self, kind: inspect.StructType) -> str:
        name = kind.cls.__name__
        if name not in self.structs:
            self.structs[name] = ""  # so that it is not begun twice
            tag = [f"{kind.tag_field}: {json.dumps(kind.tag)}"] if kind.tag_field else []
            self.structs[name] = f"{{{', '.join([*tag, *(self._field(kind, field) for field in kind.fields)])}}}"
        return name

    def _field(self, kind: inspect.StructType, field: inspect.Field) -> str:
        omitted = kind.cls.__struct_config__.omit_defaults or kind.cls in self._said_by_page
        # What may be unset has no default here, and is not required either.
        unset = field.default is NODEFAULT and field.default_factory is NODEFAULT
        optional = not field.required and (unset or omitted)
        return f"{field.encode_name}{'?' if optional else ''}: {self.name_of(field.type)}"


def _structs_in(kind: inspect.Type) -> set[type]:
    """All structs that this type is made of."""
    match kind:
        case inspect.StructType():
            return {kind.cls}.union(*(_structs_in(field.type) for field in kind.fields))
        case inspect.UnionType(parts) | inspect.TupleType(parts):
            return set().union(*map(_structs_in, parts))
        case inspect.VarTupleType(item_type=item) | inspect.Metadata(type=item):
            return _structs_in(item)
    return set()


def wrapped(text: str) -> str:
    """The text as lines of a comment."""
    lines, rest = [], text
    while len(rest) > MAX_LINE_CHARS - len(" * "):
        at = rest.rindex(" ", 0, MAX_LINE_CHARS - len(" * "))
        lines.append(rest[:at])
        rest = f"  {rest[at + 1 :]}"
    return "".join(f" * {line}\n" for line in [*lines, rest])


def page_schema() -> dict[str, object]:
    """Every message of both sides as JSON Schema."""
    said = PageSays, ServerSays, Replay
    (page, server, replay), components = msgspec.json.schema_components(said, schema_hook=_schema_of)
    parts = {name.split(".")[-1]: part for name, part in components.items()} | schemas()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"wateringhole, the WebSocket of a tab, version {PAGE_VERSION}",
        "description": "The page says one of the first, the server one of the second; /api/games/ID answers the third.",
        "oneOf": [
            {"title": "page", "oneOf": page["anyOf"]},
            {"title": "server", "oneOf": server["anyOf"]},
            {"title": "replay", "oneOf": [replay]},
        ],
        "$defs": parts,
    }


def _schema_of(kind: type) -> dict[str, object]:
    return {"$ref": f"#/$defs/{kind.__name__}"} if kind in {Growth, NewBoard, Replacement} else json_schema_of(kind)
