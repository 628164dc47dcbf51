"""What strangers, spectators and other people's pages must not learn or do.

What floods and breaks lines is in test_floods.py.
"""

import asyncio
import hashlib
import json
import re
import signal
from itertools import product
from pathlib import Path
from random import Random

import pytest
from starlette.types import Message
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed

from tests.cases import case
from tests.server.strangers import run
from tests.web.raw import answered, at, connected, handshake, own, request
from tests.web.server import PERSON, Line, Server, bot, play_both, serving
from tests.wire.test_secrecy import moments, reshuffled, tables
from wateringhole.agents.house import STAND_IN
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.events import Revealed
from wateringhole.game import Game
from wateringhole.record import Note, Record, Result, parsed, replay, text
from wateringhole.server.participants import Participant
from wateringhole.store.finished_game import PRIVATE
from wateringhole.table import play
from wateringhole.web.middleware import HEADERS, MAX_BODY_BYTES
from wateringhole.web.page_messages import Chair
from wateringhole.web.room import Room
from wateringhole.web.room_seats import TablePlan
from wateringhole.web.tab import Tab
from wateringhole.wire.framing import Json

SEED = "a-seed-that-nobody-may-guess"
PAGES = (
    "/",
    "/rules",
    "/games",
    "/ladder",
    "/tournaments",
    "/favicon.ico",
    "/static/table/table.js",
)
MISSING = ("/game/", "/api/games/", "/player/", "/api/players/", "/tournament/")
LISTS = ("/api/lobby", "/api/games", "/api/games?player=Ann", "/api/ladder", "/api/tournaments")
OF_A_TABLE = ("/table/{}", "/table/{}?watch")
OF_A_GAME = ("/game/{}", "/api/games/{}", "/api/games/{}/record", "/api/games/{}/page")
SECRET_WORDS = ('"hand"', '"bag"', '"token"', '"key"', '"seed"', '"replies"', '"deck":[')
FACE = re.compile(r'\[\s*-?\d+\s*,\s*"[a-z-]+"\s*\]')


def waiting(line: Line) -> dict[str, Json]:
    """The next thing that is asked of this tab."""
    while (message := line.hear())["type"] not in {"choose", "feed"}:
        pass
    return message


def code(line: Line) -> int | None:
    """The code that this line is closed with, which it must be."""
    try:
        while True:
            line.hear()
    except ConnectionClosed as left:
        return None if left.rcvd is None else left.rcvd.code


@pytest.fixture(scope="module")
def finished(server: Server) -> str:
    """The id of a game that is over."""
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as tab:
        return str(tab.play()["game"])


# What spectators and strangers learn (T32).


class Stranger:
    """Somebody with the address of a table, who asks for everything there is; `heard` is all that came back."""

    def __init__(self, server: Server, table: str) -> None:
        self.heard: list[str] = []
        self._server = server
        self._table = table
        self._pages: dict[str, tuple[bytes, dict[str, str]]] = {}

    def look_around(self) -> None:
        paths = [
            *PAGES[:-1],
            *LISTS,
            "/api/players/Ann",
            "/player/Ann",
            "/tournament/x",
            *(path.format(self._table) for path in OF_A_TABLE + OF_A_GAME),
        ]
        for path in paths:
            status, body, headers = self._server.get(path)
            assert status == (404 if path.startswith(MISSING) else 200), path
            if headers["content-type"].startswith("application/json"):
                self.heard.append(f"{headers} {body.decode()}")
            else:
                assert self._pages.setdefault(path, (body, headers)) == (body, headers), "a page knows of no game"
        status, refusal = self._server.post(f"/api/games/{self._table}/fork", {"step": 0, "seat": 1})
        assert status == 404
        self.heard.append(str(refusal))

    def be_refused(self) -> None:
        for first in ({"token": "x"}, {"name": "Eve"}, {"watch": True, "hand": 1}, {"name": ["Eve"]}):
            with self._server.tab(self._table, **first) as line:
                assert code(line) == 4003
            self.heard += line.heard
        with self._server.tab(self._table, watch=True) as line:
            line.say("hint", id=1)
            assert code(line) == 4002
        self.heard += line.heard


