"""What the process beside a server is asked to do; a module of its own, because that process has to import it."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

LONG: Final = 60.0
"""Seconds after which nothing is waited for any more."""


def comes(mark: str) -> bool:
    """Whether this file comes before long."""
    return happens(lambda: os.path.exists(mark))


def happens(it: Callable[[], bool]) -> bool:
    """Whether it is so before long."""
    latest = time.monotonic() + LONG
    while not it():
        if time.monotonic() > latest:
            return False
        time.sleep(0.01)
    return True


def begins(mark: str, comes_then: str) -> bool:
    """Make one file, and wait for the other."""
    Path(mark).touch()
    return comes(comes_then)


def die_once(mark: str) -> str:
    """The first time, of this."""
    if not os.path.exists(mark):
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def outlive(server: int, begun: str, mark: str) -> None:
    """When the server that asks for this is gone, leave word of it."""
    Path(begun).touch()
    assert happens(lambda: os.getppid() != server)
    Path(f"{mark}.new").write_text(str(os.getpid()))
    Path(f"{mark}.new").rename(mark)
