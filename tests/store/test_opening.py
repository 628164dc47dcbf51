"""What is opened as a store: a new one, one of an earlier version, and what must stay untouched."""

import contextlib
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from base64 import b64decode
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, create_engine, insert, inspect, text

import wateringhole.store.migrations
from tests.store.paper import NOON, paper
from tests.store.postgres import USER, Postgres
from wateringhole.record import parsed
from wateringhole.store.database import FILE, PATIENCE, Database, database, migrate
from wateringhole.store.error import StoreError
from wateringhole.store.games import Store, opened
from wateringhole.store.queries import Filter
from wateringhole.store.tables import METADATA, REVISIONS, VERSION_TABLE

FULL = 2
NOBODY = 65_534
CORPUS = Path(__file__).parent / "corpus"


def engine(place: str) -> Engine:
    """The database at this place, without any of our own care."""
    if place.startswith("postgresql"):
        return create_engine(place.replace("postgresql", "postgresql+psycopg", 1))
    Path(place).mkdir(exist_ok=True)
    return create_engine(f"sqlite:///{place}/{FILE}")


def do(place: str, *statements: str) -> None:
    bare = engine(place)
    with bare.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    bare.dispose()


def content(place: str) -> object:
    """All that is in a database, or in the files of a folder."""
    if not place.startswith("postgresql"):
        return {path.name: path.read_bytes() for path in Path(place).iterdir()}
    bare = engine(place)
    with bare.connect() as connection:
        tables = inspect(connection).get_table_names()
        rows = {name: connection.execute(text(f"SELECT * FROM {name}")).all() for name in tables}  # noqa: S608
    bare.dispose()
    return rows


def untouched(place: str, *values: str) -> bool:
    """Whether it is refused with a sentence that has these values in it, and stays as it was."""
    before = content(place)
    for create in (True, False):
        with pytest.raises(StoreError) as refused, opened(place, create):
            pass
        sentence = str(refused.value)
        assert sentence.isprintable()
        assert [value for value in values if value not in sentence] == []
    assert content(place) == before
    return True


def test_a_store_that_may_not_be_made_is_not_made(place: str) -> None:
    with pytest.raises(StoreError, match="there is no store yet"), opened(place, create=False):
        pass
    if not place.startswith("postgresql"):
        assert not Path(place).exists()
    with opened(place) as store:
        assert store.listed() == []
    with opened(place, create=False) as store:
        assert store.listed() == []


def test_a_folder_can_have_any_name(tmp_path: Path) -> None:
    place = tmp_path / "what's 100% new? #1 & ümlaut: ;"
    with opened(place) as store:
        [known] = store.add([paper(1, "Ann", "Bob", "Cem")])
    with opened(str(place), create=False) as store:
        assert known in store
    assert (place / FILE).exists()


def test_a_file_can_be_named_by_url(tmp_path: Path) -> None:
    with opened(f"sqlite:///{tmp_path}/other.db") as store:
        store.add([paper(1, "Ann", "Bob", "Cem")])
    assert (tmp_path / "other.db").exists()


@contextlib.contextmanager
def a_reader(folder: Path, does: Callable[[Store], Iterator[str]]) -> Iterator[Iterator[str]]:
    """Another process that may read the store in this folder, and no more; and what it says.

    Unless this process is root's it may do no more either, until `permit`.
    """
    permit(folder, write=False)
    ours, theirs = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads
        child = os.fork()
    if child == 0:
        said = "nothing"
        try:
            if os.getuid() == 0:  # whom no right stops
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            with opened(folder, create=False) as store:
                for said in does(store):
                    os.write(theirs, f"{said}\n".encode())
        except StoreError as error:
            os.write(theirs, f"{error}\n".encode(errors="backslashreplace"))
        finally:
            os._exit(0)
    os.close(theirs)
    try:
        with open(ours) as line:
            yield (said.strip() for said in line)
    finally:
        os.waitpid(child, 0)
        permit(folder, write=True)


def permit(folder: Path, write: bool) -> None:
    """All users may read the store in this folder; whether its owner may also write."""
    for path in folder.iterdir():
        path.chmod(0o644 if write else 0o444)
    folder.chmod(0o755 if write else 0o555)