def test_nothing_hidden_reaches_a_spectator_or_a_stranger_while_a_game_runs() -> None:
    with serving("--seed", SEED) as server:
        table, key = server.table([PERSON, bot(), bot("rash")])
        stranger = Stranger(server, table)
        stranger.look_around()
        with server.tab(table, watch=True) as watcher, server.tab(table, name="Ann", key=key) as ann:
            secrets, chosen = [key, str(ann.hear("welcome")["token"]), SEED], 0
            while (message := ann.hear())["type"] != "end":
                if message["type"] in {"choose", "feed"}:
                    stranger.look_around()
                    while _events_told(watcher) < _events_told(ann):
                        watcher.hear()
                    ann.say("hint", id=message["id"])
                elif message["type"] == "hint":
                    ann.say("answer", id=message["id"], answer=message["answer"])
                chosen += message["type"] == "choose"
                if message["type"] == "choose" and chosen == 2:
                    stranger.be_refused()
            watched = list(watcher.heard)
            watcher.hear("end")
        record = parsed(server.get(f"/api/games/{message['game']}/record")[1])
        overheard = "\n".join([*stranger.heard, *watched])
        assert [word for word in [*SECRET_WORDS, *secrets] if word in overheard] == []
        revealed = _foods_revealed(record)
        assert set(FACE.findall(overheard)) <= {f'[{food},"{trait}"]' for food, trait in revealed}
        assert "end.score" not in overheard
        assert _foods_told(watched) == revealed[: len(_foods_told(watched))] != []
        # The same look finds all of it once the game is over.
        shown = "\n".join(server.get(path.format(message["game"]))[1].decode() for path in OF_A_GAME[1:])
        assert all(word in shown for word in ('"hand"', '"bag"', '"deck":['))
        assert {f'[{card.food},"{card.trait.value}"]' for card in record.deck} <= set(FACE.findall(shown))
        assert [secret for secret in secrets if secret in shown] == []


def test_nobody_learns_a_secret_seed_while_its_game_runs_and_everybody_when_it_is_over(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path)) as server:
        table, key = server.table([PERSON, bot(), bot()])
        stranger = Stranger(server, table)
        with server.tab(table, watch=True) as watcher, server.tab(table, name="Ann", key=key) as ann:
            asked = waiting(ann)
            [game_log] = (tmp_path / "running").iterdir()
            [seed] = re.findall(r'"seed":"([0-9a-f]{32})"', game_log.read_bytes().decode(errors="replace"))
            seal = hashlib.sha256(seed.encode()).hexdigest()
            stranger.look_around()
            stranger.be_refused()
            ann.say("hint", id=asked["id"])
            while (message := ann.hear())["type"] != "end":
                if message["type"] in {"choose", "feed"}:
                    ann.say("hint", id=message["id"])
                    stranger.look_around()
                elif message["type"] == "hint":
                    ann.say("answer", id=message["id"], answer=message["answer"])
                elif message["type"] == "room" and message["stage"] == "playing":
                    assert message["seal"] in {seal, None}
            watcher.hear("end")
        assert any(seal in text for text in ann.heard)
        assert any(seal in text for text in watcher.heard), "who looks on can write it down as well"
        assert [text for text in (*stranger.heard, *watcher.heard, *ann.heard) if seed in text] == []
        known = message["game"]
        shown = {"sealed": seal, "seed": seed, "objection": None}
        assert server.asked(f"/api/games/{known}")["fair"] == shown
        assert seed in server.get(f"/api/games/{known}/page")[1].decode()


def _events_told(line: Line) -> int:
    """How many events this tab was told."""
    return sum(len(json.loads(text).get("events", ())) for text in line.heard)


def _foods_told(heard: list[str]) -> list[tuple[int, str]]:
    """The food cards that the events name."""
    events = [event for message in map(json.loads, heard) for event in message.get("events", ())]
    return [(food, trait) for event in events if event["type"] == "Revealed" for food, trait in [event["food"]]]


def _foods_revealed(record: Record) -> list[tuple[int, str]]:
    """The food cards that lay open in the course of this game."""
    told = replay(record, listen=True).told
    assert told is not None
    return [(event.food.food, event.food.trait.value) for event in told if isinstance(event, Revealed)]


