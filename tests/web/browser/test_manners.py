"""What surrounds a game: the tour, help, themes, the title, clocks, and playing again."""

import re

from playwright.sync_api import expect

from tests.web.browser.moments import Stage
from tests.web.browser.playing import Player
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot


def test_the_tour_comes_once_and_can_be_skipped(server: Server, visitors: Visitors) -> None:
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True), toured=False)
    tour = page.locator(".tour")
    expect(tour).to_contain_text("The watering hole")
    page.locator("#tour-next").click()
    expect(tour).to_contain_text("The others")
    # It is not in the way: the header can be read, the turn can be played meanwhile.
    top = page.locator("#status").bounding_box()
    box = tour.bounding_box()
    assert top
    assert box
    assert top["y"] + top["height"] <= box["y"]
    player = Player(page)
    assert player.asked() == "choose"
    page.locator("#tour-skip").click()
    expect(tour).to_have_count(0)
    page.reload()
    assert player.asked() == "choose"
    expect(tour).to_have_count(0)
    page.goto("/")
    page.locator("#quick").click()
    assert Player(page).asked() == "choose"
    expect(tour).to_have_count(0)


def test_the_tour_can_be_walked_to_its_end_and_called_again(server: Server, visitors: Visitors) -> None:
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True), toured=False)
    for _ in range(6):
        page.locator("#tour-next").click()
    expect(page.locator(".tour")).to_have_count(0)
    page.locator("#settings").click()
    page.get_by_role("button", name="Show the first turn again").click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(".tour")).to_be_visible()
    Player(page).answer("choose")
    expect(page.locator(".tour, [data-tour]")).to_have_count(0)


def test_the_tour_is_walked_and_closed_with_the_keyboard(server: Server, visitors: Visitors) -> None:
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True), toured=False)
    tour = page.locator(".tour")
    expect(page.locator("#tour-next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(tour).to_contain_text("The others")
    expect(page.locator("#tour-next")).to_be_focused()
    # A number still takes a card, and Escape puts that one back first.
    page.keyboard.press("1")
    expect(page.locator("body")).to_have_attribute("data-picked", "")
    page.keyboard.press("Escape")
    expect(page.locator("body")).not_to_have_attribute("data-picked", "")
    expect(tour).to_be_visible()
    page.keyboard.press("Escape")
    expect(tour).to_have_count(0)


def test_the_tour_waits_to_be_called_while_a_clock_runs(server: Server, visitors: Visitors) -> None:
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True, time="600"), toured=False)
    assert Player(page).asked() == "choose"
    page.locator("#clock").hover()
    expect(page.locator(".tip")).to_contain_text("a bot plays for you; you can take the seat back")
    expect(page.get_by_role("timer")).to_have_attribute("aria-description", re.compile("When your time is up"))
    expect(page.locator(".tour")).to_have_count(0)
    page.locator("#settings").click()
    page.get_by_role("button", name="Show the first turn again").click()
    expect(page.locator(".tour")).to_be_visible()


