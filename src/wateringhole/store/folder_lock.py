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
    """Meanwhile this folder is ours; BlockingIOError if it is another's. However we end, the lock ends with us.

    It is a POSIX lock, because that belongs to the process. One by flock belongs to the open file: a process that we
    have just started has that, too, until it becomes another program, and would hold the lock after we were killed.
    """
    with open(folder / LOCK, "w", opener=private) as file:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
