"""One misbehaving client among good ones, on the simulated network: the reason, the moment, and how the others fare.

Times are exact here: what happens a millisecond before a limit and a millisecond after it are two different tests.
"""

import asyncio
import json
import signal
import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise, product
from pathlib import Path
from types import SimpleNamespace
from typing import Final, cast

import pytest

from tests.cases import case
from wateringhole.cards import Card, shuffled
from wateringhole.fault import Fault, Reason
from wateringhole.record import Record, read, replay
from wateringhole.server.clock import TimeControl
from wateringhole.server.connection import Broken, Connection, Limits
from wateringhole.traits import Trait
from wateringhole.wire.framing import Json
from wateringhole.wire.names import MAX_NAME_CHARS

from .clients import THINK, Client, Occasion, Trick, keep_silent
from .simulation import DAWN, LATENCY, End, SimulatedLoop, Simulation, simulation
from .verdict import check, check_record, faults, reasons

LIMIT: Final = 10.0
GAP: Final = 0.25
MS: Final = 0.001

CHOOSE: Final = 2
"""The number of the first choose: the welcome is 0, the first start 1."""
FEED: Final = 3
"""With the deck of this seed the first seat is asked to feed right after its first choose."""
SEED: Final = "s26"


def seated(simulated: Simulation, *clients: Client, players: int = 3) -> list[Client]:
    """These clients, and good ones on the seats behind them."""
    good = [Client(f"good {seat}") for seat in range(len(clients) + 1, players + 1)]
    return [client.enter(simulated) for client in [*clients, *good]]


def played(tricks: dict[Occasion, Trick], expelled: Reason | None, collect: bool = True) -> Client:
    """A whole game in which the first seat plays these tricks and nothing else goes wrong."""
    with simulation(3, seed=SEED, gap=GAP, collect=collect) as simulated:
        seats = seated(simulated, Client("odd", tricks=tricks))
        simulated.go_on(100.0)
        check(simulated, seats, {} if expelled is None else {1: expelled})
    return seats[0]


@cache
def undisturbed(players: int = 3, seed: str = SEED) -> tuple[Record, Client]:
    """A game without tricks, and its first client."""
    with simulation(players, seed=seed, gap=GAP) as simulated:
        seats = seated(simulated, Client("odd"), players=players)
        simulated.go_on(100.0)
        result = check(simulated, seats, {})
    return result.record, seats[0]


def asked_at(client: Client, number: int) -> float:
    """When the server sent this message."""
    return client.heard[number][0] - LATENCY


def replaced(data: bytes, after: float = THINK) -> Trick:
    return lambda client, _: client.say(data, after)


# Time.


@pytest.mark.parametrize("request_number", [CHOOSE, FEED])
@pytest.mark.parametrize(("offset", "kept"), [(-MS, True), (0.0, True), (MS, False)])
def test_a_reply_counts_up_to_the_limit_and_not_a_millisecond_longer(
    request_number: int, offset: float, kept: bool
) -> None:
    def answer_on_the_brink(client: Client, data: bytes) -> None:
        client.say(data, LIMIT - 2 * LATENCY + offset)

    odd = played({request_number: answer_on_the_brink}, None if kept else Reason.TIMEOUT)
    if not kept:
        assert odd.shown_out_at == pytest.approx(asked_at(odd, request_number) + LIMIT, abs=1e-6)
        assert len(odd.heard) == request_number + 1


def test_a_reply_that_came_in_time_counts_although_the_server_looks_late() -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:

        def answer_while_the_server_is_busy(client: Client, data: bytes) -> None:
            client.say(data, LIMIT - 0.5)
            client.simulation.at(client.simulation.now + LIMIT - 0.75, lambda: simulated.loop.stall(2.0))

        seats = seated(simulated, Client("odd", tricks={FEED: answer_while_the_server_is_busy}))
        simulated.go_on(100.0)
        check(simulated, seats, {})


def test_a_reply_after_the_limit_is_never_applied() -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        late = Client("odd", tricks={FEED: lambda client, data: client.say(data, LIMIT + MS)})
        result = check_after(simulated, seated(simulated, late), {1: Reason.TIMEOUT})
    given = [reply for seat, reply in result.replies if seat == 1]
    assert [type(reply) for reply in given[1:]] == [Fault]


def check_after(simulated: Simulation, seats: Sequence[Client], expelled: dict[int, Reason]) -> Record:
    simulated.go_on(100.0)
    return check(simulated, seats, expelled).record


