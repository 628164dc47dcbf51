"""How strong everybody is, and what else many games tell."""

from collections.abc import Sequence
from itertools import combinations
from math import exp, isclose, isfinite, log, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wateringhole.tournament.interval import Mean, mean
from wateringhole.tournament.outcomes import GameOutcome, SeatOutcome
from wateringhole.tournament.ratings import Luck, Pair, Rating, cross_table, deck_luck, elo, ratings, seat_bias
from wateringhole.tournament.schedule import rotations

SEEDS = range(1, 21)
LADDER = [0.4 * (number - 5.5) for number in range(12)]
"""Twelve entries; the next one is always stronger by 0.4, and their mean is 0."""


# Games.


def game(number: int, ranks: dict[int, int], deal: int | None = None, expelled: Sequence[int] = ()) -> GameOutcome:
    """A game of these agents, in the order of their seats; the score is what the rank is short of 10."""
    first = sum(rank == 1 for rank in ranks.values())
    places = [
        SeatOutcome(agent, rank, float(rank == 1) / max(1, first), 10 - rank, "timeout" if agent in expelled else None)
        for agent, rank in ranks.items()
    ]
    return GameOutcome(number, number if deal is None else deal, tuple(places))


def season(strengths: Sequence[float], deals: int, random: Random, size: int = 4) -> list[GameOutcome]:
    """Everybody sits at one table of each round, whose deal goes once round it; the ranks are Plackett's and Luce's."""
    played: list[GameOutcome] = []
    tables: list[list[int]] = []
    for deal in range(deals):
        if not tables:
            order = random.sample(range(len(strengths)), len(strengths))
            tables = [order[at : at + size] for at in range(0, len(order), size)]
        for fixture in rotations(tables.pop(), size):
            arrival = {agent: random.expovariate(exp(strengths[agent])) for agent in fixture.seats}
            order = sorted(fixture.seats, key=lambda agent: arrival[agent])
            played.append(game(len(played), {agent: 1 + order.index(agent) for agent in fixture.seats}, deal))
    return played


