"""Who meets whom."""

from collections import Counter
from itertools import combinations, pairwise
from math import comb

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.tournament.paper import by_number, config, played
from wateringhole.tournament.config import Format, TournamentConfig
from wateringhole.tournament.formats import best, lap, lots, planned, rounds, seated, sizes
from wateringhole.tournament.outcomes import GameOutcome
from wateringhole.tournament.schedule import Fixture

SOME = settings(max_examples=20)


def fields(most: int) -> st.SearchStrategy[tuple[int, int]]:
    """A number of entries up to this, and a table that they fill."""
    return st.integers(3, 8).flatmap(lambda table: st.tuples(st.integers(table, most), st.just(table)))


def tables(fixtures: list[Fixture] | list[GameOutcome]) -> set[frozenset[int]]:
    """Who sat together."""
    found = set()
    for fixture in fixtures:
        seats = fixture.seats if isinstance(fixture, Fixture) else [place.agent for place in fixture.places]
        found.add(frozenset(seats))
    return found


def meetings(outcomes: list[GameOutcome]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for table in tables(outcomes) for pair in combinations(table, 2))


def once(of: TournamentConfig) -> list[Fixture]:
    """All games of a tournament of one round."""
    return list(next(rounds(of)))


@given(fields(200))
def test_everybody_sits_at_a_table_that_a_game_can_have_and_tables_are_even(field: tuple[int, int]) -> None:
    entries, table = field
    seats = sizes(entries, table)
    assert sum(seats) == entries
    assert max(seats) - min(seats) <= 1
    assert min(seats) >= 3
    assert max(seats) <= max(table, 5)
    assert entries % table or set(seats) == {table}


@SOME
@given(st.integers(4, 9), st.integers(3, 4), st.integers(1, 2))
def test_in_a_round_robin_every_set_of_that_size_meets_with_every_deal_on_every_seat(
    entries: int, table: int, deals: int
) -> None:
    fixtures = once(config("round-robin", entries, table, deals))
    met = Counter(frozenset(fixture.seats) for fixture in fixtures)
    assert met == {frozenset(some): table * deals for some in combinations(range(entries), table)}
    seats = Counter((fixture.deal, at, agent) for fixture in fixtures for at, agent in enumerate(fixture.seats))
    assert set(seats.values()) == {1}
    assert len({(fixture.deal, frozenset(fixture.seats)) for fixture in fixtures}) == comb(entries, table) * deals


def test_every_table_has_had_a_deal_before_any_has_its_second() -> None:
    fixtures = once(config("round-robin", 5, 3, 2))
    half = len(fixtures) // 2
    assert tables(fixtures[:half]) == tables(fixtures[half:])
    assert len(tables(fixtures[:half])) == 10


def test_more_deals_of_a_round_robin_are_the_same_games_and_some_more() -> None:
    assert once(config("round-robin", 5, 3, 3))[:60] == once(config("round-robin", 5, 3, 2))


@SOME
@given(st.integers(0, 6), st.integers(3, 5))
def test_in_a_gauntlet_the_challenger_sits_at_every_table_and_the_others_equally_often(who: int, table: int) -> None:
    of = config("gauntlet", 7, table, challenger=who)
    met = Counter(agent for some in lap(of) for agent in some)
    assert met.pop(who) == comb(6, table - 1)
    assert set(met.values()) == {comb(5, table - 2)}
    assert len(met) == 6


@SOME
@given(st.sampled_from(["round-robin", "gauntlet", "swiss", "knock-out"]), st.integers(5, 20), st.integers(3, 5))
def test_as_many_games_are_played_as_were_planned_and_numbered_without_gaps(
    kind: Format, entries: int, table: int
) -> None:
    of = config(kind, min(entries, 9) if kind in {"round-robin", "gauntlet"} else entries, table, 2)
    outcomes = [outcome for part in played(of, by_number(20)) for outcome in part]
    assert [outcome.number for outcome in outcomes] == list(range(planned(of)))
    agents = {outcome.deal: {place.agent for place in outcome.places} for outcome in outcomes}
    assert all(agents[outcome.deal] == {place.agent for place in outcome.places} for outcome in outcomes)


@SOME
@given(st.sampled_from(["swiss", "knock-out"]), st.integers(4, 20), st.integers(0, 99), st.integers(0, 99))
def test_the_order_in_which_games_ended_does_not_matter(kind: Format, entries: int, one: int, other: int) -> None:
    of = config(kind, entries, 3)
    strengths = [float(number % 5) for number in range(entries)]
    assert played(of, strengths, one) == played(of, strengths, other)


@SOME
@given(fields(40))
def test_in_every_swiss_round_everybody_sits_once(field: tuple[int, int]) -> None:
    entries, table = field
    for part in played(config("swiss", entries, table), by_number(40)):
        assert sorted(agent for some in tables(part) for agent in some) == list(range(entries))


def test_those_who_stand_alike_meet_in_the_next_swiss_round() -> None:
    first, second, *_ = played(config("swiss", 9, 3, turns=2), by_number(9))
    winners = {min(table) for table in tables(first)}
    assert winners in tables(second)


@SOME
@given(st.integers(3, 5), st.data())
def test_nobody_meets_twice_in_two_rounds_if_that_can_be_had(table: int, data: st.DataObject) -> None:
    entries = data.draw(st.integers(table * table, 40))
    seats = sizes(entries, table)
    assume(max(seats) <= len(seats))  # at a larger table two would sit who come from the same one
    of = config("swiss", entries, table, turns=2)
    strengths = data.draw(st.lists(st.floats(0, 50), min_size=entries, max_size=entries))
    first, second = played(of, strengths)
    assert not set(meetings(first)) & set(meetings(second))


def test_forty_entries_play_six_swiss_rounds_without_meeting_again() -> None:
    met: Counter[frozenset[int]] = Counter()
    for part in played(config("swiss", 40, 4, turns=6), by_number(40)):
        met += meetings(part)
    assert set(met.values()) == {1}


def test_who_must_meet_again_sits_with_those_met_least() -> None:
    met = Counter({(one, other): 1 + (one < 3 and other < 3) for one in range(6) for other in range(6)})
    assert not {(0, 1, 2), (3, 4, 5)} & set(seated(range(6), [3, 3], met))
    assert seated(range(3), [3], met) == [(0, 1, 2)]


@SOME
@given(fields(60))
def test_the_better_half_of_every_table_goes_on_until_one_table_is_left(field: tuple[int, int]) -> None:
    entries, table = field
    parts = played(config("knock-out", entries, table), by_number(60))
    for part, after in pairwise(parts):
        through = {agent for some in tables(part) for agent in sorted(some)[: (len(some) + 1) // 2]}
        assert {agent for some in tables(after) for agent in some} == through
    assert len(tables(parts[-1])) == 1
    assert min(min(table) for table in tables(parts[-1])) == 0


def test_where_two_are_equal_lots_decide_and_not_their_place_in_the_file() -> None:
    of = config("swiss", 6, 3)
    assert len({lots(replace(of, secret=seed))[0] for seed in "abcdefghij"}) > 1


def test_the_best_of_some_games_is_who_was_ahead_of_most_others() -> None:
    [part] = played(config("round-robin", 4, 3), by_number(4))
    assert best(part, [3, 2, 1, 0]) == [0, 1, 2, 3]
