"""The ladder of the games in a store is a function of those games."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.cases import case
from tests.store.paper import expected_ladder, paper
from wateringhole.fault import Fault, Reason
from wateringhole.store import ladder_update
from wateringhole.store.finished_game import FinishedGame, Kind, game_id
from wateringhole.store.games import Store
from wateringhole.store.ladder import Ladder
from wateringhole.store.players import Opponent

PEOPLE = ["Ann", "Bob", "Cem", "Dora", "Emil", "Fay"]


def some_games(number: int) -> list[FinishedGame]:
    random = Random(f"rating {number}")
    return [
        paper(at, *random.sample(PEOPLE, 4), scores=[random.randint(0, 4) for _ in range(4)]) for at in range(number)
    ]


def test_nobody_stands_on_the_ladder_of_an_empty_store(store: Store) -> None:
    assert store.ladder() == []
    with pytest.raises(KeyError):
        store.player("Ann")


def test_the_ladder_is_that_of_the_games_in_the_order_in_which_they_ended(store: Store) -> None:
    games = some_games(30)
    store.add(Random(1).sample(games, 30))
    assert store.ladder() == expected_ladder(games)
    assert store.ladder(2) == expected_ladder(games)[:2]


def test_it_goes_on_with_later_games_and_begins_anew_for_earlier_ones(store: Store) -> None:
    games = some_games(40)
    store.add(games[10:20])
    assert store.ladder() == expected_ladder(games[10:20])
    store.add(games[20:30])
    assert store.ladder() == expected_ladder(games[10:30])
    store.add(games[:10])
    assert store.ladder() == expected_ladder(games[:30])
    store.add([games[39], games[35]])
    assert store.ladder() == expected_ladder([*games[:30], games[35], games[39]])


def test_games_that_ended_at_the_same_time_count_in_the_order_of_their_ids(store: Store) -> None:
    games = [replace(game, ended=some_games(1)[0].ended) for game in some_games(12)]
    in_order = sorted(games, key=lambda game: game_id(game.data))
    store.add(in_order[3:8])
    store.ladder()
    store.add(in_order[:3] + in_order[8:])
    assert store.ladder() == expected_ladder(in_order)


def test_a_deleted_game_never_happened(store: Store) -> None:
    games = some_games(20)
    known = store.add(games)
    store.ladder()
    store.delete([known[5], known[19]])
    assert store.ladder() == expected_ladder([*games[:5], *games[6:19]])
    store.delete(known)
    assert store.ladder() == []


def test_a_game_that_is_deleted_before_it_is_counted_costs_nothing(store: Store) -> None:
    games = some_games(5)
    store.add(games)
    before = store.ladder()
    [late] = store.add([paper(99, "Ann", "Bob", "Cem")])
    store.delete([late])
    assert store.ladder() == before


def test_many_games_are_counted_in_several_steps(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder_update, "GAMES_AT_ONCE", 7)
    games = some_games(30)
    store.add(games[8:])
    store.ladder()
    store.add(games)
    assert store.ladder() == expected_ladder(games)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.tuples(st.booleans(), st.sets(st.integers(0, 14), max_size=5)), max_size=5))
def test_whatever_comes_and_goes_the_ladder_is_that_of_what_is_there(
    store: Store, steps: list[tuple[bool, set[int]]]
) -> None:
    games = some_games(15)
    store.delete([game_id(game.data) for game in games])
    there: set[int] = set()
    for comes, which in steps:
        if comes:
            store.add([games[number] for number in which])
            there |= which
        else:
            store.delete([game_id(games[number].data) for number in which])
            there -= which
        assert store.ladder() == expected_ladder([games[number] for number in sorted(there)])


def test_private_and_unfinished_games_and_those_against_oneself_do_not_count(store: Store) -> None:
    game = paper(1, "Ann", "Bob", "Cem")
    bots = {"kinds": ("bot",) * 3, "agents": ("greedy",) * 3}
    store.add(
        [
            replace(game, private=True),
            replace(game, data=b"2", status="stopped"),
            replace(game, data=b"3", status="failed"),
            replace(game, data=b"4", status="abandoned"),
            replace(game, data=b"5", status="damaged"),
            replace(game, data=b"6", **bots),
        ]
    )
    assert store.ladder() == []


def test_a_seat_that_a_stand_in_played_for_is_not_rated(store: Store) -> None:
    store.add([replace(paper(1, "Ann", "Bob", "Cem"), stood_in=frozenset({2}))])
    ladder = Ladder()
    ladder.played(["Ann", "Cem"], [1, 3])
    assert store.ladder() == ladder.table()
    store.add([replace(paper(2, "Ann", "Bob", "Cem"), stood_in=frozenset({1, 2}))])
    assert store.ladder() == ladder.table()


def test_who_is_expelled_comes_last(store: Store) -> None:
    fault = Fault(Reason.ILLEGAL, "cheats")
    store.add([paper(1, "Ann", "Bob", "Cem", "Dora", scores=[None, 0, 5, None], fault=fault)])
    ladder = Ladder()
    ladder.played(["Ann", "Bob", "Cem", "Dora"], [4, 2, 1, 4])
    assert store.ladder() == ladder.table()
    assert [rung.name for rung in store.ladder()] == ["Cem", "Bob", "Ann", "Dora"]


def test_house_bots_are_rated_by_what_they_are_and_together(store: Store) -> None:
    game = paper(1, "greedy 1", "Ann", "greedy 3", "sage 4")
    store.add([replace(game, kinds=("bot", "client", "bot", "bot"), agents=("greedy", "", "greedy", "sage?ms=50"))])
    ladder = Ladder()
    ladder.played(["bot:greedy", "Ann", "bot:greedy", "bot:sage?ms=50"], [1, 2, 3, 4])
    assert store.ladder() == ladder.table()
    assert store.player("bot:greedy").rating.games == 1


def test_one_person_against_house_bots_only_is_not_rated(store: Store) -> None:
    table: list[tuple[tuple[Kind, ...], str]] = [
        (("person", "bot", "bot", "bot"), "one person has played against house bots only"),
        (("client", "bot", "bot", "bot"), ""),
        (("person", "client", "bot", "bot"), ""),
        (("person", "person", "bot", "bot"), ""),
    ]
    for number, (kinds, why) in enumerate(table):
        with case(kinds):
            agents = tuple(f"silly?at={seat}" if kind == "bot" else "" for seat, kind in enumerate(kinds))
            game = replace(paper(number, "Ann", "Bob", "Cem", "Dora"), kinds=kinds, agents=agents)
            [known] = store.add([game])
            kept = store.kept(known)
            counts = "counts for the ladder." if not why else f"does not count for the ladder: {why}."
            assert (kept.rated, kept.ladder) == (not why, f"This game {counts}")
            assert bool(store.ladder()) == (not why)
            store.delete([known])


def test_of_people_of_one_name_only_the_first_is_rated_and_programs_are_one(store: Store) -> None:
    people = replace(
        paper(1, "Ann", "Ann 2", "Bob"),
        kinds=("person", "person", "person"),
        namesakes=frozenset({2}),
        agents=("",) * 3,
    )
    [known] = store.add([people])
    assert [rung.name for rung in store.ladder()] == ["Ann", "Bob"]
    expected = Ladder()
    expected.played(["Ann", "Bob"], [1, 3])
    assert store.ladder() == expected.table()
    assert [place.rated for place in store.kept(known).seats] == [True, False, True]
    assert store.kept(known).ladder == (
        "This game counts for the ladder. Ann 2 is not rated: another person at the table had that name first."
    )
    with pytest.raises(KeyError):
        store.player("Ann 2")
    assert store.player("Ann").opponents == (Opponent("Bob", 1, 1),)
    store.delete([known])
    store.add([replace(paper(2, "Bot", "Bot", "Bob"), kinds=("client", "client", "client"), agents=("",) * 3)])
    expected = Ladder()
    expected.played(["Bot", "Bot", "Bob"], [1, 2, 3])
    assert store.ladder() == expected.table()


def test_a_profile_tells_how_somebody_did_and_against_whom(store: Store) -> None:
    fault = Fault(Reason.TIMEOUT, "sleeps")
    games = [
        paper(1, "Ann", "Bob", "Cem", scores=[5, 5, 1]),
        paper(2, "Bob", "Ann", "Dora", scores=[1, 9, 4]),
        paper(3, "Ann", "Bob", "Cem", scores=[None, 2, 3], fault=fault),
    ]
    secret = replace(paper(4, "Ann", "Bob", "Cem"), private=True)
    rested = replace(paper(5, "Ann", "Bob", "Cem"), stood_in=frozenset({1}))
    known = store.add([*games, secret, rested])
    ann = store.player("Ann")
    assert (ann.identity, ann.rating.games, ann.wins) == ("Ann", 3, 1.5)
    assert ann.mean_score == pytest.approx(14 / 3)
    assert ann.opponents == (Opponent("Bob", 3, 1), Opponent("Cem", 2, 1), Opponent("Dora", 1, 1))
    assert [game.id for game in ann.games] == [known[4], known[2], known[1], known[0]]
    ladder = store.ladder()
    assert ladder[ann.place - 1] == ann.rating
    assert [store.player(rung.name).place for rung in ladder] == [1, 2, 3, 4]
