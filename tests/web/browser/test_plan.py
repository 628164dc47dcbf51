"""Choosing cards: what is refused and why, the plan and its preview, and feeding with everything it takes."""

import re
from typing import Final

from playwright.sync_api import Page, expect

from tests.web.browser.moments import Stage
from tests.web.browser.playing import Keyboard, Mouse, Player
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot

KEEP_LINE: Final = """
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function (data) { window.line = this; return send.call(this, data); };
"""
# The page hears each message first.
OBJECTED: Final = """(answer) => new Promise((heard) => {
  line.addEventListener("message", ({ data }) => JSON.parse(data).id === answer.id && heard(JSON.parse(data).type));
  line.send(JSON.stringify(answer));
})"""


def texts(page: Page) -> list[str]:
    """The plan in words."""
    return page.locator("#plan .entry-text").all_inner_texts()


def boards(page: Page) -> list[str]:
    """The own boards in words, without the tags that mark what is new."""
    labels = page.locator("#mine wh-board").evaluate_all("all => all.map((one) => one.ariaLabel)")
    return [label.split(";")[0] for label in labels]


def sitting(server: Server, visitors: Visitors) -> Player:
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True))
    player = Player(page)
    assert player.asked() == "choose"
    return player


def use_all_but_one(player: Player) -> None:
    """Of the four cards of the first turn only the last is left, which must go to the watering hole."""
    player.put(0, "population:0")
    player.put(1, "body:0")
    player.put(2, "board")
    expect(player.page.locator("#mine wh-board")).to_have_count(2)


def test_a_refused_drop_or_click_shows_its_reason_with_a_link_to_the_rule_and_changes_nothing(
    server: Server, visitors: Visitors
) -> None:
    player = sitting(server, visitors)
    page = player.page
    use_all_but_one(player)
    before = (texts(page), boards(page))
    Mouse(page).drag(3, "population:0")
    reason = page.locator("#reason")
    expect(reason).to_be_visible()
    expect(reason).to_have_attribute("role", "alert")
    expect(reason).to_contain_text("watering hole")
    reason.locator(".rule-button").click()
    link = reason.locator("a.rule-link")
    expect(link).to_have_text("cardplay.shape")
    expect(link).to_have_attribute("href", "/rules#cardplayshape")
    assert (texts(page), boards(page)) == before
    with page.context.expect_page() as opened:
        link.click()
    expect(opened.value.locator("#cardplayshape")).to_be_in_viewport()
    opened.value.close()
    reason.get_by_role("button", name="Close this message").click()
    expect(reason).to_be_hidden()
    # A click keeps the card in hand.
    player.card(3).click()
    player.open_places()
    expect(player.place("board")).to_have_attribute("data-state", "blocked")
    player.place("board").click()
    expect(reason).to_contain_text("watering hole")
    expect(player.card(3)).to_have_attribute("aria-pressed", "true")
    player.place("food").click()
    expect(page.locator("#plan li")).to_have_count(4)
    expect(reason).to_be_hidden()


def test_an_objection_is_shown_only_to_the_request_that_is_open(server: Server, visitors: Visitors) -> None:
    page = visitors.arrive()
    page.add_init_script(KEEP_LINE)
    table, key = server.table([PERSON, bot(), bot()], private=True)
    page.goto(f"/table/{table}#key={key}")
    assert Player(page).asked() == "choose"
    reason = page.locator("#reason")
    twice = {"move": "play", "food": 1, "body": [{"board": 0, "card": 1}]}
    for number in (1, 2):  # the first request of the game is open, the second is not
        assert page.evaluate(OBJECTED, {"type": "answer", "id": number, "answer": twice}) == "objection"
        expect(reason).to_contain_text("Each card can be used only once.")


def test_a_plan_without_food_is_not_played_and_the_page_says_why(server: Server, visitors: Visitors) -> None:
    player = sitting(server, visitors)
    page = player.page
    player.put(0, "body:0")
    expect(page.locator("#plan-state")).to_have_text("Still missing: a card for the watering hole.")
    player.press("#play")
    expect(page.locator("#reason")).to_contain_text("watering hole")
    expect(page.locator("body")).to_have_attribute("data-phase", "choose")


def test_the_boards_show_what_the_plan_makes_of_them(server: Server, visitors: Visitors) -> None:
    player = sitting(server, visitors)
    page = player.page
    assert boards(page) == ["board A: 1 animal, 0 fed, body 0, no traits"]
    player.put(0, "population:0")
    board = page.locator("#mine wh-board")
    expect(board).to_have_attribute("aria-label", re.compile("^board A: 2 animals, 0 fed, body 0, no traits"))
    expect(board).to_have_attribute("data-state", "changed")
    expect(page.locator("#mine .pip-planned")).to_have_count(1)
    player.put(1, "board")
    expect(page.locator("#mine wh-board").nth(1)).to_have_attribute("data-state", "new")
    trait = player.card(2).locator("wh-trait").get_attribute("data-trait")
    assert trait is not None
    player.put(2, "new-trait:1")
    expect(page.locator("#mine wh-board").nth(1).locator("wh-trait")).to_have_attribute("data-trait", trait)
    assert boards(page)[1].startswith("board B: 1 animal, 0 fed, body 0, ")
    # What is planned can be taken out where it is shown: the trait, the animal, the board.
    expect(player.place("trait:1:0")).to_have_attribute("data-planned", "")
    for place, left in ((player.place("trait:1:0"), 2), (player.place("population:0"), 1)):
        place.locator("xpath=following-sibling::button").click()
        expect(page.locator("#plan li")).to_have_count(left)
    page.locator("#mine .board-drop").click()
    expect(page.locator("#plan li")).to_have_count(0)
    expect(page.locator("#mine wh-board")).to_have_count(1)
    expect(page.locator("#mine :is(.pip-planned, [data-unplan])")).to_have_count(0)


