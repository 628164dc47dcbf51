"""The entries of a game log: how they are framed with a length and checksums, written and read."""

import struct
import zlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Struct

from wateringhole.cards import Card, shuffled
from wateringhole.fault import Fault
from wateringhole.move_json import ReplyJson, dec_hook, enc_hook
from wateringhole.moves import CardPlay, Feeding, Reply
from wateringhole.record import RULES, Note, Record, deck_of

VERSION: Final = 1
ENDING: Final = ".journal"
"""The file ending of game logs."""
SECTOR: Final = 512
"""The size of a sector: a disk writes it whole or not at all."""

HEAD: Final = struct.Struct("<III")  # the length, a checksum of it, a checksum of the entry
LENGTH: Final = struct.Struct("<I")
MASK: Final = 0xA5A5A5A5
"""What a length is masked with, so that no flipped bit makes it look like a place where nothing was written; and an
entry is as long as a number of lengths, so that none is split between two sectors.
"""


def stamp() -> str:
    """The time now, as text."""
    return datetime.now(UTC).isoformat()


class SeatTicket(Struct, frozen=True, omit_defaults=True, rename={"token_hashes": "seals"}):
    """What plays on a seat, as far as a restarted server needs it: a bot by its name and seed, a native client (kind
    `guest`) by the hash of its token. `filled`: the agent that fills empty seats plays it.
    """

    kind: str
    name: str
    agent: str = ""
    seed: str = ""
    token_hashes: tuple[str, ...] = ()


def client_token_hashes(tickets: Iterable[SeatTicket]) -> frozenset[str]:
    """The hashes of the tokens by which native clients come back to these seats."""
    return frozenset(token_hash for ticket in tickets if ticket.kind == "guest" for token_hash in ticket.token_hashes)


class Opening(Struct, frozen=True, omit_defaults=True, tag_field="entry", tag="opening"):
    """Everything that is known when a game begins; the deck only if it does not follow from the seed. `room` is
    what the page must know of its table, as JSON.
    """

    version: int
    number: int
    began: str
    names: tuple[str, ...]
    seats: tuple[SeatTicket, ...]
    deck: tuple[tuple[int, str], ...] = ()
    seed: str | None = None
    watering_hole: int = 0
    rules: str = RULES
    replies: tuple[tuple[int, ReplyJson], ...] = ()
    notes: tuple[Note, ...] = ()
    room: str | None = None


class Replied(Struct, frozen=True, tag_field="entry", tag="replied"):
    """These replies were given to the dealer."""

    replies: tuple[tuple[int, ReplyJson], ...]


class TurnAsked(Struct, frozen=True, tag_field="entry", tag="asked"):
    """All seats were asked to choose in this turn."""

    turn: int


class Noted(Struct, frozen=True, tag_field="entry", tag="noted"):
    note: Note


class EarlyExpulsion(Struct, frozen=True, tag_field="entry", tag="shown out"):
    """This seat was expelled before its reply went to the dealer."""

    seat: int
    fault: Fault


class TokenHashes(Struct, frozen=True, tag_field="entry", tag="sealed", rename={"token_hashes": "seals"}):
    """A seat has new tokens."""

    seat: int
    token_hashes: tuple[str, ...]


class Ended(Struct, frozen=True, tag_field="entry", tag="ended"):
    """The game is over, or cannot be finished."""

    status: str
    ended: str
    notes: tuple[Note, ...] = ()


Entry = Opening | Replied | TurnAsked | Noted | EarlyExpulsion | TokenHashes | Ended


_ENTRY: Final = msgspec.json.Decoder(Entry, dec_hook=dec_hook)
ENCODER: Final = msgspec.json.Encoder(enc_hook=enc_hook)


def replied(replies: Sequence[tuple[int, Reply]]) -> bytes:
    if len(replies) == 1 and not isinstance(replies[0][1], CardPlay | Fault):
        return fed(*replies[0])
    return ENCODER.encode(Replied(tuple([(seat, ReplyJson(reply)) for seat, reply in replies])))


