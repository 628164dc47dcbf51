"""A server that dies and starts anew with the same data: people find their table as it was."""

import json
import resource
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed

from tests.web.server import PATIENCE, PERSON, Line, Server, bot, play_both, serving
from wateringhole.agents.house import STAND_IN
from wateringhole.record import parsed, replay
from wateringhole.store.games import opened
from wateringhole.wire.framing import Json


class Table(NamedTuple):
    """A table with Ann, who is its host, and Ben; what she is asked, and the tokens of both."""

    id: str
    asked: dict[str, Json]
    tokens: list[Json]


def waiting(line: Line) -> dict[str, Json]:
    """The next thing that is asked of this tab."""
    while (message := line.hear())["type"] not in {"choose", "feed"}:
        pass
    return message


def follow_hint(line: Line, number: Json) -> None:
    line.say("hint", id=number)
    line.say("answer", id=number, answer=line.hear("hint")["answer"])


def play_until(line: Line, phase: str) -> dict[str, Json] | None:
    """Do what the hints say until this is asked; that request, or None when the game ends without it."""
    while (message := line.hear())["type"] not in {phase, "end"}:
        if message["type"] in {"choose", "feed"}:
            follow_hint(line, message["id"])
    return message if message["type"] == phase else None


@contextmanager
def interrupted(data: Path, phase: str, end: str) -> Iterator[tuple[Table, Server]]:
    """A game of two people and a bot that stood at this request of Ann's when its server died; and the next server."""
    while (found := _interrupted_game(data, phase, end)) is None:
        shutil.rmtree(data)  # in one of about 75 games Ann is never asked to feed
    with serving("--data", str(data)) as anew:
        yield found, anew


def _interrupted_game(data: Path, phase: str, end: str) -> Table | None:
    with serving("--data", str(data)) as server:
        table, key = server.table([PERSON, PERSON, bot("rash")], title="Sunday", time="none")
        with (
            server.tab(table, name="Ann", key=key) as ann,
            server.tab(table, name="Ben") as ben,
            ThreadPoolExecutor() as both,
        ):
            tokens = [line.hear("welcome")["token"] for line in (ann, ben)]
            both.submit(_play_on, ben)
            asked = play_until(ann, phase)
            if end == "kill":
                server.kill()
            else:
                server.process.terminate()
                assert server.process.wait(PATIENCE) == 0
    return None if asked is None else Table(table, asked, tokens)


def _play_on(line: Line) -> None:
    """Until the line breaks."""
    try:
        line.play()
    except ConnectionClosed:
        return


@pytest.mark.parametrize(("phase", "end"), [("feed", "kill"), ("choose", "terminate")])
def test_a_game_goes_on_where_it_stood_and_is_kept_once(tmp_path: Path, phase: str, end: str) -> None:
    with interrupted(tmp_path, phase, end) as (table, server):
        [running] = json.loads(json.dumps(server.lobby()["tables"]))
        assert (running["id"], running["title"], running["stage"]) == (table.id, "Sunday", "playing")
        with server.tab(table.id, token=table.tokens[0]) as ann, server.tab(table.id, token=table.tokens[1]) as ben:
            assert ann.hear("room")["host"] is True
            assert ben.hear("room")["host"] is False
            again = waiting(ann)
            asked = {name: value for name, value in table.asked.items() if name not in {"seconds", "showing"}}
            assert {name: again[name] for name in asked} == asked
            ann.say("hint", id=again["id"])
            over = play_both(ann, ben)
        known = str(over["game"])
        [game] = json.loads(json.dumps(server.asked("/api/games")["games"]))
        assert (game["id"], game["title"], game["names"]) == (known, "Sunday", ["Ann", "Ben", "rash 3"])
        record = parsed(server.get(f"/api/games/{known}/record")[1])
        assert replay(record).phase == "over"
        assert [note for note in record.notes if "played by" in note] == []
        assert server.asked(f"/api/games/{known}")["fair"] == {
            "sealed": next(note["sealed"] for note in record.notes if "sealed" in note),
            "seed": next(note["seed"] for note in record.notes if "seed" in note),
            "objection": None,
        }
    with opened(tmp_path) as store:
        assert [kept.id for kept in store.listed()] == [known]
        assert store.player("Ann").rating.games == 1
    assert list((tmp_path / "running").iterdir()) == []


class Survivors(NamedTuple):
    """A server that has started anew, and the tables that were there before, with the tokens of those who sat there."""

    server: Server
    tokens: dict[str, list[Json]]
    tables: dict[str, str]
    game: str


@pytest.fixture(scope="module")
def survivors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Survivors]:
    data = str(tmp_path_factory.mktemp("survivors"))
    tables: dict[str, str] = {}
    tokens: dict[str, list[Json]] = {}
    with ExitStack() as open_until_it_dies, serving("--data", data) as server:

        def sit(name: str, table: str, *people: str, key: Json = "", begun: bool = True) -> None:
            lines = [open_until_it_dies.enter_context(server.tab(table, name=one, key=key)) for one in people]
            tokens[name] = [line.hear("welcome")["token"] for line in lines]
            tables[name] = table
            for line in lines if begun else ():
                waiting(line)

        sit("open", server.table([PERSON, PERSON, bot()])[0], "Ann", begun=False)
        sit("lost", server.table([PERSON, bot(), bot()])[0], "Ann")
        waiting(open_until_it_dies.enter_context(server.tab(tables["lost"], token=tokens["lost"][0])))
        table, key = server.table([PERSON, bot(), bot()])
        with server.tab(table, name="Ann", key=key) as ann:
            game = str(ann.play()["game"])
        _, made = server.post(f"/api/games/{game}/fork", {"step": 4, "seat": 2})
        sit("forked", str(made["table"]), "Ben", key=made["key"])
        # The last one, because bots play it to its end when the time is over.
        sit("timed", server.table([PERSON, PERSON, bot()], time="15+0")[0], "Ann", "Ben")
        server.kill()
    with serving("--data", data) as anew:
        yield Survivors(anew, tokens, tables, game)


