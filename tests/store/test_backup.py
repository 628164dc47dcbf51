"""The whole store in one file, from either kind of database into either kind."""

import gzip
import hashlib
import json
import threading
import zlib
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace
from sqlalchemy import update

from tests.cases import case
from tests.store.paper import NOON, paper, really
from tests.store.postgres import Postgres
from wateringhole.fault import Fault, Reason
from wateringhole.record import MAX_RECORD_BYTES
from wateringhole.store.backup import MAX_LINE_BYTES, back_up, restore
from wateringhole.store.database import database
from wateringhole.store.error import StoreError
from wateringhole.store.games import Store, opened
from wateringhole.store.queries import Filter
from wateringhole.store.tables import GAMES, REVISIONS
from wateringhole.store.tournaments import Tournament

CORPUS = Path(__file__).parent / "corpus"
BACKUPS = [CORPUS / f"tables-{revision}.backup" for revision in REVISIONS]
ALL = Filter(private=True)


@pytest.fixture
def other_place(place: str, postgres: Postgres, tmp_path: Path) -> Iterator[str]:
    """Where a store of the other kind can be."""
    if place.startswith("postgresql"):
        yield str(tmp_path / "restored")
    else:
        with postgres.database() as url:
            yield url


def fill(store: Store) -> None:
    """A bit of everything."""
    fault = Fault(Reason.TIMEOUT, "silent for 5.0 s")
    store.add(
        [
            really(1, "greedy", "silly", "rash"),
            replace(
                paper(2, "Ann", "<b>\0\u202e🦕", "Cem", scores=[1, None, 1], fault=fault), title="Cup 'n' \"more\""
            ),
            replace(paper(3, "Ann", "Bob", "Cem"), private=True, ended=NOON + timedelta(microseconds=1)),
            replace(paper(4, "Ann", "Bob", "Cem"), status="damaged", ranking=(), data=bytes(range(256))),
        ]
    )
    store.ladder()
    store.add([paper(5, "Dora", "Bob", "Cem")])
    store.add_tournament(Tournament("cup", "The Cup", "7", "swiss", 4, NOON, {"rows": [1, 2.5, None, "ü"]}, "a = 1\n"))


def content(store: Store) -> object:
    """All that can be asked of a store."""
    games = store.listed(ALL, None)
    return games, [store.data(game.id) for game in games], store.ladder(), store.tournaments()


def test_a_backup_of_one_kind_restored_into_the_other_is_the_same(place: str, other_place: str, tmp_path: Path) -> None:
    with opened(place) as store:
        fill(store)
        head = back_up(place, tmp_path / "backup")
        before = content(store)
    assert head.rows["games"] == 5
    assert restore(tmp_path / "backup", other_place) == head
    with opened(other_place, create=False) as store:
        assert content(store) == before
        store.add([paper(6, "Ann", "Bob", "Cem")])  # and it goes on
        assert store.player("Ann").rating.games == 2
    with opened(place) as store:
        assert content(store) == before
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["backup"]


def test_backups_of_the_same_games_differ_only_in_when_they_were_made(
    place: str, other_place: str, tmp_path: Path
) -> None:
    with opened(place) as store:
        fill(store)
    back_up(place, tmp_path / "one")
    restore(tmp_path / "one", other_place)
    back_up(other_place, tmp_path / "other")
    one, other = (gzip.decompress((tmp_path / name).read_bytes()).splitlines()[1:-1] for name in ("one", "other"))
    assert one == other


@pytest.mark.parametrize("file", BACKUPS, ids=lambda path: path.name)
def test_a_backup_of_every_earlier_version_can_be_restored(place: str, file: Path) -> None:
    restore(file, place)
    with opened(place, create=False) as store:
        assert [game.status for game in store.listed(ALL)] == ["stopped", "finished", "finished", "finished"]
        assert len(store.ladder()) == 3


def test_a_store_with_anything_in_it_is_not_restored_into(place: str) -> None:
    with opened(place) as store:
        store.add_tournament(Tournament("cup", "", "7", "swiss", 4, NOON, [], ""))
        with pytest.raises(StoreError, match="is not empty"):
            restore(CORPUS / "tables-0001.backup", place)
        assert store.listed(ALL) == []
        assert len(store.tournaments()) == 1


