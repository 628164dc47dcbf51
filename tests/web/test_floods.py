"""Lines that are slow, broken, deaf or too many: the server stays well and says nothing about it.

Nothing here measures time: what must end ends within everybody's patience, and one thing comes before another.
"""

import asyncio
import json
import re
import socket
import struct
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Final, get_args

import pytest
from starlette.types import ASGIApp, Message
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed

from tests.cases import case
from tests.server.simulation import SimulatedLoop
from tests.server.strangers import run
from tests.web.raw import (
    BINARY,
    CLOSE,
    CONTINUED,
    HERE,
    PING,
    PONG,
    TEXT,
    answer,
    answered,
    closed,
    connected,
    frame,
    handshake,
    line,
    own,
    request,
)
from tests.web.server import PATIENCE, PERSON, Line, Server, bot, serving
from wateringhole.cards import shuffled
from wateringhole.fair import Deal
from wateringhole.server.clock import TimeControl
from wateringhole.server.connection import Limits
from wateringhole.server.games import Games, Service
from wateringhole.server.lobby import Lobby, Tables
from wateringhole.store.archiver import Archiver
from wateringhole.store.data_folder import open_data_folder
from wateringhole.web.app import app
from wateringhole.web.archive import Archive
from wateringhole.web.http_input import page_message
from wateringhole.web.http_server import MAX_HEADER_BYTES
from wateringhole.web.middleware import MAX_BODY_BYTES
from wateringhole.web.page_messages import TabRefused
from wateringhole.web.rooms import MAX_ROOMS, MAX_ROOMS_PER_ADDRESS, SWEEP_SECONDS, Refusal, Rooms
from wateringhole.web.tab import MAX_MESSAGE_BYTES, MAX_UNSENT_BYTES, SLOW_READER, Tab
from wateringhole.web.tab_messages import PageSays, TabSignUp
from wateringhole.web.table_socket import MAX_TABS, MAX_TABS_PER_ADDRESS
from wateringhole.wire.framing import Json

WANTED: Final = b'{"places":[{"kind":"person"},{"kind":"bot"},{"kind":"bot"}],"pace":0}'
WATCH: Final = frame(TEXT, b'{"type":"sign_up","wateringhole":1,"watch":true}')


@pytest.fixture(scope="module")
def strained() -> Iterator[Server]:
    """A server for those who break lines; what it says on standard error fails the last of them."""
    with serving() as running:
        yield running


def plays(server: Server) -> None:
    """Somebody plays a whole game, so the server is well."""
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as ann:
        ann.play()


# HTTP that never comes to an end, or comes wrongly (T39).

HASTY: Final = """
import sys
from wateringhole.cli import main
from wateringhole.web import http_server
http_server.HEADER_SECONDS = http_server.DRAIN_SECONDS = 4.0
main(sys.argv[1:])
"""
"""A server with little patience, but enough for a good client on a machine that is busy with other things."""


@pytest.fixture(scope="module")
def hasty() -> Iterator[Server]:
    with serving(program=("-c", HASTY)) as running:
        yield running


OURS: Final = "Host: localhost\r\nOrigin: http://localhost\r\nX-Wateringhole: 1\r\nContent-Type: application/json\r\n"
GET: Final = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
POST: Final = f"POST /api/tables HTTP/1.1\r\n{OURS}".encode()
UPGRADE: Final = handshake("/table/x/line", "Host: localhost", "Origin: http://localhost")[:-2]
CHUNKED: Final = b"Transfer-Encoding: chunked\r\n\r\n"

UNFINISHED: Final = {
    "nothing": (b"", b""),
    "blank lines": (b"", b"\r\n"),
    "a method in drops": (b"", b"G"),
    "headers without an end": (GET, b"A: b\r\n"),
    "one header without an end": (GET + b"A: ", b"b"),
    "half a handshake": (UPGRADE, b"A: b\r\n"),
    "a body that does not come": (POST + b"Content-Length: 100\r\n\r\n", b""),
    "a body in drops": (POST + b"Content-Length: 60000\r\n\r\n", b" "),
    "chunks without an end": (POST + CHUNKED, b"1\r\n \r\n"),
    "the size of a chunk without an end": (POST + CHUNKED, b"0"),
    "a body that nobody wants": (POST.replace(b"/api/tables", b"/nothing") + CHUNKED, b"1\r\n \r\n"),
    "a body for a page": (GET + b"Content-Length: 60000\r\n\r\n", b" "),
    "a second request in drops": (GET + b"\r\n", b"G"),
    "a second request that does not come": (GET + b"\r\n", b""),
    "a handshake with too many headers": (UPGRADE + b"A: b\r\n" * 200 + b"\r\n", b""),
    "a handshake with too long a path": (UPGRADE.replace(b"/x/", b"/" + b"x" * 9_000 + b"/") + b"\r\n", b""),
    "a handshake with a body": (UPGRADE + b"Content-Length: 5\r\n\r\n", b""),
    "a handshake with a foreign key": (UPGRADE.replace(b"Key: ", b"Key: x") + b"\r\n", b""),
    "a handshake of another version": (UPGRADE.replace(b"Version: 13", b"Version: 12") + b"\r\n", b""),
}
"""What somebody says who never comes to an end: first the one, then the other over and over."""