def test_a_seat_that_always_answers_at_the_last_moment_is_never_kicked_for_time() -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        seats = seated(simulated, Client("slow", think=LIMIT - 2 * LATENCY - MS))
        simulated.go_on(1_000.0)
        assert check(simulated, seats, {}).record.replies == undisturbed()[0].replies


def test_a_bank_of_time_is_used_up_over_several_answers() -> None:
    with simulation(3, seed=SEED, control=TimeControl(5.0, 0.0)) as simulated:
        seats = seated(simulated, Client("slow", think=2.0))
        simulated.go_on(100.0)
        check(simulated, seats, {1: Reason.TIMEOUT})
    spent = sum(2.0 + 2 * LATENCY for _, kind in seats[0].heard[:-1] if kind in "cf")
    assert seats[0].shown_out_at == pytest.approx(asked_at(seats[0], len(seats[0].heard) - 1) + 5.0 - spent)


def test_silent_strangers_are_closed_after_five_seconds_and_delay_nobody() -> None:
    with simulation(8, seed=SEED) as simulated:
        silent = [Client(tricks={"connect": keep_silent}).enter(simulated) for _ in range(100)]
        good = [Client(f"good {seat}").enter(simulated) for seat in range(8)]
        simulated.go_on(0.2)
        assert all(client.kinds.startswith("o") for client in good)
        simulated.go_on(100.0)
        check(simulated, good, {})
        assert {client.shown_out_at for client in silent} == {5.0}


@pytest.mark.parametrize("pause", [0.1, 1.0, 4.9])
@pytest.mark.parametrize("filler", [b"[0,", b" "])
def test_a_drip_fed_reply_is_cut_off_at_the_limit_however_often_a_byte_comes(pause: float, filler: bytes) -> None:
    for number in (CHOOSE, FEED):
        odd = played({number: dripped(filler, pause, LIMIT)}, Reason.TIMEOUT)
        assert odd.shown_out_at == pytest.approx(asked_at(odd, number) + LIMIT)


@pytest.mark.parametrize("pause", [0.1, 1.0, 4.9])
@pytest.mark.parametrize("filler", [b'"x', b" "])
def test_a_drip_fed_sign_up_is_cut_off_after_five_seconds(pause: float, filler: bytes) -> None:
    with simulation(3, seed=SEED) as simulated:
        odd = Client(tricks={"connect": dripped(filler, pause, 5.0)}).enter(simulated)
        seats = seated(simulated)
        simulated.go_on(100.0)
        check(simulated, seats, {})
        assert odd.shown_out_at == 5.0
        assert len(odd.end.wire.received) > 1


def dripped(data: bytes, pause: float, seconds: float) -> Trick:
    """A byte now and then, until after this time; the last kind of byte goes on and on."""

    def drip(client: Client, _: bytes) -> None:
        for count in range(int(seconds / pause) + 3):
            client.say(data[min(count, len(data) - 1) :][:1], count * pause)

    return drip


def test_the_wall_clock_may_jump_by_days_and_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    before, _ = undisturbed()
    jumps = iter(range(1_000_000))
    for name in ("time", "monotonic", "perf_counter"):
        monkeypatch.setattr(time, name, lambda: (-1) ** next(jumps) * 86_400.0)
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        seats = seated(simulated, Client("odd"))
        simulated.go_on(100.0)
        assert check(simulated, seats, {}).record.replies == before.replies
        assert simulated.finished_at[0] == undisturbed_end()


def undisturbed_end() -> float:
    """When the undisturbed game ends: its last reply arrives, and the lines are shut in the same instant."""
    at = undisturbed()[1].shown_out_at
    assert at is not None
    return at


# Where values begin and end.


def test_replies_that_come_byte_by_byte_are_the_same_replies() -> None:
    def byte_by_byte(client: Client, data: bytes) -> None:
        for at in range(len(data)):
            client.say(data[at : at + 1], at * 16 * MS)

    with simulation(3, seed=SEED, gap=GAP) as simulated:
        split: dict[Occasion, Trick] = {"connect": byte_by_byte}
        split.update(dict.fromkeys(range(100), byte_by_byte))
        seats = [Client(name, tricks=split) for name in ("odd", "good 2", "good 3")]
        for at, client in enumerate(seats):
            client.enter(simulated, at=float(at))
        simulated.go_on(100.0)
        check_record(simulated.results[0], healthy={1, 2, 3})
        assert simulated.results[0].record == undisturbed()[0]


