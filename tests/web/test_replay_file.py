"""A replay in one file: whole, closed, and deaf to whatever players are called."""

import base64
import hashlib
import json
from html.parser import HTMLParser
from typing import Final

import pytest

from tests.cases import case
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.table import play
from wateringhole.web.page_text import LANGUAGES, catalogue
from wateringhole.web.replay_file import SERVED, replay_file
from wateringhole.web.replay_messages import replay_of
from wateringhole.web.static_files import static_files
from wateringhole.wire.framing import Json
from wateringhole.wire.native_messages import value_of

FILES: Final = {path: file.data for path, file in static_files().items()}

NAMES: Final = ["</script><script>alert(1)</script>", '<!-- "Ann" & \u2028 co', "</title>\u2029<b>"]
REPLAY: Final = value_of(replay_of(play([Silly(), Silly(), Silly()], shuffled("7"), NAMES).record, "game"))


class Parts(HTMLParser):
    """The elements of a page with their texts and attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[int, str] = {}
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        self.inside = True

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            at = len(self.found) - 1
            self.texts[at] = self.texts.get(at, "") + data

    def all(self, tag: str) -> list[tuple[dict[str, str], str]]:
        return [(found[1], self.texts.get(at, "")) for at, found in enumerate(self.found) if found[0] == tag]


HTML: Final = replay_file(REPLAY, FILES, "en").decode()
PARTS: Final = Parts(HTML)


def data(name: str) -> Json:
    [text] = [text for attributes, text in PARTS.all("script") if attributes.get("id") == name]
    value: Json = json.loads(text)
    return value


def test_the_game_and_the_rule_book_are_in_the_page() -> None:
    assert data("replay-data") == json.loads(json.dumps(REPLAY))
    assert data("rulebook-data") == json.loads(FILES["rules/rulebook.json"])


def test_the_file_speaks_one_language() -> None:
    for language in LANGUAGES:
        with case(language):
            html = replay_file(REPLAY, FILES, language).decode()
            assert f'<html lang="{language}"' in html
            # A sentence of the markup, and one that the script has with it.
            for key in ("replay.skip", "replay.chosen"):
                assert [other for other in LANGUAGES if str(catalogue(other)[key]) in html] == [language]


def test_names_are_data_and_nothing_else() -> None:
    assert [attributes for attributes, _ in PARTS.all("script")] == [
        {"type": "application/json", "id": "replay-data"},
        {"type": "application/json", "id": "rulebook-data"},
        {},
    ]
    assert PARTS.all("title") == [({}, f"{', '.join(NAMES)} - wateringhole")]
    assert "b" not in {tag for tag, _ in PARTS.found}
    scripts = HTML.split('<script type="application/json"')[1:]
    assert not any("\u2028" in text or "\u2029" in text for text in scripts)


def test_the_policy_allows_the_one_script_and_the_one_style() -> None:
    [policy] = [a["content"] for a, _ in PARTS.all("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    [(_, style)] = PARTS.all("style")
    [(_, script)] = [(a, text) for a, text in PARTS.all("script") if not a]
    assert policy.startswith("default-src 'none'; ")
    assert f"script-src '{fingerprint(script)}';" in policy
    assert f"style-src '{fingerprint(style)}';" in policy
    assert policy.index("img-src data:")
    assert HTML.index("Content-Security-Policy") < HTML.index("<style")


def fingerprint(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def test_the_page_refers_to_nothing_outside() -> None:
    for tag, attributes in PARTS.found:
        assert "src" not in attributes, tag
        if tag == "link":
            assert attributes["href"].startswith("data:")
    [(_, style)] = PARTS.all("style")
    assert "@import" not in style
    assert "url(" not in style


def test_all_style_sheets_of_the_page_are_in_it() -> None:
    [(_, style)] = PARTS.all("style")
    assert len(SERVED.styles) > 2
    for name in SERVED.styles:
        assert FILES[name].decode() in style


def test_what_would_end_the_script_is_refused() -> None:
    with pytest.raises(ValueError, match="</script"):
        replay_file(REPLAY, FILES | {SERVED.script: b'const text = "</SCRIPT>";\n'}, "en")
