"""Finished games, players and the ladder, as somebody finds the way through them."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from tests.cases import case
from tests.web.browser.playing import Player
from tests.web.browser.test_names import NAMES, inventory
from tests.web.browser.visitors import Visitors
from tests.web.library import NOON, game, keep
from tests.web.server import PERSON, Server, bot, serving
from wateringhole.store.games import opened as opened_store
from wateringhole.store.tournaments import Tournament
from wateringhole.wire.framing import Json

CUPS = [("b", "<i>The Cup</i>"), ("a", "A league")]
HOSTILE = [*NAMES[:120:6], "..", ".", "a/b", "%2e%2e", "?of=x#y", "bot:silly", "\u05e9\u05dc\u05d5\u05dd"]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with some weeks of games, and people of all names."""
    data = tmp_path_factory.mktemp("library")
    plain = [game(["Ann", "Ben"], at, NOON - timedelta(days=at), f"Evening {at}") for at in range(30)]
    hostile = [game([name, "Ben"], 100 + at, NOON - timedelta(days=60), name) for at, name in enumerate(HOSTILE)]
    left = replace(game(["Uma", "Ben"], 99, NOON - timedelta(days=90), "Left"), stood_in=frozenset({1}))
    keep(data, [*plain, *hostile, left])
    with serving("--data", str(data)) as running:
        yield running


@pytest.fixture
def readers(chromium: Browser, library: Server) -> Iterator[Visitors]:
    with Visitors(chromium, library.base) as arriving:
        yield arriving


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    return page


def test_from_the_lobby_to_an_old_game_its_players_and_back(readers: Visitors) -> None:
    page = readers.arrive(timezone_id="Pacific/Kiritimati")
    page.goto("/")
    expect(page.locator("#finished h3").first).to_have_text("Evening 0")
    expect(page.locator("#ladder tbody tr")).to_have_count(5)
    page.get_by_role("link", name="All finished games").click()
    rows = page.locator("#games > li")
    expect(rows).to_have_count(25)
    page.locator("#older").click()
    expect(rows.first.locator("h3")).to_have_text("Evening 25")
    page.go_back()
    expect(rows.first.locator("h3")).to_have_text("Evening 0")
    # Days are those of the reader: noon in Greenwich is two in the morning there, on the next day.
    page.get_by_label("Player", exact=True).fill("Ann")
    page.get_by_label("From").fill("2025-11-14")
    page.get_by_label("To", exact=True).fill("2025-11-15")
    page.locator("#find").click()
    expect(page.locator("#games > li h3")).to_have_text(["Evening 2", "Evening 3"])
    expect(page.get_by_label("Player", exact=True)).to_have_value("Ann")
    winners = rows.first.locator("[data-won]")
    expect(winners.first).to_contain_text("won: ")
    page.get_by_label("Player", exact=True).fill("Nobody")
    page.locator("#find").click()
    expect(page.locator("#games")).to_contain_text("No finished game is like that.")
    page.get_by_role("link", name="Show all games").click()
    expect(rows).to_have_count(25)
    page.get_by_label("Player", exact=True).fill("Uma")
    page.locator("#find").click()
    expect(rows.locator(".players li").filter(has_text="a bot played part of it")).to_contain_text("Uma")
    page.goto("/games")
    rows.first.get_by_role("link", name="Ann").click()
    expect(page.locator("#title")).to_have_text("Ann")
    expect(page.locator("#figures")).to_contain_text("30")
    expect(page.locator("#unproved")).to_contain_text("Names are not checked: ")
    page.locator("#opponents").get_by_role("link", name="silly").click()
    expect(page.locator("#title .tag")).to_have_text("house bot")
    expect(page.locator("#unproved")).to_be_hidden()
    page.get_by_role("link", name="Replay").first.click()
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    page.locator("#fair summary").click()
    expect(page.locator("#fair-body")).to_contain_text("Checked: the deck comes from this seed")
    page.keyboard.press("End")
    page.locator("#result").get_by_role("link", name="Ben").click()
    expect(page.locator("#title")).to_have_text("Ben")


def test_every_name_of_the_ladder_leads_to_its_own_page_and_is_text_there(readers: Visitors) -> None:
    page = opened(readers.arrive(), "/ladder")
    harmless = inventory(page)["script"]
    links = page.locator("#ladder a").evaluate_all("all => all.map((one) => [one.href, one.textContent])")
    assert len(links) > len(set(HOSTILE)) - 3
    shown = readers.arrive()
    for address, name in links:
        with case(name, address):
            shown.goto(address)
            expect(shown.locator("html")).to_have_attribute("data-ready", "true")
            expect(shown.locator("#title bdi")).to_have_text(name)
            expect(shown.locator("#problem")).to_be_hidden()
            assert inventory(shown)["script"] == harmless == 1
    opened(page, "/games?until=2025-10-01")
    expect(page.locator("#games > li h3")).to_have_count(25)
    assert inventory(page)["script"] == 1


