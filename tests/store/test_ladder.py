"""A ladder that goes on after every game."""

import subprocess
import sys
from math import exp
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wateringhole.store.ladder import SEATS, Ladder

Game = list[tuple[str, int]]


def games(most: int = SEATS) -> st.SearchStrategy[Game]:
    names = st.lists(st.sampled_from("abcdefghij"), min_size=2, max_size=most, unique=True)
    return names.flatmap(
        lambda them: st.tuples(*(st.tuples(st.just(name), st.integers(1, 8)) for name in them)).map(list)
    )


def ladder(*played: Game) -> Ladder:
    made = Ladder()
    for game in played:
        made.played([name for name, _ in game], [rank for _, rank in game])
    return made


def mu(made: Ladder) -> dict[str, float]:
    return {rung.name: rung.mu for rung in made.table()}


def test_nobody_stands_on_a_new_ladder() -> None:
    assert Ladder().table() == []


def test_the_better_rank_stands_higher_and_everybody_is_better_known() -> None:
    rungs = ladder([("low", 3), ("top", 1), ("mid", 2)]).table()
    assert [rung.name for rung in rungs] == ["top", "mid", "low"]
    assert [rung.games for rung in rungs] == [1, 1, 1]
    top, mid, low = rungs
    assert top.mu > mid.mu == 25 > low.mu
    for rung in rungs:
        assert rung.sigma < 25 / 3
        assert rung.ordinal == pytest.approx(rung.mu - 3 * rung.sigma)


def test_what_counts_is_the_order_of_the_ranks_not_how_far_they_are_apart() -> None:
    near, far = ladder([("a", 1), ("b", 2), ("c", 3)]), ladder([("a", 1), ("b", 5), ("c", 8)])
    assert near.table() == far.table()


@pytest.mark.parametrize("seats", range(3, SEATS + 1))
def test_all_who_share_the_first_rank_get_the_same_and_stand_above_the_others(seats: int) -> None:
    for first in range(1, seats):
        shared = [(f"first {n}", 1) for n in range(first)]
        others = [(f"other {n}", first + 1) for n in range(seats - first)]
        rated = mu(ladder(shared + others))
        assert len({rated[name] for name, _ in shared}) == 1, f"{first} of {seats} share the first rank"
        assert len({rated[name] for name, _ in others}) == 1
        assert rated["first 0"] > 25 > rated["other 0"]


def test_a_tie_draws_two_together() -> None:
    before = ladder([("a", 1), ("b", 2)])
    after = ladder([("a", 1), ("b", 2)], [("a", 1), ("b", 1)])
    assert mu(before)["a"] > mu(after)["a"] > mu(after)["b"] > mu(before)["b"]


def test_who_beats_a_stronger_one_gains_more() -> None:
    story = [[("giant", 1), ("dwarf", 2)]] * 5
    up, usual = ladder(*story, [("new", 1), ("giant", 2)]), ladder(*story, [("new", 1), ("dwarf", 2)])
    assert mu(up)["new"] > mu(usual)["new"] > 25


def test_equals_stand_in_the_order_of_their_names() -> None:
    assert [rung.name for rung in ladder([("b", 1), ("c", 1), ("a", 1)]).table()] == ["a", "b", "c"]


@given(st.lists(games(), max_size=6), st.randoms(use_true_random=False))
def test_it_does_not_matter_who_sat_where(story: list[Game], random: Random) -> None:
    assert ladder(*[random.sample(game, len(game)) for game in story]).table() == ladder(*story).table()


@given(st.lists(games(), max_size=4), st.lists(games(), max_size=4))
def test_a_ladder_that_was_kept_goes_on_as_if_it_had_not_been(first: list[Game], then: list[Game]) -> None:
    kept = Ladder(ladder(*first).known)
    for game in then:
        kept.played([name for name, _ in game], [rank for _, rank in game])
    assert kept.table() == ladder(*first, *then).table()


def test_who_sits_at_a_table_twice_is_rated_as_the_mean_of_two_with_one_game_more() -> None:
    before = [("top", 1), ("low", 2)]
    twice = ladder(before, [("top", 1), ("top", 3), ("low", 2)])
    apart = Ladder({**ladder(before).known, "also top": ladder(before).known["top"]})
    apart.played(["top", "also top", "low"], [1, 3, 2])
    one, other = apart.known["top"], apart.known["also top"]
    assert twice.known["low"].mu == pytest.approx(apart.known["low"].mu)
    assert twice.known["top"].mu == pytest.approx((one.mu + other.mu) / 2)
    assert twice.known["top"].sigma == pytest.approx((one.sigma + other.sigma) / 2)
    assert twice.known["top"].games == 2


def test_after_many_games_the_strong_stand_above_the_weak() -> None:
    random, made = Random("ladder"), Ladder()
    for _ in range(400):
        table = random.sample(range(8), 4)
        luck = {number: random.expovariate(exp(0.8 * number)) for number in table}  # who is strong is there soon
        order = sorted(table, key=lambda number: luck[number])
        made.played([str(number) for number in order], range(1, 5))
    assert [rung.name for rung in made.table()] == list("76543210")


@pytest.mark.parametrize(
    ("names", "ranks", "says"),
    [
        (["a", "b"], [1], "2 names, but 1 ranks"),
        (["a"], [1], "1 at a table, but a ladder takes 2 to 8"),
        (list("abcdefghi"), list(range(9)), "9 at a table, but a ladder takes 2 to 8"),
    ],
)
def test_what_is_no_game_is_a_sentence_and_changes_nothing(names: list[str], ranks: list[int], says: str) -> None:
    made = ladder([("a", 1), ("b", 2)])
    before = made.table()
    with pytest.raises(ValueError, match=says):
        made.played(names, ranks)
    assert made.table() == before


def test_who_needs_no_ladder_need_not_load_its_model() -> None:
    asked = "import sys, wateringhole.store.ladder; print('openskill' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", asked], text=True) == "False\n"
