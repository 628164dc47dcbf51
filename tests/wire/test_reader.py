"""Streams of JSON values without framing: where a value ends, how long to wait for it, and what is refused.

The time is an argument here, so a wait of 50 ms takes none.
"""

import json
import string
from itertools import pairwise, product
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import case
from wateringhole.fault import Reason
from wateringhole.wire.framing import Json, JsonError, Reader, parse

MILLISECOND: Final = 0.001
PATIENCE: Final = 50


def texts(data: bytes) -> list[bytes]:
    """All that can be taken at once when these bytes arrive."""
    reader = Reader()
    reader.feed(data, 0.0)
    return taken(reader)


def taken(reader: Reader, now: float = 0.0, most: int | None = None) -> list[bytes]:
    found: list[bytes] = []
    while (text := reader.take(now, most)) is not None:
        found.append(text)
    return found


def parsed(reader: Reader, now: float) -> list[Json]:
    return [parse(text) for text in taken(reader, now)]


def refused(reader: Reader, now: float = 0.0) -> JsonError:
    """The error that taking ends in, its text one line."""
    with pytest.raises(JsonError) as caught:
        taken(reader, now)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 100
    return caught.value


def listened(*chunks: tuple[int, bytes], most: int | None = None, since: float = 0.0) -> list[tuple[int, bytes]]:
    """What a line hears: these bytes at these milliseconds; each value with the millisecond in which it is complete.

    Like a line, this looks when bytes arrive and when the reader is due, and at no other time.
    """
    reader, heard = Reader(), list[tuple[int, bytes]]()

    def look(at: int) -> None:
        heard.extend((at, text) for text in taken(reader, since + at * MILLISECOND, most))

    for number, (at, data) in enumerate(chunks):
        reader.feed(data, since + at * MILLISECOND)
        look(at)
        due = reader.due()
        following = chunks[number + 1][0] if number + 1 < len(chunks) else None
        if due is not None and (following is None or due <= since + following * MILLISECOND):
            assert due == pytest.approx(since + (at + PATIENCE) * MILLISECOND)
            heard.extend((at + PATIENCE, text) for text in taken(reader, due, most))
    assert reader.due() is None
    return heard


# Where a value ends.


def test_arrays_objects_and_strings_are_complete_as_soon_as_they_close() -> None:
    rows: list[tuple[bytes, list[bytes]]] = [
        (b"", []),
        (b" \t\r\n", []),
        (b"[]", [b"[]"]),
        (b"{}", [b"{}"]),
        (b'""', [b'""']),
        (b"[1,[2,[3]]]", [b"[1,[2,[3]]]"]),
        (b"[][]", [b"[]", b"[]"]),
        (b"[]{}[]", [b"[]", b"{}", b"[]"]),
        (b'"a""b"', [b'"a"', b'"b"']),
        (b'"a"[1]{"b":2}"c"', [b'"a"', b"[1]", b'{"b":2}', b'"c"']),
        (b"[1]\n[2]", [b"[1]", b"[2]"]),
        (b" \r\n\t[1] \t\r\n [2] \n", [b"[1]", b"[2]"]),
        (b"[ 1 , 2 ]", [b"[ 1 , 2 ]"]),
        (b'{\n  "a": [\n    1\n  ]\n}', [b'{\n  "a": [\n    1\n  ]\n}']),
        (b'[1][2', [b"[1]"]),
        (b'"a"[', [b'"a"']),
        (b'"a" "', [b'"a"']),
    ]  # fmt: skip
    for data, expected in rows:
        with case(data, expected):
            assert texts(data) == expected


def test_brackets_and_escapes_inside_strings_close_nothing() -> None:
    rows: list[bytes] = [
        b'"["',
        b'"]"',
        b'["]"]',
        b'["}{]["]',
        b'{"]": "["}',
        b'"\\""',
        b'"\\\\"',
        b'"\\\\\\""',
        b'["\\"]"]',
        b'["\\\\"]',
        b'["\\\\\\"]","\\\\"]',
        b'["\\u005d","\\u0022"]',
        b'{"a\\"}":"{\\\\"}',
        '["é]","\U0001f600["]'.encode(),
    ]
    for data in rows:
        with case(data):
            assert texts(data) == [data]
            assert texts(data + data) == [data, data]
            for cut in range(1, len(data)):
                reader = Reader()
                reader.feed(data[:cut], 0.0)
                assert reader.take(9.0) is None
                reader.feed(data[cut:], 9.0)
                assert taken(reader) == [data]