def ended(end: socket.socket, drop: bytes) -> bool:
    """Whether the server closes this connection over which it drips."""
    end.settimeout(0.02)
    for _ in range(int(PATIENCE / 0.02)):
        try:
            end.sendall(drop)
            if not end.recv(65_536):
                return True
        except TimeoutError:
            continue
        except (ConnectionResetError, BrokenPipeError):
            return True
    return False


def test_who_never_comes_to_an_end_is_cut_off_and_the_others_are_served_meanwhile(hasty: Server) -> None:
    with ExitStack() as stack, ThreadPoolExecutor(len(UNFINISHED)) as pool:
        ends = [stack.enter_context(connected(hasty, first)) for first, _ in UNFINISHED.values()]
        waits = pool.map(ended, ends, [drop for _, drop in UNFINISHED.values()])
        plays(hasty)
        assert [kind for kind, done in zip(UNFINISHED, waits, strict=True) if not done] == []


def test_hundreds_of_connections_that_say_half_of_what_they_want_are_cut_off(hasty: Server) -> None:
    with ExitStack() as stack:
        ends = [stack.enter_context(connected(hasty, GET)) for _ in range(300)]
        plays(hasty)
        for end in ends:
            assert closed(end) == b""


def deaf(server: Server) -> socket.socket:
    """A connection that has no room for what comes."""
    end = socket.socket()
    end.settimeout(PATIENCE)
    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    end.connect((HERE, server.port))
    return end


def cut_off(end: socket.socket, more: bytes) -> bool:
    """Whether the server gives this connection up, over which more and more is asked for and nothing is taken."""
    end.settimeout(0.05)
    for _ in range(int(PATIENCE / 0.05)):
        try:
            end.sendall(more)
            time.sleep(0.05)
        except TimeoutError:
            continue
        except (ConnectionResetError, BrokenPipeError):
            return True
    return False


def test_who_asks_for_pages_and_takes_none_is_cut_off(hasty: Server) -> None:
    with deaf(hasty) as end:
        assert cut_off(end, (GET.replace(b" / ", b" /rules ") + b"\r\n") * 100)
    plays(hasty)


def test_a_server_that_ends_while_somebody_takes_no_answer_does_not_complain() -> None:
    with ExitStack() as later, serving() as server:
        end = later.enter_context(deaf(server))
        end.sendall((GET.replace(b" / ", b" /rules ") + b"\r\n") * 300)
        plays(server)


def test_who_pings_and_takes_no_answer_is_cut_off(hasty: Server) -> None:
    table, _ = hasty.table([PERSON, bot(), bot()])
    with deaf(hasty) as end:
        end.sendall(handshake(f"/table/{table}/line", "Host: localhost", "Origin: http://localhost"))
        assert end.recv(12) == b"HTTP/1.1 101"
        end.sendall(WATCH)
        assert cut_off(end, frame(PING, b"x" * 125) * 1_000)
    plays(hasty)


def test_who_says_nothing_over_an_open_line_is_refused(hasty: Server) -> None:
    table, _ = hasty.table([PERSON, bot(), bot()])
    with line(hasty, table) as silent:
        assert silent.code() == 4002, "so that its page tries again"


