"""The page is for everybody: no fault in any state, light or dark, on a phone or a desk; small, large, calm."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.cases import case
from tests.web.browser.moments import Stage
from tests.web.browser.playing import Finger, Player
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot

AXE = Path(__file__).parent.parent / "node_modules" / "axe-core" / "axe.min.js"
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 800}
NARROW: ViewportSize = {"width": 360, "height": 640}
ZOOMED: ViewportSize = {"width": 640, "height": 400}
SEEN: tuple[tuple[Literal["light", "dark"], ViewportSize], ...] = (("light", DESK), ("dark", PHONE))
"""Colours do not depend on the width, so that each has to be seen with one of the other."""

_AXE_RUN = """async (part) => (await axe.run(part, { resultTypes: ["violations"] })).violations
  .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, any }) =>
    `${target.join(" ")} ${any[0]?.message ?? ""}`).join(" | ")}`)"""

# What moves: the name of each animation, and what it moves.
_RUNNING = """() => document.getAnimations().filter(({ playState }) => playState === "running").map((one) =>
  `${one.animationName ?? one.transitionProperty ?? one.id} ${one.effect.target.outerHTML.slice(0, 120)}`)"""


# The states of a page. Those of a journey are visited in this order by one page, each from where the one before it is.


def lobby(stage: Stage, page: Page) -> None:
    stage.server.table([PERSON, PERSON, bot()], title="A table to join")
    page.goto("/")
    expect(page.locator("#create")).to_be_visible()
    expect(page.locator("#open")).to_contain_text("A table to join")


def how_to_play(stage: Stage, page: Page) -> None:  # noqa: ARG001
    """Over the lobby."""
    page.locator("#how").click()
    page.get_by_text("The traits").click()
    expect(page.locator(".trait-list dd").last).to_be_visible()
    page.get_by_text("The keyboard at a table").click()
    expect(page.locator(".keys")).to_be_visible()


def archive(stage: Stage, page: Page) -> None:  # noqa: ARG001
    _open(page, "/games")


def profile(stage: Stage, page: Page) -> None:  # noqa: ARG001
    _open(page, "/player/Ida")


def ladder(stage: Stage, page: Page) -> None:  # noqa: ARG001
    _open(page, "/ladder")


def _open(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    expect(page.locator("main a").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_count(1)


def rules(stage: Stage, page: Page) -> None:  # noqa: ARG001
    page.goto("/rules")
    expect(page.locator("h1")).to_be_visible()


def replayed(stage: Stage, page: Page) -> None:
    page.goto(f"/game/{stage.game('attack')}#step=14")
    expect(page.locator("html")).to_have_attribute("data-ready", "true")


def waiting_room(stage: Stage, page: Page) -> None:
    _sit(page, stage.server.table([PERSON, PERSON, bot()], private=True))
    expect(page.locator("#begin")).to_be_visible()


def invitation(stage: Stage, page: Page) -> None:
    table, _ = stage.server.table([PERSON, PERSON, bot()], private=True)
    page.goto(f"/table/{table}")
    expect(page.locator("#join")).to_be_visible()


def waiting_for_others(stage: Stage, page: Page) -> None:
    """For one who has gone away."""
    table, key = stage.server.table([PERSON, PERSON, bot()], private=True)
    _sit(page, (table, key))
    expect(page.locator("#invite")).to_be_visible()
    with stage.server.tab(table, name="Ben") as ben:
        ben.hear("choose")
    player = Player(page)
    assert player.asked() == "choose"
    player.put(0, "food")
    player.press("#play")
    expect(page.locator("body")).to_have_attribute("data-phase", "wait")
    expect(page.locator('wh-player[data-seat="2"]')).to_have_attribute("data-presence", "away")


def over(stage: Stage, page: Page) -> None:
    table, key = stage.server.table([PERSON, bot(), bot()], private=True)
    page.goto(f"/table/{table}?watch")
    expect(page.locator("#waiting")).to_be_visible()
    with stage.server.tab(table, name="Ann", key=key) as tab:
        tab.play()
    expect(page.locator("#end table").first).to_be_visible()


def hinted(stage: Stage, page: Page) -> None:
    """With the reasons of a hint."""
    _sit(page, stage.table("choose"))
    player = Player(page)
    assert player.asked() == "choose"
    player.press("#hint")
    expect(page.locator("#hint-line")).to_be_visible()


def choosing(stage: Stage, page: Page) -> None:  # noqa: ARG001
    """Instead of what the hint has proposed: a plan, a card in hand, and a reason why the plan cannot be played."""
    player = Player(page)
    player.press("#clear")
    player.put(0, "population:0")
    player.put(1, "board")
    player.put(2, "new-trait:2")
    player.card(3).click()
    player.open_places()
    page.locator("#play").click()
    expect(page.locator("#reason")).to_be_visible()


def leaving(stage: Stage, page: Page) -> None:  # noqa: ARG001
    """The table at which cards are chosen."""
    page.locator("a.home").click()
    expect(page.locator("#stay")).to_be_focused()


def own_games(stage: Stage, page: Page) -> None:  # noqa: ARG001
    """The lobby of one who has left a table."""
    page.goto("/")
    expect(page.locator("#own-games-list .continue").first).to_be_visible()


def feeding(stage: Stage, page: Page) -> None:
    _sit(page, stage.table("attack"))
    assert Player(page).asked() == "feed"
    page.locator("[data-feed^=attack]").first.click()
    expect(page.locator("[data-target][data-open]").first).to_be_visible()


def lesson(stage: Stage, page: Page) -> None:  # noqa: ARG001
    page.goto("/learn")
    player = Player(page)
    player.put(1, "food")
    player.press("#play")
    expect(page.locator("#reason")).to_be_visible()


def lessons_end(stage: Stage, page: Page) -> None:  # noqa: ARG001
    page.evaluate("localStorage.setItem('wateringhole.lesson', '7')")
    page.goto("/learn")
    page.locator('[data-feed="graze:0"]').click()
    expect(page.locator("#first-game")).to_be_visible()


def _sit(page: Page, made: tuple[str, str]) -> None:
    page.goto(f"/table/{made[0]}#key={made[1]}")


State = Callable[[Stage, Page], None]
WHOLE = "html"
JOURNEYS: dict[str, dict[State, str]] = {
    "reading": dict.fromkeys((lobby, archive, profile, ladder, rules, replayed), WHOLE),
    "waiting": dict.fromkeys((waiting_room, invitation, waiting_for_others, over), WHOLE),
    "choosing": {hinted: "#dock", choosing: WHOLE, leaving: "dialog", own_games: "#own-games", how_to_play: "dialog"},
    "feeding": dict.fromkeys((feeding, lesson, lessons_end), WHOLE),
}
"""Each state with the part of its page that no other state shows as well."""
every_journey = pytest.mark.parametrize("journey", JOURNEYS.values(), ids=JOURNEYS)


@every_journey
def test_no_state_has_a_barrier_or_scrolls_sideways_or_moves(
    stage: Stage, actors: Visitors, journey: dict[State, str]
) -> None:
    page = actors.arrive()
    for state, part in journey.items():
        with case(state.__name__):
            state(stage, page)
            is_without_fault(page, part)


def is_without_fault(page: Page, part: str) -> None:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    for scheme, size in SEEN:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert page.evaluate(_AXE_RUN, part) == [], f"{scheme}, {size['width']} wide"
    for size in (NARROW, ZOOMED, DESK):
        page.set_viewport_size(size)
        wide = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide[0] <= wide[1], f"{wide[0]} pixels in a window of {wide[1]}"
        assert page.evaluate(_RUNNING) == []


def test_an_empty_list_and_pages_of_wrong_addresses_have_not_even_a_small_fault(stage: Stage, actors: Visitors) -> None:
    actors.expected += ["404"]
    stage.server.table([PERSON, PERSON, bot()], title="A table to join")
    wrong = ("/table/NOPE", "/game/NOPE", "/player/NOBODY", "/tournament/NOPE", "/nope")
    page = actors.arrive()
    for address in ("/tournaments", *wrong):
        answer = page.goto(address)
        assert answer is not None
        if address not in wrong:
            expect(page.locator("html")).to_have_attribute("data-ready", "true")
        page.evaluate(AXE.read_text())
        with case(address):
            assert answer.status == (404 if address in wrong else 200)
            assert page.evaluate(_AXE_RUN, WHOLE) == []
            expect(page.get_by_role("heading", level=1)).to_have_count(1)
            if address in wrong:
                expect(page.get_by_role("main").get_by_role("link")).not_to_have_count(0)


def test_at_twice_the_size_a_turn_can_still_be_played(stage: Stage, actors: Visitors) -> None:
    page = actors.host(stage.table("choose"), viewport=ZOOMED, device_scale_factor=2)
    player = Player(page)
    player.answer(player.asked())
    player.asked()


def test_an_attack_is_made_by_touch_on_a_phone(stage: Stage, actors: Visitors) -> None:
    page = actors.host(stage.table("attack"), viewport=PHONE, has_touch=True, is_mobile=True)
    finger = Finger(page)
    phase = finger.asked()
    # A tap on a trait explains it, also where a tap on the rest of its board feeds or attacks.
    explained(page, "#mine wh-board[data-state=pick] wh-trait")
    finger.press("[data-feed^=attack]")
    expect(page.locator("[data-prey]").first).to_contain_text(re.compile(r"\d animals?, \d fed, body \d, \w"))
    expect(page.locator("wh-board[data-state=target]").first).to_be_in_viewport(ratio=1)
    explained(page, "wh-board[data-state=target] wh-trait")
    finger.press("#attack-back")
    # The story opens at its newest line.
    page.locator("#story-box > summary").tap()
    page.wait_for_function(
        "() => { const { scrollTop, scrollHeight, clientHeight } = document.getElementById('story');"
        " return scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1; }"
    )
    attacks = page.locator('#story li[data-kind="Attacked"]').count()
    finger.answer(phase)
    expect(page.locator('#story li[data-kind="Attacked"]')).not_to_have_count(attacks)
    assert finger.did["attack"] == 1


def explained(page: Page, trait: str) -> None:
    """A tap on this trait opens its tooltip."""
    page.locator(trait).first.tap()
    expect(page.locator(".tip")).to_contain_text(page.locator(trait).first.get_attribute("aria-label") or "no name")
    expect(page.locator("body")).to_have_attribute("data-phase", "feed")


def test_a_card_can_be_dragged_by_finger(server: Server, visitors: Visitors) -> None:
    page = visitors.host(
        server.table([PERSON, bot(), bot()], private=True), viewport=PHONE, has_touch=True, is_mobile=True
    )
    player = Player(page)
    assert player.asked() == "choose"
    # In one step: the page may draw its places anew while Playwright waits for one to rest.
    page.locator('[data-place="food"]').evaluate("(place) => place.scrollIntoView({ block: 'nearest' })")
    touch = page.context.new_cdp_session(page)
    start, end = _middle(page, '[data-card="1"]'), _middle(page, "[data-place=food]")
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [start]})
    for part in (0.1, 0.3, 0.6, 1.0):
        point = {axis: start[axis] + (end[axis] - start[axis]) * part for axis in ("x", "y")}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator('#plan [data-use="food"]')).to_have_count(1)


def _middle(page: Page, selector: str) -> dict[str, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
