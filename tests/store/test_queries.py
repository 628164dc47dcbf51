"""Lists of games against a plain list of all of them."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.store.paper import NOON, paper
from tests.store.postgres import Postgres
from wateringhole.fault import Fault, Reason
from wateringhole.store.finished_game import FinishedGame, game_id
from wateringhole.store.games import Store, opened
from wateringhole.store.queries import Filter

NAMES = ["Ann", "Bob", "Cem", "Dora", "ann", "Ann ", "bot:greedy", "100%", "_", "Ännchen"]
TITLES = ["", "Cup", "The Cup", "cup", "C_p", "50%", "\\", "Übung"]
REASONS = [Reason.TIMEOUT, Reason.ILLEGAL, Reason.BAD_JSON]
HOURS = 40


def all_games() -> list[FinishedGame]:
    random = Random("listing")
    games = []
    for number in range(2_000):
        names = random.sample(NAMES, random.randint(3, 6))
        scores: list[int | None] = [random.randint(0, 9) for _ in names]
        if random.random() < 0.2:
            scores[random.randrange(len(scores))] = None
        game = paper(number, *names, scores=scores, fault=Fault(random.choice(REASONS), "fails"))
        ended = NOON + timedelta(hours=random.randrange(HOURS))  # many end at the same time
        bots = {"kinds": tuple(random.choice(["person", "bot"]) for _ in names), "agents": ("greedy",) * len(names)}
        games.append(
            replace(
                game,
                ended=ended,
                title=random.choice(TITLES),
                private=random.random() < 0.2,
                status=random.choice(["finished", "finished", "stopped", "abandoned"]),
                tournament=random.choice([None, "cup", "league"]),
                **(bots if random.random() < 0.5 else {}),
            )
        )
    return games


GAMES = all_games()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def full(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with all the games."""
    folder: Path = tmp_path_factory.mktemp("listing")
    if request.param == "sqlite":
        with opened(folder) as store:
            store.add(GAMES)
            yield store
    else:
        server: Postgres = request.getfixturevalue("postgres")
        with server.database() as url, opened(url) as store:
            store.add(GAMES)
            yield store


moments = st.none() | st.integers(-1, HOURS).map(lambda hours: NOON + timedelta(hours=hours))
filters = st.builds(
    Filter,
    player=st.none() | st.sampled_from([*NAMES, "player:bot:greedy", "nobody"]),
    since=moments,
    until=moments,
    status=st.sampled_from([None, "finished", "stopped", "abandoned", "failed"]),
    players=st.none() | st.integers(2, 7),
    expelled=st.sampled_from([None, "any", *REASONS, Reason.MEMORY]),
    tournament=st.sampled_from([None, "cup", "league", "none"]),
    title=st.sampled_from(["", "Cup", "cup", "up", "_", "%", "\\", "Ü", "ü", "x"]),
    private=st.booleans(),
)


def passes(game: FinishedGame, where: Filter) -> bool:
    """The plain meaning of a filter."""
    kinds, agents = game.kinds or (None,) * 8, game.agents or ("",) * 8
    who = set(game.names)
    for name, kind, agent in zip(game.names, kinds, agents, strict=False):
        who |= {f"bot:{agent}"} if kind == "bot" else {f"player:{name}"} if name.startswith("bot:") else {name}
    reasons = {row.fault.reason for row in game.ranking if row.fault}
    return (
        (where.player is None or where.player in who)
        and (where.since is None or game.ended >= where.since)
        and (where.until is None or game.ended < where.until)
        and (where.status is None or game.status == where.status)
        and (where.players is None or len(game.names) == where.players)
        and (where.expelled is None or (bool(reasons) if where.expelled == "any" else where.expelled in reasons))
        and (where.tournament is None or game.tournament == where.tournament)
        and where.title in game.title
        and (where.private or not game.private)
    )


def expected(where: Filter) -> list[str]:
    """The ids of these games, the latest first."""
    them = [(game.ended, game_id(game.data)) for game in GAMES if passes(game, where)]
    return [game for _, game in sorted(them, reverse=True)]


@settings(max_examples=30)
@given(where=filters, limit=st.sampled_from([1, 7, 50]))
def test_a_list_has_the_games_that_the_filter_lets_through(full: Store, where: Filter, limit: int) -> None:
    them = expected(where)
    assert full.count(where) == len(them)
    listed = full.listed(where, limit)
    assert [game.id for game in listed] == them[:limit]
    if listed:
        after = full.listed(where, limit, listed[-1].cursor)
        assert [game.id for game in after] == them[limit : 2 * limit]


def test_page_after_page_all_games_come_once(full: Store) -> None:
    where, seen = Filter(private=True), list[str]()
    page = full.listed(where, 333)
    while page:
        seen += [game.id for game in page]
        page = full.listed(where, 333, page[-1].cursor)
    assert seen == expected(where)
    assert [game.id for game in full.listed(where, None)] == seen


def test_a_list_shows_of_a_game_what_is_known_of_it(full: Store) -> None:
    by_id = {game_id(game.data): game for game in GAMES}
    for kept in full.listed(Filter(private=True), 100):
        game = by_id[kept.id]
        assert kept == full.kept(kept.id)
        assert kept.names == game.names
        assert (kept.title, kept.private, kept.status) == (game.title, game.private, game.status)


def test_games_that_come_meanwhile_disturb_no_list(store: Store) -> None:
    store.add(paper(number, "Ann", "Bob", "Cem") for number in range(10))
    first = store.listed(limit=4)
    store.add(paper(number, "Ann", "Bob", "Cem") for number in range(10, 20))
    second = store.listed(limit=10, before=first[-1].cursor)
    assert [game.number for game in first + second] == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]


def test_private_games_are_listed_only_on_demand(store: Store) -> None:
    [secret, public] = store.add([replace(paper(1, "Ann", "Bob", "Cem"), private=True), paper(2, "Ann", "Bob", "Cem")])
    assert [game.id for game in store.listed()] == [public]
    assert store.count() == 1
    assert [game.id for game in store.listed(Filter(private=True))] == [public, secret]
    assert store.kept(secret).private
