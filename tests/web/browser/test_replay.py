"""The replay shows the engine's own states, step by step, to whoever may see them."""

import json
import re
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.cases import case
from tests.web.browser.playing import Player
from tests.web.browser.shown import scene_of, scene_on
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot
from wateringhole.record import Record, parsed, replay
from wateringhole.web.replay_messages import replay_of
from wateringhole.web.score_parts import standings


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
    """A game that is over and has late feedings."""
    table, key = server.table([PERSON, bot(), bot("rash"), bot("rash")], private=True)
    with server.tab(table, name="Ann", key=key) as tab:
        known = str(tab.play()["game"])
    game = Finished(known, parsed(server.get(f"/api/games/{known}/record")[1]))
    assert game.feedings
    assert game.feedings[0] + 2 <= game.last
    return game


# Notes the id of every animation with the step in which it starts.
NOTE_MOTIONS: Final = """
const animate = Element.prototype.animate;
window.moved = [];
Element.prototype.animate = function (frames, options) {
  window.moved.push([Number(document.body.dataset.step), options.id]);
  return animate.call(this, frames, options);
};
"""


def opened(visitors: Visitors, finished: Finished, hash_: str = "", **options: Any) -> Page:
    page = visitors.arrive(**options)
    page.goto(f"/game/{finished.id}{hash_}")
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    return page


def with_still_clock(visitors: Visitors, finished: Finished, hash_: str = "", **options: Any) -> Page:
    """A replay whose time stands still until the test lets it run; it notes what moves."""
    page = visitors.profile(**options).new_page()
    page.add_init_script(NOTE_MOTIONS)
    page.clock.install()
    page.goto(f"/game/{finished.id}{hash_}")
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 3600"))
    return page


def moved(page: Page) -> list[tuple[int, str]]:
    """The step and the event of everything that has moved since the last time, once for each event in a row."""
    noted = [(step, way.split(" ")[0]) for step, way in page.evaluate("window.moved.splice(0)") if way]
    return [one for at, one in enumerate(noted) if at == 0 or noted[at - 1] != one]


def events_of(finished: Finished, steps: range) -> list[tuple[int, str]]:
    """The step and the kind of each event in these steps, once for each kind in a row."""
    whole = replay_of(finished.record, "id").steps
    told = [(step, type(event).__name__) for step in steps for event in whole[step].events]
    return [one for at, one in enumerate(told) if at == 0 or told[at - 1] != one]


