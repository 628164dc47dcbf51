"""What is in a journal, whatever has become of its file."""

import asyncio
import struct
import zlib
from collections.abc import Coroutine, Sequence
from random import Random
from typing import Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import case
from tests.simulator.disk import Mount, SimulatedDisk
from tests.times import TIMES
from wateringhole.agents.rash import Rash
from wateringhole.cards import shuffled
from wateringhole.fault import Fault, Reason
from wateringhole.moves import Attack, CardPlay, Decline, Graze, Growth, NewBoard, Replacement, Reply, StoreFat
from wateringhole.record import Note, Record, faces
from wateringhole.store.game_log import GameLog, GameLogs
from wateringhole.store.log_entries import SECTOR, VERSION, Ended, LogContents, Opening, SeatTicket, read
from wateringhole.table import play

NAME: Final = "0123.journal"
DECK: Final = shuffled(1)[:40]
NAMES: Final = ("Ann", "Bob 🦕", "\u202eCem")
RUNNER: Final = asyncio.Runner()
HEAD: Final = struct.Struct("<III")
MASK: Final = 0xA5A5A5A5
LONG: Final[Note] = {"expelled": 2, "reason": "illegal", "last request": "é" * 300, "last reply": "[" * 300}


def opening(**more: object) -> Opening:
    seats = (
        SeatTicket("guest", "Ann", token_hashes=("a" * 64,)),
        SeatTicket("stranger", "Bob 🦕"),
        SeatTicket("bot", "Cem", "rash", "7"),
    )
    fixed = Opening(VERSION, 3, "2026-11-16T12:00:00.000000Z", NAMES, seats, faces(DECK))
    return msgspec.structs.replace(fixed, **more)


def began(begun: Opening) -> tuple[SimulatedDisk, GameLog]:
    disk = SimulatedDisk(Random(1))
    game_log = GameLogs(Mount(disk), now=lambda: "2026-11-16T13:00:00.000000Z").new(begun)
    return disk, game_log


def run(work: Coroutine[object, object, None]) -> None:
    RUNNER.run(work)


def content(disk: SimulatedDisk) -> bytes:
    [inode] = disk.files.values()
    return bytes(inode.data)


def a_record() -> Record:
    return play([Rash(seat) for seat in range(3)], DECK, NAMES).record


def a_game() -> bytes:
    """The journal of a short game, with everything that can be in one."""
    disk, game_log = began(opening(notes=({"game": 3},), room='{"title":"here"}'))
    replies = a_record().replies
    game_log.asked(1)
    game_log.replied(replies[:3])
    game_log.token_hashes_changed(1, ("b" * 64, "a" * 64))
    game_log.expelled_early(2, Fault(Reason.TIMEOUT, "is silent for 10.0 s", during="choose"))
    for reply in replies[3:6]:
        game_log.replied([reply])
    game_log.noted(LONG)
    game_log.asked(2)
    game_log.replied(replies[6:])
    run(game_log.over([LONG, LONG], "finished"))
    return content(disk)


WHOLE: Final = a_game()


def frames(data: bytes) -> list[bytes]:
    """The entries, each with its head."""
    found = []
    while data:
        length = HEAD.unpack_from(data)[0] ^ MASK
        found.append(data[: HEAD.size + length])
        data = data[HEAD.size + length :]
    return found


def found(data: bytes) -> LogContents:
    begun = read(NAME, data)
    assert isinstance(begun, LogContents)
    return begun


def test_a_whole_journal_tells_all_that_was_written() -> None:
    begun = found(WHOLE)
    assert (begun.damage, begun.size) == (None, len(WHOLE))
    assert begun.opening == opening(notes=({"game": 3},), room='{"title":"here"}')
    assert begun.record == a_record()
    assert begun.record.notes == ({"game": 3}, LONG, LONG, LONG)
    assert begun.seats[0].token_hashes == ("b" * 64, "a" * 64)
    assert begun.asked == {1: 0, 2: 6}
    assert begun.end == Ended("finished", "2026-11-16T13:00:00.000000Z", (LONG, LONG))


def test_an_entry_that_was_cut_off_anywhere_never_happened() -> None:
    entries = frames(WHOLE)
    sizes = [sum(map(len, entries[:count])) for count in range(len(entries) + 1)]
    first = sizes[-4]
    assert len(WHOLE) - first >= 1_000
    for size in range(first, len(WHOLE)):
        begun = found(WHOLE[:size])
        kept = max(whole for whole in sizes if whole <= size)
        assert (begun.damage, begun.size) == (None, kept)
        assert begun == found(WHOLE[:kept])