def test_a_closed_value_waits_for_its_end_however_quiet_the_line_is() -> None:
    reader = Reader()
    reader.feed(b'[1,"', 0.0)
    assert reader.take(1e6) is None
    assert reader.due() is None
    assert reader.held == 4
    reader.feed(b'"]', 1e6)
    assert reader.take(1e6) == b'[1,""]'
    assert reader.held == 0


def test_what_follows_a_value_stays_until_it_is_taken() -> None:
    reader = Reader()
    reader.feed(b'[1] "two" [3', 0.0)
    assert reader.take(0.0) == b"[1]"
    assert reader.held == len(b' "two" [3')
    assert reader.take(0.0) == b'"two"'
    assert reader.take(0.0) is None
    assert reader.held == len(b"[3")


# Bare scalars.


def test_a_bare_scalar_is_complete_when_a_delimiter_follows() -> None:
    rows: list[tuple[bytes, list[bytes]]] = [
        (b"1 ", [b"1"]),
        (b"1\n", [b"1"]),
        (b"12\t3\r", [b"12", b"3"]),
        (b"1[2]", [b"1", b"[2]"]),
        (b'1"2"', [b"1", b'"2"']),
        (b"1{}", [b"1", b"{}"]),
        (b"[1]2 ", [b"[1]", b"2"]),
        (b'"1"2 ', [b'"1"', b"2"]),
        (b"false[1]", [b"false", b"[1]"]),
        (b"-1 ", [b"-1"]),
        (b"1.5e+7 ", [b"1.5e+7"]),
        (b"nonsense ", [b"nonsense"]),
    ]
    for data, expected in rows:
        with case(data, expected):
            assert texts(data) == expected


@pytest.mark.parametrize("data", [b"0", b"false", b"true", b"null"])
def test_a_bare_scalar_that_nothing_can_lengthen_is_complete_at_once(data: bytes) -> None:
    assert listened((0, data)) == [(0, data)]


def test_any_other_bare_scalar_is_complete_after_50_ms_of_quiet() -> None:
    for data in (b"1", b"12", b"-", b"-0", b"fals", b"nul", b"falsee", b"1.0", b"00", b"1e"):
        with case(data):
            assert listened((0, data)) == [(PATIENCE, data)]


def test_a_number_is_complete_at_once_when_no_longer_one_could_be_meant() -> None:
    rows: list[tuple[bytes, int | None, bool]] = [
        (b"1", None, False),
        (b"1", 0, True),
        (b"1", 1, True),
        (b"1", 9, True),
        (b"1", 10, False),
        (b"1", 12, False),
        (b"2", 19, True),
        (b"2", 20, False),
        (b"9", 89, True),
        (b"9", 90, False),
        (b"12", 12, True),
        (b"12", 119, True),
        (b"12", 120, False),
        (b"99", 12, True),
        (b"-1", 1, False),
        (b"1.", 1, False),
        (b"fals", 1, False),
        (b"9" * 3_000, 1, False),
    ]
    for data, most, at_once in rows:
        with case(data, most, at_once):
            assert listened((0, data), most=most) == [(0 if at_once else PATIENCE, data)]


@pytest.mark.parametrize("data", [b"1", b"12", b"fals", b"-", b"false", b"0"])
def test_a_bare_scalar_is_complete_at_the_end_of_the_stream(data: bytes) -> None:
    reader = Reader()
    reader.feed(data, 0.0)
    reader.close()
    assert taken(reader) == [data]
    assert reader.take(0.0) is None


def test_parts_less_than_50_ms_apart_are_one_scalar() -> None:
    """And complete at most 50 ms behind the last byte."""
    rows: list[tuple[bytes, bytes, int | None, int]] = [
        (b"1", b"2", None, PATIENCE),
        (b"1", b"2", 12, 0),
        (b"1", b"2", 120, PATIENCE),
        (b"12", b"3", None, PATIENCE),
        (b"fal", b"se", None, 0),
        (b"f", b"alse", 3, 0),
        (b"-", b"1", 3, PATIENCE),
    ]
    for since, gap, (first, second, most, wait) in product((0.0, 17.3, 1e6), (0, 10, 49), rows):
        with case(since, gap, first, second, most, wait):
            assert listened((0, first), (gap, second), most=most, since=since) == [(gap + wait, first + second)]


