"""The clock of a player in a browser, on a simulated clock."""

import asyncio
import re
from collections.abc import Coroutine
from itertools import pairwise
from pathlib import Path
from typing import Final

from tests.server.simulation import SimulatedLoop
from wateringhole import web
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.dealer import new_game
from wateringhole.events import BoardGiven
from wateringhole.moves import CardPlay
from wateringhole.server.clock import TimeControl
from wateringhole.view import request
from wateringhole.web.browser_participant import BrowserParticipant
from wateringhole.web.page_messages import EVENT_SECONDS, MAX_SHOWING_SECONDS

SECONDS = 10.0


QUEUE: Final = Path(web.__file__).parent / "static/table/event_queue.js"


def test_the_page_shows_events_no_longer_than_the_server_gives_it_time() -> None:
    [milliseconds] = re.findall(r"^export const MAX_BACKLOG = (\d+);$", QUEUE.read_text(), re.MULTILINE)
    assert int(milliseconds) == 1_000 * MAX_SHOWING_SECONDS


def test_the_clock_of_a_player_starts_when_the_events_are_shown() -> None:
    cases = {0: 0.0, 1: EVENT_SECONDS, 5: 5 * EVENT_SECONDS, 10: MAX_SHOWING_SECONDS, 100: MAX_SHOWING_SECONDS}

    async def scene() -> None:
        seat = BrowserParticipant("Ann", TimeControl(SECONDS), Silly(), None)
        loop, question = asyncio.get_running_loop(), request(new_game(["Ann", "Ben", "Cleo"], shuffled(1)), 1)
        for events, showing in cases.items():
            seat.told([BoardGiven(1)] * events)
            begun = loop.time()
            reply = await seat.reply(question)  # the player is away: the stand-in plays when the time is up
            assert isinstance(reply, CardPlay)
            assert abs(loop.time() - begun - showing - SECONDS) < 0.001, events
            seat.back()

    run(scene())


def test_a_bank_pays_only_for_the_time_after_the_events() -> None:
    async def scene() -> None:
        seat = BrowserParticipant("Ann", TimeControl(SECONDS, 0.0), Silly(), None)
        loop, question = asyncio.get_running_loop(), request(new_game(["Ann", "Ben", "Cleo"], shuffled(1)), 1)
        ends = []
        for _ in range(2):
            seat.told([BoardGiven(1)] * 100)
            asking = asyncio.ensure_future(seat.reply(question))
            await asyncio.sleep(1.0)  # less than the events take
            assert seat.deadline is not None
            ends.append(seat.deadline - loop.time())
            seat.rest()
            await asking
            seat.back()
        assert all(abs(one - other) < 0.001 for one, other in pairwise(ends))

    run(scene())


def run(scene: Coroutine[object, object, None]) -> None:
    loop = SimulatedLoop()
    try:
        loop.run_until_complete(scene)
    finally:
        loop.close()
