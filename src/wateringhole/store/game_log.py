"""The log of a running game (a write-ahead log): one append-only file a game, from which a restarted server goes on.

Laws: every entry bears its length and a checksum that also covers all entries before it, so none can change, vanish or
move unnoticed. An entry that was cut off at the end of the file never happened. Damage is told, and costs one game.
"""

import contextlib
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Struct

from wateringhole import forms
from wateringhole.cards import Card, shuffled
from wateringhole.fault import Fault
from wateringhole.forms import reply_of, written
from wateringhole.moves import CardPlay, Feeding, Reply
from wateringhole.record import RULES, Note, Record, deck_of
from wateringhole.store.append_files import AppendFile, Disk

VERSION: Final = 1
ENDING: Final = ".journal"
DAMAGED: Final = ".damaged"
"""What the names of journals end in, and of those that nobody can go on with."""

PROBE: Final = "probe"
PROBED: Final = bytes(65_536)
"""What is written to see whether there is room again."""

SECTOR: Final = 512
"""How many bytes a disk writes whole or not at all."""

_HEAD: Final = struct.Struct("<III")  # the length, a checksum of it, a checksum of the entry
_LENGTH: Final = struct.Struct("<I")
_MASK: Final = 0xA5A5A5A5
"""What a length is masked with, so that no flipped bit makes it look like a place where nothing was written; and an
entry is as long as a number of lengths, so that none is split between two sectors.
"""


def stamp() -> str:
    """Now, for people to read."""
    return datetime.now(UTC).isoformat()


class Ticket(Struct, frozen=True, omit_defaults=True, rename={"token_hashes": "seals"}):
    """Who sits on a seat, as far as it takes to find them again: a bot by its name and dice, a guest by the hash of a
    token. `filled`: whoever takes empty seats sits there.
    """

    kind: str
    name: str
    agent: str = ""
    seed: str = ""
    token_hashes: tuple[str, ...] = ()


def guest_token_hashes(tickets: Iterable[Ticket]) -> frozenset[str]:
    """The hashes of the tokens by which native clients come back to these seats."""
    return frozenset(token_hash for ticket in tickets if ticket.kind == "guest" for token_hash in ticket.token_hashes)


class Opening(Struct, frozen=True, omit_defaults=True, tag_field="entry", tag="opening"):
    """Everything that is known when a game begins; the deck only if it does not follow from the seed. `room` is
    whatever the page must know of its table, as JSON.
    """

    version: int
    number: int
    began: str
    names: tuple[str, ...]
    seats: tuple[Ticket, ...]
    deck: tuple[tuple[int, str], ...] = ()
    seed: str | None = None
    watering_hole: int = 0
    rules: str = RULES
    replies: tuple[tuple[int, forms.Reply], ...] = ()
    notes: tuple[Note, ...] = ()
    room: str | None = None


class Replied(Struct, frozen=True, tag_field="entry", tag="replied"):
    """These replies were given to the dealer."""

    replies: tuple[tuple[int, forms.Reply], ...]


class TurnAsked(Struct, frozen=True, tag_field="entry", tag="asked"):
    """Everybody was asked to choose in this turn."""

    turn: int


class Noted(Struct, frozen=True, tag_field="entry", tag="noted"):
    note: Note


class ShownOut(Struct, frozen=True, tag_field="entry", tag="shown out"):
    """This seat was told that it is out, before its reply was due."""

    seat: int
    fault: Fault


class TokenHashes(Struct, frozen=True, tag_field="entry", tag="sealed", rename={"token_hashes": "seals"}):
    """A seat has new tokens."""

    seat: int
    token_hashes: tuple[str, ...]


class Ended(Struct, frozen=True, tag_field="entry", tag="ended"):
    """The game is over, or will never be."""

    status: str
    ended: str
    notes: tuple[Note, ...] = ()


Entry = Opening | Replied | TurnAsked | Noted | ShownOut | TokenHashes | Ended

_ENTRY: Final = msgspec.json.Decoder(Entry)
_ENCODER: Final = msgspec.json.Encoder()