def test_every_step_of_a_replay_is_the_state_of_the_engine_wherever_one_comes_from(
    finished: Finished, visitors: Visitors
) -> None:
    page = opened(visitors, finished)
    for step in range(finished.last + 1):
        page.locator("#scrubber").fill(str(step))
        assert scene_on(page, step) == scene_of(replay(finished.record, steps=step), step)
    expect(page.locator("#result-details")).to_have_attribute("open", "")
    expect(page.locator("#forward")).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    assert scene_on(page, finished.last - 1).step == finished.last - 1
    # The scrubber leads to any step and back.
    scrubber = page.locator("#scrubber")
    for step in (finished.last, 3, finished.last // 2, 0):
        scrubber.fill(str(step))
        assert scene_on(page, step) == scene_of(replay(finished.record, steps=step), step)
    scrubber.press("End")
    expect(page.locator("body")).to_have_attribute("data-step", str(finished.last))
    page.locator("#first").click()
    expect(page.locator("body")).to_have_attribute("data-step", "0")
    page.locator(f'[data-story-step="{finished.last - 1}"] .chronicle-number').click()
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
    for head in page.locator(".chronicle-reply").all_inner_texts():
        assert "chooses:" not in head


def test_the_film_shows_every_event_with_the_motions_of_a_table(finished: Finished, visitors: Visitors) -> None:
    start = finished.last - 5
    page = with_still_clock(visitors, finished, f"#step={start}", reduced_motion="no-preference")
    page.locator("#speed").select_option("4")
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    page.clock.run_for(300)
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    paused = scene_on(page)
    assert start < paused.step < finished.last
    page.clock.run_for(2_000)
    assert scene_on(page) == paused
    page.keyboard.press(" ")
    while page.locator("body[data-events]").count():
        page.clock.run_for(1_000)
    assert scene_on(page, finished.last) == scene_of(replay(finished.record), finished.last)
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    expect(page.locator("body[data-events]")).to_have_count(0)
    expect(page.locator("#motions > *")).to_have_count(0)
    assert moved(page) == events_of(finished, range(start + 1, finished.last + 1))


def test_one_step_on_shows_its_events_and_stays(finished: Finished, visitors: Visitors) -> None:
    step = finished.feedings[0]
    for name, motion in {"moving": "no-preference", "highlighted": "reduce"}.items():
        with case(name):
            page = with_still_clock(visitors, finished, f"#step={step}", reduced_motion=motion)
            page.locator("#forward").click()
            shown = page.locator("body[data-events]")
            expect(shown).to_have_count(1)
            while shown.count():
                page.clock.run_for(500)
            assert scene_on(page, step + 1) == scene_of(replay(finished.record, steps=step + 1), step + 1)
            assert moved(page) == events_of(finished, range(step + 1, step + 2))
            # A second press does not wait for the first: the rest is there at once.
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("ArrowRight")
            page.keyboard.press("ArrowRight")
            expect(page.locator("body")).to_have_attribute("data-step", str(step + 2))
            page.keyboard.press("ArrowLeft")
            assert scene_on(page, step + 1) == scene_of(replay(finished.record, steps=step + 1), step + 1)


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
    last = page.locator(f'[data-story-step="{finished.last}"]')
    last.locator('[data-kind="TurnEnded"]').click()
    expect(page.locator("#now-text")).to_contain_text("ends")
    assert last.locator(".to-come").count() == 1
    expect(page.locator("#game .pips-animal .pip-full")).to_have_count(0)
    # Event by event with keys: back to before the turn ended, and on to the end.
    page.keyboard.press("Shift+ArrowLeft")
    assert last.locator(".to-come").count() == 2
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    assert scene_on(page) == scene_of(replay(finished.record), finished.last)


def test_the_replay_says_at_once_who_won_unless_a_link_leads_into_the_game(
    finished: Finished, visitors: Visitors
) -> None:
    rows = standings(replay(finished.record))
    page = opened(visitors, finished)
    outcome = page.locator("#outcome")
    for row in rows:
        expect(outcome).to_contain_text(f"{row.name} " if row.rank else row.name)
        expect(outcome).to_contain_text(str(row.score))
    expect(page.locator("#show-outcome")).to_be_hidden()
    page = opened(visitors, finished, "#step=3")
    outcome = page.locator("#outcome")
    expect(outcome).to_be_hidden()
    page.get_by_role("button", name="Show the result").click()
    expect(outcome).to_contain_text(rows[0].name)
    page = opened(visitors, finished, "#step=3")
    page.keyboard.press("End")
    expect(page.locator("#outcome")).to_be_visible()


def test_the_replay_and_its_file_speak_the_language_of_the_browser(
    finished: Finished, visitors: Visitors, tmp_path: Path
) -> None:
    page = opened(visitors, finished, "#step=3", locale="de-DE")
    with page.expect_download() as download:
        page.locator('a[href$="/page"]').click()
    file = tmp_path / "game.html"
    download.value.save_as(file)
    alone = visitors.arrive(offline=True, locale="fr-FR")
    alone.goto(f"{file.as_uri()}#step=3")
    for shown in (page, alone):
        expect(shown.locator("html")).to_have_attribute("lang", "de")
        expect(shown.locator("#show-outcome")).to_have_text("Ergebnis zeigen")
        expect(shown.locator("#now-place")).to_have_text(f"Runde 1, Schritt 3 von {finished.last}.")


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


def test_the_record_can_be_taken_along_and_a_replay_in_one_file_works_without_any_network(
    finished: Finished, visitors: Visitors, tmp_path: Path
) -> None:
    page = opened(visitors, finished)
    with page.expect_download() as download:
        page.locator('a[href$="/record"]').click()
    file = tmp_path / "game.jsonl"
    download.value.save_as(file)
    assert parsed(file.read_bytes()) == finished.record
    assert json.loads(file.read_bytes().splitlines()[0])["names"][0] == "Ann"
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