BAD_HTTP: Final = {
    "garbage": b"\x00\x01\x02\r\n\r\n",
    "a TLS client": bytes.fromhex("160301020001fc0303") + bytes(500) + b"\r\n\r\n",
    "only a target": b"/\r\n\r\n",
    "no version": b"GET /\r\n\r\n",
    "no number in the version": b"GET / HTTP/x.y\r\nHost: localhost\r\n\r\n",
    "a space in the target": b"GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a letter beyond ASCII in the target": "GET /ä HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(),
    "a bracket in the method": b"G[T / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a header without a colon": GET + b"A\r\n\r\n",
    "a header with a space in its name": GET + b"A b: c\r\n\r\n",
    "a header without a name": GET + b": c\r\n\r\n",
    "NUL in a header": GET + b"A: b\x00c\r\n\r\n",
    "a carriage return in a header": GET + b"A: b\rB: c\r\n\r\n",
    "a length that is no number": POST + b"Content-Length: x\r\n\r\n",
    "a length below 0": POST + b"Content-Length: -1\r\n\r\n",
    "a length of 5,000 digits": POST + b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n",
    "two lengths": POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a coding that there is not": POST + b"Transfer-Encoding: gzip\r\n\r\n",
    "two codings": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
    "a chunk without a size": POST + CHUNKED + b"\r\n\r\n",
    "a chunk with a size that is none": POST + CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n",
    "a chunk with a size below 0": POST + CHUNKED + b"-2\r\n{}\r\n0\r\n\r\n",
    "a chunk with an endless size": POST + CHUNKED + b"f" * 30,
    "a chunk longer than its size": POST + CHUNKED + b"2\r\n{}{}\r\n0\r\n\r\n",
    "a body with one chunk that is none, for a page": GET + CHUNKED + b"zz\r\n",
    "a megabyte of one header": GET + b"A: " + b"b" * 1_000_000,
    "a megabyte of headers": GET + b"A: b\r\n" * 170_000,
    "a megabyte of target": b"GET /" + b"x" * 1_000_000,
    "a body that breaks off": POST + b"Content-Length: 100\r\n\r\n{",
    "chunks that break off": POST + CHUNKED + b"64\r\n{",
}


def said_until_refused(server: Server, *pieces: bytes) -> bytes:
    """What the server has to say about these pieces, one after the other, after which nothing more comes."""
    with connected(server) as end:
        try:
            for piece in pieces:
                end.sendall(piece)
            end.shutdown(socket.SHUT_WR)
        except (ConnectionResetError, BrokenPipeError, OSError):
            pass  # it would not hear more of it
        return closed(end)


def test_what_is_no_proper_http_is_refused_without_a_word_on_standard_error() -> None:
    with serving() as server:
        for kind, data in BAD_HTTP.items():
            came = said_until_refused(server, data)
            assert came == b"" or came.startswith(b"HTTP/1.1 4"), (kind, came[:80])
            assert b"Traceback" not in came
        plays(server)


def test_what_goes_wrong_after_the_answer_ends_the_connection_without_a_word_on_standard_error() -> None:
    with serving() as server:
        for head, rest in ((GET + CHUNKED, b"zz\r\n"), (GET + b"\r\n", b"\x00\r\n\r\n")):
            with connected(server, head) as end:
                assert end.recv(12) == b"HTTP/1.1 200"
                end.sendall(rest)
                closed(end)
        plays(server)