def test_a_journal_that_was_cut_off_in_its_first_entry_tells_of_nothing() -> None:
    for size in range(len(frames(WHOLE)[0])):
        begun = read(NAME, WHOLE[:size])
        assert not isinstance(begun, LogContents)
        assert begun.damage is None


def test_where_a_power_cut_left_zeros_the_entry_was_cut_off() -> None:
    assert len(WHOLE) > 4 * SECTOR
    sizes = [sum(map(len, frames(WHOLE)[:count])) for count in range(1, len(frames(WHOLE)) + 1)]
    for edge in range(SECTOR, len(WHOLE), SECTOR):
        for size in (edge + 1, edge + 700, len(WHOLE), len(WHOLE) + 5_000):
            with case(edge, size):
                begun = read(NAME, WHOLE[:edge].ljust(size, b"\0"))
                kept = max((whole for whole in sizes if whole <= edge), default=0)
                if kept:
                    assert begun == found(WHOLE[:kept])
                else:
                    assert not isinstance(begun, LogContents)
                assert begun.damage is None


def test_no_flipped_bit_goes_unnoticed_wherever_an_entry_begins() -> None:
    for size in range(200, 200 + 2 * SECTOR, 4):  # entries are filled up to four bytes
        disk, game_log = began(opening(notes=({"x": "y" * size},)))
        game_log.noted({"z": "z" * 40})
        whole = content(disk).ljust(2 * SECTOR + size, b"\0")
        begin, end = len(frames(content(disk))[0]), len(content(disk))
        for at in range(begin, min(end, begin + HEAD.size + 4)):
            for bit in range(8):
                flipped = bytearray(whole)
                flipped[at] ^= 1 << bit
                assert read(NAME, bytes(flipped)).damage is not None


