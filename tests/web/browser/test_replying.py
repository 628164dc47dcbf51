"""Replies while events are still shown: none is lost, none hits what it was not meant for, nothing moves before it."""

import math
from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from tests.cases import case
from tests.web.browser.playing import NEXT_FRAME, middle
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot

Press = Callable[[Locator], None]

# Kept by the page: the answers that it sends; whether events were shown when a click was heard; and, in every frame in
# which something is asked while they are, where the own boards are on the page, how high everything above them is, and
# where they are in the window, once they were scrolled into sight.
WATCH: Final = """
window.watched = { sent: [], heldBack: 0, tops: [], seen: [] };
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function (data) {
  const said = JSON.parse(data);
  if (said.type === "answer") watched.sent.push(said.answer);
  return send.call(this, data);
};
addEventListener("click", () => { watched.heldBack += document.body.dataset.events ? 1 : 0; });
const look = () => {
  const { phase, events } = document.body?.dataset ?? {};
  if (events && (phase === "choose" || phase === "feed")) {
    const { top } = document.getElementById("mine").getBoundingClientRect();
    const above = ["top", "banners", "others", "own-head"].map((id) => [id, document.getElementById(id).offsetHeight]);
    watched.tops.push([watched.sent.length, Math.round(top + scrollY), Object.fromEntries(above)]);
    if (document.querySelector("#own[data-held]")) watched.seen.push(Math.round(top));
  }
  requestAnimationFrame(look);
};
look();
"""

# What is asked, once so many lines were told, or all. Each reply waits for another number of lines.
MOMENT: Final = """(told) => {
  const { phase, events } = document.body.dataset;
  const ready = { choose: "#play:enabled", feed: "#feed-options [data-feed]" }[phase];
  if (!ready || !document.querySelector(ready)) return null;
  const lines = document.querySelectorAll("#story li").length;
  return (lines >= told || !events) && { phase, playing: events === "playing" };
}"""

REPLIES: Final = 3

# Where in the window the header ends, the own boards begin and end, and the dock begins.
OWN_SIDE: Final = """() => {
  const [header, own, dock] = ["top", "mine", "dock"].map((id) => document.getElementById(id).getBoundingClientRect());
  return [header.bottom, own.top, own.bottom, dock.top];
}"""

# Pixels between the header and own boards that do not all fit above the dock.
MAX_GAP: Final = 10

DEVICES: Final[dict[str, dict[str, Any]]] = {
    "mouse": {"viewport": {"width": 1280, "height": 800}},
    "finger": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "keys": {"viewport": {"width": 1280, "height": 800}},
}


def pressing(page: Page, device: str) -> Press:
    """How a control is pressed where it is now, without waiting for anything to rest."""

    def press(control: Locator) -> None:
        if device == "keys":
            control.focus()
            page.keyboard.press("Enter")
            return
        control.evaluate("(control) => control.scrollIntoView({ block: 'center' })")
        x, y = middle(control)
        if device == "finger":
            page.touchscreen.tap(x, y)
        else:
            page.mouse.click(x, y)

    return press


def test_a_reply_in_the_middle_of_events_counts_and_hits_what_was_pressed(server: Server, visitors: Visitors) -> None:
    moves: set[str] = set()
    early = 0
    for number, (device, options) in enumerate(DEVICES.items()):
        with case(device):
            table, key = server.table([PERSON, bot(), bot("rash")], private=True)
            page = visitors.arrive(reduced_motion="no-preference", **options)
            page.add_init_script(WATCH)
            page.goto(f"/table/{table}#key={key}")
            early += play(page, pressing(page, device), number)
            moves |= set(page.evaluate("watched.sent.map(({ move }) => move)"))
            assert page.evaluate("watched.heldBack") == 0
            for reply in range(page.evaluate("watched.sent.length")):
                seen = [(top, above) for at, top, above in page.evaluate("watched.tops") if at == reply]
                tops = [top for top, _ in seen]
                low, high = min(tops, default=0), max(tops, default=0)
                # A part of a pixel may be rounded.
                assert high - low <= 1, [next(above for top, above in seen if top == found) for found in (low, high)]
            # Every event was told once, also of those that a key cuts short.
            page.wait_for_function(MOMENT, arg=0)
            page.keyboard.press("Shift")
            expect(page.locator("body[data-events]")).to_have_count(0)
            told = page.locator("#story li").all_text_contents()
            page.reload()
            expect(page.locator("#story li")).to_have_text(told)
    assert early > 1
    assert moves >= {"play", "graze"}


