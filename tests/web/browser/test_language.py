"""The language of the page: the visitor's own, chosen by a switch, and in no place another one."""

import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import wateringhole
from tests.cases import case
from tests.web.browser import states
from tests.web.browser.moments import Stage, keep_moments, staged
from tests.web.browser.playing import Player
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot, serving
from wateringhole.agents.house import HOUSE
from wateringhole.web.page_text import LANGUAGES, text

FROM_COPY = "import sys; sys.path.insert(0, {!r}); from wateringhole.cli import main; main(sys.argv[1:])"

# Every text that a user sees or hears, without what stands in the marks, if letters are left that are neither a given
# name nor that of a board.
_UNMARKED = r"""([selector, names]) => {
  const bare = (text) => {
    let left = text;
    for (let before = ""; before !== left;) [before, left] = [left, left.replace(/⟦[^⟦⟧]*⟧/gu, " ")];
    for (const name of names) left = left.replaceAll(name, " ");
    return /\p{L}/u.test(left) && !/^[A-Z]{1,2}$/.test(left.trim()) ? text.trim() : "";
  };
  const shown = (element) => (element.closest("select") ?? element).checkVisibility();
  const found = [];
  for (const root of document.querySelectorAll(selector)) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: element, data } = walker.currentNode;
      const named = element.closest("script, style, bdi, [lang]:not(html)");
      if (!named && shown(element)) found.push(bare(data));
    }
    for (const element of [root, ...root.querySelectorAll("*")]) {
      for (const name of ["aria-label", "alt", "title", "placeholder"]) {
        if (shown(element)) found.push(bare(element.getAttribute(name) ?? ""));
      }
    }
  }
  return [...new Set(found)].filter(Boolean);
}"""

NAMES = ["wateringhole", "A table to join", "A table", "Ann", "Ben", "Ida", "Jon", "Kim", "Lea", "Otto"]
"""What is called so, and is no text: titles, people, bots."""


@pytest.fixture(scope="module")
def marked_stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The stage on a server that runs a copy of the package in which every text of the page stands in marks."""
    folder = tmp_path_factory.mktemp("marked")
    source = Path(wateringhole.__file__).parent
    shutil.copytree(source, folder / "wateringhole", ignore=shutil.ignore_patterns("kits"))
    english = folder / "wateringhole" / "web" / "static" / "text" / "en.json"
    texts: dict[str, str | dict[str, str]] = json.loads(english.read_text(encoding="utf-8"))
    english.write_text(json.dumps({key: marked(entry) for key, entry in texts.items()}), encoding="utf-8")
    keep_moments(folder)
    with serving(records=folder, program=("-c", FROM_COPY.format(str(folder)))) as running:
        yield staged(running)


def marked(entry: str | dict[str, str]) -> str | dict[str, str]:
    return f"⟦{entry}⟧" if isinstance(entry, str) else {form: f"⟦{words}⟧" for form, words in entry.items()}


@pytest.fixture
def readers(chromium: Browser, marked_stage: Stage) -> Iterator[Visitors]:
    with Visitors(chromium, marked_stage.server.base) as arriving:
        yield arriving


def unmarked(page: Page, part: str) -> list[str]:
    """The texts in this part of a page that are in no catalogue."""
    found: list[str] = page.evaluate(_UNMARKED, [part, [*NAMES, *LANGUAGES.values(), *HOUSE]])
    return found


def test_every_text_of_a_page_is_in_the_catalogue(marked_stage: Stage, readers: Visitors) -> None:
    readers.expected += ["404"]
    part: dict[states.State, str] = {
        states.hinted: "#dock",
        states.choosing: "#own, #dock",
        states.feeding: "#others, #own, #dock",
        states.lesson: "#lesson",
        states.lessons_end: "#lesson-heading, #lesson-text, #lesson-ways, .lesson-lines, .lesson-ranking",
        states.waiting_for_others: "#top, #banners, #own-head, .player-head, #story-box",
        states.over: "#top, #end",
        states.leaving: "dialog",
    }
    page = readers.arrive()
    with ExitStack() as company:
        visit = states.Visit(marked_stage, page, company)
        for state in (state for journey in states.JOURNEYS.values() for state in journey):
            with case(state.__name__):
                state(visit)
                seen = part.get(state, "body")
                if state is not states.rules:  # which are in English only
                    assert page.locator(seen).first.evaluate("(part) => part.textContent.includes('⟦')")
                    assert unmarked(page, seen) == []
    rest = {"/tournaments": "#tournaments", "/games?player=nothing": "#games", "/nowhere": "h1", "/table/nowhere": "h1"}
    for address, told in rest.items():
        with case(address):
            page.goto(address)
            expect(page.locator(told)).to_contain_text("⟦")
            assert unmarked(page, "body") == []
    page.goto("/ladder")
    page.locator("#settings").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert unmarked(page, "dialog") == []


def test_the_language_of_the_browser_is_changed_below_the_lobby_and_stays(server: Server, visitors: Visitors) -> None:
    server.table([PERSON, PERSON, bot("easy")], title="Zwei")
    page = visitors.arrive("", locale="de-DE")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#quick")).to_have_text(text("de", "lobby.quick"))
    expect(page.locator("#open li").first).to_contain_text(text("de", "lobby.free", count=2))
    page.locator('[data-language="fr"]').click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("#quick")).to_have_text(text("fr", "lobby.quick"))
    expect(page.locator('[data-language="fr"]')).to_have_attribute("aria-pressed", "true")
    page.goto("/ladder")
    expect(page.locator("h1")).to_have_text(text("fr", "ladder.heading"))
    [cookie] = page.context.cookies()
    assert (cookie["name"], cookie["value"], cookie["sameSite"], cookie["path"]) == ("language", "fr", "Lax", "/")


def test_another_language_in_the_middle_of_a_plan_loses_neither_seat_nor_plan(
    server: Server, visitors: Visitors
) -> None:
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True))
    player = Player(page)
    assert player.asked() == "choose"
    player.put(0, "food")
    player.put(1, "board")
    hand = player.hand()
    page.locator("#settings").click()
    page.get_by_label(text("en", "nav.language")).select_option("es")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    player = Player(page)
    assert player.asked() == "choose"
    expect(page.locator("#plan > li")).to_have_count(2)
    assert player.hand() == hand
    page.locator("#help").click()
    expect(page.get_by_role("dialog", name=text("es", "how.heading"))).to_be_visible()
    page.keyboard.press("Escape")
    player.press("#play")
    assert player.asked() in {"choose", "feed"}
