"""A tab's line: how a person sits down, plays, leaves and comes back."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.cases import case
from tests.web.server import CLIENT, PATIENCE, PERSON, Line, Server, bot, play_both, serving
from wateringhole.record import parsed, read, replay
from wateringhole.wire.framing import Json


def until_asked(line: Line) -> Iterator[dict[str, Json]]:
    """All that this tab hears, up to the next thing that it is asked."""
    while True:
        message = line.hear()
        yield message
        if message["type"] in {"choose", "feed"}:
            return


def waiting(line: Line) -> dict[str, Json]:
    """The next thing that is asked of this tab."""
    return [*until_asked(line)][-1]


@contextmanager
def connecting(server: Server, *words: str, number: int = 1) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """So many programs that sign up at the server, with these words of the command; none of them is left behind."""
    agent, *options = words
    command = [sys.executable, "-m", "wateringhole", "connect", agent, f"tcp:127.0.0.1:{server.programs}", *options]
    with ExitStack() as stack:
        programs = []
        for _ in range(number):
            program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            programs.append(stack.enter_context(program))
            stack.callback(program.kill)
        yield programs


def test_a_person_plays_a_whole_game_against_bots_and_it_is_kept(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot(), bot("rash")], title="Sunday")
    with server.tab(table, name="Ann", key=key) as tab:
        end = tab.play()
    status, data, _ = server.get(f"/api/games/{end['game']}")
    game = json.loads(data)
    assert (status, game["names"]) == (200, ["Ann", "silly 2", "silly 3", "rash 4"])
    assert game["ranking"] == end["ranking"]
    assert game["turns"] == end["turns"]
    listed = server.lobby()["games"]
    assert isinstance(listed, list)
    assert end["game"] in [kept["id"] for kept in listed if isinstance(kept, dict)]


def test_a_private_game_is_in_no_list_but_can_be_seen_by_its_link(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()], private=True)
    assert table not in json.dumps(server.lobby())
    with server.tab(table, name="Ann", key=key) as tab:
        end = tab.play()
    assert str(end["game"]) not in json.dumps(server.lobby())
    assert server.get(f"/game/{end['game']}")[0] == 200


def test_an_illegal_move_gets_its_reason_and_the_request_stays_open(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as tab:
        asked = waiting(tab)
        tab.say("answer", id=asked["id"], answer={"move": "play", "food": 1, "body": [{"board": 0, "card": 1}]})
        assert tab.hear("objection") == {
            "type": "objection",
            "id": asked["id"],
            "rule": "cardplay.once",
            "text": "This plays card 1 twice.",
        }
        tab.say("answer", id=asked["id"], answer={"move": "decline"})
        assert tab.hear("objection")["rule"] == "cardplay.shape"
        tab.say("answer", id=asked["id"], answer={"move": "play", "food": 1})
        assert tab.hear("done")["id"] == asked["id"]
        tab.say("answer", id=asked["id"], answer={"move": "play", "food": 1})
        assert tab.hear("objection")["text"] == f"Request {asked['id']} is not open any more."


def test_a_plan_is_judged_with_its_preview_and_the_spots_for_a_card(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as tab:
        heard = json.loads(json.dumps([*until_asked(tab)]))
        hands = [message["me"] if message["type"] == "snapshot" else message for message in heard]
        traits = [trait for _, trait in [said["hand"] for said in hands if said.get("hand")][-1]]
        draft: Json = {"food": None, "boards": [{"pay": 0, "traits": [1]}]}
        tab.say("check", plan=draft, card=2, ref=7)
        answer = tab.hear("checked")
        assert (answer["ref"], answer["rule"]) == (7, None)
        boards, spots = answer["boards"], answer["places"]
        assert isinstance(boards, list)
        assert len(boards) == 2
        assert isinstance(spots, list)
        verdicts = {
            " ".join(str(spot[part]) for part in ("use", "board", "slot") if part in spot): spot["rule"]
            for spot in spots
            if isinstance(spot, dict)
        }
        assert verdicts == {
            "food": None,
            "board": None,
            "population 0": None,
            "body 0": None,
            "trait 0 0": "cardplay.slots",
            "population 1": None,
            "body 1": None,
            "new-trait 1": "cardplay.new-traits" if traits[1] == traits[2] else None,
            "trait 1 0": None,
            "trait 1 1": "cardplay.slots",
        }
        every: Json = {"food": None, "boards": [{"pay": 0, "traits": [1]}], "body": [{"board": 0, "card": 2}]}
        tab.say("check", plan=every, card=3, ref=8)
        answer = tab.hear("checked")
        assert answer["rule"] is None
        refused = [spot["text"] for spot in json.loads(json.dumps(answer["places"])) if spot["use"] == "board"]
        assert refused == ["This leaves no card for the watering hole."]


def test_who_comes_back_with_the_token_is_asked_again_and_gets_a_new_one(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as tab:
        token = tab.hear("welcome")["token"]
        me = tab.hear("snapshot")["me"]
        asked = waiting(tab)
    with server.tab(table, token=token) as tab:
        newer = tab.hear("welcome")["token"]
        assert newer != token
        assert tab.hear("snapshot")["me"] == me
        again = waiting(tab)
        assert again["id"] == asked["id"]
        tab.say("seen")
        tab.say("hint", id=asked["id"])
        tab.hear("hint")
    with server.tab(table, token=token) as tab:
        assert tab.hear()["type"] == "refused"
    with server.tab(table, token=newer) as tab:
        tab.play()


def test_the_old_token_is_good_until_the_new_one_has_arrived(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as tab:
        token = tab.hear("welcome")["token"]
        waiting(tab)
    with server.tab(table, token=token):
        pass  # and the new one was lost on the way
    with server.tab(table, token=token) as tab:
        tab.play()


def test_however_often_a_new_token_is_lost_the_old_one_leads_back_and_those_do_not(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as tab:
        token = tab.hear("welcome")["token"]
        waiting(tab)
    lost = []
    for _ in range(4):
        with server.tab(table, token=token) as tab:
            lost.append(tab.hear("welcome")["token"])
    for other in lost[:-1]:
        with server.tab(table, token=other) as thief:
            assert thief.hear()["type"] == "refused"
    with server.tab(table, token=token) as tab:
        tab.play()


def test_nonsense_does_not_cost_a_seat(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as tab:
        token = tab.hear("welcome")["token"]
        asked = waiting(tab)
        tab.say("answer", id=asked["id"], answer={"move": "store", "board": 0, "tokens": 1.5})
        assert "tokens" in str(tab.hear("refused")["text"])
    with server.tab(table, token=token) as tab:
        tab.play()


def test_a_program_sits_down_where_somebody_waits_for_it_and_nowhere_else(server: Server) -> None:
    server.table([PERSON, CLIENT, CLIENT])  # and nobody comes
    table, key = server.table([PERSON, CLIENT, bot()])
    with server.tab(table, name="Ann", key=key) as tab, connecting(server, "silly") as [program]:
        tab.play()
        assert program.wait(PATIENCE) == 0


def test_who_begins_alone_has_all_the_time_there_is(server: Server) -> None:
    table, key = server.table([PERSON, PERSON, PERSON])
    with server.tab(table, name="Ann", key=key) as tab:
        tab.say("begin")
        assert waiting(tab)["seconds"] is None


def test_a_player_cannot_send_another_who_is_there_to_rest(server: Server) -> None:
    table, key = server.table([PERSON, PERSON, bot()])
    with server.tab(table, name="Ann", key=key) as ann, server.tab(table, name="Ben") as ben:
        waiting(ann)
        waiting(ben)
        ben.say("stand_in", seat=1)
        ben.say("hint", id=99)
        ben.hear("objection")  # so the other has been heard, too
        ann.say("hint", id=1)
        ann.hear("hint")


def test_while_the_host_is_away_a_player_can_send_only_those_who_are_away_to_rest(server: Server) -> None:
    table, key = server.table([PERSON, PERSON, PERSON])
    with server.tab(table, name="Ben") as ben, server.tab(table, name="Cal") as cal:
        with server.tab(table, name="Ann", key=key):
            waiting(ben)
            waiting(cal)
        while _presence(ben, 3) != "away":
            pass
        ben.say("stand_in", seat=2)
        ben.say("hint", id=99)
        ben.hear("objection")  # so the other has been heard, too
        cal.say("hint", id=1)
        cal.hear("hint")
        ben.say("stand_in", seat=3)
        assert _presence(ben, 3) == "stand-in"


def test_a_second_tab_takes_the_seat_over_and_the_first_is_told(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as first:
        token = first.hear("welcome")["token"]
        waiting(first)
        with server.tab(table, token=token) as second:
            asked = waiting(second)
            with pytest.raises(ConnectionClosed) as closed:
                first.hear("that is never said")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4001
            second.say("hint", id=asked["id"])
            second.play()


def test_two_people_two_bots_and_a_program_play_at_one_table(server: Server) -> None:
    table, key = server.table([PERSON, PERSON, CLIENT, bot(), bot("rash")])
    with server.tab(table, name="Ann", key=key) as ann, server.tab(table, name="Ben") as ben:
        room = ben.hear("room")
        assert (room["stage"], room["host"]) == ("open", False)
        with connecting(server, "silly", "--dialect", "s16", "--name", "Robo") as [program]:
            for tab in (ann, ben):
                asked = waiting(tab)
                tab.say("answer", id=asked["id"], answer={"move": "play", "food": 0})
            ends = _both(ann, ben)
            assert program.wait(PATIENCE) == 0
    assert ends[0] == ends[1]
    rows = json.loads(json.dumps(ends[0]["ranking"]))
    assert sorted(row["name"] for row in rows) == ["Ann", "Ben", "Robo", "rash 5", "silly 4"]
    assert all(row["fault"] is None for row in rows)


def _both(*tabs: Line) -> list[dict[str, Json]]:
    """Play on at all of these tabs; their ends."""
    ends: dict[Line, dict[str, Json]] = {}
    while len(ends) < len(tabs):
        for tab in tabs:
            if tab in ends:
                continue
            try:
                text = tab.socket.recv(0.02)
            except TimeoutError:
                continue
            message = json.loads(text)
            if message["type"] in {"choose", "feed"}:
                tab.say("hint", id=message["id"])
            elif message["type"] == "hint":
                tab.say("answer", id=message["id"], answer=message["answer"])
            elif message["type"] == "end":
                ends[tab] = message
    return [ends[tab] for tab in tabs]


def test_the_host_begins_before_all_have_come_and_bots_take_the_empty_places(server: Server) -> None:
    table, key = server.table([PERSON, PERSON, PERSON])
    with server.tab(table, name="Ann", key=key) as tab:
        assert tab.hear("room")["stage"] == "open"
        tab.say("begin")
        while (room := tab.hear("room"))["stage"] == "open":
            pass
        assert [place["kind"] for place in json.loads(json.dumps(room["places"]))] == ["person", "bot", "bot"]
        tab.play()


def test_only_the_host_begins_while_the_host_is_there(server: Server) -> None:
    table, key = server.table([PERSON, PERSON, PERSON])
    with server.tab(table, name="Ann", key=key) as ann, server.tab(table, name="Ben") as ben:
        ann.hear("room")
        ben.say("begin")
        ben.say("hint", id=99)
        ben.hear("objection")  # so the other has been heard, too
        with server.tab(table, watch=True) as eye:
            assert eye.hear("room")["stage"] == "open"


def test_the_host_lets_a_bot_play_for_somebody_who_may_take_the_seat_back(server: Server) -> None:
    table, key = server.table([PERSON, PERSON, bot()])
    with server.tab(table, name="Ann", key=key) as ann, server.tab(table, name="Ben") as ben:
        waiting(ann)
        waiting(ben)
        ann.say("stand_in", seat=2)
        assert _presence(ben, 2) == "stand-in"
        assert ben.hear("done")["id"] == 1
        ben.say("back")
        assert _presence(ben, 2) == "here"
        ann.say("stand_in", seat=1)
        assert waiting(ben)["id"] == 2


def _presence(tab: Line, seat: int) -> Json:
    room = json.loads(json.dumps(tab.hear("room")))
    presence: Json = room["places"][seat - 1]["presence"]
    return presence


def test_out_of_time_a_bot_plays_and_nobody_is_expelled(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()], time="1+0")
    with server.tab(table, name="Ann", key=key) as tab:
        waiting(tab)
        end = tab.hear("end")
    assert [row["fault"] for row in json.loads(json.dumps(end["ranking"]))] == [None, None, None]


def test_the_record_tells_who_really_played(tmp_path: Path) -> None:
    with serving(records=tmp_path) as server:
        table, key = server.table([PERSON, bot(), bot()], time="1+0")
        with server.tab(table, name="Ann", key=key) as tab:
            tab.hear("end")
    [path] = tmp_path.iterdir()
    assert {"seat": 1, "played by": "greedy", "after reply": 0} in read(path).notes


def test_finished_games_of_a_folder_are_in_the_archive_and_none_is_written_over(tmp_path: Path) -> None:
    ids = []
    for _ in range(2):
        with serving("--seed", "7", records=tmp_path) as server:
            table, key = server.table([PERSON, bot(), bot()])
            with server.tab(table, name="Ann", key=key) as tab:
                ids.append(tab.play()["game"])
            kept = json.loads(json.dumps(server.lobby()["games"]))
            assert [game["id"] for game in kept] == ids[::-1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game-1.jsonl", "game-2.jsonl"]


def test_a_table_of_programs_tells_the_time_that_the_operator_gave_them() -> None:
    for time in ("1200.5+0.125", "none"):
        with (
            case(time),
            serving("--time", time, "--fill", "silly", "--wait", "0", "--grace", "0") as server,
            socket.create_connection(("127.0.0.1", server.programs), PATIENCE) as silent,
        ):
            silent.sendall(b'"silent"')
            assert silent.recv(1)  # what it is asked; it keeps its table waiting
            [table] = json.loads(json.dumps(server.lobby()["tables"]))
            with server.tab(table["id"], watch=True) as tab:
                assert (table["time"], tab.hear("room")["time"]) == (time, time)


def test_a_game_of_programs_can_be_watched(server: Server) -> None:
    before = {game["id"] for game in json.loads(json.dumps(server.lobby()["games"]))}
    with connecting(server, "rash", number=3) as programs:
        assert [program.wait(PATIENCE) for program in programs] == [0, 0, 0]
    games: list[dict[str, Json]] = []
    while not games:  # those of other tests, whose tables play on, may come meanwhile
        listed = json.loads(json.dumps(server.lobby()["games"]))
        games = [game for game in listed if game["id"] not in before and game["names"] == ["rash", "rash", "rash"]]
    assert len(games) == 1


def _room(tab: Line, **wanted: Json) -> dict[str, Json]:
    """The next room message with these values."""
    while True:
        room = tab.hear("room")
        if all(room[key] == value for key, value in wanted.items()):
            return room


def test_who_plays_again_alone_is_led_to_the_new_game_one_seat_up(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot("rash")], title="Again")
    with server.tab(table, name="Ann", key=key) as tab, server.tab(table, watch=True) as eye:
        tab.play()
        tab.say("rematch")
        new = tab.hear("new_table")
        _room(eye, next=new["table"], ready=[1])
    with server.tab(str(new["table"]), token=new["token"]) as tab:
        room = _room(tab, stage="playing")
        assert (room["title"], room["you"], room["host"]) == ("Again", 3, True)
        assert [place["name"] for place in json.loads(json.dumps(room["places"]))] == ["silly 1", "rash 2", "Ann"]
        tab.play()


def test_people_play_again_at_the_same_table_and_bots_play_for_those_who_do_not(server: Server) -> None:
    table, key = server.table([PERSON, PERSON, PERSON, bot("rash")])
    with (
        server.tab(table, name="Ann", key=key) as ann,
        server.tab(table, name="Ann") as second,
        server.tab(table, name="Cleo") as cleo,
    ):
        token = second.hear("welcome")["token"]
        play_both(ann, second, cleo)
        second.say("rematch")
        assert _room(ann, ready=[2])["undecided"] == [1, 3]
        cleo.say("begin")  # who does not want another game cannot begin it
        ann.say("rematch")
        assert _room(cleo, ready=[2, 1], undecided=[3])["next"] is None
        second.say("begin")
        anns = ann.hear("new_table")
        seconds = second.hear("new_table")
        assert anns["table"] == seconds["table"] == _room(cleo, undecided=[3], ready=[2, 1], next=anns["table"])["next"]
    # A page that was away in that moment is led there when it comes back.
    with server.tab(table, token=token) as second:
        seconds = second.hear("new_table")
    with (
        server.tab(str(anns["table"]), token=anns["token"]) as ann,
        server.tab(str(seconds["table"]), token=seconds["token"]) as second,
    ):
        room = _room(ann, stage="playing")
        names = [place["name"] for place in json.loads(json.dumps(room["places"]))]
        assert (names, room["you"]) == (["Ann 2", "normal 2", "rash 3", "Ann"], 4)
        play_both(ann, second)
        # All who are here want to: nothing more is needed, and the other one begins.
        ann.say("rematch")
        _room(second, ready=[4])
        second.say("rematch")
        assert ann.hear("new_table")["table"] == second.hear("new_table")["table"]


def test_a_table_with_a_program_waits_for_it_again_and_for_no_one_else(server: Server) -> None:
    table, key = server.table([PERSON, CLIENT, PERSON])
    with (
        server.tab(table, name="Ann", key=key) as ann,
        server.tab(table, name="Ben") as ben,
        connecting(server, "silly") as [program],
    ):
        play_both(ann, ben)
        assert program.wait(PATIENCE) == 0
        ann.say("rematch")
        assert _room(ann, ready=[1])["undecided"] == [3]
        ann.say("begin")
        new = ann.hear("new_table")
    with server.tab(str(new["table"]), token=new["token"]) as ann:
        room = ann.hear("room")
        places = json.loads(json.dumps(room["places"]))
        assert (room["stage"], [place["kind"] for place in places]) == ("open", ["client", "bot", "person"])
        with connecting(server, "silly") as [program]:
            ann.play()
            assert program.wait(PATIENCE) == 0


def test_a_game_is_played_on_from_any_step_on_any_seat(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as tab:
        end = tab.play()
    game = end["game"]
    steps = json.loads(server.get(f"/api/games/{game}")[1])["steps"]
    step = len(steps) // 2
    state = replay(parsed(server.get(f"/api/games/{game}/record")[1]), steps=step)
    german = {"Origin": server.base, "X-Wateringhole": "1", "Content-Type": "application/json", "Accept-Language": "de"}
    status, made = server.post(f"/api/games/{game}/fork", {"step": step, "seat": 2}, german)
    assert status == 201
    with server.tab(str(made["table"]), name="Ben", key=made["key"]) as tab:
        assert tab.hear("room")["title"] == "Weitergespielt"
        shown = tab.hear("snapshot")
        assert (shown["turn"], shown["watering_hole"]) == (state.turn, state.watering_hole)
        forked = tab.play()["game"]
    again = json.loads(server.get(f"/api/games/{forked}")[1])
    assert again["names"] == ["normal 1", "Ben", "normal 3"]
    assert again["steps"][: step + 1] == steps[: step + 1]


@pytest.mark.parametrize(
    ("step", "seat", "text"),
    [(-1, 1, "step -1 is not one from 0 to"), (10_000, 1, "step 10000 is not"), (0, 4, "seat 4 is not at the table")],
)
def test_a_fork_that_cannot_be_is_refused_with_a_sentence(server: Server, step: int, seat: int, text: str) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as tab:
        game = tab.play()["game"]
    status, refused = server.post(f"/api/games/{game}/fork", {"step": step, "seat": seat})
    assert (status, text in str(refused["text"])) == (400, True)


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ({"places": [PERSON, bot()]}, "2 places, but a game takes 3 to 8."),
        ({"places": [bot(), bot(), bot()]}, "That would be a table of bots alone; leave a place for a person."),
        ({"places": [PERSON, bot("bad:hang"), bot()]}, 'no bot "bad:hang"; there are easy, normal, hard, '),
        ({"places": [PERSON, bot("cmd:ls"), bot()]}, 'no bot "cmd:ls"; there are easy, normal, hard, '),
        ({"places": [PERSON, bot(), bot()], "pace": 60}, "the pace 60.0 is not one from 0 to 5.0 seconds."),
        ({"places": [PERSON, bot(), bot()], "time": "9999"}, "the time control 9999 is outside 1 to 3600 seconds."),
        (
            {"places": [{"kind": "ghost"}, bot(), bot()]},
            "This is not a message of the page: Invalid enum value 'ghost'",
        ),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_a_sentence(server: Server, wanted: Json, text: str) -> None:
    status, refused = server.post("/api/tables", wanted)
    assert status == 400
    assert str(refused["text"]).startswith(text)


def test_a_full_table_can_only_be_watched(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as ann:
        waiting(ann)
        with server.tab(table, name="Ben") as ben:
            assert ben.hear() == {"type": "refused", "text": "No place is free any more."}
        with server.tab(table, watch=True) as eye:
            eye.hear("snapshot")
            eye.say("hint", id=1)
            assert eye.hear("refused")["text"] == "Spectators cannot send messages."


def test_a_spectator_hears_of_the_end_behind_the_last_events(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()], private=True)
    with server.tab(table, watch=True) as eye, server.tab(table, name="Ann", key=key) as ann:
        ann.play()
        eye.hear("end")
        told = [json.loads(text) for text in eye.heard]
        *_, last = [message for message in told if message["type"] in {"snapshot", "events"}]
        assert last["events"][-1]["type"] == "GameOver"


def test_programs_end_their_game_when_the_server_is_told_to_stop() -> None:
    with ExitStack() as stack:
        with serving("--gap", "500") as server:
            programs = stack.enter_context(connecting(server, "silly", number=3))
            while not server.lobby()["tables"]:
                assert all(program.poll() is None for program in programs)
        for program in programs:
            _, said = program.communicate(timeout=PATIENCE)
            assert (program.returncode, said) == (0, b"")
