"""Whatever people call themselves and their tables is text, on every page and in every file."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

import wateringhole
from tests.cases import case
from tests.web.browser.playing import Player
from tests.web.browser.visitors import Visitors
from tests.web.conftest import SEED
from tests.web.server import PERSON, Line, Server, bot, serving
from wateringhole.web.pages import Site
from wateringhole.wire.framing import Json
from wateringhole.wire.names import cleaned

STATIC = Path(wateringhole.__file__).parent / "web" / "static"
SEATS = 8
BATCHES = 13
CARDS = 44
"""Of the deck: enough for a turn of all seats."""

DEED = "window.__pwned=1"
ATTEMPTS = [
    f"<script>{DEED}</script>",
    f"</script><script>{DEED}</script>",
    f"</title><script>{DEED}</script>",
    f"</textarea><script>{DEED}</script>",
    f"</style><script>{DEED}</script>",
    f"--><script>{DEED}</script><!--",
    f"]]><script>{DEED}</script>",
    f"<img src=x onerror={DEED}>",
    f"<img src=x onerror='{DEED}'>",
    f'"><img src=x onerror="{DEED}">',
    f"'><img src=x onerror={DEED}>",
    f"`><img src=x onerror={DEED}>",
    f"<svg onload={DEED}>",
    f"<svg><script>{DEED}</script></svg>",
    f"<svg><animate onbegin={DEED} attributeName=x>",
    f"<svg><use href=data:,x onload={DEED}>",
    f"<svg><foreignObject><img src=x onerror={DEED}>",
    f"<math><mtext><img src=x onerror={DEED}>",
    f"<template><img src=x onerror={DEED}></template>",
    f"<iframe src=javascript:{DEED}>",
    f"<iframe srcdoc='<script>{DEED}</script>'>",
    f"<object data=javascript:{DEED}>",
    f"<embed src=javascript:{DEED}>",
    f"<a href=javascript:{DEED}>x</a>",
    f"<form action=javascript:{DEED}><input type=submit autofocus>",
    f"<input onfocus={DEED} autofocus>",
    f"<details open ontoggle={DEED}>",
    f"<video><source onerror={DEED}>",
    f"<audio src=x onerror={DEED}>",
    f"<body onload={DEED}>",
    f"<marquee onstart={DEED}>",
    "<base href=//evil.example/><script src=x></script>",
    f"<meta http-equiv=refresh content='0;url=javascript:{DEED}'>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<style>*{display:none}</style>",
    "<b style=position:fixed;inset:0>big</b>",
    f"javascript:{DEED}",
    f"data:text/html,<script>{DEED}</script>",
    f'" onmouseover="{DEED}" x="',
    f"' onfocus='{DEED}' autofocus='",
    f'" autofocus onfocus={DEED} "',
    f"${{{DEED}}}",
    f"{{{{constructor.constructor('{DEED}')()}}}}",
    f"#{{{DEED}}} <%= {DEED} %>",
    f"\\u003cscript\\u003e{DEED}\\u003c/script\\u003e",
    f"&lt;script&gt;{DEED}&lt;/script&gt;",
    f"&#60;img src=x onerror={DEED}&#62;",
    f"<wh-board><img src=x onerror={DEED}>",
    f"<script type=module>{DEED}",
    f'{{"type":"end","x":"</script><script>{DEED}//"}}',
]
WORDS = "null undefined NaN __proto__ constructor toString hasOwnProperty true 0 -1 ../../../etc/passwd"
SIGNS = '%3Cscript%3E %00 \\ \\" \' " ` < > & &amp; <!-- --> ]]> <?php {{7*7}} ${7*7} =1+1 [x](y) %s $& $1 \\0'
ODDITIES = [
    "\u202eevil\u202c",
    "\u2066left\u2069",
    "\u200f\u05d0\u05d1\u05d2",
    "zero\u200bwidth\u200djoin",
    "\ufeffbom",
    "a\u2028b",
    "a\u2029b",
    "line\nbreak\r\n\ttab",
    "nul\x00byte",
    "\x1b[31mred\x1b[0m",
    "e\u0301" * 40,
    "Z\u0300\u0301\u0302\u0303\u0304" * 20,
    "\u0489" * 60,
    "\u3000wide\u3000\u00a0hard\u00a0",
    "W" * 10_000,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 9,
    "\uff1cscript\uff1e",
    *WORDS.split(),
    *SIGNS.split(),
]


def hostile() -> list[str]:
    """All of them; every second one in another dress: in upper case, behind what closes whatever it may stand in."""
    plain = [*ATTEMPTS, *ODDITIES]
    assert SEATS * (BATCHES - 1) < len(plain) <= SEATS * BATCHES
    dressed = [f"x'\"></b>{text}".replace("<script", "<ScRiPt") for text in plain]
    both = [dressed[at] if at % 2 else text for at, text in enumerate(plain)]
    return [both[at % len(both)] for at in range(SEATS * BATCHES)]


NAMES = hostile()
TELLTALES = (
    "script img iframe object embed base link style meta template form video audio math use foreignObject marquee"
)

# How many there are of what could do harm, and what bears a listener in its markup or leads to a script.
_INVENTORY = """(tags) => {
  const all = [...document.querySelectorAll("*")];
  const counts = Object.fromEntries(tags.map((tag) => [tag, document.getElementsByTagName(tag).length]));
  const armed = all.filter((element) => [...element.attributes].some(({ name, value }) =>
    /^on/i.test(name) || name === "srcdoc"
    || (["href", "src", "action"].includes(name) && /^\\s*(javascript|vbscript):/i.test(value))));
  return { counts, armed: armed.map((element) => element.outerHTML.slice(0, 200)), pwned: window.__pwned ?? null };
}"""


class Leaves(NamedTuple):
    """Where a game can be seen: at its table, in the replay, in the file that the replay can be taken along as."""

    table: Page
    replay: Page
    file: Page


def leaves(arrive: Callable[[], Page]) -> Leaves:
    return Leaves(arrive(), arrive(), arrive())


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One on which the games are short."""
    with serving("--seed", SEED, cards=CARDS) as running:
        yield running