def test_a_backup_shows_one_moment_of_a_store_that_is_written_to(place: str, tmp_path: Path) -> None:
    over = threading.Event()
    with opened(place) as store:

        def add() -> None:
            number = 0
            while not over.is_set():
                store.add([paper(number, "Ann", "Bob", "Cem"), paper(number + 1, "Ann", "Bob", "Cem")])
                number += 2

        writer = threading.Thread(target=add)
        writer.start()
        try:
            heads = [back_up(place, tmp_path / f"backup {number}") for number in range(4)]
        finally:
            over.set()
            writer.join()
    for head in heads:
        assert head.rows["games"] % 2 == 0
        assert head.rows["seats"] == 3 * head.rows["games"]
    restore(tmp_path / "backup 3", tmp_path / "restored")
    with opened(tmp_path / "restored") as store:
        assert store.count() == heads[3].rows["games"]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A backup."""
    folder = tmp_path_factory.mktemp("good")
    with opened(folder / "data") as store:
        fill(store)
    back_up(folder / "data", folder / "backup")
    return (folder / "backup").read_bytes()


def refused(data: bytes, folder: Path) -> str:
    """Why this is not restored; nothing is made or touched."""
    (folder / "bad").write_bytes(data)
    with pytest.raises(StoreError) as why:
        restore(folder / "bad", folder / "new")
    assert not (folder / "new").exists()
    sentence = str(why.value)
    assert sentence.startswith(str(folder / "bad"))
    assert sentence.isprintable()
    return sentence


def test_a_backup_that_was_cut_off_is_refused(good: bytes, tmp_path: Path) -> None:
    for length in [0, 1, 5, 10, 11, len(good) - 1, len(good) - 8, *Random(1).sample(range(12, len(good)), 20)]:
        assert refused(good[:length], tmp_path)


def test_a_backup_in_which_anything_has_changed_is_refused(good: bytes, tmp_path: Path) -> None:
    random = Random("flips")
    for at in random.sample(range(10, len(good) - 16), 60):  # before that is what gzip says of itself
        flipped = bytearray(good)
        flipped[at] ^= 1 << random.randrange(8)
        assert refused(bytes(flipped), tmp_path)


def changed(good: bytes, change: Callable[[list[bytes]], list[bytes]], honest: bool) -> bytes:
    """Another file, packed as it should be, with these lines; `honest`: and with a checksum that fits."""
    lines = change(gzip.decompress(good).splitlines(keepends=True))
    if honest:
        whole = b"".join(lines[:-1])
        lines = [*lines[:-1], json.dumps({"sha256": hashlib.sha256(whole).hexdigest()}).encode()]
    return gzip.compress(b"".join(lines))


NO_BACKUPS: Final[list[tuple[Callable[[list[bytes]], list[bytes]], bool, str]]] = [
    (lambda lines: [lines[0], lines[1].replace(b'"turns":', b'"turns":1'), *lines[2:]], False, "checksum"),
    (lambda lines: [lines[0], *lines[2:]], True, "no backup, or damaged"),
    (lambda lines: [lines[0], lines[1], *lines[1:]], True, "no backup, or damaged"),
    (lambda lines: [lines[0], *lines[2:3], *lines[2:]], False, "checksum"),
    (lambda lines: [lines[0], *lines[1:-2], lines[1], lines[-1]], True, "does not have the rows"),
    (lambda lines: [lines[0].replace(b'"backup":1', b'"backup":2'), *lines[1:]], True, "newer version"),
    (
        lambda lines: [lines[0].replace(REVISIONS[-1].encode(), b"0099"), *lines[1:]],
        True,
        "with tables 0099",
    ),
    (lambda lines: [b"[1, 2]\n", *lines[1:]], True, "no backup"),
    (lambda lines: [b"[" * 100_000, *lines[1:]], True, "no backup"),
    (lambda _: [b"hello"], False, "no backup"),
    (lambda lines: [lines[0], b" " * (MAX_LINE_BYTES + 1)], False, "it has a line of more than 32 MB"),
    (lambda _: [], False, "no backup"),
]


def test_a_file_that_is_no_whole_backup_is_refused(good: bytes, tmp_path: Path) -> None:
    for number, (change, honest, says) in enumerate(NO_BACKUPS):
        with case(number, says):
            assert says in refused(changed(good, change, honest), tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        lambda line: line.replace(b'"seat":1', b'"sofa":1'),
        lambda line: line.replace(b'"game":"', b'"game":"no such '),
        lambda line: line.replace(b'"seats"', b'"sofas"'),
        lambda line: line.replace(b'"began":"2', b'"began":"no time 2'),
        lambda line: line.replace(b'"record":"', b'"record":"?'),
        lambda line: line.replace(b'"mu":', b'"mu":null,"was":'),
        lambda line: line.replace(b'"name":"', b'"name":"' + 1_000 * b"x"),
    ],
)
def test_a_row_that_fits_into_no_store_leaves_it_empty(
    change: Callable[[bytes], bytes], place: str, good: bytes, tmp_path: Path
) -> None:
    (tmp_path / "bad").write_bytes(changed(good, lambda lines: [change(line) for line in lines], honest=True))
    with pytest.raises(StoreError) as why:
        restore(tmp_path / "bad", place)
    assert len(str(why.value)) < 500, "what is in the file is not repeated at length"
    with opened(place) as store:
        assert content(store) == ([], [], [], [])


def test_a_name_that_is_too_long_is_counted(good: bytes, tmp_path: Path) -> None:
    def longer(line: bytes) -> bytes:
        return line.replace(b'"name":"', b'"name":"' + 5_000_000 * b"x")

    (tmp_path / "bad").write_bytes(changed(good, lambda lines: [longer(line) for line in lines], honest=True))
    with pytest.raises(StoreError, match=r"does not fit into seats: its name has 500000\d characters, above 1000"):
        restore(tmp_path / "bad", tmp_path / "new")


def test_a_record_that_swells_is_a_sentence(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as store:
        fill(store)
        game = store.listed()[0].id
    with database(tmp_path / "data") as base, base.writing() as connection:
        swollen = zlib.compress(bytes(MAX_RECORD_BYTES + 1))
        connection.execute(update(GAMES).where(GAMES.c.id == game).values(record=swollen))
    with opened(tmp_path / "data") as store, pytest.raises(StoreError, match=f"{game} .* swells to more than 16 MB"):
        store.data(game)


def test_what_is_in_the_way_of_a_backup_stays(tmp_path: Path) -> None:
    with opened(tmp_path / "data"):
        pass
    (tmp_path / "there").write_text("mine")
    with pytest.raises(StoreError, match="is there already"):
        back_up(tmp_path / "data", tmp_path / "there")
    assert (tmp_path / "there").read_text() == "mine"
    with pytest.raises(StoreError, match="No such file or directory"):
        back_up(tmp_path / "data", tmp_path / "no" / "folder")
    with pytest.raises(StoreError, match="there is no store yet"):
        back_up(tmp_path / "nothing", tmp_path / "backup")
    with pytest.raises(StoreError, match="No such file or directory"):
        restore(tmp_path / "nothing", tmp_path / "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "there"]
