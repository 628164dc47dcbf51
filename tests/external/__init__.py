"""The words of the tests of agents from outside: bots as small scripts, a table for them, and what they leave behind.

Laws: real processes of this machine; nothing waits for ever, and no test depends on how quick the machine is.
"""

import gc
import os
import secrets
import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.strangers import HERE, run
from wateringhole.cards import shuffled
from wateringhole.external.program import Bounds
from wateringhole.external.seating import SeatingTerms, play_session
from wateringhole.external.spec import spec
from wateringhole.fault import Fault
from wateringhole.record import Note, Result
from wateringhole.seeds import agent_seeds
from wateringhole.server.clock import TimeControl

PRELUDE = """\
import json, os, signal, sys, time

def say(value):
    sys.stdout.write(json.dumps(value) + "\\n")
    sys.stdout.flush()

def sign_up():
    say({"wateringhole": 1, "name": "Bea"})

def asked():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] in ("choose", "feed"):
            return message
    sys.exit(0)

def answer(message):
    move = {"move": "play", "food": 0} if message["type"] == "choose" else {"move": "decline"}
    say({"id": message["id"], "answer": move})

def sleep():
    time.sleep(1_000)

PIDS = os.path.join(os.path.dirname(__file__), "pids")

def note(pid):
    with open(PIDS, "a") as notes:
        notes.write(f"{pid}\\n")

"""
"""What the bots of these tests can say. They need nothing but Python, which starts quickly without its site."""

SEED = "8"
DECK = shuffled(8)
"""A game of three silly players on this deck has much feeding."""

PATIENT = SeatingTerms(
    TimeControl(60),
    Bounds(start_seconds=60, ready_seconds=60, end_seconds=0.05, memory=128 << 20, processes=20, last_moment=60),
)
"""Time enough for any machine."""

QUICK = SeatingTerms(TimeControl(0.5), PATIENT.bounds)
"""For those who will never answer."""


def bot(folder: Path, script: str, sign_up: bool = True) -> str:
    """The name of a bot that follows this script, once it has signed up, and then hears what it is asked."""
    path = folder / "bot.py"
    path.write_text(f"{PRELUDE}{'sign_up()' if sign_up else ''}\n{script}\n")
    return f"cmd:{shlex.join([sys.executable, '-IS', str(path)])}"


def hosting(*agents: str, terms: SeatingTerms = PATIENT) -> Result:
    """A game of these agents, on the same deck every time."""
    return run(
        play_session(
            [spec(agent) for agent in agents], DECK, agent_seeds(SEED, 0, range(1, len(agents) + 1)), terms, []
        )
    )


def fault_of(result: Result, seat: int = 1) -> Fault:
    """Why this seat alone was expelled; the others have finished the game."""
    faults = {row.seat: row.fault for row in result.ranking if row.fault is not None}
    assert [*faults] == [seat]
    assert [row.score for row in result.ranking if row.seat != seat and row.score is None] == []
    return faults[seat]


def note_on(result: Result, seat: int = 1) -> Note:
    """The record's note on a seat that was expelled."""
    [note] = [note for note in result.record.notes if note.get("expelled") == seat]
    return note


def nobody_expelled(result: Result) -> bool:
    return all(row.fault is None for row in result.ranking)


@contextmanager
def reserved_port() -> Iterator[int]:
    """A port of this machine for a server that must know it in advance.

    It stays bound all the time, so the system gives it to no other program; a server, which like this socket allows
    the address to be used again, can still listen on it.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((HERE, 0))
        yield held.getsockname()[1]


@contextmanager
def nothing_left(folder: Path) -> Iterator[None]:
    """Whatever is done meanwhile leaves no process and no file descriptor behind."""
    mark = secrets.token_hex(16)
    gc.collect()  # what an earlier test forgot to close is not to be closed meanwhile
    before = descriptors()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WATERINGHOLE_TEST", mark)
        yield
    assert descriptors() == before
    assert living(mark.encode(), str(folder).encode()) == {}


def descriptors() -> dict[str, str]:
    """The open files of this process."""
    open_files = {}
    for entry in Path("/proc/self/fd").iterdir():
        if entry.is_symlink():  # but not the one that lists them
            open_files[entry.name] = os.readlink(entry)
    return open_files


def living(*marks: bytes) -> dict[int, str]:
    """The processes that have one of these marks in their environment or command line, and their command lines."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                command, environment = ((entry / name).read_bytes() for name in ("cmdline", "environ"))
            except OSError:
                continue  # it has gone meanwhile
            if any(mark in command or mark in environment for mark in marks):
                found[int(entry.name)] = command.replace(b"\0", b" ").decode(errors="replace")
    return found
