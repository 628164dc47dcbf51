"""The examples play whole games, and play well enough to be worth reading."""

import runpy
import subprocess
import sys
from math import sqrt
from pathlib import Path

import pytest

from tests.cli import HANG, surroundings
from tests.times import TIMES
from wateringhole.agents import Agent
from wateringhole.agents.rash import Rash
from wateringhole.cards import shuffled
from wateringhole.external.spec import made, spec
from wateringhole.table import play

EXAMPLES = Path(__file__).parents[1] / "examples"
AGENTS = {"agent.py": "Thrifty", "requests_agent.py": "Gardener"}
GAMES = 80 * TIMES


@pytest.mark.parametrize("name", AGENTS)
def test_an_example_is_first_more_often_than_chance_would_have_it(name: str) -> None:
    won = 0.0
    for number in range(GAMES):
        example: Agent = made(spec(f"py:{EXAMPLES / name}:{AGENTS[name]}"), "")
        agents = [Rash(f"{number}:{seat}") for seat in range(3)]
        at = number % 4
        result = play([*agents[:at], example, *agents[at:]], shuffled(f"examples {number}"))
        assert all(row.fault is None for row in result.ranking)
        first = [row.seat for row in result.ranking if row.rank == 1]
        won += (at + 1 in first) / len(first)
    share = won / GAMES
    assert share - 2 * sqrt(share * (1 - share) / GAMES) > 0.25


@pytest.mark.parametrize("name", AGENTS)
def test_an_example_can_be_run(name: str) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, "7"],
        capture_output=True,
        text=True,
        timeout=HANG,
        check=True,
        env=surroundings(),
    )
    assert len(done.stdout.splitlines()) == 4
    again = runpy.run_path(str(EXAMPLES / name))["game"]("7")
    assert [f"{row.rank}. {row.name}: {row.score}" for row in again.ranking] == done.stdout.splitlines()
