"""A server that dies in the middle of a game and starts anew, as two people see it in their browsers."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as NotYetError

from tests.web.browser.playing import Player
from tests.web.browser.test_company import play_together
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, bot, port_that_stays, serving
from wateringhole.wire.framing import Json

CARDS = 26
"""Of the deck: enough for one turn."""

# The story, the own hand, what everybody has on the table, and whom the table waits for.
SHOWN = """() => {
  const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
  return [
    all("#story li", (one) => one.innerText),
    all("#hand wh-card", (one) => one.data.face),
    all("#others wh-player", (one) => one.innerText),
    all("wh-board", (one) => `${one.dataset.seat} ${one.dataset.letter}`),
    all("#others wh-player[data-asked]", (one) => one.dataset.seat),
  ];
}"""


class Shown(NamedTuple):
    """What a page shows of its table."""

    story: list[str]
    hand: list[Json]
    others: list[str]
    letters: list[str]
    asked: list[str]


def shown(page: Page) -> Shown:
    return Shown(*page.evaluate(SHOWN))


def settled(*pages: Page, asked: set[str]) -> list[Shown]:
    """What the pages of seats 1, 2, ... show once each has been told the whole story, and that it waits for these."""
    while True:
        found = [shown(page) for page in pages]
        waits = all(set(one.asked) == asked - {str(seat)} for seat, one in enumerate(found, 1))
        if waits and all(one.story == found[0].story for one in found):
            return found
        pages[0].wait_for_timeout(20)


def show_again(pages: Sequence[Page], before: Sequence[Shown]) -> None:
    """The pages are connected, and show what they showed before."""
    for page, wanted in zip(pages, before, strict=True):
        expect(page.locator("#connection")).to_have_attribute("data-state", "open")
        same = f"(wanted) => JSON.stringify(({SHOWN})()) === JSON.stringify(wanted)"
        try:
            page.wait_for_function(same, arg=wanted)
        except NotYetError:
            assert shown(page) == wanted
            raise


def lost(*pages: Page) -> None:
    for page in pages:
        expect(page.locator("#connection")).not_to_have_attribute("data-state", "open")


def until_somebody_feeds(*players: Player) -> Player:
    """Each answers when it is asked; who is asked to feed, without an answer yet."""
    while True:
        for player in players:
            phase = player.asked_now()
            if phase == "feed":
                return player
            if phase is not None:
                player.answer(phase)
            else:
                player.page.wait_for_timeout(20)


def test_two_people_find_their_table_as_it_was_whenever_the_server_is_killed(chromium: Browser, tmp_path: Path) -> None:
    options = ("--data", str(tmp_path), "--seed", "7")
    port = port_that_stays()
    with serving(*options, web=port, cards=CARDS) as first, Visitors(chromium, first.base) as visitors:
        visitors.expected += [r"WebSocket connection to .* failed", "ERR_CONNECTION_REFUSED"]
        made = first.table([PERSON, PERSON, bot()], title="A long evening", time="none")
        ann = visitors.host(made)
        ben = visitors.arrive("Ben")
        cleo = visitors.arrive("Cleo")
        expect(ann.locator("#invite")).to_be_visible()
        ben.goto(f"/table/{made[0]}")
        ben.locator("#join").click()
        cleo.goto(f"/table/{first.table([PERSON, PERSON, bot()])[0]}")
        cleo.locator("#join").click()
        expect(cleo.locator("#invite")).to_be_visible()
        players = [Player(ann), Player(ben)]
        assert [player.asked() for player in players] == ["choose", "choose"]
        players[0].put(0, "food")
        before = settled(ann, ben, asked={"1", "2"})
        # While everybody chooses.
        first.kill()
        lost(ann, ben, cleo)
        with serving(*options, web=port, cards=CARDS) as second:
            show_again((ann, ben), before)
            expect(cleo.locator('[data-banner="missing"]')).to_contain_text("This table had not begun, so it is gone")
            expect(cleo.locator("#waiting")).to_be_hidden()
            expect(ann.locator("#plan li")).to_have_count(1)
            players[0].press("#clear")
            feeding = until_somebody_feeds(*players)
            before = settled(ann, ben, asked={"1" if feeding is players[0] else "2"})
            # While somebody feeds.
            second.kill()
            lost(ann, ben)
        with serving(*options, web=port, cards=CARDS, failing="disk") as third:
            show_again((ann, ben), before)
            expect(feeding.page.locator("body")).to_have_attribute("data-phase", "feed")
            for page in play_together(Player(ann, plans=0), Player(ben, plans=0)):
                expect(page.locator("#end .end-ranking tbody tr")).to_have_count(3)
            [game] = json.loads(json.dumps(third.asked("/api/games")["games"]))
            assert (game["title"], game["names"]) == ("A long evening", ["Ann", "Ben", "silly 3"])
            # Without a disk a table does not begin, and says so until it does.
            table, _ = third.table([PERSON, bot(), bot()], private=True)
            # Renamed first: the archiver still removes the log of the game, and makes none in a folder that is gone.
            shutil.rmtree((tmp_path / "running").rename(tmp_path / "gone"))
            cleo.goto(f"/table/{table}")
            cleo.locator("#join").click()
            expect(cleo.locator("#trouble")).to_have_text(
                "No game can be kept: No such file or directory. The game could not begin."
            )
            (tmp_path / "running").mkdir()
            cleo.get_by_role("button", name="Try again").click()
            assert Player(cleo).asked() == "choose"
