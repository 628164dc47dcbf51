"""Backup of the whole store in one file, from which a database of any kind can be restored.

Laws: a backup shows the store at one moment, also while writers are at work. It is compressed JSON, a line a row: first
what it is and how many rows of each table follow, last a checksum. Nothing is touched until the whole file has been
checked. A backup of an earlier version can be restored: its tables are made as they were, and then brought up to date.
"""

import contextlib
import gzip
import hashlib
import os
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, BinaryIO, Final

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import Column, Connection, MetaData, Table, func, insert, select, text

from wateringhole.fault import shown
from wateringhole.record import MAX_RECORD_BYTES
from wateringhole.store.database import database, migrate
from wateringhole.store.error import StoreError
from wateringhole.store.file_modes import private
from wateringhole.store.tables import METADATA, REVISIONS, VERSION_TABLE

FORMAT: Final = 1
ROWS_AT_ONCE: Final = 500
MAX_LINE_BYTES: Final = 2 * MAX_RECORD_BYTES
"""A row with the longest record fits; a file with a longer line is no backup."""
MAX_TEXT_CHARS: Final = 1_000
"""Of names, titles and the like; whole documents may fill a line."""
DOCUMENTS: Final = frozenset({"text", "standings", "brief"})
"""The columns that hold those."""

Value = str | int | float | bool | None


class Head(Struct, frozen=True):
    """The first line: the version of the tables, when it was made, how many rows of each table follow."""

    backup: int
    tables: str
    made: datetime
    rows: dict[str, Annotated[int, Meta(ge=0)]]


class BackupRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A row: times as text, bytes in base 64."""

    table: str
    row: dict[str, Value]


class Tail(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: SHA-256 of all lines before it."""

    sha256: str


_HEAD: Final = msgspec.json.Decoder(Head)
_LINES: Final = msgspec.json.Decoder(BackupRow)
_TAIL: Final = msgspec.json.Decoder(Tail)


def back_up(place: str | Path, file: Path, progress: Callable[[int, int], None] = lambda _done, _all: None) -> Head:
    """Write the store into this new file, all of it or nothing. `progress` gets the numbers of done and of all rows."""
    if file.exists():
        raise StoreError(f"{file} is there already; take another name, or remove it")
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with (
            database(place, create=False) as base,
            base.reading() as connection,
            open(fresh, "xb", opener=private) as raw,
        ):
            counts = {
                str(table.name): connection.execute(select(func.count()).select_from(table)).scalar_one()
                for table in METADATA.sorted_tables
            }
            head = Head(FORMAT, REVISIONS[-1], datetime.now(UTC), counts)
            with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                seen = hashlib.sha256()
                for done, line in enumerate(_lines(connection, head)):
                    seen.update(line)
                    packed.write(line)
                    progress(done, sum(counts.values()))
                packed.write(_line(Tail(seen.hexdigest())))
            raw.flush()
            os.fsync(raw.fileno())
        fresh.rename(file)
    except OSError as error:
        raise StoreError(f"{file}: {error.strerror}") from None
    finally:
        with contextlib.suppress(OSError):  # it has its own name now, or there never was one
            fresh.unlink()
    return head


def restore(file: Path, place: str | Path, progress: Callable[[int, int], None] = lambda _done, _all: None) -> Head:
    """Fill an empty store, also a new one, from this file; StoreError if it is damaged, or the store not empty."""
    try:
        with file.open("rb") as raw:
            head = _checked(raw, file)
            with database(place) as base, base.writing(alone=True) as connection:
                for table in METADATA.tables.values():
                    if connection.execute(select(table).limit(1)).first() is not None:
                        raise StoreError(f"{base.shown} is not empty; restore into a new one")
                _fill(connection, head, raw, file, progress)
    except OSError as error:
        raise StoreError(f"{file}: {error.strerror}") from None
    return head


def _lines(connection: Connection, head: Head) -> Iterator[bytes]:
    """The head and all rows."""
    yield _line(head)
    for table in METADATA.sorted_tables:
        rows = connection.execution_options(yield_per=ROWS_AT_ONCE).execute(select(table).order_by(*table.primary_key))
        for row in rows.mappings():
            yield _line(BackupRow(str(table.name), {str(name): _written(value) for name, value in row.items()}))


def _line(struct: Struct) -> bytes:
    return msgspec.json.encode(struct) + b"\n"


def _written(value: Value | datetime | bytes) -> Value:
    if isinstance(value, datetime):
        return value.isoformat()
    return b64encode(value).decode() if isinstance(value, bytes) else value


