"""Servers that die, disks that fail and lines that break, in worlds that a seed makes; laws.py says what must hold."""

import asyncio
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from tests.times import TIMES
from wateringhole.moves import Reply
from wateringhole.record import Note
from wateringhole.store.database import Database
from wateringhole.store.game_log import GameLog, GameLogs
from wateringhole.store.log_entries import Ended, LogContents, Opening

from .scenario import POINTS, play, scratch
from .world import Violation

SEEDS = 20
"""How many worlds for each point; `make simulate` plays as many as one likes."""
MAX_TRIES = 200


@pytest.fixture(scope="module")
def base() -> Iterator[Database]:
    with scratch() as database:
        yield database


@pytest.mark.parametrize("point", POINTS)
def test_nobody_can_tell_that_a_server_died_at_this_point(base: Database, point: str) -> None:
    outcomes = [play(f"{point} {seed}", base, point) for seed in range(SEEDS)]
    assert sum(outcome.deaths > 0 for outcome in outcomes) >= SEEDS / 2
    assert sum(outcome.games for outcome in outcomes) >= SEEDS


@pytest.mark.parametrize("tens", range(4 * TIMES))
def test_nobody_can_tell_that_a_server_was_killed_at_any_moment(base: Database, tens: int) -> None:
    outcomes = [play(f"moment {seed}", base) for seed in range(10 * tens, 10 * tens + 10)]
    assert any(outcome.deaths for outcome in outcomes)


@pytest.mark.parametrize("tens", range(4 * TIMES))
def test_the_laws_hold_whatever_else_goes_wrong(base: Database, tens: int) -> None:
    for seed in range(10 * tens, 10 * tens + 10):
        play(f"anything {seed}", base, kind="anything")


def test_three_whole_games_at_once_outlive_their_servers(base: Database) -> None:
    for seed in range(3):
        play(f"full {seed}", base, kind="anything", full=True)


# The simulator itself.


def history() -> str:
    """One fingerprint of all that happens in several worlds."""
    whole = hashlib.sha256()
    with scratch() as base:
        for seed, point in enumerate((None, "within write replied", "after add", None, None)):
            whole.update(play(f"history {seed}", base, point, "anything" if seed else "kills").digest.encode())
    return whole.hexdigest()


def test_the_same_seed_is_the_same_history_in_every_process() -> None:
    program = "from tests.simulator.test_simulator import history; print(history())"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert history() == history() == done.stdout.strip()


class LateJournal(GameLog):
    """Writes down what was replied only when everybody has been told."""

    def replied(self, replies: Sequence[tuple[int, Reply]]) -> None:
        asyncio.get_running_loop().call_soon(super().replied, replies)


class TrustingJournal(GameLog):
    """Takes a write for a sync."""

    async def over(self, notes: Sequence[Note], status: str = "finished") -> None:
        self._add(msgspec.json.encode(Ended(status, self._game_logs.now(), tuple(notes))))


class ForgetfulJournal(GameLog):
    """Leaves out that everybody was asked to choose."""

    def asked(self, turn: int) -> None:
        pass


class EagerJournals(GameLogs):
    """Lets go of a game as soon as it is found, before anybody has gone on with it."""

    def go_on(self, begun: LogContents) -> GameLog:
        self.discard(begun.name)
        return super().go_on(begun)


def planted(kind: type[GameLog]) -> type[GameLogs]:
    """Journals of this kind."""

    class Planted(GameLogs):
        def new(self, opening: Opening) -> GameLog:
            return kind(self, opening)

        def go_on(self, begun: LogContents) -> GameLog:
            return kind(self, begun)

    return Planted


@pytest.mark.parametrize(
    "game_logs",
    [planted(LateJournal), planted(TrustingJournal), planted(ForgetfulJournal), EagerJournals],
    ids=["announces before it writes", "does not sync the end", "forgets an entry", "removes too early"],
)
def test_a_bug_that_somebody_plants_is_found(base: Database, game_logs: type[GameLogs]) -> None:
    points = list(POINTS)
    for seed in range(MAX_TRIES):
        try:
            play(f"planted {seed}", base, points[seed % len(points)], "anything", game_logs=game_logs)
        except Violation as violation:
            print(f"found by seed {seed}: {violation!s:.200}")  # noqa: T201
            return
    pytest.fail(f"not found in {MAX_TRIES} worlds")
