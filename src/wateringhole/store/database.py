"""Opens and checks the database, SQLite or PostgreSQL, and migrates it to this version's tables.

Laws: a database that is not a store of a known version stays untouched. A failure of the database is a StoreError, one
sentence without a password in it. Writers wait for each other; readers do not wait.
"""

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection as FileConnection
from typing import Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, func, inspect, make_url, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import ConnectionPoolEntry

from wateringhole.fault import json_line
from wateringhole.store.error import StoreError
from wateringhole.store.file_modes import make_file, make_folder
from wateringhole.store.tables import REVISIONS, VERSION_TABLE

FILE: Final = "store.sqlite"
PATIENCE: Final = 30
"""Seconds that a writer waits for the others, and a client for a PostgreSQL server."""
_LOCK: Final = 0x77617465
"""The number of the advisory lock on a PostgreSQL server, within one database."""
_PATIENT: Final = {
    "connect_timeout": PATIENCE,
    "keepalives_idle": PATIENCE,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": PATIENCE * 1_000,
}
"""A server that falls silent is given up; otherwise the system would wait for hours."""
_WRITES: Final = "wateringhole_writes"
_MIGRATING: Final = threading.Lock()
"""Alembic has one context for all threads."""


class Database:
    """Connections for readers and writers; threads may share it."""

    def __init__(self, engine: Engine, shown: str, read_only: Path | None = None) -> None:
        """`read_only` is a file that this process may not change."""
        self.shown: Final = shown
        self.read_only: Final = read_only is not None
        self._resting = read_only if "immutable" in engine.url.query else None
        self._seen = self._looks()
        self.engine: Final = engine
        self.in_a_file: Final = engine.dialect.name == "sqlite"
        self._writer = engine.execution_options(**{_WRITES: True})

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read one state of the store, also while writers are at work."""
        try:
            with _told(self.shown), self.engine.connect() as connection:
                if not self.in_a_file:
                    connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))
                yield connection
        finally:
            if self._disturbed():
                raise StoreError(f"{self.shown}: another process has begun to write there; try again")

    def _disturbed(self) -> bool:
        """Whether the file has changed: it is read without a lock, so this must be checked here."""
        return self._resting is not None and (_ahead(self._resting).exists() or self._looks() != self._seen)

    def _looks(self) -> tuple[int, int] | None:
        try:
            found = None if self._resting is None else self._resting.stat()
        except OSError:
            return None  # it has gone
        return None if found is None else (found.st_mtime_ns, found.st_size)

    @contextlib.contextmanager
    def writing(self, alone: bool = False) -> Iterator[Connection]:
        """A transaction: all is written, or nothing. `alone`: one such transaction at a time."""
        with _told(self.shown), self._writer.begin() as connection:
            if alone and not self.in_a_file:  # in a file every writer is alone
                connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
            yield connection

    def write_ahead(self) -> None:
        """Turn on write-ahead logging, so that readers of a file do not wait for writers; the file remembers it."""
        if self.in_a_file and not self.read_only:
            with _told(self.shown), contextlib.closing(self.engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA journal_mode = WAL")


@contextlib.contextmanager
def database(place: str | Path, create: bool = True) -> Iterator[Database]:
    """The database in this folder or at this URL, with this version's tables; made, if it may be and is not there."""
    url = _url(place)
    shown = str(place) if url.drivername == "sqlite" else str(url.set(drivername="postgresql", query={}))  # no password
    read_only = None
    if url.drivername == "sqlite":
        _find(Path(url.database or ""), shown, create)
        read_only = None if create else _only_read(url)
    try:
        engine = _engine(url if read_only is None else _reading(url, read_only))
    except ModuleNotFoundError:
        raise StoreError(f"{shown}: PostgreSQL needs psycopg: pip install 'wateringhole[postgres]'") from None
    try:
        base = Database(engine, shown, read_only)
        _prepare(base, create)
        yield base
    finally:
        engine.dispose()


