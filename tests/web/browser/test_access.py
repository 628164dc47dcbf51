"""The page is for everybody: no fault in any state, light or dark, on a phone or a desk; small, large, calm."""

import re
from contextlib import ExitStack
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.cases import case
from tests.web.browser.moments import Stage
from tests.web.browser.playing import Finger, Player
from tests.web.browser.states import JOURNEYS, State, Visit
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot

AXE = Path(__file__).parent.parent / "node_modules" / "axe-core" / "axe.min.js"
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 800}
NARROW: ViewportSize = {"width": 360, "height": 640}
ZOOMED: ViewportSize = {"width": 640, "height": 400}
SEEN: tuple[tuple[Literal["light", "dark"], ViewportSize], ...] = (("light", DESK), ("dark", PHONE))
"""Colours do not depend on the width, so that each has to be seen with one of the other."""

_AXE_RUN = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, any }) =>
    `${target.join(" ")} ${any[0]?.message ?? ""}`).join(" | ")}`)"""

# What moves: the name of each animation, and what it moves.
_RUNNING = """() => document.getAnimations().filter(({ playState }) => playState === "running").map((one) =>
  `${one.animationName ?? one.transitionProperty ?? one.id} ${one.effect.target.outerHTML.slice(0, 120)}`)"""


@pytest.mark.parametrize("journey", JOURNEYS.values(), ids=JOURNEYS)
def test_no_state_has_a_barrier_or_scrolls_sideways_or_moves(
    stage: Stage, actors: Visitors, journey: tuple[State, ...]
) -> None:
    with ExitStack() as company:
        visit = Visit(stage, actors.arrive(), company)
        for state in journey:
            with case(state.__name__):
                state(visit)
                is_without_fault(visit.page)


def is_without_fault(page: Page) -> None:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    for scheme, size in SEEN:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert page.evaluate(_AXE_RUN) == [], f"{scheme}, {size['width']} wide"
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
            assert page.evaluate(_AXE_RUN) == []
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
