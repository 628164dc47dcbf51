"""The replay shows the engine's own states, step by step, to whoever may see them."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.playing import Player
from tests.web.browser.shown import scene_of, scene_on
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot
from wateringhole.record import Record, parsed, replay


class Finished(NamedTuple):
    id: str
    record: Record

    @property
    def last(self) -> int:
        return len(self.record.replies)

    @property
    def feedings(self) -> list[int]:
        """The steps, from a third of the game on, after which a player is asked to feed."""
        steps = range(self.last // 3, self.last)
        return [step for step in steps if replay(self.record, steps=step).phase == "feed"]


@pytest.fixture(scope="module")
def finished(server: Server) -> Finished:
    """A game that is over and has late feedings; its deck depends on how many games the server has dealt before."""
    while True:
        table, key = server.table([PERSON, bot(), bot("rash"), bot("rash")], private=True)
        with server.tab(table, name="Ann", key=key) as tab:
            known = str(tab.play()["game"])
        game = Finished(known, parsed(server.get(f"/api/games/{known}/record")[1]))
        if game.feedings:
            return game


def opened(visitors: Visitors, finished: Finished, hash_: str = "") -> Page:
    page = visitors.arrive()
    page.goto(f"/game/{finished.id}{hash_}")
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    return page


def test_every_step_of_a_replay_is_the_state_of_the_engine(finished: Finished, visitors: Visitors) -> None:
    page = opened(visitors, finished)
    for step in range(finished.last + 1):
        assert scene_on(page, step) == scene_of(replay(finished.record, steps=step), step)
        page.keyboard.press("ArrowRight")
    expect(page.locator("#result-details")).to_have_attribute("open", "")
    expect(page.locator("#forward")).to_be_disabled()


def test_the_scrubber_leads_to_any_step_and_back(finished: Finished, visitors: Visitors) -> None:
    page = opened(visitors, finished)
    scrubber = page.locator("#scrubber")
    for step in (finished.last, 3, finished.last // 2, 0):
        scrubber.fill(str(step))
        assert scene_on(page, step) == scene_of(replay(finished.record, steps=step), step)
    scrubber.press("End")
    expect(page.locator("body")).to_have_attribute("data-step", str(finished.last))
    page.locator("#first").click()
    expect(page.locator("body")).to_have_attribute("data-step", "0")
    page.locator(f'[data-story-step="{finished.last - 1}"] .chronicle-head').click()
    expect(page.locator("body")).to_have_attribute("data-step", str(finished.last - 1))


def test_who_looks_as_a_seat_does_not_see_the_others_hands_and_bags(finished: Finished, visitors: Visitors) -> None:
    page = opened(visitors, finished)
    for seat in (1, 3):
        page.locator("#view").select_option(str(seat))
        for step in range(0, finished.last + 1, 5):
            page.locator("#scrubber").fill(str(step))
            assert scene_on(page, step) == scene_of(replay(finished.record, steps=step), step, viewer=seat)
    page.locator("#view").select_option("public")
    for shown in scene_on(page).seats.values():
        assert (shown.hand, shown.bag) == (None, None)
    for head in page.locator(".chronicle-head").all_inner_texts():
        assert "chooses:" not in head


def test_the_play_button_moves_on_and_pauses(finished: Finished, visitors: Visitors) -> None:
    page = opened(visitors, finished)
    page.locator("#speed").select_option("4")
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    page.wait_for_function("() => Number(document.body.dataset.step) >= 2")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    stopped = scene_on(page).step
    page.locator("h1").click()
    page.keyboard.press(" ")
    page.wait_for_function(f"() => Number(document.body.dataset.step) > {stopped}")
    page.keyboard.press(" ")


def test_a_link_leads_to_the_same_step(finished: Finished, visitors: Visitors) -> None:
    step = finished.last // 2
    page = opened(visitors, finished, f"#step={step}")
    assert scene_on(page, step) == scene_of(replay(finished.record, steps=step), step)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{visitors.base}/game/{finished.id}#step={step + 1}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.goto(f"/game/{finished.id}#step=9999")
    expect(page.locator("body")).to_have_attribute("data-step", str(finished.last))


def test_a_turn_that_ends_can_be_looked_at_in_between(finished: Finished, visitors: Visitors) -> None:
    page = opened(visitors, finished, f"#step={finished.last}")
    stops = page.locator("#now-stops button")
    expect(stops).to_have_count(3)
    stops.first.click()
    expect(page.locator(".stage-facts")).to_contain_text("All have fed")
    stops.last.click()
    assert scene_on(page) == scene_of(replay(finished.record), finished.last)


def test_a_fork_is_a_table_in_the_state_of_its_step(finished: Finished, visitors: Visitors) -> None:
    step = finished.feedings[0]
    game = replay(finished.record, steps=step)
    page = opened(visitors, finished, f"#step={step}")
    page.locator("#fork").click()
    expect(page.locator("#fork-text")).to_contain_text(f"step {step}")
    expect(page.locator("#fork-seat")).to_have_value(str(game.queue[0]))
    page.get_by_role("button", name="Take the seat").click()
    page.wait_for_url(re.compile(r"/table/\w+$"))
    assert Player(page).asked() == "feed"
    seat = game.queue[0]
    hand = page.locator("#hand wh-card").evaluate_all("all => all.map((one) => one.data.face)")
    boards = page.locator("#mine wh-board").evaluate_all("all => all.map((one) => one.data.board.population)")
    player = game.players[seat]
    assert hand == [[card.food, str(card.trait)] for card in player.hand]
    assert boards == [board.population for board in player.species]
    expect(page.locator("#bag")).to_contain_text(f"{player.bag} ")
    expect(page.locator("#hole")).to_contain_text(str(game.watering_hole))


def test_a_replay_in_one_file_works_without_any_network(finished: Finished, visitors: Visitors, tmp_path: Path) -> None:
    page = opened(visitors, finished)
    with page.expect_download() as download:
        page.locator('a[href$="/page"]').click()
    file = tmp_path / "game.html"
    download.value.save_as(file)
    alone = visitors.arrive(offline=True)
    asked: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(file.as_uri())
    expect(alone.locator("html")).to_have_attribute("data-ready", "true")
    for step in (*range(0, finished.last, 4), finished.last):
        alone.locator("#scrubber").fill(str(step))
        assert scene_on(alone, step) == scene_of(replay(finished.record, steps=step), step)
    expect(alone.locator("#result-details")).to_have_attribute("open", "")
    expect(alone.locator(".end-ranking tbody tr")).to_have_count(4)
    expect(alone.locator("#fork")).to_be_hidden()
    alone.locator("wh-trait").first.hover()
    expect(alone.locator(".tip")).to_be_visible()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert alone.locator('[href^="/"]:visible, [src^="/"]').count() == 0


def test_the_record_can_be_taken_along(finished: Finished, visitors: Visitors, tmp_path: Path) -> None:
    page = opened(visitors, finished)
    with page.expect_download() as download:
        page.locator('a[href$="/record"]').click()
    file = tmp_path / "game.jsonl"
    download.value.save_as(file)
    assert parsed(file.read_bytes()) == finished.record
    assert json.loads(file.read_bytes().splitlines()[0])["names"][0] == "Ann"