@lru_cache(4_096)  # most replies are feedings, of which there are not many
def fed(seat: int, reply: Feeding) -> bytes:
    return ENCODER.encode(Replied(((seat, ReplyJson(reply)),)))


@lru_cache(64)
def asked(turn: int) -> bytes:
    return ENCODER.encode(TurnAsked(turn))


class LogContents(Struct, frozen=True):
    """A game log as it was found: the game so far, and where to append."""

    name: str
    opening: Opening
    replies: tuple[tuple[int, Reply], ...]
    notes: tuple[Note, ...]
    asked: dict[int, int]
    early_expulsions: dict[int, Fault]
    seats: tuple[SeatTicket, ...]
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


class UnreadableLog(Struct, frozen=True):
    """A game log that cannot be read, and why; without `damage`, no game had begun. A `foreign` one may be whole: a
    newer version has written it, or the disk cannot read it now.
    """

    name: str
    damage: str | None
    foreign: bool = False


def read(name: str, data: bytes) -> LogContents | UnreadableLog:
    """The game in this log, as far as it can be read."""
    try:
        entries, total, size, damage = _entries(data)
    except msgspec.DecodeError as error:
        return UnreadableLog(name, str(error), foreign=True)
    if not entries:
        return UnreadableLog(name, damage)
    opening = entries[0]
    if not isinstance(opening, Opening) or opening.version != VERSION:
        return UnreadableLog(name, f"it does not begin with an opening of version {VERSION}", foreign=True)
    replies = [(seat, reply.value) for seat, reply in opening.replies]
    notes = list(opening.notes)
    asked: dict[int, int] = {}
    early_expulsions: dict[int, Fault] = {}
    seats = list(opening.seats)
    end: Ended | None = None
    for entry in entries[1:]:
        match entry:
            case Replied(more):
                replies += [(seat, reply.value) for seat, reply in more]
                for seat, _ in more:
                    early_expulsions.pop(seat, None)
            case TurnAsked(turn):
                asked[turn] = len(replies)
            case Noted(note):
                notes.append(note)
            case EarlyExpulsion(seat, fault):
                early_expulsions[seat] = fault
            case TokenHashes(seat, token_hashes):
                seats[seat - 1] = msgspec.structs.replace(seats[seat - 1], token_hashes=token_hashes)
            case Ended():
                end = entry
            case Opening():
                damage = damage or "it has a second opening"
    found = tuple(replies), tuple(notes), asked, early_expulsions, tuple(seats), end
    return LogContents(name, opening, *found, total, size, damage)


def _entries(data: bytes) -> tuple[list[Entry], int, int, str | None]:
    """All whole entries, the checksum and the size up to there, and what is wrong with the rest, if anything is.

    DecodeError for an entry with a right checksum that this version cannot read.
    """
    entries: list[Entry] = []
    total = at = 0
    while at < len(data):
        if len(data) - at < HEAD.size:
            break  # cut off
        masked, head_sum, body_sum = HEAD.unpack_from(data, at)
        length = masked ^ MASK
        if zlib.crc32(data[at : at + 4], total) != head_sum:
            if _never_written(data, at, at + HEAD.size):
                break
            return entries, total, at, f"byte {at}: an entry begins with a wrong checksum"
        body = data[at + HEAD.size : at + HEAD.size + length]
        if len(body) < length:
            break
        if zlib.crc32(body, head_sum) != body_sum:
            if _never_written(data, at, at + HEAD.size + length):
                break
            return entries, total, at, f"byte {at}: an entry has a wrong checksum"
        try:
            entries.append(_ENTRY.decode(body))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise msgspec.DecodeError(f"byte {at}: {error}") from None
        total, at = body_sum, at + HEAD.size + length
    return entries, total, at, None


def _never_written(data: bytes, begin: int, end: int) -> bool:
    """Whether there are only zeros from the beginning of this entry, or of a sector that it reaches, to the end of that
    sector: the file is blank from there on, or a power cut has kept that sector from the disk.
    """
    return any(not any(data[max(begin, at) : at + SECTOR]) for at in range(begin - begin % SECTOR, end, SECTOR))