def _read(value: Value, column: Column[object]) -> Value | datetime | bytes:
    """What was written so, as this column takes it; ValueError if it does not."""
    kind = column.type.python_type
    if isinstance(value, str) and kind is str and len(value) > MAX_TEXT_CHARS and column.name not in DOCUMENTS:
        raise ValueError(f"its {column.name} has {len(value)} characters, above {MAX_TEXT_CHARS}")
    if isinstance(value, str) and kind is bytes:
        return b64decode(value, validate=True)
    if isinstance(value, str) and kind is datetime:
        moment = datetime.fromisoformat(value)
        return moment if getattr(column.type, "timezone", False) else moment.astimezone(UTC).replace(tzinfo=None)
    return value


def _checked(raw: BinaryIO, file: Path) -> Head:
    """What the file is, if all of it is as it was written; StoreError otherwise."""
    entries = _entries(raw, file)
    head = next(entries)
    assert isinstance(head, Head)
    for _ in entries:
        pass
    return head


def _entries(raw: BinaryIO, file: Path) -> Iterator[Head | BackupRow]:
    """The head and the rows of a backup; StoreError as soon as something is not as it was written."""
    raw.seek(0)
    seen = hashlib.sha256()
    rows: Counter[str] = Counter()
    try:
        with gzip.GzipFile(fileobj=raw) as packed:
            line = _read_line(packed, file)
            head = _HEAD.decode(line)
            if head.backup != FORMAT or head.tables not in REVISIONS:
                raise StoreError(f"{file} was made by a newer version, with tables {head.tables:.20}")
            yield head
            for _ in range(sum(head.rows.values())):
                seen.update(line)
                line = _read_line(packed, file)
                entry = _LINES.decode(line)
                rows[entry.table] += 1
                yield entry
            seen.update(line)
            if _TAIL.decode(_read_line(packed, file)).sha256 != seen.hexdigest():
                raise StoreError(f"{file} is damaged: its checksum does not fit")
            if rows != Counter(head.rows) or packed.read(1):
                raise StoreError(f"{file} is damaged: it does not have the rows that it should have")
    except gzip.BadGzipFile as error:
        raise StoreError(f"{file} is no backup, or damaged: {error}") from None
    except (EOFError, zlib.error):
        raise StoreError(f"{file} is damaged: it ends too soon, or is garbled in the middle") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise StoreError(f"{file} is no backup, or damaged: {ascii(str(error))[1:-1]:.100}") from None


def _read_line(packed: gzip.GzipFile, file: Path) -> bytes:
    line = packed.readline(MAX_LINE_BYTES + 1)
    if len(line) > MAX_LINE_BYTES:
        raise StoreError(f"{file} is no backup: it has a line of more than {MAX_LINE_BYTES // 1024**2} MB")
    return line


def _fill(connection: Connection, head: Head, raw: BinaryIO, file: Path, progress: Callable[[int, int], None]) -> None:
    """Make the tables as they were, put the rows in, and bring them up to date."""
    METADATA.drop_all(connection)
    connection.execute(text(f"DROP TABLE {VERSION_TABLE}"))
    migrate(connection, head.tables)
    made = MetaData()
    made.reflect(connection)
    waiting: list[dict[str, Value | datetime | bytes]] = []
    table: Table | None = None
    done = held = 0
    for entry in _entries(raw, file):
        if isinstance(entry, Head):
            continue
        if table is None or table.name != entry.table or len(waiting) >= ROWS_AT_ONCE or held > MAX_LINE_BYTES:
            _put(connection, table, waiting)
            held = 0
            progress(done, sum(head.rows.values()))
        if entry.table not in head.rows or entry.table not in made.tables:
            raise StoreError(f"{file} has a table {shown(entry.table)} that such a store has not")
        table = made.tables[entry.table]
        try:
            waiting.append({name: _read(value, table.c[name]) for name, value in entry.row.items()})
        except (KeyError, ValueError) as error:
            raise StoreError(f"{file} has a row that does not fit into {table.name}: {error!s:.100}") from None
        done += 1
        held += sum(len(value) for value in entry.row.values() if isinstance(value, str))
    _put(connection, table, waiting)
    migrate(connection)


def _put(connection: Connection, table: Table | None, rows: list[dict[str, Value | datetime | bytes]]) -> None:
    if table is not None and rows:
        connection.execute(insert(table), rows)
        rows.clear()
