"""The games of a run in one file that only grows: frames of some games each, with a checksum, compressed.

A frame holds what one process has played in a moment: how the games ended, and their records. Games that are played
one after the other have much in common (a deal is played once for every seat), so they are compressed together; each
frame can be read without the others.

Laws: a record that is read is equal to the one that was kept, with its notes; before them are the number of the game
and the paces, which its outcome has. A frame that is cut off or damaged costs its own games and no others.
"""

import struct
import time
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
from msgspec import Raw, Struct

from wateringhole.cards import Card
from wateringhole.fault import Fault
from wateringhole.packed import packed_deck, packed_replies, unpacked_deck, unpacked_replies
from wateringhole.record import RULES, Note, Record, RecordError
from wateringhole.store.inflate import inflated
from wateringhole.tournament.outcomes import GameOutcome

GAMES: Final = "games.run"
TITLE: Final = b"wateringhole games 1\n"
"""What such a file begins with."""

MARK: Final = b"\xf7run"
HEAD: Final = struct.Struct("<4sIqII")
"""The mark, the CRC-32 of all that follows it, when the frame was made, and how long its two parts are."""
CHECKED: Final = 8
"""Where that begins which the checksum is of."""
MAX_PART_BYTES: Final = 32 * 1024 * 1024
"""Of a frame's two parts, before they are compressed as well as after; a frame holds at most 128 games."""
LEVEL: Final = 1
"""How hard zlib tries; 6 takes three times as long and saves a tenth."""


class _Packed(Struct, frozen=True, gc=False, array_like=True):
    """A record. A note that only repeats the outcome is a number: 0 is that of the game, n the pace of seat n.
    Without a deck, it has that of the record before it in the frame.
    """

    names: tuple[str, ...]
    deck: list[int] | None
    replies: list[int]
    notes: tuple[int | Note, ...]
    faults: tuple[Fault, ...] = ()
    watering_hole: int = 0
    rules: str = RULES


_ENCODER: Final = msgspec.msgpack.Encoder()
_OUTCOMES: Final = msgspec.msgpack.Decoder(list[GameOutcome])
_RECORDS: Final = msgspec.msgpack.Decoder(list[_Packed])


def framed(games: Sequence[tuple[GameOutcome, bytes]]) -> bytes:
    """These games as a frame, with their packed records; or without, if these are empty or too long to be read."""
    ended = zlib.compress(_ENCODER.encode([outcome for outcome, _ in games]), LEVEL)
    records = [Raw(record) for _, record in games if record]
    whole = _ENCODER.encode(records)
    kept = zlib.compress(whole, LEVEL) if records and len(whole) <= MAX_PART_BYTES else b""
    head = HEAD.pack(MARK, 0, int(time.time()), len(ended), len(kept))
    body = head[CHECKED:] + ended + kept
    return MARK + zlib.crc32(body).to_bytes(4, "little") + body


def outcomes_in(frame: bytes) -> list[GameOutcome]:
    """How the games of this frame ended; ValueError if it is not whole."""
    _, _, _, ended, _ = HEAD.unpack_from(frame)
    return _OUTCOMES.decode(inflated(frame[HEAD.size : HEAD.size + ended], MAX_PART_BYTES))


def records_in(frame: bytes) -> list[Record]:
    """The records of this frame; ValueError if it has none."""
    _, _, _, ended, _ = HEAD.unpack_from(frame)
    packed = _RECORDS.decode(inflated(frame[HEAD.size + ended :], MAX_PART_BYTES))
    records: list[Record] = []
    deck: tuple[Card, ...] | None = None
    for outcome, fields in zip(outcomes_in(frame), packed, strict=True):
        deck = deck if fields.deck is None else unpacked_deck(fields.deck)
        if deck is None:
            raise ValueError("the first record of a frame has no deck")
        records.append(_unpacked(outcome, fields, deck))
    return records


def packed(outcome: GameOutcome, record: Record, before: Record | None = None) -> bytes:
    """The record of a game that ended so, for a frame in which it comes after this one; its notes come after those that
    repeat the outcome.
    """
    replies, faults = packed_replies(record.replies)
    fields = _Packed(
        record.names,
        None if before is not None and before.deck == record.deck else packed_deck(record.deck),
        replies,
        (0, *[seat for seat, place in enumerate(outcome.places, 1) if place.replies], *record.notes),
        tuple(faults),
        record.watering_hole,
        record.rules,
    )
    return _ENCODER.encode(fields)