def test_a_sector_that_is_older_than_the_next_one_is_no_damage() -> None:
    entries = frames(WHOLE)
    sizes = [sum(map(len, entries[:count])) for count in range(1, len(entries) + 1)]
    torn = set()
    for behind in range(0, 3 * SECTOR, 4):
        data = bytearray(WHOLE)
        old = max((size for size in sizes if size <= len(entries[0]) + behind), default=0)
        edge = -(-old // SECTOR) * SECTOR
        data[old:edge] = bytes(edge - old)
        if old < edge < len(WHOLE):
            with case(behind):
                begun = found(bytes(data))
                assert (begun.damage, begun.size) == (None, old)
            torn.add(old)
    assert len(torn) > 3


def test_no_flipped_byte_goes_unnoticed() -> None:
    dice = Random("flips")
    original = read(NAME, WHOLE)
    for _ in range(1_000 * TIMES):
        flipped = bytearray(WHOLE)
        for at in dice.sample(range(len(WHOLE)), dice.randint(1, 2)):
            flipped[at] ^= dice.randint(1, 255)
        begun = read(NAME, bytes(flipped))
        assert begun != original
        assert begun.damage is not None, flipped


def test_what_was_read_before_the_damage_is_as_it_was() -> None:
    entries = frames(WHOLE)
    for count in range(1, len(entries)):
        damaged = b"".join(entries[:count]) + bytes([entries[count][0] ^ 1]) + entries[count][1:]
        begun = found(damaged)
        assert begun.damage is not None
        assert msgspec.structs.replace(begun, damage=None) == found(b"".join(entries[:count]))


def test_entries_that_are_swapped_doubled_or_missing_are_noticed() -> None:
    entries, others = frames(WHOLE), frames(another_game())
    assert len(entries) > 8
    for at in range(len(entries) - 1):
        changed = {
            "swapped": [*entries[:at], entries[at + 1], entries[at], *entries[at + 2 :]],
            "doubled": [*entries[: at + 1], *entries[at:]],
            "missing": [*entries[:at], *entries[at + 1 :]],
            "foreign": [*entries[:at], others[at], *entries[at + 1 :]],
        }
        for how, them in changed.items():
            with case(at, how):
                assert read(NAME, b"".join(them)).damage is not None


def another_game() -> bytes:
    disk, game_log = began(opening(number=4))
    for turn in range(len(frames(WHOLE))):
        game_log.asked(turn)
    return content(disk)


def framed(*bodies: bytes) -> bytes:
    """A journal of these entries, as any version writes it."""
    data, total = b"", 0
    for body in [body + b" " * (-len(body) % 4) for body in bodies]:
        head = zlib.crc32((len(body) ^ MASK).to_bytes(4, "little"), total)
        total = zlib.crc32(body, head)
        data += HEAD.pack(len(body) ^ MASK, head, total) + body
    return data


def test_a_journal_that_we_write_is_framed_as_described() -> None:
    assert framed(*[entry[HEAD.size :] for entry in frames(WHOLE)]) == WHOLE


@pytest.mark.parametrize(
    "bodies",
    [
        [msgspec.json.encode(opening(version=VERSION + 1))],
        [b'{"entry":"opening","version":2,"table":{}}'],
        [b'{"entry":"beginning"}'],
        [msgspec.json.encode(opening()), b'{"entry":"dreamt"}'],
        [msgspec.json.encode(opening()), b'{"entry":"asked","turn":"first"}'],
    ],
)
def test_a_journal_of_a_newer_version_is_no_damage_and_not_ours(bodies: Sequence[bytes]) -> None:
    begun = read(NAME, framed(*bodies))
    assert not isinstance(begun, LogContents)
    assert begun.damage is not None
    assert begun.foreign


SMALL: Final = st.integers(0, 9)
TEXTS: Final = st.text(max_size=20)
REPLIES: Final[st.SearchStrategy[Reply]] = st.one_of(
    st.builds(
        CardPlay,
        SMALL,
        st.lists(st.builds(Growth, SMALL, SMALL), max_size=2).map(tuple),
        st.lists(st.builds(Growth, SMALL, SMALL), max_size=2).map(tuple),
        st.lists(st.builds(NewBoard, SMALL, st.lists(SMALL, max_size=3).map(tuple)), max_size=2).map(tuple),
        st.lists(st.builds(Replacement, SMALL, SMALL, SMALL), max_size=2).map(tuple),
    ),
    st.builds(Graze, SMALL),
    st.builds(StoreFat, SMALL, st.integers(1, 7)),
    st.builds(Attack, SMALL, st.integers(1, 8), SMALL),
    st.builds(Decline),
    st.builds(Fault, st.sampled_from(Reason), TEXTS, TEXTS, st.sampled_from(["start", "choose", "feed", ""])),
)
NOTES: Final = st.dictionaries(
    TEXTS, st.one_of(TEXTS, st.integers(-(2**60), 2**60), st.floats(allow_nan=False, allow_infinity=False), st.none())
)
SEATS: Final = st.integers(1, 3)
ENTRIES: Final = st.lists(
    st.one_of(
        st.tuples(st.just("replied"), st.lists(st.tuples(SEATS, REPLIES), max_size=3)),
        st.tuples(st.just("asked"), SMALL),
        st.tuples(st.just("noted"), NOTES),
        st.tuples(st.just("expelled_early"), SEATS, st.builds(Fault, st.sampled_from(Reason), TEXTS)),
        st.tuples(st.just("token_hashes_changed"), SEATS, st.lists(TEXTS, max_size=2).map(tuple)),
    ),
    max_size=12,
)


@given(ENTRIES)
def test_whatever_is_written_is_read(entries: list[tuple[object, ...]]) -> None:
    disk, game_log = began(opening())
    replies: list[tuple[int, Reply]] = []
    asked: dict[int, int] = {}
    notes: list[Note] = []
    out: dict[int, Fault] = {}
    token_hashes = {seat: ticket.token_hashes for seat, ticket in enumerate(opening().seats, 1)}
    for kind, *parts in entries:
        getattr(game_log, str(kind))(*parts)
        match kind, *parts:
            case "replied", list(more):
                replies += more
                out = {seat: fault for seat, fault in out.items() if seat not in dict(more)}
            case "asked", int(turn):
                asked[turn] = len(replies)
            case "noted", dict(note):
                notes.append(note)
            case "expelled_early", int(seat), Fault() as fault:
                out[seat] = fault
            case "token_hashes_changed", int(seat), tuple(changed):
                token_hashes[seat] = changed
    begun = found(content(disk))
    assert (begun.damage, begun.end) == (None, None)
    assert (begun.replies, begun.notes) == (tuple(replies), tuple(notes))
    assert (begun.asked, begun.early_expulsions) == (asked, out)
    assert {seat: ticket.token_hashes for seat, ticket in enumerate(begun.seats, 1)} == token_hashes
