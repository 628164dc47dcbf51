"""What the page of a table says: letters of boards, story, rules, whom it waits for; in the browser's language."""

import re
import string
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from playwright.sync_api import Page, expect

from tests.cases import case
from tests.web.browser.moments import Stage, moments
from tests.web.browser.playing import Player
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot
from wateringhole import rulebook
from wateringhole.events import BoardGiven, Event, Extinct, Revealed
from wateringhole.record import replay

LETTERS: Final = """() => {
  const rows = {};
  for (const board of document.querySelectorAll("#game wh-board")) {
    (rows[board.dataset.seat] ??= []).push(board.querySelector(".piece-index").innerText);
  }
  return rows;
}"""
NAMELESS: Final = """() => [...document.querySelectorAll("#game wh-board")]
  .filter((board) => !board.ariaLabel.split(/[ :,]/).includes(board.dataset.letter)).length"""
STORY: Final = "#story [data-kind]"


def letters_after(events: tuple[Event, ...]) -> dict[str, list[str]]:
    """The letters of the boards of each seat."""
    rows: dict[str, list[str]] = defaultdict(list)
    left: dict[int, Iterator[str]] = defaultdict(lambda: iter(string.ascii_uppercase))
    for event in events:
        match event:
            case BoardGiven(seat):
                rows[str(seat)].append(next(left[seat]))
            case Revealed(seat, boards=boards):
                rows[str(seat)] += [next(left[seat]) for _ in boards]
            case Extinct(seat, board):
                del rows[str(seat)][board]
    return {seat: row for seat, row in rows.items() if row}


def heard(page: Page) -> tuple[object, list[str]]:
    """The letters and the story that a page shows."""
    return page.evaluate(LETTERS), page.locator(STORY).all_inner_texts()


def test_letters_and_story_are_the_same_for_a_player_after_a_reload_and_for_a_late_spectator(
    stage: Stage, actors: Visitors
) -> None:
    moment = next(moment for moment in moments() if moment.name == "history")
    wanted = letters_after(tuple(replay(moment.record, moment.step, listen=True).hear()))
    slid = [row for row in wanted.values() if "".join(row) != string.ascii_uppercase[: len(row)]]
    assert slid, "boards have died out before others"
    made = stage.table("history")
    page = actors.host(made)
    assert Player(page).asked() == "choose"
    told = heard(page)
    assert told[0] == wanted
    assert page.evaluate(NAMELESS) == 0
    page.reload()
    assert Player(page).asked() == "choose"
    assert heard(page) == told
    watcher = actors.arrive("Wim")
    watcher.goto(f"/table/{made[0]}?watch")
    expect(watcher.locator("#status")).to_have_text("Waiting for Ann to choose cards")
    assert heard(watcher) == told
    # Blocks of turns, in which a line is about the boards of its turn; rules are shown on demand.
    turn = replay(moment.record, moment.step).turn
    expect(page.locator("#story h3")).to_have_text([f"Turn {number}" for number in range(1, turn + 1)])
    rules = re.compile("|".join(re.escape(rule) for rule in rulebook.ALL))
    assert not rules.search(page.locator("#story").inner_text())
    entry = page.locator(".story-entry", has=page.locator('[data-kind="Starved"]')).first
    entry.get_by_role("button", name="Which rule?").click()
    expect(entry.locator(".rule-note").first).to_contain_text("end.starvation")
    expect(entry.locator(".rule-link").first).to_have_attribute("href", "/rules#endstarvation")
    entry.get_by_role("button", name="Which rule?").click()
    expect(entry.locator(".rule-note")).to_have_count(0)


def test_the_table_speaks_the_language_of_the_browser(server: Server, visitors: Visitors) -> None:
    for language, says, turn, lost in [
        ("de", "Du bist dran: Wähle deine Karten", "Runde 1", "verbunden"),
        ("es", "Te toca: elige tus cartas", "Ronda 1", "conectado"),
        ("fr", "À toi : choisis tes cartes", "Tour 1", "connecté"),
    ]:
        with case(language):
            page = visitors.host(server.table([PERSON, bot(), bot()], private=True), locale=language, toured=False)
            assert Player(page).asked() == "choose"
            expect(page.locator("#status")).to_have_text(says)
            expect(page.locator("#story h3")).to_have_text(turn)
            expect(page.locator("#connection-text")).to_have_text(lost)
            expect(page.locator("#fair")).not_to_have_attribute("open", "")
            assert not re.search(r"\b(?:event|status|tour|seat|fair|story|banner)\.[\w.-]+", page.inner_text("body"))
