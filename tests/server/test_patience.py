"""How long the server waits for an answer, on the simulated network: all of the limit and no longer, come what may.

Times are whole numbers of ticks, a tick being how long a byte is under way, so that their sums are exact.
"""

from functools import cache
from typing import Final, TypeAlias

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.times import TIMES
from wateringhole.fault import Fault, Reason
from wateringhole.moves import CardPlay
from wateringhole.record import Record
from wateringhole.server.clock import TimeControl

from .clients import THINK, Client, Occasion, Trick, keep_silent
from .simulation import LATENCY, PORT, Wire, simulation
from .verdict import check, check_record, reasons

LIMIT: Final = 10.0
SIGN_UP_LIMIT: Final = 5.0
TICKS: Final = round(LIMIT / LATENCY)

SEEDS: Final = [f"patience {number}" for number in range(8)]
FIRST_CHOOSE, SECOND_CHOOSE = 2, 4
"""The numbers of these messages in the first game, where nobody is asked to feed in the first turn."""

Turn: TypeAlias = tuple[str, int, int]
turns = st.tuples(st.sampled_from(SEEDS), st.integers(1, 3), st.integers(0, 99))
"""A game, a seat, and which of its questions, counted round and round."""
ticks_late = st.integers(-3, 3) | st.integers(2 - TICKS, 0) | st.integers(1, TICKS)
"""How long after the limit an answer arrives."""


def examples(number: int) -> settings:
    return settings(max_examples=number * TIMES, derandomize=True, database=None)


def after(seconds: float) -> Trick:
    """The trick to give the true answer so that it arrives so long after the question was sent."""
    return lambda client, data: client.say(data, seconds - 2 * LATENCY)


def played(seed: str, odd: int, tricks: dict[Occasion, Trick], reason: Reason | None = None) -> tuple[Record, Client]:
    """A game in which one seat plays these tricks, is expelled for this reason, and nothing else goes wrong."""
    with simulation(3, seed=seed, collect=False) as simulated:
        seats = [Client(f"seat {seat}", tricks=tricks if seat == odd else {}).enter(simulated) for seat in (1, 2, 3)]
        simulated.go_on(100.0)
        return check(simulated, seats, {} if reason is None else {odd: reason}).record, seats[odd - 1]


@cache
def calm(seed: str, seat: int) -> tuple[Record, list[int]]:
    """A game without tricks, and the numbers of the messages that ask this seat something."""
    record, client = played(seed, seat, {})
    return record, [number for number, kind in enumerate(client.kinds) if kind in "cf"]


def waited(wire: Wire) -> float:
    """How long the server waited for the last answer."""
    assert wire.closing_at is not None
    return wire.closing_at - wire.sent[-1][0]


def check_limit(turn: Turn, late: int, trick: Trick) -> None:
    """The trick answers one question so many ticks late: by then it is a fault, or if that is not late, a move."""
    seed, odd, count = turn
    undisturbed, questions = calm(seed, odd)
    number = count % len(questions)
    record, client = played(seed, odd, {questions[number]: trick}, Reason.TIMEOUT if late > 0 else None)
    if late <= 0:
        assert record == undisturbed
    else:
        assert waited(client.end.wire) == LIMIT
        *moves, last = (reply for seat, reply in record.replies if seat == odd)
        assert moves == [reply for seat, reply in undisturbed.replies if seat == odd][:number]
        assert isinstance(last, Fault)


def twenty_games(slow: range) -> dict[str, tuple[float, Record]]:
    """When and how each of twenty games at once ends, by the name of its first guest, if these guests are slow."""
    with simulation(3, seed="twenty") as simulated:
        for guest in range(60):
            Client(f"guest {guest}", think=0.9 * LIMIT if guest in slow else THINK).enter(simulated)
        simulated.go_on(10_000.0)
        assert simulated.left_over() == (0, 0, 0)
        assert [reasons(result) for result in simulated.results] == [{}] * 20
        ends = zip(simulated.finished_at, simulated.results, strict=True)
        return {result.record.names[0]: (at, result.record) for at, result in ends}


def test_one_slow_guest_in_ten_is_waited_for_and_no_other_game_ends_a_moment_later() -> None:
    slow = range(4, 60, 10)
    mixed = twenty_games(slow)
    for name, (end, record) in twenty_games(range(0)).items():
        first = int(name.split()[1])
        delayed = any(guest in slow for guest in range(first, first + 3))
        assert mixed[name][1] == record
        assert mixed[name][0] > end + LIMIT if delayed else mixed[name][0] == end


@examples(120)
@given(turns, ticks_late)
def test_an_answer_counts_up_to_the_limit_and_a_later_one_is_a_fault_and_never_a_move(turn: Turn, late: int) -> None:
    check_limit(turn, late, after(LIMIT + late * LATENCY))


