"""On paper: a whole replay, the rules and the lists, dark on white, without what can only be pressed."""

from typing import Any

from playwright.sync_api import expect

from tests.cases import case
from tests.web.browser.moments import Stage
from tests.web.browser.visitors import Visitors

_PAPER = """() => {
  const shown = (element) => element.checkVisibility();
  const story = document.querySelector("#story");
  return {
    backgrounds: [document.documentElement, document.body].map((one) => getComputedStyle(one).backgroundColor),
    ink: getComputedStyle(document.body).color,
    pressed: [...document.querySelectorAll("button, input, select, nav")].filter(shown).length,
    cut: story ? story.scrollHeight > story.clientHeight + 1 : false,
    over: [...document.querySelectorAll("body *")].filter(shown)
      .filter((element) => ["fixed", "sticky"].includes(getComputedStyle(element).position)).length,
  };
}"""


def test_a_dark_page_is_printed_on_white_and_whole(stage: Stage, actors: Visitors) -> None:
    page = actors.arrive(color_scheme="dark")
    for address in (f"/game/{stage.game('attack')}#step=14", "/rules", "/games", "/ladder"):
        with case(address):
            page.emulate_media(media="screen")
            page.goto(address)
            if address != "/rules":
                expect(page.locator("html")).to_have_attribute("data-ready", "true")
            expect(page.locator("h1")).to_be_visible()
            before: dict[str, Any] = page.evaluate(_PAPER)
            page.emulate_media(media="print")
            paper: dict[str, Any] = page.evaluate(_PAPER)
            assert before["ink"] != paper["ink"] == "rgb(0, 0, 0)"
            assert paper["backgrounds"] == ["rgba(0, 0, 0, 0)"] * 2
            assert (paper["pressed"], paper["cut"], paper["over"]) == (0, False, 0)
