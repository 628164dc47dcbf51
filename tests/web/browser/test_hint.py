"""What the page explains by itself: a hint with its reasons, and what a trait does, by pointer and by finger."""

import re

from playwright.sync_api import Page, ViewportSize, expect

from tests.web.browser.moments import Stage
from tests.web.browser.playing import NEXT_FRAME, Finger, Player
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot

PHONE: ViewportSize = {"width": 390, "height": 844}
HINTED = "#dock [data-hint], #mine [data-hint]:not([data-feed^=attack]), button[data-target][data-open]"
"""What a hint for a feeding marks: a button in the dock or on a board, or the prey."""

# What the bubble covers of the hand and of the lines above it.
_COVERED = """() => {
  const tip = document.querySelector(".tip").getBoundingClientRect();
  return [...document.querySelectorAll("#hand [data-card], #reason, #hint-line")].filter((one) => {
    const { left, right, top, bottom, width } = one.getBoundingClientRect();
    return width > 0 && left < tip.right && right > tip.left && top < tip.bottom && bottom > tip.top;
  }).map((one) => one.outerHTML.slice(0, 80));
}"""


def test_a_hint_for_the_cards_says_why_and_is_taken_back(server: Server, visitors: Visitors) -> None:
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True))
    player = Player(page)
    line = page.locator("#hint-line")
    assert player.asked() == "choose"
    expect(line).to_be_hidden()
    player.put(1, "food")
    player.press("#hint")
    expect(line).to_contain_text("The hint has replaced your plan. Card ")
    expect(line).to_contain_text(re.compile(r"\d new boards? brings? a card more .*dies? out"))
    expect(page.locator("#plan li").nth(1)).to_be_visible()
    player.press("#undo-hint")
    expect(page.locator("#plan li")).to_have_count(1)
    expect(line).to_be_hidden()
    player.press("#clear")
    player.press("#hint")
    expect(line).to_contain_text("Hint: here is a plan. Card ")
    # A refusal is in its place as long as it is shown.
    page.locator("#mine [data-place]").first.click()
    expect(page.locator("#reason")).to_be_visible()
    expect(line).to_be_hidden()
    page.keyboard.press("Escape")
    expect(line).to_be_visible()
    player.press("#play")
    expect(line).to_be_hidden()


def test_a_hint_for_a_feeding_names_boards_by_letter_and_goes_with_the_answer(stage: Stage, actors: Visitors) -> None:
    page = actors.arrive()
    for moment, says in {
        "graze": r"^Hint: board [A-Z]+ grazes, because it gets \d token",
        "attack": r"^Hint: board [A-Z]+ (grazes|attacks [\w ]+'s board [A-Z]+), because ",
    }.items():
        table, key = stage.table(moment)
        page.goto(f"/table/{table}#key={key}")
        player = Player(page)
        assert player.asked() == "feed"
        player.press("#hint")
        expect(page.locator("#hint-line")).to_have_text(re.compile(says))
        expect(page.locator("#live")).to_have_text(re.compile(says))
        # It is left to the player.
        if moment == "graze":
            expect(page.locator("[data-feed][data-hint]")).to_have_count(1)
        expect(page.locator("body")).to_have_attribute("data-phase", "feed")
        page.locator(HINTED).first.click()
        expect(page.locator("#hint-line")).to_be_hidden()


def test_a_card_explains_its_trait_beside_the_hand_until_it_is_pressed(server: Server, visitors: Visitors) -> None:
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True))
    player = Player(page)
    tip = page.locator(".tip")
    assert player.asked() == "choose"
    for card in range(page.locator("#hand [data-card]").count()):
        page.mouse.move(5, 5)
        trait = player.card(card).locator("wh-trait")
        trait.hover()
        expect(tip).to_contain_text(trait.inner_text())
        assert page.evaluate(_COVERED) == []
    words = tip.inner_text().split("\n")[-1]
    for sign, says in {".board-body": "body 0", ".board-counts .board-sign": "1 animal, 0 fed"}.items():
        page.locator(f"#mine {sign}").hover()
        expect(tip).to_contain_text(says)
    player.card(card).click()
    expect(tip).to_be_hidden()
    expect(page.locator("#plan-state")).to_contain_text(words)
    page.locator("#mine [data-place][data-state=open]").first.wait_for()
    page.keyboard.press("Escape")
    page.mouse.move(5, 5)
    page.keyboard.press("g")
    expect(player.card(0)).to_be_focused()
    expect(tip).to_contain_text(player.card(0).locator("wh-trait").inner_text())
    assert page.evaluate(_COVERED) == []
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


def test_a_new_deal_under_a_resting_pointer_opens_no_tooltip(server: Server, visitors: Visitors) -> None:
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True))
    player = Player(page)
    assert player.asked() == "choose"
    player.press("#hint")
    expect(page.locator("#plan-state")).to_contain_text("Ready")
    page.evaluate(NEXT_FRAME)
    told = page.locator("#story li").count()
    player.card(0).locator("wh-trait").hover()
    expect(page.locator(".tip")).to_be_visible()
    page.keyboard.press("Control+Enter")
    page.wait_for_function("(told) => document.querySelectorAll('#story li').length > told + 5", arg=told)
    expect(page.locator(".tip")).to_be_hidden()


def test_a_finger_that_takes_a_card_reads_what_it_does_in_the_dock(server: Server, visitors: Visitors) -> None:
    page: Page = visitors.host(
        server.table([PERSON, bot(), bot()], private=True), viewport=PHONE, has_touch=True, is_mobile=True
    )
    finger = Finger(page)
    assert finger.asked() == "choose"
    note = finger.card(1).locator("wh-trait").get_attribute("aria-describedby")
    does = page.locator(f"#{note}").text_content()
    assert does
    finger.card(1).tap()
    finger.open_places()
    expect(page.locator("#plan-state")).to_contain_text(does)
    expect(page.locator(".tip")).to_have_count(0)
