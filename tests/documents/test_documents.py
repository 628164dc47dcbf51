"""docs/wire.md and docs/native.schema.json say what the server and the client do."""

import re
from collections.abc import Iterator
from typing import Final, cast, get_args

import msgspec
import pytest

from tests.documents import (
    CLIENT,
    COMMAND,
    CONVERSATIONS,
    DOCS,
    GENERATED,
    NOTE,
    PAGE,
    SCHEMA,
    SERVER,
    conversation,
    page,
    said,
    schema_text,
)
from wateringhole import move_json
from wateringhole.events import Event
from wateringhole.fault import Reason
from wateringhole.moves import MAX_NUMBER
from wateringhole.rulebook import ALL as RULES
from wateringhole.server import clock
from wateringhole.server.clock import TimeControl, time_control
from wateringhole.server.connection import Limits
from wateringhole.server.games import Service
from wateringhole.wire import requests
from wateringhole.wire.dialects import DIALECTS
from wateringhole.wire.framing import MAX_DIGITS, Json, Reader, parse
from wateringhole.wire.json_codec import action4_in, card_in, feeding_in, player_in, species_in
from wateringhole.wire.names import MAX_NAME_CHARS
from wateringhole.wire.native_messages import VERSION, Answer, Me, ServerMessage, SignUp, Them, sign_up_in
from wateringhole.wire.native_messages import Board as NativeBoard
from wateringhole.wire.requests import ARGUMENTS, OPTIONAL
from wateringhole.wire.signup import recognised

ADVICE: Final = f"If this is meant to have changed, write it anew with `{COMMAND}` and read the diff."

DOCUMENT: Final = PAGE.read_text(encoding="utf-8")
FENCED: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROSE: Final = FENCED.sub("", DOCUMENT)