def test_white_space_is_welcome_at_any_time() -> None:
    def chatter(client: Client, data: bytes) -> None:
        client.say(b" \r\n\t")
        if data:
            client.say(b"\n\n" + data + b" \n", THINK)
            client.say(b"\t", THINK + MS)

    played(dict.fromkeys(range(100), chatter), None)


class Speaker:
    """Says these bytes at these milliseconds, and listens to nothing."""

    def __init__(self, chunks: Sequence[tuple[int, bytes]]) -> None:
        self.end: End
        self._chunks = chunks

    def connected(self) -> None:
        for at, data in self._chunks:
            self.end.send(data, at * MS)

    def received(self, data: bytes) -> None: ...
    def closed(self) -> None: ...


def heard_on_a_line(*chunks: tuple[int, bytes], most: int) -> list[tuple[int, Json | Reason]]:
    """What a line that asks once hears of bytes at these milliseconds: values and faults with their milliseconds."""
    loop, heard = SimulatedLoop(), list[tuple[int, Json | Reason]]()

    def note(what: Json | Reason) -> None:
        heard.append((round((loop.now - DAWN - LATENCY) / MS), what))

    async def listen() -> None:
        opened: asyncio.Future[Connection] = loop.create_future()
        await loop.create_server(lambda: Connection(opened.set_result, Limits()), "", 1)
        speaker = Speaker(chunks)
        speaker.end = loop.connect(speaker, port=1)
        line = await opened
        line.broke = lambda fault: note(fault.reason)
        try:
            note(await line.receive(10.0, most))
        except Broken as broken:
            note(broken.fault.reason)
        await asyncio.sleep(1.0)
        line.shut()
        await asyncio.sleep(2.0)

    loop.run_until_complete(listen())
    loop.close()
    return heard


BARE: Final[list[tuple[list[tuple[int, bytes]], list[tuple[int, Json | Reason]]]]] = [
    ([(0, b"0")], [(0, 0)]),
    ([(0, b"1")], [(50, 1)]),
    ([(0, b"1\n")], [(0, 1)]),
    ([(0, b"12")], [(0, 12)]),
    ([(0, b"1"), (0, b"2")], [(0, 12)]),
    ([(0, b"1"), (10, b"2")], [(10, 12)]),
    ([(0, b"1"), (49, b"2")], [(49, 12)]),
    ([(0, b"1"), (51, b"2")], [(50, 1), (101, Reason.UNSOLICITED)]),
    ([(0, b"9")], [(0, 9)]),
    ([(0, b"false")], [(0, False)]),
    ([(0, b"fal"), (49, b"se")], [(49, False)]),
    ([(0, b"fal"), (51, b"se")], [(50, Reason.BAD_JSON)]),
]


def test_a_bare_answer_is_complete_when_it_can_mean_nothing_else_or_after_50_ms() -> None:
    for chunks, heard in BARE:
        with case(chunks):
            assert heard_on_a_line(*chunks, most=40) == heard


@pytest.mark.parametrize("at", [9_950, 9_970, 9_998])
def test_a_bare_number_that_comes_within_the_limit_counts_although_it_could_go_on(at: int) -> None:
    assert heard_on_a_line((at, b"1"), most=40) == [(9_999, 1)]


# Bytes that are no answer.


def padded(length: int) -> Trick:
    """The true reply, as long as this."""
    return lambda client, data: client.say(b"[" + b" " * (length - len(data.strip())) + data.strip()[1:], THINK)


def test_a_reply_may_have_65536_bytes() -> None:
    for length in (65_535, 65_536):
        played({CHOOSE: padded(length)}, None)


@pytest.mark.parametrize("length", [65_537, 70_000, 10_000_000])
def test_a_longer_reply_is_too_big(length: int) -> None:
    played({CHOOSE: padded(length)}, Reason.TOO_BIG)


def test_a_sign_up_may_have_1024_bytes() -> None:
    for length, signed_up in ((1_023, True), (1_024, True), (1_025, False)):
        with simulation(3, seed=SEED) as simulated:
            odd = Client("x" * (length - 2)).enter(simulated)
            simulated.go_on(1.0)
            assert (odd.kinds == "o") == signed_up
            assert (odd.closed_at is None) == signed_up


