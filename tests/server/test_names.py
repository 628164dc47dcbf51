"""Names that are meant to harm: whatever a guest is called or sends is told on one line, and the game goes on."""

import contextlib
import io
import json
import re
import socket
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prometheus_client import generate_latest
from rich.console import Console

from tests.cli.test_serve import serving
from tests.times import TIMES
from wateringhole.cards import shuffled
from wateringhole.cli.terminal import show, standings
from wateringhole.record import Note, Record, read, replay, write
from wateringhole.rules.turn import ranking
from wateringhole.server.connection import Limits
from wateringhole.server.monitor import LogForm, Monitor
from wateringhole.wire.names import MAX_NAME_CHARS, cleaned

from .clients import THINK, Client, Occasion, Trick
from .simulation import simulation
from .verdict import check, reasons

WORDS: Final = r"""
" "} "] "" {} [] null true 0 \ \n \u0000 \ud800 "a""b" {"wateringhole":1} {"event":"game\u0020over"} ok ack hello HELLO
<script>alert(1)</script> <img/src=x/onerror=alert(1)> &lt;b&gt; <!-- ]]> <?xml?> {{7*7}} ${jndi:ldap://x} %s%n {0.real}
[bold] [/] [red]x[/red] [link=file:///etc/passwd]x[/link] :skull: =1+1 =cmd|'/c'!A0 +1 -1 @SUM(A1) a,b;c|d ';-- nan None
# {reason="x"} reason="x"}1 ;id $(id) `id` |id &&id >x ~ ../../etc/passwd a/b C:\x CON -rf --help level=error game=1
same same same same same same same same
"""
BLANKS: Final = ["", " ", "  \t ", "\xa0", "\u2003", "\u3000", "\u200b"]
TWINS: Final = ["player 1", "player 2", "cafe\u0301", "caf\xe9", "Ann", " Ann ", "A\u200bnn"]
ENDS: Final = ["\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
FORGERIES: Final = [
    '"}\n{"event":"game over"',
    "Ann\n2026-01-01T00:00:00Z [info     ] game over game=1",
    "Ann score: 1\n1 player id: 2 name: Bob score: 99",
    "x\nwateringhole_games_total 9",
    "\r\n\r\nHTTP/1.1 200 OK",
]
TERMINAL: Final = ["\x1b[31mred\x1b[m", "\x1b[2J", "\x1b[1A\x1b[2K", "\x1bc", "\x1b]0;title\x07", "\x9b31m", "a\b\bb"]
INVISIBLE: Final = (
    "\xad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069"
    "\ufe0f\ufeff\ufff9\ufffd\ufffe\ue000\u0378\U000e0001\U000e0041\U0010ffff"
)
FLOODS: Final = ["e\u0301" * 100, "Z" + "\u0335" * 160, "\u0300", "\u1100\u1161" * 80, "\ufdfa" * 64, "\ufb2c" * 64]
EMOJI: Final = ["\U0001f995" * 64, "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1e6\U0001f1f9", "1\u20e3"]
HALVES: Final = ["\ud800", "\udfff", "a\udc00b", "\udc00\ud800", "\ud83d" * 64, "x\udfff\n"]
LONG: Final = ["x" * 63, "x" * 64, "x" * 65, "x" * 1_000, "x" * 63 + " y", "x " * 64, " " * 900 + "x", "\u0639" * 65]
NASTY: Final = [
    *[*WORDS.split(), *BLANKS, *TWINS, *FORGERIES, *TERMINAL, *FLOODS, *EMOJI, *HALVES, *LONG],
    *(f"a{chr(code)}b" for code in [*range(0x20), *range(0x7F, 0xA0)]),
    *(f"Ann{end}Bob" for end in ENDS),
    *(f"{char}evil" for char in INVISIBLE),
]
TOO_BIG: Final = ["x" * 10_000, "x" * 1_023, "\x00" * 200, "\U0001f995" * 100]
BAD_REPLIES: Final = [
    *(f"[{text}]".encode() for text in [*ENDS, *INVISIBLE, "\x00", "\x7f", "\x1bc", "\x1b[31m]", "\x9b31m", "a\b\bb"]),
    *(json.dumps([text]).encode() for text in [*FORGERIES, *HALVES, *TERMINAL]),
    *(f'"{text}"'.encode() for text in ["\n", "\r\n", "\x1b[31m", "a\x00b", "}\n{'event':'game over'}"]),
    *[b'"\xff\xfe"', b"[\xc3\x28]", b"[\x9b31m]", b'{"event":"game over"}', b"[" + b"\n" * 2_046 + b"]"],
]

any_text = st.text(st.characters(), max_size=30)  # also halves of surrogate pairs
near_the_limit = st.builds(lambda many, rest: "x" * many + rest, st.integers(55, 70), any_text)
any_bytes = st.binary(max_size=60).map(lambda data: data.decode(errors="replace"))
anything = st.one_of(any_text, near_the_limit, any_bytes, st.sampled_from(NASTY))

SPELLINGS: Final[dict[str, Callable[[str], bytes]]] = {
    "escaped": lambda name: json.dumps(name).encode(),
    "in UTF-8": lambda name: json.dumps(name, ensure_ascii=False).encode(errors="surrogatepass"),
    "in an object": lambda name: json.dumps({"wateringhole": 1, "dialect": "s16", "name": name}).encode(),
}


def saying(sign_up: bytes) -> Client:
    """A good client who signs up with these bytes."""
    return Client(tricks={"connect": lambda client, _: client.say(sign_up)})


def readable(sign_up: bytes) -> bool:
    try:
        return len(sign_up) <= Limits().sign_up_bytes and json.loads(sign_up.decode()) is not None
    except ValueError:
        return False


def called(names: list[str]) -> tuple[str, ...]:
    """What those are called who say these names; half a surrogate pair arrives as a question mark."""
    whole = [re.sub("[\ud800-\udfff]", "?", name) for name in names]
    return tuple(cleaned(name) or f"player {seat}" for seat, name in enumerate(whole, 1))


def tables(names: list[str]) -> Iterator[list[str]]:
    return (names[at : at + 8] for at in range(0, len(names), 8))


def is_presentable(name: str) -> bool:
    """Whether it can be shown anywhere: short, printable, in UTF-8, with no blanks but single ones inside."""
    fits = len(name) <= MAX_NAME_CHARS and name.isprintable()
    return fits and name.encode().decode() == name == " ".join(name.split())


def check_shown(record: Record) -> None:
    """On a terminal the story has only printable lines, and every seat has its own line in the ranking."""
    story, result = io.StringIO(), io.StringIO()
    show(record, Console(file=story, width=1_000, highlight=False))
    assert all(line.isprintable() for line in story.getvalue().split("\n"))
    Console(file=result, width=1_000, highlight=False).print(standings(ranking(replay(record))))
    assert len(result.getvalue().splitlines()) == 2 + len(record.names)
    assert [name for name in record.names if name not in result.getvalue()] == []


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_nasty_name_is_cleaned_or_refused_and_everybody_plays_to_the_end(spelling: str, tmp_path: Path) -> None:
    assert len(NASTY) >= 200
    path = tmp_path / "record"
    for names in tables(NASTY + TOO_BIG):
        sign_ups = {name: SPELLINGS[spelling](name) for name in [*names, "good"]}
        taken = [name for name in names if readable(sign_ups[name])]
        taken += ["good"] * (3 - len(taken))
        with simulation(len(taken), collect=False, deck=lambda number: shuffled(number)[:60]) as simulated:
            refused = [saying(sign_ups[name]).enter(simulated) for name in names if name not in taken]
            seats = [saying(sign_ups[name]).enter(simulated) for name in taken]
            simulated.go_on(100.0)
            result = check(simulated, seats, {})
        assert all(client.kinds == "" and client.closed_at is not None for client in refused)
        assert result.record.names == called(taken)
        assert [name for name in result.record.names if not name or not is_presentable(name)] == []
        assert sorted((row.seat, row.name) for row in result.ranking) == list(enumerate(called(taken), 1))
        write(result.record, path)
        assert read(path) == result.record
        check_shown(read(path))


@pytest.mark.parametrize(("most", "taken"), [(1_024, 0), (10_002, len(TOO_BIG))])
def test_a_name_of_too_many_bytes_takes_no_seat_and_where_it_may_have_them_it_is_cut(most: int, taken: int) -> None:
    with simulation(3 + taken, limits=Limits(sign_up_bytes=most)) as simulated:
        guests = [Client(name).enter(simulated) for name in [*TOO_BIG, "Ann", "Bob", "Cy"]]
        simulated.go_on(100.0)
        record = check(simulated, guests[len(TOO_BIG) - taken :], {}).record
        assert record.names == called([*TOO_BIG[:taken], "Ann", "Bob", "Cy"])


def test_a_name_with_a_bare_control_character_is_refused_and_takes_no_seat() -> None:
    with simulation(3) as simulated:
        refused = [saying(f'"a{chr(code)}b"'.encode()).enter(simulated) for code in range(0x20)]
        seats = [Client(name).enter(simulated) for name in ("Ann", "Bob", "Cy")]
        simulated.go_on(100.0)
        assert check(simulated, seats, {}).record.names == ("Ann", "Bob", "Cy")
        assert {client.kinds for client in refused} == {""}


def test_the_command_reports_each_game_on_one_line_with_every_name_at_its_seat() -> None:
    with serving("--players", "8", "--json") as (server, [port]), contextlib.ExitStack() as connections:
        assert server.stdout is not None
        for number, names in enumerate(tables(NASTY[: len(NASTY) // 8 * 8]), 1):
            guests = []
            for name in names:
                guest = connections.enter_context(socket.create_connection(("127.0.0.1", port)))
                answer = connections.enter_context(guest.makefile("rb"))
                guest.sendall(json.dumps(name).encode())
                assert answer.readline() == b'"ok"\n'
                guests.append((guest, answer))
            for guest, answer in guests:
                assert answer.readline()  # the game has begun
                guest.shutdown(socket.SHUT_WR)
            report = json.loads(server.stdout.readline())
            assert report["game"] == number
            assert sorted((row["id"], row["name"]) for row in report["ranking"]) == list(enumerate(called(names), 1))


# What the server tells those who run it.


@cache
def monitored(form: LogForm) -> tuple[Monitor, io.StringIO]:
    with contextlib.redirect_stderr(io.StringIO()) as stream:
        return Monitor(form), stream


def line_about(form: LogForm, tell: Callable[[Monitor], None]) -> str:
    """What the monitor writes about the one event that it is told of: a single line that does nothing to a terminal."""
    monitor, stream = monitored(form)
    stream.seek(stream.truncate(0))
    tell(monitor)
    line, end = stream.getvalue()[:-1], stream.getvalue()[-1:]
    assert line.isprintable()
    assert end == "\n"
    return line


def check_told(why: Note) -> Any:
    """An expulsion is told on one line in both forms; the one that is data, read again."""
    line = line_about("console", lambda monitor: monitor.expelled(7, why))
    assert re.match(r"\S+ \[warning +\] seat expelled +\w+=", line)
    told = json.loads(line_about("json", lambda monitor: monitor.expelled(7, why)))
    assert (told["event"], told["game"]) == ("seat expelled", 7)
    return told


@settings(max_examples=200 * TIMES)
@given(names=st.lists(anything, min_size=1, max_size=8))
@example(names=NASTY)
def test_no_name_forges_a_line_about_a_game_that_begins(names: list[str]) -> None:
    told = json.loads(line_about("json", lambda monitor: monitor.began(7, names)))
    assert (told["event"], told["game"], told["names"]) == ("game began", 7, json.loads(json.dumps(names)))
    line = line_about("console", lambda monitor: monitor.began(7, names))
    shown = re.sub(r"^\S+ \[info +\] game began +game=7 names=", "", line)
    assert json.loads(shown) == json.loads(json.dumps(names))


@settings(max_examples=200 * TIMES)
@given(text=anything, request=anything, reply=anything)
@example(text="sends not JSON", request='"ok"', reply="[\x1b[31mred]]")
def test_no_evidence_forges_a_line_about_an_expulsion(text: str, request: str, reply: str) -> None:
    told = check_told({"reason": "shape", "text": text, "last request": request, "last reply": reply})
    given = json.loads(json.dumps([text, request, reply]))
    assert [told["text"], told["last_request"], told["last_reply"]] == given


def test_what_a_guest_is_expelled_for_is_kept_and_told_on_one_line(tmp_path: Path) -> None:
    for reply in BAD_REPLIES:
        first_choose: dict[Occasion, Trick] = {2: lambda client, _, reply=reply: client.say(reply, THINK)}  # type: ignore[misc]
        with simulation(3, collect=False) as simulated:
            seats = [client.enter(simulated) for client in (Client("odd", tricks=first_choose), Client(), Client())]
            simulated.go_on(100.0)
            record = check(simulated, seats, reasons(simulated.results[0])).record
        [why] = [note for note in record.notes if "expelled" in note]
        assert check_told(why)["last_reply"] == reply.decode(errors="replace")
        write(record, tmp_path / "record")
        assert read(tmp_path / "record").notes == record.notes


def test_the_figures_name_nobody() -> None:
    def figures(names: list[str]) -> list[str]:
        monitor = Monitor()
        monitor.began(1, names)
        monitor.expelled(1, {"reason": "shape", "text": names[0], "last reply": names[0]})
        return [line for line in generate_latest(monitor.registry).decode().split("\n") if "_created" not in line]

    assert figures(FORGERIES) == figures(["Ann"] * len(FORGERIES))


# What is left of a name.


@settings(max_examples=500 * TIMES)
@given(anything)
@example("x" * 63 + " y")
def test_a_cleaned_name_is_a_short_printable_line_that_cleaning_leaves_as_it_is(text: str) -> None:
    assert is_presentable(cleaned(text))
    assert cleaned(cleaned(text)) == cleaned(text)
