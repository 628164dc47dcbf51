"""Visitors of the page: each has a browser's profile of its own, and everything that goes wrong on its pages is kept.

Laws: when the visitors leave, no page may have anything to complain of but what its test has announced. Nothing on the
way to the server is replaced.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response

from tests.web.server import PATIENCE

# Before any script of ours: what a page must never do is noted, and a browser that has been here before is played.
_WATCHFUL = """
document.addEventListener("securitypolicyviolation",
  (event) => console.error(`policy: ${event.violatedDirective} forbids ${event.blockedURI || "inline"}`));
addEventListener("unhandledrejection", (event) => console.error(`rejected: ${event.reason}`));
"""
_KNOWN = """
try {
  for (const [key, value] of Object.entries(%s)) {
    if (localStorage.getItem(`wateringhole.${key}`) === null) localStorage.setItem(`wateringhole.${key}`, value);
  }
} catch { /* a page without a memory, such as an empty one */ }
"""


_BRING = """(known) => {
  for (const [key, value] of Object.entries(known)) localStorage.setItem(`wateringhole.${key}`, value);
}"""

Device = tuple[str, tuple[tuple[str, Any], ...]]
"""The address of the server, and what a profile is made with."""

DEVICES: Final = frozenset({"has_touch", "is_mobile", "locale"})
SETTABLE: Final = frozenset({"viewport", "reduced_motion", "color_scheme"})
"""What a page can be told later."""


class Lent(NamedTuple):
    """A profile that one visitor has after the other; its ground is a page that keeps its process alive."""

    device: Device
    context: BrowserContext
    ground: Page


class Profiles:
    """Profiles that are lent, in which every visitor is a stranger. What the browser has loaded stays: a visit costs a
    fifth less than in a fresh one. A test that changes what is not cleared here, such as its clock, or that
    counts what is loaded, takes a `profile` of its own.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: defaultdict[Device, list[Lent]] = defaultdict(list)

    def lend(self, device: Device) -> Lent:
        if self._free[device]:
            return self._free[device].pop()
        base, options = device
        context = _new_context(self._browser, base, dict(options))
        ground = context.new_page()
        ground.goto("/static/icon.svg")
        return Lent(device, context, ground)

    def give_back(self, lent: Lent) -> None:
        for page in lent.context.pages:
            if page != lent.ground:
                page.close()
        lent.context.set_offline(False)
        lent.context.clear_cookies()
        lent.context.clear_permissions()
        lent.ground.evaluate("localStorage.clear()")
        self._free[lent.device].append(lent)


class Visitors:
    """Those of one test; `expected` are the patterns of what may go wrong on their pages."""

    def __init__(self, browser: Browser, base: str, profiles: Profiles | None = None) -> None:
        self._browser = browser
        self._profiles = profiles
        self.base = base
        self._lent: list[Lent] = []
        self.expected: list[str] = []
        self._complaints: list[str] = []
        self._contexts: list[BrowserContext] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for context in self._contexts:
            context.close()
        for lent in self._lent:
            lent.context.remove_listener("page", self._listen)
            if self._profiles and error is None:
                self._profiles.give_back(lent)
            else:
                lent.context.close()
        if error is None:
            assert self.unexpected() == []

    def unexpected(self) -> list[str]:
        """What went wrong so far and was not announced."""
        return [
            complaint
            for complaint in self._complaints
            if not any(re.search(pattern, complaint) for pattern in self.expected)
        ]

    # The options are the browser's own: viewport, color_scheme, ...
    def profile(self, name: str = "Ann", toured: bool = True, **options: Any) -> BrowserContext:
        """A browser of this person, who has seen the tour. Unless the test says which motion it wants, nothing moves
        and events come all at once: motion takes half of a browser's time, and a click waits for a card to rest.
        """
        context = _new_context(self._browser, self.base, options)
        self._contexts.append(context)
        context.add_init_script(_KNOWN % json.dumps(_known(name, toured, options)))
        context.on("page", self._listen)
        return context

    def arrive(self, name: str = "Ann", toured: bool = True, **options: Any) -> Page:
        """An empty page in a profile of its own, which is lent if nothing special is wanted of it."""
        if self._profiles is None or not options.keys() <= DEVICES | SETTABLE:
            return self.profile(name, toured, **options).new_page()
        lent = self._profiles.lend((self.base, tuple(sorted((key, options[key]) for key in options.keys() & DEVICES))))
        self._lent.append(lent)
        lent.ground.evaluate(_BRING, _known(name, toured, options))
        lent.context.on("page", self._listen)
        page = lent.context.new_page()
        if "viewport" in options:
            page.set_viewport_size(options["viewport"])
        page.emulate_media(**{key: options[key] for key in ("reduced_motion", "color_scheme") if key in options})
        return page

    def host(self, made: tuple[str, str], name: str = "Ann", **options: Any) -> Page:
        """A page at this table, by the host's link."""
        table, key = made
        page = self.arrive(name, **options)
        page.goto(f"/table/{table}#key={key}")
        return page

    def _listen(self, page: Page) -> None:
        def note(kind: str, what: str) -> None:
            self._complaints.append(f"{kind}: {what} (on {page.url})")

        page.on("console", _if_an_error(note))
        page.on("pageerror", lambda error: note("exception", str(error)))
        page.on("requestfailed", _if_not_given_up(note))
        page.on("response", _if_refused(note))
        page.on("crash", lambda _: note("crash", "the page is gone"))


def _new_context(browser: Browser, base: str, options: dict[str, Any]) -> BrowserContext:
    context = browser.new_context(base_url=base, **({"reduced_motion": "reduce"} | options))
    context.set_default_timeout(PATIENCE * 1_000)
    context.add_init_script(_WATCHFUL)
    return context


def _known(name: str, toured: bool, options: dict[str, Any]) -> dict[str, str]:
    """What the browser of such a visitor remembers."""
    known = ({"name": name} if name else {}) | ({"tour": "seen"} if toured else {})
    return known | ({} if "reduced_motion" in options else {"settings": json.dumps({"events": "off"})})


Note = Callable[[str, str], None]


def _if_an_error(note: Note) -> Callable[[ConsoleMessage], None]:
    return lambda message: note("console", message.text) if message.type in {"error", "assert"} else None


def _if_not_given_up(note: Note) -> Callable[[Request], None]:
    """A browser that leaves a page, or turns it into a download, gives its requests up."""

    def listen(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":
            note("request", f"{request.url} failed: {request.failure}")

    return listen


def _if_refused(note: Note) -> Callable[[Response], None]:
    return lambda response: note("answer", f"{response.status} for {response.url}") if response.status >= 400 else None
