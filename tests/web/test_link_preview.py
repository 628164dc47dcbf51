"""What a chat shows of a link: title, text and picture, with the host that the link has."""

import re
from html import unescape

from tests.cases import case
from tests.web.raw import answered, request
from tests.web.server import PERSON, Server, bot, serving

HOSTILE = '"><script>alert(1)</script>'


def shown(html: str) -> dict[str, str]:
    """The properties of the preview."""
    return {name: unescape(text) for name, text in re.findall(r'<meta property="og:(.+?)" content="(.*?)">', html)}


def test_the_lobby_a_table_and_a_replay_have_a_preview_of_their_own(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()], title=HOSTILE)
    with server.tab(table, name="<b>Ann</b>", key=key) as tab:
        game = tab.play()["game"]
    found = {}
    for path in ("/", f"/table/{table}", f"/game/{game}"):
        with case(path):
            html = server.get(path)[1].decode()
            assert "<script>" not in html
            assert "<b>" not in html
            found[path] = shown(html)
            picture = found[path]["image"].removeprefix(server.base)
            assert server.get(picture)[1].startswith(b"\x89PNG")
    lobby, at_table, replay = found.values()
    assert [lobby["title"], at_table["title"], replay["title"]] == ["wateringhole", HOSTILE, HOSTILE]
    assert replay["description"].startswith("<b>Ann</b>, ")
    assert len({one["description"] for one in found.values()}) == 3


def test_the_picture_has_the_address_by_which_the_page_was_asked_for() -> None:
    rows = [
        ("localhost", "", "http://localhost"),
        ("LocalHost:81", "", "http://LocalHost:81"),
        ("[::1]:82", "", "http://[::1]:82"),
        ("play.example", "", "http://play.example"),
        ("play.example", "https", "https://play.example"),
        ("play.example:8443", "https", "https://play.example:8443"),
        ("play.example", "javascript", "http://play.example"),
        ("localhost", "https", "http://localhost"),
    ]
    with serving("--name", "play.example") as server:
        for host, forwarded, origin in rows:
            with case(host, forwarded):
                lines = [f"X-Forwarded-Proto: {forwarded}"] if forwarded else []
                answer = answered(server, request("/", f"Host: {host}", *lines))
                assert answer.status == 200
                assert shown(answer.body.decode())["image"].partition("/static/")[0] == origin
        assert answered(server, request("/", "Host: evil.example")).status == 403
