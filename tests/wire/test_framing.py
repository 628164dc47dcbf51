"""Bytes to JSON values: whatever the bytes, a value or a JsonError of one line."""

import json
import math
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cases import case
from wateringhole.wire.framing import MAX_DEPTH, MAX_DIGITS, Json, JsonError, parse


def why_refused(data: bytes) -> str:
    """The one line that refuses these bytes."""
    with pytest.raises(JsonError) as caught:
        parse(data)
    message = str(caught.value)
    assert message
    assert message.isprintable(), "one line, and nothing that moves a cursor"
    return message


# What is accepted.


def test_a_json_text_is_the_value_that_it_spells() -> None:
    rows: list[tuple[bytes, Json]] = [
        (b"0", 0),
        (b" [1, -2]\r\n", [1, -2]),
        (b"true", True),
        (b"false", False),
        (b"null", None),
        (b"1.5", 1.5),
        (b'"\\u00e9\xc3\xa9"', "éé"),
        (b'{"a": {"b": []}}', {"a": {"b": []}}),
        (b"\t1", 1),
    ]
    for data, value in rows:
        with case(data, value):
            assert parse(data) == value


def test_numbers_keep_their_kind() -> None:
    one, true, real = parse(b"[1, true, 1.0]"), parse(b"true"), parse(b"1.0")
    assert isinstance(one, list)
    assert [type(item) for item in one] == [int, bool, float]
    assert type(true) is bool
    assert type(real) is float


def test_whole_numbers_are_exact_up_to_the_limit() -> None:
    assert parse(b"1" + b"0" * 30) == 10**30
    assert parse(b"9" * MAX_DIGITS) == 10**MAX_DIGITS - 1


@pytest.mark.parametrize("bracket", [b"[]", b"{}"])
def test_depth_64_is_accepted_and_65_refused(bracket: bytes) -> None:
    opening, closing = (b"[", b"]") if bracket == b"[]" else (b'{"a":', b"}")
    inside = b"" if bracket == b"[]" else b"0"
    value = parse(opening * MAX_DEPTH + inside + closing * MAX_DEPTH)
    depth = 0
    while value not in ([], 0):
        assert isinstance(value, list | dict)
        value = value[0] if isinstance(value, list) else value["a"]
        depth += 1
    assert depth == (MAX_DEPTH - 1 if bracket == b"[]" else MAX_DEPTH)
    refused = opening * (MAX_DEPTH + 1) + inside + closing * (MAX_DEPTH + 1)
    assert "64" in why_refused(refused)


def test_many_arrays_side_by_side_are_not_deep() -> None:
    assert parse(b"[" + b"[]," * 1000 + b"[]]") == [[]] * 1001


def test_brackets_inside_strings_do_not_count() -> None:
    assert parse(b'["' + b"[" * 1000 + b'"]') == ["[" * 1000]
    assert parse(b'["\\"' + b"{" * 1000 + b'\\\\"]') == ['"' + "{" * 1000 + "\\"]


def test_brackets_behind_a_string_that_ends_in_a_backslash_count() -> None:
    assert "64" in why_refused(b'["\\\\",' + b"[" * 100 + b"]" * 101)


# What is refused.


def test_bad_text_is_refused_and_the_place_or_the_value_named() -> None:
    names_the_comma = sys.version_info >= (3, 13)  # of a list that goes on with nothing; older ones name what follows
    rows: list[tuple[bytes, str]] = [
        (b"\xff", "0xff"),
        (b'["\xc3"]', "byte 2"),
        (b'"\xed\xa0\x80"', "UTF-8"),  # a surrogate in UTF-8's clothes
        (b"\xff\xfe[\x00]\x00", "UTF-8"),  # UTF-16
        (b"\xef\xbb\xbf[1]", "BOM"),
        (b"", "line 1, column 1"),
        (b" \n\t ", "line 2"),
        (b"\x00", "column 1"),
        (b"NaN", "NaN"),
        (b"[Infinity]", "Infinity"),
        (b"[-Infinity]", "-Infinity"),
        (b"1 2", "column 3"),
        (b"[1] x", "column 5"),
        (b"[1]]", "column 4"),
        (b"[1", "column 3"),
        (b"[1,]", f"column {4 - names_the_comma}"),
        (b'{"a":1,}', f"column {8 - names_the_comma}"),
        (b"{1:2}", "column 2"),
        (b"{'a':2}", "column 2"),
        (b'"abc', "column 1"),
        (b'"abc\\', "column 1"),
        (b'"a\\qb"', "column 3"),
        (b'"\\u12"', "column"),
        (b'"a\nb"', "line 1"),
        (b"01", "column 2"),
        (b"+1", "column 1"),
        (b".5", "column 1"),
        (b"1.", "column 2"),
        (b"0x10", "column 2"),
        (b"True", "column 1"),
        (b"nul", "column 1"),
        (b"// 1", "column 1"),
        (b"]" * 100, "column 1"),
    ]
    for data, part in rows:
        with case(data, part):
            assert part in why_refused(data)