def test_a_header_in_small_pieces_is_refused_when_it_is_too_long(strained: Server) -> None:
    with connected(strained, GET) as end:
        for _ in range(2 * MAX_HEADER_BYTES // 1_000):
            try:
                end.sendall(b"A: " + b"b" * 995 + b"\r\n")
            except (ConnectionResetError, BrokenPipeError):
                return
        assert closed(end)[:12] in {b"", b"HTTP/1.1 400"}


def test_headers_in_one_piece_are_taken_up_to_the_limit_and_refused_above_it(strained: Server) -> None:
    """Over the limit in one header, in many, in blanks that mean nothing, in the target, and in a second request."""
    room = MAX_HEADER_BYTES - len(GET + b"\r\n")
    second = GET + b"\r\n"
    for extra, status in ((0, b"200"), (1, b"400")):
        for kind, data in {
            "one header": GET + b"A: " + b"b" * (room + extra - 5) + b"\r\n\r\n",
            "many headers": GET + b"A: b\r\n" * 2_000 + b"A: " + b"b" * (room + extra - 12_005) + b"\r\n\r\n",
            "blanks": GET + b"A:" + b" " * (room + extra - 5) + b"b\r\n\r\n",
            "the target": GET.replace(b" / ", b" /?" + b"x" * (room + extra - 1) + b" ") + b"\r\n",
        }.items():
            with case(kind, extra):
                assert len(data) == MAX_HEADER_BYTES + extra
                assert said_until_refused(strained, data)[9:12] == status
                assert re.findall(rb"HTTP/1\.1 (\d+) ", said_until_refused(strained, second + data)) == [b"200", status]


def test_a_request_with_both_a_length_and_chunks_is_refused(strained: Server) -> None:
    length, chunked = b"Content-Length: 5\r\n", CHUNKED[:-2]
    for lines, status in ((length, b"200"), (chunked, b"200"), (length + chunked, b"400"), (chunked + length, b"400")):
        with case(lines):
            assert said_until_refused(strained, GET + lines + b"\r\n0\r\n\r\n")[9:12] == status


def test_requests_in_one_breath_are_answered_in_their_order(strained: Server) -> None:
    asked = b"".join(
        GET.replace(b" / ", path) + b"\r\n" for path in (b" /api/lobby ", b" /nothing ", b" /static/x ") * 30
    )
    came = said_until_refused(strained, asked + request("/", "Host: evil.com"))
    assert re.findall(rb"HTTP/1\.1 (\d+) ", came) == [b"200", b"404", b"404"] * 30 + [b"403"]


@pytest.mark.parametrize("framing", ["length", "chunks"])
def test_a_body_that_is_too_long_is_not_heard_to_its_end(strained: Server, framing: str) -> None:
    length = 20 * MAX_BODY_BYTES
    body = b" " * length
    head = POST + f"Content-Length: {length}\r\n\r\n".encode() if framing == "length" else POST + CHUNKED
    with connected(strained, head, body if framing == "length" else f"{length:x}\r\n".encode() + body) as end:
        assert answer(end).status == 413


def test_the_longest_body_that_may_be_is_heard(strained: Server) -> None:
    body = WANTED + b" " * (MAX_BODY_BYTES - len(WANTED))
    assert answered(strained, request("/api/tables", *own(strained), method="POST", body=body)).status == 201


# Frames that break the rules of a WebSocket (T40).

HELLO: Final = b'{"type":"sign_up","wateringhole":1,"name":"Eve"}'
PIECES: Final = [
    frame(TEXT, HELLO[:1], final=False),
    *(frame(CONTINUED, bytes([byte]), final=False) for byte in HELLO[1:-1]),
]

BAD_FRAMES: Final[dict[str, tuple[bytes, set[int | None]]]] = {
    "text without a mask": (frame(TEXT, HELLO, masked=False), {1002}),
    "a ping without a mask": (frame(PING, b"", masked=False), {1002}),
    **{f"reserved bit {bits}": (frame(TEXT, HELLO, bits=bits), {1002}) for bits in (1, 2, 4, 7)},
    **{f"a frame of kind {kind}": (frame(kind, b""), {1002}) for kind in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)},
    "the rest of nothing": (frame(CONTINUED, HELLO), {1002}),
    "a text inside of another": (frame(TEXT, b"{", final=False) + frame(TEXT, HELLO), {1002}),
    "a ping in pieces": (frame(PING, b"", final=False), {1002}),
    "a close in pieces": (frame(CLOSE, b"", final=False), {1002}),
    "a long ping": (frame(PING, b"x" * 126), {1002}),
    "a long close": (frame(CLOSE, struct.pack("!H", 1000) + b"x" * 124), {1002}),
    "half a code": (frame(CLOSE, b"x"), {1002}),
    **{
        f"code {code}": (frame(CLOSE, struct.pack("!H", code)), {1002})
        for code in (0, 1, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535)
    },
    "a reason that is no UTF-8": (frame(CLOSE, struct.pack("!H", 1000) + b"\xff"), {1002, 1007}),
    "bytes": (frame(BINARY, HELLO), {None}),
    "no bytes": (frame(BINARY, b""), {None}),
    "no UTF-8": (frame(TEXT, b"\xff\xfe"), {1007}),
    "half a letter": (frame(TEXT, "é".encode()[:1]), {1007}),
    "half a surrogate pair": (frame(TEXT, b'"\xed\xa0\x80"'), {1007}),
    "too long a text": (frame(TEXT, b" " * (MAX_MESSAGE_BYTES + 1)), {1009}),
    "too long a text in pieces": (
        frame(TEXT, b" " * 40_000, final=False) + frame(CONTINUED, b" " * 40_000),
        {1009},
    ),
    "a text as long as can be said": (struct.pack("!BBQ", 0x81, 0xFF, 2**63 - 1), {1009}),
    "a text longer than can be said": (struct.pack("!BBQ", 0x81, 0xFF, 2**64 - 1), {1002, 1009}),
    "many pieces without an end": (
        frame(TEXT, b"", final=False) + frame(CONTINUED, b" " * 70, final=False) * 1_000,
        {1009},
    ),
}


@pytest.mark.parametrize("greeted", [False, True])
def test_a_frame_that_breaks_the_rules_ends_its_own_line_and_no_other(strained: Server, greeted: bool) -> None:
    table, _ = strained.table([PERSON, PERSON, bot()])
    for kind, (data, codes) in BAD_FRAMES.items():
        with case(kind), line(strained, table) as other, line(strained, table) as broken:
            other.say(WATCH)
            if greeted:
                broken.say(WATCH)
                broken.next(TEXT)
            broken.say(data)
            assert broken.code() in codes
            other.say(frame(PING, b"still there"))
            assert other.next(PONG) == b"still there"


def test_a_text_may_come_in_pieces_with_pings_between_them(strained: Server) -> None:
    table, _ = strained.table([PERSON, PERSON, bot()])
    with line(strained, table) as pieces:
        for piece in PIECES:
            pieces.say(piece, frame(PING, b"?"), frame(PONG, b"!"))
        pieces.say(frame(CONTINUED, HELLO[-1:]))
        assert [pieces.next(PONG) for _ in PIECES] == [b"?"] * len(PIECES)
        assert json.loads(pieces.next(TEXT))["type"] == "welcome"


