"""The built site: its links, its names, and what a browser shows and asks for."""

import os
import zlib
from collections.abc import Iterator
from functools import cache, partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

import wateringhole
from tests.cases import case
from tests.web.browser.program import running_chromium
from tests.web.server import PATIENCE

SITE: Final = Path(os.environ["SITE"]).resolve()
PAGES: Final = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))
LOADED: Final = {"img": "src", "iframe": "src", "script": "src", "link": "href"}
"""The elements for which a browser asks a server, and the attribute that says for what."""
AXE: Final = Path(__file__).parents[1] / "web" / "node_modules" / "axe-core" / "axe.min.js"
# The theme's own navigation has landmarks that are not unique.
AXE_RUN: Final = """async () =>
  (await axe.run({ resultTypes: ["violations"], rules: { "landmark-unique": { enabled: false } } })).violations
  .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).slice(0, 3).join(" | ")}`)"""
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}


class Parsed(HTMLParser):
    """What a page links to, what it loads, and the anchors that it has."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors = {""}
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in LOADED and LOADED[tag] in found:
            self.loaded.append(found[LOADED[tag]])


@cache
def parsed(page: str) -> Parsed:
    return Parsed((SITE / page).read_text(encoding="utf-8"))


def test_every_link_leads_to_a_file_of_the_site_and_to_an_anchor_in_it() -> None:
    assert len(PAGES) > 30
    for page in PAGES:
        for link in [*parsed(page).links, *parsed(page).loaded]:
            with case(f"{page}: {link}"):
                if urlsplit(link).scheme == "https" and link in parsed(page).links:
                    continue  # a reader may follow it; nothing is loaded
                path, anchor = urldefrag(unquote(urljoin(f"/{page}", link)))
                assert (SITE / path.lstrip("/")).is_file()
                assert not path.endswith(".html") or anchor in parsed(path.lstrip("/")).anchors


def test_every_public_name_is_on_a_page_of_the_api() -> None:
    packed = (SITE / "objects.inv").read_bytes().split(b"\n", 4)[4]
    told = {line.split(" ", 1)[0] for line in zlib.decompress(packed).decode().splitlines()}
    assert len(told) > 200
    for name in wateringhole.__all__:
        with case(name):
            thing = getattr(wateringhole, name)
            home = getattr(thing, "__module__", "")
            assert {f"wateringhole.{name}", f"{home}.{name}"} & told


# In a browser.


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing on standard error."""


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE * 1_000)
    with running_chromium() as browser:
        yield browser


@pytest.fixture
def page(chromium: Browser, base: str) -> Iterator[Page]:
    """A page that fails the test if it asks another host for anything, or complains."""
    asked: list[str] = []
    complaints: list[str] = []
    context = chromium.new_context(base_url=base, viewport=PHONE, color_scheme="light", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE * 1_000)
    context.on("request", lambda request: asked.append(request.url))
    context.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    yield context.new_page()
    context.close()
    assert asked
    assert [address for address in asked if not address.startswith((base, "data:", "blob:"))] == []
    assert complaints == []


def test_home_shows_the_moving_picture_in_the_look_of_the_site(page: Page) -> None:
    page.goto("index.html")
    picture = page.frame_locator("iframe.turn-picture")
    expect(picture.locator(".picture-part")).to_have_count(5)
    expect(picture.locator("wh-board svg").first).to_be_visible()
    expect(picture.locator("html")).to_have_attribute("data-theme", "light")
    page.emulate_media(color_scheme="dark")
    expect(picture.locator("html")).to_have_attribute("data-theme", "dark")


def test_search_finds_a_rule_and_leads_to_it(page: Page) -> None:
    page.goto("index.html")
    page.locator("label[for=__search]").first.click()
    page.get_by_role("textbox", name="Search").press_sequentially("attack.horns")
    page.locator(".md-search-result__link", has_text="attack.horns").first.click()
    expect(page.locator("#attackhorns")).to_be_in_viewport()


def test_pages_fit_a_phone_and_have_no_fault_that_axe_finds(page: Page) -> None:
    for address in ("wire.html", "api/moves.html"):
        with case(address):
            page.goto(address)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.add_script_tag(path=AXE)
    for look, scheme in (("light", "default"), ("dark", "slate")):
        with case(look):
            page.emulate_media(color_scheme="dark" if look == "dark" else "light")
            expect(page.locator("body")).to_have_attribute("data-md-color-scheme", scheme)
            assert page.evaluate(AXE_RUN) == []
