"""A folder of files that only grow, as far as a journal needs one.

Laws: a write is whole or it did not happen. Every failure is an OSError. Nothing here waits for the disk but `sync`,
which does so in a thread of its own, for all files together that want it at the same time.
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
CLOSED: Final = -1
"""No file: the number of one that is closed may soon be another's."""
SYNCING: Final = 4
"""How many threads may wait for the disk at once."""


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
        self._threads = ThreadPoolExecutor(SYNCING, "sync")
        self._at_work = 0
        self._unsynced: list[tuple[int, asyncio.Future[None]]] = []

    def names(self) -> list[str]:
        return sorted(entry.name for entry in os.scandir(self.path) if entry.is_file())

    def read(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def open(self, name: str, size: int = 0) -> "Paper":
        return Paper(self, name, size)

    def rename(self, name: str, to: str) -> None:
        (self.path / name).rename(self.path / to)

    def remove(self, name: str) -> None:
        (self.path / name).unlink(missing_ok=True)

    async def sync(self, handle: int) -> None:
        """Until all that was written to this open file outlives a power cut."""
        loop = asyncio.get_running_loop()
        synced: asyncio.Future[None] = loop.create_future()
        self._unsynced.append((handle, synced))
        if len(self._unsynced) == 1 and self._at_work < SYNCING:
            loop.call_soon(self._go, loop)  # whoever wants it in this moment, too, goes along
        await synced

    def _go(self, loop: asyncio.AbstractEventLoop) -> None:
        batch, self._unsynced = self._unsynced, []
        if not batch:
            return
        self._at_work += 1

        def told(done: "asyncio.Future[list[OSError | None]]") -> None:
            self._at_work -= 1
            for (_, synced), error in zip(batch, done.result(), strict=True):
                if synced.done():  # nobody waits for it any more
                    continue
                if error is None:
                    synced.set_result(None)
                else:
                    synced.set_exception(error)
            self._go(loop)

        loop.run_in_executor(self._threads, self._sync, [handle for handle, _ in batch]).add_done_callback(told)

    def _sync(self, handles: list[int]) -> list[OSError | None]:
        """What went wrong with each of these files."""
        errors = [_synced(handle) for handle in handles]
        try:
            folder = os.open(self.path, os.O_RDONLY)  # a new name, too, is only on the disk when the folder is
        except OSError as error:
            return [error] * len(handles)
        missed = _synced(folder)
        os.close(folder)
        return [error or missed for error in errors]


def _synced(handle: int) -> OSError | None:
    try:
        os.fsync(handle)
    except OSError as error:
        return error
    return None


class Paper:
    """A file of this machine."""

    def __init__(self, folder: Folder, name: str, size: int) -> None:
        self._folder = folder
        self._handle = os.open(folder.path / name, os.O_RDWR | os.O_CREAT, 0o600)  # it may have secrets of a game
        self._size = size
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
        await self._folder.sync(self._handle)

    def close(self) -> None:
        handle, self._handle = self._handle, CLOSED
        os.close(handle)

    def _cut(self) -> None:
        if self._torn:
            os.ftruncate(self._handle, self._size)
            self._torn = False


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Meanwhile this folder is ours; BlockingIOError if it is another's. However we end, the lock ends with us."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
