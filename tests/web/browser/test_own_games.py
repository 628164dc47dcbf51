"""The way back to one's own game, the question before leaving it, and the waiting room before it."""

import re

from playwright.sync_api import Browser, expect

from tests.cases import case
from tests.web.browser.moments import Stage
from tests.web.browser.playing import Player
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot, serving


def test_a_private_game_is_left_by_a_link_that_asks_once_and_continued_from_the_lobby_and_from_every_header(
    server: Server, visitors: Visitors
) -> None:
    table = server.table([PERSON, bot(), bot()], title="Mine", private=True)
    page = visitors.host(table)
    assert Player(page).asked() == "choose"
    # A reload does not ask.
    page.reload()
    assert Player(page).asked() == "choose"
    page.locator("a.home").click()
    expect(page.get_by_role("dialog", name="Leave the table?")).to_contain_text("your seat stays yours")
    page.locator("#stay").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("a.home").click()
    page.wait_for_url("**/")
    own = page.locator("#own-games-list li")
    expect(own).to_contain_text("It is your turn.")
    expect(own.locator("h3")).to_have_text("Mine")
    own.locator(".continue").click()
    assert Player(page).asked() == "choose"
    for path in ("/games", "/ladder", "/rules", "/learn", "/tournaments"):
        with case(path):
            page.goto(path)
            expect(page.locator("header .continue")).to_have_attribute("href", f"/table/{table[0]}")
            expect(page.locator("header .continue")).to_have_attribute("title", "Continue Mine")
    page.locator("header .continue").click()
    assert Player(page).asked() == "choose"
    expect(page.locator("header .continue")).to_have_count(0)


def test_a_table_with_an_own_seat_is_listed_once(server: Server, visitors: Visitors) -> None:
    table, key = server.table([PERSON, PERSON, bot()], title="Ours")
    page = visitors.host((table, key))
    expect(page.locator("#begin")).to_be_visible()
    page.goto("/")
    listed = page.locator(f'[data-table="{table}"]')
    expect(page.locator("#own-games-list").locator(listed)).to_have_count(1)
    expect(page.locator("#create")).to_be_visible()
    expect(listed).to_have_count(1)
    other = visitors.arrive("Ben")
    other.goto("/")
    expect(other.locator(f'#open [data-table="{table}"]')).to_have_count(1)


def test_a_game_that_is_over_or_gone_is_not_offered(stage: Stage, actors: Visitors) -> None:
    page = actors.host(stage.table("last"))
    Player(page).play_game()
    page.evaluate("localStorage.setItem('wateringhole.seat.nowhere', 'token')")
    page.goto("/")
    page.wait_for_function("() => localStorage.getItem('wateringhole.seat.nowhere') === null")
    expect(page.locator("#own-games")).to_be_hidden()


def test_a_spectator_with_a_seat_is_offered_it(server: Server, visitors: Visitors) -> None:
    table, key = server.table([PERSON, bot(), bot()])
    page = visitors.host((table, key))
    assert Player(page).asked() == "choose"
    page.goto(f"/table/{table}?watch")
    page.locator("#own-seat").click()
    assert Player(page).asked() == "choose"
    stranger = visitors.arrive("Bob")
    stranger.goto(f"/table/{table}?watch")
    expect(stranger.locator("#others wh-player")).to_have_count(3)
    expect(stranger.locator("#own-seat")).to_have_count(0)
    # A spectator is told so, a player is not.
    watching = stranger.locator("[data-banner=watching]")
    expect(watching).to_contain_text("You are watching this game")
    expect(page.locator("[data-banner=watching]")).to_have_count(0)
    watching.get_by_role("link", name="To the lobby").click()
    expect(stranger.locator("#quick")).to_be_visible()