def _prepare(base: Database, create: bool) -> None:
    """Make the tables, or migrate them to this version."""
    with base.reading() as connection:
        found = version(connection, base.shown)
    if found is None and not create:
        raise StoreError(f"{base.shown}: there is no store yet")
    base.write_ahead()
    if found != REVISIONS[-1]:
        with base.writing(alone=True) as connection:
            if version(connection, base.shown) != REVISIONS[-1]:
                migrate(connection)


def version(connection: Connection, shown: str) -> str | None:
    """The version of the tables that are there; None if there are none. StoreError if they are not those of a known
    store.
    """
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE not in tables:
        if tables:
            raise StoreError(f"{shown} is the database of something else: it has a table {json_line(min(tables)):.60}")
        return None
    found: str | None = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()  # noqa: S608
    if found not in REVISIONS:
        raise StoreError(
            f"{shown} was made by a newer version: its tables are {found!s:.20}, we know those up to {REVISIONS[-1]}"
        )
    return found


def migrate(connection: Connection, to: str = REVISIONS[-1]) -> None:
    """Change the tables to those of this version, with all that is in them."""
    from alembic import command  # noqa: PLC0415  # only new tables need it
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": connection, "table": VERSION_TABLE})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "newline")  # a folder's name may have anything else in it
    with _MIGRATING:
        command.upgrade(config, to)


def _url(place: str | Path) -> URL:
    """Where the database is: a folder has it in a file."""
    if isinstance(place, Path) or "://" not in place:
        return URL.create("sqlite", database=str(Path(place) / FILE))
    try:
        url = make_url(place)
    except (ArgumentError, ValueError):
        raise StoreError(f"{place.partition('://')[0]}://...: not the URL of a database") from None
    if url.drivername in {"postgresql", "postgres", "postgresql+psycopg"}:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database:
        return url
    raise StoreError(f"{url.drivername}://...: a store is a folder, or a database at postgresql://USER@HOST/NAME")


def _find(file: Path, shown: str, create: bool) -> None:
    """See to it that the file is there."""
    if not create and not file.exists():
        raise StoreError(f"{shown}: there is no store yet")
    try:
        make_folder(file.parent)
        make_file(file)  # SQLite gives its mode to the files beside it
    except OSError as error:
        raise StoreError(f"{shown}: {error.strerror}") from None


def _engine(url: URL) -> Engine:
    if url.drivername != "sqlite":
        options = f"{url.query.get('options', '')} -c lock_timeout={PATIENCE}s"
        return create_engine(url, pool_pre_ping=True, connect_args={**_PATIENT, "options": options})
    engine = create_engine(url, connect_args={"timeout": PATIENCE})

    @event.listens_for(engine, "connect")
    def connected(connection: FileConnection, _: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # transactions are begun below, not by the driver
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")  # deleted rows must not stay readable in the file

    @event.listens_for(engine, "begin")
    def began(connection: Connection) -> None:
        # A transaction that first reads and then writes could not wait for another writer.
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _only_read(url: URL) -> Path | None:
    """The file, if this process may only read it."""
    file = Path(url.database or "").resolve()
    return None if os.access(file, os.W_OK) and os.access(file.parent, os.W_OK) else file


def _reading(url: URL, file: Path) -> URL:
    """The URL for reading this file beside a writer or, if there is none, without a lock."""
    query = {"uri": "true", "mode": "ro"}
    if not _ahead(file).exists():
        query["immutable"] = "1"  # or SQLite would make a log file
    return url.set(database=f"file://{quote(os.fsencode(file))}").update_query_dict(query)


def _ahead(file: Path) -> Path:
    """SQLite's write-ahead log, which exists while a writer has the file open."""
    return file.with_name(f"{file.name}-wal")


@contextlib.contextmanager
def _told(shown: str) -> Iterator[None]:
    """Turn the errors of the database into StoreError with a sentence."""
    try:
        yield
    except DBAPIError as error:
        why = str(error.orig).strip().partition("\n")[0]
        raise StoreError(f"{shown}: {' '.join(why.split())}") from error
    except PoolTimeoutError:
        raise StoreError(f"{shown}: no connection was free for {PATIENCE} s") from None
