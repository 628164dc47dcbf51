"""Seats before and beside the game: which are still one's own, which the host gives away, the QR code to them."""

import pytest
from websockets.exceptions import ConnectionClosed

from tests.cases import case
from tests.web.server import CLIENT, PERSON, Line, Server, bot
from wateringhole.wire.framing import Json


def held(server: Server, *claims: tuple[str, str]) -> list[dict[str, Json]]:
    """Which of these seats the server knows, by table and token."""
    status, said = server.post("/api/seats", {"seats": [{"table": table, "token": token} for table, token in claims]})
    assert status == 200
    assert isinstance(said["seats"], list)
    return [seat for seat in said["seats"] if isinstance(seat, dict)]


def places(line: Line, wanted: list[tuple[str, str]]) -> None:
    """Wait until the room has these places, by kind and bot."""
    while True:
        found = line.hear("room")["places"]
        assert isinstance(found, list)
        if [(place["kind"], place["bot"]) for place in found if isinstance(place, dict)] == wanted:
            return


def test_only_the_token_of_a_seat_finds_its_game_again(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()], title="Mine", private=True)
    with server.tab(table, name="Ann", key=key) as tab:
        token = str(tab.hear("welcome")["token"])
        tab.hear("choose")
        [seat] = held(server, (table, token), (table, "wrong"), (table, ""), ("nowhere", token))
        assert (seat["id"], seat["title"], seat["stage"]) == (table, "Mine", "playing")
        assert (seat["you"], seat["asked"]) == (1, True)
        assert "hand" not in str(seat)
    [seat] = held(server, (table, token))
    assert seat["asked"] is True
    with server.tab(table, token=token) as tab:
        newer = str(tab.hear("welcome")["token"])
        tab.say("seen")
        tab.play()
        assert held(server, (table, token)) == []
        [seat] = held(server, (table, newer))
        assert seat["stage"] == "over"


def test_bad_claims_are_refused(server: Server) -> None:
    claim: Json = {"table": "x", "token": "y"}
    shapes: list[Json] = [1, [{"table": "x"}], [claim] * 101]
    values: list[Json] = [{}, {"seats": [], "x": 1}, *({"seats": shape} for shape in shapes)]
    for value in values:
        with case(str(value)[:60]):
            status, said = server.post("/api/seats", value)
            assert status == 400
            assert said["text"]
    assert server.post("/api/seats", {"seats": []}, {"Content-Type": "application/json"})[0] == 403
    assert server.get("/api/seats")[0] == 405


def test_the_host_gives_free_seats_to_bots_and_back(server: Server) -> None:
    table, key = server.table([PERSON, PERSON, CLIENT, bot("easy")])
    with server.tab(table, name="Ann", key=key) as host:
        host.say("change", seat=4, chair={"kind": "bot", "bot": "hard"})
        places(host, [("person", ""), ("person", ""), ("client", ""), ("bot", "hard")])
        host.say("change", seat=3, chair={"kind": "bot", "bot": "normal"})
        places(host, [("person", ""), ("person", ""), ("bot", "normal"), ("bot", "hard")])
        host.say("change", seat=3, chair={"kind": "person"})
        places(host, [("person", ""), ("person", ""), ("person", ""), ("bot", "hard")])
        with server.tab(table, name="Bob") as second:
            second.hear("welcome")
            # None of these changes anything: not the host, a taken seat, no seat, no bot, no place for a new program.
            second.say("change", seat=3, chair={"kind": "bot", "bot": "easy"})
            second.say("hint", id=0)
            second.hear("objection")
            idle: list[tuple[int, Json]] = [(2, bot("easy")), (9, bot("easy")), (3, bot("unknown")), (3, CLIENT)]
            for seat, chair in idle:
                host.say("change", seat=seat, chair=chair)
            host.say("change", seat=4, chair={"kind": "bot", "bot": "easy"})
            places(host, [("person", ""), ("person", ""), ("person", ""), ("bot", "easy")])
            host.say("change", seat=3, chair={"kind": "bot", "bot": "easy"})  # the last one: the game begins
            host.hear("choose")
            second.hear("choose")
            host.say("change", seat=3, chair={"kind": "person"})
            host.say("leave")
            host.say("hint", id=1)
            host.hear("hint")


def test_a_player_leaves_the_waiting_room_and_the_seat_is_free_at_once(server: Server) -> None:
    table, key = server.table([PERSON, PERSON, bot()])
    with server.tab(table, name="Ann", key=key) as host:
        token = str(host.hear("welcome")["token"])
        host.say("leave")
        with pytest.raises(ConnectionClosed) as closed:
            host.hear("nothing more")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4003
    assert held(server, (table, token)) == []
    with server.tab(table, token=token) as back:
        assert back.hear()["type"] == "refused"
    with server.tab(table, name="Bob") as bob:
        room = bob.hear("room")
        assert (room["you"], room["host"]) == (1, True)


def test_the_qr_code_of_a_table_is_a_picture_of_its_link(server: Server) -> None:
    table, _ = server.table([PERSON, PERSON, bot()])
    status, plain, headers = server.get(f"/table/{table}/qr.svg")
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert plain.startswith(b"<svg")
    assert b"script" not in plain
    assert server.get(f"/table/{table}/qr.svg?tls")[1] != plain
    assert server.get(f"/table/{table}/qr.svg?anything=http://elsewhere")[1] == plain
    assert server.get("/table/nowhere/qr.svg")[0] == 404
    assert server.get(f"/table/{table}/qr.svg", {"Host": "elsewhere.example"})[0] == 403
