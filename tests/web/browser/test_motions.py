"""Events at the table: what moves, from where to where, in which order; skipping, speed, reduced motion.

The pieces, the queue and the motions are the page's own; the events are those of recorded games. Where a test has to
know what has been shown by then, the clock of the page stands still until the test lets it run.
"""

import json
import re
from collections.abc import Callable
from itertools import compress
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, expect

from tests.cases import case
from tests.web.browser.playing import Player
from tests.web.browser.recorded_events import NAMES, WANTED, recorded_game, recorded_games, telling
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot
from wateringhole.web.page_text import catalogue
from wateringhole.wire.framing import Json

STAGE: Final = re.sub(r"^/\*\*.*?\*/\s*", "", Path(__file__).with_name("event_stage.js").read_text(), flags=re.DOTALL)

SCRIPT: Final = "**/static/pages/*/table.*.js"
MODULES: Final = f"""
import {{ useTexts }} from "/static/shared/text.js";
useTexts("en", {json.dumps(dict(catalogue("en")))});
await import("/static/table/table.js");
"""

# One event after the other, each cut off as soon as it has begun; only what is telling is shown.
ONE_BY_ONE: Final = """async ([events, telling]) => {
  for (const [at, event] of events.entries()) {
    if (!telling[at]) {
      stage.pass(event);
      continue;
    }
    stage.add([event]);
    await null;
    stage.show.skip();
  }
  return stage.moved.splice(0);
}"""

# How many events have begun, and how many pieces move: in one go, because what moves does so in real time.
ADD_AND_COUNT: Final = """(events) => {
  stage.add(events);
  return [stage.applied.length, document.querySelectorAll("#motions > *").length];
}"""

# Notes what is moved, and whether something was asked while events were shown.
NOTE: Final = """() => {
  window.ways = new Set();
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, options) {
    window.ways.add(options.id);
    return animate.call(this, frames, options);
  };
  new MutationObserver(() => {
    const { events, phase } = document.body.dataset;
    if (events && (phase === "choose" || phase === "feed")) window.askedMeanwhile = true;
  }).observe(document.body, { attributes: true });
}"""

# The ends of flights that lie outside of the window, the pictures at its edges, and how far the page is scrolled.
IN_SIGHT: Final = """([events, telling]) => events.flatMap((event, at) => {
  if (!telling[at]) {
    stage.pass(event);
    return [];
  }
  stage.add([event]);
  const flights = document.getAnimations().filter(({ effect }) => effect.target.closest("#motions > .motion"));
  const outside = flights.filter(({ effect }) => effect.getKeyframes().some(({ transform }) => {
    const [, x, y] = /translate\\(([-\\d.]+)px, ([-\\d.]+)px/.exec(transform) ?? [null, 0, 0];
    return x < 0 || x > innerWidth || y < -20 || y > innerHeight + 20;
  })).map(({ id }) => id);
  const seen = { outside, scrolled: scrollY, pictures: document.querySelectorAll(".edge-picture").length };
  stage.show.skip();
  return [[event, seen]];
})"""

YOU: Final = 1

TALL: Final = {"width": 1280, "height": 2000}

# Only what the compositor can do alone; the others describe the keyframe.
ANIMATED: Final = {"transform", "opacity", "offset", "computedOffset", "easing", "composite"}

# Signs stand above one another beside their place.
BESIDE_THEIR_PLACE: Final = {"sign", "banner", "ranking"}

# The page scrolls by itself only while no piece is on its way, and while nothing is asked no event makes it lower.
NOTE_SCROLLS = """() => {
  const noted = window.noted = { scrolls: 0, shown: 0, under: [], lower: [] };
  const scrolled = window.scrollBy.bind(window);
  window.scrollBy = (...words) => {
    noted.scrolls += 1;
    noted.under.push(...document.querySelectorAll("#motions > *"));
    scrolled(...words);
  };
  let before = 0;
  new MutationObserver(() => {
    noted.shown += 1;
    const { events, phase } = document.body.dataset;
    const height = document.getElementById("others").offsetHeight + document.getElementById("own").offsetHeight;
    if (events && phase === "wait" && height < before) noted.lower.push([before, height]);
    before = events && phase === "wait" ? height : 0;
  }).observe(document.getElementById("motions"), { childList: true });
}"""


