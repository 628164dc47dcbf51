"""Whole games of a person against three bots: by mouse, by keys, by touch."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, expect

from tests.web.browser.playing import Finger, Keyboard, Mouse
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot

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


@contextmanager
def seated(server: Server, visitors: Visitors, **options: Any) -> Iterator[Page]:
    """A page at a table where nothing was asked yet; in the end the game is over."""
    known, key = server.table([PERSON, bot(), bot(), bot()], private=True)
    page = visitors.arrive(**options)
    page.add_init_script(NOTE_POINTERS)
    page.goto(f"/table/{known}#key={key}")
    page.evaluate("window.sameDocument = true")
    yield page
    assert page.evaluate("window.sameDocument"), "the page was loaded anew"
    expect(page.locator("#end .end-ranking tbody tr")).to_have_count(4)
    expect(page.locator("#end .end-ranking")).to_contain_text("Ann (you)")
    expect(page.locator("#end h2")).to_contain_text("win")
    expect(page.locator("#status")).to_have_text("The game is over")


def test_a_person_plays_a_complete_game_against_three_bots_by_mouse(server: Server, visitors: Visitors) -> None:
    with seated(server, visitors, reduced_motion="no-preference") as table:
        player = Mouse(table, plans=2)
        # The first cards while pieces move; to draw the motions of all turns takes longer than the rest of the test.
        player.answer(player.asked())
        table.emulate_media(reduced_motion="reduce")
        table.locator("#settings").click()
        table.get_by_label("Events at the table").select_option("all at once")
        table.keyboard.press("Escape")
        player.play_game()
    assert {"dragged", "clicked", "hint", "choose", "feed", "graze"} <= set(player.did)


def test_a_person_plays_a_complete_game_by_keys_alone(server: Server, visitors: Visitors) -> None:
    with seated(server, visitors) as table:
        player = Keyboard(table, plans=2)
        assert player.asked() == "choose"
        player.put(player.hand()[0], "food")
        player.key("u")
        expect(table.locator("#plan li")).to_have_count(0)
        player.did.clear()
        player.play_game()
        assert table.evaluate("window.pointed") == []
    assert {"spelled", "walked", "hint", "choose", "feed", "graze"} <= set(player.did)


def test_a_person_plays_a_complete_game_on_a_phone_by_touch_alone(server: Server, visitors: Visitors) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with seated(server, visitors, **phone) as table:
        player = Finger(table, plans=2)
        player.play_game()
        assert table.evaluate("window.pointed.includes('wheel')") is False
        assert table.evaluate("visualViewport.scale") == 1
    assert {"placed", "hint", "choose", "feed", "graze"} <= set(player.did)
