"""Who leaves comes back to where they were: after a reload, a lost line, in another tab, from a bot that stood in."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.cases import case
from tests.web.browser.cable import Cable
from tests.web.browser.moments import Stage
from tests.web.browser.playing import Player
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot


@pytest.fixture
def cable(server: Server) -> Iterator[Cable]:
    with Cable(server.port) as plugged:
        yield plugged


@pytest.fixture
def wired(chromium: Browser, cable: Cable) -> Iterator[Visitors]:
    """Whoever comes through the cable."""
    with Visitors(chromium, f"http://localhost:{cable.port}") as arriving:
        yield arriving


def test_a_reload_in_the_middle_of_a_plan_loses_nothing(server: Server, visitors: Visitors) -> None:
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True))
    player = Player(page)
    assert player.asked() == "choose"
    player.put(2, "food")
    player.put(0, "board")
    player.put(1, "new-trait:1")
    planned = page.locator("#plan .entry-text").all_inner_texts()
    hand = player.hand()
    page.reload()
    assert Player(page).asked() == "choose"
    expect(page.locator("#plan .entry-text")).to_have_text(planned)
    expect(page.locator("#mine wh-board")).to_have_count(2)
    assert player.hand() == hand
    player.press("#undo")
    expect(page.locator("#plan .entry-text")).to_have_text(planned[:2])
    player.press("#play")
    assert player.asked() in {"choose", "feed"}


def test_a_reload_in_the_middle_of_feeding_asks_again(stage: Stage, actors: Visitors) -> None:
    page = actors.host(stage.table("graze"))
    assert Player(page).asked() == "feed"
    buttons = "all => all.map((one) => one.dataset.feed)"
    before = page.locator("[data-feed]").evaluate_all(buttons)
    story = page.locator("#story li").all_inner_texts()
    page.reload()
    player = Player(page)
    assert player.asked() == "feed"
    assert page.locator("[data-feed]").evaluate_all(buttons) == before
    expect(page.locator("#story li")).to_have_text(story, use_inner_text=True)
    expect(page.locator("#story li").last).to_be_in_viewport()
    player.answer("feed")


def test_a_lost_line_is_shown_and_comes_back_with_the_plan(server: Server, wired: Visitors, cable: Cable) -> None:
    wired.expected += [r"WebSocket connection to .* failed"]
    page = wired.host(server.table([PERSON, bot(), bot()], private=True))
    player = Player(page)
    assert player.asked() == "choose"
    player.put(0, "food")
    player.put(1, "population:0")
    planned = page.locator("#plan .entry-text").all_inner_texts()
    expect(page.locator("#connection")).to_have_attribute("data-state", "open")
    cable.cut()
    expect(page.locator("#connection")).not_to_have_attribute("data-state", "open")
    banner = page.locator('[data-banner="lost"]')
    expect(banner).to_contain_text("The connection is lost")
    # A card can be taken, but no place is said to be asked about.
    player.card(2).click()
    expect(player.card(2)).to_have_attribute("aria-pressed", "true")
    expect(page.locator('#mine [data-state="asking"]')).to_have_count(0)
    player.place("body:0").click()
    expect(page.locator("#reason")).to_contain_text("your plan is kept")
    player.press("#play")
    expect(page.locator("#reason")).to_contain_text("your plan is kept")
    cable.mend()
    expect(page.locator("#connection")).to_have_attribute("data-state", "open")
    expect(banner).to_have_count(0)
    expect(page.locator("#plan .entry-text")).to_have_text(planned)
    player.press("#play")
    assert player.asked() in {"choose", "feed"}


def test_a_server_that_does_not_answer_is_shown_and_a_card_waits_for_it(
    server: Server, wired: Visitors, cable: Cable
) -> None:
    page = wired.host(server.table([PERSON, bot(), bot()], private=True))
    player = Player(page)
    assert player.asked() == "choose"
    player.put(0, "population:0")
    cable.stall()
    player.card(1).click()
    player.place("food").click()
    banner = page.locator('[data-banner="lost"]')
    expect(banner).to_contain_text("The server does not answer. Your plan is kept")
    expect(page.locator("#connection")).to_have_attribute("data-state", "stalled")
    player.press("#play")
    expect(page.locator("#reason")).to_contain_text("has not answered about this card yet")
    # The place that was chosen meanwhile is taken when the answer comes.
    cable.resume()
    expect(banner).to_have_count(0)
    expect(page.locator("#connection")).to_have_attribute("data-state", "open")
    expect(page.locator("#plan li")).to_have_count(2)
    expect(page.locator("#reason")).to_be_hidden()
    cable.stall()
    player.press("#play")
    expect(page.locator("#plan-state")).to_have_text("Playing ...")
    expect(banner).to_contain_text("The server does not answer")
    cable.resume()
    assert player.asked() in {"choose", "feed"}
    expect(banner).to_have_count(0)


def test_a_table_without_a_network_says_so_at_once(server: Server, visitors: Visitors) -> None:
    visitors.expected += [r"ERR_INTERNET_DISCONNECTED", r"WebSocket connection to .* failed"]
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True))
    player = Player(page)
    assert player.asked() == "choose"
    player.put(0, "food")
    page.context.set_offline(True)
    expect(page.locator('[data-banner="lost"]')).to_contain_text("The connection is lost")
    page.context.set_offline(False)
    expect(page.locator('[data-banner="lost"]')).to_have_count(0)
    expect(page.locator("#plan li")).to_have_count(1)


def test_a_browser_without_a_network_says_so_and_loses_nothing(server: Server, visitors: Visitors) -> None:
    visitors.expected += [r"ERR_INTERNET_DISCONNECTED", r"WebSocket connection to .* failed"]
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True))
    player = Player(page)
    assert player.asked() == "choose"
    player.put(0, "food")
    page.context.set_offline(True)
    lobby = page.context.new_page()
    page.context.set_offline(False)
    lobby.goto("/")
    expect(lobby.locator("#quick")).to_be_visible()
    page.context.set_offline(True)
    expect(lobby.locator("#problem")).to_contain_text("does not answer")
    page.context.set_offline(False)
    expect(lobby.locator("#problem")).to_be_hidden()
    lobby.close()
    expect(page.locator("#connection")).to_have_attribute("data-state", "open")
    expect(page.locator("#plan li")).to_have_count(1)
    player.press("#play")
    player.asked()


def test_a_second_tab_takes_the_seat_and_the_first_can_take_it_back(server: Server, visitors: Visitors) -> None:
    made = server.table([PERSON, bot(), bot()], private=True)
    first = visitors.host(made)
    player = Player(first)
    assert player.asked() == "choose"
    player.put(0, "food")
    second = first.context.new_page()
    second.goto(f"/table/{made[0]}")
    assert Player(second).asked() == "choose"
    expect(first.locator('[data-banner="elsewhere"]')).to_contain_text("open in another tab")
    expect(first.locator("#connection")).to_have_attribute("data-state", "elsewhere")
    first.bring_to_front()
    first.locator("#take-back").click()
    expect(second.locator('[data-banner="elsewhere"]')).to_be_visible()
    expect(first.locator('[data-banner="elsewhere"]')).to_have_count(0)
    expect(first.locator("#connection")).to_have_attribute("data-state", "open")
    expect(first.locator("#plan li")).to_have_count(1)
    player.press("#play")
    assert player.asked() in {"choose", "feed"}


def test_a_bot_stands_in_for_a_stalled_player_who_takes_the_seat_back(server: Server, visitors: Visitors) -> None:
    made = server.table([PERSON, PERSON, bot()], private=True)
    ann = visitors.host(made)
    expect(ann.locator("#invite")).to_have_value(f"{server.base}/table/{made[0]}")
    ben = visitors.arrive("Ben")
    ben.goto(f"/table/{made[0]}")
    ben.locator("#join").click()
    assert Player(ben).asked() == "choose"
    assert Player(ann).asked() == "choose"
    address = ben.url
    ben.goto("about:blank")
    stand_in = ann.locator('[data-stand-in="2"]')
    stand_in.click()
    expect(ann.locator('wh-player[data-seat="2"]')).to_have_attribute("data-presence", "stand-in")
    expect(ann.locator('wh-player[data-seat="2"]')).to_contain_text("a bot stands in")
    # Back at the table, the seat is Ben's again; and once more while the page is open.
    ben.goto(address)
    expect(ann.locator('wh-player[data-seat="2"]')).to_have_attribute("data-presence", "here")
    player = Player(ann)
    player.answer(player.asked())
    returned = Player(ben)
    assert returned.asked() in {"choose", "feed"}


def test_what_is_gone_says_so_in_a_page(visitors: Visitors) -> None:
    visitors.expected += ["404"]
    page = visitors.arrive()
    rows = {
        "/table/0123456789abcdef": ("There is no such table", "It may be long over"),
        "/game/0123456789abcdef01234567": ("There is no such game", "It was not kept"),
    }
    for address, (heading, text) in rows.items():
        with case(address):
            answer = page.goto(address)
            assert answer is not None
            assert answer.status == 404
            expect(page.get_by_role("heading", level=1)).to_have_text(heading)
            expect(page.get_by_role("main")).to_contain_text(text)
            page.get_by_role("link", name="wateringhole").click()
            expect(page.locator("#quick")).to_be_visible()
