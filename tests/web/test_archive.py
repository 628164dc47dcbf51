"""What the page knows of finished games: lists, players, the ladder."""

import json
import shutil
from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pytest
from msgspec.structs import replace

from tests.cases import case
from tests.web.library import NOON, game, keep
from tests.web.server import PERSON, Server, bot, play_both, serving
from wateringhole.record import parsed
from wateringhole.store.database import FILE
from wateringhole.wire.framing import Json

MANY = 60
ODD_NAMES = ("..", "a/b", "50 %", "?of=x", "#1", "bot:silly", "\u202eevil", "W" * 64, "<b>Bob</b>", "a\0b")


class Library(NamedTuple):
    """A server with finished games: the ids of many public ones, from the latest on, and of what is in no list."""

    server: Server
    games: list[str]
    private: str
    stopped: str
    foreign: str


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    data = tmp_path_factory.mktemp("library")
    # Two end in the same moment, each time.
    public = [
        game(["Ann", "Ben"] if number % 3 else ["Ann", "Cleo"], number, NOON - timedelta(hours=number // 2), "Sunday")
        for number in range(MANY)
    ]
    private = game(["Ann", "Zoe"], 1_000, private=True)
    stopped = game(["Ann", "Yan"], 1_001, status="stopped")
    odd = [game([name, "Ben"], 2_000 + at, NOON - timedelta(days=9)) for at, name in enumerate(ODD_NAMES)]
    foreign = game(["Ann", "Ben"], 1_002, private=True)
    foreign = replace(foreign, data=foreign.data.replace(b'"rules":"1"', b'"rules":"9"'), rules="9")
    *_, secret, broken_off, other = ids = [*keep(data, public), *keep(data, [private, stopped, foreign])]
    keep(data, [*odd, replace(game(["Uma", "Vic"], 1_003, NOON - timedelta(days=10)), stood_in=frozenset({1}))])
    ended = {known: one.ended for known, one in zip(ids, public, strict=False)}
    with serving("--data", str(data)) as server:
        latest_first = sorted(ended, key=lambda known: (ended[known], known), reverse=True)
        yield Library(server, latest_first, secret, broken_off, other)


def games_of(server: Server, query: str) -> list[dict[str, Json]]:
    found: list[dict[str, Json]] = json.loads(server.get(f"/api/games{query}")[1])["games"]
    return found


def test_a_listed_game_says_for_whom_a_bot_has_played(library: Library) -> None:
    [listed] = games_of(library.server, "?player=Uma")
    assert isinstance(listed["players"], list)
    assert [seat["stood_in"] for seat in listed["players"] if isinstance(seat, dict)] == [True, False, False]


def test_page_by_page_every_public_game_comes_once_the_latest_first(library: Library) -> None:
    seen: list[Json] = []
    before = ""
    while True:
        page = library.server.asked(f"/api/games?until=2026-01-01&since=2025-11-10{before}")
        games = json.loads(json.dumps(page["games"]))
        seen += [one["id"] for one in games]
        if page["older"] is None:
            break
        assert len(games) == 25
        before = f"&before={quote(str(page['older']))}"
    assert seen == library.games


def test_a_game_in_a_list_says_who_played_who_won_and_when(library: Library) -> None:
    [shown] = [one for one in games_of(library.server, "") if one["id"] == library.games[0]]
    whole = library.server.asked(f"/api/games/{library.games[0]}")
    ranking = json.loads(json.dumps(whole["ranking"]))
    assert (shown["title"], shown["ended"], shown["status"]) == ("Sunday", "2025-11-16T12:00:00Z", "finished")
    players = json.loads(json.dumps(shown["players"]))
    assert [one["identity"] for one in players] == [*whole["names"][:2], "bot:silly"]  # type: ignore[index,misc]
    assert {(one["name"], one["rank"], one["score"]) for one in players} == {
        (row["name"], row["rank"], row["score"]) for row in ranking
    }
    assert shown["winners"] == [one["name"] for one in players if one["rank"] == 1]
    assert whole["identities"] == [one["identity"] for one in players]
    assert (whole["title"], json.loads(json.dumps(whole["fair"]))["objection"]) == ("Sunday", None)


QUERIES = [
    ("?player=Cleo&since=2025-11-10", MANY // 3),
    ("?player=Nobody", 0),
    ("?player=cleo", 0),
    ("?player=Zoe", 0),
    ("?player=%00", 0),
    ("?since=2025-11-16T12:00Z&until=2026-01-01", 2),
    ("?since=2025-11-16T13:00%2B01:00&until=2026-01-01", 2),
    ("?since=2025-11-16T11:00&until=2025-11-16T12:00", 2),
    ("?since=2025-11-17&until=2026-01-01", 0),
    ("?until=2025-11-01", 0),
    ("?until=2025-11-08", len(ODD_NAMES) + 1),
    ("?player=&since=&until=2025-11-08&before=", len(ODD_NAMES) + 1),
]


def test_games_are_found_by_player_and_by_time(library: Library) -> None:
    for query, number in QUERIES:
        with case(query):
            assert len(games_of(library.server, query)) == number


NO_TIMES = ("yesterday", "2026-13-01", "%00", "9" * 50, "0001-01-01T00:00%2B23:00", "<b>")


def test_a_time_that_is_none_is_answered_with_a_sentence(library: Library) -> None:
    for name, value in product(("since", "until", "before"), NO_TIMES):
        with case(name, value):
            status, body, _ = library.server.get(f"/api/games?{name}={value}")
            assert status == 400
            assert json.loads(body)["text"].endswith("is not a time like 2026-11-16 or 2026-11-16T18:30Z.")


def test_a_private_game_is_found_by_its_id_alone_and_what_was_broken_off_not_at_all(library: Library) -> None:
    server = library.server
    assert [server.get(f"/game/{known}")[0] for known in (library.private, library.stopped)] == [200, 404]
    assert [server.get(f"/api/games/{known}")[0] for known in (library.private, library.stopped)] == [200, 404]
    told = [server.get(path)[1].decode() for path in ("/api/lobby", "/api/games", "/api/ladder", "/api/players/Ann")]
    assert [text for text in told if library.private in text or library.stopped in text or "Zoe" in text] == []
    assert server.get("/api/players/Zoe")[0] == 404


def test_a_game_by_other_rules_is_a_sentence_and_its_record_can_still_be_had(library: Library) -> None:
    server = library.server
    sentence = {"text": "That game was played by other rules, and cannot be shown here."}
    for path in (f"/api/games/{library.foreign}", f"/api/games/{library.foreign}/page"):
        assert (server.get(path)[0], server.asked(path)) == (404, sentence)
    assert server.post(f"/api/games/{library.foreign}/fork", {"step": 0, "seat": 1}) == (404, sentence)
    assert b'"rules":"9"' in server.get(f"/api/games/{library.foreign}/record")[1]


def test_a_player_has_figures_opponents_and_last_games(library: Library) -> None:
    ann = library.server.asked("/api/players/Ann")
    assert (ann["name"], ann["bot"], ann["games"]) == ("Ann", False, MANY)
    met = {one["name"]: one["meetings"] for one in json.loads(json.dumps(ann["opponents"]))}
    assert met == {"Ben": 2 * MANY // 3, "Cleo": MANY // 3, "silly": MANY}
    last = json.loads(json.dumps(ann["last"]))
    assert [one["id"] for one in last] == library.games[: len(last)] != []
    low, rating, high = ann["low"], ann["rating"], ann["high"]
    assert isinstance(low, float)
    assert isinstance(rating, float)
    assert isinstance(high, float)
    assert low < rating < high
    rungs = json.loads(json.dumps(library.server.asked("/api/ladder")["ladder"]))
    [mine] = [rung for rung in rungs if rung["identity"] == "Ann"]
    assert {name: ann[name] for name in mine} == mine


def test_the_ladder_is_in_order_and_marks_house_bots_and_nobody_else(library: Library) -> None:
    rungs = json.loads(json.dumps(library.server.asked("/api/ladder")["ladder"]))
    assert [rung["place"] for rung in rungs] == list(range(1, len(rungs) + 1))
    assert sorted(rungs, key=lambda rung: -rung["low"]) == rungs
    assert [rung["identity"] for rung in rungs if rung["bot"]] == ["bot:silly"]
    [pretender] = [rung for rung in rungs if rung["identity"] == "player:bot:silly"]
    assert (pretender["name"], pretender["bot"]) == ("bot:silly", False)
    assert json.loads(json.dumps(library.server.asked("/api/ladder?limit=3")["ladder"])) == rungs[:3]


def test_a_limit_that_is_none_is_answered_with_a_sentence(library: Library) -> None:
    for limit in ("0", "-1", "201", "many", "9" * 40, "\u0663"):
        with case(limit):
            status, body, _ = library.server.get(f"/api/ladder?limit={quote(limit)}")
            assert (status, json.loads(body)["text"]) == (400, f"The limit {limit:.20} is not a number from 1 to 200.")


def test_whatever_somebody_is_called_they_have_a_page(library: Library) -> None:
    for name in ODD_NAMES:
        with case(name):
            kept = name.replace("\0", "\N{REPLACEMENT CHARACTER}")
            identity = f"player:{name}" if name.startswith("bot:") else kept
            for path in (f"/api/players/{quote(identity, safe='')}", f"/api/players/?of={quote(identity, safe='')}"):
                found = library.server.asked(path)
                assert (found["identity"], found["name"], found["games"]) == (identity, kept, 1)
            assert library.server.get(f"/player/{quote(identity, safe='')}")[0] == 200


def test_a_game_is_in_the_lists_the_moment_it_is_over_and_counts_soon_after(library: Library) -> None:
    server = library.server
    table, key = server.table([PERSON, bot(), bot("rash")], title="Just now")
    with server.tab(table, name="Ida", key=key) as ida:
        end = ida.play()
    assert end["identities"] == ["Ida", "bot:silly", "bot:rash"]
    for path in ("/api/lobby", "/api/games", "/api/games?player=Ida", "/api/games?player=bot:rash"):
        latest = json.loads(json.dumps(server.asked(path)["games"]))[0]
        assert (latest["id"], latest["title"], latest["names"]) == (
            end["game"],
            "Just now",
            ["Ida", "silly 2", "rash 3"],
        )
    assert end["ladder"] == {"uncounted": "alone", "unrated": []}
    table, key = server.table([PERSON, PERSON, bot()], title="In company")
    with server.tab(table, name="Ida", key=key) as ida, server.tab(table, name="Jo") as jo:
        assert play_both(ida, jo)["ladder"] == {"uncounted": None, "unrated": []}
    while server.get("/api/players/Ida")[0] == 404:
        pass
    last = json.loads(json.dumps(server.asked("/api/players/Ida")["last"]))
    assert last == [json.loads(json.dumps(server.asked("/api/games")["games"]))[0], latest]
    assert server.asked("/api/players/Ida")["games"] == 1


def test_two_people_of_one_name_are_told_apart_and_only_the_first_is_rated(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path)) as server:
        table, key = server.table([PERSON, PERSON, PERSON, bot()])
        with server.tab(table, name="Ann", key=key) as ann, server.tab(table, name="Ann") as other:
            other.hear("welcome")
            names = [place["name"] for place in json.loads(json.dumps(other.hear("room")["places"]))]
            assert names == ["Ann", "Ann 2", "", ""]
            with server.tab(table, name="Ben") as ben:
                end = play_both(ann, other, ben)
        assert end["ladder"] == {"uncounted": None, "unrated": [{"name": "Ann 2", "why": "namesake"}]}
        record = parsed(server.get(f"/api/games/{end['game']}/record")[1])
        assert record.names == ("Ann", "Ann 2", "Ben", "silly 4")
        assert {"seat": 2, "namesake of": "Ann"} in record.notes
        while server.get("/api/players/Ann")[0] == 404:
            pass
        rungs = json.loads(json.dumps(server.asked("/api/ladder")["ladder"]))
        assert {rung["identity"] for rung in rungs} == {"Ann", "Ben", "bot:silly"}


def test_games_that_cannot_be_read_are_a_sentence_and_tables_can_still_be_played_at(tmp_path: Path) -> None:
    [known] = keep(tmp_path, [game(["Ann", "Ben"], 1)])
    with serving("--data", str(tmp_path), failing="store") as server:
        assert server.get(f"/game/{known}")[0] == 200
        for file in tmp_path.glob(f"{FILE}*"):
            shutil.copy(file, tmp_path / f"{file.name}.kept")
            file.write_bytes(b"nothing of the kind" * 10_000)
        sentence = {"text": "The kept games cannot be read at the moment; try again later."}
        for path in ("/api/games", "/api/ladder", "/api/players/Ann", f"/api/games/{known}"):
            assert (server.get(path)[0], server.asked(path)) == (503, sentence)
        status, body, _ = server.get(f"/game/{known}")
        assert (status, b"<title>" in body) == (503, True)
        assert server.lobby()["games"] is None
        with server.tab(server.table([PERSON, bot(), bot()])[0], name="Ann") as ann:
            assert ann.play()["game"]
        assert server.complaint().startswith("wateringhole: the store fails: ")
        for file in tmp_path.glob(f"{FILE}*.kept"):
            shutil.copy(file, file.with_suffix(""))
