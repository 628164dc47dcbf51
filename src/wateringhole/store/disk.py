"""A folder of files that only grow, as far as a journal needs one.

Laws: a write is whole or it did not happen. Every failure is an OSError. Nothing here waits for the disk but `sync`,
which does so in a thread of its own.
"""

import asyncio
import contextlib
import fcntl
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Protocol

LOCK: Final = "lock"
SYNCING: Final = 4
"""How many files may be on their way to the disk at once."""


class File(Protocol):
    """A file that grows."""

    def write(self, data: bytes) -> None:
        """This, behind all that is there."""

    async def sync(self) -> None:
        """Until all that was written outlives a power cut."""

    def close(self) -> None:
        """No more will be written."""


class Disk(Protocol):
    """Files by name."""

    def names(self) -> list[str]:
        """All of them, in order."""

    def read(self, name: str) -> bytes:
        """All that is in this file."""

    def open(self, name: str, size: int = 0) -> File:
        """A new file or, of one that is there, the first bytes to go on from."""

    def rename(self, name: str, to: str) -> None:
        """Another name for this file."""

    def remove(self, name: str) -> None:
        """This file is gone, if it was there."""


class Folder:
    """A folder of this machine."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self._syncing = ThreadPoolExecutor(SYNCING, "sync")

    def names(self) -> list[str]:
        return sorted(entry.name for entry in os.scandir(self.path) if entry.is_file())

    def read(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def open(self, name: str, size: int = 0) -> "Paper":
        return Paper(self.path / name, size, self._syncing)

    def rename(self, name: str, to: str) -> None:
        (self.path / name).rename(self.path / to)

    def remove(self, name: str) -> None:
        (self.path / name).unlink(missing_ok=True)


class Paper:
    """A file of this machine."""

    def __init__(self, path: Path, size: int, syncing: ThreadPoolExecutor) -> None:
        self._folder = path.parent
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)  # it may have secrets of a game
        self._size = size
        self._syncing = syncing
        self._torn = os.fstat(self._handle).st_size > size  # whether something is behind what was written
        try:
            self._cut()
        except OSError:
            self.close()
            raise

    def write(self, data: bytes) -> None:
        self._cut()
        self._torn = True
        try:
            written = os.pwrite(self._handle, data, self._size)
            if written < len(data):  # a disk that is all but full takes a part, and says why at the next attempt
                written += os.pwrite(self._handle, data[written:], self._size + written)
            if written < len(data):
                raise OSError(28, "No space left on device")
        except OSError:
            with contextlib.suppress(OSError):
                self._cut()
            raise
        self._torn = False
        self._size += written

    async def sync(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._syncing, self._sync)

    def close(self) -> None:
        os.close(self._handle)

    def _cut(self) -> None:
        if self._torn:
            os.ftruncate(self._handle, self._size)
            self._torn = False

    def _sync(self) -> None:
        os.fsync(self._handle)
        folder = os.open(self._folder, os.O_RDONLY)  # a new name, too, is only on the disk when the folder is
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Meanwhile this folder is ours; BlockingIOError if it is another's. However we end, the lock ends with us."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