@st.composite
def seasons(draw: st.DrawFn) -> tuple[list[GameOutcome], int]:
    """Any games of up to six agents, with ties and expulsions, several of them with the same deal."""
    agents = draw(st.integers(2, 6))
    table = st.dictionaries(st.integers(0, agents - 1), st.integers(1, 5), min_size=2)
    games = enumerate(draw(st.lists(table, max_size=10)))
    return [game(n, ranks, n // 2, [agent for agent in ranks if ranks[agent] == 5]) for n, ranks in games], agents


def strengths(rated: Sequence[Rating]) -> list[float]:
    return [rating.strength for rating in rated]


def width(rating: Rating) -> float:
    assert rating.low is not None
    assert rating.high is not None
    return rating.high - rating.low


# Strengths.


def kendall(values: Sequence[float]) -> float:
    """How far these are in rising order: 1 if they are, -1 if they fall."""
    pairs = [(later > earlier) - (later < earlier) for earlier, later in combinations(values, 2)]
    return sum(pairs) / len(pairs)


def test_twelve_entries_are_put_in_order_and_the_intervals_cover_what_they_say() -> None:
    covered = 0
    for seed in SEEDS:
        played = season(LADDER, 150, Random(seed))
        assert len(played) == 600
        rated = ratings(played, 12)
        assert kendall(strengths(rated)) >= 0.95, f"seed {seed}"
        for rating, true in zip(rated, LADDER, strict=True):
            assert rating.low is not None
            assert rating.high is not None
            covered += rating.low <= true <= rating.high
    assert 0.90 <= covered / (12 * len(SEEDS)) <= 0.99


@pytest.mark.parametrize(("deals", "times"), [(3, 200), (5, 200), (10, 150), (30, 100)])
def test_the_intervals_hold_with_few_deals_as_well(deals: int, times: int) -> None:
    true = [-0.6, -0.2, 0.2, 0.6]
    covered = 0
    for seed in range(times):
        for rating, at in zip(ratings(season(true, deals, Random(seed)), 4), true, strict=True):
            assert rating.low is not None
            assert rating.high is not None
            covered += rating.low <= at <= rating.high
    assert 0.90 <= covered / (4 * times) <= 0.99


@given(seasons(), st.randoms(use_true_random=False))
def test_the_order_in_which_games_ended_changes_nothing(played: tuple[list[GameOutcome], int], random: Random) -> None:
    outcomes, agents = played
    shuffled = random.sample(outcomes, len(outcomes))
    assert ratings(shuffled, agents) == ratings(outcomes, agents)
    assert cross_table(shuffled, agents) == cross_table(outcomes, agents)
    assert seat_bias(shuffled) == seat_bias(outcomes)
    assert deck_luck(shuffled, agents) == deck_luck(outcomes, agents)


def surprise(outcomes: Sequence[GameOutcome], agents: int) -> float:
    """How far anybody's wins are from what the strengths let expect."""
    rated = strengths(ratings(outcomes, agents))
    most = 0.0
    for agent, row in enumerate(cross_table(outcomes, agents)):
        met = [(other, pair.share.value, pair.games) for other, pair in enumerate(row) if pair.share]
        won = sum(share * games for _, share, games in met)
        expected = sum(games / (1 + exp(rated[other] - rated[agent])) for other, _, games in met)
        most = max(most, abs(won - expected))
    return most


@given(seasons())
def test_everybody_has_won_what_the_strengths_let_expect_but_for_half_a_tie(
    played: tuple[list[GameOutcome], int],
) -> None:
    assert surprise(*played) <= 0.25 + 1e-9


def test_the_most_lopsided_results_are_rated_all_the_same() -> None:
    """Newton's method with steps of any length ends up far away from the strengths of these five."""
    beaten = [(0, 2)] + 300 * [(3, 0), (1, 3), (1, 4), (2, 4)]
    played = [game(number, {winner: 1, loser: 2}) for number, (winner, loser) in enumerate(beaten)]
    assert surprise(played, 5) <= 0.25 + 1e-9


def test_of_two_the_strength_is_the_likeliest_to_the_last_digits() -> None:
    ann, bob = ratings([game(number, {0: 1 + number // 3, 1: 2 - number // 3}) for number in range(4)], 2)
    three_of_four = 3 - 4 / (1 + exp(bob.strength - ann.strength))
    half_a_tie = 0.25 - 0.5 / (1 + exp(-ann.strength))
    assert three_of_four + half_a_tie == pytest.approx(0, abs=1e-12)


@given(seasons())
def test_strengths_are_finite_their_mean_is_0_and_they_lie_within_their_intervals(
    played: tuple[list[GameOutcome], int],
) -> None:
    outcomes, agents = played
    rated = ratings(outcomes, agents)
    assert [rating.agent for rating in rated] == list(range(agents))
    assert isclose(sum(strengths(rated)), 0, abs_tol=1e-9)
    for rating in rated:
        assert isfinite(rating.strength)
        assert rating.games == sum(place.agent == rating.agent for outcome in outcomes for place in outcome.places)
        if rating.low is not None and rating.high is not None:
            assert rating.low < rating.strength < rating.high
            assert isfinite(width(rating))


@given(seasons(), st.randoms(use_true_random=False))
def test_other_numbers_for_the_same_agents_change_nothing_else(
    played: tuple[list[GameOutcome], int], random: Random
) -> None:
    outcomes, agents = played
    new = random.sample(range(agents), agents)
    renamed = [
        GameOutcome(
            o.number, o.deal, tuple(SeatOutcome(new[p.agent], p.rank, p.won, p.score, p.expelled) for p in o.places)
        )
        for o in outcomes
    ]
    before, after = ratings(outcomes, agents), ratings(renamed, agents)
    for agent in range(agents):
        for one, other in zip(shape(before[agent]), shape(after[new[agent]]), strict=True):
            assert isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)


def shape(rating: Rating) -> list[float]:
    return [rating.strength, *(end for end in (rating.low, rating.high) if end is not None), rating.games]


def test_who_only_ties_is_as_strong_as_the_other() -> None:
    rated = ratings([game(number, {0: 1, 1: 1, 2: 1}) for number in range(10)], 3)
    assert strengths(rated) == [0, 0, 0]
    assert [rating.elo for rating in rated] == [1500, 1500, 1500]


def test_two_who_beat_each_other_equally_often_are_equal_however_they_do_against_others() -> None:
    turn = [{0: 1, 1: 2, 2: 3}, {0: 2, 1: 1, 2: 3}]
    ann, bob, low = ratings([game(number, turn[number % 2]) for number in range(10)], 3)
    assert isclose(ann.strength, bob.strength, abs_tol=1e-9)
    assert ann.strength > 0 > low.strength


def test_a_tie_counts_as_half_a_win_for_both() -> None:
    ties = [game(number, {0: 1, 1: 1}) for number in range(4)]
    turns = [game(number, {0: 1 + number % 2, 1: 2 - number % 2}) for number in range(4)]
    assert strengths(ratings(ties, 2)) == strengths(ratings(turns, 2))
    assert width(ratings(ties, 2)[0]) < width(ratings(turns, 2)[0])  # four ties are less of a gamble


def test_twice_as_many_wins_as_defeats_are_a_strength_of_log_2() -> None:
    rated = ratings([game(number, {0: 1 + number % 3 // 2, 1: 1 + (number % 3 < 2)}) for number in range(3_000)], 2)
    assert isclose(rated[0].strength - rated[1].strength, log(2), abs_tol=1e-3)


def test_ten_times_as_many_wins_as_defeats_are_400_points_of_elo() -> None:
    assert [elo(0), elo(log(10)), elo(-log(10))] == pytest.approx([1500, 1900, 1100])
    assert Rating(0, log(10), None, None, 3).elo == pytest.approx(1900)


@pytest.mark.parametrize("games", [1, 10, 1_000, 5_000])
def test_an_entry_that_always_wins_stays_finite_and_on_top(games: int) -> None:
    rated = ratings([game(number, {0: 1, 1: 2 + number % 2, 2: 3 - number % 2}) for number in range(games)], 3)
    assert rated[0].strength == max(strengths(rated))
    assert 0 < rated[0].strength < 20


def test_how_much_stronger_one_is_who_always_wins_nobody_can_tell() -> None:
    """Whoever beats another 39 times in 40 might win all 20 games: the interval reaches down to below that."""
    played = [game(number, {0: 1, 1: 2 + number % 2, 2: 3 - number % 2}) for number in range(20)]
    champion, other, _ = ratings(played, 3)
    assert champion.low is not None
    assert 1 < champion.low - other.strength < log(39)
    assert width(champion) > 1.5 * width(other)


def test_more_wins_in_a_row_are_worth_more() -> None:
    few, many = (ratings([game(number, {0: 1, 1: 2}) for number in range(games)], 2)[0] for games in (3, 30))
    assert many.strength > few.strength


def test_who_is_expelled_is_last_whatever_the_rank_says_and_all_who_are_expelled_are_equal() -> None:
    played = [game(number, {0: 1, 1: 2, 2: 3, 3: 4}, expelled=[0, 1]) for number in range(10)]
    shares = [(pair.share and pair.share.value, pair.games) for pair in cross_table(played, 4)[0]]
    assert shares == [(None, 0), (0.5, 10), (0.0, 10), (0.0, 10)]
    ann, bob, cid, dan = strengths(ratings(played, 4))
    assert cid > dan > ann
    assert isclose(ann, bob)


def test_nobody_meets_oneself() -> None:
    both = GameOutcome(0, 0, (SeatOutcome(0, 1, 1.0, 9), SeatOutcome(1, 2, 0.0, 5), SeatOutcome(0, 3, 0.0, 1)))
    none, half = Pair(None, 0), Pair(Mean(0.5), 2)
    assert cross_table([both], 2) == [[none, half], [half, none]]
    assert [(rating.strength, rating.games) for rating in ratings([both], 2)] == [(0, 2), (0, 1)]


def test_who_has_not_played_stands_in_the_middle_and_does_not_move_it() -> None:
    played = season([-0.5, -0.5, 1], 10, Random("idle"), size=3)
    *playing, idle = ratings(played, 4)
    assert idle == Rating(3, 0.0, None, None, 0)
    assert playing == ratings(played, 3)


def test_two_deals_tell_no_interval_and_no_game_nothing() -> None:
    rated = ratings([game(number, {0: 1, 1: 2}, deal=number % 2) for number in range(5)], 2)
    assert [(rating.low, rating.high) for rating in rated] == [(None, None)] * 2
    assert rated[0].strength > 0
    assert ratings([], 2) == [Rating(0, 0.0, None, None, 0), Rating(1, 0.0, None, None, 0)]
    assert ratings([], 0) == []


def test_games_of_one_deal_do_not_count_as_independent() -> None:
    once = season([-0.3, 0, 0.3, 0], 40, Random("once"))
    again = [
        GameOutcome(5 * outcome.number + more, outcome.deal, outcome.places) for outcome in once for more in range(5)
    ]
    alone = [GameOutcome(outcome.number, outcome.number, outcome.places) for outcome in again]
    for single, five, free in zip(ratings(once, 4), ratings(again, 4), ratings(alone, 4), strict=True):
        assert isclose(width(single), width(five), rel_tol=0.02)
        assert width(free) < 0.6 * width(five)


def test_four_times_as_many_deals_halve_the_interval() -> None:
    few, many = (ratings(season([-0.3, 0, 0.3, 0], deals, Random("many")), 4) for deals in (100, 400))
    for wide, narrow in zip(few, many, strict=True):
        assert 1.7 < width(wide) / width(narrow) < 2.4


@pytest.mark.parametrize(("deals", "student"), [(4, 3.182), (6, 2.571), (12, 2.201), (30, 2.045), (100, 1.984)])
def test_the_interval_is_students(deals: int, student: float) -> None:
    """Of two who win 21 and 19 of the 40 games of a deal in turn, it can be had by hand, but for the half tie."""
    played = []
    for deal in range(deals):
        for number in range(40):
            rank = 1 if number < (21 if deal % 2 else 19) else 2
            played.append(game(40 * deal + number, {0: rank, 1: 3 - rank}, deal))
    ann, bob = ratings(played, 2)
    error = sqrt(deals * deals / (deals - 1)) / (
        40 * deals / 4
    )  # of the difference: deals are one win off, 40/4 is Fisher's
    assert ann.strength == pytest.approx(0)
    assert width(ann) == pytest.approx(width(bob)) == pytest.approx(student * error, rel=0.03)


# Who beats whom.


def test_a_cross_table_has_the_share_of_wins_with_ties_as_halves() -> None:
    played = [game(0, {0: 1, 1: 2, 2: 2}), game(1, {1: 1, 0: 2}), game(2, {0: 1, 1: 1}), game(3, {0: 1, 1: 2})]
    between = mean([(0, 1.0), (1, 0.0), (2, 0.5), (3, 1.0)], 0, 1)
    none = Pair(None, 0)
    assert cross_table(played, 4) == [
        [none, Pair(between, 4), Pair(Mean(1.0), 1), none],
        [Pair(between.each(lambda share: 1 - share), 4), none, Pair(Mean(0.5), 1), none],
        [Pair(Mean(0.0), 1), Pair(Mean(0.5), 1), none, none],
        [none] * 4,
    ]
    assert between.value == 0.625


@given(seasons())
def test_what_one_wins_the_other_loses(played: tuple[list[GameOutcome], int]) -> None:
    table = cross_table(*played)
    for one, other in combinations(range(played[1]), 2):
        there, back = table[one][other], table[other][one]
        assert there.games == back.games
        assert (there.share is None) == (back.share is None) == (there.games == 0)
        if there.share is not None and back.share is not None:
            assert isclose(there.share.value + back.share.value, 1)


# Seats.


def test_a_seat_that_is_always_first_has_all_that_is_above_its_turn() -> None:
    played = [game(number, {number % 3: 1, (number + 1) % 3: 2, (number + 2) % 3: 3}) for number in range(9)]
    biases = seat_bias(played)
    assert [bias.value for bias in biases] == pytest.approx([2 / 3, -1 / 3, -1 / 3])
    ends = [(bias.low, bias.high) for bias in biases]
    unseen = 1 - 0.05 ** (1 / 9)
    assert ends[0] == pytest.approx((2 / 3 - unseen, 2 / 3))
    assert ends[1] == ends[2] == pytest.approx((-1 / 3, unseen - 1 / 3))


def test_tables_of_several_sizes_expect_their_own_turn_and_nothing_favours_no_seat() -> None:
    played = [game(0, {0: 1, 1: 1, 2: 1}), game(1, {0: 1, 1: 1, 2: 1, 3: 1})]
    assert [bias.value for bias in seat_bias(played)] == pytest.approx([0] * 4)
    assert seat_bias([]) == []


def test_a_seat_bias_that_is_none_lies_within_its_margin_nearly_always() -> None:
    within = []
    for seed in range(50):
        for bias in seat_bias(season([0, 0, 0, 0], 25, Random(seed))):
            assert isinstance(bias, Mean)
            assert bias.low is not None
            assert bias.high is not None
            within.append(bias.low <= 0 <= bias.high)
    assert 0.88 <= sum(within) / len(within) <= 0.99


# Scores.


def scored(
    worth: Sequence[int], seat: Sequence[int], cards: Sequence[int], noise: Sequence[int] = (0,)
) -> list[GameOutcome]:
    """A rotation of each deal; a score is what the agent, the seat and the deal are worth, and some noise in turn."""
    played = []
    for fixture in rotations(range(len(worth)), len(worth) * len(cards)):
        places = [
            SeatOutcome(
                agent,
                1,
                0.0,
                worth[agent] + seat[at] + cards[fixture.deal] + noise[(7 * fixture.number + at) % len(noise)],
            )
            for at, agent in enumerate(fixture.seats)
        ]
        played.append(GameOutcome(fixture.number, fixture.deal, tuple(places)))
    return played


@pytest.mark.parametrize(
    ("played", "luck"),
    [
        (scored([0, 4, 8], [0, 0, 0], [0, 0]), Luck(1, 0, 0, 0)),
        (scored([0, 0, 0], [3, 0, 0], [0, 0]), Luck(0, 1, 0, 0)),
        (scored([0, 0, 0], [0, 0, 0], [5, 1]), Luck(0, 0, 1, 0)),
        (scored([0, 0, 6], [0, 6, 0], [0, 3, 6]), Luck(4 / 11, 4 / 11, 3 / 11, 0)),
        (scored([5, 5, 5], [0, 0, 0], [0, 0]), Luck(0, 0, 0, 1)),
        ([], Luck(0, 0, 0, 1)),
    ],
)
def test_what_scores_differ_by_is_found(played: list[GameOutcome], luck: Luck) -> None:
    found = deck_luck(played, 3)
    assert (found.agent, found.seat, found.deal, found.rest) == pytest.approx(
        (luck.agent, luck.seat, luck.deal, luck.rest)
    )


def test_what_neither_agent_nor_seat_nor_deal_explains_is_the_rest() -> None:
    random = Random("rest")
    luck = deck_luck(scored([0] * 4, [0] * 4, [0] * 100, [random.randrange(100) for _ in range(1_597)]), 4)
    assert luck.rest > 0.9
    assert max(luck.agent, luck.seat) < 0.02


@given(seasons())
def test_the_shares_add_up_and_none_is_negative(played: tuple[list[GameOutcome], int]) -> None:
    luck = deck_luck(*played)
    shares = [luck.agent, luck.seat, luck.deal, luck.rest]
    assert isclose(sum(shares), 1)
    assert all(0 <= share <= 1 + 1e-9 for share in shares)
