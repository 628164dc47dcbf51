"""Ends all processes that a program has started, also those that left its process group or its parent.

Laws: only what bears a mark of ours, or has become our child in a session of its own, is ended. Where the system has no
/proc, only the group can be ended, by whoever started it.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

MARK: Final = "WATERINGHOLE_PROGRAM"
"""The variable of the environment that whatever a program starts inherits."""

PR_SET_CHILD_SUBREAPER: Final = 36
ROUNDS: Final = 100
"""How often to look again: another one may be started while we look."""


def marked(mark: str) -> dict[str, str]:
    """The environment for a program with this mark."""
    return os.environ | {MARK: mark}


def end_marked(mark: str) -> None:
    """End every process with this mark."""
    for _ in range(ROUNDS):
        found = list(_bearing(f"{MARK}={mark}".encode()))
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _bearing(mark: bytes) -> Iterator[int]:
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark in environment.read_bytes().split(b"\0"):
                yield int(environment.parent.name)


_RUNNING: Final[set[int]] = set()
"""The programs that have been started and not put away."""

_STRANGERS: Final[set[int]] = set()
"""The children that were there before the first of them."""

_ONE_AT_A_TIME: Final = threading.Lock()
"""Who is just being started is in none of these sets yet, and would be taken for an orphan."""


def started(start: Callable[[], "subprocess.Popen[bytes]"]) -> "subprocess.Popen[bytes]":
    """Start a program in a session of its own; its orphans become our children. Whoever starts it puts it away."""
    with _ONE_AT_A_TIME:
        _adopt()
        process = start()
        _RUNNING.add(process.pid)
    return process


def put_away(process: "subprocess.Popen[bytes]") -> None:
    """Wait for a program that has ended or is about to, and bury the orphans that are dead.

    With the last program its living orphans end, too: whose they are cannot be told as long as there are others.
    """
    process.wait()
    with _ONE_AT_A_TIME:
        _RUNNING.discard(process.pid)
        _end_all()


def end_orphans() -> None:
    """End what the programs of another process have left behind, which was our child and has ended."""
    with _ONE_AT_A_TIME:
        _end_all()


def _end_all() -> None:
    """Bury the orphans that are dead, and if no program is left the living ones, too."""
    for _ in range(ROUNDS):
        orphans = list(_orphans())
        for pid in orphans:
            _wait_orphan(pid, alive=not _RUNNING)
        if _RUNNING or not orphans:
            return


def adopt_orphans() -> None:
    """What processes of ours have started becomes our child, not that of the system, when they end."""
    with _ONE_AT_A_TIME:
        _adopt()


def _adopt() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if not _RUNNING:
        _STRANGERS.clear()
        _STRANGERS.update(_children())


def _children() -> Iterator[int]:
    """The processes whose parent we are, by birth or because their own has gone."""
    with contextlib.suppress(OSError):
        for task in Path("/proc/self/task").iterdir():
            yield from map(int, (task / "children").read_text().split())


def _orphans() -> Iterator[int]:
    """What programs have left behind. They are in sessions of their own: whatever is in ours is somebody else's."""
    for pid in {*_children()} - _RUNNING - _STRANGERS:
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(pid) != os.getsid(0):
                yield pid


def _wait_orphan(pid: int, alive: bool) -> None:
    """Wait for an orphan: for one that is dead, or even one that is alive."""
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        if alive:
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0 if alive else os.WNOHANG)