def test_who_does_not_come_back_is_played_for_and_the_record_says_so(survivors: Survivors) -> None:
    server = survivors.server
    with server.tab(survivors.tables["timed"], token=survivors.tokens["timed"][0]) as ann:
        over = ann.play()
    record = parsed(server.get(f"/api/games/{over['game']}/record")[1])
    assert 2 in [note["seat"] for note in record.notes if note.get("played by") == STAND_IN]
    assert all(row["fault"] is None for row in json.loads(json.dumps(over["ranking"])))


def test_the_host_can_still_call_the_stand_in_for_somebody_who_is_away(tmp_path: Path) -> None:
    """At a server of its own: Ben's seat waits for him for a minute from its start."""
    with interrupted(tmp_path, "choose", "kill") as (table, server):
        with server.tab(table.id, token=table.tokens[0]) as ann:
            places = json.loads(json.dumps(ann.hear("room")["places"]))
            assert [place["presence"] for place in places] == ["here", "away", "here"]
            ann.say("stand_in", seat=2)
            ann.play()
        with server.tab(table.id, token=table.tokens[1]) as ben:
            assert ben.hear("room")["you"] == 2


def test_the_token_before_the_last_is_good_if_the_last_was_lost_with_the_server(survivors: Survivors) -> None:
    server, table = survivors.server, survivors.tables["lost"]
    with server.tab(table, token="x" * 32) as thief:
        assert thief.hear()["type"] == "refused"
    with server.tab(table, token=survivors.tokens["lost"][0]) as ann:
        ann.play()


def test_a_game_that_was_played_on_from_another_goes_on_as_well(survivors: Survivors) -> None:
    server = survivors.server
    with server.tab(survivors.tables["forked"], token=survivors.tokens["forked"][0]) as ben:
        again = server.asked(f"/api/games/{ben.play()['game']}")
    before = server.asked(f"/api/games/{survivors.game}")
    steps, those = json.loads(json.dumps(again["steps"])), json.loads(json.dumps(before["steps"]))
    assert [step["reply"] for step in steps[:5]] == [step["reply"] for step in those[:5]]
    assert json.loads(json.dumps(again["fair"]))["sealed"] is None


def test_a_table_that_had_not_begun_is_gone(survivors: Survivors) -> None:
    token = survivors.tokens["open"][0]
    with pytest.raises(ConnectionClosed) as left, survivors.server.tab(survivors.tables["open"], token=token) as ann:
        ann.hear()
    assert left.value.rcvd is not None
    assert left.value.rcvd.code == 4404


# The disk.


def test_no_table_is_made_or_begun_that_could_not_be_kept_until_the_disk_works_again(tmp_path: Path) -> None:
    game_logs = tmp_path / "running"
    why = "No such file or directory"
    with serving("--data", str(tmp_path), failing="disk") as server:
        table, key = server.table([PERSON, PERSON, bot()])
        with server.tab(table, name="Ann", key=key) as ann, server.tab(table, watch=True) as eye:
            ann.hear("room")
            shutil.rmtree(game_logs)
            ann.say("begin")
            for line in (ann, eye):
                while not (room := line.hear("room"))["trouble"]:
                    pass
                assert room["trouble"] == {"kind": "unkept", "why": why, "count": 0}
                assert (room["stage"], room["game"]) == ("open", None)
            places = json.loads(json.dumps(room["places"]))
            assert [place["presence"] for place in places] == ["here", "empty", "empty"]
            refused = server.post("/api/tables", {"places": [PERSON, bot(), bot()]})
            assert refused == (503, {"text": f"No game can be kept: {why}."})
            ann.say("begin")
            while not ann.hear("room")["trouble"]:
                pass
            with server.tab(table, name="Ben") as ben:  # nobody is missing now, so it is tried again
                while not (room := ben.hear("room"))["trouble"]:
                    pass
                assert (room["you"], room["stage"]) == (2, "open")
                game_logs.mkdir()
                ann.say("begin")
                assert play_both(ann, ben)["game"]
        assert server.post("/api/tables", {"places": [PERSON, bot(), bot()]})[0] == 201


def test_a_game_that_may_not_go_on_without_a_disk_ends_with_the_reason(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path), "--on-disk-error", "stop", failing="disk") as server:
        table, key = server.table([PERSON, bot(), bot()])
        with server.tab(table, name="Ann", key=key) as ann:
            asked = waiting(ann)
            _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
            follow_hint(ann, asked["id"])
            while (room := ann.hear("room"))["stage"] != "over" or not room["trouble"]:
                pass
            assert room["trouble"] == {"kind": "stopped", "why": "File too large", "count": 0}
            status, said = server.post("/api/tables", {"places": [PERSON, bot(), bot()]})
            assert (status, said["text"]) == (503, "No game can be kept: File too large.")
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, most))
        assert server.post("/api/tables", {"places": [PERSON, bot(), bot()]})[0] == 201
