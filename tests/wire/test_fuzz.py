"""Whatever is sent, a move or a fault comes of it: 20,000 spoilt replies, and every wrong value in every place.

A second reading of the dialects, by nothing but types and lengths, says which values mean a move; both must agree.
"""

import json
import math
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import pytest

from tests.cases import case
from tests.scenario import board
from tests.times import TIMES
from tests.wire.test_splitting import DIALECTS, Said, meant, recorded
from wateringhole.cards import DECK
from wateringhole.fault import Asked, Fault, Reason
from wateringhole.moves import Attack, CardPlay, Decline, Graze, Reply, StoreFat
from wateringhole.player import Other
from wateringhole.view import Choose, Feed, Own, Request
from wateringhole.wire.framing import Json, JsonError, Reader, parse

INPUTS: Final = 20_000 * TIMES

ME: Final = Own(2, (board("carnivore", population=3), board(population=2)), DECK[:5], 4)
OTHERS: Final = (Other(3, (board(population=2), board("horns")), 2), Other(1, (board("fat-tissue", body=3),), 6))
SMALL: Final[dict[Asked, Request]] = {
    "choose": Choose(ME, 0, OTHERS[1:], OTHERS[:1]),
    "feed": Feed(ME, 6, OTHERS),
}

MAX_NUMBER: Final = 2**31 - 1


# The second reading.


def is_move(value: Json, dialect: str, asked: Request) -> bool:
    """Whether this answer means a move."""
    tag = "feeding" if isinstance(asked, Feed) else "play"
    if dialect == "tagged":
        if not isinstance(value, list) or len(value) != 2 or value[0] != tag:
            return False
        value = value[1]
    if isinstance(asked, Feed):
        return value is False or is_natural(value) or is_fat(value) or is_attack(value, len(asked.others))
    return (
        isinstance(value, list)
        and len(value) == 5
        and is_natural(value[0])
        and is_list(value[1], lambda item: is_growth(item, "population"))
        and is_list(value[2], lambda item: is_growth(item, "body"))
        and is_list(value[3], lambda item: is_numbers(item, 1, 4))
        and is_list(value[4], lambda item: is_numbers(item, 3, 3))
    )


