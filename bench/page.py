"""The page: how soon a table is painted, what it weighs, what it costs, and whether players feel it when many look on.

The first paint is Chromium's own figure, on this machine. For the second a person's seat is played against three bots,
each answer after a moment's thought, at a table without watchers and at one with a hundred, in turns; what
counts is the time from an answer to the word that it is taken. The watchers live in a process of their own.

The weight is measured on Chromium's emulation of slow 4G, from the tap on "Quick game" to the own hand: cold in a new
profile that has loaded nothing but the lobby, warm when that profile has had a table before. Idle cost is the CPU time
of all processes of the browser while a tab shows a table that waits for its player. Tasks of the page's thread are
counted from the hand to the ranking of a game that is played by hints, the same in each run, with four times the CPU
time that they take, as on a phone: so other programs on this machine matter little.

The payload is what a tab is sent in whole games with fixed seeds, uncompressed, in all and by the type of the message.

    python bench/page.py                   everything
    python bench/page.py --only weight     slow 4G, idle cost and long tasks
    python bench/page.py --only payload    the bytes of a game on the WebSocket
    python bench/page.py --json            one JSON object instead of sentences
"""

import argparse
import asyncio
import json
import multiprocessing
import re
import shutil
import statistics
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import connect as connect_async
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page  # only the tests' environment has it

