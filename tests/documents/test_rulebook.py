"""The rule book for the browser is docs/rules.md, whole and in reach of every link."""

import json
import re
from functools import cache
from html.parser import HTMLParser
from typing import Final

from tests.cases import case
from tests.documents import COMMAND
from tests.documents.rulebook import (
    MAX_TEXT_CHARS,
    RULEBOOK,
    RULES_CONTENTS,
    RULES_TEXT,
    SOURCE,
    anchor,
    rulebook_text,
    rules_contents,
    rules_text,
    shortened,
)
from wateringhole import rulebook
from wateringhole.traits import Trait
from wateringhole.web.pages import Site

ADVICE: Final = f"If this is meant to have changed, write it anew with `{COMMAND}` and read the diff."
BOOK: Final[dict[str, dict[str, dict[str, str]]]] = json.loads(RULEBOOK.read_text(encoding="utf-8"))


@cache
def site() -> Site:
    """All pages, made when a test wants them and not when it is collected."""
    return Site()


def html() -> str:
    return site().pages["en", "rules.html"].data.decode()


class Page(HTMLParser):
    """The tags of the page: what is linked to, and what can be linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.files: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(html())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self.attributes |= values.keys()
        self.ids += [values["id"]] if "id" in values else []
        target = values.get("href", "")
        if target.startswith("#"):
            self.links.append(target[1:])
        elif target:
            self.files.append(target)


def test_the_page_on_disk_is_what_the_rules_give() -> None:
    assert RULES_TEXT.read_text(encoding="utf-8") == rules_text(), ADVICE
    assert RULES_CONTENTS.read_text(encoding="utf-8") == rules_contents(), ADVICE


def test_the_texts_on_disk_are_what_the_rules_give() -> None:
    assert RULEBOOK.read_text(encoding="utf-8") == rulebook_text(), ADVICE


def test_every_link_on_the_page_has_its_target() -> None:
    page = Page()
    assert len(page.links) > 100
    assert set(page.links) <= set(page.ids)
    assert len(set(page.ids)) == len(page.ids)


def test_every_link_of_the_rules_is_on_the_page() -> None:
    written = set(re.findall(r"\]\(#([^)]+)\)", SOURCE.read_text(encoding="utf-8")))
    assert written <= set(Page().links)


def test_the_page_needs_only_the_server() -> None:
    page = Page()
    lasting = {f"/static/{name}" for name in site().lasting}
    assert set(page.files) - lasting == {"/", "/learn"}
    [script] = re.findall("<script([^>]*)>", html())
    assert script.removeprefix(' type="module" src="').removesuffix('"') in lasting
    assert "style" not in page.tags | page.attributes


def test_every_rule_has_a_text_and_a_place_on_the_page() -> None:
    places = Page().ids
    assert rulebook.ALL
    for rule in rulebook.ALL:
        with case(rule):
            entry = BOOK["rules"][rule]
            assert entry["title"] == rule
            assert 20 < len(entry["text"]) <= MAX_TEXT_CHARS
            assert re.search(r"[.)]$", entry["text"])
            assert not re.search(r"[\[*`]\w+[\]*`]", entry["text"]), "marks of the source"
            assert anchor(rule) in places


def test_every_trait_has_a_row_with_its_rule() -> None:
    places, source = Page().ids, SOURCE.read_text(encoding="utf-8")
    for trait in Trait:
        with case(trait):
            [rule] = re.findall(rf"^\| {trait} \| .+ \| \[([\w.-]+)\]", source, re.MULTILINE)
            assert rule in rulebook.ALL
            assert f"trait-{trait}" in places


def test_there_is_nothing_else_in_the_book() -> None:
    assert list(BOOK) == ["rules"]
    assert tuple(BOOK["rules"]) == rulebook.ALL


def test_a_rule_that_is_a_list_says_what_is_on_it() -> None:
    assert BOOK["rules"][rulebook.OPTIONS]["text"] == "The options of a player are: store fat, graze, attack."
    assert BOOK["rules"][rulebook.ATTACK]["text"].startswith("An attack has four steps: D loses one animal. Horns")


def test_a_long_text_ends_with_a_sentence() -> None:
    assert shortened("One. Two.") == "One. Two."
    assert shortened(f"One. Two. T{'x' * MAX_TEXT_CHARS}. Four.") == "One. Two."
    assert shortened("3 cards, e.g. this one. Two.") == "3 cards, e.g. this one. Two."
