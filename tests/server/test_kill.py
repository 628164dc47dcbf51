"""A real server that is killed again and again, by real clients who come back."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.external import reserved_port
from tests.times import TIMES
from wateringhole import Rash, Silly, play
from wateringhole.agents import Agent
from wateringhole.record import Record, Result, parsed, replay
from wateringhole.seeds import agent_seed
from wateringhole.server.client import connect
from wateringhole.store.data_folder import RUNNING
from wateringhole.store.games import opened
from wateringhole.store.queries import Filter

from .mortal import PATIENCE, POINTS, SEED, deck

pytestmark = pytest.mark.long

CLIENTS: Final = 6
KILLS: Final = 6
"""In one test; `make kills` has more of them."""


class Witness(Silly):
    """Remembers how its games ended, as it was told."""

    def __init__(self, told: list[Record]) -> None:
        super().__init__()
        self._told = told

    def over(self, result: Result) -> None:
        self._told.append(result.record)


class Lives:
    """One server after the other on the same folder and port, and the clients of all of them."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self.told: list[Record] = []
        self.deaths = 0
        self.endings: list[str] = []
        self._closing = False
        self._servers: asyncio.subprocess.Process
        self._living: int | None = None

    async def run(self, deaths: Sequence[tuple[str, int] | float]) -> None:
        """Die so often: at a point for the n-th time, or after so many seconds; then let everything come to its end."""
        self._servers = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.server.mortal", str(self.folder), str(self.port)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        try:
            async with asyncio.TaskGroup() as clients:
                for _ in range(CLIENTS):
                    clients.create_task(self._visits())
                for death in deaths:
                    await self._live_and_die(death)
                self._closing = True
                await self._start()
            self._kill(signal.SIGTERM)
            assert await self._ended() == 0
        finally:
            os.killpg(self._servers.pid, signal.SIGKILL)
            await self._servers.wait()

    async def _live_and_die(self, death: tuple[str, int] | float) -> None:
        if isinstance(death, float):
            await self._start()
            await asyncio.sleep(death)
            self._kill(signal.SIGKILL)
        else:
            self._say(*death)
        assert await self._ended() == -signal.SIGKILL
        self.deaths += 1

    async def _start(self) -> None:
        """The next server, which listens when this returns."""
        self._say()
        word, number = await self._heard()
        assert word == "listens", f"the server ended with code {number}"
        self._living = number

    async def _ended(self) -> int:
        """The exit code of the server, when it has ended; it may have died before it listened."""
        word = ""
        while word != "ended":
            word, code = await self._heard()
        self._living = None
        return code

    def _say(self, point: str = "", count: int = 0) -> None:
        assert self._servers.stdin is not None
        self._servers.stdin.write(f"{count} {point}\n".encode())

    async def _heard(self) -> tuple[str, int]:
        assert self._servers.stdout is not None
        word, number = (await self._servers.stdout.readline()).decode().split()
        return word, int(number)

    def _kill(self, number: int) -> None:
        if self._living is not None:
            os.kill(self._living, number)

    async def _visits(self) -> None:
        """One game after the other, each to its end; a client that lost its place in the lobby signs up anew."""
        while not self._closing:
            ending = await connect(Witness(self.told), "127.0.0.1", self.port, "native", retry=PATIENCE)
            if ending.turns:
                self.endings.append(ending.failure)


def expected(record: Record) -> Record:
    """The game that these would have played if nobody had died."""
    number = next(note["game"] for note in record.notes if "game" in note)
    assert isinstance(number, int)
    agents: list[Agent] = [
        Rash(agent_seed(SEED, number, seat)) if name.startswith("rash") else Silly()
        for seat, name in enumerate(record.names, 1)
    ]
    return play(agents, deck(number), record.names).record


def check(lives: Lives) -> None:
    """Nothing is lost, and nobody can tell that somebody died."""
    assert list((lives.folder / RUNNING).iterdir()) == []
    with opened(lives.folder) as store:
        games = store.listed(Filter(), limit=100_000)
        records = [parsed(store.data(game.id)) for game in games]
    assert {game.status for game in games} == {"finished"}
    numbers = sorted(next(int(str(note["game"])) for note in record.notes if "game" in note) for record in records)
    assert len(set(numbers)) == len(numbers)
    # A game gets its number before its seats are filled and opens its journal after that, so journals are not always
    # opened in order: when the server dies, the later of two games may have been begun and the earlier not.
    assert numbers[-1] - len(numbers) <= lives.deaths
    for record in records:
        assert replay(record).expelled == []
        assert record == expected(record)
    kept = {(record.deck, record.replies) for record in records}
    assert all((told.deck, told.replies) in kept for told in lives.told)
    assert lives.told
    assert set(lives.endings) == {""}, "whoever played hears how it ended, also after a crash"


@pytest.mark.parametrize("turn", range(TIMES))
def test_a_server_that_dies_at_any_point_of_its_bookkeeping_loses_nothing(turn: int, tmp_path: Path) -> None:
    dice = Random(f"points {turn}")
    with reserved_port() as port:
        lives = Lives(tmp_path / "data", port)
        asyncio.run(lives.run([(point, dice.randint(1, 12 if "entry" in point else 3)) for point in POINTS]))
    assert lives.deaths == len(POINTS)
    check(lives)


@pytest.mark.parametrize("turn", range(TIMES))
def test_a_server_that_is_killed_at_any_moment_loses_nothing(turn: int, tmp_path: Path) -> None:
    dice = Random(f"moments {turn}")
    with reserved_port() as port:
        lives = Lives(tmp_path / "data", port)
        asyncio.run(lives.run([dice.uniform(0.0, 0.3) for _ in range(KILLS)]))
    assert lives.deaths == KILLS
    check(lives)