def test_thousands_of_pings_are_answered_and_a_game_is_played_beside_them(strained: Server) -> None:
    table, _ = strained.table([PERSON, bot(), bot()])
    with line(strained, table) as pinging:
        pinging.say(WATCH)
        for _ in range(20):
            pinging.say(*(frame(PING, struct.pack("!H", number)) for number in range(500)))
            assert [pinging.next(PONG) for _ in range(500)] == [struct.pack("!H", number) for number in range(500)]
        plays(strained)


def test_who_says_goodbye_is_told_goodbye(strained: Server) -> None:
    table, _ = strained.table([PERSON, bot(), bot()])
    for code in (1000, 1001, 3000, 4999):
        with line(strained, table) as leaving:
            leaving.say(WATCH, frame(CLOSE, struct.pack("!H", code) + "é".encode()))
            assert leaving.code() == code


# Messages that mean nothing.

_MANY = """
null, true, false, 0, 1, -1, 2147483647, 2147483648, 18446744073709551616, -0, 1.0, 1.5, 1e300, "", "1", "true",
"\\u0000", "\\ud800", "x", [], [0], [[]], [null], {}, {"": 0}, {"move": "decline"}, {"move": 1}, {"move": "play"},
{"move": "x"}, {"move": "graze", "board": -1}, {"move": "graze", "board": 0, "x": 0}, {"food": -1}, {"food": "0"},
{"traits": {}}, {"population": [{"board": 0}]}, {"boards": [{"pay": 0, "traits": [1, 2, 3, 4]}]}
"""
ODD_VALUES: Final[list[Json]] = [*json.loads(f"[{_MANY}]"), 10**3_900, "x" * 10_000]
SIGN_UP: Final = '{"type":"sign_up","wateringhole":1,"watch":true}'
NONSENSE: Final = [
    *("", " ", "{", "}", "{}x", "nul", "NaN", "Infinity", "-Infinity", "[1,]", "{'a':1}", "\ufeff{}", "\0", "// {}"),
    *('{"a":1', '{"a"}', '"\\x"', '"\t"', "01", "+1", ".5", "1e999", "9" * 5_000, "-" + "9" * 5_000, "[" * 60_000),
    *('{"a":' * 10_000, "[" * 30_000 + "]" * 30_000, '{"check":' * 100 + "{}" + "}" * 100, "null", "1", '"x"', "[]"),
    *('{"type":"unknown"}', '{"type":["seen"]}', '{"type":"answer","id":1,"id":2,"answer":{}}', '{"id":1}'),
    *('{"type":"hint","id":1,"__class__":1}', SIGN_UP),
]


LATER: Final[dict[str, dict[str, Json]]] = {
    "answer": {"id": 1, "answer": {"move": "decline"}},
    "check": {"plan": {}, "card": None, "ref": 0},
    "hint": {"id": 1},
    "change": {"seat": 1, "chair": {"kind": "person"}},
    "stand_in": {"seat": 1},
}
"""The messages that have fields, but for the first one, with a value for each field."""
FIELDS: Final = [(kind, field) for kind, said in LATER.items() for field in said]


def with_odd(kind: str, field: str, value: Json) -> dict[str, Json]:
    """The message of this kind with that value in this field."""
    first: dict[str, Json] = {"wateringhole": 1}
    return {"type": kind, **LATER.get(kind, first), field: value}


def wrong(kind: str, field: str, value: Json) -> bool:
    """Whether this value is not what this field is for."""
    try:
        page_message(json.dumps(with_odd(kind, field, value)).encode())
    except Refusal:
        return True
    return False


def refused(tab: Line) -> bool:
    """Whether the tab is told why what it said means nothing, and its line is closed."""
    try:
        while True:
            if tab.hear()["type"] == "refused":
                refusal = json.loads(tab.heard[-1])["text"]
                assert refusal.isprintable()
                assert len(refusal) < 4_500
    except ConnectionClosed as left:
        return left.rcvd is not None and left.rcvd.code == 4002 and '"refused"' in tab.heard[-1]


@pytest.mark.parametrize("field", TabSignUp.__struct_fields__)
def test_a_first_message_with_a_wrong_value_is_refused(strained: Server, field: str) -> None:
    table, _ = strained.table([PERSON, PERSON, bot()])
    values = [value for value in ODD_VALUES if wrong("sign_up", field, value)]
    assert len(values) > 20
    for value in values:
        with line(strained, table) as tab:
            tab.say(frame(TEXT, json.dumps(with_odd("sign_up", field, value)).encode()))
            assert tab.code() == 4003, value


