"""The states of a page, each of which must be without fault, in every language. Those of a journey are visited in its
order by one page, each from where the one before it is.
"""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Final, NamedTuple

from playwright.sync_api import Page, expect

from tests.web.browser.moments import Stage
from tests.web.browser.playing import Player
from tests.web.server import PERSON, bot


class Visit(NamedTuple):
    """The page that goes from state to state; its company are others at its tables, who stay to the end."""

    stage: Stage
    page: Page
    company: ExitStack


def lobby(visit: Visit) -> None:
    visit.stage.server.table([PERSON, PERSON, bot()], title="A table to join")
    visit.page.goto("/")
    expect(visit.page.locator("#create")).to_be_visible()
    expect(visit.page.locator("#open")).to_contain_text("A table to join")


def how_to_play(visit: Visit) -> None:
    """Over the lobby."""
    visit.page.locator("#how").click()
    visit.page.get_by_text("The traits").click()
    expect(visit.page.locator(".trait-list dd").last).to_be_visible()
    visit.page.get_by_text("The keyboard at a table").click()
    expect(visit.page.locator(".keys")).to_be_visible()


def archive(visit: Visit) -> None:
    _open(visit.page, "/games")


def profile(visit: Visit) -> None:
    _open(visit.page, "/player/Ida")


def ladder(visit: Visit) -> None:
    _open(visit.page, "/ladder")


def _open(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    expect(page.locator("main a").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_count(1)


def rules(visit: Visit) -> None:
    visit.page.goto("/rules")
    expect(visit.page.locator("h1")).to_be_visible()


def replayed(visit: Visit) -> None:
    visit.page.goto(f"/game/{visit.stage.game('attack')}#step=14")
    expect(visit.page.locator("html")).to_have_attribute("data-ready", "true")


def waiting_room(visit: Visit) -> None:
    _sit(visit.page, visit.stage.server.table([PERSON, PERSON, bot()], private=True))
    expect(visit.page.locator("#begin")).to_be_visible()


def invitation(visit: Visit) -> None:
    table, _ = visit.stage.server.table([PERSON, PERSON, bot()], private=True)
    visit.page.goto(f"/table/{table}")
    expect(visit.page.locator("#join")).to_be_visible()


def waiting_for_others(visit: Visit) -> None:
    table, key = visit.stage.server.table([PERSON, PERSON, bot()], private=True)
    _sit(visit.page, (table, key))
    expect(visit.page.locator("#invite")).to_be_visible()
    visit.company.enter_context(visit.stage.server.tab(table, name="Ben")).hear("choose")
    player = Player(visit.page)
    assert player.asked() == "choose"
    player.put(0, "food")
    player.press("#play")
    expect(visit.page.locator("body")).to_have_attribute("data-phase", "wait")


def over(visit: Visit) -> None:
    table, key = visit.stage.server.table([PERSON, bot(), bot()], private=True)
    visit.page.goto(f"/table/{table}?watch")
    expect(visit.page.locator("#waiting")).to_be_visible()
    with visit.stage.server.tab(table, name="Ann", key=key) as tab:
        tab.play()
    expect(visit.page.locator("#end table").first).to_be_visible()


def hinted(visit: Visit) -> None:
    """With the reasons of a hint."""
    _sit(visit.page, visit.stage.table("choose"))
    player = Player(visit.page)
    assert player.asked() == "choose"
    player.press("#hint")
    expect(visit.page.locator("#hint-line")).to_be_visible()


def choosing(visit: Visit) -> None:
    """Instead of what the hint has proposed: a plan, a card in hand, and a reason why the plan cannot be played."""
    player = Player(visit.page)
    player.press("#clear")
    player.put(0, "population:0")
    player.put(1, "board")
    player.put(2, "new-trait:2")
    player.card(3).click()
    player.open_places()
    visit.page.locator("#play").click()
    expect(visit.page.locator("#reason")).to_be_visible()


def leaving(visit: Visit) -> None:
    """The table at which cards are chosen."""
    visit.page.locator("a.home").click()
    expect(visit.page.locator("#stay")).to_be_focused()


def own_games(visit: Visit) -> None:
    """The lobby of one who has left a table."""
    visit.page.goto("/")
    expect(visit.page.locator("#own-games-list .continue").first).to_be_visible()


def feeding(visit: Visit) -> None:
    _sit(visit.page, visit.stage.table("attack"))
    assert Player(visit.page).asked() == "feed"
    visit.page.locator("[data-feed^=attack]").first.click()
    expect(visit.page.locator("[data-target][data-open]").first).to_be_visible()


def lesson(visit: Visit) -> None:
    visit.page.goto("/learn")
    player = Player(visit.page)
    player.put(1, "food")
    player.press("#play")
    expect(visit.page.locator("#reason")).to_be_visible()


def lessons_end(visit: Visit) -> None:
    visit.page.evaluate("localStorage.setItem('wateringhole.lesson', '7')")
    visit.page.goto("/learn")
    visit.page.locator('[data-feed="graze:0"]').click()
    expect(visit.page.locator("#first-game")).to_be_visible()


def _sit(page: Page, made: tuple[str, str]) -> None:
    page.goto(f"/table/{made[0]}#key={made[1]}")


State = Callable[[Visit], None]
JOURNEYS: Final[dict[str, tuple[State, ...]]] = {
    "reading": (lobby, archive, profile, ladder, rules, replayed),
    "waiting": (waiting_room, invitation, waiting_for_others, over),
    "choosing": (hinted, choosing, leaving, own_games, how_to_play),
    "feeding": (feeding, lesson, lessons_end),
}