def test_quick_games_are_easy_until_one_is_finished(stage: Stage, actors: Visitors) -> None:
    page = actors.arrive()
    page.goto("/")
    expect(page.locator("#table-seats")).to_be_visible()
    seats = page.locator("[data-new-seat]")
    expect(seats).to_have_count(4)
    chosen = seats.evaluate_all("all => all.map((one) => one.value)")
    assert chosen == ["person", "bot:easy", "bot:normal", "bot:hard"]
    page.locator("#table-seats").select_option("6")
    expect(seats).to_have_count(6)
    more = seats.evaluate_all("all => all.map((one) => one.value)")
    assert more == [*chosen, "person", "person"], "so many bots make no good game"
    page.locator("#quick").click()
    assert Player(page).asked() == "choose"
    names = page.locator("#others wh-player .player-name")
    expect(names).to_have_text(["easy 2", "easy 3", "easy 4"])
    table, key = stage.table("last")
    page.goto(f"/table/{table}#key={key}")
    Player(page).play_game()
    page.goto("/")
    page.locator("#quick").click()
    expect(names).to_have_text(["easy 2", "normal 3", "hard 4"])


def test_the_form_for_a_new_table_says_which_seat_is_the_own_one(visitors: Visitors) -> None:
    page = visitors.arrive()
    page.goto("/")
    people = page.locator("[data-new-seat] option[value=person]")
    by_link = "a person by link"
    expect(people).to_have_text(["you", by_link, by_link, by_link])
    expect(page.locator("#table-alone")).to_contain_text("the game begins at once")
    page.locator('[data-new-seat="3"]').select_option("person")
    expect(page.locator("#table-alone")).to_be_hidden()
    page.locator('[data-new-seat="1"]').select_option("bot:easy")
    expect(people).to_have_text(["you", "you", "you", by_link])
    expect(page.locator("#table-alone")).to_be_visible()
    page.locator("#create").click()
    expect(page.locator("#own-head")).to_have_attribute("data-seat", "3")


def test_a_link_that_works_on_one_computer_only_says_so(chromium: Browser) -> None:
    with serving("--name", "games.localhost") as server:
        rows = {server.base: 1, f"http://games.localhost:{server.port}": 0}
        for base, notes in rows.items():
            with case(base), Visitors(chromium, base) as arriving:
                page = arriving.host(server.table([PERSON, PERSON, bot()], private=True))
                expect(page.locator("#invite")).to_have_value(re.compile(f"^{base}/table/"))
                expect(page.locator("#invite-local")).to_have_count(notes)
                if notes:
                    expect(page.locator("#invite-local")).to_contain_text("on this computer only")


def test_the_host_fills_the_waiting_room_and_a_player_leaves_it(server: Server, visitors: Visitors) -> None:
    table, key = server.table([PERSON, PERSON, PERSON, bot("easy")], private=True)
    page = visitors.host((table, key))
    code = page.locator("img.qr")
    expect(code).to_be_visible()
    page.wait_for_function("() => document.querySelector('img.qr').naturalWidth > 0")
    second = visitors.arrive("")
    second.goto(f"/table/{table}")
    proposed = second.locator("#name").input_value()
    assert proposed
    second.locator("#join").click()
    expect(page.locator('.places li[data-seat="2"]')).to_contain_text(proposed)
    expect(second.locator("select")).to_have_count(0)
    second.locator("#leave").click()
    expect(second.locator("#join")).to_be_visible()
    expect(page.locator("#chair-2")).to_have_value("person")
    page.locator("#chair-4").select_option("bot:hard")
    expect(second.locator('.places li[data-seat="4"]')).to_contain_text("the bot hard")
    page.locator("#chair-3").select_option("bot:normal")
    expect(second.locator('.places li[data-seat="3"]')).to_contain_text("the bot normal")
    page.locator("#chair-2").select_option("bot:easy")
    assert Player(page).asked() == "choose"
    expect(page.locator("#others wh-player .player-name")).to_have_text(["easy 2", "normal 3", "hard 4"])