class Eye:
    """A tab that writes down what it is shown."""

    def __init__(self) -> None:
        self.shown: list[dict[str, Json]] = []
        self._socket = WebSocket({"type": "websocket"}, self._receive, self._send)
        self.tab = Tab(self._socket)

    async def look(self) -> None:
        """Until all that there is to see has been seen."""
        await self._socket.accept()
        self.tab.shut(1000)
        await self.tab.write()

    async def _receive(self) -> Message:
        return {"type": "websocket.connect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "websocket.send":
            self.shown.append(json.loads(message["text"]))


class Window:
    """One room with places for eight, into which any state of a game can be put."""

    def __init__(self) -> None:
        chairs = tuple(Chair("person") for _ in range(8))
        self._room = Room(TablePlan(chairs), self._play, lambda *_: "", lambda _: None, None)
        for number in range(7):  # the eighth is missing, so that nothing begins
            self._room.join(Eye().tab, f"player {number + 1}", "")

    @staticmethod
    def _play(room: Room, participants: list[Participant], notes: list[Note]) -> "asyncio.Task[Result]":
        raise AssertionError((room, participants, notes))

    async def seen(self, game: Game, seat: int | None) -> list[dict[str, Json]]:
        """All that a tab of this seat, or of nobody's, is shown of this state, but for its own token."""
        self._room.told(game, [])
        eye = Eye()
        if seat is None:
            self._room.watch(eye.tab)
        else:
            self._room.open(eye.tab, self._room.seats[seat])
        await eye.look()
        self._room.leave(eye.tab, None if seat is None else self._room.seats[seat])
        return [message for message in eye.shown if message["type"] != "welcome"]


def test_what_a_tab_is_shown_depends_on_nothing_that_is_hidden_from_it() -> None:
    async def look() -> None:
        window, random, told_apart = Window(), Random("hidden"), 0
        for game in [*tables(random), *moments(random)]:
            for seat in (None, *(seat for seat in game.players if seat < 8)):
                twin = reshuffled(game, seat or 0, random)
                assert await window.seen(twin, seat) == await window.seen(game, seat), (game.phase, seat)
                others = [other for other in game.players if other not in (seat, 8)]
                for other in others[:1]:
                    told_apart += await window.seen(twin, other) != await window.seen(game, other)
        assert told_apart > 0

    run(look())


def test_a_game_that_was_broken_off_is_not_shown_and_a_private_one_is_in_no_list(tmp_path: Path) -> None:
    whole = play([Silly(), Silly(), Silly()], shuffled("1")).record
    broken_off = Record(whole.names, whole.deck, whole.replies[:-1])
    private = Record(whole.names, whole.deck, whole.replies, notes=({PRIVATE: 1},))
    ids = []
    for number, record in enumerate((whole, broken_off, private), 1):
        data = text(record, replay(record))
        (tmp_path / f"game-{number}.jsonl").write_bytes(data)
        ids.append(hashlib.sha256(data).hexdigest()[:24])
    with serving(records=tmp_path) as server:
        for path in OF_A_GAME:
            assert [server.get(path.format(known))[0] for known in ids] == [200, 404, 200]
        listed = server.lobby()["games"]
        assert isinstance(listed, list)
        assert [game["id"] for game in listed if isinstance(game, dict)] == ids[:1]


# Seats and their tokens (T34).


def test_only_the_seats_own_last_token_leads_back_to_it(server: Server) -> None:
    table, key = server.table([PERSON, PERSON, bot()])
    elsewhere, _ = server.table([PERSON, PERSON, bot()])
    with (
        server.tab(table, name="Ann", key=key) as ann,
        server.tab(table, name="Bob") as bob,
        server.tab(elsewhere, name="Cat") as cat,
    ):
        hers, his, far = (str(line.hear("welcome")["token"]) for line in (ann, bob, cat))
        wrong = [hers[:-1], hers + "A", hers.swapcase(), hers[::-1], f" {hers}", f"{hers}\n", f"{hers}\0", hers[1:]]
        wrong += [far, key, table, "x", "\ud800", "0" * 32, "A" * 32, "é" * 32, hers + his, "A" * 60_000]
        for token in wrong:
            with server.tab(table, token=token) as line:
                assert line.hear()["type"] == "refused", token
                assert code(line) == 4003
        with server.tab(table, token=his) as line:
            assert line.hear()["type"] == "welcome"
            assert line.hear("room")["you"] == 2, "his token leads to his seat, and to no other"
            assert code(bob) == 4001
        ann.say("hint", id=waiting(ann)["id"])
        assert ann.hear("hint")["bot"] == STAND_IN, "nobody has taken her seat"


def test_a_token_is_worth_nothing_once_its_successor_has_arrived(server: Server) -> None:
    table, key = server.table([PERSON, PERSON, bot()])
    with server.tab(table, name="Ann", key=key) as ann:
        worn = [str(ann.hear("welcome")["token"])]
        for _ in range(5):
            with server.tab(table, token=worn[-1]) as back:
                worn.append(str(back.hear("welcome")["token"]))
                back.say("seen")
                back.say("hint", id=99)
                back.hear("objection")  # so it has heard that, too
                for old in worn[:-1]:
                    with server.tab(table, token=old) as thief:
                        assert code(thief) == 4003
                back.say("hint", id=99)
                back.hear("objection")
        assert len(set(worn)) == 6
        assert min(map(len, worn)) >= 128 / 6, "128 bits, six to a letter"


def test_of_two_who_return_with_one_token_the_last_has_the_seat_and_the_token_is_spent(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as ann:
        token = str(ann.hear("welcome")["token"])
        asked = waiting(ann)
        with server.tab(table, token=token) as first:
            first.hear("welcome")
            assert code(ann) == 4001
            with server.tab(table, token=token) as second:
                second.hear("welcome")
                assert code(first) == 4001
                second.say("seen")
                second.say("hint", id=99)
                second.hear("objection")  # so it has heard that, too
                with server.tab(table, token=token) as third:
                    assert code(third) == 4003
                second.say("hint", id=asked["id"])
                second.play()  # so the request is still open, and hers


def test_whoever_races_for_a_seat_exactly_one_tab_has_it_in_the_end(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as ann:
        token = str(ann.hear("welcome")["token"])
        for _ in range(50):
            with server.tab(table, token=token) as one, server.tab(table, token=token) as other:
                one.hear("welcome")
                token = str(other.hear("welcome")["token"])
                assert code(one) == 4001
                other.say("seen")
                assert waiting(other)["id"] == 1


# Answers to what is not asked (T35).


def test_an_answer_to_another_request_than_the_open_one_changes_nothing(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    answers: list[Json] = []
    with server.tab(table, name="Ann", key=key) as ann:
        while (message := ann.hear())["type"] != "end":
            if message["type"] in {"choose", "feed"}:
                number = message["id"]
                assert isinstance(number, int)
                ann.say("hint", id=number)
                move = ann.hear("hint")["answer"]
                for other in {0, number - 1, number + 1, number + 1_000, 2**31 - 1} - {number}:
                    replies: list[Json] = [move, {"move": "decline"}, *answers[-1:]]
                    for reply in replies:
                        ann.say("answer", id=other, answer=reply)
                        objection = ann.hear("objection")
                        assert (objection["id"], objection["rule"]) == (other, "")
                ann.say("answer", id=number, answer=move)
                assert ann.hear("done")["id"] == number
                answers.append(move)
    record = parsed(server.get(f"/api/games/{message['game']}/record")[1])
    assert sum(seat == 1 for seat, _ in record.replies) == len(answers)


def test_an_answer_that_is_said_twice_counts_once(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as ann:
        asked = 0
        while (message := ann.hear())["type"] != "end":
            if message["type"] in {"choose", "feed"}:
                asked += 1
                ann.say("hint", id=message["id"])
            elif message["type"] == "hint":
                for _ in range(3):
                    ann.say("answer", id=message["id"], answer=message["answer"])
    record = parsed(server.get(f"/api/games/{message['game']}/record")[1])
    assert sum(seat == 1 for seat, _ in record.replies) == asked


# Other people's pages (T36).

WANTED = b'{"places":[{"kind":"person"},{"kind":"bot"},{"kind":"bot"}]}'
FORK = b'{"step":0,"seat":1}'
FOREIGN_ORIGINS = [
    None,
    "",
    "null",
    "http://evil.com",
    "http://evil.com:{port}",
    "http://evil.localhost:{port}",
    "http://localhost.evil.com:{port}",
    "http://localhost:{port}.evil.com",
    "http://notlocalhost:{port}",
    "http://localhost",
    "http://localhost:1{port}",
    "http://localhost:0{port}",
    "https://localhost:{port}",
    "ws://localhost:{port}",
    "HTTP://localhost:{port}",
    "http://LOCALHOST:{port}",
    "http://localhost.:{port}",
    "http://localhost:{port}/",
    "http://localhost:{port}/table",
    "http://localhost:{port}@evil.com",
    "http://evil.com@localhost:{port}",
    "http://localhost:{port}#evil.com",
    "http://127.0.0.1:{port}",
    "http://[::1]:{port}",
    "//localhost:{port}",
    "localhost:{port}",
    "file://",
    "chrome-extension://localhost:{port}",
    "http://localhost:{port} http://evil.com",
    "http://localhost:{port}, http://evil.com",
    "http://localhost:{port}\r\nOrigin: http://evil.com",
    "http://localhost:{port}\r\nOrigin: http://localhost:{port}",
]


def changing(server: Server, table: str, game: str, *lines: str) -> list[bytes]:
    """A request to everything that changes something, with these lines in its head."""
    return [
        request("/api/tables", at(server), *lines, method="POST", body=WANTED),
        request(f"/api/games/{game}/fork", at(server), *lines, method="POST", body=FORK),
        handshake(f"/table/{table}/line", at(server), *lines),
    ]


def listed(server: Server) -> dict[str, Json]:
    """The tables of the lobby by their ids. Games of other tests may end meanwhile, so nothing else is compared."""
    return {str(table["id"]): table for table in json.loads(json.dumps(server.lobby()["tables"]))}


def test_a_foreign_page_changes_nothing_and_opens_no_line(server: Server, finished: str) -> None:
    table, _ = server.table([PERSON, bot(), bot()])
    before = listed(server)
    for origin in FOREIGN_ORIGINS:
        with case(origin):
            lines = [] if origin is None else [f"Origin: {origin.format(port=server.port)}"]
            said = changing(server, table, finished, *lines, "X-Wateringhole: 1", "Content-Type: application/json")
            found = [answered(server, data).status for data in said]
            assert found in ([403, 403, 403], [403, 403, 400]), "400: two origins are none at all"
            after = listed(server)
            assert after.keys() <= before.keys()
            assert after[table] == before[table]


def test_our_own_page_may_do_what_a_foreign_one_may_not(server: Server, finished: str) -> None:
    table, _ = server.table([PERSON, bot(), bot()])
    assert [answered(server, data).status for data in changing(server, table, finished, *own(server)[1:])[:2]] == [
        201,
        201,
    ]
    with connected(server, changing(server, table, finished, *own(server)[1:])[2]) as end:
        assert end.recv(12) == b"HTTP/1.1 101"


def test_without_our_own_header_nothing_is_changed(server: Server, finished: str) -> None:
    for own_header in (None, "", "0", "2", "1, 1", "1 1", "true", "1\r\nX-Wateringhole: 0"):
        with case(own_header):
            before = listed(server)
            lines = [f"Origin: {server.base}", "Content-Type: application/json"]
            lines += [] if own_header is None else [f"X-Wateringhole: {own_header}"]
            said = changing(server, "x", finished, *lines)[:2]
            statuses = [answered(server, data).status for data in said]
            assert statuses == ([201, 201] if own_header == "1\r\nX-Wateringhole: 0" else [403, 403])
            assert (listed(server).keys() <= before.keys()) == (403 in statuses)


FORM_TYPES = [
    None,
    "text/plain",
    "text/plain; charset=utf-8",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain; application/json",
    "application/jsonp",
]


def test_what_a_form_can_send_changes_nothing(server: Server, finished: str) -> None:
    before = listed(server)
    for content_type, header in product(FORM_TYPES, ([], ["X-Wateringhole: 1"])):
        with case(content_type, header):
            kind = [] if content_type is None else [f"Content-Type: {content_type}"]
            for data in changing(server, "x", finished, f"Origin: {server.base}", *header, *kind)[:2]:
                assert 400 <= answered(server, data).status < 500
            assert listed(server).keys() <= before.keys()


METHODS = ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW", "get", "POST")


def test_no_other_method_does_anything(server: Server, finished: str) -> None:
    before, record = listed(server), server.get(f"/api/games/{finished}/record")
    paths = ("/", "/api/lobby", f"/api/games/{finished}", f"/api/games/{finished}/record", "/static/table/table.js")
    for page, method, path in product(("foreign", "ours"), METHODS, paths):
        with case(page, method, path):
            lines = own(server) if page == "ours" else [at(server), "Origin: http://evil.com"]
            found = answered(server, request(path, *lines, method=method))
            assert found.status == (405 if page == "ours" else 403)
            assert "access-control-allow-origin" not in found.headers
            assert listed(server).keys() <= before.keys()
    assert server.get(f"/api/games/{finished}/record")[:2] == record[:2]


def test_only_a_name_that_was_given_may_be_reached_by_way_of_somebody_who_speaks_tls() -> None:
    with serving("--name", "play.example") as server:
        found = {}
        for host, scheme in product(("play.example", "localhost", "127.0.0.1"), ("http", "https", "ws")):
            lines = [f"Host: {host}", f"Origin: {scheme}://{host}", *own(server)[2:]]
            found[host, scheme] = answered(server, request("/api/tables", *lines, method="POST", body=WANTED)).status
    assert found == {
        ("play.example", "http"): 201,
        ("play.example", "https"): 201,
        ("play.example", "ws"): 403,
        ("localhost", "http"): 201,
        ("localhost", "https"): 403,
        ("localhost", "ws"): 403,
        ("127.0.0.1", "http"): 201,
        ("127.0.0.1", "https"): 403,
        ("127.0.0.1", "ws"): 403,
    }


# Foreign names for this server (T37).

FOREIGN_HOSTS = [
    "",
    "evil.com",
    "evil.com:{port}",
    "evil.localhost",
    "evil.localhost:{port}",
    "localhost.evil.com",
    "localhost.evil.com:{port}",
    "localhost.",
    "localhost@evil.com",
    "evil.com@localhost",
    "a:b@localhost:{port}",
    "localhost/",
    "localhost/x",
    "localhost?x",
    "localhost#x",
    "localhost\\evil.com",
    "localhost, evil.com",
    "localhost evil.com",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "127.000.000.001",
    "127.0.0.1.",
    "127.0.0.2",
    "0.0.0.0",  # noqa: S104
    "0",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[0:0:0:0:0:0:0:1]",
    "[::1",
    "::1",
    "[::1]evil.com",
    "l\xf6calhost",
    "xn--lcalhost-n4a",
]


def test_a_request_for_another_host_is_refused_even_by_a_page_of_that_host(server: Server) -> None:
    table, _ = server.table([PERSON, bot(), bot()])
    before = listed(server)
    for host in (name.format(port=server.port) for name in FOREIGN_HOSTS):
        with case(host):
            lines = [f"Host: {host}", f"Origin: http://{host}", "X-Wateringhole: 1", "Content-Type: application/json"]
            paths = ("/", "/api/lobby", f"/table/{table}", "/static/table/table.js")
            said = [request(path, f"Host: {host}") for path in paths]
            said.append(request("/api/tables", *lines, method="POST", body=WANTED))
            said.append(handshake(f"/table/{table}/line", *lines))
            found = [answered(server, data) for data in said]
            assert {answer.status for answer in found} <= {400, 403}
            assert not any(table.encode() in answer.body for answer in found)
            after = listed(server)
            assert after.keys() <= before.keys()
            assert after[table] == before[table]


def test_a_request_by_any_name_of_ours_is_answered_and_its_page_may_change_things(server: Server) -> None:
    for name in ("localhost", "LOCALHOST", "LocalHost:{port}", "127.0.0.1:{port}", "[::1]:{port}"):
        with case(name):
            host = name.format(port=server.port)
            assert answered(server, request("/api/lobby", f"Host: {host}")).status == 200
            lines = [f"Host: {host}", f"Origin: http://{host}", "X-Wateringhole: 1", "Content-Type: application/json"]
            assert answered(server, request("/api/tables", *lines, method="POST", body=WANTED)).status == 201


@pytest.mark.parametrize(
    "lines", [[], ["Host: localhost", "Host: localhost"], ["Host: localhost", "Host: evil.com"]], ids=str
)
def test_a_request_names_exactly_one_host(server: Server, lines: list[str]) -> None:
    assert answered(server, request("/api/lobby", *lines)).status == 400
    assert answered(server, handshake("/table/x/line", *lines)).status == 400


def test_a_request_of_an_old_kind_without_a_host_is_refused(server: Server) -> None:
    assert answered(server, b"GET /api/lobby HTTP/1.0\r\n\r\n").status == 403


# What every answer bears.


def test_every_answer_forbids_what_no_page_of_ours_does(server: Server, finished: str) -> None:
    table, _ = server.table([PERSON, bot(), bot()])
    tag = server.get("/static/table/table.js")[2]["etag"]
    paths = [*PAGES, *LISTS, *(path.format(table) for path in OF_A_TABLE)]
    paths += [path.format(finished) for path in OF_A_GAME]
    said = [(200, request(path, at(server), method=method)) for path, method in product(paths, ("GET", "HEAD"))]
    said += [
        (304, request("/static/table/table.js", at(server), f"If-None-Match: {tag}")),
        (404, request("/static/nothing.js", at(server))),
        (404, request("/table/nothing", at(server))),
        (404, request("/game/nothing", at(server))),
        (404, request("/player/nobody%20at%20all", at(server))),
        (404, request("/tournament/nothing", at(server))),
        (200, request(f"/table/{table}", at(server), "Accept-Encoding: gzip")),
        (200, request("/static/table/table.js", at(server), "Accept-Encoding: gzip")),
        (200, request(f"/api/games/{finished}", at(server), "Accept-Encoding: gzip")),
        (404, request("/api/games/nothing/page", at(server))),
        (404, request("/api/players/nobody%20at%20all", at(server))),
        (400, request("/api/games?since=yesterday", at(server))),
        (400, request("/api/ladder?limit=0", at(server))),
        (404, request("/nothing", at(server))),
        (404, request("/nothing", at(server), "Accept: text/html")),
        (404, request("/table/x/line", at(server))),
        (405, request("/api/tables", at(server))),
        (405, request("/api/lobby", *own(server), method="POST", body=b"{}")),
        (403, request("/", "Host: evil.com")),
        (403, request("/api/tables", at(server), method="POST", body=WANTED)),
        (201, request("/api/tables", *own(server), method="POST", body=WANTED)),
        (400, request("/api/tables", *own(server), method="POST", body=b"{")),
        (400, request("/api/tables", *own(server), method="POST", body=b'{"places":[]}')),
        (404, request("/api/games/nothing/fork", *own(server), method="POST", body=FORK)),
        (413, request("/api/tables", *own(server), method="POST", body=b" " * (MAX_BODY_BYTES + 1))),
    ]
    for status, data in said:
        found = answered(server, data)
        assert found.status == status, data[:80]
        assert {name: found.headers.get(name) for name in HEADERS} == HEADERS, data[:80]
        assert found.headers.keys().isdisjoint({"set-cookie", "access-control-allow-origin", "server", "location"})


def test_no_page_may_run_or_load_what_we_did_not_serve() -> None:
    policy = dict(part.strip().split(" ", 1) for part in HEADERS["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == policy["manifest-src"] == "'self'"


def test_a_refusal_shows_nothing_of_the_server_and_comes_as_json(server: Server) -> None:
    for data in (
        b"{",
        b'{"places":1}',
        b"\xff",
        b"[" * 60_000,
        b'{"places":[{"kind":"bot","bot":"<script>"}]}',
        b"9" * 5_000,
    ):
        found = answered(server, request("/api/tables", *own(server), method="POST", body=data))
        assert found.status == 400
        assert found.headers["content-type"] == "application/json"
        sentence = json.loads(found.body)["text"]
        assert sentence.isprintable()
        assert not re.search(r"Traceback|\.py|/src/|0x[0-9a-f]{6}", sentence)


# Odd names (T38).

WATCHED = """
import os, signal, sys
from wateringhole.cli import main

watching = False

def seen(event, arguments):
    if watching and event in {"open", "os.listdir", "os.scandir"}:
        os.write(2, f"{event} {arguments[0]}\\n".encode())

def watch(number, _):
    global watching
    watching = number == signal.SIGUSR1

sys.addaudithook(seen)
signal.signal(signal.SIGUSR1, watch)
signal.signal(signal.SIGUSR2, watch)
main(sys.argv[1:])
"""
"""A server that says on standard error what it opens between two signals: so it must open nothing then."""

UP = ("..", "%2e%2e", ".%2E", "%252e%252e", "..%00", "...", "..;", "%c0%ae%c0%ae", "%u002e%u002e")
SLASHES = ("/", "//", "%2f", "%5c", "\\", "%252f", "%c0%af", "%ef%bc%8f")
GOALS = ("etc/passwd", "app.py")
ODD = [
    *(f"{up}{slash}{up}{slash}{goal}" for up, slash, goal in product(UP, SLASHES, GOALS)),
    *(
        "/etc/passwd",
        "//etc/passwd",
        "%2fetc%2fpasswd",
        "file:///etc/passwd",
        "C:%5cwindows%5cwin.ini",
        "c:/x",
        "~root",
    ),
    *(
        "%00",
        "index.html%00",
        "table/table.js%00.css",
        "%0d%0aSet-Cookie:%20a=b",
        "%0a",
        "%20",
        "%09",
        "%7f",
        "%ff%fe",
        "%",
    ),
    *("%zz", "%2", "*", "?", "#", "+", "&", "'", '"', "<script>", "%3Cscript%3E", "{id}", "{}", "$HOME", "`id`", "|id"),
    *("." * 5_000, "a" * 10_000, "%61" * 3_000, "/" * 1_000, "../" * 1_000, "%2e%2e%2f" * 1_000),
    *("%F0%9F%A6%93", "%E2%80%AE", "%ED%A0%80", "%EF%BB%BF", "caf%C3%A9", "%C0%80", "ÿ", "\x7f", "\x01", "a b", "a\tb"),
    *(
        ".",
        "./",
        ".git/config",
        ".env",
        "__init__.py",
        "static",
        "table",
        "table/",
        "Table/table.js",
        "table/table.JS",
        "table/table.js/",
        "table/table.js.",
        "con",
    ),
    *("../static/table/table.js", "table/%2e/table.js", "table/../table/table.js", "table//table.js", "./icon.svg"),
    *("0", "-1", "1e9", "None", "null", "undefined", "NaN", "id"),
    *("0" * 24, "f" * 24, "F" * 16, "0x0", "constructor", "__proto__", "__class__", "keys", "data", "_games"),
]
ODD_PLACES = (
    *("/static/{}", "/table/{}", "/game/{}", "/player/{}", "/tournament/{}"),
    *("/api/games/{}/record", "/api/players/{}", "/api/tournaments/{}"),
)


def test_no_odd_name_leads_anywhere_and_none_makes_the_server_open_a_file() -> None:
    with serving(program=("-c", WATCHED)) as server:
        table, key = server.table([PERSON, PERSON, bot()])
        with server.tab(table, name="Ann", key=key) as ann, server.tab(table, name="Ben") as ben:
            game = play_both(ann, ben)["game"]
        for path in (*PAGES, *LISTS, f"/table/{table}", *(path.format(game) for path in OF_A_GAME)):
            assert server.get(path)[0] == 200
        while server.get("/api/players/Ann")[0] != 200:
            pass  # the game is on its way to the store
        pages = [server.get(f"/{what}/no-such-thing")[1] for what in ("table", "game", "player", "tournament")]
        assert server.get("/static/nothing")[0] == 404  # by now everything has been loaded that ever will be
        server.process.send_signal(signal.SIGUSR1)
        for name, place in product(ODD, ODD_PLACES):
            found = answered(server, request(place.format(name), at(server)))
            assert found.status in {400, 404, 431}, (place, name[:80])
            assert len(found.body) < 100 or found.body in pages
        assert [server.get(path)[0] for path in LISTS] == [200] * len(LISTS)
        server.process.send_signal(signal.SIGUSR2)  # at its end it looks for what it has to clear away
        assert server.get("/api/lobby")[0] == 200


@pytest.mark.parametrize("name", ["nothing", "%2e%2e", "%00", "x" * 10_000, "%F0%9F%A6%93", "..%2f..%2fetc"])
def test_no_odd_name_leads_to_a_line_or_a_fork(server: Server, name: str) -> None:
    assert answered(server, request(f"/api/games/{name}/fork", *own(server), method="POST", body=FORK)).status == 404
    with connected(server, handshake(f"/table/{name}/line", *own(server)[:2])) as end:
        try:
            came = end.recv(12)
        except ConnectionResetError:
            came = b""
    assert came in {b"", b"HTTP/1.1 101", b"HTTP/1.1 403"}  # at a table that there is not, the line is closed with 4404