def test_what_a_failed_client_goes_on_sending_is_not_kept() -> None:
    megabyte_quarter = bytes(262_144)

    def flood(client: Client, _: bytes) -> None:
        client.say(b"0\n")
        for _count in range(80):
            client.say(megabyte_quarter, 1.0)

    def wait(client: Client, data: bytes) -> None:
        client.say(data, 5.0)

    with simulation(3, seed=SEED, gap=GAP) as simulated:
        seats = seated(simulated, Client("odd", tricks={1: flood}), Client("slow", tricks={CHOOSE: wait}))
        simulated.go_on(0.5)
        tracemalloc.start()
        simulated.go_on(2.0)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        simulated.go_on(100.0)
        check(simulated, seats, {1: Reason.UNSOLICITED})
    assert sum(len(data) for _, data in seats[0].end.wire.received) > 20_000_000
    assert peak < 1_000_000


@pytest.mark.parametrize(
    ("depth", "reason"),
    [(8, Reason.SHAPE), (9, Reason.BAD_JSON), (200, Reason.BAD_JSON), (60_000, Reason.BAD_JSON)],
)
def test_deep_nesting_is_refused_by_its_depth(depth: int, reason: Reason) -> None:
    for number in (CHOOSE, FEED):
        played({number: replaced(b"[" * depth + b"]" * depth)}, reason)


NO_ANSWERS: Final = [
    (b'"\xff"', Reason.BAD_UTF8),
    (b'["\xc3\x28"]', Reason.BAD_UTF8),
    (b'"\xed\xa0\x80"', Reason.BAD_UTF8),
    ('"x"'.encode("utf-16-be"), Reason.BAD_JSON),
    (b"\xef\xbb\xbf[0]", Reason.BAD_JSON),
    (b"\x00", Reason.BAD_JSON),
    (b'"\x00"', Reason.BAD_JSON),
    (b"[0,}", Reason.BAD_JSON),
    (b"nul\n", Reason.BAD_JSON),
    (b"NaN\n", Reason.BAD_JSON),
    (b"[1e999]", Reason.BAD_JSON),
    (b'"\\ud800"', Reason.SHAPE),
    (b"{}", Reason.SHAPE),
    (b"null\n", Reason.SHAPE),
    (b"1.0\n", Reason.SHAPE),
    (b"-1\n", Reason.SHAPE),
    (b"true\n", Reason.SHAPE),
]


def test_bytes_that_are_no_answer_have_their_reason() -> None:
    for number, (data, reason) in product((CHOOSE, FEED), NO_ANSWERS):
        with case(number, data):
            odd = played({number: replaced(data)}, reason, collect=(number, data) == (FEED, NO_ANSWERS[-1][0]))
            assert len(odd.heard) == number + 1


# Answers that nobody asked for.


@pytest.mark.parametrize("data", [b"0\n", b"0", b"1", b"false", b"[0,[],[],[],[]]", b'"odd"', b"{}"])
def test_a_value_while_nothing_is_asked_is_unsolicited(data: bytes) -> None:
    played({1: replaced(data, after=0.0)}, Reason.UNSOLICITED)


def test_what_is_unsolicited_is_shown_as_json() -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        seats = seated(simulated, Client("odd", tricks={1: replaced(b'{ "play": [null,true] }', after=0.0)}))
        simulated.go_on(100.0)
        result = check(simulated, seats, {1: Reason.UNSOLICITED})
    [fault] = [row.fault for row in result.ranking if row.fault is not None]
    assert fault.text == 'sends {"play": [null, true]} although nothing is asked'


def test_an_answer_that_begins_before_the_question_is_unsolicited() -> None:
    def foresee(client: Client, _: bytes) -> None:
        client.say(b"[")
        client.tricks[CHOOSE] = lambda client, data: client.say(data[1:], THINK)

    played({1: foresee}, Reason.UNSOLICITED)


@pytest.mark.parametrize("number", [b"0", b"1"])
def test_a_bare_number_just_before_the_question_does_not_answer_it(number: bytes) -> None:
    asked = asked_twice_in_a_row(undisturbed()[1])

    def answer_both(client: Client, data: bytes) -> None:
        client.end.send(data + number, THINK)

    odd = played({asked: answer_both}, Reason.UNSOLICITED)
    assert len(odd.heard) <= asked + 2


def asked_twice_in_a_row(client: Client) -> int:
    """The number of a feed after which the same seat is asked again at once."""
    for number, ((one, kind), (other, again)) in enumerate(zip(client.heard, client.heard[1:], strict=False)):
        if kind == again == "f" and other - one < THINK + 3 * LATENCY:
            return number
    pytest.fail("nobody is asked twice in a row; take another seed")


@pytest.mark.parametrize("second", [b"false\n", b"0\n", b"0", b"[0,1]"])
def test_a_second_value_in_the_segment_of_a_reply_never_answers_the_next_question(second: bytes) -> None:
    number = asked_twice_in_a_row(undisturbed()[1])
    odd = played({number: lambda client, data: client.say(data + second, THINK)}, Reason.UNSOLICITED)
    assert len(odd.heard) <= number + 2


