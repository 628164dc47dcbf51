"""The language of an answer: the cookie's, else the browser's, else English; whatever a header says."""

import json
from html import unescape

from websockets.sync.client import connect
from websockets.typing import Origin

from tests.cases import case
from tests.web.raw import answered, request
from tests.web.server import PERSON, Line, Server, bot
from wateringhole.web.page_text import text
from wateringhole.wire.framing import Json

HTML = {"Accept": "text/html"}
ROWS: list[tuple[str, str, str]] = [
    ("", "", "en"),
    ("", "de-AT, de;q=0.9, en;q=0.5", "de"),
    ("", "it;q=1.0, es;q=0.4, fr; q=0.8", "fr"),
    ("", "de;q=0, es;q=0.001", "es"),
    ("", "*", "en"),
    ("language=fr", "de", "fr"),
    ("theme=x; language=es", "", "es"),
    ("language=xx", "de", "de"),
    ("language=../../en.json", "es", "es"),
    ("language=", "", "en"),
    ("language=" + "d" * 4_000, "fr", "fr"),
    ("", "," * 4_000 + "de", "en"),
    ("", "de;q=nan, fr;q=inf, es;q=-1", "en"),
    ("", "de;q=0.1234567890, \\xff\\x00", "en"),
]


def test_a_page_is_in_the_language_of_the_cookie_or_of_the_browser(server: Server) -> None:
    table, _ = server.table([PERSON, bot(), bot()])
    for path in ("/", "/games", "/learn", f"/table/{table}", "/game/nowhere", "/nowhere"):
        for cookie, accepted, wanted in ROWS if path == "/" else ROWS[:7]:
            with case(path, cookie[:30], accepted[:30]):
                _, page, headers = server.get(path, HTML | {"Accept-Language": accepted, "Cookie": cookie})
                assert headers["content-language"] == wanted
                assert {"accept-language", "cookie"} <= {*headers["vary"].split(", ")}
                assert f'<html lang="{wanted}"'.encode() in page


def test_a_page_that_the_browser_has_in_another_language_is_sent_again(server: Server) -> None:
    german = server.get("/ladder", {"Accept-Language": "de"})[2]["etag"]
    assert server.get("/ladder", {"Accept-Language": "de", "If-None-Match": german})[0] == 304
    assert server.get("/ladder", {"Cookie": "language=en", "Accept-Language": "de", "If-None-Match": german})[0] == 200


def test_the_rule_book_is_english(server: Server) -> None:
    _, page, headers = server.get("/rules", {"Accept-Language": "de", "Cookie": "language=fr"})
    assert headers["content-language"] == "en"
    assert b'<html lang="en"' in page


def test_what_is_asked_wrongly_is_answered_in_the_language_of_the_visitor(server: Server) -> None:
    rows = [
        ("/api/games/nowhere", "There is no such game.", "Diese Partie gibt es nicht."),
        ("/api/ladder?limit=0", "The limit 0 is not a number", "Die Grenze 0 ist keine Zahl"),
        ("/api/games?since=noon", "noon is not a time", "noon ist keine Zeit"),
        ("/static/nothing", "There is no such file.", "Diese Datei gibt es nicht."),
    ]
    for path, english, german in rows:
        for language, wanted in (("en", english), ("de", german), ("xx", english)):
            with case(path, language):
                answer = answered(
                    server, request(path, f"Host: localhost:{server.port}", f"Accept-Language: {language}")
                )
                assert answer.status in {400, 404}
                assert wanted in answer.body.decode()


def test_a_link_preview_is_in_the_language_of_the_visitor(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    with server.tab(table, name="Ann", key=key) as tab:
        game = tab.play()["game"]
    turns = len(json.loads(server.get(f"/api/games/{game}")[1])["turns"])
    played: dict[str, str | int] = {"names": "Ann, silly 2, silly 3", "count": turns}
    rows: list[tuple[str, str, dict[str, str | int]]] = [
        ("/", "preview.lobby", {}),
        (f"/table/{table}", "preview.table", {}),
        (f"/game/{game}", "preview.game", played),
    ]
    for path, wanted, parameters in rows:
        for language in ("es", "fr"):
            with case(path, language):
                page = unescape(server.get(path, {"Accept-Language": language})[1].decode())
                assert text(language, wanted, **parameters) in page
                assert text(language, "preview.picture") in page


def test_a_tab_and_a_new_table_are_refused_in_the_language_of_the_visitor(server: Server) -> None:
    table, _ = server.table([PERSON, bot(), bot()])
    address = f"ws://localhost:{server.port}/table/{table}/line"
    spoken = {"Accept-Language": "de", "Cookie": "language=fr"}
    rows: list[tuple[dict[str, Json], str]] = [
        ({"wateringhole": 1, "token": table}, text("fr", "refused.seat")),
        ({"wateringhole": 2}, text("fr", "refused.version", page=2, server=1)),
    ]
    for first, refusal in rows:
        with (
            case(refusal),
            connect(address, origin=Origin(server.base), additional_headers=spoken, proxy=None) as socket,
        ):
            line = Line(socket)
            line.say("sign_up", **first)
            assert line.hear() == {"type": "refused", "text": refusal}
    with connect(address, origin=Origin(server.base), additional_headers=spoken, proxy=None) as socket:
        line = Line(socket)
        line.say("sign_up", wateringhole=1)
        places = json.loads(json.dumps(line.hear("room")["places"]))
        assert places[0]["name"] == "joueur 1", "who gives no name gets one"
    own = {"Origin": server.base, "X-Wateringhole": "1", "Content-Type": "application/json", **spoken}
    status, said = server.post("/api/tables", {"places": [bot(), bot(), bot()]}, own)
    assert (status, said["text"]) == (400, text("fr", "refused.bots"))