def test_parts_51_ms_apart_are_two_scalars() -> None:
    rows: list[tuple[bytes, bytes, int]] = [(b"1", b"2", PATIENCE), (b"12", b"3", PATIENCE), (b"fal", b"se", PATIENCE)]
    for since, (first, second, wait) in product((0.0, 17.3, 1e6), rows):
        with case(since, first, second, wait):
            assert listened((0, first), (51, second), since=since) == [(PATIENCE, first), (51 + wait, second)]


def test_whatever_comes_after_a_complete_scalar_is_the_next_value() -> None:
    for gap, data in product((0, 10, 49, 51), (b"0", b"false")):
        with case(gap, data):
            assert listened((0, data), (gap, b"[1]")) == [(0, data), (gap, b"[1]")]


@pytest.mark.parametrize("gap", [0, 10, 49, 51])
def test_a_number_and_the_white_space_behind_it_may_come_apart(gap: int) -> None:
    assert listened((0, b"1"), (gap, b"\n")) == [(min(gap, PATIENCE), b"1")]
    assert listened((0, b"\n"), (gap, b"1")) == [(gap + PATIENCE, b"1")]


def test_every_digit_starts_the_wait_anew() -> None:
    chunks = [(at * 49, b"1") for at in range(10)]
    assert listened(*chunks) == [(9 * 49 + PATIENCE, b"1" * 10)]


def test_only_a_bare_scalar_is_ever_due() -> None:
    reader = Reader(patience=0.25)
    assert reader.due() is None
    for data in (b" ", b"[1", b"]"):
        reader.feed(data, 1.0)
        reader.take(1.0)
        assert reader.due() is None
    reader.feed(b"7", 2.0)
    assert reader.take(2.0) is None
    assert reader.due() == 2.25
    assert reader.take(2.2) is None
    assert reader.take(2.25) == b"7"
    assert reader.due() is None


# Limits.


