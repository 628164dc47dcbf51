"""The folder of a run: the plan, and a file of the games that have ended.

Laws: the file only grows, and only this process writes it. A game counts once it is in the file, with its record.
A process that dies loses the games in play; a power cut also those that end while the disk is busy with the one before.
One folder, one run, one at a time.
"""

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, field

from wateringhole.external.play_specs import Treatment
from wateringhole.record import RULES
from wateringhole.seeds import drawn_secret
from wateringhole.store.folder_lock import locked
from wateringhole.tournament.outcomes import GameOutcome
from wateringhole.tournament.runfile import GAMES, TITLE, RunFile, outcomes_in

VERSION: Final = 2
"""Of what is kept, and of how decks and seeds come from the secret."""
PLAN: Final = "plan.json"
SECRET_FILE: Final = "secret"  # noqa: S105  # its name
_ELSEWHERE: Final = "take another folder, or move this one away"


class RunPlan(Struct, frozen=True):
    """What a run is about; it is the same run as long as this is the same. `schedule` fixes the pairings. Without a
    `seed` the run has a secret of its own.
    """

    agents: tuple[str, ...]
    seed: str | None
    treatment: Treatment
    rules: str = RULES
    schedule: str = field(default="", name="course")  # in the file it keeps the name that version 1.0 gave it
    version: int = VERSION


class _Version(Struct, frozen=True):
    """What every version can read of a plan."""

    version: int = 1


class RunError(Exception):
    """A run that cannot go on; the sentence says why."""


class RunJournal:
    """The games that have ended, by number, and the secret of the run; with a file, they outlive the process."""

    def __init__(self, secret: str, outcomes: dict[int, GameOutcome] | None = None, file: FileIO | None = None) -> None:
        self.secret: Final = secret
        self.outcomes = outcomes or {}
        self.fresh = threading.Event()
        self._file = file

    def add(self, frame: bytes) -> list[GameOutcome]:
        """Add the games of a frame, and return their outcomes."""
        if self._file is not None:
            _write(self._file, frame)
            self.fresh.set()
        ended = outcomes_in(frame)
        self.outcomes.update({game.number: game for game in ended})
        return ended

    def settle(self) -> None:
        """Put on the disk what was written since the last time."""
        if self._file is not None and self.fresh.is_set():
            self.fresh.clear()
            os.fsync(self._file.fileno())


@contextlib.contextmanager
def open_journal(plan: RunPlan, out: Path | None) -> Iterator[RunJournal]:
    """The journal in this folder, which must be of the same run; without a folder, one in memory."""
    if out is None:
        yield RunJournal(secret_of(plan, None))
        return
    with contextlib.ExitStack() as stack:
        try:
            out.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(out))  # two runs at once would play everything twice
            _same(plan, out)
            file = stack.enter_context((out / GAMES).open("ab", buffering=0))
        except BlockingIOError:
            raise RunError(f"{out}: another process is playing this run right now") from None
        except OSError as error:
            raise RunError(f"{out}: {error.strerror}") from None
        book = RunJournal(secret_of(plan, out), _resumed(out / GAMES, file), file)
        with _settling(book):
            try:
                yield book
            except OSError as error:
                raise RunError(f"{out}: {error.strerror}") from None


def read(plan: RunPlan, out: Path) -> RunJournal:
    """The journal in this folder, to which another process may be writing; RunError if it is not of this run."""
    if not (out / PLAN).exists():
        raise RunError(f"{out}: nothing has been played yet")
    _compare(plan, out)
    return RunJournal(secret_of(plan, out), opened(out / GAMES).outcomes if (out / GAMES).exists() else None)


def opened(path: Path) -> RunFile:
    """The games in this file; RunError if it cannot be read."""
    try:
        return RunFile(path)
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise RunError(f"{path}: {error}") from None


def _same(plan: RunPlan, out: Path) -> None:
    """RunError unless this folder is new or holds the same run."""
    path = out / PLAN
    try:
        if not path.exists():
            fresh = path.with_suffix(".new")  # a plan is there as a whole or not at all
            fresh.write_bytes(msgspec.json.format(msgspec.json.encode(plan), indent=1) + b"\n")
            if plan.seed is None:
                _keep_secret(drawn_secret(), out)
            fresh.replace(path)
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from None
    _compare(plan, out)


def _keep_secret(secret: str, out: Path) -> None:
    """Write the secret for the owner of the folder alone; it is there before the plan is."""
    path = out / SECRET_FILE
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"{secret}\n")
        file.flush()
        os.fsync(file.fileno())


def secret_of(plan: RunPlan, out: Path | None) -> str:
    """The secret of this run: the seed, if it has one, else a random one that is kept in its folder."""
    if plan.seed is not None or out is None:
        return drawn_secret() if plan.seed is None else plan.seed
    path = out / SECRET_FILE
    try:
        return path.read_text().strip()
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}; without it the games of this run cannot go on") from None


def _compare(plan: RunPlan, out: Path) -> None:
    path = out / PLAN
    try:
        data = path.read_bytes()
        version = msgspec.json.decode(data, type=_Version).version
        if version != VERSION:
            which = "an earlier" if version < VERSION else "a later"
            raise RunError(f"{out} holds a run of {which} version of wateringhole; {_ELSEWHERE}")
        known = msgspec.json.decode(data, type=RunPlan)
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RunError(f"{path}: {error}") from None
    if known != plan:
        names = [name for name in plan.__struct_fields__ if getattr(known, name) != getattr(plan, name)]
        raise RunError(f"{out} holds another run: what differs is {', '.join(names)}; {_ELSEWHERE}")


def _resumed(path: Path, file: FileIO) -> dict[int, GameOutcome]:
    """The games of a file that may be new, or end with a frame which was cut off: that is dropped."""
    known = opened(path)
    try:
        if known.end < len(TITLE):
            file.truncate(0)
            _write(file, TITLE)
        elif known.end < path.stat().st_size:
            file.truncate(known.end)  # a power cut in the middle of this frame
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from None
    if known.damage:
        sys.stderr.write(f"{known.damage}; the games that were there are played again\n")
    return known.outcomes


def _write(file: FileIO, data: bytes) -> None:
    """Write all of it, or raise OSError: no buffer keeps a part that a later attempt would write."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


@contextlib.contextmanager
def _settling(book: RunJournal) -> Iterator[None]:
    """In this block a thread syncs the file after each addition, without delaying the games; additions during a sync
    share the next one.
    """
    over = threading.Event()
    failed: list[OSError] = []

    def settle() -> None:
        while not over.is_set():
            book.fresh.wait()
            try:
                book.settle()
            except OSError as error:
                failed.append(error)
                return

    thread = threading.Thread(target=settle, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        book.fresh.set()
        thread.join()
    if failed:
        raise failed[0]
    book.settle()