def anchors(text: str) -> list[str]:
    """The anchors that GitHub gives the headings."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", text), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


def section(heading: str) -> str:
    """What is below this heading, without conversations, up to the next of its level."""
    level, _ = heading.split(" ", 1)
    return (PROSE + "\n").split(f"\n{heading}\n")[1].split(f"\n{level} ")[0]


def rows(heading: str, table: int = 0) -> list[list[str]]:
    """The cells of a table below this heading, without its head."""
    tables = re.findall(r"(?:^\|.*\n)+", section(heading), re.MULTILINE)
    lines = str(tables[table]).splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def quoted(cell: str) -> list[str]:
    """The words in code."""
    return re.findall(r"`([^`]*)`", cell)


# What is generated is current.


def test_every_conversation_has_its_place_in_the_page() -> None:
    assert sorted(name for _, name, _ in GENERATED.findall(DOCUMENT)) == sorted(CONVERSATIONS)


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_a_conversation_in_the_page_is_as_it_would_be_held_now(name: str) -> None:
    [written] = [found[0].splitlines()[2:-2] for found in GENERATED.finditer(DOCUMENT) if found[2] == name]
    for line, now in zip(written, conversation(name), strict=False):
        assert now == line, ADVICE
    assert len(written) == len(conversation(name)), ADVICE


def test_the_generated_parts_are_all_that_the_command_changes() -> None:
    assert page(DOCUMENT) == DOCUMENT, ADVICE


def test_the_schema_in_the_file_is_the_one_of_the_types() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == schema_text(), ADVICE


# The conversations are whole.


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_a_conversation_is_json_on_one_line_for_each_message(name: str) -> None:
    assert all(line.startswith((SERVER, CLIENT, NOTE)) for line in conversation(name))
    assert said(name, SERVER)
    assert conversation(name)[-1].startswith(NOTE)


BEGINNINGS: Final = {
    "s16": r"server> \[\d+,\d+,",
    "hello": r'server> \["start"',
    "tagged": r'server> \["start-round"',
    "requests": r'server> \["trade_cards_for_boards"',
    "native": r'server> \{"type":"turn"',
}
FEEDINGS: Final = {
    "s16": r"server> \[\d+,\[",
    "hello": r'server> \["feed"',
    "tagged": r'server> \["pick-feeding"',
    "requests": r'server> \["select_species_order"',
    "native": r'server> \{"type":"feed"',
}


@pytest.mark.parametrize("name", DIALECTS)
def test_a_conversation_shows_a_whole_game_of_two_turns_with_a_feeding(name: str) -> None:
    text = "\n".join(conversation(name))
    assert len(re.findall(BEGINNINGS[name], text)) == 2
    assert re.search(FEEDINGS[name] + r".*\nclient> ", text)
    assert text.endswith("the server closes the connection")


def test_the_requests_conversation_has_every_question() -> None:
    asked = {message[0] for message in said("requests", SERVER) if isinstance(message, list)}
    assert asked == set(ARGUMENTS)


def test_no_token_of_a_recorded_conversation_is_a_real_one() -> None:
    tokens = re.findall(r'"token": ?"([^"]+)"', DOCUMENT)
    assert set(tokens) == {"0123456789abcdefghijklmnopqrstuv", "vutsrqponmlkjihgfedcba9876543210"}


# The examples and links of the page.


def values(text: str) -> Iterator[Json]:
    """The JSON values that follow each other in this text."""
    reader = Reader(most_depth=16)
    reader.feed(text.encode(), 0.0)
    reader.close()
    while (found := reader.take(0.0)) is not None:
        yield parse(found)


def examples(heading: str) -> list[list[Json]]:
    """The values of each JSON block below this heading."""
    part = DOCUMENT.split(f"\n{heading}\n")[1].split("\n## ")[0]
    return [list(values(text)) for kind, text in FENCED.findall(part) if kind == "json"]


def test_every_json_block_holds_json() -> None:
    blocks = [text for kind, text in FENCED.findall(DOCUMENT) if kind == "json"]
    assert blocks
    for text in blocks:
        assert len(list(values(text))) == len(text.splitlines())


def test_the_examples_of_the_shapes_are_read_as_such() -> None:
    [[card], species, [player], plays, feedings] = examples("## Shapes")
    card_in(card)
    for board in species:
        species_in(board)
    player_in(player, 1)
    bare, tagged, _ = [action4_in(play) for play in plays]
    assert bare == tagged
    kinds = [type(feeding_in(choice, [2, 3])).__name__ for choice in feedings]
    assert kinds == ["Decline", "Graze", "StoreFat", "Attack"]


def test_the_examples_of_requests_are_read_as_such() -> None:
    [[card, board, player], [hello]] = examples("## requests")
    assert sign_up_in(hello).select_food_card
    requests.card_in(card)
    requests.species_in(board)
    assert requests.player_in(player, 1).bag == 5


def test_the_examples_of_native_are_read_as_such() -> None:
    [answers, [coming_back]] = examples("## native")
    assert [msgspec.convert(answer, Answer, dec_hook=move_json.dec_hook).id for answer in answers] == [1, 2, 3, 4]
    assert sign_up_in(coming_back).since == 3


def test_the_example_of_a_sign_up_names_its_dialect() -> None:
    [[hello]] = examples("## Signing up")
    assert recognised(hello, None).dialect.name == "tagged"


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", PROSE)
    assert links
    for file, anchor in links:
        target = DOCS / file if file else PAGE
        assert target.is_file(), file
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), f"{file}#{anchor}"


def test_no_two_headings_share_an_anchor() -> None:
    assert len(set(anchors(DOCUMENT))) == len(anchors(DOCUMENT))


def test_every_rule_that_the_page_names_exists() -> None:
    families = "|".join(sorted({rule.split(".")[0] for rule in RULES}))
    named = re.findall(rf"(?<![\w./-])(?:{families})\.[a-z]+(?:-[a-z]+)*(?![\w.(])", DOCUMENT)
    assert named
    assert set(named) - set(RULES) - {"native.schema"} == set()


# The tables agree with the code.


def seconds(number: float) -> str:
    return f"{number:g} s"


def test_the_table_of_limits_agrees_with_the_code() -> None:
    limits = Limits()
    assert dict(rows("## Limits")) == {
        "time for the sign-up": seconds(limits.sign_up_seconds),
        "silence that is a sign-up, on ports bound to tagged or requests": seconds(limits.silent_seconds),
        "bytes of the sign-up": f"{limits.sign_up_bytes:,}",
        "characters of a name that are kept": f"{MAX_NAME_CHARS}",
        "bytes of an answer": f"{limits.reply_bytes:,}",
        "depth of arrays and objects in what a client sends": f"{limits.depth}",
        "digits of a number, in any place": f"{MAX_DIGITS:,}",
        "largest number of a board, card, slot, place or heap of tokens": f"{MAX_NUMBER:,}",
        "quiet after which a bare number is complete": f"{Reader().patience * 1_000:g} ms",
        "bytes that the server holds back for a client that does not read": f"{limits.unsent_bytes:,}",
        "bytes held back from which on the client must catch up": f"{limits.unsent_bytes // 4:,}",
        "time to catch up": seconds(limits.drain_seconds),
        "connections to a server": f"{limits.connections:,}",
        "connections that have not signed up yet": f"{limits.strangers:,}",
        "connections from one address, other than the server's own machine": f"{limits.per_address}",
        "time to come back in native": seconds(rejoin()),
    }


def rejoin() -> float:
    fields = {field.name: field.default for field in msgspec.structs.fields(Service)}
    return cast(float, fields["rejoin"])


def test_no_limit_is_missing_from_the_table() -> None:
    assert len(Limits.__struct_fields__) == 10, "a new limit belongs into docs/wire.md and into the test above"


def test_numbers_in_the_text_are_those_of_the_tables() -> None:
    assert f"within {rejoin():g} s" in PROSE
    assert f"The time for a move, or the bank, is {clock.MIN_SECONDS} to {clock.MAX_SECONDS} seconds." in PROSE
    assert f"has a version, which is {VERSION}." in " ".join(PROSE.split())
    deepest = max(depth(message) for name in DIALECTS for message in said(name, SERVER))
    assert f"nest up to {deepest} deep" in PROSE


def depth(value: Json) -> int:
    if not isinstance(value, list | dict):
        return 0
    return 1 + max((depth(item) for item in (value.values() if isinstance(value, dict) else value)), default=0)


def test_the_table_of_time_controls_is_understood() -> None:
    controls = [time_control(quoted(cell)[0]) for cell, _ in rows("## Time")]
    assert controls == [TimeControl(10.0), TimeControl(60.0, 5.0), TimeControl(None)]
    assert controls[0] == TimeControl(), "what holds if nothing is said"


def test_the_table_of_reasons_has_each_reason_once_with_a_sentence() -> None:
    table = rows("## Expulsion")
    assert [quoted(cell) for cell, _, _ in table] == [[reason.value] for reason in Reason]
    assert all(text.endswith(".") and len(text) > 20 for _, text, _ in table)


def test_the_table_of_dialects_has_each_of_them_once() -> None:
    table = rows("## Which dialect should I use?")
    assert sorted(cell for cell, _, _ in table) == sorted(f"[{name}](#{name})" for name in DIALECTS)


@pytest.mark.parametrize("first", ['"Hello"', '"Ann"', '{"wateringhole":1}', '{"wateringhole":1,"dialect":"requests"}'])
def test_the_first_value_tells_the_dialect_as_in_the_table(first: str) -> None:
    due = {'"Hello"': "hello", '"Ann"': "s16", '{"wateringhole":1}': "native"}
    assert recognised(parse(first.encode()), None).dialect.name == due.get(first, "requests")


# Every message of every dialect is there.

WORDS: Final = {
    "s16": ['"ok"', "**start**", "**choose**", "**feed**", "length 4", "length 2", "length 5"],
    "hello": ['"Hello"', '"ack"', '"game full"', '["start", ', '["choose", ', '["feed", ', "[[id, score],...]"],
    "tagged": ['"ok"', '["start-round", ', '["choce-actions", ', '["pick-feeding", ', '["play", ', '["feeding", '],
}


@pytest.mark.parametrize("dialect", WORDS)
def test_every_message_of_an_array_dialect_is_in_its_section(dialect: str) -> None:
    for word in WORDS[dialect]:
        assert word in section(f"## {dialect}")


@pytest.mark.parametrize("dialect", ["hello", "tagged"])
def test_every_name_in_a_conversation_is_in_its_section(dialect: str) -> None:
    for message in said(dialect, SERVER) + said(dialect, CLIENT):
        name = message if isinstance(message, str) else message[0] if isinstance(message, list) else message
        if isinstance(name, str) and name != "Ann":
            assert f'"{name}"' in section(f"## {dialect}")


def test_every_question_of_requests_is_in_its_table_with_its_arguments() -> None:
    table = {quoted(question)[0]: tuple(quoted(arguments)) for question, arguments, _ in rows("## requests")}
    assert table == ARGUMENTS | OPTIONAL


def tag(kind: type[msgspec.Struct]) -> object:
    return kind.__struct_config__.tag


def members(union: object) -> tuple[type[msgspec.Struct], ...]:
    return get_args(union)


def test_the_table_of_native_messages_has_every_type_with_its_fields() -> None:
    messages = rows("### What the server says to a native client")
    table = [(quoted(name)[0], quoted(fields)) for name, fields, _, _ in messages]
    assert table == [(tag(kind), list(kind.__struct_fields__)) for kind in members(ServerMessage)]


def test_the_table_of_events_has_every_event_with_its_fields() -> None:
    table = [(quoted(name)[0], quoted(fields)) for name, fields, _ in rows("### The story")]
    assert table == [(tag(kind), list(kind.__struct_fields__)) for kind in members(Event)]


def test_the_table_of_moves_has_every_move_with_its_fields() -> None:
    table = [(quoted(name)[0], quoted(fields)) for name, fields, _ in rows("### What a native client says", 1)]
    assert table == [(tag, list(kind.__match_args__)) for tag, kind in move_json.MOVES.items()]


def test_the_fields_of_a_sign_up_and_of_players_are_named() -> None:
    assert [quoted(cell)[0] for cell, _ in rows("### What a native client says")] == list(SignUp.__struct_fields__)
    for kind in (Me, Them, NativeBoard):
        for name in kind.__struct_fields__:
            assert f"`{name}`" in section("### What the server says to a native client")