def look_and_add(store: Store) -> Iterator[str]:
    yield f"{store.count()} games"
    with contextlib.suppress(StoreError):
        yield f"{len(store.ladder())} on the ladder"
    store.add([paper(2, "Dan", "Eva", "Fay")])


@pytest.fixture
def odd() -> Iterator[Path]:
    """A folder that everybody may look into, with a name that is hard to write."""
    with tempfile.TemporaryDirectory(prefix=os.fsdecode(b"100%? #\xff")) as name:
        yield Path(name)


def test_who_may_only_read_a_store_sees_what_is_in_it_whether_somebody_writes_or_not(odd: Path) -> None:
    refused = f"{ascii(str(odd))[1:-1]}: attempt to write a readonly database"
    with opened(odd) as store:
        store.add([paper(1, "Ann", "Bob", "Cem")])
        assert (odd / f"{FILE}-wal").exists()
        with a_reader(odd, look_and_add) as said:
            assert list(said) == ["1 games", refused]
    with a_reader(odd, look_and_add) as said:
        assert list(said) == ["1 games", refused]
    with opened(odd) as store:
        assert len(store.ladder()) == 3
    with a_reader(odd, look_and_add) as said:
        assert list(said) == ["1 games", "3 on the ladder", refused]


def test_who_may_only_read_a_store_cannot_have_it_to_write_such_as_for_a_server(odd: Path) -> None:
    def wants_more(_: Store) -> Iterator[str]:
        with opened(odd):
            yield "opened"

    with opened(odd) as store:
        store.add([paper(1, "Ann", "Bob", "Cem")])
    with a_reader(odd, wants_more) as said:
        assert "attempt to write a readonly database" in next(said)


def test_who_reads_a_store_by_another_name_sees_what_is_written_there(odd: Path) -> None:
    with opened(odd) as store, tempfile.TemporaryDirectory() as name:
        (Path(name) / FILE).symlink_to(odd / FILE)
        for path, rights in ((odd, 0o555), *((path, 0o644) for path in odd.iterdir())):
            path.chmod(rights)
        store.add([paper(1, "Ann", "Bob", "Cem")])
        with a_reader(Path(name), look_and_add) as said:
            assert next(said) == "1 games"


def test_who_reads_a_store_that_somebody_begins_to_write_to_hears_of_it(odd: Path) -> None:
    def looks_again(store: Store) -> Iterator[str]:
        yield f"{store.count()} games"
        for _ in range(6_000):
            if (odd / f"{FILE}-wal").exists():
                break
            time.sleep(0.01)
        yield f"{store.count()} games"

    with opened(odd) as store:
        store.add([paper(1, "Ann", "Bob", "Cem")])
    with a_reader(odd, looks_again) as said:
        assert next(said) == "1 games"
        permit(odd, write=True)
        with opened(odd) as store:
            store.add([paper(2, "Ann", "Bob", "Cem")])
            assert "another process has begun to write there; try again" in next(said)


def test_a_store_of_a_newer_version_stays_untouched(place: str) -> None:
    with opened(place) as store:
        store.add([paper(1, "Ann", "Bob", "Cem")])
    do(place, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")  # noqa: S608
    assert untouched(place, "newer version", "9999", REVISIONS[-1])


def test_somebody_elses_database_stays_untouched(place: str) -> None:
    do(place, "CREATE TABLE games (id INTEGER)", "INSERT INTO games VALUES (7)")
    assert untouched(place, "something else", '"games"')


@pytest.mark.parametrize("junk", [b"hello\n" * 1_000, b"SQLite format 3\0" + b"\xff" * 5_000])
def test_a_file_that_is_no_database_stays_untouched(junk: bytes, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(junk)
    assert untouched(str(tmp_path), str(tmp_path))


def test_what_cannot_be_a_folder_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in ("file", "file/below"):
        with pytest.raises(StoreError, match=r"(File exists|Not a directory)"), opened(tmp_path / place):
            pass


def test_tables_are_made_as_a_whole_or_not_at_all(place: str) -> None:
    do(place, "CREATE VIEW tournaments AS SELECT 1 AS one")  # in the way of the last table
    with pytest.raises(StoreError, match="tournaments"), opened(place):
        pass
    bare = engine(place)
    with bare.connect() as connection:
        assert inspect(connection).get_table_names() == []
    bare.dispose()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("mysql://ann:secret@host/games", "mysql://...: a store is a folder, or a database at postgresql://"),
        ("postgresql://ann:secret@host:port/games", "postgresql://...: not the URL of a database"),
        ("sqlite://", "sqlite://...: a store is a folder"),
        ("postgresql://ann:secret@127.0.0.1:9/games", "postgresql://ann:***@127.0.0.1:9/games: connection failed"),
        ("postgresql://ann:secret@/games?host=/nowhere", "No such file or directory"),
        ("postgres://ann:secret@no-such-host.invalid/games", "no-such-host.invalid"),
    ],
)
def test_a_url_that_leads_nowhere_is_a_sentence_without_the_password(url: str, says: str) -> None:
    with pytest.raises(StoreError) as refused, opened(url):
        pass
    sentence = str(refused.value)
    assert says in sentence
    assert sentence.isprintable()
    assert "secret" not in sentence


