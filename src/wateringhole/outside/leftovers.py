"""Nothing that a program has started may outlive it, even what has left its process group or its parent.

Laws: only what bears a mark of ours, or has become our child in a session of its own, is ended. Where the system has no
/proc, only the group can be ended, by whoever started it.
"""

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterator
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


def adopt_orphans() -> None:
    """What a program has started becomes our child, not that of the system, when its parent ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children() -> Iterator[int]:
    """The processes whose parent we are, by birth or because their own has gone."""
    with contextlib.suppress(OSError):
        for task in Path("/proc/self/task").iterdir():
            yield from map(int, (task / "children").read_text().split())


def sweep(ours: frozenset[int]) -> None:
    """End every child but these: orphans that a program has left behind, without its mark and outside its group.

    A program is in a session of its own, so whatever is in ours comes from somebody else.
    """
    for _ in range(ROUNDS):
        rest = set(children()) - ours
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            for pid in [pid for pid in rest if os.getsid(pid) != os.getsid(0)]:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        if not rest:
            return
