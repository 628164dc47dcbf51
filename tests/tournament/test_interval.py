"""A mean over many games, with its 95 % interval: it covers what it says, and stays within its range."""

from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from tests.cases import case
from wateringhole.tournament.interval import MIN_DEALS, Mean, estimate, mean, mean_above, student

TIMES = 250
GAMES = 4
SHARES = (0.02, 0.1, 0.25, 0.5, 0.9)
DEALS = (MIN_DEALS, 5, 10, 40)

Deal = Callable[[Random, float], list[float]]


def independent(random: Random, share: float) -> list[float]:
    return [float(random.random() < share) for _ in range(GAMES)]


def all_alike(random: Random, share: float) -> list[float]:
    return [float(random.random() < share)] * GAMES


def alike(random: Random, share: float) -> list[float]:
    """A deal that is good or bad for the agent: two games of it come to the same more often than chance."""
    lucky = random.betavariate(4 * share, 4 * (1 - share))
    return independent(random, lucky)


def in_turn(random: Random, share: float) -> list[float]:
    """The seat decides: who has won a game from one seat is less likely to win from another."""
    start = random.random()
    return [float((start + game / GAMES) % 1 < share) for game in range(GAMES)]


def of(deals: list[list[float]], floor: float = 0, ceiling: float = 1) -> Mean:
    return mean([(number, value) for number, deal in enumerate(deals) for value in deal], floor, ceiling)


def ends(found: Mean) -> tuple[float, float]:
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def test_the_interval_of_a_share_covers_it_about_95_times_in_100() -> None:
    everywhere = []
    for deal, deals, share in product((independent, all_alike, alike, in_turn), DEALS, SHARES):
        with case(deal.__name__, deals, share):
            random = Random(f"{deal.__name__} {deals} {share}")
            found = [ends(of([deal(random, share) for _ in range(deals)])) for _ in range(TIMES)]
            assert all(0 <= low <= high <= 1 for low, high in found)
            covered = sum(low - 1e-9 <= share <= high + 1e-9 for low, high in found) / TIMES
            assert covered >= 0.90
            everywhere.append(covered)
    assert 0.94 <= sum(everywhere) / len(everywhere) <= 0.98


def test_the_interval_of_a_share_narrows_with_the_deals() -> None:
    for deal in (independent, all_alike, alike):
        with case(deal.__name__):
            random = Random(deal.__name__)
            widths = [
                high - low for low, high in (ends(of([deal(random, 0.5) for _ in range(n)])) for n in (20, 2_000))
            ]
            assert 8 < widths[0] / widths[1] < 13


def test_the_nearer_a_bound_is_the_narrower_is_the_interval_towards_it() -> None:
    low, high = ends(of([[1.0] * 4] * 9 + [[0.0] * 4]))
    assert 0 < low < 0.9 < high < 1
    assert 0.9 - low > 3 * (high - 0.9)


def test_in_the_middle_it_is_nearly_that_of_student() -> None:
    deals = [[1.0, 0.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]] * 40
    far = student(119) * (2 / 3 * 0.25**2 * 120 / 119 / 120) ** 0.5
    assert ends(of(deals)) == pytest.approx((0.5 - far, 0.5 + far), rel=1e-2)


def test_where_all_deals_came_to_a_bound_it_goes_to_what_would_stay_unseen_one_time_in_twenty() -> None:
    unseen = 1 - 0.05 ** (1 / 20)
    assert ends(of([[1.0] * 4] * 20)) == (1 - unseen, 1)
    assert ends(of([[0.0] * 4] * 20)) == (0, unseen)
    assert ends(of([[4.0] * 4] * 20, 1, 4)) == pytest.approx((4 - 3 * unseen, 4))


def test_a_rank_is_a_share_of_the_way_to_the_last() -> None:
    ranks = [[1.0, 1.0, 2.0], [1.0, 3.0, 1.0], [2.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    shares = [[(rank - 1) / 2 for rank in deal] for deal in ranks]
    low, high = ends(of(shares))
    assert ends(of(ranks, 1, 3)) == pytest.approx((1 + 2 * low, 1 + 2 * high))


def test_a_score_has_student_s_interval_cut_off_at_nothing() -> None:
    low, high = ends(mean([(0, 0.0), (1, 0.0), (2, 9.0)], 0))
    assert low == 0
    assert high == pytest.approx(3 + student(2) * 27**0.5 / 3**0.5)


def test_too_few_deals_have_no_interval_however_many_games() -> None:
    assert mean([]) == Mean(0.0)
    assert of([[1.0, 0.0] * 50] * (MIN_DEALS - 1)) == Mean(0.5)
    assert of([[1.0, 0.0]] * MIN_DEALS).low is not None


def test_what_is_above_the_expected_share_is_that_share_moved() -> None:
    deals = [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    low, high = ends(of(deals))
    found = mean_above([(number, won, 0.25) for number, deal in enumerate(deals) for won in deal])
    assert ends(found) == pytest.approx((low - 0.25, high - 0.25))
    assert ends(mean_above([(deal, 0.0, 1 / 3) for deal in range(20)]))[0] == pytest.approx(-1 / 3)
    assert mean_above([]) == Mean(0.0)


def test_another_unit_keeps_low_and_high_apart() -> None:
    found = estimate(0.25, 0.125, 0.5)
    assert found.margin == 0.1875
    assert found.each(lambda part: 1 - part) == estimate(0.75, 0.5, 0.875)
    assert Mean(0.25).each(lambda part: 100 * part) == Mean(25)


def test_student_s_points_are_those_of_the_textbooks() -> None:
    table = {1: 12.706, 2: 4.303, 4: 2.776, 5: 2.571, 6: 2.447, 10: 2.228, 30: 2.042, 120: 1.980, 100_000: 1.960}
    assert {freedom: round(student(freedom), 3) for freedom in table} == pytest.approx(table, abs=0.004)
