"""The roster of a class: a CSV file with a row for each student.

Laws: every mistake is a ConfigError, one sentence with the file, the line and the value.
"""

import csv
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from wateringhole.fault import shown
from wateringhole.wire.toml_values import ConfigError

MAX_STUDENTS: Final = 10_000
MAX_ROSTER_BYTES: Final = 10_000_000
COLUMNS: Final = ("id", "name", "folder", "repository")
ID: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}", re.ASCII)
"""An id is also the name of a file."""


class Student(Struct, frozen=True):
    """A student, and where the submission is: a folder, or a git repository."""

    id: str
    name: str
    folder: Path | None
    repository: str | None


def read_roster(path: Path) -> tuple[Student, ...]:
    """The students in this file, in its order; folders are looked for beside it."""
    try:
        data = path.read_bytes()
        if len(data) > MAX_ROSTER_BYTES:
            raise ConfigError(f"{path}: more than {MAX_ROSTER_BYTES} bytes")
        lines = data.decode("utf-8-sig").splitlines()
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8: {error}") from None
    rows = csv.DictReader(lines)
    found = [name.strip().lower() for name in rows.fieldnames or ()]
    unknown = [name for name in found if name not in COLUMNS]
    if unknown or not {"id", "name"} <= {*found} or not {"folder", "repository"} & {*found}:
        raise ConfigError(f"{path}: the first row is {shown(found)}, not id,name,folder or id,name,repository")
    rows.fieldnames = found
    students: dict[str, Student] = {}
    try:
        for row in rows:
            where = f"{path}, line {rows.line_num}"
            student = _student(row, path.parent, where)
            if student.id in students:
                raise ConfigError(f"{where}: id {student.id} is there twice")
            students[student.id] = student
    except csv.Error as error:
        raise ConfigError(f"{path}, line {rows.line_num}: {error}") from None
    if not 0 < len(students) <= MAX_STUDENTS:
        raise ConfigError(f"{path}: {len(students)} students, not 1 to {MAX_STUDENTS}")
    return tuple(students.values())


def _student(row: Mapping[str | None, object], beside: Path, where: str) -> Student:
    if None in row or None in row.values():
        raise ConfigError(f"{where}: more or fewer columns than the first row has")
    given = {column: str(row.get(column, "")).strip() for column in COLUMNS}
    if ID.fullmatch(given["id"]) is None:
        raise ConfigError(f"{where}: id {shown(given['id'])} is not 1 to 64 letters, digits and _ . @ -")
    if bool(given["folder"]) == bool(given["repository"]):
        raise ConfigError(f"{where}: student {given['id']} needs a folder or a repository, and not both")
    folder = beside / given["folder"] if given["folder"] else None
    repository = given["repository"] or None
    if repository is not None and repository.startswith("-"):
        raise ConfigError(f"{where}: repository {shown(repository)} is neither a URL nor a path")
    if repository is not None and (beside / repository).exists():
        repository = str((beside / repository).resolve())
    return Student(given["id"], given["name"] or given["id"], folder, repository)