def test_every_field_of_a_later_message_is_tried() -> None:
    kinds = {kind.__struct_config__.tag: kind.__struct_fields__ for kind in get_args(PageSays)}
    assert {kind: tuple(said) for kind, said in LATER.items()} == {
        kind: fields for kind, fields in kinds.items() if fields and kind != "sign_up"
    }


@pytest.mark.parametrize(("kind", "field"), FIELDS)
def test_a_message_with_a_wrong_value_is_refused_and_the_seat_stays_its_owners(
    strained: Server, kind: str, field: str
) -> None:
    table, key = strained.table([PERSON, bot(), bot()])
    with strained.tab(table, name="Ann", key=key) as tab:
        token = tab.hear("welcome")["token"]
    values = [value for value in ODD_VALUES if wrong(kind, field, value)]
    assert len(values) > 10
    for value in values:
        with strained.tab(table, token=token) as tab:
            token = tab.hear("welcome")["token"]
            tab.socket.send(json.dumps(with_odd(kind, field, value)))
            assert refused(tab), value
    with strained.tab(table, token=token) as tab:
        tab.play()


@pytest.mark.parametrize(("kind", "field"), [row for row in FIELDS if row[0] in {"check", "hint"}])
def test_an_odd_message_that_may_be_said_ends_nothing(strained: Server, kind: str, field: str) -> None:
    table, key = strained.table([PERSON, bot(), bot()])
    with strained.tab(table, name="Ann", key=key) as tab:
        tab.hear("choose")
        for value in [value for value in ODD_VALUES if not wrong(kind, field, value)]:
            tab.socket.send(json.dumps(with_odd(kind, field, value)))
        tab.say("check", plan={}, ref=77)
        while tab.hear("checked")["ref"] != 77:
            pass
        tab.say("hint", id=1)
        tab.play()


def test_nonsense_is_refused_first_and_later(strained: Server) -> None:
    table, key = strained.table([PERSON, bot(), bot()])
    with strained.tab(table, name="Ann", key=key) as tab:
        token = tab.hear("welcome")["token"]
    for text in NONSENSE:
        with line(strained, table) as first:
            if text != SIGN_UP:  # that one is a proper first message
                first.say(frame(TEXT, text.encode()))
                assert first.code() == 4003, text[:80]
        with strained.tab(table, token=token) as tab:
            token = tab.hear("welcome")["token"]
            tab.socket.send(text)
            assert refused(tab), text[:80]
    with strained.tab(table, token=token) as tab:
        tab.play()


def test_a_plan_with_thousands_of_parts_is_judged_like_any_other(strained: Server) -> None:
    table, key = strained.table([PERSON, bot(), bot()])
    with strained.tab(table, name="Ann", key=key) as tab:
        tab.hear("choose")
        parts: Json = [{"board": 0, "card": card} for card in range(2_000)]
        boards: Json = [{"pay": 2**31 - 1, "traits": [0, 1, 2]} for _ in range(1_500)]
        for draft in ({"food": 0, "population": parts}, {"food": 0, "boards": boards}, {"food": 0, "body": parts}):
            tab.say("check", plan=draft, card=3)
            told = tab.hear("checked")
            assert told["rule"] == "cardplay.cards"
            assert told["places"] == []
        tab.say("hint", id=1)
        tab.play()


def test_who_talks_without_end_is_cut_off_and_nobody_else_is(strained: Server) -> None:
    table, key = strained.table([PERSON, bot(), bot()])
    with line(strained, table) as talking:
        talking.say(frame(TEXT, json.dumps({"type": "sign_up", "wateringhole": 1, "name": "Eve", "key": key}).encode()))
        talking.say(*(frame(TEXT, b'{"type":"hint","id":99}') for _ in range(2_000)))
        plays(strained)
        objections = 0
        while (heard := talking.hear())[0] != CLOSE:
            objections += b'"objection"' in heard[1]
        assert objections < 2_000


# Those who look on and do not listen (T41), and how many may come.