def test_from_the_tournaments_to_one_and_its_games(chromium: Browser, tmp_path: Path) -> None:
    figures: dict[str, Json] = {"games": 6, "elo": 1500.0, "wins": {"value": 0.5}, "rank": {"value": 1.5}}
    line = {**figures, "agent": "cmd:/home/ann/bot"}
    names = ["<b>Ann</b>", "Ben"]
    told: list[Json] = [
        {**line, "place": place, "name": name, "score": {"value": 7.25}} for place, name in enumerate(names, 1)
    ]
    cups = [Tournament(f"{at}" * 24, title, "7", "swiss", 3, NOON, {"standings": told}, "") for at, title in CUPS]
    keep(tmp_path, [replace(game(names, at, NOON - timedelta(at)), tournament=cups[0].id) for at in range(6)])
    keep(tmp_path, [game(["Ann", "Ben"], 99)])
    with opened_store(tmp_path) as store:
        for cup in cups:
            store.add_tournament(cup)
    with serving("--data", str(tmp_path)) as running, Visitors(chromium, running.base) as readers:
        page = opened(readers.arrive(), "/games")
        page.get_by_role("link", name="Tournaments").click()
        expect(page.locator("#tournaments h3")).to_have_text(["<i>The Cup</i>", "A league"])
        expect(page.locator("#tournaments li").first).to_contain_text("First: <b>Ann</b>")
        page.get_by_role("link", name="<i>The Cup</i>").click()
        expect(page.locator("#title")).to_have_text("<i>The Cup</i>")
        expect(page.locator("#about")).to_contain_text("swiss, tables of 3, 2 entries")
        row = page.locator("#standings tbody tr").first
        expect(row.locator("td")).to_have_text(["1", "<b>Ann</b>", "6", "1500", "50.0", "1.50", "7.3"])
        expect(page.locator("#games > li")).to_have_count(5)
        page.get_by_role("link", name="All its games").click()
        expect(page.locator("#games > li")).to_have_count(6)
        readers.expected += ["404"]
        page.goto("/tournament/nothing")
        expect(page.locator("#title")).to_have_text("There is no such tournament")
        page.get_by_role("main").get_by_role("link", name="tournaments").click()
        expect(page.locator("#tournaments h3")).to_have_count(2)
        assert "/home/ann" not in json.dumps(running.asked("/api/tournaments"))


def test_what_is_not_there_says_what_to_do(server: Server, visitors: Visitors) -> None:
    page = opened(visitors.arrive(), "/games?player=Nobody%20of%20that%20name")
    expect(page.locator("#games")).to_contain_text("No finished game is like that.")
    visitors.expected += ["404"]
    page.goto("/player/Nobody%20of%20that%20name")
    expect(page.locator("#title")).to_have_text("There is no such player")
    expect(page.get_by_role("main")).to_contain_text("No player of that name has finished a game that counts")
    page.get_by_role("main").get_by_role("link", name="ladder").click()
    expect(page.locator("#title")).to_have_text("The ladder")
    visitors.expected += ["404"]
    page.goto("/tables/of/contents")
    expect(page.locator("#title")).to_have_text("There is nothing here")
    page.get_by_role("main").get_by_role("link", name="lobby").click()
    expect(page.locator("#finished")).to_be_visible()
    assert server.get("/ladder")[0] == 200


def test_the_seal_of_a_deal_is_at_the_table_from_the_beginning(library: Server, readers: Visitors) -> None:
    page = readers.host(
        library.table([PERSON, bot(), bot()], private=True), permissions=["clipboard-read", "clipboard-write"]
    )
    assert Player(page).asked() == "choose"
    page.locator("#fair summary").click()
    expect(page.locator("#fair")).to_contain_text("The deck is fixed: its seed, shown at the end, has this seal.")
    seal = page.locator("#fair code").inner_text()
    assert len(seal) == 64
    page.get_by_role("button", name="Copy the seal").click()
    expect(page.get_by_role("button", name="Copy the seal")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == seal
    assert json.dumps(library.lobby()).count(seal) == 0, "it is for those at the table"
