"""The pictures of the documents, made anew: the table, a replay, a player's page, the ladder, a tournament's report.

A hundred games of the house bots are played on the decks of fixed seeds; the liveliest moment of choosing and the
liveliest one of feeding with prey in reach are opened in Chromium, 1280 x 800, light. For the ladder, some people and
bots have played for some weeks; the report is that of examples/house.toml, with fewer deals and a sage that thinks
less. Decks, names, bots and days are always the same, so the pictures change only when the pages do.

    python bench/screenshots.py            writes into docs/pictures
    python bench/screenshots.py --into DIR
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from playwright.sync_api import Browser, Page, expect, sync_playwright

from wateringhole.agents import Agent
from wateringhole.agents.house import named
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.dealer import pending
from wateringhole.moves import Attack, Graze
from wateringhole.record import Record, parsed, replay, text
from wateringhole.rules.turn import ranking
from wateringhole.store.finished_game import FinishedGame, Kind
from wateringhole.store.games import opened as store_in
from wateringhole.table import play
from wateringhole.view import Choose, Feed, request

GAMES = 100
NAMES = ("Ann", "Ben", "Cleo", "Dan")
BOTS = ("silly", "greedy", "hunter", "shepherd")
EVENINGS = 48
LATEST = datetime(2026, 11, 15, 20, tzinfo=UTC)
ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
HOUSE = ROOT / "examples" / "house.toml"
SHORTER = {"deals = 20": "deals = 4", "iterations=120": "iterations=60"}


class Moment(NamedTuple):
    """After so many replies of this game, this seat is asked; the higher the worth, the more there is to see."""

    worth: float
    record: Record
    step: int
    seat: int


def moments() -> tuple[Moment, Moment]:
    """The liveliest moments of choosing and of feeding."""
    best = {"choose": Moment(-1, Record((), (), ()), 0, 0), "feed": Moment(-1, Record((), (), ()), 0, 0)}
    for number in range(GAMES):
        agents: list[Agent] = [Silly(), Rash(f"{number}:2"), Silly(), Rash(f"{number}:4")]
        record = play(agents, shuffled(f"pictures {number}"), NAMES).record
        for step in range(len(record.replies)):
            game = replay(record, steps=step)
            for seat in pending(game)[:1]:
                worth = _worth(request(game, seat))
                if worth > best[game.phase].worth:
                    best[game.phase] = Moment(worth, record, step, seat)
    return best["choose"], best["feed"]


def _worth(asked: Choose | Feed) -> float:
    """How much there is to see: boards and traits of everybody, but not more than fit into the window."""
    others = (*asked.before, *asked.after) if isinstance(asked, Choose) else asked.others
    rows = [asked.me.species, *(other.species for other in others)]
    mine, *theirs = (len(row) for row in rows)
    most = 2 if isinstance(asked, Choose) else 3  # a plan adds one
    if len(asked.me.hand) > 8 or not 2 <= mine <= most or any(not 1 <= boards <= 2 for boards in theirs):
        return 0
    traits = {trait for row in rows for board in row for trait in board.traits}
    seen = len(traits) + sum(len(row) for row in rows)
    if isinstance(asked, Choose):
        return seen if len(asked.me.hand) >= 6 else 0
    hunters = {option.board for option in asked.options if isinstance(option, Attack)}
    verdicts = [fault is None for hunter in hunters for _, fault in asked.targets(hunter)]
    lively = any(verdicts) and not all(verdicts) and any(isinstance(option, Graze) for option in asked.options)
    return seen + min(asked.watering_hole, 12) if lively else 0


def evenings() -> Iterator[FinishedGame]:
    """What people and bots have played in the last weeks; Ann and Ben have their reasons to be at the top."""
    random = Random("evenings")
    for number in range(EVENINGS):
        people = random.sample(NAMES, 2)
        bots = random.sample(BOTS, 2)
        strength = {"Ann": "hunter", "Ben": "greedy", "Cleo": "silly", "Dan": "rash"}
        agents = [named(name, f"{number}:{name}") for name in (*(strength[one] for one in people), *bots)]
        names = [*people, *(f"{bot} {seat}" for seat, bot in enumerate(bots, 3))]
        record = play(agents, shuffled(f"evening {number}"), names).record
        yield kept(record, LATEST - timedelta(hours=9 * number + 4), "An evening", ("", "", *bots))


def kept(record: Record, ended: datetime, title: str, bots: tuple[str, ...]) -> FinishedGame:
    """A game as the store takes it; who is no bot is a person."""
    game = replay(record)
    kinds: tuple[Kind, ...] = tuple("bot" if bot else "person" for bot in bots)
    rows = ranking(game)
    return FinishedGame(text(record, game), record.names, rows, ended, ended, game.turn, kinds, bots, title=title)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server that keeps its games in this folder."""
    words = [sys.executable, "-m", "wateringhole", "serve", "--port", "0", "--web", "0", "--data", str(folder)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:  # noqa: S603
        assert process.stderr is not None
        process.stderr.readline()
        try:
            yield re.findall(r"http://\S+?(?=/)", process.stderr.readline())[0]
        finally:
            process.terminate()


def asked(base: str, path: str, value: object = None) -> bytes:
    """What the server answers to this question, or to this order."""
    headers = {"Origin": base, "X-Wateringhole": "1", "Content-Type": "application/json"}
    data = None if value is None else json.dumps(value).encode()
    with urllib.request.urlopen(urllib.request.Request(base + path, data, headers)) as answer:  # noqa: S310
        found: bytes = answer.read()
    return found


def archived(base: str, moment: Moment) -> str:
    """The id of this moment's game in the server's archive."""
    for game in json.loads(asked(base, "/api/lobby"))["games"]:
        if parsed(asked(base, f"/api/games/{game['id']}/record")) == moment.record:
            return str(game["id"])
    raise AssertionError("the archive does not have it")


def sitting_down(browser: Browser, base: str, moment: Moment) -> Page:
    """A page at a table that is at this moment."""
    order = {"step": moment.step, "seat": moment.seat}
    made = json.loads(asked(base, f"/api/games/{archived(base, moment)}/fork", order))
    page = opened(browser, base)
    page.goto(f"/table/{made['table']}#key={made['key']}")
    page.wait_for_selector('body:is([data-phase="choose"], [data-phase="feed"])')
    # Whatever the bots do meanwhile is done.
    expect(page.locator("#others [data-asked]")).to_have_count(0)
    return page


def opened(browser: Browser, base: str) -> Page:
    context = browser.new_context(
        base_url=base, viewport={"width": 1280, "height": 800}, color_scheme="light", reduced_motion="reduce"
    )
    context.add_init_script(
        'localStorage.setItem("wateringhole.tour", "seen"); localStorage.setItem("wateringhole.name", "Ann");'
    )
    return context.new_page()


def choosing(page: Page) -> None:
    """A plan is half made, and a card is in hand."""
    for card, place in ((0, "food"), (1, "board"), (2, "new-trait"), (3, "population:0")):
        page.locator(f'#hand [data-card="{card}"]').click()
        page.locator(f'#mine [data-place^="{place}"][data-state="open"]').first.click()
        expect(page.locator("#plan li")).to_have_count(card + 1)
    page.locator('#hand [data-card="4"]').click()
    page.locator('#mine [data-state="open"]').first.wait_for()


def feeding(page: Page) -> None:
    """An attacker looks for its prey."""
    page.locator("[data-feed^=attack]").first.click()
    page.locator("[data-target][data-open]").first.wait_for()


def reported(folder: Path) -> Path:
    """The report of a tournament of the house bots, which is played first."""
    text = HOUSE.read_text()
    for long, short in SHORTER.items():
        assert text.count(long) == 1
        text = text.replace(long, short)
    file, page = folder / HOUSE.name, folder / "report.html"
    file.write_text(text)
    for words in (["run", str(file)], ["report", str(file), "--html", str(page)]):
        command = [sys.executable, "-m", "wateringhole", "tournament", *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    return page


def reading(page: Page, file: Path) -> None:
    """The report, down to the end of its second section."""
    page.goto(file.as_uri())
    page.set_viewport_size({"width": 1120, "height": 800})
    bottom = page.locator("#meetings").evaluate("section => section.getBoundingClientRect().bottom")
    page.set_viewport_size({"width": 1120, "height": round(bottom) + 20})


def shoot(page: Page, path: Path) -> None:
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    page.locator(".tip").wait_for(state="hidden")
    page.screenshot(path=path, animations="disabled")
    print(f"{path.name}: {path.stat().st_size / 1_000:.0f} kB")
    page.context.close()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--into", type=Path, default=PICTURES)
    into: Path = options.parse_args().into
    into.mkdir(parents=True, exist_ok=True)
    choose, feed = moments()
    with tempfile.TemporaryDirectory() as folder:
        with store_in(Path(folder)) as store:
            store.add(kept(moment.record, LATEST, "Against the house", ("",) * 4) for moment in (choose, feed))
            store.add(evenings())
        with serving(Path(folder)) as base, sync_playwright() as playwright:
            program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            for moment, prepare, name in ((choose, choosing, "table-choose"), (feed, feeding, "table-feed")):
                page = sitting_down(browser, base, moment)
                prepare(page)
                shoot(page, into / f"{name}.png")
            page = opened(browser, base)
            page.goto(f"/game/{archived(base, feed)}#step={feed.step}")
            page.wait_for_selector('html[data-ready="true"]')
            shoot(page, into / "replay.png")
            for name, path in (("player", "/player/Ann"), ("ladder", "/ladder")):
                page = opened(browser, base)
                page.goto(path)
                page.wait_for_selector('html[data-ready="true"]')
                shoot(page, into / f"{name}.png")
            page = opened(browser, base)
            reading(page, reported(Path(folder)))
            shoot(page, into / "report.png")
            browser.close()


if __name__ == "__main__":
    main()
