"""The log of a running game (a write-ahead log): one append-only file a game, from which a restarted server goes on.

Laws: every entry bears its length and a checksum that also covers all entries before it, so none can change, vanish or
move unnoticed. An entry that was cut off at the end of the file is ignored. Damage is reported, and loses one game.
"""

import contextlib
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from wateringhole.fault import Fault
from wateringhole.moves import Reply
from wateringhole.record import Note
from wateringhole.store.append_files import AppendFile, Disk
from wateringhole.store.log_entries import (
    ENCODER,
    ENDING,
    HEAD,
    LENGTH,
    MASK,
    EarlyExpulsion,
    Ended,
    LogContents,
    Noted,
    Opening,
    TokenHashes,
    UnreadableLog,
    asked,
    read,
    replied,
    stamp,
)

DAMAGED: Final = ".damaged"
"""The file ending of logs that no server can resume."""

PROBE: Final = "probe"
PROBED: Final = bytes(65_536)
"""What is written to test whether the disk has room again."""


class GameLog:
    """The log of one game that is being played.

    When the disk fails, entries stay in memory and are written as soon as it works again; until then the game is
    `unsaved`.
    """

    def __init__(self, game_logs: "GameLogs", begun: "Opening | LogContents") -> None:
        """Open a new log, or an old one to append; OSError if the opening cannot be written."""
        self.unsaved = False
        self.ended = ""  # the time in its last entry
        self._closed = False
        self._game_logs = game_logs
        self._unwritten = b""
        self._sum = self._size = 0
        self._file: AppendFile | None = None
        if isinstance(begun, Opening):
            self._file = game_logs.disk.new(ENDING)
            self.name = self._file.name
            try:
                self._file.write(self._framed(ENCODER.encode(begun)))
            except OSError:
                self.close()
                game_logs.discard(self.name)
                raise
        else:
            self.name = begun.name
            self._sum, self._size = begun.sum, begun.size
            self._write()

    def replied(self, replies: Sequence[tuple[int, Reply]]) -> None:
        self._add(replied(replies))

    def asked(self, turn: int) -> None:
        self._add(asked(turn))

    def noted(self, note: Note) -> None:
        self._add(ENCODER.encode(Noted(note)), must_be_written=False)

    def expelled_early(self, seat: int, fault: Fault) -> None:
        self._add(ENCODER.encode(EarlyExpulsion(seat, fault)))

    def token_hashes_changed(self, seat: int, token_hashes: tuple[str, ...]) -> None:
        self._add(ENCODER.encode(TokenHashes(seat, token_hashes)), must_be_written=False)

    async def over(self, notes: Sequence[Note], status: str = "finished") -> None:
        """Write the last entry; when this returns, it is on the disk or the game is unsaved."""
        self.ended = self._game_logs.now()
        self._add(ENCODER.encode(Ended(status, self.ended, tuple(notes))))
        if not self.unsaved and self._file is not None:
            try:
                await self._file.sync()
            except OSError as error:
                self._failed(error)

    def close(self) -> None:
        """Close the file, after one more attempt to write what the disk did not take."""
        if self._unwritten:
            with contextlib.suppress(OSError):
                self._put()
        if self._file is not None:
            self._file.close()
        self._closed = True

    def _add(self, entry: bytes, must_be_written: bool = True) -> None:
        if self._closed:
            return  # a finished game takes no more entries
        before = self._unwritten, self._sum
        self._unwritten += self._framed(entry)
        try:
            self._write(must_be_written)
        except OSError:
            self._unwritten, self._sum = before  # the game stops, so this entry does not count
            raise

    def _write(self, must_be_written: bool = True) -> None:
        """Write all entries that are still in memory, if the disk takes them."""
        try:
            self._put()
        except OSError as error:
            self._failed(error, must_be_written)
            return
        if self.unsaved:
            self.unsaved = False
            self._game_logs.write_recovered()

    def _put(self) -> None:
        if self._file is None:
            self._file = self._game_logs.disk.open(self.name, self._size)
        if self._unwritten:
            self._file.write(self._unwritten)
            self._unwritten = b""

    def _failed(self, error: OSError, must_be_written: bool = True) -> None:
        """A game that goes on without its log is `unsaved`; a missing note does not stop a game."""
        self.unsaved = True
        self._game_logs.write_failed(error)
        if self._game_logs.strict and must_be_written:
            raise error

    def _framed(self, entry: bytes) -> bytes:
        entry += b" " * (-len(entry) % LENGTH.size)
        length = len(entry) ^ MASK
        head_sum = zlib.crc32(LENGTH.pack(length), self._sum)
        self._sum = zlib.crc32(entry, head_sum)
        return HEAD.pack(length, head_sum, self._sum) + entry


