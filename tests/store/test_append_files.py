"""A disk that is full, fails or is somebody else's."""

import asyncio
import errno
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from tests.cases import case
from tests.simulator.disk import Mount, SimulatedDisk
from tests.store.paper import really
from wateringhole.cards import shuffled
from wateringhole.fault import Fault, Reason
from wateringhole.moves import Graze
from wateringhole.record import Note, faces
from wateringhole.store.append_files import AppendFolder
from wateringhole.store.archiver import MAX_AT_ONCE, Archiver, Keep, keep
from wateringhole.store.data_folder import RUNNING, open_data_folder
from wateringhole.store.error import StoreError
from wateringhole.store.finished_game import FinishedGame
from wateringhole.store.game_log import GameLog, GameLogs
from wateringhole.store.games import Store
from wateringhole.store.log_entries import VERSION, LogContents, Opening, SeatTicket, read

SEATS: Final = tuple(SeatTicket("stranger", name) for name in ("Ann", "Bob", "Cem"))
OPENING: Final = Opening(VERSION, 1, "then", ("Ann", "Bob", "Cem"), SEATS, faces(shuffled(1)))
GONE: Final = Fault(Reason.DISCONNECTED, "left")
LAST: Final[list[Note]] = [{"seat": 1, "replies": 7, "seconds": 1.5}]
ENTRIES: Final = 200


def steps(game_log: GameLog) -> Iterator[Callable[[], None]]:
    """So many entries of all kinds, one after the other."""
    for number in range(ENTRIES - 2):
        match number % 5:
            case 0:
                yield lambda number=number: game_log.asked(number)  # type: ignore[misc]
            case 1:
                yield lambda number=number: game_log.replied([(1 + number % 3, Graze(number % 7))])  # type: ignore[misc]
            case 2:
                yield lambda number=number: game_log.noted({"seat": 1, "why": "x" * number})  # type: ignore[misc]
            case 3:
                yield lambda: game_log.expelled_early(2, Fault(Reason.TIMEOUT, "is silent"))
            case _:
                yield lambda: game_log.token_hashes_changed(1, ("a" * 64,))


async def write(game_log: GameLog, told: Callable[[int], None] = lambda _: None) -> None:
    """All of them, and the end; `told` hears the number of each before."""
    for number, step in enumerate(steps(game_log)):
        told(number)
        step()
    await game_log.over(LAST)


def written(disk: SimulatedDisk) -> bytes:
    [inode] = disk.files.values()
    return bytes(inode.data)


def untroubled() -> bytes:
    """The journal on a disk that takes everything."""
    disk = SimulatedDisk(Random(0))
    game_log = GameLogs(Mount(disk), now=lambda: "now").new(OPENING)
    asyncio.run(write(game_log))
    return written(disk)


class Failing:
    """A disk that fails at its n-th write, and at so many after it."""

    def __init__(self, first: int, times: int, strict: bool) -> None:
        self.disk = SimulatedDisk(Random(first))
        self.told: list[str] = []
        self._writes = 0
        self._failing = range(first, first + times)
        mount = Mount(self.disk, fails=self._fails)
        self.game_logs = GameLogs(mount, strict, lambda error: self.told.append(str(error)), lambda: "now")

    def _fails(self, do: str) -> bool:
        self._writes += do == "write"
        return do == "write" and self._writes in self._failing


def test_what_a_disk_does_not_take_is_written_as_soon_as_it_does() -> None:
    for first in range(2, ENTRIES + 1):
        with case(first):
            check_written_later(first)


def check_written_later(first: int) -> None:
    """The disk fails at its n-th write."""
    failing = Failing(first, 1 + first % 4 if first < ENTRIES - 4 else 1, strict=False)
    game_log = failing.game_logs.new(OPENING)
    asyncio.run(write(game_log))
    if first < ENTRIES:
        assert written(failing.disk) == WHOLE
        assert len(failing.told) == 2
        assert failing.told[1] == "None"
        assert not game_log.unsaved
    else:
        assert game_log.unsaved
        begun = read("it", written(failing.disk))
        assert isinstance(begun, LogContents)
        assert (begun.damage, WHOLE[: begun.size]) == (None, written(failing.disk)[: begun.size])


def test_a_strict_server_stops_a_game_before_it_tells_what_is_not_written() -> None:
    for first in range(2, ENTRIES + 1):
        with case(first):
            check_stopped(first)


def check_stopped(first: int) -> None:
    """The disk fails at its n-th write."""
    failing = Failing(first, 1, strict=True)
    game_log = failing.game_logs.new(OPENING)
    try:
        asyncio.run(write(game_log))
    except OSError:
        begun = read("it", written(failing.disk))
        assert isinstance(begun, LogContents)
        assert begun.damage is None
        assert WHOLE.startswith(written(failing.disk)[: begun.size])
        asyncio.run(game_log.over(LAST, "failed"))
        ended = read("it", written(failing.disk))
        assert isinstance(ended, LogContents)
        assert (ended.replies, ended.notes, ended.asked) == (begun.replies, begun.notes, begun.asked)
        assert ended.end is not None
        assert ended.end.status == "failed"
    else:  # what failed was a note, for which no game is stopped
        assert written(failing.disk) == WHOLE