def staged_page(server: Server, visitors: Visitors, clock: bool = False, **options: Any) -> Page:
    """The page of a table on which recorded events can be shown; with `clock` its time stands still."""
    # A clock is that of the whole profile.
    page = visitors.profile(**options).new_page() if clock else visitors.arrive(**options)
    # The modules one by one: what the stage imports is then what the page runs, and a piece is defined once.
    page.route(SCRIPT, lambda route: route.fulfill(content_type="text/javascript", body=MODULES))
    if clock:
        page.clock.install()
    table, key = server.table([PERSON] * len(NAMES), private=True)
    page.goto(f"/table/{table}#key={key}")
    page.locator("#waiting").wait_for()
    if clock:
        page.clock.pause_at(page.evaluate("Date.now() / 1000 + 3600"))
    begin(page)
    return page


def begin(page: Page) -> None:
    """Before the first event of a game."""
    page.evaluate(STAGE, {"names": list(NAMES), "you": YOU})


def add(page: Page, events: list[Json]) -> None:
    page.evaluate("(events) => stage.add(events)", events)


def applied(page: Page) -> list[str]:
    kinds: list[str] = page.evaluate("stage.applied")
    return kinds


def inside(point: dict[str, float], box: dict[str, float]) -> bool:
    across = box["left"] - 1 <= point["x"] <= box["right"] + 1
    return across and box["top"] - 1 <= point["y"] <= box["bottom"] + 1


def test_every_kind_of_event_moves_from_its_source_to_its_target(server: Server, visitors: Visitors) -> None:
    ends: set[str] = set()
    kinds: set[str] = set()
    # All boards are in sight, so that none has a picture at the edge.
    page = staged_page(server, visitors, clock=True, reduced_motion="no-preference", viewport=TALL)
    for number, game in enumerate(recorded_games()):
        begin(page)
        shown = telling(game, YOU)
        moved = page.evaluate(ONE_BY_ONE, [game.events, shown])
        assert [step["event"] for step in moved] == list(compress(game.events, shown))
        kinds.update(compress(game.kinds, shown))
        for at, step in enumerate(moved):
            with case(number, at, step["event"]):
                assert step["motions"]
                for motion in step["motions"]:
                    _, piece, start, end = motion["id"].split(" ")[:4]
                    assert set(motion["animated"]) <= ANIMATED
                    if piece in BESIDE_THEIR_PLACE or motion["id"].endswith("shake"):
                        continue
                    if start in step["before"]:
                        assert inside(motion["points"][0], step["before"][start]), motion
                        ends.add(start.split(":")[0])
                    if end in step["after"]:
                        assert any(inside(point, step["after"][end]) for point in motion["points"]), motion
                        ends.add(end.split(":")[0])
    assert kinds >= WANTED
    assert ends == {"hole", "deck", "board", "player", "hand"}


def test_events_are_shown_in_their_order_each_after_the_one_before(server: Server, visitors: Visitors) -> None:
    page = staged_page(server, visitors, clock=True, reduced_motion="no-preference")
    events = recorded_game(0).events
    kinds = [event["type"] for event in events if isinstance(event, dict)]
    add(page, events[:6])
    assert applied(page) == kinds[:1]
    expect(page.locator("body")).to_have_attribute("data-events", "playing")
    page.clock.run_for(600)
    assert applied(page) == kinds[:2]
    page.clock.run_for(4_000)
    assert applied(page) == kinds[:6]
    expect(page.locator("body")).not_to_have_attribute("data-events", "playing")
    expect(page.locator("#motions > *")).to_have_count(0)
    # However many there are in the last turn, the ranking is shown after eight seconds.
    page.evaluate("(events) => events.forEach(stage.pass)", events[6:-40])
    add(page, events[-40:])
    page.clock.run_for(8_100)
    assert applied(page) == kinds[:6] + kinds[-40:]