class GameLog:
    """The journal of one game that is being played.

    When the disk fails, what it does not take is kept in mind and written as soon as it takes it; until then the game
    is `unsaved`.
    """

    def __init__(self, game_logs: "GameLogs", begun: "Opening | Unfinished") -> None:
        """A new one, or one that goes on; a game that cannot even be begun raises OSError."""
        self.unsaved = False
        self.ended = ""  # when, in the words of its last entry
        self._closed = False
        self._game_logs = game_logs
        self._unwritten = b""
        self._sum = self._size = 0
        self._file: AppendFile | None = None
        if isinstance(begun, Opening):
            self._file = game_logs.disk.new(ENDING)
            self.name = self._file.name
            try:
                self._file.write(self._framed(_ENCODER.encode(begun)))
            except OSError:
                self.close()
                game_logs.discard(self.name)
                raise
        else:
            self.name = begun.name
            self._sum, self._size = begun.sum, begun.size
            self._write()

    def replied(self, replies: Sequence[tuple[int, Reply]]) -> None:
        self._add(_replied(replies))

    def asked(self, turn: int) -> None:
        self._add(_asked(turn))

    def noted(self, note: Note) -> None:
        self._add(_ENCODER.encode(Noted(note)), grave=False)

    def shown_out(self, seat: int, fault: Fault) -> None:
        self._add(_ENCODER.encode(ShownOut(seat, fault)))

    def token_hashes_changed(self, seat: int, token_hashes: tuple[str, ...]) -> None:
        self._add(_ENCODER.encode(TokenHashes(seat, token_hashes)), grave=False)

    async def over(self, notes: Sequence[Note], status: str = "finished") -> None:
        """The last entry; when this returns, it is on the disk or the game is unsaved."""
        self.ended = self._game_logs.now()
        self._add(_ENCODER.encode(Ended(status, self.ended, tuple(notes))))
        if not self.unsaved and self._file is not None:
            try:
                await self._file.sync()
            except OSError as error:
                self._failed(error)

    def close(self) -> None:
        """No more will be written, but for what the disk did not take before."""
        if self._unwritten:
            with contextlib.suppress(OSError):
                self._put()
        if self._file is not None:
            self._file.close()
        self._closed = True

    def _add(self, entry: bytes, grave: bool = True) -> None:
        if self._closed:
            return  # whoever still looks at the end of a game adds nothing to it
        before = self._unwritten, self._sum
        self._unwritten += self._framed(entry)
        try:
            self._write(grave)
        except OSError:
            self._unwritten, self._sum = before  # the game stops, so this did not happen
            raise

    def _write(self, grave: bool = True) -> None:
        """All that is not written yet, if the disk takes it."""
        try:
            self._put()
        except OSError as error:
            self._failed(error, grave)
            return
        if self.unsaved:
            self.unsaved = False
            self._game_logs.well()

    def _put(self) -> None:
        if self._file is None:
            self._file = self._game_logs.disk.open(self.name, self._size)
        if self._unwritten:
            self._file.write(self._unwritten)
            self._unwritten = b""

    def _failed(self, error: OSError, grave: bool = True) -> None:
        """A game that goes on without being written down is `unsaved`; a note that is missing does not end it."""
        self.unsaved = True
        self._game_logs.ill(error)
        if self._game_logs.strict and grave:
            raise error

    def _framed(self, entry: bytes) -> bytes:
        entry += b" " * (-len(entry) % _LENGTH.size)
        length = len(entry) ^ _MASK
        head_sum = zlib.crc32(_LENGTH.pack(length), self._sum)
        self._sum = zlib.crc32(entry, head_sum)
        return _HEAD.pack(length, head_sum, self._sum) + entry


def _replied(replies: Sequence[tuple[int, Reply]]) -> bytes:
    if len(replies) == 1 and not isinstance(replies[0][1], CardPlay | Fault):
        return _fed(*replies[0])
    return _ENCODER.encode(Replied(tuple([(seat, written(reply)) for seat, reply in replies])))


@lru_cache(4_096)  # most replies are feedings, of which there are not many
def _fed(seat: int, reply: Feeding) -> bytes:
    return _ENCODER.encode(Replied(((seat, written(reply)),)))


@lru_cache(64)
def _asked(turn: int) -> bytes:
    return _ENCODER.encode(TurnAsked(turn))


