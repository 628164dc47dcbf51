"""Whatever a program has started, and however a game ends: nothing of it is left."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import HANG, ending, surroundings
from tests.cli.programs import until_written
from tests.external import PATIENT, QUICK, bot, fault_of, hosting, living, nobody_expelled, nothing_left
from tests.server.strangers import HERE
from wateringhole.external.program import Bounds
from wateringhole.external.seating import SeatingTerms
from wateringhole.fault import Reason

HONEST = "while True: answer(asked())"
STUBBORN = "for number in (1, 2, 13, 15): signal.signal(number, signal.SIG_IGN)"
SILENCE = ["sleep()", "os._exit(0)"]
"""Whoever is gone is silent, too, as long as a child holds the line."""

FAMILIES = {
    "children": ("for _ in range(3):\n  if pid := os.fork(): note(pid)\n  else: sleep()", 3),
    "stubborn children": (f"{STUBBORN}\nfor _ in range(3):\n  if pid := os.fork(): note(pid)\n  else: sleep()", 3),
    "a child in a session of its own": ("if not os.fork():\n  os.setsid()\n  note(os.getpid())\n  sleep()", 1),
    "a grandchild that nobody is the parent of": (
        "if not os.fork():\n  os.setsid()\n  if pid := os.fork(): note(pid)\n  else: sleep()\n  os._exit(0)",
        1,
    ),
    "another program": ("import subprocess\nnote(subprocess.Popen(['sleep', '1000']).pid)", 1),
}


@pytest.fixture(autouse=True)
def tidy(tmp_path: Path) -> Iterator[None]:
    with nothing_left(tmp_path):
        yield


def alive(pid: str) -> bool:
    """Whether this process runs; one that is only not buried yet does not."""
    try:
        return (Path("/proc") / pid / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("ending", [*SILENCE, "say([])\nsleep()", HONEST])
@pytest.mark.parametrize(("script", "number"), FAMILIES.values(), ids=FAMILIES)
def test_what_a_program_has_started_ends_with_it(script: str, number: int, ending: str, tmp_path: Path) -> None:
    family = f"{script}\n{until_written(tmp_path / 'pids')}\nsign_up()\n{ending}"
    terms = QUICK if ending in SILENCE else PATIENT
    result = hosting(bot(tmp_path, family, sign_up=False), "silly", "silly", terms=terms)
    assert nobody_expelled(result) == (ending == HONEST)
    started = (tmp_path / "pids").read_text().split()
    assert len(started) == number
    assert [pid for pid in started if alive(pid)] == []


def test_even_what_has_thrown_away_its_environment_ends_with_the_program(tmp_path: Path) -> None:
    child = "os.setsid()\n  note(os.getpid())\n  os.execve('/bin/sleep', ['sleep', '1000'], {})"
    family = f"if not os.fork():\n  {child}\n{until_written(tmp_path / 'pids')}\nsign_up()\n{HONEST}"
    assert nobody_expelled(hosting(bot(tmp_path, family, sign_up=False), "silly", "silly"))
    [pid] = (tmp_path / "pids").read_text().split()
    try:
        assert not alive(pid)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


def test_a_program_that_starts_too_many_is_ended_with_all_of_them(tmp_path: Path) -> None:
    bomb = "asked()\nfor _ in range(100):\n  if not os.fork(): sleep()\nsleep()"
    roomy = SeatingTerms(PATIENT.control, Bounds(start_seconds=60, end_seconds=0.05, memory=8 << 30, processes=20))
    fault = fault_of(hosting(bot(tmp_path, bomb), "silly", "silly", terms=roomy))
    assert fault.reason == Reason.EXITED
    assert fault.text == "is ended: it runs more than 20 processes"


def test_a_table_at_which_somebody_cannot_sit_leaves_nothing(tmp_path: Path) -> None:
    agent = bot(tmp_path, HONEST)
    with socket.create_server((HERE, 0)) as taken:
        busy = f"tcp:{HERE}:{taken.getsockname()[1]}"
        for agents in ([agent, busy, agent], [busy, agent, agent]):
            with pytest.raises(ValueError, match=f"^{busy}: cannot listen: .*in use"):
                hosting(*agents)


# A game that is broken off.


def await_file(path: Path) -> None:
    deadline = time.monotonic() + HANG
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} is not there"
        time.sleep(0.01)


def broken_off(folder: Path, number: signal.Signals) -> int:
    """How the command ends when this signal comes in the middle of a game with a program that would rather stay."""
    ready = folder / "ready"
    script = f"{STUBBORN}\nasked()\nopen({str(ready)!r}, 'w').close()\nsleep()"
    words = ["game", f"{bot(folder, script)}?sandbox=off", "silly", "silly", "--time", "none"]
    with ending(subprocess.Popen([sys.executable, "-m", "wateringhole", *words], env=surroundings())) as game:
        await_file(ready)
        assert len(living(str(folder / "bot.py").encode())) == 2
        game.send_signal(number)
        return game.wait(HANG)


def test_a_game_that_its_user_breaks_off_takes_its_programs_along(tmp_path: Path) -> None:
    assert broken_off(tmp_path, signal.SIGINT) == 130


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_game_that_is_told_to_end_takes_its_programs_along(number: signal.Signals, tmp_path: Path) -> None:
    broken_off(tmp_path, number)
    assert nobody_left(tmp_path)


def nobody_left(folder: Path) -> bool:
    """Whether the bot in this folder has gone; if not, it goes now."""
    left = living(str(folder / "bot.py").encode())
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return left == {}


def test_an_impatient_user_who_interrupts_twice_leaves_nothing_either(tmp_path: Path) -> None:
    ready, alone = tmp_path / "ready", tmp_path / "alone"
    asked = f"{STUBBORN}\nasked()\nopen({str(ready)!r}, 'w').close()"
    script = f"{asked}\nsys.stdin.read()\nopen({str(alone)!r}, 'w').close()\nsleep()"
    words = ["game", f"{bot(tmp_path, script)}?sandbox=off", "silly", "silly", "--time", "none"]
    with ending(subprocess.Popen([sys.executable, "-m", "wateringhole", *words], env=surroundings())) as game:
        await_file(ready)
        game.send_signal(signal.SIGINT)
        while not alone.exists() and game.poll() is None:  # a bot that gets no processor may be killed before it writes
            time.sleep(0.01)
        game.send_signal(signal.SIGINT)
        game.wait(HANG)
    assert nobody_left(tmp_path)