@pytest.mark.parametrize("number", [CHOOSE, FEED])
def test_a_reply_that_comes_twice_is_unsolicited(number: int) -> None:
    played({number: lambda client, data: client.say(data + data, THINK)}, Reason.UNSOLICITED)


def test_the_answer_to_the_previous_question_is_unsolicited_in_the_next_turn() -> None:
    second_start = undisturbed()[1].kinds.index("s", 2)
    played({second_start: lambda client, _: client.say(client.answers[-1])}, Reason.UNSOLICITED)


# Leaving.


def test_a_kick_at_feeding_closes_the_line_in_the_same_instant() -> None:
    odd = played({FEED: replaced(b"[99,1]")}, Reason.ILLEGAL)
    assert odd.shown_out_at == odd.end.wire.received[-1][0] - DAWN


def test_a_kick_at_choosing_closes_the_line_when_everybody_has_chosen() -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        slow = Client("slow", tricks={CHOOSE: lambda client, data: client.say(data, 4.0)})
        seats = seated(simulated, Client("odd", tricks={CHOOSE: replaced(b"[99,[],[],[],[]]")}), slow)
        simulated.go_on(100.0)
        check(simulated, seats, {1: Reason.ILLEGAL})
        assert seats[0].shown_out_at == asked_at(slow, CHOOSE) + 4.0 + 2 * LATENCY


@pytest.mark.parametrize("last_words", [b"", b'"late"'])
@pytest.mark.parametrize("before", [0, 1, 2])
def test_who_leaves_while_signing_up_takes_no_seat(last_words: bytes, before: int) -> None:
    with simulation(3, seed=SEED) as simulated:
        seats = [Client(f"good {seat}") for seat in range(3)]
        for client in seats[:before]:
            client.enter(simulated)
        Client(tricks={"connect": lambda client, _: client.end.finish(last_words=last_words)}).enter(simulated, at=1.0)
        for client in seats[before:]:
            client.enter(simulated, at=2.0)
        simulated.go_on(100.0)
        assert check(simulated, seats, {}).record.names == ("good 0", "good 1", "good 2")


def test_who_leaves_while_waiting_takes_no_seat_and_the_table_waits_for_another() -> None:
    leave: dict[str, Callable[[Client], None]] = {
        "close": lambda client: client.end.close(),
        "reset": lambda client: client.end.reset(),
        "finish": lambda client: client.end.finish(),
    }
    for how, act in leave.items():
        with simulation(8, fewest=3, wait=2.0, seed=SEED) as simulated:
            Client(how, tricks={0: lambda client, _, act=act: act(client)}).enter(simulated)  # type: ignore[misc]
            seats = [Client(f"good {seat}").enter(simulated) for seat in (1, 2)]
            simulated.go_on(50.0)
            assert simulated.results == []
            assert simulated.left_over() == (2, 0, 0)
            seats.append(Client("good 3").enter(simulated, at=simulated.now))
            simulated.go_on(50.0)
            assert check(simulated, seats, {}).record.names == ("good 1", "good 2", "good 3")


def test_a_table_that_enough_still_wait_at_begins_in_time_although_one_has_left() -> None:
    with simulation(8, fewest=3, wait=2.0, seed=SEED) as simulated:
        Client("gone", tricks={0: leave_by_closing}).enter(simulated)
        seats = [Client(f"good {seat}").enter(simulated) for seat in (1, 2, 3)]
        simulated.go_on(50.0)
        assert check(simulated, seats, {}).record.names == ("good 1", "good 2", "good 3")
        assert asked_at(seats[0], 1) == 2.0 + LATENCY


def test_each_table_has_a_wait_of_its_own() -> None:
    with simulation(8, games=2, fewest=3, wait=2.0, seed=SEED) as simulated:
        first = [Client(f"first {seat}").enter(simulated) for seat in (1, 2, 3)]
        second = [Client(f"second {seat}").enter(simulated, at=5.0) for seat in (1, 2, 3)]
        simulated.go_on(100.0)
        assert [asked_at(seats[0], 1) for seats in (first, second)] == [2.0 + LATENCY, 7.0 + LATENCY]


def leave_by_reset(client: Client, _: bytes) -> None:
    client.simulation.at(1.0, client.end.reset)


def leave_by_closing(client: Client, _: bytes) -> None:
    client.simulation.at(1.0, client.end.close)