@pytest.mark.parametrize("data", [b"1e400", b"-1e400", b"[1E+999999]", b"1" * 400 + b".0"])
def test_a_number_too_large_for_a_float_is_refused_and_not_read_as_infinity(data: bytes) -> None:
    why_refused(data)


@pytest.mark.parametrize("digits", [MAX_DIGITS + 1, 5_000, 100_000])
def test_a_number_of_too_many_digits_is_refused_with_their_number(digits: int) -> None:
    message = why_refused(b"[" + b"7" * digits + b"]")
    assert str(digits) in message
    assert str(MAX_DIGITS) in message


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":', b'"x"[', b"[1,["])
def test_a_hundred_thousand_open_brackets_are_refused(opening: bytes) -> None:
    assert "64" in why_refused(opening * 100_000)


def test_brackets_that_only_a_broken_string_hides_are_refused_all_the_same() -> None:
    why_refused(b'"' + b"[" * 100_000)
    why_refused(b'"\\\n' + b"[" * 100_000)


@pytest.mark.parametrize(
    ("escape", "read"),
    [(b'"\\ud800"', "?"), (b'["\\udfff x"]', ["? x"]), (b'{"\\uD83d": 1}', {"?": 1}), (b'"\\ude00\\ud83d"', "??")],
)
def test_a_lone_surrogate_escape_is_read_as_a_question_mark_because_no_output_could_carry_it(
    escape: bytes, read: Json
) -> None:
    assert parse(escape) == read


def test_a_pair_of_surrogate_escapes_is_one_character() -> None:
    assert parse(b'"\\ud83d\\ude00"') == "\U0001f600"


# Whatever the bytes.


def stays_json(value: Json) -> bool:
    """Whether this can be printed as JSON that every reader takes."""
    match value:
        case float():
            return math.isfinite(value)
        case list():
            return all(stays_json(item) for item in value)
        case dict():
            return all(stays_json(item) for item in value.values())
        case _:
            return True


def check(data: bytes) -> None:
    try:
        value = parse(data)
    except JsonError:
        why_refused(data)
        return
    assert stays_json(value)
    assert parse(json.dumps(value, allow_nan=False).encode()) == value


@given(st.binary(max_size=80))
@example(b"\xef\xbb\xbf")
@example(b"-")
def test_random_bytes_are_a_value_or_a_json_error(data: bytes) -> None:
    check(data)


@given(st.text(alphabet='[]{}",:\\u0019eE+-.dDnulltrueNaNInfinity \n\t', max_size=60))
def test_random_json_like_text_is_a_value_or_a_json_error(text: str) -> None:
    check(text.encode())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


@given(VALUES)
def test_reading_what_was_written_gives_the_same_value(value: Json) -> None:
    assert parse(json.dumps(value).encode()) == value
    assert parse(json.dumps(value, ensure_ascii=False).encode()) == value


@given(VALUES, st.data())
def test_mutated_json_is_a_value_or_a_json_error(value: Json, data: st.DataObject) -> None:
    text = bytearray(json.dumps(value).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        match data.draw(st.sampled_from(["flip", "insert", "cut", "repeat"])):
            case "flip" if at < len(text):
                text[at] ^= 1 << data.draw(st.integers(0, 7))
            case "insert":
                text[at:at] = data.draw(st.binary(min_size=1, max_size=3))
            case "cut":
                del text[at : at + 2]
            case _:
                text[at:at] = text[at : at + 8]
    check(bytes(text))