@pytest.mark.parametrize(
    ("before", "inside", "behind"), [(b"[", b" ", b"]"), (b'"', b"x", b'"'), (b"", b"7", b""), (b'["', b'\\"', b'"]')]
)
def test_a_value_may_be_as_large_as_the_limit_and_no_larger(before: bytes, inside: bytes, behind: bytes) -> None:
    fitting = before + inside * ((64 - len(before) - len(behind)) // len(inside)) + behind
    assert len(fitting) == 64
    for chunk in (1, 7, 64):
        reader = Reader(most_bytes=64)
        for at in range(0, 64, chunk):
            reader.feed(fitting[at : at + chunk], 0.0)
            if at + chunk < 64:
                assert reader.take(0.0) is None
        assert reader.take(1.0) == fitting
        tight = Reader(most_bytes=63)
        tight.feed(fitting, 0.0)
        error = refused(tight, 1.0)
        assert error.reason is Reason.TOO_BIG
        assert "63" in str(error)


def test_a_value_that_never_ends_is_refused_with_the_first_byte_above_the_limit() -> None:
    for limit, endless in product((63, 1_024, 65_536), (b"[1,", b'"', b"7", b'{"a":"\\\\', b"x")):
        with case(limit, endless):
            reader = Reader(most_bytes=limit)
            reader.feed((endless + b"7" * limit)[:limit], 0.0)
            assert reader.take(0.0) is None
            reader.feed(b"7", 0.0)
            assert refused(reader).reason is Reason.TOO_BIG


@pytest.mark.parametrize("data", [b"7" * 10**6, b"[" + b"7" * 10**6, b'"' + b"7" * 10**6 + b'"', b"[" + b" " * 10**6])
def test_a_value_far_above_the_limit_is_refused_in_one_chunk_too(data: bytes) -> None:
    reader = Reader()
    reader.feed(data, 0.0)
    assert refused(reader).reason is Reason.TOO_BIG


def test_the_limit_is_for_each_value_and_not_for_all_that_arrives() -> None:
    value = b"[" + b"1" * 62 + b"]"
    reader = Reader(most_bytes=64)
    reader.feed(b" " * 1_000 + value * 100 + b"\n" * 1_000, 0.0)
    assert taken(reader) == [value] * 100
    assert reader.held == 0


def test_the_limit_can_change_between_values() -> None:
    reader = Reader(most_bytes=4)
    reader.feed(b'"ab"', 0.0)
    assert taken(reader) == [b'"ab"']
    reader.most_bytes = 5
    reader.feed(b'"abc"', 0.0)
    assert taken(reader) == [b'"abc"']


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":', b"}]")])
def test_depth_8_is_accepted_and_9_refused(opening: bytes, closing: bytes) -> None:
    levels = opening.count(b"[") + opening.count(b"{")
    fitting = opening * (8 // levels) + b"0" + closing * (8 // levels)
    assert texts(fitting) == [fitting]
    reader = Reader()
    reader.feed(b"[" + fitting + b"]", 0.0)
    error = refused(reader)
    assert error.reason is Reason.BAD_JSON
    assert "8" in str(error)


def test_values_side_by_side_are_not_deep() -> None:
    data = b"[" + b"[[],{}]," * 1_000 + b"[]]"
    assert texts(data * 3) == [data] * 3


def test_brackets_without_end_are_refused_at_the_ninth() -> None:
    for levels, opening in product((9, 200, 10**5, 10**6), (b"[", b'{"":', b'["",')):
        with case(levels, opening):
            whole = Reader(most_bytes=10**8)
            whole.feed(opening * levels, 0.0)
            assert refused(whole).reason is Reason.BAD_JSON
            reader = Reader()
            for level in range(9):
                assert reader.take(0.0) is None, level
                reader.feed(opening, 0.0)
            assert refused(reader).reason is Reason.BAD_JSON


def test_another_depth_can_be_asked_for() -> None:
    reader = Reader(most_depth=2)
    reader.feed(b"[[]][[[]]]", 0.0)
    assert reader.take(0.0) == b"[[]]"
    assert "2" in str(refused(reader))


# What no value begins with, and what never comes to its end.


STARTS = b'[{"+-. \t\r\n0123456789' + string.ascii_letters.encode()


def test_a_byte_that_begins_no_value_is_refused_at_once() -> None:
    for byte in sorted(set(range(256)) - set(STARTS)):
        with case(byte):
            for before in (b"", b" ", b"[1]", b"1"):
                reader = Reader()
                reader.feed(before + bytes([byte]), 0.0)
                assert f"{byte:#04x}" in str(refused(reader))


@pytest.mark.parametrize("start", [b"\xff\xfe[\x00", b"\x80", b"\xc0\xaf", b"\xf8", b"\xff"])
def test_a_byte_that_begins_no_character_is_bad_utf_8(start: bytes) -> None:
    reader = Reader()
    reader.feed(start, 0.0)
    assert refused(reader).reason is Reason.BAD_UTF8


def test_a_value_that_the_end_of_the_stream_cuts_off_is_refused() -> None:
    for data in (b"[", b'"', b"[1,2", b'["]', b'"\\"', b'{"a":', b'"\\', b"[[]"):
        with case(data):
            reader = Reader()
            reader.feed(b"[0]" + data, 0.0)
            assert taken(reader) == [b"[0]"]
            reader.close()
            error = refused(reader)
            assert error.reason is Reason.DISCONNECTED
            assert str(len(data)) in str(error)


@pytest.mark.parametrize("data", [b"", b" \n", b"[1]", b'"a" '])
def test_a_stream_may_end_between_values(data: bytes) -> None:
    reader = Reader()
    reader.feed(data, 0.0)
    reader.close()
    assert parsed(reader, 0.0) in ([], [[1]], ["a"])
    assert reader.take(9.0) is None


def test_what_only_looks_like_a_value_is_refused_by_reading_or_by_parsing() -> None:
    rows: list[bytes] = [b"[}", b"{]", b"[1,]", b"01", b"1_0", b"+1", b"NaN", b"[1 2]", b"tru", b"'a'", b"1,2"]
    for data in rows:
        with case(data):
            reader = Reader()
            reader.feed(data, 0.0)
            with pytest.raises(JsonError):
                parsed(reader, 1.0)


# Linear time.


class Counting(Reader):
    """Counts the bytes that are scanned."""

    def __init__(self) -> None:
        super().__init__(most_bytes=1_000_000)
        self.scanned = 0

    def take(self, now: float, most: int | None = None) -> bytes | None:
        before = self._at
        text = super().take(now, most)
        self.scanned += (self._at if text is None else len(text)) - before
        return text


@pytest.mark.parametrize("filling", [b"1", b",", b'"a",', b"[],", b'"\\\\",', b" "])
def test_no_byte_is_scanned_twice_when_200_000_bytes_come_one_by_one(filling: bytes) -> None:
    """Each scan goes on where the last one stopped; how many seconds that takes is for a bench to say."""
    data = b"[" + filling * ((200_000 - 2) // len(filling)) + b"]"
    reader = Counting()
    for at in range(len(data) - 1):
        reader.feed(data[at : at + 1], 0.0)
        assert reader.take(0.0) is None
    reader.feed(data[-1:], 0.0)
    assert reader.take(0.0) == data
    assert reader.scanned == len(data)


# Whatever the values, the white space and the chunks.

LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=6)
INNER = st.recursive(
    LEAVES | st.floats(allow_nan=False, allow_infinity=False) | st.text('[]{}"\\ \n', max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
# A bare 0 is complete at once, so a bare 0.5 cannot come in pieces; it is no answer to anything.
VALUES = LEAVES | st.lists(INNER, max_size=4) | st.dictionaries(st.text(max_size=3), INNER, max_size=3)
BLANKS = st.text(" \t\r\n", max_size=3)


@st.composite
def streams(draw: st.DrawFn) -> tuple[list[Json], bytes]:
    """Some values and their bytes, with white space between two bare scalars and anywhere else perhaps."""
    values: list[Json] = draw(st.lists(VALUES, max_size=6))
    data = draw(BLANKS).encode()
    last = b""
    for value in values:
        text = json.dumps(value, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 0, 2]))).encode()
        blank = draw(BLANKS).encode()
        if not blank and bare(last) and bare(text):
            blank = b"\n"
        data += blank + text
        last = text
    return values, data + draw(BLANKS).encode()