@pytest.mark.parametrize("players", [3, 8])
def test_a_game_that_everybody_leaves_at_once_ends_and_is_kept(players: int) -> None:
    with simulation(players, seed=SEED, gap=GAP) as simulated:
        tricks = [leave_by_reset, leave_by_closing]
        seats = [Client(f"guest {seat}", tricks={CHOOSE: tricks[seat % 2]}) for seat in range(players)]
        for client in seats:
            client.enter(simulated)
        simulated.go_on(100.0)
        check(simulated, seats, dict.fromkeys(range(1, players + 1), Reason.DISCONNECTED))
        assert simulated.finished_at == [1.0 + LATENCY]


# Not reading.


def not_reading(client: Client, data: bytes) -> None:
    client.answer_blindly()
    if data:
        client.say(data, THINK)


def test_a_client_that_is_too_many_bytes_behind_is_expelled_as_a_slow_reader() -> None:
    limits = Limits(unsent_bytes=600)
    with simulation(8, seed=SEED, gap=GAP, limits=limits) as simulated:
        seats = seated(simulated, Client("odd", tricks={CHOOSE: not_reading}), players=8)
        simulated.go_on(100.0)
        check(simulated, seats, {1: Reason.SLOW_READER})
        wire = seats[0].end.wire
        unread = [len(data) for when, data in wire.sent if when > asked_at(seats[0], CHOOSE) + DAWN]
        assert sum(unread) > 600 >= sum(unread[:-1])
        assert wire.lost_at is not None
        assert wire.closing_at is not None
        assert wire.lost_at - wire.closing_at == 1.0


def test_a_client_that_reads_nothing_for_ten_seconds_is_expelled_as_a_slow_reader() -> None:
    with simulation(3, seed=SEED, limits=Limits(unsent_bytes=4_000)) as simulated:
        others = [Client(f"slow {seat}", think=8.0) for seat in (2, 3)]
        seats = seated(simulated, Client("odd", tricks={0: not_reading}), *others)
        simulated.go_on(1_000.0)
        check(simulated, seats, {1: Reason.SLOW_READER})
        wire = seats[0].end.wire
        unread = [(when, len(data)) for when, data in wire.sent if when > seats[0].heard[0][0] + DAWN]
        paused_at = next(when for when, _ in unread if sum(size for sent, size in unread if sent <= when) > 1_000)
        assert wire.closing_at is not None
        assert paused_at + 10.0 <= wire.closing_at <= paused_at + 10.0 + 8.0 + 2 * LATENCY
        assert faults(simulated.results[0])[1].text == "does not read: 10 s or more behind"


def test_a_client_that_reads_on_in_time_keeps_its_seat() -> None:
    def pause(client: Client, data: bytes) -> None:
        client.end.stop_reading()
        client.simulation.at(client.simulation.now + 9.0, client.end.read_on)
        if data:
            client.say(data, THINK)

    with simulation(3, seed=SEED, limits=Limits(unsent_bytes=1_200)) as simulated:
        seats = seated(simulated, Client("odd", tricks={0: pause, 3: pause, 6: pause}))
        simulated.go_on(100.0)
        check(simulated, seats, {})
        assert simulated.finished_at[0] > 3 * 9.0


def test_a_client_that_is_behind_when_the_scores_are_told_spoils_the_game_for_nobody() -> None:
    def game(limits: Limits, tricks: dict[Occasion, Trick]) -> Client:
        with simulation(3, seed=SEED, limits=limits) as simulated:
            seats = seated(simulated, Client(tricks=tricks, dialect="hello"))
            simulated.go_on(100.0)
            (result,) = simulated.results
            assert reasons(result) == {}
            check_record(result, healthy={1, 2, 3})
            assert simulated.left_over() == (0, 0, 0)
        return seats[0]

    reading = game(Limits(), {})
    scores = reading.end.wire.sent[-1][1]
    assert reading.kinds[-1] == "e"
    last_request = len(reading.heard) - 2
    game(Limits(unsent_bytes=len(scores) - 1), {last_request: not_reading})


# Names.

NASTY: Final = [
    "",
    " ",
    "\n",
    "\x00",
    "a\nb",
    "a\r\nexpelled: good 2",
    "tab\tname",
    "\x1b[31mred\x1b[0m",
    "\u202eesrever",
    "\u2066isolate\u2069",
    "\u200bzero\u200bwidth",
    "\ufeffbom",
    "\ud800 lone",
    "x" * 64,
    "x" * 65,
    "x" * 1_000,
    "\U0001f995" * 64,
    "e\u0301" * 100,
    "\u0627\u0644\u0633\u0644\u0627\u0645",
    "<script>alert(1)</script>",
    "'; DROP TABLE games; --",
    '"quoted"',
    "back\\slash",
    "{}",
    "null",
    "hello",
    "same",
    "same",
    "player 2",
    "a,b;c|d",
    "=cmd()",
    "\u2028line\u2029separators",
]