def test_a_click_on_the_table_or_a_key_shows_the_rest_at_once_and_one_beside_it_does_not(
    server: Server, visitors: Visitors
) -> None:
    page = staged_page(server, visitors, clock=True, reduced_motion="no-preference")
    events = recorded_game(0).events
    page.evaluate("document.getElementById('own').insertAdjacentHTML('beforeend', '<button id=control>Graze</button>')")
    skips: dict[str, Callable[[], object]] = {
        "click": lambda: page.locator("#hole").click(),
        "press": lambda: page.locator("#control").dispatch_event("pointerdown"),
        "key": lambda: page.keyboard.press("Shift"),
    }
    for name, skip in skips.items():
        with case(name):
            before = len(applied(page))
            begun, moving = page.evaluate(ADD_AND_COUNT, events[before : before + 10])
            assert begun == before + 1
            assert moving > 0
            page.locator("#title").click()
            assert len(applied(page)) == before + 1
            skip()
            assert len(applied(page)) == before + 10
            expect(page.locator("#motions > *")).to_have_count(0)


def test_the_speed_of_events_is_a_setting(server: Server, visitors: Visitors) -> None:
    page = staged_page(server, visitors, clock=True, reduced_motion="no-preference")
    [first, *events] = recorded_game(0).events[:20]
    for speed, milliseconds in {"slow": 1_200, "normal": 600, "fast": 240}.items():
        with case(speed):
            page.locator("#settings").click()
            page.get_by_label("Events at the table").select_option(speed)
            page.get_by_role("button", name="Close", exact=True).click()
            [step] = page.evaluate(ONE_BY_ONE, [[first], [True]])
            assert [motion["duration"] for motion in step["motions"]] == [milliseconds]
    page.locator("#settings").click()
    page.get_by_label("Events at the table").select_option("all at once")
    page.get_by_role("button", name="Close", exact=True).click()
    page.evaluate("stage.applied.length = 0")
    add(page, events)
    assert len(applied(page)) == len(events)
    expect(page.locator("#motions > *")).to_have_count(0)


def test_with_reduced_motion_nothing_moves_and_source_and_target_are_marked(server: Server, visitors: Visitors) -> None:
    game = recorded_game(0)
    # With the setting, enough events to see that it counts: what is shown is the same.
    page = staged_page(server, visitors, clock=True, viewport=TALL, reduced_motion="reduce")
    for name, last, least_marked, least_dying in (("system", len(game.events), 40, 4), ("setting", 60, 20, 0)):
        page.emulate_media(reduced_motion="reduce" if name == "system" else "no-preference")
        begin(page)
        if name == "setting":
            page.locator("#settings").click()
            page.get_by_label(re.compile("^Motion")).select_option("no motion")
            page.get_by_role("button", name="Close", exact=True).click()
        marked, dying = 0, 0
        for at, step in enumerate(page.evaluate(ONE_BY_ONE, [game.events[:last], telling(game, YOU)])):
            with case(name, at, step["event"]):
                assert step["motions"]
                for motion in step["motions"]:
                    assert len({(point["x"], point["y"]) for point in motion["points"]}) <= 1
                    assert "opacity" in motion["animated"]
                    marked += not motion["points"]
                    # What dies out is seen where it was, not where the next board is now.
                    if " gone board:" in motion["id"] and motion["points"]:
                        assert inside(motion["points"][0], step["before"][motion["id"].split(" ")[2]])
                        dying += 1
        assert marked > least_marked
        assert dying > least_dying


