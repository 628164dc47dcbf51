"""Who sits where, with which deck."""

import pickle
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from wateringhole.tournament.schedule import laps, rotations


def test_a_deal_goes_once_round_the_table() -> None:
    fixtures = list(rotations([0, 1, 2], 4))
    assert [(fixture.number, fixture.deal, fixture.seats) for fixture in fixtures] == [
        (0, 0, (0, 1, 2)),
        (1, 0, (1, 2, 0)),
        (2, 0, (2, 0, 1)),
        (3, 1, (0, 1, 2)),
    ]


@given(st.integers(3, 8), st.integers(1, 20))
def test_everybody_has_every_seat_equally_often_with_every_deal(agents: int, deals: int) -> None:
    seen = Counter(
        (fixture.deal, seat, agent)
        for fixture in rotations(range(agents), agents * deals)
        for seat, agent in enumerate(fixture.seats)
    )
    assert len(seen) == agents * agents * deals
    assert set(seen.values()) == {1}


@given(st.integers(3, 8), st.integers(1, 40), st.integers(0, 40))
def test_more_games_are_the_same_games_and_some_more(agents: int, games: int, more: int) -> None:
    longer = list(rotations(range(agents), games + more))
    assert longer[:games] == list(rotations(range(agents), games))


@given(st.integers(3, 8), st.integers(1, 40))
def test_the_number_of_a_game_is_its_place(agents: int, games: int) -> None:
    schedule = rotations(range(agents), games)
    assert [fixture.number for fixture in schedule] == list(range(len(schedule))) == list(range(games))
    assert schedule[:] == list(schedule)
    assert schedule[2:5] == list(schedule)[2:5]
    assert schedule[-1] == list(schedule)[-1]


def test_tables_of_several_sizes_take_turns_deal_by_deal() -> None:
    schedule = laps([(4, 5, 6), (0, 1, 2, 3)], 2, number=10, deal=7)
    assert list(schedule) == schedule[:]
    assert [(fixture.number, fixture.deal, fixture.seats) for fixture in schedule][2:8] == [
        (12, 7, (6, 4, 5)),
        (13, 8, (0, 1, 2, 3)),
        (14, 8, (1, 2, 3, 0)),
        (15, 8, (2, 3, 0, 1)),
        (16, 8, (3, 0, 1, 2)),
        (17, 9, (4, 5, 6)),
    ]
    assert len(schedule) == 14
    assert list(laps([], 3)) == []


def test_a_schedule_of_any_length_is_sent_to_a_worker_at_once() -> None:
    assert len(pickle.dumps(rotations(range(3), 10_000_000))) < 1_000