def test_a_plan_can_be_undone_reordered_taken_back_and_cleared(stage: Stage, actors: Visitors) -> None:
    page = actors.host(stage.table("choose"))
    player = Player(page)
    assert player.asked() == "choose"
    untouched = boards(page)
    player.put(0, "food")
    player.put(1, "board")
    player.put(2, "board")
    player.put(3, "new-trait:3")
    planned = texts(page)
    assert len(planned) == 4
    third, fourth = (page.locator("#mine wh-board").nth(at).get_attribute("data-letter") for at in (2, 3))
    assert planned[1:3] == [f"pays for new board {third}", f"pays for new board {fourth}"]
    expect(page.locator("#plan-count")).to_contain_text("Your plan: 4 cards")
    player.press("#undo")
    expect(page.locator("#plan li")).to_have_count(3)
    player.put(3, "new-trait:3")
    assert texts(page) == planned
    # The second new board becomes the first; its trait goes with it.
    page.locator("#plan li").nth(2).locator('[data-act="up"]').click()
    expect(page.locator("#plan .entry-text").nth(3)).to_contain_text(f"on new board {third}")
    expect(page.locator("#mine wh-board").nth(2).locator("wh-trait")).to_have_count(1)
    player.press("#undo")
    expect(page.locator("#plan .entry-text").nth(3)).to_contain_text(f"on new board {fourth}")
    # What refers to a board goes with it.
    page.locator("#plan li").nth(2).locator('[data-act="remove"]').click()
    expect(page.locator("#plan li")).to_have_count(2)
    expect(page.locator("#mine wh-board")).to_have_count(len(untouched) + 1)
    player.press("#clear")
    expect(page.locator("#plan li")).to_have_count(0)
    expect(page.locator("#mine wh-board")).to_have_count(len(untouched))
    assert boards(page) == untouched
    player.press("#undo")
    expect(page.locator("#plan li")).to_have_count(2)


def test_a_card_of_the_plan_moves_when_it_is_put_elsewhere(server: Server, visitors: Visitors) -> None:
    player = sitting(server, visitors)
    page = player.page
    player.put(0, "food")
    player.card(1).click()
    player.open_places()
    player.place("food").click()
    expect(page.locator('#hand [data-card="0"]:not([data-used])')).to_have_count(1)
    expect(page.locator("#plan li")).to_have_count(1)
    Mouse(page).drag(1, "body:0")
    expect(page.locator("#plan .entry-text")).to_have_text(["one more body size on board A"])


def test_an_attack_is_two_clicks_and_a_safe_board_says_why_it_is_safe(stage: Stage, actors: Visitors) -> None:
    page = actors.host(stage.table("attack"))
    player = Player(page)
    assert player.asked() == "feed"
    page.locator("[data-feed^=attack]").first.click()
    expect(page.locator("#feed-state")).to_contain_text("choose its prey")
    told = page.locator("#story li").count()
    attacks = page.locator('#story li[data-kind="Attacked"]').count()
    page.locator("#others [data-target]:not([data-open])").first.click()
    expect(page.locator("#reason")).to_be_visible()
    expect(page.locator("#story li")).to_have_count(told)
    # The dock names the prey that the boards of the others show.
    targets = page.locator("#others [data-target][data-open]").evaluate_all(
        "all => all.map((one) => one.dataset.target)"
    )
    preys = page.locator("[data-prey]").evaluate_all("all => all.map((one) => one.dataset.prey)")
    assert sorted(preys) == sorted(targets)
    # A trait of the prey explains itself under the pointer, and is pressed with its board.
    trait = page.locator("#others wh-board[data-state=target] wh-trait").first
    trait.hover()
    expect(page.locator(".tip")).to_contain_text(trait.get_attribute("aria-label") or "no name")
    trait.click()
    expect(page.locator('#story li[data-kind="Attacked"]').nth(attacks)).to_be_visible()


def test_fat_is_stored_by_keys_with_a_number_of_ones_own(stage: Stage, actors: Visitors) -> None:
    page = actors.host(stage.table("store"))
    player = Keyboard(page)
    assert player.asked() == "feed"
    store = page.locator("[data-feed^=store]").first
    expect(store).to_have_text(re.compile(r"^Board [A-Z] stores 3 fat$"))
    player.tab_to("[data-fat='-1']")
    for _ in range(7):
        player.key("Enter")
    expect(store).to_contain_text("stores 1 fat")
    stored = page.locator('#story li[data-kind="FatStored"]').count()
    player.press(f'[data-feed="{store.get_attribute("data-feed")}"]')
    expect(page.locator('#story li[data-kind="FatStored"]').nth(stored)).to_be_visible()
    # The next request offers what the board can still store, not the number of the last one.
    expect(store).to_contain_text("stores 2 fat")