def is_natural(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_list(value: Json, is_item: Callable[[Json], bool]) -> bool:
    return isinstance(value, list) and all(is_item(item) for item in value)


def is_numbers(value: Json, least: int, most: int) -> bool:
    return is_list(value, is_natural) and isinstance(value, list) and least <= len(value) <= most


def is_growth(value: Json, tag: str) -> bool:
    if isinstance(value, list) and len(value) == 3 and value[0] == tag:
        value = value[1:]
    return is_numbers(value, 2, 2)


def is_fat(value: Json) -> bool:
    return is_numbers(value, 2, 2)


def is_attack(value: Json, others: int) -> bool:
    if not isinstance(value, list) or not is_numbers(value, 3, 3):
        return False
    place = value[1]
    return isinstance(place, int) and place < others


def largest(value: Json) -> float:
    if isinstance(value, list):
        return max(map(largest, value), default=0)
    return value if isinstance(value, int | float) else 0


def judge(value: Json, dialect: str, asked: Request) -> Reply:
    """What comes of this answer: a move if the second reading says so, else a fault in one short line.

    A number that is too large for anything may be refused here or by the rules.
    """
    reply = meant(dialect, asked, value)
    assert type(reply) in (CardPlay, Graze, StoreFat, Attack, Decline, Fault)
    if not isinstance(reply, Fault):
        assert is_move(value, dialect, asked), (value, reply)
        assert isinstance(reply, CardPlay) == isinstance(asked, Choose)
    else:
        assert not is_move(value, dialect, asked) or largest(value) > MAX_NUMBER, (value, reply)
        assert reply.reason in {Reason.SHAPE, Reason.ILLEGAL}
        assert reply.during == ("feed" if isinstance(asked, Feed) else "choose")
        assert reply.text.isprintable()
        assert len(reply.text) < 300
    return reply


def ruled(reply: Reply, asked: Request) -> Fault | None:
    """Why the dealer would refuse this reply, or None when it would take it."""
    if isinstance(reply, Fault):
        return reply
    assert isinstance(reply, CardPlay) == isinstance(asked, Choose)
    return asked.why_not(reply)


# Spoilt replies.

NASTY: Final = (
    b"true", b"false", b"null", b"NaN", b"Infinity", b"-Infinity", b"-1", b"-0", b"1.0", b"1e5", b"1e400", b"01", b"0",
    b'"0"', b'""', b"{}", b"[]", b"[[]]", b'{"a":1,"a":2}', b"1" + b"0" * 30, b"9" * 400, b"2147483648", b"0x1", b"+1",
    b'"\\ud800"', b'"\\u0000"', b'"\xff"', b"\xef\xbb\xbf", b"\x00", b'"population"', b'"body"', b'"play"',
)  # fmt: skip
NUMBERS: Final = re.compile(rb"\d+|false")
VALUES: Final = ("true false null -1 0 1 7 1.0 1" + "0" * 30 + ' "0" "" "body" {} [] [0] [[]]').split()


def flip(text: bytearray, random: Random) -> None:
    if text:
        text[random.randrange(len(text))] ^= 1 << random.randrange(8)


def insert(text: bytearray, random: Random) -> None:
    at = random.randint(0, len(text))
    text[at:at] = random.choice((random.randbytes(1), random.choice((b"[", b"]", b",", b'"', b"\\", b" ", b"{", b"1"))))


def delete(text: bytearray, random: Random) -> None:
    at = random.randint(0, len(text))
    del text[at : at + random.randint(1, 3)]


def repeat(text: bytearray, random: Random) -> None:
    at = random.randint(0, len(text))
    text[at:at] = text[at : at + random.randint(1, 12)]


def cut(text: bytearray, random: Random) -> None:
    del text[random.randint(0, len(text)) :]


def swap(text: bytearray, random: Random) -> None:
    """Another token for a number."""
    found = list(NUMBERS.finditer(text))
    if found:
        start, end = random.choice(found).span()
        text[start:end] = random.choice(NASTY)


def nest(text: bytearray, random: Random) -> None:
    levels = random.choice((1, 4, 8, 60, 70))
    text[:] = b"[" * levels + text + b"]" * levels


BYTE_MUTATIONS: Final = (flip, insert, delete, repeat, cut, swap, swap, nest)


def arrays(value: Json) -> Iterator[list[Json]]:
    """Every array in this value, the outer ones first."""
    if isinstance(value, list):
        yield value
        for item in value:
            yield from arrays(item)


def rebuilt(text: bytes, random: Random) -> bytes:
    """The reply with items that are doubled, missing, added, moved or of another type."""
    value: Json = json.loads(text)
    for _ in range(random.randint(1, 2)):
        found = list(arrays(value))
        if not found:
            return random.choice(VALUES).encode()
        array = random.choice(found)
        at = random.randint(0, len(array))
        match random.randrange(5):
            case 0:
                array.insert(at, json.loads(random.choice(VALUES)))
            case 1 if array:
                array.insert(at, json.loads(json.dumps(random.choice(array))))
            case 2 if array:
                array.pop(at - 1)
            case 3 if array:
                array[at - 1] = json.loads(random.choice(VALUES))
            case _:
                random.shuffle(array)
    return json.dumps(value).encode()


def spoilt(text: bytes, random: Random) -> bytes:
    if random.random() < 0.4:
        return rebuilt(text, random)
    data = bytearray(text)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        random.choice(BYTE_MUTATIONS)(data, random)
    return bytes(data)


def values_in(data: bytes, random: Random) -> list[Json]:
    """The values that a line gets out of these bytes, in one chunk or two, up to the first error."""
    reader, found = Reader(), list[Json]()
    at = random.randint(0, len(data)) if random.random() < 0.3 else len(data)
    try:
        for now, chunk in ((0.0, data[:at]), (random.choice((0.01, 0.06)), data[at:])):
            reader.feed(chunk, now)
            while (text := reader.take(now, random.choice((None, 1, 12)))) is not None:
                found.append(parse(text))
        reader.close()
        while (text := reader.take(1.0)) is not None:
            found.append(parse(text))
    except JsonError as error:
        refusal = str(error)
    else:
        refusal = ""
    assert refusal == "" or (refusal.isprintable() and len(refusal) < 200)
    return found


def test_a_spoilt_reply_is_a_move_or_a_fault_as_the_second_reading_says() -> None:
    random = Random("spoilt")
    corpus = [reply for dialect in DIALECTS for reply in recorded(dialect)]
    moves = faults = 0
    for _ in range(INPUTS):
        said = random.choice(corpus)
        fitting: Asked = "feed" if isinstance(said.request, Feed) else "choose"
        asked = SMALL[fitting if random.random() < 0.8 else "feed"]
        for value in values_in(spoilt(said.text, random), random):
            for dialect in DIALECTS:
                reply = judge(value, dialect, asked)
                if isinstance(reply, Fault):
                    faults += 1
                else:
                    moves += 1
                    ruled(reply, asked)
    assert moves > INPUTS // 20, "not everything is spoilt beyond a move"
    assert faults > INPUTS // 2


# Wrong values in every place.

WRONG: Final[tuple[Json, ...]] = (True, 1.0, -1, "0", None, {}, [], 10**30, math.nan, 0.0, "", [0], {"0": 0}, -(10**30))


def leaves(value: Json) -> Iterator[tuple[int, ...]]:
    """The way to every place without items of its own."""
    if not isinstance(value, list) or not value:
        yield ()
        return
    for at, item in enumerate(value):
        yield from ((at, *way) for way in leaves(item))


def replaced(value: Json, way: tuple[int, ...], new: Json) -> Json:
    """A copy with something new at this place."""
    if not way:
        return new
    assert isinstance(value, list)
    at, *rest = way
    return [*value[:at], replaced(value[at], tuple(rest), new), *value[at + 1 :]]


def at(value: Json, way: tuple[int, ...]) -> Json:
    for number in way:
        assert isinstance(value, list)
        value = value[number]
    return value


def refused(said: Said, dialect: str, text: bytes) -> bool:
    """Whether these bytes instead of what was said would get the seat expelled."""
    try:
        value = parse(text)
    except JsonError:
        return True
    return ruled(judge(value, dialect, said.request), said.request) is not None


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_wrong_value_in_any_place_of_a_legal_reply_is_refused(dialect: str) -> None:
    cases = 0
    for said in recorded(dialect)[:60]:
        value = parse(said.text)
        assert not refused(said, dialect, said.text)
        for way in leaves(value):
            here = at(value, way)
            for wrong in WRONG:
                if here == [] and wrong == []:
                    continue
                text = json.dumps(replaced(value, way, wrong)).encode()
                assert refused(said, dialect, text), (said.text, text)
                cases += 1
    assert cases >= 6_000


def test_false_is_not_0_and_true_is_nothing() -> None:
    for dialect in DIALECTS:
        replies = [judge(enveloped(dialect, "feeding", value), dialect, SMALL["feed"]) for value in (False, 0, True)]
        assert replies[:2] == [Decline(), Graze(0)]
        assert isinstance(replies[2], Fault)


def enveloped(dialect: str, tag: str, value: Json) -> Json:
    return [tag, value] if dialect == "tagged" else value


def misshapen(value: Json) -> Iterator[Json]:
    """An answer with objects for its arrays and numbers, and with arrays that are too short or too long."""
    ways = dict.fromkeys(way[:depth] for way in leaves(value) for depth in range(len(way) + 1))
    for way in ways:
        here = at(value, way)
        yield replaced(value, way, {"value": here})
        if isinstance(here, list):
            yield replaced(value, way, {})
            yield replaced(value, way, {str(number): item for number, item in enumerate(here)})
        if isinstance(here, list) and len(way) == 2:  # a growth, a new board, a replacement
            yield replaced(value, way, [])
            yield replaced(value, way, [*here, 0, 0, 0, 0])
            yield replaced(value, way, [here])
        if len(way) == 2 and way[0] == 4:
            assert isinstance(here, list)
            yield replaced(value, way, here[1:])
            yield replaced(value, way, [*here, 0])
    if isinstance(value, list):
        yield []
        yield [value]
        yield [*value, *value]
    if isinstance(value, list) and len(value) == 5:
        yield value[::-1]
        yield from (value[:number] + value[number + 1 :] for number in range(5))
        yield from (value[:number] + value[number : number + 1] + value[number:] for number in range(5))
        yield from ([*value[:number], [], *value[number:]] for number in range(6))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_objects_and_missing_or_added_items_are_refused(dialect: str) -> None:
    cases = 0
    for said in recorded(dialect)[:60]:
        value = parse(said.text)
        spoiled: list[Json] = []
        if dialect == "tagged":
            assert isinstance(value, list)
            tag, inner = value
            assert isinstance(tag, str)
            spoiled += [[tag, shape] for shape in misshapen(inner)]
            spoiled += [inner, tag, [tag], [inner], [inner, tag], [tag, inner, inner], [[tag, inner]], {tag: inner}]
            spoiled += [[tag.upper(), inner], ["", inner], [None, inner], [[tag], inner]]
        else:
            spoiled += misshapen(value)
        for wrong in spoiled:
            assert refused(said, dialect, json.dumps(wrong).encode()), (said.text, wrong)
        cases += len(spoiled)
    assert cases >= 2_500


def test_an_object_is_refused_whatever_its_keys() -> None:
    for text in (b"{}", b'{"0":1}', b'{"a":1,"a":1}', b'{"play":[0,[],[],[],[]],"play":0}', b'{"":{}}'):
        for dialect in DIALECTS:
            for asked in SMALL.values():
                assert isinstance(judge(parse(text), dialect, asked), Fault)
                assert isinstance(judge([parse(text)], dialect, asked), Fault)


# Numerals.

NUMERALS: Final = (
    b"-0", b"-1", b"-12", b"-0.0", b"0.0", b"1.0", b"1.5", b"0.1", b"1.", b"0.", b".5", b".", b"1e0", b"1E0", b"0e0",
    b"1e5", b"1e+5", b"1e-5", b"1e", b"1e+", b"e5", b"1e400", b"-1e400", b"1E+999999", b"01", b"00", b"007", b"-01",
    b"+1", b"+0", b"--1", b"-", b"+", b"1-", b"0x1", b"0b1", b"0o1", b"1_0", b"0_0", b"NaN", b"-NaN", b"nan",
    b"Infinity", b"-Infinity", b"+Infinity", b"inf", b"1n", b"1L", b"1f", b"1%", b"$1", b"1/1", b"(1)", b"'1'", b'"1"',
    b"true", b"True", b"null", b"None", b"undefined", b"1" + b"0" * 30, b"-1" + b"0" * 30, b"2147483648",
    b"9223372036854775808", b"18446744073709551616", b"9" * 4_000, b"9" * 4_001, b"9" * 5_000, b"1" * 400 + b".0",
    "\u0661".encode(), "\uff11".encode(), "\u00b2".encode(), "\u22121".encode(),
)  # fmt: skip
POSITIONS: Final[dict[Asked, tuple[bytes, ...]]] = {
    "choose": (
        b"[#,[],[],[],[]]",
        b"[0,[[#,1]],[],[],[]]",
        b"[0,[[0,#]],[],[],[]]",
        b'[0,[["population",#,1]],[],[],[]]',
        b"[0,[],[[#,1]],[],[]]",
        b'[0,[],[["body",0,#]],[],[]]',
        b"[0,[],[],[[#]],[]]",
        b"[0,[],[],[[1,#]],[]]",
        b"[0,[],[],[],[[#,0,1]]]",
        b"[0,[],[],[],[[0,#,1]]]",
        b"[0,[],[],[],[[0,0,#]]]",
    ),
    "feed": (b"#", b"[#,1]", b"[1,#]", b"[#,0,0]", b"[0,#,0]", b"[0,0,#]"),
}


def heard(data: bytes) -> list[Json]:
    """The values in these bytes; none when the first thing wrong with them is that they are no JSON."""
    reader, found = Reader(), list[Json]()
    reader.feed(data, 0.0)
    reader.close()
    try:
        while (text := reader.take(0.0)) is not None:
            found.append(parse(text))
    except JsonError:
        return []
    return found


def test_what_is_no_plain_natural_number_is_refused_wherever_one_is_due() -> None:
    for numeral in NUMERALS:
        with case(numeral):
            for dialect in DIALECTS:
                for during, asked in SMALL.items():
                    tag = b"play" if during == "choose" else b"feeding"
                    for position in POSITIONS[during]:
                        text = position.replace(b"#", numeral)
                        data = b'["%s",%s]' % (tag, text) if dialect == "tagged" else text
                        values = heard(data)
                        refusals = [ruled(judge(value, dialect, asked), asked) for value in values]
                        assert values == [] or refusals[0] is not None, data


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_plain_natural_number_is_read_wherever_one_is_due(dialect: str) -> None:
    for during, asked in SMALL.items():
        for position in POSITIONS[during]:
            value = enveloped(dialect, "play" if during == "choose" else "feeding", parse(position.replace(b"#", b"1")))
            assert not isinstance(judge(value, dialect, asked), Fault), position


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_number_of_thousands_of_digits_is_refused_in_a_sentence(dialect: str) -> None:
    huge = int("9" * 4_000)
    for during, asked in SMALL.items():
        for position in POSITIONS[during]:
            value = parse(position.replace(b"#", str(huge).encode()))
            said = enveloped(dialect, "play" if during == "choose" else "feeding", value)
            refusal = ruled(judge(said, dialect, asked), asked)
            assert refusal is not None
            assert len(refusal.text) < 300, (position, refusal.text[:80])