WHOLE: Final = untroubled()


def test_a_game_that_cannot_be_begun_leaves_nothing_behind() -> None:
    failing = Failing(1, 1, strict=False)
    with pytest.raises(OSError, match=r"No space left|Input/output"):
        failing.game_logs.new(OPENING)
    assert failing.disk.files == {}
    failing.game_logs.new(OPENING)
    assert [name[-8:] for name in failing.disk.files] == [".journal"]


@pytest.mark.parametrize("strict", [False, True])
def test_no_game_is_promised_while_the_disk_fails(strict: bool) -> None:
    failing = Failing(1, 4, strict)
    with pytest.raises(OSError, match=r"No space left|Input/output"):
        failing.game_logs.new(OPENING)
    assert [failing.game_logs.trouble is None for _ in range(4)] == [False, False, False, True]
    assert failing.told[1:] == ["None"]
    assert failing.disk.files == {}


@pytest.mark.parametrize("strict", [False, True])
def test_an_end_that_is_not_synced_is_not_told_by_a_strict_server(strict: bool) -> None:
    disk = SimulatedDisk(Random(0))
    game_log = GameLogs(Mount(disk, fails=lambda do: do == "sync"), strict).new(OPENING)
    if strict:
        with pytest.raises(OSError, match="Input/output"):
            asyncio.run(game_log.over(LAST))
    else:
        asyncio.run(game_log.over(LAST))
    assert game_log.unsaved


def test_a_game_whose_journal_cannot_be_opened_again_goes_on_in_memory_and_is_written_later() -> None:
    disk = SimulatedDisk(Random(0))
    GameLogs(Mount(disk), now=lambda: "now").new(OPENING).expelled_early(1, GONE)
    [name] = disk.files
    begun = read(name, written(disk) + b"torn")
    assert isinstance(begun, LogContents)
    refused = [True]
    game_logs = GameLogs(Mount(disk, fails=lambda do: do == "open" and any(refused)))
    game_log = game_logs.go_on(begun)
    unsaved = []
    for seat in (2, 3):
        game_log.expelled_early(seat, GONE)
        unsaved.append(game_log.unsaved)
        refused.clear()
    assert unsaved == [True, False]
    later = read(name, written(disk))
    assert isinstance(later, LogContents)
    assert later.early_expulsions == {1: GONE, 2: GONE, 3: GONE}


def test_a_journal_that_is_closed_tries_once_more_to_write_what_the_disk_did_not_take() -> None:
    failing = Failing(2, 2, strict=False)
    game_log = failing.game_logs.new(OPENING)
    game_log.expelled_early(1, GONE)
    game_log.expelled_early(2, GONE)
    game_log.close()
    begun = read("it", written(failing.disk))
    assert isinstance(begun, LogContents)
    assert begun.early_expulsions == {1: GONE, 2: GONE}


def test_a_journal_that_the_disk_does_not_let_go_of_keeps_no_other_game_from_the_store(shared_store: Store) -> None:
    disk = SimulatedDisk(Random(0))
    refused = [True]
    game_logs = GameLogs(Mount(disk, fails=lambda do: do == "remove" and any(refused)))
    archiver = Archiver(shared_store, at_once(shared_store, game_logs), game_logs)
    games = [really(seed, "silly", "silly", "silly") for seed in (1, 2)]
    names = [game_logs.new(OPENING).name for _ in games]
    for game, name in zip(games, names, strict=True):
        archiver.put(name, partial(replace, game))
    known = list(archiver.queued)
    assert not asyncio.run(archiver.settle())
    assert all(game in shared_store for game in known)
    assert sorted(disk.files) == sorted(names)
    refused.clear()
    assert asyncio.run(archiver.settle())
    assert disk.files == {}


def test_a_game_that_is_none_by_our_mistake_keeps_no_other_from_the_store(shared_store: Store) -> None:
    disk = SimulatedDisk(Random(0))
    game_logs = GameLogs(Mount(disk))
    archiver = Archiver(shared_store, at_once(shared_store, game_logs), game_logs)
    odd = game_logs.new(OPENING).name

    def mistaken() -> FinishedGame:
        raise ZeroDivisionError

    archiver.put(odd, mistaken)
    archiver.put(None, mistaken)
    game = really(1, "silly", "silly", "silly")
    archiver.put(None, lambda: game)
    assert list(archiver.queued.values()) == [game]
    assert asyncio.run(archiver.settle())
    assert shared_store.count() == 1
    assert list(disk.files) == [odd]  # for whoever wants to know what went wrong


def test_while_the_store_takes_nothing_the_keeper_remembers_only_what_is_nowhere_else(shared_store: Store) -> None:
    disk = SimulatedDisk(Random(0))
    game_logs = GameLogs(Mount(disk))
    archiver = Archiver(shared_store, at_once(shared_store, game_logs), game_logs)
    game = really(1, "silly", "silly", "silly")
    for number in range(MAX_AT_ONCE + 50):
        archiver.put(None, partial(replace, game, data=b"%d" % number), saved=number % 2 == 0)
    assert len(archiver.queued) == MAX_AT_ONCE + 25


