"""`xmain`, and the command without one."""

import re
import subprocess
import sys

import pytest

from tests.cases import case
from tests.cli import HANG, Ended, command, complained, process, surroundings, well
from wateringhole import __version__
from wateringhole.agents.silly import Silly
from wateringhole.cards import DECK
from wateringhole.cli import COMMANDS, CORE
from wateringhole.table import play


def test_xmain_prints_the_ranking_of_silly_players_on_the_sorted_deck() -> None:
    for number in range(3, 9):
        due = play([Silly() for _ in range(number)], DECK).ranking
        lines = [f"{row.rank} player id: {row.seat} score: {row.score}" for row in due]
        with case(number):
            assert well(command("xmain", str(number))).splitlines() == lines
            assert len(lines) == number


def test_xmain_agrees_with_game_on_the_sorted_deck() -> None:
    shown = well(command("game", "5", "--sorted", "--seed", "any", "--quiet")).splitlines()[2:]
    ranks = [re.sub(r" player id: (\d) score: ", r" silly \1 ", line).split() for line in xmain(5)]
    assert [line.split() for line in shown] == ranks


def xmain(number: int) -> list[str]:
    return well(process("xmain", str(number))).splitlines()


MISTAKES: list[tuple[list[str], str]] = [
    ([], "PLAYERS"),
    (["0"], "0 players"),
    (["1"], "1 player"),
    (["2"], "2 players"),
    (["9"], "9 players"),
    (["-1"], "-1"),
    (["--", "-1"], "-1"),
    (["three"], '"three"'),
    (["3.0"], '"3.0"'),
    (["1e1"], '"1e1"'),
    (["true"], '"true"'),
    (["NaN"], '"NaN"'),
    ([""], '""'),
    (["3", "4"], "4"),
    (["3", "--seed", "7"], "--seed"),
]


def test_a_mistake_is_one_sentence() -> None:
    for arguments, value in MISTAKES:
        with case(arguments, value):
            assert complained(command("xmain", *arguments), value)


@pytest.mark.parametrize("number", [10**6, 10**30])
def test_a_huge_number_is_refused_without_seating_so_many_players(number: int) -> None:
    line = f'ulimit -v 500000; exec "{sys.executable}" -m wateringhole xmain {number}'
    done = subprocess.run(["sh", "-c", line], capture_output=True, timeout=HANG, check=False, env=surroundings())
    assert complained(Ended(done.returncode, done.stdout.decode(), done.stderr.decode()), str(number))


# The command itself.


def test_without_a_command_it_shows_its_help_and_each_command() -> None:
    out = well(command())
    assert out == well(command("--help")) == well(command("-h"))
    assert re.findall(r"^  (\w+)  +\w", out.split("Commands:")[1], re.MULTILINE) == list(COMMANDS)


def test_each_command_explains_itself() -> None:
    assert COMMANDS
    for name in COMMANDS:
        with case(name):
            assert well(command(name, "--help")).startswith(f"Usage: wateringhole {name} ")


def test_the_version_is_the_packages() -> None:
    assert well(process("--version")) == f"wateringhole {__version__}, {CORE}\n"


def test_windows_is_refused_in_one_sentence() -> None:
    pretended = "import os; from wateringhole.cli import main; os.name = 'nt'; main(['xmain', '3'])"
    done = subprocess.run([sys.executable, "-c", pretended], capture_output=True, text=True, timeout=HANG, check=False)
    assert complained(Ended(done.returncode, done.stdout, done.stderr), "needs Linux or macOS", "WSL")
