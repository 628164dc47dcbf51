"""A lock file that gives a folder to one process."""

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from wateringhole.store.file_modes import private

LOCK: Final = "lock"


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of this folder; BlockingIOError if another process has it. It ends with the process, also a killed
    one.

    It is a POSIX lock, because that belongs to the process. One by flock belongs to the open file: a child process has
    that file, too, between fork and exec, and would hold the lock after its parent was killed.
    """
    with open(folder / LOCK, "w", opener=private) as file:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
