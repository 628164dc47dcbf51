"""A server that dies in the middle of a game and starts anew, as two people see it in their browsers."""

import json
import shutil
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as NotYetError

from tests.web.browser.playing import Player
from tests.web.browser.test_company import MOMENT, play_together
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, bot, serving

HAND = "#hand wh-card"
FACES = "all => all.map((one) => one.data.face)"


def shown(page: Page) -> tuple[list[str], object, list[str]]:
    """The story, the own hand, and what everybody has on the table."""
    return (
        page.locator("#story li").all_inner_texts(),
        page.locator(HAND).evaluate_all(FACES),
        page.locator("#others wh-player").all_inner_texts(),
    )


def connected(*pages: Page) -> None:
    for page in pages:
        expect(page.locator("#connection")).to_have_attribute("data-state", "open")


def lost(*pages: Page) -> None:
    for page in pages:
        expect(page.locator("#connection")).not_to_have_attribute("data-state", "open")


def until_somebody_feeds(*players: Player) -> Player:
    """Each answers when it is asked; who is asked to feed, without an answer yet."""
    while True:
        for player in players:
            with suppress(NotYetError):
                if (phase := player.asked(MOMENT)) == "feed":
                    return player
                player.answer(phase)


def test_two_people_find_their_table_as_it_was_whenever_the_server_is_killed(chromium: Browser, tmp_path: Path) -> None:
    options = ("--data", str(tmp_path), "--seed", "7")
    with serving(*options) as first, Visitors(chromium, first.base) as visitors:
        visitors.expected += [r"WebSocket connection to .* failed", "ERR_CONNECTION_REFUSED"]
        made = first.table([PERSON, PERSON, bot()], title="A long evening", time="none")
        # Without motion, so that no click has to wait for a card to come to rest.
        ann = visitors.host(made, reduced_motion="reduce")
        ben = visitors.arrive("Ben", reduced_motion="reduce")
        cleo = visitors.arrive("Cleo")
        expect(ann.locator("#invite")).to_be_visible()
        ben.goto(f"/table/{made[0]}")
        ben.locator("#join").click()
        cleo.goto(f"/table/{first.table([PERSON, PERSON, bot()])[0]}#join")
        expect(cleo.locator("#invite")).to_be_visible()
        players = [Player(ann), Player(ben)]
        assert [player.asked() for player in players] == ["choose", "choose"]
        players[0].put(0, "food")
        before = shown(ann), shown(ben)
        # While everybody chooses.
        first.kill()
        lost(ann, ben, cleo)
        with serving(*options, web=first.port) as second:
            connected(ann, ben)
            expect(cleo.locator('[data-banner="missing"]')).to_contain_text("This table had not begun, so it is gone")
            expect(cleo.locator("#waiting")).to_be_hidden()
            assert (shown(ann), shown(ben)) == before
            expect(ann.locator("#plan li")).to_have_count(1)
            players[0].press("#clear")
            feeding = until_somebody_feeds(*players)
            before = shown(ann), shown(ben)
            # While somebody feeds.
            second.kill()
            lost(ann, ben)
        with serving(*options, web=first.port, failing="disk") as third:
            connected(ann, ben)
            expect(feeding.page.locator("body")).to_have_attribute("data-phase", "feed")
            assert (shown(ann), shown(ben)) == before
            for page in play_together(Player(ann), Player(ben)):
                expect(page.locator("#end .end-ranking tbody tr")).to_have_count(3)
            [game] = json.loads(json.dumps(third.asked("/api/games")["games"]))
            assert (game["title"], game["names"]) == ("A long evening", ["Ann", "Ben", "silly 3"])
            # Without a disk a table does not begin, and says so until it does.
            table, _ = third.table([PERSON, bot(), bot()], private=True)
            shutil.rmtree(tmp_path / "running")
            cleo.goto(f"/table/{table}#join")
            expect(cleo.locator("#trouble")).to_have_text(
                "No game can be kept: No such file or directory. The game could not begin."
            )
            (tmp_path / "running").mkdir()
            cleo.get_by_role("button", name="Try again").click()
            assert Player(cleo).asked() == "choose"