def test_on_a_phone_the_own_boards_stay_in_sight_until_all_events_are_shown(server: Server, visitors: Visitors) -> None:
    table, key = server.table([PERSON, bot(), bot("hunter"), bot("rash")], private=True)
    page = visitors.arrive(reduced_motion="no-preference", **DEVICES["finger"])
    page.add_init_script(WATCH)
    page.goto(f"/table/{table}#key={key}")
    frames = 0
    for reply in range(REPLIES):
        asked = page.wait_for_function(MOMENT, arg=math.inf).json_value()["phase"]
        with case(f"reply {reply}, {asked}"):
            page.evaluate(NEXT_FRAME)
            seen = page.evaluate("watched.seen.splice(0)")
            frames += len(seen)
            header, first, last, dock = page.evaluate(OWN_SIDE)
            # A part of a pixel may be rounded.
            assert max((abs(top - first) for top in seen), default=0) <= 1, (first, seen)
            assert header <= first
            assert last <= dock or first - header <= MAX_GAP
            (feed if asked == "feed" else choose)(page, pressing(page, "finger"))
            page.wait_for_function("(reply) => watched.sent[reply]", arg=reply)
    assert frames > 0


def play(page: Page, press: Press, first: int) -> int:
    """Some replies, each at another moment of the events before it; how many of them came before their end."""
    early = 0
    for reply in range(REPLIES):
        lines = page.locator("#story li").count()
        now = page.wait_for_function(MOMENT, arg=lines + (first + reply) % 4).json_value()
        early += now["playing"]
        wanted = feed(page, press) if now["phase"] == "feed" else choose(page, press)
        answer = page.wait_for_function("(reply) => watched.sent[reply]", arg=reply).json_value()
        assert {key: answer[key] for key in wanted} == wanted
    return early


def feed(page: Page, press: Press) -> dict[str, Any]:
    """The last feeding that is offered; the answer that this must be."""
    offered = page.locator("#feed-options [data-feed]").last
    kind, board = str(offered.get_attribute("data-feed")).split(":")
    press(offered)
    wanted = {"move": kind, "board": int(board)}
    if kind != "attack":
        return wanted
    prey = page.locator("#feed-options [data-prey]").last
    seat, target = map(int, str(prey.get_attribute("data-prey")).split(":"))
    press(prey)
    return wanted | {"seat": seat, "target": target}


def choose(page: Page, press: Press) -> dict[str, Any]:
    """Take the last card and put it back, then play what a hint proposes, so that there are boards to feed."""
    cards = page.locator("#hand [data-card]")
    last = cards.count() - 1
    face = cards.nth(last).locator("wh-card").evaluate("(card) => card.data.face")
    press(cards.nth(last))
    taken = page.locator('#hand [data-card][aria-pressed="true"]')
    expect(taken).to_have_attribute("data-card", str(last))
    assert taken.locator("wh-card").evaluate("(card) => card.data.face") == face
    # On a phone the hand makes way for the places.
    back = page.locator("#put-back")
    press(back if back.is_visible() else cards.nth(last))
    expect(taken).to_have_count(0)
    press(page.locator("#hint"))
    expect(page.locator("#plan [data-use=food]")).to_have_count(1)
    press(page.locator("#play"))
    return {"move": "play"}