def test_an_attack_by_keys_leads_the_focus_to_the_prey_and_back(stage: Stage, actors: Visitors) -> None:
    page = actors.host(stage.table("attack"))
    player = Keyboard(page)
    assert player.asked() == "feed"
    player.key("g")
    expect(page.locator("[data-feed]").first).to_be_focused()
    player.press("[data-feed^=attack]")
    expect(page.locator("[data-prey]:focus")).to_have_count(1)
    player.key("Escape")
    expect(page.locator("[data-feed^=attack]:focus")).to_have_count(1)
    attacks = page.locator('#story li[data-kind="Attacked"]').count()
    player.key("Enter")
    expect(page.locator("[data-prey]:focus")).to_have_count(1)
    player.key("Enter")
    expect(page.locator('#story li[data-kind="Attacked"]').nth(attacks)).to_be_visible()


def test_a_board_that_cannot_feed_says_why_and_a_decline_can_be_taken_back(stage: Stage, actors: Visitors) -> None:
    """The seconds in which it can be taken back are those of a clock that stands still until the test lets it run."""
    table, key = stage.table("graze")
    page = actors.profile().new_page()  # a clock is that of the whole profile
    page.clock.install()
    page.goto(f"/table/{table}#key={key}")
    player = Keyboard(page)
    assert player.asked() == "feed"
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 3600"))
    page.locator("#mine .why-not").first.click()
    expect(page.locator("#reason")).to_have_text("All its animals are fed.")
    told = page.locator("#story li").count()
    declined = page.locator('#story li[data-kind="Declined"]').count()
    feedings = page.locator("[data-feed]").count()
    undo = page.locator("#undo-decline")
    for take_back in (lambda: player.key("u"), undo.click, page.reload):
        player.key("d")
        expect(page.locator(".declined")).to_have_text("You feed no more this turn.")
        expect(undo).to_be_focused()
        expect(page.locator("[data-feed]")).to_have_count(0)
        page.clock.run_for(2_000)
        expect(undo).to_have_text("Undo (1)")
        take_back()
        expect(page.locator("[data-feed]")).to_have_count(feedings)
        page.clock.run_for(2_000)
    expect(page.locator("#story li")).to_have_count(told)
    player.press("#decline")
    for seconds in (3, 2, 1):
        expect(undo).to_have_text(f"Undo ({seconds})")
        page.clock.run_for(1_000)
    expect(page.locator('#story li[data-kind="Declined"]').nth(declined)).to_be_visible()
    assert not player.is_at("body")


def test_one_key_leads_to_the_hand_and_one_plays_the_plan(server: Server, visitors: Visitors) -> None:
    page = sitting(server, visitors).page
    page.keyboard.press("g")
    expect(page.locator("#hand button").first).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("f")
    expect(page.locator("[data-entry]")).to_have_count(1)
    page.keyboard.press("2")
    expect(page.locator('[data-card="1"]')).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("p")
    expect(page.locator("[data-entry]")).to_have_count(2)
    # A hint replaces the plan, and says so.
    page.keyboard.press("h")
    expect(page.locator("#hint-line")).to_contain_text("The hint has replaced your plan.")
    page.keyboard.press("u")
    expect(page.locator("[data-entry]")).to_have_count(2)
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-entry]")).to_have_count(0)
    expect(page.locator('#story [data-kind="Revealed"]')).not_to_have_count(0)
    assert page.evaluate("document.activeElement !== document.body")


def test_what_was_played_stays_in_sight_until_the_cards_are_revealed(server: Server, visitors: Visitors) -> None:
    table, key = server.table([PERSON, PERSON, bot()], private=True)
    page = visitors.host((table, key))
    other = visitors.arrive("Ben")
    other.goto(f"/table/{table}")
    other.locator("#join").click()
    player = Player(page)
    assert player.asked() == "choose"
    player.put(0, "food")
    player.put(1, "board")
    player.put(2, "population:0")
    player.press("#play")
    expect(page.locator("body")).to_have_attribute("data-phase", "wait")
    boards = page.locator("#mine wh-board")
    expect(boards).to_have_count(2)
    expect(boards.first).to_have_attribute("data-state", "changed")
    expect(boards.last).to_have_attribute("data-state", "new")
    expect(page.locator("#mine [data-place]")).to_have_count(0)
    used = page.locator("#hand wh-card[data-state=used]")
    expect(used).to_have_count(3)
    waiting = Player(other)
    waiting.answer(waiting.asked())
    expect(page.locator("#mine wh-board:is([data-state=changed], [data-state=new])")).to_have_count(0)
    expect(used).to_have_count(0)
    expect(page.locator("#story")).to_contain_text("adds board B")
