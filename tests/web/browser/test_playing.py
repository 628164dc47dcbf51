"""Whole games of a person against three bots: by mouse, by keys. Deck and bots are always the same; the page moves."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.playing import Keyboard, Mouse
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, bot, serving

SEED = "3"
"""With this one there is something to feed before the first hint, whoever gives it."""

# On a busy machine the browser itself sends a move, of no distance, for a pointer that was never put anywhere.
NOTE_POINTERS = """
window.pointed = [];
for (const kind of ["mousedown", "mousemove", "pointerdown", "pointermove", "touchstart", "wheel"]) {
  addEventListener(kind, (event) => {
    const own = kind.endsWith("move") && !(event.movementX || event.movementY || event.clientX || event.clientY);
    if (!own) window.pointed.push(kind);
  }, { capture: true });
}
"""


@pytest.fixture
def table(chromium: Browser) -> Iterator[Page]:
    """A page at the first table of a server, where nothing was asked yet."""
    with serving("--seed", SEED) as server, Visitors(chromium, server.base) as visitors:
        known, key = server.table([PERSON, bot(), bot(), bot()], private=True)
        page = visitors.arrive(reduced_motion="no-preference")
        page.add_init_script(NOTE_POINTERS)
        page.goto(f"/table/{known}#key={key}")
        page.evaluate("window.sameDocument = true")
        yield page
        assert page.evaluate("window.sameDocument"), "the page was loaded anew"
        expect(page.locator("#end .end-ranking tbody tr")).to_have_count(4)
        expect(page.locator("#end .end-ranking")).to_contain_text("Ann (you)")
        expect(page.locator("#end h2")).to_contain_text("win")
        expect(page.locator("#status")).to_have_text("The game is over")


def test_a_person_plays_a_complete_game_against_three_bots_by_mouse(table: Page) -> None:
    player = Mouse(table)
    player.play_game()
    assert {"dragged", "clicked", "hint", "choose", "feed", "graze"} <= set(player.did)


def test_a_person_plays_a_complete_game_by_keys_alone(table: Page) -> None:
    player = Keyboard(table)
    assert player.asked() == "choose"
    player.put(player.hand()[0], "food")
    player.key("u")
    expect(table.locator("#plan li")).to_have_count(0)
    player.did.clear()
    player.play_game()
    assert table.evaluate("window.pointed") == []
    assert {"spelled", "walked", "hint", "choose", "feed", "graze"} <= set(player.did)