@pytest.fixture
def arrive(visitors: Visitors) -> Iterator[Callable[[], Page]]:
    """New pages, on none of which anybody may open a dialog."""
    dialogs: list[str] = []

    def note(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    def new() -> Page:
        arrived = visitors.arrive()
        arrived.on("dialog", note)
        return arrived

    yield new
    assert dialogs == []


@pytest.fixture
def page(arrive: Callable[[], Page]) -> Page:
    return arrive()


def inventory(page: Page) -> dict[str, int]:
    """What could do harm on this page; nothing of it may bear what was smuggled in."""
    found = page.evaluate(_INVENTORY, TELLTALES.split())
    assert found["pwned"] is None
    assert found["armed"] == []
    counts: dict[str, int] = found["counts"]
    return counts


def is_shown(page: Page, names: list[str], where: str = "body") -> None:
    """Each of these names stands there, letter by letter."""
    stand = "([where, names]) => names.every((name) => document.querySelector(where)?.textContent.includes(name))"
    page.wait_for_function(stand, arg=[where, [cleaned(name) or "player" for name in names]])


def played(server: Server, where: Leaves, names: list[str], title: str) -> tuple[str, list[dict[str, int]]]:
    """A whole life of a table with these people, from the waiting room to the replay; the inventory of each page."""
    found = []
    table, key = server.table([PERSON] * len(names), title=title)
    page = where.table
    page.goto(f"/table/{table}?watch")
    with ExitStack() as stack:
        lines: list[Line] = []
        for at, name in enumerate(names):
            lines.append(stack.enter_context(server.tab(table, name=name, key=key if at == 0 else "")))
            if at == len(names) - 2:
                is_shown(page, names[:-1], "#waiting")
                is_shown(page, [title], "#title")
                found.append(inventory(page))
        expect(page.locator("wh-player")).to_have_count(len(names))
        is_shown(page, names, "#others")
        for seat in range(1, len(names) + 1):
            lines[0].say("stand_in", seat=seat)
        end = lines[0].hear("end")
    expect(page.locator("#end .end-ranking tbody tr")).to_have_count(len(names))
    is_shown(page, names, "#end")
    is_shown(page, names, "#story")
    found.append(inventory(page))
    where.replay.goto(f"/game/{end['game']}#step=5")
    found.append(_replayed(where.replay, names))
    return str(end["game"]), found


def filed(server: Server, page: Page, names: list[str], game: str, folder: Path) -> dict[str, int]:
    """The inventory of the file that the replay can be taken along as."""
    file = folder / "game.html"
    file.write_bytes(server.get(f"/api/games/{game}/page")[1])
    page.goto(file.as_uri())
    return _replayed(page, names)


def _replayed(page: Page, names: list[str]) -> dict[str, int]:
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    shown = [cleaned(name) or f"player {seat}" for seat, name in enumerate(names, 1)]
    assert page.title() == f"{', '.join(shown)} - wateringhole"
    is_shown(page, names, "h1")
    is_shown(page, names, "#game")
    is_shown(page, names, "#story")
    options = page.locator("#view option").all_text_contents()
    assert options[2:] == [f"{seat}: {name}" for seat, name in enumerate(shown, 1)]
    return inventory(page)


@pytest.fixture(scope="module")
def harmless(chromium: Browser, server: Server, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, int]]:
    """The inventories of a game of people with plain names, and of its file."""
    plain = [f"player {seat}" for seat in range(1, SEATS + 1)]
    with Visitors(chromium, server.base) as visitors:
        where = leaves(visitors.arrive)
        game, found = played(server, where, plain, "Plain")
        return [*found, filed(server, where.file, plain, game, tmp_path_factory.mktemp("plain"))]