@pytest.mark.parametrize("late", [-1, 0, 1, 256, 4_096])
def test_who_is_late_while_others_have_time_left_is_shown_out_at_its_own_limit(late: int) -> None:
    left = 3.0  # of a bank of 10, after 8 and with the increment
    with simulation(3, seed=SEEDS[0], control=TimeControl(10.0, 1.0)) as simulated:
        odd = Client("odd", tricks={FIRST_CHOOSE: after(8.0), SECOND_CHOOSE: after(left + late * LATENCY)})
        seats = [odd, *(Client(f"slow {seat}", tricks={SECOND_CHOOSE: after(8.0)}) for seat in (2, 3))]
        for client in seats:
            client.enter(simulated)
        simulated.go_on(100.0)
        record = check(simulated, seats, {1: Reason.TIMEOUT} if late > 0 else {}).record
    if late > 0:
        assert waited(odd.end.wire) == left
        assert [type(reply) for seat, reply in record.replies if seat == 1] == [CardPlay, Fault]


@examples(80)
@given(turns, ticks_late, st.integers(40, 5_000), st.booleans())
def test_bytes_that_trickle_in_do_not_put_off_the_limit_of_an_answer(
    turn: Turn, late: int, pause: int, inside: bool
) -> None:
    def trickle(client: Client, data: bytes) -> None:
        begun = 1 if inside and data.startswith(b"[") else 0
        client.say(data[:begun])
        for ticks in range(0, TICKS + late - 2, pause):
            client.say(b" ", ticks * LATENCY)
        after(LIMIT + late * LATENCY)(client, data[begun:])

    check_limit(turn, late, trickle)


@examples(120)
@given(st.integers(1, 64), st.integers(1, 160) | st.integers(1, 6_000), st.integers(0, 5_200))
@example(62, 80, 159)  # the last of 64 bytes arrives at the very limit
@example(62, 80, 160)
def test_bytes_that_trickle_in_do_not_put_off_the_limit_of_a_sign_up(length: int, pause: int, last_pause: int) -> None:
    arrives = (length * pause + last_pause + 1) * LATENCY

    def trickle(client: Client, data: bytes) -> None:
        for at in range(length + 1):
            client.say(data[at : at + 1], at * pause * LATENCY)
        client.say(data[-1:], arrives - LATENCY)

    with simulation(3, collect=False) as simulated:
        client = Client("x" * length, tricks={"connect": trickle}).enter(simulated)
        simulated.go_on(1_000.0)
        seen = client.heard, client.shown_out_at
    in_time = arrives <= SIGN_UP_LIMIT
    assert seen == (([(arrives + LATENCY, "o")], None) if in_time else ([], SIGN_UP_LIMIT))


class Haggler(Client):
    """Answers each small question of the dialect `requests` with an empty list."""

    def received(self, data: bytes) -> None:
        if data.startswith(b"["):
            self.heard.append((self.simulation.now - LATENCY, "q"))
            self.say(b"[]", self.think)


@pytest.mark.parametrize("pause", [2.5 - LATENCY, 2.5, 2.5 + LATENCY, 3.0, 9.5])
def test_one_limit_holds_for_the_four_small_questions_about_a_move_together(pause: float) -> None:
    with simulation(3, seed=SEEDS[0], ports=((PORT, None), (2, "requests"))) as simulated:
        haggler = Haggler(think=pause - 2 * LATENCY).enter(simulated, port=2)
        for seat in (2, 3):
            Client(f"seat {seat}").enter(simulated, at=1.0)
        simulated.go_on(1_000.0)
        (result,) = simulated.results
    late = 4 * pause > LIMIT
    assert reasons(result) == ({1: Reason.TIMEOUT} if late else {})
    assert not late or haggler.shown_out_at == haggler.heard[0][0] + LIMIT
    check_record(result, healthy={2, 3})


def vanish(client: Client, data: bytes) -> None:
    """From now on nothing comes from this client, not even the rest of what it says, and nothing reaches it."""
    client.say(b"[" if data.startswith(b"[") else b"")
    client.end.stop_reading()
    client.habit = keep_silent


@pytest.mark.parametrize("seed", SEEDS[:3])
@pytest.mark.parametrize("odd", [1, 2, 3])
def test_who_vanishes_without_closing_is_found_by_the_limit_and_the_others_play_on(seed: str, odd: int) -> None:
    for number in range(calm(seed, odd)[1][-1] + 1):
        _, client = played(seed, odd, {number: vanish}, Reason.TIMEOUT)
        assert waited(client.end.wire) == LIMIT
