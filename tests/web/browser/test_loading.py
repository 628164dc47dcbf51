"""What a page loads: one script and one style sheet under lasting names, which the browser keeps; and that it rests."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.cases import case
from tests.web.browser.playing import Player
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot

LASTING = re.compile(r"/static/[\w./-]+\.[0-9a-f]{24}\.\w+$")

# Path and bytes on the line of each file of ours; a file from the browser's cache has none.
_LOADED = """() => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/static/"))
  .map(({ name, transferSize }) => [new URL(name).pathname, transferSize])"""

# Whether the browser has all that the lobby fetches for the table.
_FETCHED_BEFOREHAND = """() => document.body.dataset.beforehand.split(" ")
  .every((address) => performance.getEntriesByName(new URL(address, location).href).length > 0)"""
_RULEBOOK = f"() => ({_LOADED})().some(([path]) => path.includes('rulebook'))"

# The names of the animations that have begun.
_NOTE_BEGUN = """
window.begun = new Set();
addEventListener("animationstart", ({ animationName }) => window.begun.add(animationName));
"""
_MOVING = """document.getAnimations().filter(({ effect, playState }) =>
  effect.target.closest(".hole-scene") && playState === "running")"""
# The names of those that still run: an animation without an end cannot be brought to it.
_TO_THE_END = f"""() => {{
  for (const one of {_MOVING}) one.finish();
  return {_MOVING}.map(({{ animationName }}) => animationName);
}}"""
_CHANGE = f"""async () => {{
  const hole = document.querySelector("wh-hole");
  hole.data = {{ ...hole.data, tokens: 7 }};
  await null;
  return {_MOVING}.map(({{ animationName }}) => animationName);
}}"""


# The visitors have profiles of their own, which have loaded nothing yet.


def loaded(page: Page, last: str) -> dict[str, int]:
    """The files of ours that the page has loaded, with their bytes on the line, once it has the last of them."""
    page.wait_for_function(last)
    found: list[Any] = page.evaluate(_LOADED)
    return {path: size for path, size in found if not path.endswith((".svg", ".webmanifest"))}


def test_a_page_loads_one_script_and_one_style_sheet_in_one_wave(server: Server, visitors: Visitors) -> None:
    table, key = server.table([PERSON, bot(), bot()], private=True)
    listed = "() => document.documentElement.dataset.ready"
    paths = {"/games": listed, "/ladder": listed, "/rules": "() => true", f"/table/{table}#key={key}": _RULEBOOK}
    for path, last in paths.items():
        with case(path):
            page = visitors.profile().new_page()
            page.goto(path)
            files = loaded(page, last)
            assert all(LASTING.match(name) for name in files)
            assert sorted(name.rpartition(".")[2] for name in files if "/pages/" in name) == ["css", "js"]
            assert len(files) <= 3, "besides, the rule book at a table"


def test_a_table_opened_from_the_lobby_has_its_files_already(visitors: Visitors) -> None:
    page = visitors.profile().new_page()
    page.goto("/")
    first = loaded(page, _FETCHED_BEFOREHAND)
    table = {name: size for name, size in first.items() if re.search(r"/pages/(\w+/)?table\.", name)}
    assert len(table) == 2
    page.locator("#quick").click()
    assert Player(page).asked() == "choose"
    again = {name: size for name, size in loaded(page, _RULEBOOK).items() if "/pages/" in name}
    assert again == dict.fromkeys(table, 0)
    assert page.evaluate("performance.getEntriesByType('navigation')[0].transferSize") == 0, "the page itself, too"


def test_a_quick_game_that_cannot_be_set_up_says_why_and_leads_back(visitors: Visitors) -> None:
    visitors.expected += ["ERR_INTERNET_DISCONNECTED"]
    page = visitors.profile().new_page()
    page.goto("/")
    loaded(page, _FETCHED_BEFOREHAND)
    page.context.set_offline(True)
    page.locator("#quick").click()
    expect(page.locator('[data-banner="trouble"]')).to_contain_text("The server does not answer.")
    page.context.set_offline(False)
    page.locator('[data-banner="trouble"] a').click()
    expect(page.locator("#quick")).to_be_visible()


def test_a_page_that_is_opened_again_loads_nothing_again(server: Server, visitors: Visitors) -> None:
    table, key = server.table([PERSON, bot(), bot()], private=True)
    page = visitors.profile().new_page()
    page.goto(f"/table/{table}#key={key}")
    assert Player(page).asked() == "choose"
    before = loaded(page, _RULEBOOK)
    page.goto(f"/table/{table}")
    assert Player(page).asked() == "choose"
    assert loaded(page, _RULEBOOK) == dict.fromkeys(before, 0)


def test_the_watering_hole_moves_when_it_changes_and_rests_then(server: Server, visitors: Visitors) -> None:
    table, key = server.table([PERSON, bot(), bot()], private=True)
    page = visitors.arrive(reduced_motion="no-preference")
    page.add_init_script(_NOTE_BEGUN)
    page.goto(f"/table/{table}#key={key}")
    assert Player(page).asked() == "choose"
    page.wait_for_function("() => window.begun.has('reed-sway')")
    assert page.evaluate(_TO_THE_END) == []
    assert "hole-ripple" in page.evaluate(_CHANGE)
    assert page.evaluate(_TO_THE_END) == []
    endless = "() => document.getAnimations().filter(({ effect }) => effect.getTiming().iterations === Infinity).length"
    assert page.evaluate(endless) == 0


def test_nothing_moves_at_a_table_with_reduced_motion(server: Server, visitors: Visitors) -> None:
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True), reduced_motion="reduce")
    assert Player(page).asked() == "choose"
    expect(page.locator(".hole-reed")).not_to_have_count(0)
    assert page.evaluate("() => document.getAnimations().length") == 0