class GameLogs:
    """The game logs of a server, and whether the disk takes what is written to them.

    When it does not, a `strict` server stops the games that it cannot write; otherwise they go on in memory. `told`
    gets the error, and None when the disk works again.
    """

    def __init__(
        self,
        disk: Disk,
        strict: bool = False,
        told: Callable[[OSError | None], None] = lambda _: None,
        now: Callable[[], str] = stamp,
    ) -> None:
        self.disk: Final = disk
        self.strict: Final = strict
        self.now: Final = now
        self._told = told
        self._trouble: OSError | None = None

    def new(self, opening: Opening) -> GameLog:
        """The log of a new game; OSError when it cannot be written."""
        try:
            game_log = GameLog(self, opening)
        except OSError as error:
            self.write_failed(error)
            raise
        self.write_recovered()
        return game_log

    def go_on(self, begun: "LogContents") -> GameLog:
        """The log of a resumed game."""
        return GameLog(self, begun)

    @property
    def trouble(self) -> OSError | None:
        """Why no new game can be kept now; None if it can."""
        if self._trouble is not None:
            try:
                probe = self.disk.open(PROBE)
                try:
                    probe.write(PROBED)
                finally:
                    probe.close()
                    self.disk.remove(PROBE)
            except OSError as error:
                self.write_failed(error)
            else:
                self.write_recovered()
        return self._trouble

    def write_failed(self, error: OSError) -> None:
        """A write to the disk failed."""
        before, self._trouble = self._trouble, error
        if before is None:
            self._told(error)

    def write_recovered(self) -> None:
        """A write to the disk worked."""
        if self._trouble is not None:
            self._trouble = None
            self._told(None)

    def found(self) -> Iterator["LogContents | UnreadableLog"]:
        """Every game log in the folder."""
        for name in self.disk.names():
            if name.endswith(ENDING):
                try:
                    yield read(name, self.disk.read(name))
                except OSError as error:
                    yield UnreadableLog(name, f"it cannot be read: {error.strerror or error}", foreign=True)

    async def settle(self, begun: "LogContents") -> None:
        """Sync a log that was found: the server that wrote it may have ended before its own sync."""
        try:
            file = self.disk.open(begun.name, begun.size)
            try:
                await file.sync()
            finally:
                file.close()
        except OSError as error:
            self.write_failed(error)

    def discard(self, name: str) -> None:
        """Remove a log whose opening entry is not complete."""
        try:
            self.disk.remove(name)
        except OSError as error:
            self.write_failed(error)  # then it stays, and is found again

    async def clear(self, names: Sequence[str]) -> list[str]:
        """Remove the logs of archived games; the names of those that the disk did not remove."""
        try:
            errors = await self.disk.clear(names)
        except OSError as failed:
            errors = [failed for _ in names]
        left = {name: error for name, error in zip(names, errors, strict=True) if error is not None}
        for error in left.values():
            self.write_failed(error)
        return list(left)

    def quarantine(self, name: str) -> None:
        """Rename a log that no server can resume; it is kept for the operator."""
        try:
            self.disk.rename(name, name.removesuffix(ENDING) + DAMAGED)
        except OSError as error:
            self.write_failed(error)  # then it stays, and is found again