def test_without_the_right_to_do_so_there_is_a_sentence(postgres: Postgres) -> None:
    with postgres.database() as url:
        do(url, "DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN")
        with (
            pytest.raises(StoreError, match=r"permission denied|no schema"),
            opened(url.replace(USER, "guest")),
        ):
            pass
        with pytest.raises(StoreError, match='role "stranger" does not exist'), opened(url.replace(USER, "stranger")):
            pass


def test_without_psycopg_there_is_a_sentence_that_says_how_to_get_it() -> None:
    asked = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from wateringhole.store.games import opened\n"
        "try: opened('postgresql://ann@host/games').__enter__()\n"
        "except Exception as error: print(error)\n"
    )
    said = subprocess.check_output([sys.executable, "-c", asked], text=True)
    assert said == "postgresql://ann@host/games: PostgreSQL needs psycopg: pip install 'wateringhole[postgres]'\n"


def test_the_migrations_lead_to_the_tables_that_we_know(shared: Database) -> None:
    with shared.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        assert compare_metadata(context, METADATA) == []


def test_the_versions_are_those_that_there_are_migrations_for() -> None:
    scripts = ScriptDirectory(str(Path(wateringhole.store.migrations.__file__).parent))
    assert tuple(script.revision for script in scripts.walk_revisions())[::-1] == REVISIONS


def test_a_file_is_safe_against_a_power_cut_and_lets_readers_read(tmp_path: Path) -> None:
    with database(tmp_path) as base, base.reading() as connection:
        settings = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in settings]
    assert found == ["wal", FULL, True, 1_000 * PATIENCE]


def fill(place: str, revision: str) -> None:
    """Make a store as the version with these tables left it."""
    bare = engine(place)
    with bare.begin() as connection:
        migrate(connection, revision)
        made = MetaData()
        made.reflect(connection)
        for line in gzip.decompress((CORPUS / f"tables-{revision}.backup").read_bytes()).splitlines()[1:-1]:
            entry = json.loads(line)
            table = made.tables[entry["table"]]
            row = dict(entry["row"])
            for column in table.c:
                value = row[column.name]
                if column.type.python_type is bytes:
                    row[column.name] = b64decode(value)
                elif column.type.python_type is datetime:
                    moment = datetime.fromisoformat(value)
                    row[column.name] = moment if bare.dialect.name == "postgresql" else moment.replace(tzinfo=None)
            connection.execute(insert(table), row)
    bare.dispose()


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_store_of_every_earlier_version_is_brought_up_to_date(place: str, revision: str) -> None:
    fill(place, revision)
    with opened(place, create=False) as store:
        games = store.listed(Filter(private=True))
        assert len(games) == 4
        for game in games:
            assert parsed(store.data(game.id)).names == game.names
        assert [game.status for game in games] == ["stopped", "finished", "finished", "finished"]
        assert [game.private for game in games].count(True) == 1
        assert all(game.ended.tzinfo is UTC and game.ended < NOON for game in games)
        rated = {"silly 1", "bad:missing-card 2", "greedy 3"}  # and none of the game of one person against house bots
        assert {rung.name for rung in store.ladder()} == rated
        assert [(cup.id, cup.title, cup.table) for cup in store.tournaments()] == [("cup", "The Cup", 3)]
