"""A disk that exists only in this process, and forgets what a real one may forget.

Laws: a process that is killed leaves all that it has written. A power cut leaves of each file what was synced and a
part of the rest, and of the names that came, went or changed since the last sync any selection. The same dice lose the
same bytes.
"""

import asyncio
import errno
import os
import re
import secrets
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

SECTOR: Final = 512
"""What a disk writes whole or not at all. Where a file has its length but not yet its content, zeros begin at one."""

Names: TypeAlias = "dict[str, Inode]"
_KIND: Final = re.compile(rb'"entry":"([a-z ]+)"')


class Inode:
    """The content of a file, and how much of it outlives a power cut."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.ends: list[int] = []  # how far each write went
        self.synced = 0

    def put(self, at: int, data: bytes) -> None:
        self.data[at : at + len(data)] = data
        self.ends.append(at + len(data))

    def cut(self, size: int) -> None:
        del self.data[size:]
        self.ends = [end for end in self.ends if end <= size]
        self.synced = min(self.synced, size)

    def lose(self, dice: Random) -> None:
        """A part of what was not synced is gone; sometimes there are zeros in its place."""
        size = len(self.data)
        kept = dice.randint(self.synced, size)
        edge = -(-kept // SECTOR) * SECTOR
        match dice.randrange(3) if edge < size else 0:
            case 0:
                self.cut(kept)
            case 1:
                self.put(edge, bytes(size - edge))
            case _:
                self._forget_sectors(dice)
        self.synced = len(self.data)

    def _forget_sectors(self, dice: Random) -> None:
        """Any of those that were written since the last sync is as it was after some write, whatever the others are."""
        writes = [self.synced, *(end for end in self.ends if end > self.synced)]
        for begin in range(self.synced - self.synced % SECTOR, len(self.data), SECTOR):
            end = min(begin + SECTOR, len(self.data))
            old = max(begin, dice.choice(writes))
            if old < end:
                self.data[old:end] = bytes(end - old)


class SimulatedDisk:
    """Files by name, which outlive every server; `behind` are those that did not take what was last written to them,
    `unsynced` those that would not be synced. A sync takes up to so many seconds.
    """

    def __init__(self, dice: Random, slowest_sync: float = 0.0) -> None:
        self.slowest_sync: Final = slowest_sync
        self.files: Names = {}
        self.behind: set[str] = set()
        self.unsynced: set[str] = set()
        self.dice: Final = dice
        self._durable: Names = {}
        self._changes: list[Callable[[Names], object]] = []

    def change(self, change: Callable[[Names], object]) -> None:
        """A name comes, goes or changes; whether a power cut undoes that is open until the next sync."""
        change(self.files)
        self._changes.append(change)

    def settle(self) -> None:
        """All names are durable."""
        self._durable = dict(self.files)
        self._changes.clear()

    def cut_power(self) -> None:
        files = dict(self._durable)
        for change in self._changes:
            if self.dice.random() < 0.5:
                change(files)
        self.files = dict(sorted(files.items()))
        for inode in self.files.values():
            inode.lose(self.dice)
        self.settle()

    def flip(self) -> str | None:
        """Some byte of some journal changes by itself; its name."""
        filled = [name for name, inode in sorted(self.files.items()) if inode.data and name.endswith(".journal")]
        if not filled:
            return None
        name = self.dice.choice(filled)
        data = self.files[name].data
        data[self.dice.randrange(len(data))] ^= self.dice.randint(1, 255)
        return name


class Mount:
    """The disk as one server has it. `passes` hears of everything before, within and after it is done, and says whether
    the server lives on; `fails` says whether the disk fails at something now.
    """

    def __init__(
        self,
        disk: SimulatedDisk,
        passes: Callable[[str], bool] = lambda _: True,
        fails: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self.disk: Final = disk
        self.dead = False
        self._passes = passes
        self._fails = fails

    def names(self) -> list[str]:
        return sorted(self.disk.files)

    def read(self, name: str) -> bytes:
        self.try_to("read")
        try:
            return bytes(self.disk.files[name].data)
        except KeyError:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)) from None

    def new(self, ending: str) -> "Sheet":
        return self.open(f"{secrets.token_hex(12)}{ending}")

    def open(self, name: str, size: int = 0) -> "Sheet":
        inode = self.disk.files.get(name)
        if inode is None:
            inode = Inode()
            if self.passes("before create"):
                self.try_to("create")
                self.disk.change(lambda names: names.update({name: inode}))
                self.passes("after create")
        elif not self.dead:
            self.try_to("open")
            inode.cut(size)
        return Sheet(self, name, inode, size)

    def rename(self, name: str, to: str) -> None:
        if self.passes("before rename"):
            self.try_to("rename")
            self.disk.change(lambda names: names.update({to: names.pop(name)} if name in names else {}))
            self.passes("after rename")

    def remove(self, name: str) -> None:
        if name in self.disk.files and self.passes("before remove"):
            self.try_to("remove")
            self.disk.change(lambda names: names.pop(name, None))
            self.passes("after remove")

    async def clear(self, names: Sequence[str]) -> list[OSError | None]:
        errors: list[OSError | None] = []
        for name in names:
            try:
                self.remove(name)
            except OSError as error:
                errors.append(error)
            else:
                errors.append(None)
        return errors

    def passes(self, point: str) -> bool:
        """Whether the server gets beyond this point."""
        return not self.dead and self._passes(point)

    def try_to(self, do: str) -> None:
        if not self.dead and self._fails(do):
            code = self.disk.dice.choice([errno.EIO, errno.ENOSPC] if do in {"write", "create"} else [errno.EIO])
            raise OSError(code, os.strerror(code))


class Sheet:
    """An open file."""

    def __init__(self, mount: Mount, name: str, inode: Inode, size: int) -> None:
        self._mount = mount
        self.name: Final = name
        self._inode = inode
        self._size = size

    def write(self, data: bytes) -> None:
        mount, disk = self._mount, self._mount.disk
        kind = _KIND.search(data)
        what = f"write {kind[1].decode()}" if kind else "write"
        if not mount.passes(f"before {what}"):
            return
        try:
            mount.try_to("write")
        except OSError:
            disk.behind.add(self.name)
            if disk.dice.random() < 0.3:  # and it cannot even take back what it wrote
                self._inode.put(self._size, data[: disk.dice.randrange(len(data))])
            raise
        self._inode.cut(self._size)
        torn = disk.dice.randrange(len(data))
        whole = mount.passes(f"within {what}")
        self._inode.put(self._size, data if whole else data[:torn])
        if whole:
            self._size += len(data)
            disk.behind.discard(self.name)
            mount.passes(f"after {what}")

    async def sync(self) -> None:
        mount, disk = self._mount, self._mount.disk
        if not mount.passes("before sync"):
            return
        size = len(self._inode.data)
        await asyncio.sleep(disk.dice.uniform(0.0, disk.slowest_sync))
        if mount.dead:
            return
        disk.unsynced.add(self.name)
        mount.try_to("sync")
        disk.unsynced.discard(self.name)
        self._inode.synced = size
        disk.settle()
        mount.passes("after sync")

    def close(self) -> None:
        """Nothing is held open here."""