def test_each_failure_of_the_store_and_its_end_are_told_once(shared_store: Store) -> None:
    full = OSError(errno.ENOSPC, "the disk is full")
    works = True

    async def kept(_: Sequence[str], games: Sequence[FinishedGame]) -> Sequence[str]:
        if not works:
            raise full
        shared_store.add(games)
        return []

    told: list[Exception | None] = []
    archiver = Archiver(shared_store, kept, told=told.append)
    game = really(1, "silly", "silly", "silly")
    for number, works in enumerate([True, False, False, True, True, False, True]):
        archiver.put(None, partial(replace, game, number=number))
        assert asyncio.run(archiver.settle()) == works
    assert told == [full, None, full, None]


def at_once(store: Store, game_logs: GameLogs) -> Keep:
    """Puts games into the store without any delay."""

    async def kept(names: Sequence[str], games: Sequence[FinishedGame]) -> Sequence[str]:
        return keep(store, game_logs.disk.read, "", names, games)

    return kept


@pytest.fixture
def shared_store(tmp_path: Path) -> Iterator[Store]:
    with open_data_folder(tmp_path) as kept:
        yield kept.archiver.store


# On a real disk.


def test_on_a_full_disk_no_game_begins_and_no_descriptor_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda _: "full")
    told: list[OSError | None] = []
    game_logs = GameLogs(AppendFolder(tmp_path), told=told.append)
    before = os.listdir("/proc/self/fd")
    for _ in range(3):
        (tmp_path / "full.journal").symlink_to("/dev/full")
        with pytest.raises(OSError, match="No space left on device"):
            game_logs.new(OPENING)
        assert list(tmp_path.iterdir()) == []
    assert os.listdir("/proc/self/fd") == before
    assert [error and error.errno for error in told] == [errno.ENOSPC]
    assert game_logs.trouble is None  # the folder itself has room
    assert told[1:] == [None]


def test_a_game_goes_on_in_memory_on_a_full_disk(tmp_path: Path) -> None:
    game_logs = GameLogs(AppendFolder(tmp_path))
    name = game_logs.new(OPENING).name
    begun = read(name, (tmp_path / name).read_bytes())
    assert isinstance(begun, LogContents)
    (tmp_path / "full.journal").symlink_to("/dev/full")
    game_log = GameLog(game_logs, replace(begun, name="full.journal"))
    game_log.expelled_early(1, GONE)
    assert game_log.unsaved
    game_log.close()


LIMITED: Final = """
import asyncio, resource, sys
from pathlib import Path
from tests.store.test_append_files import OPENING, write
from wateringhole.store.append_files import AppendFolder
from wateringhole.store.game_log import GameLogs
journals = GameLogs(AppendFolder(Path(sys.argv[1])), now=lambda: "now")
journal = journals.new(OPENING)
behind = 0
def told(number):
    global behind
    behind += journal.unsaved
    if number == 20:
        resource.setrlimit(resource.RLIMIT_FSIZE, (9_001, resource.RLIM_INFINITY))
    if number == 150:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
asyncio.run(write(journal, told))
journals.disk.close()
print(behind, journal.unsaved)
"""


def test_a_file_that_may_not_grow_for_a_while_has_everything_in_the_end(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", LIMITED, str(tmp_path)], capture_output=True, text=True, check=True)
    behind, unsaved = done.stdout.split()
    assert int(behind) > 50
    assert unsaved == "False"
    [path] = tmp_path.iterdir()
    assert path.read_bytes() == WHOLE


OCCUPIER: Final = """
import sys
from pathlib import Path
from wateringhole.store.data_folder import open_data_folder
with open_data_folder(Path(sys.argv[1])):
    print("here", flush=True)
    sys.stdin.read()
"""


def test_a_folder_is_one_servers_for_as_long_as_that_lives(tmp_path: Path) -> None:
    taken = f"^{tmp_path}: another server keeps its games there"
    with subprocess.Popen(
        [sys.executable, "-c", OCCUPIER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as first:
        try:
            assert first.stdout is not None
            assert first.stdout.readline() == b"here\n"
            with pytest.raises(StoreError, match=taken), open_data_folder(tmp_path):
                pass
            first.send_signal(signal.SIGSTOP)
            os.waitpid(first.pid, os.WUNTRACED)
            with pytest.raises(StoreError, match=taken), open_data_folder(tmp_path):
                pass
        finally:
            first.kill()
    with open_data_folder(tmp_path) as kept:
        assert kept.archiver.store.count() == 0


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / RUNNING).write_text("a file")
    with pytest.raises(StoreError, match=f"^{tmp_path}: File exists$"), open_data_folder(tmp_path):
        pass


def test_what_fails_while_games_are_kept_is_not_blamed_on_the_folder(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Address already in use"), open_data_folder(tmp_path):
        raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