def _unpacked(outcome: GameOutcome, packed: _Packed, deck: tuple[Card, ...]) -> Record:
    return Record(
        packed.names,
        deck,
        unpacked_replies(packed.replies, packed.faults),
        packed.watering_hole,
        packed.rules,
        tuple([_note_in(outcome, note) if isinstance(note, int) else note for note in packed.notes]),
    )


def _note_in(outcome: GameOutcome, seat: int) -> Note:
    if seat == 0:
        return {"game": outcome.number}
    place = outcome.places[seat - 1]
    return {"seat": seat, "replies": place.replies, "seconds": place.seconds}


class RunFile:
    """What is in such a file, and where.

    `end`: behind the last whole frame. `damage`: a sentence on what cannot be read before that.
    """

    def __init__(self, path: Path) -> None:
        """Read how all games ended; OSError, and ValueError if it is no such file."""
        self.outcomes: dict[int, GameOutcome] = {}
        self.damage = ""
        self._path = path
        self._where: dict[int, tuple[int, int]] = {}
        self._last: tuple[int, bytes, list[Record]] = (0, b"", [])
        with path.open("rb") as file:
            title = file.read(len(TITLE))
            if not TITLE.startswith(title):
                raise ValueError("not a file of a run's games")
            self.end = len(title)
            for at, frame in _frames(file):
                if at > self.end:
                    self.damage = f"{path}: damaged from byte {self.end} to {at}"
                self.end = at + len(frame)
                for place, ended in enumerate(outcomes_in(frame)):
                    self.outcomes[ended.number] = ended
                    self._where[ended.number] = at, place

    def record(self, number: int) -> Record:
        """The record of this game; RecordError if it is not there."""
        if number not in self._where:
            raise RecordError(f"there is no game {number}; {self._range()}")
        at, place = self._where[number]
        try:
            return self._at(at)[place]
        except (OSError, ValueError, IndexError) as error:
            raise RecordError(f"game {number} cannot be read: {error}") from None

    def ended(self, number: int) -> datetime:
        """When this game, and what was played in the same moment, was over."""
        at, _ = self._where[number]
        self._at(at)
        _, _, when, _, _ = HEAD.unpack_from(self._last[1])
        return datetime.fromtimestamp(when, UTC)

    def _at(self, at: int) -> list[Record]:
        """The records of the frame that begins there; the last ones are remembered."""
        if self._last[0] != at:
            with self._path.open("rb") as file:
                file.seek(at)
                frame = _frame(file)
            if frame is None:
                raise ValueError(f"{self._path} has changed")
            self._last = at, frame, records_in(frame)
        return self._last[2]

    def _range(self) -> str:
        if not self.outcomes:
            return "the file has none"
        return f"the file has {len(self.outcomes)}, from {min(self.outcomes)} to {max(self.outcomes)}"


def is_run_file(path: Path) -> bool:
    """Whether this file says that it holds the games of a run; OSError if it cannot be read."""
    with path.open("rb") as file:
        return file.read(len(TITLE)) == TITLE


def _frames(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """All whole frames from here on, and where they begin; what is damaged is passed over."""
    while True:
        at = file.tell()
        frame = _frame(file)
        if frame is not None:
            yield at, frame
            continue
        file.seek(at + 1)
        beyond = _next_mark(file)
        if beyond is None:
            return
        file.seek(beyond)


def _frame(file: BinaryIO) -> bytes | None:
    """The frame that begins here; None if there is no whole one."""
    head = file.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    mark, crc, _, ended, records = HEAD.unpack(head)
    if mark != MARK or ended > MAX_PART_BYTES or records > MAX_PART_BYTES:
        return None
    frame = head + file.read(ended + records)
    if len(frame) != HEAD.size + ended + records or zlib.crc32(frame[CHECKED:]) != crc:
        return None
    return frame


def _next_mark(file: BinaryIO) -> int | None:
    """Where the next mark is; None if there is none."""
    before = file.tell()
    tail = b""
    while piece := file.read(1 << 20):
        found = (tail + piece).find(MARK)
        if found >= 0:
            return before - len(tail) + found
        before += len(piece)
        tail = (tail + piece)[1 - len(MARK) :]
    return None