THINKING = 0.03
PLACES = [{"kind": "person"}, *({"kind": "bot", "bot": "silly"} for _ in range(3))]
SLOW_4G = {"latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
SLOWER_CPU = 4
LONG_TASK_MS = 200
HINTED_SEED = "5"
"""Of the game that is played by hints, so that figures of two versions are about the same game."""
STOPWATCH = """
addEventListener("click", ({ target, timeStamp }) => {
  if (target.closest("#quick")) sessionStorage.setItem("tapped", String(performance.timeOrigin + timeStamp));
}, true);
new MutationObserver((_, observer) => {
  if (!document.querySelector("#hand [data-card]")) return;
  observer.disconnect();
  requestAnimationFrame(() => requestAnimationFrame((now) => {
    window.tapToHand = performance.timeOrigin + now - Number(sessionStorage.getItem("tapped"));
  }));
}).observe(document, { subtree: true, childList: true });
"""
GAME_OF_HINTS = """async () => {
  const shown = (selector) => document.querySelector(selector);
  const until = async (found) => {
    while (!found()) await new Promise((then) => setTimeout(then, 50));
    return found();
  };
  const hinted = "#dock [data-hint], #mine [data-hint]:not([data-feed^=attack]), [data-target][data-open]";
  for (let skips = false; ;) {
    const phase = await until(() => ["choose", "feed", "over"].find((one) => one === document.body.dataset.phase));
    if (phase === "over") return until(() => shown("#end:not([hidden]) table") !== null);
    await until(() => shown("#hint-line:not([hidden])") ?? void shown("#hint").click());
    (await until(() => shown(phase === "choose" ? "#play:enabled" : hinted))).click();
    await until(() => shown("#hint-line[hidden]"));
    // Every other time the player does not want to see what happens.
    if ((skips = !skips)) await until(() => document.body.dataset.events ?? document.body.dataset.phase !== "wait");
    if (skips) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true }));
  }
}"""
SETTLING_SECONDS = 15.0
"""How long after the last event a table may still move."""


@contextmanager
def serving(*options: str) -> Iterator[int]:
    """A server with its page; the page's port."""
    words = [sys.executable, "-m", "wateringhole", "serve", "--port", "0", "--web", "0", *options]
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:  # noqa: S603
        assert process.stderr is not None
        process.stderr.readline()
        try:
            yield int(re.findall(r":(\d+)/", process.stderr.readline())[0])
        finally:
            process.terminate()


def table(port: int) -> tuple[str, str]:
    """The id and the host's key of a new table."""
    base = f"http://localhost:{port}"
    request = urllib.request.Request(  # noqa: S310
        f"{base}/api/tables",
        json.dumps({"places": PLACES, "pace": 0}).encode(),
        {"Origin": base, "X-Wateringhole": "1", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        made = json.load(answer)
    return made["table"], made["key"]


def replies(port: int, watchers: int) -> list[float]:
    """How long each answer of one game took to be taken."""
    known, key = table(port)
    address = f"ws://localhost:{port}/table/{known}/line"
    ready, stop = multiprocessing.Event(), multiprocessing.Event()
    crowd = multiprocessing.Process(target=watch, args=(address, port, watchers, ready, stop))
    crowd.start()
    ready.wait()
    took: list[float] = []
    sent = 0.0
    with connect(address, origin=Origin(f"http://localhost:{port}"), max_size=None, proxy=None) as line:
        for message, _ in game(line, key):
            if message["type"] in {"choose", "feed"}:
                time.sleep(THINKING)
                sent = time.perf_counter()
            elif message["type"] == "done":
                took.append(time.perf_counter() - sent)
    stop.set()
    crowd.join()
    return took


def game(line: ClientConnection, key: str) -> Iterator[tuple[dict[str, Any], int]]:
    """Play a whole game; each message before it is answered, and its bytes."""
    hand: list[list[Any]] = []
    line.send(json.dumps({"type": "sign_up", "wateringhole": 1, "name": "Ann", "key": key}))
    message: dict[str, Any] = {"type": ""}
    while message["type"] != "end":
        text = line.recv()
        message = json.loads(text)
        yield message, len(text.encode() if isinstance(text, str) else text)
        if message["type"] == "snapshot":
            hand = message["me"]["hand"]
        elif message["type"] == "events":
            hand = message.get("hand", hand)
        elif message["type"] in {"choose", "feed"}:
            answer = play(hand) if message["type"] == "choose" else feeding(message)
            line.send(json.dumps({"type": "answer", "id": message["id"], "answer": answer}))


def play(hand: list[list[Any]]) -> dict[str, Any]:
    """The best card for food, one board with one trait."""
    best, pay, trait, *_ = sorted(range(len(hand)), key=lambda card: -hand[card][0])
    return {"move": "play", "food": best, "boards": [{"pay": pay, "traits": [trait]}]}


def feeding(asked: dict[str, Any]) -> dict[str, Any]:
    """The first option."""
    for board, tokens in enumerate(asked["storing"]):
        if tokens:
            return {"move": "store", "board": board, "tokens": tokens}
        if asked["grazing"][board] is None:
            return {"move": "graze", "board": board}
        for prey in asked["attacks"]:
            if prey["board"] == board and prey["rule"] is None:
                return {"move": "attack", "board": board, "seat": prey["seat"], "target": prey["target"]}
    return {"move": "decline"}


def payload(seed: int) -> Counter[str]:
    """The bytes that a tab is sent in one game, by the type of the message."""
    told: Counter[str] = Counter()
    with serving("--seed", str(seed)) as port:
        known, key = table(port)
        address = f"ws://localhost:{port}/table/{known}/line"
        with connect(address, origin=Origin(f"http://localhost:{port}"), max_size=None, proxy=None) as line:
            for message, size in game(line, key):
                told[message["type"]] += size
    return told


def watch(address: str, port: int, watchers: int, ready: Event, stop: Event) -> None:
    """So many tabs that look on, until it is enough."""

    async def one(open_: asyncio.Event) -> None:
        async with connect_async(
            address, origin=Origin(f"http://localhost:{port}"), max_size=None, proxy=None, ping_interval=None
        ) as line:
            await line.send('{"type":"sign_up","wateringhole":1,"watch":true}')
            await line.recv()
            open_.set()
            async for _ in line:
                pass

    async def all_of_them() -> None:
        opened = [asyncio.Event() for _ in range(watchers)]
        tabs = [asyncio.ensure_future(one(event)) for event in opened]
        for event in opened:
            await event.wait()
        ready.set()
        while not stop.is_set():
            await asyncio.sleep(0.05)
        for tab in tabs:
            tab.cancel()

    asyncio.run(all_of_them())


@contextmanager
def chromium() -> Iterator["Browser"]:
    """Chromium without a window."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # only the tests' environment has it

    with sync_playwright() as playwright:
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


def paints(port: int, times: int) -> list[tuple[float, float]]:
    """Seconds to the first paint of a table, and until its cards lie there."""
    found = []
    with chromium() as browser:
        for _ in range(times):
            known, key = table(port)
            page = browser.new_context().new_page()
            begun = time.perf_counter()
            page.goto(f"http://localhost:{port}/table/{known}#key={key}")
            page.wait_for_selector("[data-card]")
            cards = time.perf_counter() - begun
            first = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
            found.append((first / 1_000, cards))
            page.context.close()
    return found


# The weight of the page.


def weight(base: str, rounds: int, idle_seconds: float) -> dict[str, float]:
    """Slow 4G, idle cost and long tasks, by the name of the figure."""
    with chromium() as browser:
        return slow_loads(browser, base, rounds) | idle_cost(browser, base, idle_seconds) | long_tasks(browser)


def quick_game(page: "Page", base: str) -> float:
    """Seconds from the tap on "Quick game" to the first frame with the own hand, by the clock of the page."""
    page.add_init_script(STOPWATCH)
    page.goto(base)
    page.wait_for_selector("#new-table form")  # the button works from now on
    page.wait_for_load_state("networkidle")
    page.click("#quick")
    milliseconds: float = page.wait_for_function("() => window.tapToHand").json_value()
    return milliseconds / 1_000


def slow_loads(browser: "Browser", base: str, rounds: int) -> dict[str, float]:
    """Seconds from the tap to the hand on slow 4G; requests and bytes of that table, and of the lobby before it."""
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        page = browser.new_context().new_page()
        line = opened_line(page, "Network.enable")
        line.send("Network.emulateNetworkConditions", {"offline": False, **SLOW_4G})
        came: list[float] = []
        line.on("Network.loadingFinished", lambda event, came=came: came.append(event["encodedDataLength"]))
        for state in ("cold", "warm"):
            came.clear()
            seconds = quick_game(page, base)
            page.wait_for_load_state("networkidle")
            figures = {"tap to hand, s": seconds, "requests": len(came), "KB": sum(came) / 1_000}
            for name, figure in figures.items():
                found.setdefault(f"slow 4G, {state}: {name}", []).append(figure)
        page.context.close()
    return {name: statistics.median(figures) for name, figures in found.items()}


def idle_cost(browser: "Browser", base: str, seconds: float) -> dict[str, float]:
    """What a table costs whose player does nothing: share of a core, layouts in a second."""
    page = browser.new_context().new_page()
    quick_game(page, base)
    line = opened_line(page, "Performance.enable")
    processes = browser.new_browser_cdp_session()
    time.sleep(SETTLING_SECONDS)
    found = []
    for pause in (seconds, 0):
        metrics = {one["name"]: one["value"] for one in line.send("Performance.getMetrics")["metrics"]}
        cpu = sum(one["cpuTime"] for one in processes.send("SystemInfo.getProcessInfo")["processInfo"])
        found.append((time.perf_counter(), cpu, metrics["LayoutCount"]))
        time.sleep(pause)
    page.context.close()
    passed, cpu, layouts = (after - before for before, after in zip(*found, strict=True))
    return {"idle table: % of a core": 100 * cpu / passed, "idle table: layouts in a second": layouts / passed}


def long_tasks(browser: "Browser") -> dict[str, float]:
    """Tasks of the main thread in a whole game of hints, from the own hand to the ranking, on a slower CPU."""
    page = browser.new_context(reduced_motion="no-preference").new_page()
    page.add_init_script("localStorage.setItem('wateringhole.tour', 'seen')")
    with serving("--seed", HINTED_SEED) as port:
        quick_game(page, f"http://localhost:{port}")
        browser.start_tracing(page=page, categories=["toplevel"])
        page.evaluate(GAME_OF_HINTS)
        traced = json.loads(browser.stop_tracing())["traceEvents"]
    page.context.close()
    names = {(one["pid"], one["tid"]): one["args"]["name"] for one in traced if one["name"] == "thread_name"}
    page_threads = {thread for thread, name in names.items() if name == "CrRendererMain"}
    took = [
        SLOWER_CPU * one.get("tdur", 0) / 1_000
        for one in traced
        if one["name"] == "ThreadControllerImpl::RunTask" and (one["pid"], one["tid"]) in page_threads
    ]
    name = f"a game, CPU {SLOWER_CPU}x slower"
    return {
        f"{name}: tasks above {LONG_TASK_MS} ms": sum(one > LONG_TASK_MS for one in took),
        f"{name}: longest task, ms": max(took),
    }


def opened_line(page: "Page", *commands: str) -> "CDPSession":
    """A DevTools session with this page that has said these commands."""
    line = page.context.new_cdp_session(page)
    for command in commands:
        line.send(command)
    return line


# All of it.


def paint_figures(port: int, rounds: int) -> dict[str, float]:
    first, cards = zip(*paints(port, rounds), strict=True)
    return {
        "first paint of a table, s: median": statistics.median(first),
        "first paint of a table, s: slowest": max(first),
        "cards lie there, s: median": statistics.median(cards),
        "cards lie there, s: slowest": max(cards),
    }


def watcher_figures(port: int, rounds: int, watchers: int) -> dict[str, float]:
    took: dict[int, list[float]] = {0: [], watchers: []}
    for _ in range(rounds):
        for crowd in took:
            took[crowd] += replies(port, crowd)
    medians = {crowd: statistics.median(times) for crowd, times in took.items()}
    found: dict[str, float] = {}
    for crowd, times in took.items():
        found[f"{crowd} watchers: answers"] = len(times)
        found[f"{crowd} watchers: answer taken, ms: median"] = 1_000 * medians[crowd]
        found[f"{crowd} watchers: answer taken, ms: 99 %"] = 1_000 * statistics.quantiles(times, n=100)[98]
    return found | {"ratio of the medians": medians[watchers] / medians[0]}


def payload_figures(games: int) -> dict[str, float]:
    total = sum((payload(seed) for seed in range(games)), Counter[str]())
    shares = {f"payload: % {kind}": 100 * size / total.total() for kind, size in total.most_common()}
    return {"payload of a game: mean bytes": total.total() / games, **shares}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--watchers", type=int, default=100)
    options.add_argument("--rounds", type=int, default=10, help="games with and without watchers, and pages painted")
    options.add_argument("--loads", type=int, default=5, help="cold and warm loads on slow 4G")
    options.add_argument(
        "--idle", type=float, default=6.0, metavar="SECONDS", help="how long the idle table is watched"
    )
    options.add_argument("--games", type=int, default=8, help="games whose payload is counted")
    options.add_argument("--only", choices=["paint", "weight", "watchers", "payload"], help="this part alone")
    options.add_argument("--json", action="store_true", help="one JSON object instead of sentences")
    given = options.parse_args()
    figures: dict[str, float] = {}
    with serving() as port:
        if given.only in {None, "paint"}:
            figures |= paint_figures(port, given.rounds)
        if given.only in {None, "weight"}:
            figures |= weight(f"http://localhost:{port}", given.loads, given.idle)
        if given.only in {None, "watchers"}:
            figures |= watcher_figures(port, given.rounds, given.watchers)
    if given.only in {None, "payload"}:
        figures |= payload_figures(given.games)
    if given.json:
        print(json.dumps(figures))
        return
    width = max(map(len, figures))
    for name, figure in figures.items():
        print(f"{name:{width}}  {figure:10.3f}")


if __name__ == "__main__":
    main()
