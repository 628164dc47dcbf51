"""docs/native.schema.json describes what is said in the dialect native, and nothing else.

The check knows the words that this schema uses, and fails on any other.
"""

import json
from typing import Final

import msgspec
import pytest

from tests.cases import case
from tests.documents import CLIENT, CONVERSATIONS, SCHEMA, SERVER, said
from wateringhole.move_json import dec_hook
from wateringhole.wire.framing import Json, parse
from wateringhole.wire.native_messages import Answer, SignUp, server_message_in

SCHEMA_VALUE: Final[dict[str, Json]] = json.loads(SCHEMA.read_text(encoding="utf-8"))
REMARKS: Final = {"$schema", "$defs", "title", "description", "default", "discriminator"}
"""What a check need not look at."""

KINDS: Final[dict[str, tuple[type, ...]]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}

NATIVE: Final = [name for name in CONVERSATIONS if name.startswith("native")]


@pytest.mark.parametrize("name", NATIVE)
def test_every_recorded_native_message_is_one_of_the_types(name: str) -> None:
    for message in said(name, SERVER):
        server_message_in(message)
    for message in said(name, CLIENT):
        assert isinstance(message, dict)
        msgspec.convert(message, SignUp if "wateringhole" in message else Answer, dec_hook=dec_hook)


@pytest.mark.parametrize("name", NATIVE)
def test_every_recorded_native_message_fits_the_schema(name: str) -> None:
    for message in said(name, SERVER) + said(name, CLIENT):
        assert fits(message, SCHEMA_VALUE), message


NO_MESSAGES = [
    "{}",
    '{"type":"welcome","version":1}',
    '{"type":"welcome","version":"1","token":""}',
    '{"type":"greeting","version":1,"token":""}',
    '{"wateringhole":1,"surname":"Ann"}',
    '{"wateringhole":1,"token":"x","since":-1}',
    '{"id":1,"answer":{"move":"graze","board":true}}',
    '{"id":1,"answer":{"move":"graze","board":-1}}',
    '{"id":1,"answer":{"move":"graze","board":2147483648}}',
    '{"id":1,"answer":{"move":"play","food":0,"boards":[{"pay":1,"traits":[2,3,4,5]}]}}',
]


def test_what_is_no_message_does_not_fit_the_schema() -> None:
    for message in NO_MESSAGES:
        with case(message):
            assert not fits(parse(message.encode()), SCHEMA_VALUE)


def fits(value: Json, rule: Json) -> bool:
    """Whether the value fits this part of the schema; every word that the schema uses must be known here."""
    if isinstance(rule, bool):
        return rule
    assert isinstance(rule, dict)
    return all(holds(word, rule, value) for word in rule.keys() - REMARKS)


def holds(word: str, rule: dict[str, Json], value: Json) -> bool:
    """Whether the value keeps what this word of a rule demands."""
    due = rule[word]
    match word, due:
        case "$ref", str():
            definitions = SCHEMA_VALUE["$defs"]
            assert isinstance(definitions, dict)
            return fits(value, definitions[due.removeprefix("#/$defs/")])
        case "oneOf", list():
            return sum(fits(value, part) for part in due) == 1
        case "anyOf", list():
            return any(fits(value, part) for part in due)
        case "type", str():
            return type(value) in KINDS[due]
        case "enum", list():
            return value in due
        case "minimum", int():
            return not isinstance(value, int | float) or value >= due
        case "maximum", int():
            return not isinstance(value, int | float) or value <= due
        case "minItems" | "maxItems", int():
            return not isinstance(value, list) or (len(value) >= due if word == "minItems" else len(value) <= due)
        case "maxLength", int():
            return not isinstance(value, str) or len(value) <= due
        case "required", list():
            return not isinstance(value, dict) or all(name in value for name in due)
        case "properties", dict():
            return not isinstance(value, dict) or all(fits(value[name], due[name]) for name in due if name in value)
        case "additionalProperties", False:
            known = rule["properties"]
            assert isinstance(known, dict)
            return not isinstance(value, dict) or value.keys() <= known.keys()
        case "prefixItems", list():
            return not isinstance(value, list) or all(map(fits, value, due))
        case "items", _:
            first = rule.get("prefixItems", [])
            assert isinstance(first, list)
            return not isinstance(value, list) or all(fits(item, due) for item in value[len(first) :])
    raise AssertionError(f"the schema says {word}, which this check does not know")