def test_before_the_next_choice_one_line_says_what_happened_to_the_player(server: Server, visitors: Visitors) -> None:
    page = staged_page(server, visitors)
    board = '{ population: 3, body: 0, food: 1, fat_food: 0, traits: [], letter: "A" }'
    page.evaluate(f"stage.table.players[0].boards = [{board}]; stage.table.players[2].boards = [{board}]")
    line = page.locator("#happened")
    expect(line).to_be_hidden()
    add(page, [
        {"type": "Attacked", "seat": 3, "board": 0, "target_seat": 1, "target": 0, "rule": "feeding.attack"},
        {"type": "AnimalLost", "seat": 1, "board": 0, "population": 2, "rule": "loss.animal"},
        {"type": "Starved", "seat": 1, "board": 0, "population": 1, "rule": "end.starvation"},
        {"type": "TurnEnded", "turn": 1, "watering_hole": 0, "rule": "feeding.left-over"},
        {"type": "CardsDealt", "seat": 1, "cards": 4, "rule": "start.cards"},
    ])  # fmt: skip
    page.evaluate("stage.show.asked(false, () => {})")
    expect(line).to_have_text(
        "Since your last move: <b>Kim</b> attacked you, 1 animal eaten, 1 animal starved "
        "(the watering hole was empty), 4 cards gained, bag +1."
    )
    page.evaluate("stage.show.replied()")
    expect(line).to_be_hidden()
    page.evaluate("stage.show.asked(false, () => {})")
    expect(line).to_be_hidden()
    page.evaluate("stage.show.asked(true, () => {})")
    expect(line).to_have_text("Last turn: the deck has too few cards for another one.")


def test_a_turn_of_a_real_game_is_shown_while_the_next_question_is_asked(server: Server, visitors: Visitors) -> None:
    made = server.table([PERSON, bot(), bot()], private=True)
    page = visitors.host(made, reduced_motion="no-preference")
    player = Player(page, plans=0)
    assert player.asked() == "choose"
    page.evaluate(NOTE)
    player.answer("choose")
    # The question comes at once, while the events before it are shown.
    page.wait_for_function("() => window.askedMeanwhile")
    page.keyboard.press("Shift")
    expect(page.locator("body[data-events]")).to_have_count(0)
    ways: list[str] = page.evaluate("[...window.ways]")
    assert "Revealed food-card hand:1 hole" in ways  # on a busy machine later events may come too late to be shown


def test_on_a_phone_the_table_does_not_scroll_or_get_lower_under_pieces_that_move(
    server: Server, visitors: Visitors
) -> None:
    made = server.table([PERSON, bot(), bot(), bot()], private=True)
    page = visitors.host(made, reduced_motion="no-preference", viewport={"width": 390, "height": 700})
    player = Player(page, plans=2)
    assert player.asked() == "choose"
    page.evaluate("""localStorage.setItem("wateringhole.settings", '{"events":"fast"}')""")
    page.evaluate(NOTE_SCROLLS)
    while (phase := player.asked()) != "over":
        page.wait_for_function("() => !document.body.dataset.events")
        player.answer(phase)
    noted = page.evaluate("window.noted")
    assert noted["scrolls"] > 0
    assert noted["shown"] > 20
    assert noted["under"] == []
    assert noted["lower"] == []


def test_on_a_phone_what_is_out_of_sight_is_shown_at_the_edge_and_nothing_scrolls(
    server: Server, visitors: Visitors
) -> None:
    page = staged_page(
        server, visitors, clock=True, reduced_motion="no-preference", viewport={"width": 390, "height": 700}
    )
    pictures = 0
    game = recorded_game(0)
    for at, (event, seen) in enumerate(page.evaluate(IN_SIGHT, [game.events, telling(game, YOU)])):
        with case(at, event):
            assert seen["outside"] == []
            assert seen["scrolled"] == 0
            pictures += seen["pictures"]
    assert pictures > 10


def test_the_ranking_at_the_end_is_counted_up(server: Server, visitors: Visitors) -> None:
    page = staged_page(server, visitors, reduced_motion="no-preference")
    over = json.loads(json.dumps(recorded_game(0).events[-1]))
    scores = [str(row["score"]) for row in over["ranking"] if row["score"] is not None]
    shown = """() => [...document.querySelectorAll(".motion-ranking [data-score]")]
      .filter((one) => one.dataset.score).map((one) => one.textContent)"""
    assert set(page.evaluate(f"(event) => {{ stage.add([event]); return ({shown})(); }}", over)) == {"0"}
    page.wait_for_function(f"(scores) => JSON.stringify(({shown})()) === JSON.stringify(scores)", arg=scores)
