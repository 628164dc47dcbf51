"""Results of single cases in a file that only grows, so that grading resumes after an interruption.

Laws: a result is found again by the SHA-256 of all that it depends on: the files of the submission, the case and the
limits. What was written before a crash is kept; a last line that was cut off is dropped.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from wateringhole.conformance.programs import InputError
from wateringhole.store.folder_lock import locked

FILE: Final = "results.jsonl"
VERSION: Final = 1
"""Goes into every key: with another one all is graded anew."""

NOT_HASHED: Final = frozenset({".git", "__pycache__"})
"""What changes without a change of the program."""


def digest(*parts: object) -> str:
    """The key of a result that depends on these values."""
    return hashlib.sha256(json.dumps([VERSION, *parts], sort_keys=True).encode()).hexdigest()


def folder_digest(folder: Path) -> str:
    """The SHA-256 of all files in a folder: their names, whether they can be executed, and what is in them."""
    total = hashlib.sha256()
    for path in _files(folder):
        name = os.fsencode(path.relative_to(folder))
        try:
            if path.is_symlink():
                mode, content = b"l", hashlib.sha256(os.fsencode(os.readlink(path))).digest()
            else:
                with path.open("rb") as file:
                    content = hashlib.file_digest(file, "sha256").digest()
                mode = b"x" if os.access(path, os.X_OK) else b"-"
        except OSError:
            mode, content = b"?", b""  # it cannot be read: nor can the program read it
        total.update(b"%b\0%b%b" % (name, mode, content))
    return total.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in NOT_HASHED)
        links = [name for name in folders if Path(place, name).is_symlink()]
        for name in sorted([*names, *links]):
            path = Path(place, name)
            if path.is_symlink() or path.is_file():
                yield path


class KeptResults:
    """Results by key: those of the file, and those that were added."""

    def __init__(self, found: dict[str, bytes], file: BinaryIO) -> None:
        self._found = found
        self._file = file

    def __contains__(self, key: str) -> bool:
        return key in self._found

    def raw(self, key: str) -> bytes:
        """The result of this key, as JSON."""
        return self._found[key]

    def add(self, key: str, result: object) -> None:
        """Keep a result. It is with the system at once, and survives the end of this process."""
        data = msgspec.json.encode(result)
        self._found[key] = data
        self._file.write(b'{"key":"%b","result":%b}\n' % (key.encode(), data))
        self._file.flush()


class _Line(msgspec.Struct):
    key: str
    result: msgspec.Raw


@contextmanager
def kept_results(folder: Path | None) -> Iterator[KeptResults | None]:
    """The results in this folder, which is made if it is missing; None without a folder.

    InputError if the folder cannot be used, or another process uses it.
    """
    if folder is None:
        yield None
        return
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(folder))
            file = stack.enter_context((folder / FILE).open("a+b"))
            found = dict(_read(file))
        except BlockingIOError:
            raise InputError(f"{folder}: another process is grading there") from None
        except OSError as error:
            raise InputError(f"{folder!s:.200}: {error.strerror}") from None
        yield KeptResults(found, file)


def _read(file: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """The lines of the file, of which later ones stand for earlier ones; a last line that was cut off is removed."""
    file.seek(0)
    whole = 0
    for line in file:
        if not line.endswith(b"\n"):
            break
        whole += len(line)
        with suppress(msgspec.DecodeError, UnicodeDecodeError):  # what is damaged is graded again
            found = msgspec.json.decode(line, type=_Line)
            yield found.key, bytes(found.result)
    file.truncate(whole)