def test_any_name_is_accepted_after_cleaning_and_told_apart_by_its_seat() -> None:
    with simulation(8, seed=SEED) as simulated:
        seats = [Client(name).enter(simulated, at=float(at)) for at, name in enumerate(NASTY)]
        simulated.go_on(200.0)
        assert len(simulated.results) == len(NASTY) / 8
        assert all(reasons(result) == {} for result in simulated.results)
        assert all(client.closed_at is not None for client in seats)
        names = [name for result in simulated.results for name in result.record.names]
    assert len(names) == len(NASTY)
    for at, (name, cleaned) in enumerate(zip(NASTY, names, strict=True)):
        assert 1 <= len(cleaned) <= MAX_NAME_CHARS
        assert cleaned.isprintable()
        assert cleaned.encode()
        assert json.loads(json.dumps(cleaned)) == cleaned
        if not name.strip(" \n\x00"):
            assert cleaned == f"player {at % 8 + 1}"
        if name.isascii() and name.isprintable() and len(name) <= MAX_NAME_CHARS and name.strip():
            assert cleaned == name


# The gap.


def test_a_gap_separates_the_welcome_from_the_first_start_and_each_start_from_choose() -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        seats = [Client(f"guest {seat}").enter(simulated, at=float(seat)) for seat in range(3)]
        simulated.go_on(100.0)
        check(simulated, seats, {})
        for client in seats:
            with case(client.name):
                assert client.kinds.startswith("osc")
                for (before, kind), (at, after) in pairwise(client.heard):
                    assert at - before >= GAP or kind + after not in {"os", "sc"}


# Several tables, several dialects.


def test_guests_of_three_dialects_play_one_game_as_if_all_spoke_one() -> None:
    ports = ((1, None), (2, "tagged"))
    with simulation(3, seed=SEED, gap=GAP, ports=ports) as simulated:
        seats = [Client("odd", dialect="hello"), Client("good 2", dialect="tagged"), Client("good 3")]
        for client, port in zip(seats, (1, 2, 1), strict=True):
            client.enter(simulated, port=port)
        simulated.go_on(100.0)
        result = check(simulated, seats, {})
        assert result.record.replies == undisturbed()[0].replies
        assert result.record.names == ("player 1", "good 2", "good 3")


def test_an_idle_server_has_nothing_left_over_after_many_games() -> None:
    with simulation(3, seed=SEED) as simulated:
        for game in range(20):
            odd = Client("odd", tricks={FEED: [replaced(b"]"), replaced(b"", 20.0), not_reading][game % 3]})
            for client in (Client("a"), odd, Client("b")):
                client.enter(simulated, at=simulated.now)
            simulated.go_on(60.0)
            assert len(simulated.results) == game + 1
            assert simulated.left_over() == (0, 0, 0)


def test_games_do_not_wait_for_each_other() -> None:
    with simulation(3, seed=SEED) as simulated:
        for _ in range(3):
            Client("slow", think=9.0).enter(simulated)
        for _ in range(3):
            Client("quick").enter(simulated, at=1.0)
        simulated.go_on(1_000.0)
        assert [result.record.names[0] for result in simulated.results] == ["quick", "slow"]
        assert simulated.finished_at[0] < 10.0 < simulated.finished_at[1]
        assert simulated.left_over() == (0, 0, 0)


def test_a_server_that_deals_two_games_refuses_a_third_and_ends_with_the_second() -> None:
    with simulation(3, seed=SEED, games=2) as simulated:
        seats = [Client(f"guest {seat}").enter(simulated, at=float(seat)) for seat in range(6)]
        late = [Client("late", dialect=dialect).enter(simulated, at=5.5) for dialect in ("s16", "hello")]
        simulated.go_on(100.0)
        assert simulated.server.done()
        assert len(simulated.results) == 2
        assert all(client.kinds.startswith("os") for client in seats)
        assert [client.closed_at for client in late] == [5.5 + 2 * LATENCY] * 2
        assert [client.kinds for client in late] == ["", "o"]


