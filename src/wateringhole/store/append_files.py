"""Append-only files in a folder, with fsync in groups, as far as a game log needs them.

Laws: a write is whole or it did not happen. Every failure is an OSError. Whatever waits for the disk is done somewhere
else, for all files together that want it at the same time.
"""

import asyncio
import contextlib
import os
import secrets
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final, Protocol, TypeVar

from wateringhole.store.error import StoreError
from wateringhole.store.file_modes import private

T = TypeVar("T")

CLOSED: Final = -1
"""No file: the number of one that is closed may soon be another's."""
TOGETHER: Final = 0.05
"""Seconds between two syncs: all that want one meanwhile share the next."""
MAX_BLANK_FILES: Final = 64
"""How many files may wait for something to be written into them."""
BLANK_SIZE: Final = 16_384
"""Their size; a game of four takes about half of it."""


class Offload(Protocol):
    """Calls a function somewhere else, such as in a thread, and says what it says."""

    def __call__(self, function: Callable[..., T], /, *args: object) -> Awaitable[T]: ...


class AppendFile(Protocol):
    """A file that grows."""

    @property
    def name(self) -> str:
        """As it is found by."""

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
        """All that is in this file; zeros may follow what was written."""

    def new(self, ending: str) -> AppendFile:
        """A file with nothing in it, whose name has this ending."""

    def open(self, name: str, size: int = 0) -> AppendFile:
        """A file of this name; of one that is there, the first bytes to go on from."""

    def rename(self, name: str, to: str) -> None:
        """Another name for this file."""

    def remove(self, name: str) -> None:
        """This file is gone, if it was there."""

    async def clear(self, names: Sequence[str]) -> list[OSError | None]:
        """So are these; what went wrong with each."""


class AppendFolder:
    """A folder of this machine.

    For every file that is synced, which is the end of its game, a blank one is laid out for the next, up to so many: to
    make a file takes the players more time than to write a whole game into one that is there.
    """

    def __init__(self, path: Path, aside: Offload = asyncio.to_thread) -> None:
        self.path: Final = path
        self._aside = aside
        self._unsynced: list[tuple[str, asyncio.Future[None]]] = []
        self._syncing: asyncio.Task[None] | None = None
        self._blank: list[RealAppendFile] = []
        self._ordered: list[str] = []  # blank files that are being made

    def names(self) -> list[str]:
        return sorted(entry.name for entry in os.scandir(self.path) if entry.is_file())

    def read(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def new(self, ending: str) -> "RealAppendFile":
        while self._blank and self._blank[-1].name.endswith(ending):
            paper = self._blank.pop()
            if paper.there:
                return paper
            paper.close()
        return self.open(f"{secrets.token_hex(12)}{ending}")

    def open(self, name: str, size: int = 0) -> "RealAppendFile":
        return RealAppendFile(self, name, size)

    def rename(self, name: str, to: str) -> None:
        (self.path / name).rename(self.path / to)

    def remove(self, name: str) -> None:
        (self.path / name).unlink(missing_ok=True)

    async def clear(self, names: Sequence[str]) -> list[OSError | None]:
        return await self._elsewhere(cleared, str(self.path), names)

    async def sync(self, name: str) -> None:
        """Until all that was written to this file outlives a power cut."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._unsynced.append((name, done))
        if self._syncing is None:
            self._syncing = loop.create_task(self._sync())
        await done

    async def _sync(self) -> None:
        """All that wait for it, and all that come meanwhile; and soon after, so that they go together."""
        try:
            while self._unsynced:
                await self._sync_all()
                await asyncio.sleep(TOGETHER)
        finally:
            self._syncing = None

    async def _sync_all(self) -> None:
        batch, self._unsynced = self._unsynced, []
        names = [name for name, _ in batch]
        wanted = [f"{secrets.token_hex(12)}{os.path.splitext(name)[1]}" for name in names]
        del wanted[max(0, MAX_BLANK_FILES - len(self._blank)) :]
        self._ordered = wanted
        errors, made = await self._elsewhere(synced, str(self.path), names, wanted, os.getpid())
        self._ordered = []
        for (_, done), failed in zip(batch, errors, strict=True):
            if done.done():  # nobody waits for it any more
                continue
            if failed is None:
                done.set_result(None)
            else:
                done.set_exception(failed)
        for name in made:
            with contextlib.suppress(OSError):  # it is removed when somebody looks what is there
                self._blank.append(RealAppendFile(self, name, 0, blank=True))

    async def _elsewhere(self, function: Callable[..., T], *args: object) -> T:
        """Aside, or in a thread of ours if that does not work."""
        try:
            return await self._aside(function, *args)
        except (OSError, StoreError):
            return await asyncio.to_thread(function, *args)

    def close(self) -> None:
        """Remove the blank files. Nothing more is written, and the helper process has ended."""
        for paper in self._blank:
            paper.close()
        for name in [*(paper.name for paper in self._blank), *self._ordered]:
            with contextlib.suppress(OSError):
                self.remove(name)
        self._blank, self._ordered = [], []


class RealAppendFile:
    """A file of this machine."""

    def __init__(self, folder: AppendFolder, name: str, size: int, blank: bool = False) -> None:
        """One that is `blank` has zeros to write over; in any other nothing may be behind what was written."""
        self.name: Final = name
        self._folder = folder
        self._handle = private(f"{folder.path}/{name}", os.O_RDWR | os.O_CREAT)
        self._size = size
        self._torn = not blank and os.fstat(self._handle).st_size > size
        try:
            self._cut()
        except OSError:
            self.close()
            raise

    def write(self, data: bytes) -> None:
        if self._torn:
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

    @property
    def there(self) -> bool:
        """Whether nobody has removed it, be it with its folder."""
        return os.fstat(self._handle).st_nlink > 0

    async def sync(self) -> None:
        await self._folder.sync(self.name)

    def close(self) -> None:
        handle, self._handle = self._handle, CLOSED
        os.close(handle)

    def _cut(self) -> None:
        if self._torn:
            os.ftruncate(self._handle, self._size)
            self._torn = False


# What is done aside.


def synced(
    folder: str, names: Sequence[str], blank: Sequence[str], server: int
) -> tuple[list[OSError | None], list[str]]:
    """Sync these files, and lay out those; what went wrong with each of the ones, and which of the others are there.

    `server` is the process that asks. If it was killed, the next one may have looked already at what is there, so that
    it would never remove a blank file: none is left then.
    """
    errors = [_tried(_sync, f"{folder}/{name}") for name in names]
    missed = _tried(_sync, folder)  # a new name, too, is only on the disk when the folder is
    laid_out = [name for name in blank if _tried(_lay_out, f"{folder}/{name}") is None]
    if server not in {os.getpid(), os.getppid()}:
        cleared(folder, laid_out)
        laid_out = []
    return [error or missed for error in errors], laid_out


def cleared(folder: str, names: Sequence[str]) -> list[OSError | None]:
    """Remove these files; what went wrong with each."""
    return [_tried(_remove, f"{folder}/{name}") for name in names]


def _tried(do: Callable[[str], None], path: str) -> OSError | None:
    try:
        do(path)
    except OSError as error:
        return error
    return None


def _sync(path: str) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _lay_out(path: str) -> None:
    handle = private(path, os.O_RDWR | os.O_CREAT)  # if it is there, a helper that died has made it
    try:
        if sys.platform == "linux":
            os.posix_fallocate(handle, 0, BLANK_SIZE)
        else:
            os.ftruncate(handle, BLANK_SIZE)
    except OSError:
        _remove(path)
        raise
    finally:
        os.close(handle)


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)  # a Path takes as long to make as a file to remove
