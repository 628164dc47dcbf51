"""The fault matrix: every fault at every point of the conversation, at a small table on each seat.

Each cell is a whole game on the simulated network. The others must play on as if nothing had happened to them, and the
one at fault must be expelled for the right reason at the right moment; who fails before it has a seat takes none.
"""

from contextlib import AbstractContextManager
from functools import cache
from itertools import product
from random import Random
from typing import Final

import pytest

from tests.cases import case
from tests.times import TIMES
from wateringhole.cards import Card, shuffled
from wateringhole.fault import Reason
from wateringhole.server.connection import Limits

from .clients import THINK, Client
from .faults import (
    ASKED,
    LEAVING,
    LIMIT,
    NO_MEANING,
    SIGN_UP_LIMIT,
    SIGNING_UP,
    SLOW,
    UNASKED,
    WHEN_ASKED,
    Point,
    What,
    misbehaving,
    moment,
)
from .simulation import LATENCY, Simulation, simulation
from .verdict import check, check_record, reasons

GAP: Final = 1 / 4
APART: Final = 1 / 16
UNSENT: Final = 400
LIMITS: Final = Limits(unsent_bytes=UNSENT)
DECKS: Final = {3: shuffled("matrix 0")[:56], 8: shuffled("m39:1")}
"""In these games every seat that the matrix takes is asked to feed, and not only twice in a row; at the small table for
three turns, of which one is neither the first nor the last.
"""

PLAYERS: Final = (3, 8)
CELLS: Final = [(what, point) for what in What for point in Point if (what, point) not in NO_MEANING]


def test_the_matrix_has_a_cell_for_every_fault_at_every_point_or_says_why_not() -> None:
    assert len(What) * len(Point) == 224
    assert len(NO_MEANING) == 13
    assert len(CELLS) == 211


