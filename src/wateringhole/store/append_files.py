"""Append-only files in a folder, with fsync in groups, as far as a game log needs them.

Laws: a write is whole or it did not happen. Every failure is an OSError. Calls that wait for the disk run off the event
loop, for all files together that want one at the same time.
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
"""No descriptor: the number of a closed one may soon be another file's."""
TOGETHER: Final = 0.05
"""Seconds between two syncs: all files that want one in between share the next."""
MAX_BLANK_FILES: Final = 64
"""How many blank files are kept for new games."""
BLANK_SIZE: Final = 16_384
"""Their size; a game of four takes about half of it."""


class Offload(Protocol):
    """Calls a function off the event loop, such as in a helper process, and returns its result."""

    def __call__(self, function: Callable[..., T], /, *args: object) -> Awaitable[T]: ...


class AppendFile(Protocol):
    """An append-only file."""

    @property
    def name(self) -> str:
        """Its name in the folder."""

    def write(self, data: bytes) -> None:
        """Append this."""

    async def sync(self) -> None:
        """Wait until all that was written outlives a power cut."""

    def close(self) -> None:
        """No more will be written."""


class Disk(Protocol):
    """Files by name."""

    def names(self) -> list[str]:
        """The names of all files, in order."""

    def read(self, name: str) -> bytes:
        """All that is in this file; zeros may follow what was written."""

    def new(self, ending: str) -> AppendFile:
        """A file with nothing in it, whose name has this ending."""

    def open(self, name: str, size: int = 0) -> AppendFile:
        """A file of this name; an existing one is cut to its first `size` bytes."""

    def rename(self, name: str, to: str) -> None:
        """Another name for this file."""

    def remove(self, name: str) -> None:
        """Remove this file, if it is there."""

    async def clear(self, names: Sequence[str]) -> list[OSError | None]:
        """Remove these files; the error of each."""


class AppendFolder:
    """A folder of the file system.

    For every file that is synced, which is the end of its game, a blank one is made for the next, up to a limit: on the
    event loop, making a file takes longer than writing a whole game into an existing one.
    """

    def __init__(self, path: Path, offload: Offload = asyncio.to_thread) -> None:
        self.path: Final = path
        self._offload = offload
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
        return await self._offloaded(cleared, str(self.path), names)

    async def sync(self, name: str) -> None:
        """Wait until all that was written to this file outlives a power cut."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._unsynced.append((name, done))
        if self._syncing is None:
            self._syncing = loop.create_task(self._sync())
        await done

    async def _sync(self) -> None:
        """Sync all files that wait, and those that come meanwhile after a pause, so that they share one call."""
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
        errors, made = await self._offloaded(synced, str(self.path), names, wanted, os.getpid())
        self._ordered = []
        for (_, done), failed in zip(batch, errors, strict=True):
            if done.done():  # the caller was cancelled
                continue
            if failed is None:
                done.set_result(None)
            else:
                done.set_exception(failed)
        for name in made:
            with contextlib.suppress(OSError):  # the next server finds it empty, and discards it
                self._blank.append(RealAppendFile(self, name, 0, blank=True))

    async def _offloaded(self, function: Callable[..., T], *args: object) -> T:
        """Call it in the helper process, or in a thread if that fails."""
        try:
            return await self._offload(function, *args)
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
    """A file of the file system."""

    def __init__(self, folder: AppendFolder, name: str, size: int, blank: bool = False) -> None:
        """A `blank` one has zeros to write over; any other must end where it was written."""
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
            if written < len(data):  # an almost full disk takes a part, and raises at the next attempt
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
        """Whether it still exists: it may have been removed, also with its folder."""
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


# Run in the helper process.


def synced(
    folder: str, names: Sequence[str], blank: Sequence[str], server: int
) -> tuple[list[OSError | None], list[str]]:
    """Sync these files, and make those blank ones; the error of each sync, and the blank files that were made.

    `server` is the process that calls. If it was killed, the next server may have listed the folder already and would
    never remove a new blank file: none is left then.
    """
    errors = [_tried(_sync, f"{folder}/{name}") for name in names]
    missed = _tried(_sync, folder)  # a new name is on the disk only when the folder is synced
    laid_out = [name for name in blank if _tried(_lay_out, f"{folder}/{name}") is None]
    if server not in {os.getpid(), os.getppid()}:
        cleared(folder, laid_out)
        laid_out = []
    return [error or missed for error in errors], laid_out


def cleared(folder: str, names: Sequence[str]) -> list[OSError | None]:
    """Remove these files; the error of each."""
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
    handle = private(path, os.O_RDWR | os.O_CREAT)  # if it exists, a helper process that died has made it
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
