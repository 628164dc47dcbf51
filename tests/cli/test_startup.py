"""What a command does not load: a harness is started thousands of times, and must not wait for what it does not use."""

import json
import subprocess
import sys

import pytest

from tests.cli import HANG, surroundings

HEAVY = ["asyncio", "rich", "numpy", "sqlalchemy", "openskill"]

SPY = """
import json, sys
from wateringhole.cli import main
try:
    main(sys.argv[1:])
except SystemExit as left:
    code = left.code
print(json.dumps({"code": code, "modules": sorted(sys.modules)}), file=sys.stderr)
"""

BOARD = [["food", 0], ["body", 0], ["population", 1], ["traits", []]]
PLAYER = [["id", 1], ["species", [BOARD]], ["bag", 0], ["cards", [[1, "horns"], [0, "horns"], [2, "horns"]]]]


def loaded(*arguments: str, given: object = None) -> set[str]:
    """The modules that are loaded when the command has run well."""
    done = subprocess.run(
        [sys.executable, "-c", SPY, *arguments],
        input=json.dumps(given).encode(),
        capture_output=True,
        timeout=HANG,
        check=True,
        env=surroundings(),
    )
    report = json.loads(done.stderr)
    assert report["code"] == 0
    assert done.stdout
    assert "wateringhole.cli" in report["modules"]
    return set(report["modules"])


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("xattack", [BOARD, BOARD, False, False]),
        ("xfeed", [PLAYER, 1, []]),
        ("xsilly", [PLAYER, [], []]),
        ("xstep", [[PLAYER], 1, []]),
        ("xstep4", [[[PLAYER], 1, []], [[0, [], [], [], []]]]),
    ],
)
def test_a_harness_loads_nothing_heavy(name: str, given: object) -> None:
    modules = loaded(name, given=given)
    assert [module for module in HEAVY if module in modules] == []
    assert "wateringhole.cli.harness" in modules
    assert "wateringhole.cli.game" not in modules


@pytest.mark.parametrize("arguments", ["--version", "--help", "xmain 3", "game 3 --json", "game 3 --trace"])
def test_nothing_heavy_is_loaded_where_nothing_is_drawn(arguments: str) -> None:
    modules = loaded(*arguments.split())
    assert [module for module in HEAVY if module in modules] == []


def test_a_game_on_the_terminal_loads_what_draws_it() -> None:
    assert "rich" in loaded("game", "3")


def test_the_version_loads_no_command() -> None:
    modules = loaded("--version")
    assert [module for module in modules if module.startswith("wateringhole.cli.")] == []
