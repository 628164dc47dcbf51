"""Every button that is asked for can be seen and hit: on phones, tablets and desks, with few and with many cards."""

from typing import Final

from playwright.sync_api import Page, ViewportSize, expect

from tests.cases import case
from tests.web.browser.moments import HANDS, HERDS, Stage
from tests.web.browser.playing import NEXT_FRAME, Player
from tests.web.browser.visitors import Visitors

PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
SIZES: Final[tuple[ViewportSize, ...]] = (
    PHONE,
    {"width": 360, "height": 640},
    {"width": 844, "height": 390},
    {"width": 768, "height": 1024},
    {"width": 1280, "height": 800},
    {"width": 1440, "height": 900},
)

# What is wrong with these buttons: outside of the window, under something else, too small for a finger.
_FAULTS: Final = """(selector) => [...document.querySelectorAll(selector)].flatMap((one) => {
  const box = one.getBoundingClientRect();
  if (box.width === 0) return [];
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const inside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  const finger = matchMedia("(pointer: coarse)").matches ? 43.9 : 0;
  const name = `${one.id || Object.values(one.dataset).slice(0, 2)} ${Math.round(box.left)} ${Math.round(box.top)}`
    + ` ${Math.round(box.width)}x${Math.round(box.height)}`;
  return [inside ? "" : `${name} is outside`, one.contains(hit) ? "" : `${name} is under ${hit?.id || hit?.className}`,
    box.width >= finger && box.height >= finger ? "" : `${name} is small`].filter(Boolean);
})"""

# How far the own boards are from being between the header and the dock: the first one at least, or all of them.
_HIDDEN: Final = """(selector) => {
  const top = document.querySelector("#top").getBoundingClientRect().bottom;
  const bottom = document.querySelector("#dock").getBoundingClientRect().top;
  return [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect())
    .map((box) => Math.round(Math.max(0, top - box.top, box.bottom - bottom))).filter((hidden) => hidden > 0);
}"""


# How many cards each row of the hand has.
_ROWS: Final = """(cards) => Object.values(Object.groupBy(cards, (one) => one.offsetTop)).map((row) => row.length)"""


def faults(page: Page, selector: str) -> list[str]:
    assert page.locator(selector).count() > 0, selector
    found: list[str] = page.evaluate(_FAULTS, selector)
    return found


def hidden(page: Page, selector: str) -> list[int]:
    page.evaluate(NEXT_FRAME)
    found: list[int] = page.evaluate(_HIDDEN, selector)
    return found


def test_every_card_button_and_place_can_be_seen_and_hit_while_cards_are_chosen(stage: Stage, actors: Visitors) -> None:
    page = actors.arrive(viewport=PHONE, has_touch=True, is_mobile=True)
    for cards in HANDS:
        table, key = stage.table(f"{cards} cards")
        page.set_viewport_size(PHONE)
        page.goto(f"/table/{table}#key={key}")
        player = Player(page)
        assert player.asked() == "choose"
        expect(page.locator("#hand [data-card]")).to_have_count(cards)
        for size in SIZES:
            with case(f"{cards} cards, {size['width']} x {size['height']}"):
                page.set_viewport_size(size)
                assert faults(page, "#hand [data-card], #buttons button") == []
                rows = page.locator("#hand [data-card]").evaluate_all(_ROWS)
                assert max(rows) - min(rows) < len(rows), "the rows have as many cards each"
                page.keyboard.press(str(min(cards, 9)))
                player.open_places()
                assert faults(page, "#mine [data-place], #put-back") == []
                page.locator("#put-back").tap()
                expect(page.locator("#hand [aria-pressed=true]")).to_have_count(0)


def test_every_feeding_can_be_seen_and_hit_and_so_can_the_prey(stage: Stage, actors: Visitors) -> None:
    page = actors.arrive(viewport=SIZES[1], has_touch=True, is_mobile=True)
    for boards in HERDS:
        table, key = stage.table(f"{boards} boards")
        page.set_viewport_size(SIZES[1])
        page.goto(f"/table/{table}#key={key}")
        assert Player(page).asked() == "feed"
        expect(page.locator("#mine [data-board]")).to_have_count(boards)
        with case(f"{boards} boards"):
            assert hidden(page, "#mine [data-board='0'] wh-board") == []
            for size in SIZES:
                with case(f"{boards} boards, {size['width']} x {size['height']}"):
                    page.set_viewport_size(size)
                    assert faults(page, "#feed-options button, #decline, #hint") == []
                    hunters = page.locator("[data-feed^=attack]")
                    if hunters.count():
                        hunters.first.tap()
                        expect(page.locator("[data-prey]").first).to_be_visible()
                        assert faults(page, "#feed-options button, #decline") == []
                        page.locator("#attack-back").tap()


def test_own_boards_are_never_under_the_dock_of_a_small_laptop(stage: Stage, actors: Visitors) -> None:
    page = actors.host(stage.table("14 cards"), viewport={"width": 1280, "height": 800})
    player = Player(page)
    assert player.asked() == "choose"
    assert hidden(page, "#mine > *") == []
    assert page.locator("#hand [data-card]").evaluate_all("all => new Set(all.map((one) => one.offsetTop)).size") == 1
    player.press("#hint")
    expect(page.locator("#plan [data-use=food]")).to_have_count(1)
    expect(page.locator("#plan-count")).to_contain_text("scroll for more")
    assert hidden(page, "#mine [data-board='0'] wh-board") == []
    # A card in the middle of the fan lies on top of its neighbours under the pointer.
    card = player.card(6)
    card.hover()
    assert card.evaluate("(card) => getComputedStyle(card).zIndex") == "1"