class GameLogs:
    """The journals of a server, and whether the disk takes what is written to them.

    When it does not, a `strict` server stops the games that it cannot write down; otherwise they go on in memory.
    `told` hears what went wrong and, as None, that all is well again.
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
        """A journal for a new game; OSError when it cannot be written."""
        try:
            game_log = GameLog(self, opening)
        except OSError as error:
            self.ill(error)
            raise
        self.well()
        return game_log

    def go_on(self, begun: "Unfinished") -> GameLog:
        """The journal of a game that goes on."""
        return GameLog(self, begun)

    @property
    def trouble(self) -> OSError | None:
        """Why no new game could be kept, if that is so now."""
        if self._trouble is not None:
            try:
                probe = self.disk.open(PROBE)
                try:
                    probe.write(PROBED)
                finally:
                    probe.close()
                    self.disk.remove(PROBE)
            except OSError as error:
                self.ill(error)
            else:
                self.well()
        return self._trouble

    def ill(self, error: OSError) -> None:
        """The disk did not take something."""
        before, self._trouble = self._trouble, error
        if before is None:
            self._told(error)

    def well(self) -> None:
        """It does now."""
        if self._trouble is not None:
            self._trouble = None
            self._told(None)

    def found(self) -> Iterator["Unfinished | Unreadable"]:
        """Every journal that is there."""
        for name in self.disk.names():
            if name.endswith(ENDING):
                try:
                    yield read(name, self.disk.read(name))
                except OSError as error:
                    yield Unreadable(name, f"the disk does not give it away: {error.strerror or error}", foreign=True)

    async def settle(self, begun: "Unfinished") -> None:
        """What was found is on the disk, although the server that wrote it may have had no time to wait for that."""
        try:
            file = self.disk.open(begun.name, begun.size)
            try:
                await file.sync()
            finally:
                file.close()
        except OSError as error:
            self.ill(error)

    def discard(self, name: str) -> None:
        """There is no game in this journal."""
        try:
            self.disk.remove(name)
        except OSError as error:
            self.ill(error)  # then it stays, and is found again

    async def clear(self, names: Sequence[str]) -> list[str]:
        """The games of these journals are kept elsewhere; those that the disk does not let go of."""
        try:
            errors = await self.disk.clear(names)
        except OSError as failed:
            errors = [failed for _ in names]
        left = {name: error for name, error in zip(names, errors, strict=True) if error is not None}
        for error in left.values():
            self.ill(error)
        return list(left)

    def put_aside(self, name: str) -> None:
        """Nobody can go on with this one; it is kept for whoever wants to look at it."""
        try:
            self.disk.rename(name, name.removesuffix(ENDING) + DAMAGED)
        except OSError as error:
            self.ill(error)  # then it stays, and is found again


class Unfinished(Struct, frozen=True):
    """A journal as it was found: the game so far, and where to write on."""

    name: str
    opening: Opening
    replies: tuple[tuple[int, Reply], ...]
    notes: tuple[Note, ...]
    asked: dict[int, int]
    shown_out: dict[int, Fault]
    seats: tuple[Ticket, ...]
    end: Ended | None
    sum: int
    size: int
    damage: str | None = None

    @property
    def record(self) -> Record:
        """The game so far; RecordError if it is none."""
        opening, last = self.opening, () if self.end is None else self.end.notes
        deck: tuple[Card, ...] = deck_of(opening.deck) if opening.seed is None else shuffled(opening.seed)
        return Record(opening.names, deck, self.replies, opening.watering_hole, opening.rules, (*self.notes, *last))


class Unreadable(Struct, frozen=True):
    """A journal that cannot be read, and why; without `damage`, nothing had begun. A `foreign` one may well be whole: a
    newer version has written it, or the disk does not give it away now.
    """

    name: str
    damage: str | None
    foreign: bool = False


def read(name: str, data: bytes) -> Unfinished | Unreadable:
    """The game in this journal, as far as it can be read."""
    try:
        entries, total, size, damage = _entries(data)
    except msgspec.DecodeError as error:
        return Unreadable(name, str(error), foreign=True)
    if not entries:
        return Unreadable(name, damage)
    opening = entries[0]
    if not isinstance(opening, Opening) or opening.version != VERSION:
        return Unreadable(name, f"it does not begin with an opening of version {VERSION}", foreign=True)
    replies = [(seat, reply_of(form)) for seat, form in opening.replies]
    notes = list(opening.notes)
    asked: dict[int, int] = {}
    shown_out: dict[int, Fault] = {}
    seats = list(opening.seats)
    end: Ended | None = None
    for entry in entries[1:]:
        match entry:
            case Replied(more):
                replies += [(seat, reply_of(form)) for seat, form in more]
                for seat, _ in more:
                    shown_out.pop(seat, None)
            case TurnAsked(turn):
                asked[turn] = len(replies)
            case Noted(note):
                notes.append(note)
            case ShownOut(seat, fault):
                shown_out[seat] = fault
            case TokenHashes(seat, token_hashes):
                seats[seat - 1] = msgspec.structs.replace(seats[seat - 1], token_hashes=token_hashes)
            case Ended():
                end = entry
            case Opening():
                damage = damage or "it has a second opening"
    found = tuple(replies), tuple(notes), asked, shown_out, tuple(seats), end
    return Unfinished(name, opening, *found, total, size, damage)


def _entries(data: bytes) -> tuple[list[Entry], int, int, str | None]:
    """All whole entries, the checksum and the size up to there, and what is wrong with the rest, if anything is.

    DecodeError of an entry that is as it was written, but not by us.
    """
    entries: list[Entry] = []
    total = at = 0
    while at < len(data):
        if len(data) - at < _HEAD.size:
            break  # cut off
        masked, head_sum, body_sum = _HEAD.unpack_from(data, at)
        length = masked ^ _MASK
        if zlib.crc32(data[at : at + 4], total) != head_sum:
            if _never_written(data, at, at + _HEAD.size):
                break
            return entries, total, at, f"byte {at}: an entry begins with a wrong checksum"
        body = data[at + _HEAD.size : at + _HEAD.size + length]
        if len(body) < length:
            break
        if zlib.crc32(body, head_sum) != body_sum:
            if _never_written(data, at, at + _HEAD.size + length):
                break
            return entries, total, at, f"byte {at}: an entry has a wrong checksum"
        try:
            entries.append(_ENTRY.decode(body))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise msgspec.DecodeError(f"byte {at}: {error}") from None
        total, at = body_sum, at + _HEAD.size + length
    return entries, total, at, None


def _never_written(data: bytes, begin: int, end: int) -> bool:
    """Whether there are only zeros from the beginning of this entry, or of a sector that it reaches, to the end of that
    sector: the file is blank from there on, or a power cut has kept that sector from the disk.
    """
    return any(not any(data[max(begin, at) : at + SECTOR]) for at in range(begin - begin % SECTOR, end, SECTOR))