def test_help_opens_with_a_question_mark_unless_shortcuts_are_off_and_closes_with_escape(
    server: Server, visitors: Visitors
) -> None:
    page = visitors.host(server.table([PERSON, bot(), bot()], private=True))
    player = Player(page)
    assert player.asked() == "choose"
    page.keyboard.press("?")
    help_dialog = page.get_by_role("dialog", name="How to play")
    expect(help_dialog).to_be_visible()
    expect(help_dialog.get_by_role("link")).to_have_text(["Learn in two minutes", "All rules"])
    help_dialog.get_by_text("The keyboard at a table").click()
    expect(help_dialog.get_by_text("feed no more this turn")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("#help").click()
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("#settings").click()
    page.get_by_label("Single letters as shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    player.put(0, "food")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_help_on_a_phone_lists_no_keys(visitors: Visitors) -> None:
    page = visitors.arrive(has_touch=True, is_mobile=True)
    page.goto("/")
    page.locator("#how").tap()
    expect(page.get_by_role("dialog", name="How to play")).to_contain_text("watering hole")
    expect(page.locator(".key-list")).to_have_count(0)


def test_the_theme_that_was_chosen_stays(visitors: Visitors) -> None:
    page = visitors.arrive(color_scheme="light")
    page.goto("/")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(paper)
    page.locator("#settings").click()
    page.get_by_label("Light or dark").select_option("dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate(paper) != light
    page.goto("/rules")
    page.goto("/")
    page.locator("#settings").click()
    page.get_by_label("Light or dark").select_option("system")
    expect(page.locator("html")).not_to_have_attribute("data-theme", re.compile("."))
    assert page.evaluate(paper) == light


def test_the_title_tells_whose_turn_it_is(server: Server, visitors: Visitors) -> None:
    table, key = server.table([PERSON, PERSON, bot()], title="Tuesday", private=True)
    page = visitors.host((table, key))
    expect(page).to_have_title("Tuesday - wateringhole")
    with server.tab(table, name="Ben") as ben:
        ben.hear("welcome")
        expect(page).to_have_title("Your turn - Tuesday")
        player = Player(page)
        player.asked()
        player.put(0, "food")
        player.press("#play")
        expect(page).to_have_title("Tuesday - wateringhole")
        expect(page.locator("#status")).to_contain_text("Ben")


def test_a_time_control_shows_a_clock_and_without_one_there_is_none(server: Server, visitors: Visitors) -> None:
    page = visitors.host(server.table([PERSON, bot(), bot()], time="600+60", private=True))
    assert Player(page).asked() == "choose"
    expect(page.locator("#clock")).to_have_text(re.compile(r"^(10:00|9:\d\d)$"))
    table, key = server.table([PERSON, bot(), bot()], private=True)
    page.goto(f"/table/{table}#key={key}")
    assert Player(page).asked() == "choose"
    expect(page.locator("#clock")).to_be_hidden()


def test_who_presses_a_button_has_pressed_it_whoever_sits_down_meanwhile(server: Server, visitors: Visitors) -> None:
    table, _ = server.table([PERSON, PERSON, PERSON], private=True)
    page = visitors.arrive("")
    page.goto(f"/table/{table}")
    page.locator("#name").fill("Ben")
    page.locator("#join").hover()
    page.mouse.down()
    with server.tab(table, name="Ann"):
        expect(page.locator(".places li").first).to_contain_text("Ann")
        page.mouse.up()
        expect(page.locator(".places li").nth(1)).to_contain_text("Ben")


def test_who_presses_a_button_of_a_board_has_pressed_it_whatever_is_drawn_meanwhile(
    stage: Stage, actors: Visitors
) -> None:
    page = actors.host(stage.table("graze"))
    player = Player(page)
    assert player.asked() == "feed"
    player.press("#hint")
    expect(page.locator("#hint-line")).to_contain_text(", because ")
    hinted = page.locator("[data-feed][data-hint]").get_attribute("data-feed")
    page.reload()
    assert player.asked() == "feed"
    expect(page.locator("#feed-options [data-hint]")).to_have_count(0)
    grazed = page.locator('#story li[data-kind="Ate"]').count()
    page.locator(f'[data-feed^=graze]:not([data-feed="{hinted}"])').first.hover()
    page.mouse.down()
    page.keyboard.press("h")
    expect(page.locator("#feed-options [data-hint]")).to_have_count(1)
    page.mouse.up()
    expect(page.locator('#story li[data-kind="Ate"]').nth(grazed)).to_be_visible()


def test_who_presses_a_link_of_the_lobby_has_pressed_it_whoever_sits_down_elsewhere(
    server: Server, visitors: Visitors
) -> None:
    elsewhere, _ = server.table([PERSON, PERSON, PERSON])
    table, _ = server.table([PERSON, PERSON, PERSON])
    page = visitors.arrive()
    page.goto("/")
    page.locator(f'[data-table="{table}"]').get_by_role("link", name="Join").hover()
    page.mouse.down()
    with server.tab(elsewhere, name="Cleo"):
        expect(page.locator(f'[data-table="{elsewhere}"]')).to_contain_text("Cleo")
        page.mouse.up()
        expect(page).to_have_url(f"{server.base}/table/{table}")


def test_who_was_sent_to_rest_takes_the_seat_back_from_the_bot(server: Server, visitors: Visitors) -> None:
    table, key = server.table([PERSON, PERSON, bot()], private=True)
    page = visitors.arrive("Ben")
    with server.tab(table, name="Ann", key=key) as ann:
        page.goto(f"/table/{table}")
        page.locator("#join").click()
        assert Player(page).asked() == "choose"
        ann.say("stand_in", seat=2)
        expect(page.locator('[data-banner="stand-in"]')).to_contain_text("A bot plays for you")
        page.locator("#back").click()
        expect(page.locator('[data-banner="stand-in"]')).to_have_count(0)
        ann.say("stand_in", seat=1)
        assert Player(page).asked() in {"choose", "feed"}


def test_a_whole_table_plays_again_and_a_spectator_is_shown_the_way(server: Server, visitors: Visitors) -> None:
    # With a second for the whole game, bots soon play it to its end.
    table, key = server.table([PERSON, PERSON, bot()], title="Again", private=True, time="1+0")
    ann = visitors.host((table, key), name="<b>Ann</b>")
    expect(ann.locator("#invite")).to_be_visible()
    ben = visitors.arrive("Ben", viewport={"width": 390, "height": 844})
    ben.goto(f"/table/{table}")
    ben.locator("#join").click()
    eve = visitors.arrive("Eve")
    eve.goto(f"/table/{table}?watch")
    for page in (ann, ben, eve):
        expect(page.locator("#end .end-ranking tbody tr")).to_have_count(3)
    expect(ann.locator("#end-heading")).to_be_focused()
    expect(eve.locator("#end-heading")).not_to_be_focused()
    expect(eve.locator("#again > *")).to_have_count(0)
    # On a phone the button stands above the chart, and names have room.
    order = (
        "() => ['#play-again', '.end-turns'].map((part) => document.querySelector(part).getBoundingClientRect().top)"
    )
    button, chart = ben.evaluate(order)
    assert button < chart
    assert ben.locator(".end-ranking td:nth-child(2)").first.evaluate("(cell) => cell.offsetWidth") > 150
    ben.locator("#play-again").click()
    for page in (ann, ben, eve):
        expect(page.locator("#again-state")).to_have_text("Ready to play again: Ben. Not yet: <b>Ann</b>.")
    expect(ben.locator("#again-state")).to_be_focused()
    expect(ben.locator("#begin-again")).to_be_visible()
    ann.locator("#play-again").click()
    for page in (ann, ben):
        expect(page).not_to_have_url(re.compile(table))
        expect(page.locator("#title")).to_have_text("Again")
        expect(page.locator("#end")).to_be_visible()  # and the clock of that game is over as soon
    assert ann.url == ben.url
    eve.locator("#next").click()
    expect(eve).to_have_url(ann.url)
