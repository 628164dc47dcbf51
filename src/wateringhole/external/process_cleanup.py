"""Ends all processes that a program has started, also those that left its process group or its parent.

Laws: only processes with a mark of ours, or children of this process in another session, are ended. Where the system
has no /proc, only the process group can be ended, by the caller that started it.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

MARK: Final = "WATERINGHOLE_PROGRAM"
"""The environment variable with the mark; all processes that a program starts inherit it."""

PR_SET_CHILD_SUBREAPER: Final = 36
ROUNDS: Final = 100
"""How often to look again: another process may be started while /proc is read."""


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
    if not os.path.isdir("/proc"):
        return
    for name in filter(str.isdecimal, os.listdir("/proc")):  # a glob would raise if a process ends meanwhile
        with contextlib.suppress(OSError):
            if mark in Path("/proc", name, "environ").read_bytes().split(b"\0"):
                yield int(name)


_RUNNING: Final[set[int]] = set()
"""The programs that have been started and not reaped."""

_OTHER_CHILDREN: Final[set[int]] = set()
"""The children of this process from before the first of them."""

_ONE_AT_A_TIME: Final = threading.Lock()
"""A process that is just being started is in none of these sets yet, and would be taken for an orphan."""


def started(start: Callable[[], "subprocess.Popen[bytes]"]) -> "subprocess.Popen[bytes]":
    """Start a program in a session of its own; its orphans become our children. The caller must `reap` it."""
    with _ONE_AT_A_TIME:
        _adopt()
        process = start()
        _RUNNING.add(process.pid)
    return process


def reap(process: "subprocess.Popen[bytes]") -> None:
    """Wait for a program that has ended or is about to, and reap the dead orphans.

    With the last program the living orphans end, too: as long as there are others, an orphan may belong to one of them.
    """
    process.wait()
    with _ONE_AT_A_TIME:
        _RUNNING.discard(process.pid)
        _end_all()


def end_orphans() -> None:
    """End the orphans of a child process that has ended, which had started programs of its own."""
    with _ONE_AT_A_TIME:
        _end_all()


def _end_all() -> None:
    """Reap the dead orphans and, if no program is left, kill the living ones."""
    for _ in range(ROUNDS):
        orphans = list(_orphans())
        for pid in orphans:
            _wait_orphan(pid, alive=not _RUNNING)
        if _RUNNING or not orphans:
            return


def adopt_orphans() -> None:
    """Make this process the subreaper: orphans of its children become its own children, not those of init."""
    with _ONE_AT_A_TIME:
        _adopt()


def _adopt() -> None:
    if sys.platform == "linux":
        _libc().prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if not _RUNNING:
        _OTHER_CHILDREN.clear()
        _OTHER_CHILDREN.update(_children())


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def _children() -> Iterator[int]:
    """The children of this process, started or adopted."""
    with contextlib.suppress(OSError):
        for task in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{task}/children", "rb") as file:  # no Path: it is read at each start
                yield from map(int, file.read().split())


def _orphans() -> Iterator[int]:
    """The orphans of programs. They are in other sessions: a child in our session was started by other code."""
    for pid in {*_children()} - _RUNNING - _OTHER_CHILDREN:
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(pid) != os.getsid(0):
                yield pid


def _wait_orphan(pid: int, alive: bool) -> None:
    """Wait for a dead orphan, or kill a living one and wait for it."""
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        if alive:
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0 if alive else os.WNOHANG)
