"""The page: how soon a table is painted, and whether players feel it when many look on.

The first paint is Chromium's own figure, on this machine. For the second a person's seat is played against three bots,
each answer after a moment's thought, at a table that nobody watches and at one that a hundred watch, in turns; what
counts is the time from an answer to the word that it is taken. The watchers live in a process of their own.

With --payload: the bytes that a tab is sent in whole games with fixed seeds, uncompressed, by the type of the message.
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
from typing import Any

from websockets.asyncio.client import connect as connect_async
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

THINKING = 0.03
PLACES = [{"kind": "person"}, *({"kind": "bot", "bot": "silly"} for _ in range(3))]


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


def paints(port: int, times: int) -> list[tuple[float, float]]:
    """Seconds to the first paint of a table, and until its cards lie there."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # only the tests' environment has it

    found = []
    with sync_playwright() as playwright:
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
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
        browser.close()
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--watchers", type=int, default=100)
    options.add_argument("--rounds", type=int, default=10, help="games with and without watchers, and pages painted")
    options.add_argument("--payload", type=int, metavar="GAMES", help="only the bytes of so many games of fixed seeds")
    given = options.parse_args()
    if given.payload:
        told = [payload(seed) for seed in range(given.payload)]
        total = sum(told, Counter())
        print(f"bytes of a game: {[game.total() for game in told]}, mean {total.total() / given.payload:,.0f}")
        print(", ".join(f"{kind} {size / total.total():.0%}" for kind, size in total.most_common()))
        return
    with serving() as port:
        first, cards = zip(*paints(port, given.rounds), strict=True)
        print(f"first paint of a table: median {statistics.median(first):.3f} s, slowest {max(first):.3f} s")
        print(f"its cards lie there:    median {statistics.median(cards):.3f} s, slowest {max(cards):.3f} s")
        figures: dict[int, list[float]] = {0: [], given.watchers: []}
        for _ in range(given.rounds):
            for watchers in figures:
                figures[watchers] += replies(port, watchers)
    medians = {watchers: statistics.median(took) for watchers, took in figures.items()}
    for watchers, took in figures.items():
        print(
            f"{watchers:4d} watchers: {len(took)} answers, taken after {medians[watchers] * 1_000:.2f} ms (median), "
            f"{statistics.quantiles(took, n=100)[98] * 1_000:.2f} ms (99 %)"
        )
    print(f"ratio of the medians: {medians[given.watchers] / medians[0]:.3f}")


if __name__ == "__main__":
    main()