def odd_seats(players: int, point: Point) -> list[int]:
    """The first, a middle and the last seat; of a large table one of them, with each point the next, unless TIMES."""
    seats = [1, players // 2 + 1, players]
    at = list(Point).index(point) % 3
    return seats if players == PLAYERS[0] or TIMES > 1 else seats[at : at + 1]


def seats_of(players: int, odd: int) -> list[Client]:
    """The odd one answers first, so that the others are still to answer when it does something more."""
    return [
        Client(f"seat {seat}", THINK / 2 if seat == odd else THINK * (1 + seat / 64)) for seat in range(1, players + 1)
    ]


def table(players: int, deck: tuple[Card, ...], collect: bool = True) -> AbstractContextManager[Simulation]:
    """A server that deals this deck."""
    return simulation(players, deck=lambda _: deck, gap=GAP, limits=LIMITS, collect=collect)


@cache
def calm(players: int, odd: int, deck: tuple[Card, ...] | None = None) -> Client:
    """The client on this seat after a game in which nobody misbehaved."""
    with table(players, deck or DECKS[players]) as simulated:
        seats = seats_of(players, odd)
        enter(simulated, seats)
        simulated.go_on(100.0)
        check(simulated, seats, {})
    return seats[odd - 1]


def enter(simulated: Simulation, seats: list[Client]) -> None:
    """One after the other: all but the last have to wait."""
    for number, client in enumerate(seats):
        client.enter(simulated, at=number * APART)


def play_out(simulated: Simulation, seats: list[Client]) -> None:
    """Let the game end; where somebody took no seat, a spare client comes in for it."""
    enter(simulated, seats)
    simulated.go_on(120.0)
    while not simulated.results and len(seats) < 20:
        seats.append(Client(f"spare {len(seats)}").enter(simulated, at=simulated.now))
        simulated.go_on(120.0)


def expected(what: What, point: Point, players: int, odd: int) -> Reason | None:
    """What the odd one is expelled for, if for anything."""
    if what is What.NOT_READING:
        return Reason.SLOW_READER if overflow(point, players, odd) is not None else None
    if point is Point.CLOSE:
        return None
    if what is What.TWICE and point is Point.LAST_REPLY and ends_the_game(players, odd):
        return None  # the line is shut before the second value is looked at
    return (WHEN_ASKED if point in ASKED else UNASKED)[what]


def takes_no_seat(what: What, point: Point, players: int, odd: int) -> bool:
    """Whoever fails while it signs up or waits; the last to sign up does not wait."""
    if what is What.NOT_READING:
        return False
    if what is What.TWICE and point in SIGNING_UP and odd == players:
        return False  # the first name fills the table
    return point in SIGNING_UP or (point is Point.AFTER_SIGN_UP and what not in SLOW and odd < players)


def ends_the_game(players: int, odd: int) -> bool:
    """Whether the last reply of this seat is the last of all."""
    wire = calm(players, odd).end.wire
    return wire.received[-1][0] == wire.closing_at


def overflow(point: Point, players: int, odd: int) -> int | None:
    """The number of the message that is too much for a client which reads nothing from this point on."""
    client = calm(players, odd)
    occasion = moment(point, client).occasion
    read = {"connect": 0, "close": len(client.heard)}.get(str(occasion))
    read = read if read is not None else int(occasion) + 1
    sizes = [len(data) for _, data in client.end.wire.sent]
    for number in range(read, len(sizes)):
        if sum(sizes[read : number + 1]) > UNSENT:
            return number
    return None


@pytest.mark.parametrize("what", What)
def test_one_who_misbehaves_is_expelled_and_the_others_play_on(what: What) -> None:
    points = [point for other, point in CELLS if other is what]
    assert points
    cells = [(players, point, odd) for players, point in product(PLAYERS, points) for odd in odd_seats(players, point)]
    for players, point, odd in cells:
        with case(point, players, odd):
            check_cell(what, point, players, odd, collect=(players, point, odd) == cells[-1])


def check_cell(what: What, point: Point, players: int, odd: int, collect: bool) -> None:
    with table(players, DECKS[players], collect) as simulated:
        seats = seats_of(players, odd)
        culprit = misbehaving(seats[odd - 1], what, point, calm(players, odd))
        play_out(simulated, seats)
        if takes_no_seat(what, point, players, odd):
            seats.remove(culprit)
            result = check(simulated, seats, {})
            assert result.record.names == tuple(client.name for client in seats)
            check_refusal(culprit, what, point)
        else:
            reason = expected(what, point, players, odd)
            check(simulated, seats, {} if reason is None else {odd: reason})
            if reason is not None:
                check_expulsion(culprit, what, point, players, odd)


def check_refusal(culprit: Client, what: What, point: Point) -> None:
    """A stranger is heard for five seconds at most; who says something wrong is heard no longer."""
    wire = culprit.end.wire
    assert wire.closing_at is not None
    if what in SLOW and point in SIGNING_UP:
        assert wire.closing_at == wire.opened_at + SIGN_UP_LIMIT
    else:
        assert wire.closing_at <= wire.opened_at + 0.1
    assert culprit.kinds in {"", "o"}


def check_expulsion(culprit: Client, what: What, point: Point, players: int, odd: int) -> None:
    """The seat is told no more from the moment of its fault on, and is shown out when the game can do without it."""
    wire = culprit.end.wire
    assert wire.closing_at is not None
    last_sent = wire.sent[-1][0]
    patience = 2 * GAP + THINK * 2 + 4 * LATENCY  # until everybody else has answered; the first turn has two gaps
    if what in SLOW:
        assert wire.closing_at == last_sent + LIMIT
    elif what is What.NOT_READING:
        assert len(wire.sent) - 1 == overflow(point, players, odd)
        assert last_sent <= wire.closing_at <= last_sent + patience
    else:
        at_fault = wire.closing_at if what in LEAVING else wire.received[-1][0]
        assert last_sent <= at_fault <= wire.closing_at <= at_fault + patience
    assert wire.lost_at is not None
    assert wire.lost_at <= wire.closing_at + 1.0


POSSIBLE: Final = {what: {WHEN_ASKED.get(what), UNASKED[what], None} for what in What} | {
    What.EARLY: {Reason.UNSOLICITED, Reason.SHAPE, Reason.ILLEGAL, None},
    What.WRONG_KIND: {Reason.UNSOLICITED, Reason.SHAPE, Reason.ILLEGAL, None},
    What.TWICE: {Reason.UNSOLICITED, Reason.SHAPE, Reason.ILLEGAL, None},
    What.ILLEGAL: {Reason.UNSOLICITED, Reason.SHAPE, Reason.ILLEGAL, None},
}
"""In a game that another disturbed before, a fault may meet another question than it was meant for, or none."""


def test_two_who_misbehave_spoil_the_game_for_nobody_else() -> None:
    pairs = 60 * TIMES
    for number in range(pairs):
        with case(number):
            check_two(Random(f"double {number}"), collect=number == pairs - 1)


def check_two(dice: Random, collect: bool) -> None:
    players = dice.randint(3, 8)
    with table(players, DECKS[3], collect) as simulated:
        seats = seats_of(players, 0)
        culprits: dict[str, What] = {}
        for odd in dice.sample(range(1, players + 1), 2):
            what, point = dice.choice(CELLS)
            misbehaving(seats[odd - 1], what, point, calm(dice.choice(PLAYERS), 1))
            culprits[f"seat {odd}"] = what
        play_out(simulated, seats)
        assert simulated.left_over() == (0, 0, 0)
        (result,) = simulated.results
        names = result.record.names
        for seat, reason in reasons(result).items():
            assert reason in POSSIBLE[culprits[names[seat - 1]]]
        check_record(result, {seat for seat, name in enumerate(names, 1) if name not in culprits})


def test_a_game_in_which_every_seat_misbehaves_ends() -> None:
    for players, shift in product(range(3, 9), range(16)):
        with case(players, shift):
            check_all(players, shift, collect=(players, shift) == (8, 15))


def check_all(players: int, shift: int, collect: bool) -> None:
    dice = Random(f"all {players}:{shift}")
    with table(players, DECKS[3], collect) as simulated:
        seats = seats_of(players, 0)
        faults = {seat: list(What)[(seat + shift) % 16] for seat in range(1, players + 1)}
        for seat, what in faults.items():
            points = [point for at, point in CELLS if at is what and point not in {*SIGNING_UP, Point.AFTER_SIGN_UP}]
            misbehaving(seats[seat - 1], what, dice.choice(points), calm(3, 1))
        play_out(simulated, seats)
        assert simulated.left_over() == (0, 0, 0)
        (result,) = simulated.results
        assert result.record.names == tuple(client.name for client in seats)
        for seat, reason in reasons(result).items():
            assert reason in POSSIBLE[faults[seat]]
        check_record(result, healthy=set())