class Visitor:
    """A tab right at the site, with no network in between; nothing more is taken from it while it is `stuck`."""

    def __init__(self, site: ASGIApp, table: str, address: str = HERE) -> None:
        self.came: list[Message] = []
        self.moving = asyncio.Event()
        self.moving.set()
        self._more = asyncio.Event()
        self._read = 0
        self._said: asyncio.Queue[Message] = asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
        path = f"/table/{table}/line"
        scope = {"type": "websocket", "scheme": "ws", "path": path, "headers": headers, "client": (address, 1)}
        self.task = asyncio.ensure_future(site(scope, self._said.get, self._take))

    async def _take(self, message: Message) -> None:
        self.came.append(message)
        self._more.set()
        await self.moving.wait()

    def say(self, kind: str, **message: Json) -> None:
        self._said.put_nowait({"type": "websocket.receive", "text": json.dumps({"type": kind, **message})})

    async def leave(self) -> None:
        self.moving.set()
        self._said.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await self.task

    async def next(self, kind: str | None = None) -> dict[str, Json]:
        """The next message of this kind, or whatever else comes next over the socket."""
        while True:
            while self._read == len(self.came):
                self._more.clear()
                await self._more.wait()
            message = self.came[self._read]
            self._read += 1
            if message["type"] != "websocket.send":
                return dict(message)
            value: dict[str, Json] = json.loads(message["text"])
            if kind is None or value["type"] == kind:
                return value

    @property
    def story(self) -> list[Json]:
        """All that it was told of the game."""
        told = [json.loads(message["text"]) for message in self.came if message["type"] == "websocket.send"]
        return [text for message in told if "events" in message for text in message["events"]]


@pytest.fixture
def archiver() -> Iterator[Archiver]:
    with open_data_folder(None) as kept:
        yield kept.archiver


def rooms_of(archiver: Archiver) -> Rooms:
    """The tables of a site."""
    games = Games(Service(lambda number: Deal(shuffled(str(number))), lambda *_: None, lambda *_: None))
    lobby = Lobby(Tables(), TimeControl(), games.play_clients, Limits())
    return Rooms(games, lobby, Archive(archiver))


def site(archiver: Archiver) -> ASGIApp:
    """The whole site, without its sockets."""
    return site_of(rooms_of(archiver))


def site_of(rooms: Rooms) -> ASGIApp:
    """The site of these tables."""
    return app(rooms, frozenset({"localhost"}), frozenset(), None)


async def made(site: ASGIApp, address: str = HERE, body: bytes = WANTED) -> tuple[int, dict[str, str]]:
    """Status and JSON of the answer to somebody at this address who wants a table."""
    came: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        came.append(message)

    given = {
        "host": "localhost",
        "origin": "http://localhost",
        "x-wateringhole": "1",
        "content-type": "application/json",
    }
    headers = [(name.encode(), value.encode()) for name, value in given.items()]
    scope = {"type": "http", "scheme": "http", "method": "POST", "path": "/api/tables", "headers": headers}
    await site(scope | {"client": (address, 1), "query_string": b""}, receive, send)
    return came[0]["status"], json.loads(came[1]["body"])


def test_players_do_not_wait_for_those_who_look_on_and_take_nothing(archiver: Archiver) -> None:
    async def scene() -> None:
        here = site(archiver)
        _, table = await made(here)
        watchers = [Visitor(here, table["table"]) for _ in range(200)]
        for watcher in watchers:
            watcher.say("sign_up", wateringhole=1, watch=True)
            await watcher.next("room")
        listening, stuck = watchers[:150], watchers[150:]
        for watcher in stuck:
            watcher.moving.clear()
        ann = Visitor(here, table["table"])
        ann.say("sign_up", wateringhole=1, name="Ann", key=table["key"])
        while (message := await ann.next())["type"] != "end":
            if message["type"] in {"choose", "feed"}:
                while len(listening[0].story) < len(ann.story):  # so there is much to tell, little by little
                    await listening[0].next()
                ann.say("hint", id=message["id"])
            elif message["type"] == "hint":
                ann.say("answer", id=message["id"], answer=message["answer"])
        for watcher in listening:
            await watcher.next("end")
        for watcher in stuck:
            watcher.moving.set()
        for watcher in stuck:
            await watcher.next("end")
        told, waited = (max(len(watcher.came) for watcher in group) for group in (listening, stuck))
        assert waited < told / 2, "what waits for them does not grow"
        await ann.leave()
        for watcher in stuck:
            while len(watcher.story) < len(ann.story):
                await watcher.next()
            assert watcher.story == ann.story, "what it missed comes with the next news"
        await asyncio.gather(*(watcher.leave() for watcher in watchers))

    run(scene())


class Socket:
    """The far end of a tab; it takes nothing more while it is not `moving`."""

    def __init__(self) -> None:
        self.came: list[Message] = []
        self.moving = asyncio.Event()
        self.moving.set()

    async def tab(self) -> Tab:
        """A tab that is open."""
        socket = WebSocket({"type": "websocket"}, self._receive, self._send)
        await socket.accept()
        return Tab(socket)

    async def _receive(self) -> Message:
        return {"type": "websocket.connect"}

    async def _send(self, message: Message) -> None:
        self.came.append(message)
        await self.moving.wait()


