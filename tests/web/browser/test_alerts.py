"""What calls a player: sounds, the title of the tab, notifications."""

import re
from typing import Final

from playwright.sync_api import Page, expect

from tests.cases import case
from tests.web.browser.playing import Player
from tests.web.browser.visitors import Visitors
from tests.web.server import PERSON, Server, bot

# Kept by the page: every tone that is started, those before the first touch, every notification that is shown.
LISTEN: Final = """
window.heard = 0;
window.heardUntouched = 0;
const { start } = AudioScheduledSourceNode.prototype;
AudioScheduledSourceNode.prototype.start = function (...when) {
  window.heard += 1;
  if (!navigator.userActivation.hasBeenActive) window.heardUntouched += 1;
  return start.apply(this, when);
};
window.notified = [];
const Shown = globalThis.Notification;
globalThis.Notification = class extends Shown {
  constructor(title, options) {
    super(title, options);
    window.notified.push({ title, body: options.body, notification: this });
  }
};
"""

NOTES_OF_TURN: Final = 2

# The tab as it is behind another one: a browser without a window has none to hide.
HIDE: Final = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}"""

# The loudest moment of each sound, and its length in seconds.
RENDER: Final = """async (volume) => {
  const { SOUND_NAMES, soundOn } = await import("/static/shared/sound.js");
  const sounds = {};
  for (const name of SOUND_NAMES) {
    const context = new OfflineAudioContext(1, 3 * 44100, 44100);
    soundOn(context, name, volume);
    const samples = (await context.startRendering()).getChannelData(0);
    const peak = samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    sounds[name] = { peak, length: samples.findLastIndex((one) => Math.abs(one) > 0.001) / 44100 };
  }
  return sounds;
}"""


def test_every_sound_can_be_heard_is_short_and_is_never_distorted(visitors: Visitors) -> None:
    page = visitors.arrive()
    page.goto("/")
    loud = page.evaluate(RENDER, 100)
    usual = page.evaluate(RENDER, 50)
    assert loud.keys() >= {"card", "food", "attack", "extinct", "turn", "end"}
    for name, sound in usual.items():
        with case(name):
            assert 0.005 < sound["peak"] < loud[name]["peak"] < 1
            assert 0 < sound["length"] < 1.5


def test_events_have_sounds_until_they_are_switched_off(server: Server, visitors: Visitors) -> None:
    page = visitors.arrive(reduced_motion="no-preference")
    page.add_init_script(LISTEN)
    table, key = server.table([PERSON, bot("rash"), bot("rash")], private=True)
    page.goto(f"/table/{table}#key={key}")
    player = Player(page, plans=0)
    assert player.asked() == "choose"
    player.answer("choose")
    page.wait_for_function("() => heard > 0")
    assert page.evaluate("heardUntouched") == 0  # a touch is also each question that this test asks of the page
    page.locator("#settings").click()
    page.locator("#volume").fill("80")
    page.locator("#sounds").uncheck()
    expect(page.locator("#volume")).to_be_disabled()
    page.get_by_label("Events at the table").select_option("fast")
    page.keyboard.press("Escape")
    before = heard(page)
    player.answer(player.asked())
    player.asked()
    expect(page.locator("body[data-events]")).to_have_count(0)  # by then all that is new has been shown
    assert heard(page) == before


def test_a_hidden_tab_is_called_by_sound_title_and_notification(server: Server, visitors: Visitors) -> None:
    profile = visitors.profile(reduced_motion="no-preference")
    profile.grant_permissions(["notifications"], origin=server.base)
    profile.add_init_script(LISTEN)
    page = profile.new_page()
    table, key = server.table([PERSON, PERSON, bot()], title="Tuesday", private=True)
    page.goto(f"/table/{table}#key={key}")
    # Nothing is asked of the browser until the player wants it.
    page.locator("#settings").click()
    expect(page.locator("#notify")).not_to_be_checked()
    page.locator("#notify").check()
    expect(page.locator("#notify")).to_be_checked()
    page.keyboard.press("Escape")
    page.evaluate(HIDE, True)
    with server.tab(table, name="Ben") as ben:
        ben.hear("welcome")
        expect(page).to_have_title(re.compile("^[\u25cf\u25cb] Your turn - Tuesday$"))
        notified = page.evaluate("notified.map(({ title, body }) => [title, body])")
        assert notified == [["Your turn - Tuesday", "Your turn: choose your cards."]]
        assert heard(page) == NOTES_OF_TURN
        # A click on the notification leads back to the tab, and closes it.
        page.evaluate("""() => {
          window.focused = 0;
          window.focus = () => { window.focused += 1; };
          notified[0].notification.dispatchEvent(new Event("click"));
        }""")
        assert page.evaluate("focused") == 1
        page.evaluate(HIDE, False)
        expect(page).to_have_title("Your turn - Tuesday")


def heard(page: Page) -> int:
    number: int = page.evaluate("heard")
    return number


def test_a_browser_that_allows_no_notification_says_so(visitors: Visitors) -> None:
    page = visitors.arrive()
    page.goto("/")
    page.locator("#settings").click()
    page.locator("#notify").click()
    expect(page.get_by_text("allows no notifications")).to_be_visible()
    expect(page.locator("#notify")).not_to_be_checked()