def test_hostile_names_are_text_wherever_they_stand(
    server: Server, arrive: Callable[[], Page], harmless: list[dict[str, int]], tmp_path: Path
) -> None:
    where = leaves(arrive)
    for batch in range(BATCHES):
        names = NAMES[batch * SEATS : (batch + 1) * SEATS]
        with case(names):
            game, found = played(server, where, names, names[-1])
            assert found == harmless[:-1]
            if batch < 3:  # it takes the longest, and the file has tests of its own
                assert filed(server, where.file, names, game, tmp_path) == harmless[-1]


def test_the_lobby_shows_hostile_names_as_text(server: Server, page: Page) -> None:
    page.goto("/")
    expect(page.locator("#create")).to_be_visible()
    harmless = inventory(page)
    made: dict[str, list[str]] = {}
    with ExitStack() as stack:
        for batch in range(0, BATCHES, 4):
            names = NAMES[batch * SEATS : (batch + 1) * SEATS]
            table, key = server.table([PERSON] * SEATS, title=names[-1])
            for name in names[:-1]:
                stack.enter_context(server.tab(table, name=name, key=key))
            made[table] = names
        for table, names in made.items():
            is_shown(page, names[:-1], f'[data-table="{table}"]')
            expect(page.locator(f'[data-table="{table}"] h3')).to_have_text(cleaned(names[-1]) or "A table")
        assert inventory(page) == harmless


def test_a_hostile_name_typed_into_the_forms_is_text(page: Page) -> None:
    for name in ATTEMPTS[::13]:
        with case(name):
            typed(page, name)


def typed(page: Page, name: str) -> None:
    page.goto("/")
    page.locator("#name").fill(name)
    page.locator("#table-title").fill(name)
    page.locator("#table-seats").select_option("3")
    page.locator('[data-new-seat="2"]').select_option("person")
    page.locator("#create").click()
    kept = cleaned(name[:40])
    expect(page.locator("#waiting .places b").first).to_have_text(kept)
    expect(page).to_have_title(f"{cleaned(name[:60])} - wateringhole")
    page.locator("#begin").click()
    assert Player(page).asked() == "choose"
    expect(page.locator("#own-head h2")).to_contain_text(kept)
    expect(page).to_have_title(f"Your turn - {cleaned(name[:60])}")
    inventory(page)


def test_what_was_put_into_the_browsers_memory_does_no_harm(server: Server, visitors: Visitors) -> None:
    table, key = server.table([PERSON, bot(), bot()], private=True)
    page = visitors.arrive(ATTEMPTS[7])
    page.add_init_script(
        f"""
        localStorage.setItem("wateringhole.settings", {json.dumps(ATTEMPTS[0])});
        sessionStorage.setItem("wateringhole.plan.{table}.1", {json.dumps(ATTEMPTS[7])});
        """
    )
    page.goto(f"/table/{table}#key={key}")
    assert Player(page).asked() == "choose"
    expect(page.locator("#plan li")).to_have_count(0)
    inventory(page)


ORDERS: list[Json] = [
    {"places": [PERSON, bot(), bot()], "title": {"<script>": 1}},
    {"places": [{"kind": "<img src=x onerror=alert(1)>"}, bot(), bot()]},
    {"places": [PERSON, bot("<svg onload=alert(1)>"), bot()]},
    {"places": [PERSON, bot(), bot()], "time": "<script>alert(1)</script>"},
    {"places": [PERSON, bot(), bot()], "<script>": "x"},
    {"places": "</script>"},
    [ATTEMPTS[0]],
]


def test_a_hostile_order_is_refused_as_data_and_not_as_a_page(server: Server) -> None:
    for payload in ORDERS:
        with case(payload):
            status, refused = server.post("/api/tables", payload)
            assert status == 400
            assert set(refused) == {"text"}


def test_no_script_of_ours_makes_markup_of_text() -> None:
    forbidden = (
        r"\b(innerHTML|outerHTML|insertAdjacentHTML|srcdoc|createContextualFragment|DOMParser|setHTMLUnsafe)\b",
        r"\bdocument\s*\.\s*write(ln)?\b",
        r"\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(",
        r"setAttribute\(\s*[\"'`](on|style)",
        r"set(Timeout|Interval)\(\s*[\"'`]",
        r"\bstyle:\s*[\"'`]|javascript:",
    )
    scripts = sorted(STATIC.rglob("*.js"))
    assert STATIC / "table" / "table.js" in scripts
    for path in scripts:
        with case(path.name):
            text = path.read_text()
            assert [pattern for pattern in forbidden if re.search(pattern, text)] == []


def test_no_page_of_ours_has_script_or_style_in_its_markup() -> None:
    site = Site()
    shown = {**site.pages, **site.missing}
    assert ("fr", "table.html") in shown
    for template, page in shown.items():
        with case(template):
            text = page.data.decode()
            assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", text) == []
