"""What came of many games."""

from math import isclose, sqrt
from statistics import mean, stdev

from hypothesis import given
from hypothesis import strategies as st

from wateringhole.events import Standing
from wateringhole.fault import Fault, Reason
from wateringhole.table import Paces
from wateringhole.tournament.interval import MIN_DEALS, Mean, student
from wateringhole.tournament.outcomes import GameOutcome, SeatOutcome, outcome, rows
from wateringhole.tournament.schedule import Fixture

LATE = Fault(Reason.TIMEOUT, "is late")


def test_an_outcome_says_for_every_seat_whose_it_was_and_how_it_came_off() -> None:
    ranking = (Standing(3, "c", 1, 9), Standing(1, "a", 1, 9), Standing(2, "b", None, None, LATE))
    paces = Paces(3)
    for pace, replies, seconds in zip(paces.seats, (8, 0, 9), (0.5, 0.0, 0.25), strict=True):
        pace.replies, pace.seconds = replies, seconds
    assert outcome(Fixture(4, 1, (2, 0, 1)), ranking, paces).places == (
        SeatOutcome(2, 1, 0.5, 9, None, 8, 500_000),
        SeatOutcome(0, 3, 0.0, 0, "timeout"),
        SeatOutcome(1, 1, 0.5, 9, None, 9, 250_000),
    )


def test_a_row_has_the_means_the_expulsions_and_the_time_of_a_reply() -> None:
    first = GameOutcome(0, 0, (SeatOutcome(0, 1, 1.0, 10, None, 5, 1_000_000), SeatOutcome(1, 2, 0.0, 4)))
    second = GameOutcome(1, 1, (SeatOutcome(1, 1, 1.0, 8), SeatOutcome(0, 2, 0.0, 0, "timeout", 3, 3_000_000)))
    ann, bob = rows([second, first], 2)
    assert (ann.games, ann.wins.value, ann.rank.value, ann.score.value) == (2, 0.5, 1.5, 5.0)
    assert (ann.expelled, ann.reply_seconds) == ({"timeout": 1}, 0.5)
    assert (bob.score.value, bob.expelled, bob.reply_seconds) == (6.0, {}, None)


@given(st.lists(st.integers(0, 30), min_size=MIN_DEALS, max_size=30))
def test_with_one_game_a_deal_the_interval_is_that_of_independent_games(scores: list[int]) -> None:
    games = [GameOutcome(n, n, (SeatOutcome(0, 1, 1.0, score),)) for n, score in enumerate(scores)]
    [row] = rows(games, 1)
    assert isclose(row.score.value, mean(scores))
    far = student(len(scores) - 1) * stdev(scores) / sqrt(len(scores))
    assert row.score.low is not None
    assert row.score.high is not None
    assert isclose(row.score.low, max(0, mean(scores) - far), abs_tol=1e-9)
    assert isclose(row.score.high, mean(scores) + far, abs_tol=1e-9)


def test_games_of_one_deal_do_not_count_as_independent() -> None:
    scores = [1, 9, 3, 7]
    alone = rows([GameOutcome(n, n, (SeatOutcome(0, 1, 1.0, score),)) for n, score in enumerate(scores)], 1)
    again = rows([GameOutcome(n, n // 5, (SeatOutcome(0, 1, 1.0, scores[n // 5]),)) for n in range(20)], 1)
    assert alone[0].score.margin is not None
    assert again[0].score.margin is not None
    assert isclose(alone[0].score.margin, again[0].score.margin)


def test_two_deals_tell_no_interval_and_no_game_nothing() -> None:
    [row] = rows([GameOutcome(n, n % 2, (SeatOutcome(0, 1, 1.0, n),)) for n in range(3)], 1)
    assert row.score == Mean(1.0, None, None, None)
    [nothing] = rows([], 1)
    assert (nothing.games, nothing.wins.value, nothing.wins.margin) == (0, 0.0, None)


@given(st.lists(st.permutations(range(1, 5)), min_size=MIN_DEALS, max_size=12), st.integers(1, 4))
def test_no_interval_leaves_the_range_of_its_figure(tables: list[list[int]], games: int) -> None:
    """Win shares of 0 to 1, ranks of 1 to the number of players, scores of 0 and more."""
    played = [
        GameOutcome(
            n,
            n // games,
            tuple(SeatOutcome(agent, rank, float(rank == 1), 4 - rank) for agent, rank in enumerate(ranks)),
        )
        for n, ranks in enumerate(tables)
    ]
    for row in rows(played, 4):
        for figure, floor, ceiling in ((row.wins, 0, 1), (row.rank, 1, 4), (row.score, 0, 100)):
            if figure.low is not None and figure.high is not None:
                assert floor <= figure.low <= figure.value <= figure.high <= ceiling