def test_a_signal_lets_running_games_end_within_the_grace_and_takes_nobody_in() -> None:
    with simulation(3, seed=SEED) as simulated:
        seats = seated(simulated)
        late = Client("late").enter(simulated, at=1.0)
        simulated.at(0.5, lambda: simulated.loop.signal(signal.SIGTERM))
        simulated.go_on(0.6)
        assert not simulated.server.done()
        simulated.go_on(100.0)
        assert simulated.server.done()
        assert reasons(simulated.results[0]) == {}
        assert all(client.closed_at is not None for client in seats)
        assert late.refused


def test_a_signal_ends_a_game_that_outlasts_the_grace_and_everybody_is_let_go() -> None:
    with simulation(3, seed=SEED, control=TimeControl(100.0)) as simulated:
        seats = [Client(f"slow {seat}", think=90.0).enter(simulated) for seat in range(3)]
        waiting = Client("waiting").enter(simulated, at=1.0)
        stranger = Client(tricks={"connect": keep_silent}).enter(simulated, at=4.0)
        simulated.at(5.0, lambda: simulated.loop.signal(signal.SIGTERM))
        simulated.go_on(200.0)
        assert simulated.server.done()
        assert simulated.results == []
        assert [client.shown_out_at for client in seats] == [15.0, 15.0, 15.0]
        assert waiting.shown_out_at == 5.0
        assert stranger.shown_out_at in {5.0, 15.0}


def test_an_answer_that_comes_while_the_server_stops_its_game_is_no_fault(tmp_path: Path) -> None:
    """It comes some turns of the loop after the signal: in blanks, of which a turn takes one."""
    for turns in range(16):
        with case(turns), simulation(3, seed=SEED, grace=0.0, records=tmp_path, collect=turns == 15) as simulated:
            simulated.at(2.0, partial(simulated.loop.signal, signal.SIGTERM))
            late: dict[Occasion, Trick] = {2: partial(say_in_turns, turns)}
            for seat in range(3):
                Client(f"late {seat}", tricks=late).enter(simulated)
            simulated.go_on(5.0)
            assert simulated.server.done()
    records = [read(path) for path in tmp_path.iterdir()]
    assert [replay(record).expelled for record in records] == [[]] * 16


def say_in_turns(turns: int, client: Client, data: bytes) -> None:
    """At the second of the signal."""
    for piece in (*[b" "] * turns, data):
        wire = client.end.wire
        client.simulation.loop.happen(DAWN + 2.0, partial(wire.arrive, piece), wire)


# A mistake of ours.


class Counterfeit:
    """A card that no rule knows: it can be dealt and shown, but not become a trait."""

    food = 1
    trait = SimpleNamespace(value=Trait.HORNS.value)

    def __init__(self, order: int) -> None:
        self.order = order


def test_a_game_whose_rules_fail_ends_alone(caplog: pytest.LogCaptureFixture) -> None:
    def deck(number: int) -> tuple[Card, ...]:
        honest = shuffled(f"{SEED}:{number}")
        return honest if number != 2 else (*honest[:12], *(cast(Card, Counterfeit(held.order)) for held in honest[12:]))

    with simulation(3, deck=deck) as simulated:
        tables = [[Client(f"{table} {seat}").enter(simulated, at=table) for seat in range(3)] for table in range(4)]
        simulated.go_on(100.0)
        assert [result.record.names[0] for result in simulated.results] == ["0 0", "2 0", "3 0"]
        assert all(reasons(result) == {} for result in simulated.results)
        assert simulated.left_over() == (0, 0, 0)
        assert {"s", "c"} <= set(tables[1][0].kinds)
        assert all(client.closed_at is not None for table in tables for client in table)
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_the_same_script_gives_the_same_run() -> None:
    runs = []
    for _ in range(2):
        with simulation(3, seed=SEED, gap=GAP) as simulated:
            seats = seated(simulated, Client("odd", tricks={FEED: replaced(b"[0,")}))
            simulated.go_on(100.0)
            runs.append([(client.heard, client.end.wire.sent, client.shown_out_at) for client in seats])
    assert runs[0] == runs[1]


def test_the_evidence_of_an_answer_that_never_ends_is_its_beginning() -> None:
    with simulation(players=3, collect=False) as simulated:
        drips = Client(tricks={2: lambda client, _: client.say(b"[0,[[1,")}).enter(simulated)
        for name in "BC":
            Client(name).enter(simulated)
        simulated.go_on(60.0)
        [result] = simulated.results
    assert drips.closed_at is not None
    [note] = [note for note in result.record.notes if "expelled" in note]
    assert (note["reason"], note["last reply"]) == ("timeout", "[0,[[1,")