@pytest.mark.parametrize("takes", [True, False])
def test_a_tab_is_given_up_just_when_too_much_waits_for_it(takes: bool) -> None:
    async def scene() -> None:
        far, number = Socket(), 3 * MAX_UNSENT_BYTES // 1_000
        tab = await far.tab()
        if not takes:
            far.moving.clear()
        writing = asyncio.ensure_future(tab.write())
        for _ in range(number):
            tab.say(TabRefused("x" * 1_000))
            await asyncio.sleep(0)
        assert not writing.done()
        far.moving.set()
        if takes:
            tab.shut(1000)
        await writing
        said = ["websocket.send"] * (number if takes else 1)
        assert [message["type"] for message in far.came] == ["websocket.accept", *said, "websocket.close"]
        assert far.came[-1]["code"] == (1000 if takes else SLOW_READER)

    run(scene())


def test_spectators_who_never_read_do_not_keep_a_real_game_from_its_end(strained: Server) -> None:
    table, key = strained.table([PERSON, bot(), bot(), bot()])
    with ExitStack() as stack:
        deaf_ones = [stack.enter_context(deaf(strained)) for _ in range(100)]
        for end in deaf_ones:
            end.sendall(handshake(f"/table/{table}/line", "Host: localhost", "Origin: http://localhost"))
            assert end.recv(12) == b"HTTP/1.1 101"
            end.sendall(WATCH)
        with strained.tab(table, name="Ann", key=key) as ann:
            ann.play()


def test_one_address_may_make_so_many_tables_and_all_together_so_many(archiver: Archiver) -> None:
    async def scene() -> None:
        here = site(archiver)
        for _ in range(MAX_ROOMS_PER_ADDRESS):
            assert (await made(here, "192.0.2.1"))[0] == 201
        status, refusal = await made(here, "192.0.2.1")
        assert (status, refusal["text"]) == (
            400,
            f"{MAX_ROOMS_PER_ADDRESS} tables were made from your address already; try again later.",
        )
        for number in range(MAX_ROOMS_PER_ADDRESS, MAX_ROOMS):
            assert (await made(here, HERE if number % 2 else f"192.0.2.{2 + number % 200}"))[0] == 201
        for address in ("192.0.2.1", "192.0.2.250", HERE, "::1"):
            status, refusal = await made(here, address)
            assert (status, refusal["text"]) == (400, f"There are {MAX_ROOMS} tables already; try again later.")

    run(scene())


def test_an_address_may_make_tables_again_when_those_that_nobody_has_open_are_dropped(archiver: Archiver) -> None:
    async def scene() -> None:
        rooms = rooms_of(archiver)
        here = site_of(rooms)
        sweeping = asyncio.ensure_future(rooms.sweep())
        _, watched = await made(here)
        watcher = Visitor(here, watched["table"])
        watcher.say("sign_up", wateringhole=1, watch=True)
        await watcher.next("room")
        for _ in range(2):
            for status in [201] * MAX_ROOMS_PER_ADDRESS + [400]:
                assert (await made(here, "192.0.2.1"))[0] == status
            while len(rooms.listed()) > 1:
                await asyncio.sleep(SWEEP_SECONDS)  # of this loop's clock
        assert watched["table"] in rooms
        sweeping.cancel()
        await watcher.leave()

    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        runner.run(scene())


def test_one_address_may_open_so_many_tabs_and_may_again_when_one_is_closed(archiver: Archiver) -> None:
    async def scene() -> None:
        here = site(archiver)
        _, table = await made(here)
        tabs = [Visitor(here, table["table"], "192.0.2.1") for _ in range(MAX_TABS_PER_ADDRESS)]
        for tab in tabs:
            tab.say("sign_up", wateringhole=1, watch=True)
            await tab.next("room")
        too_many = Visitor(here, table["table"], "192.0.2.1")
        assert (await too_many.next())["type"] == "websocket.close"
        neighbour = Visitor(here, table["table"], "192.0.2.2")
        assert (await neighbour.next())["type"] == "websocket.accept"
        await tabs.pop().leave()
        again = Visitor(here, table["table"], "192.0.2.1")
        assert (await again.next())["type"] == "websocket.accept"
        await asyncio.gather(too_many.task, *(tab.leave() for tab in (*tabs, neighbour, again)))

    run(scene())


def test_all_together_may_open_so_many_tabs(archiver: Archiver) -> None:
    async def scene() -> None:
        here = site(archiver)
        _, table = await made(here)
        tabs = [Visitor(here, table["table"]) for _ in range(MAX_TABS)]
        assert {(await tab.next())["type"] for tab in tabs} == {"websocket.accept"}
        too_many = [Visitor(here, table["table"], address) for address in (HERE, "192.0.2.1")]
        assert {(await tab.next())["type"] for tab in too_many} == {"websocket.close"}
        await asyncio.gather(*(tab.leave() for tab in tabs))

    run(scene())