def bare(text: bytes) -> bool:
    return text[:1].isalnum() or text[:1] == b"-"


def typed(value: Json) -> str:
    """The value as text: true is not 1, and 1.0 is not 1."""
    return json.dumps(value)


@given(streams(), st.data())
def test_any_values_in_any_chunks_read_back_as_they_were(stream: tuple[list[Json], bytes], data: st.DataObject) -> None:
    values, sent = stream
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=12), label="cuts"))
    reader, read, now = Reader(most_depth=64), list[Json](), 0.0
    for start, end in pairwise([0, *cuts, len(sent)]):
        now += data.draw(st.sampled_from([0.0, 0.01, 0.049]), label="gap")
        reader.feed(sent[start:end], now)
        read += parsed(reader, now)
    if data.draw(st.booleans(), label="close"):
        reader.close()
    else:
        now += 0.05
    read += parsed(reader, now)
    assert typed(read) == typed(values)
    assert reader.held == 0


@given(streams(), st.integers(0, 3))
def test_any_values_byte_by_byte_read_back_as_they_were(stream: tuple[list[Json], bytes], gap: int) -> None:
    values, sent = stream
    reader, read = Reader(most_depth=64), list[Json]()
    for at in range(len(sent)):
        reader.feed(sent[at : at + 1], at * gap / 100)
        read += parsed(reader, at * gap / 100)
    read += parsed(reader, len(sent) + 1.0)
    assert typed(read) == typed(values)


NOISE = st.binary(max_size=40) | st.text('[]{}",:\\019eE+-.tfn \n', max_size=40).map(str.encode)


@given(st.lists(st.tuples(NOISE, st.sampled_from([0.0, 0.01, 0.06])), max_size=6), st.booleans(), st.integers(-1, 12))
def test_random_bytes_are_values_or_a_json_error(chunks: list[tuple[bytes, float]], closed: bool, most: int) -> None:
    reader, now = Reader(most_bytes=30, most_depth=3), 0.0
    sent = read = b""
    try:
        for data, gap in chunks:
            now += gap
            reader.feed(data, now)
            sent += data
            read += b"".join(taken(reader, now, most if most >= 0 else None))
        if closed:
            reader.close()
        read += b"".join(taken(reader, now + 0.05))
    except JsonError as error:
        refusal = str(error)
    else:
        refusal = ""
        done = sent[: len(sent) - reader.held]
        assert without_blanks(read) == without_blanks(done), "nothing is lost and nothing comes twice"
    assert refusal == "" or refusal.isprintable()


def without_blanks(data: bytes) -> bytes:
    return data.translate(None, b" \t\r\n")


@given(NOISE)
def test_a_reader_that_has_refused_once_still_raises_nothing_else(noise: bytes) -> None:
    reader = Reader(most_bytes=20, most_depth=2)
    reader.feed(noise, 0.0)
    for now in (0.0, 1.0, 2.0, 3.0):
        try:
            reader.take(now)
        except JsonError:
            reader.feed(noise, now)
