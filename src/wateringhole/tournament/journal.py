"""What is kept of a run: the plan, a line for every game that has ended, and the records.

Laws: the journal only grows. A game counts once its line is in the journal; its record is there before. Whoever dies
loses the games in play; a power cut also those that end while the disk is busy with the one before. One folder, one
run, one at a time.
"""

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct

from wateringhole.outside.anyone import Treatment
from wateringhole.record import RULES
from wateringhole.store.lock import locked
from wateringhole.tournament.tally import Outcome

PLAN: Final = "plan.json"
JOURNAL: Final = "games.jsonl"
RECORDS: Final = "records"


class Plan(Struct, frozen=True):
    """What a run is about; it is the same run as long as this is the same. `course` fixes who meets whom."""

    agents: tuple[str, ...]
    seed: str
    treatment: Treatment
    rules: str = RULES
    course: str = ""


class RunError(Exception):
    """A run that cannot go on; the sentence says why."""


class Journal:
    """The games that have ended, by number; with a file, they outlive us."""

    def __init__(self, outcomes: dict[int, Outcome] | None = None, file: BinaryIO | None = None) -> None:
        self.outcomes = outcomes or {}
        self.fresh = threading.Event()
        self._file = file

    def add(self, ended: Outcome) -> None:
        """This game has ended."""
        self.outcomes[ended.number] = ended
        if self._file is not None:
            self._file.write(msgspec.json.encode(ended) + b"\n")
            self._file.flush()
            self.fresh.set()

    def settle(self) -> None:
        """Put on the disk what was written since the last time."""
        if self._file is not None and self.fresh.is_set():
            self.fresh.clear()
            os.fsync(self._file.fileno())


@contextlib.contextmanager
def journal(plan: Plan, out: Path | None) -> Iterator[Journal]:
    """The journal in this folder, which must be of the same run; without a folder, one that is forgotten."""
    if out is None:
        yield Journal()
        return
    with contextlib.ExitStack() as stack:
        try:
            (out / RECORDS).mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(out))  # two runs at once would play everything twice
            file = stack.enter_context((out / JOURNAL).open("ab"))
        except BlockingIOError:
            raise RunError(f"{out}: somebody is playing this run right now") from None
        except OSError as error:
            raise RunError(f"{out}: {error.strerror}") from None
        _same(plan, out)
        for torn in (out / RECORDS).glob(".*"):
            torn.unlink(missing_ok=True)
        book = Journal(_whole(out, file), file)
        with _settling(book):
            try:
                yield book
            except OSError as error:
                raise RunError(f"{out}: {error.strerror}") from None


def read(plan: Plan, out: Path) -> dict[int, Outcome]:
    """What is in the journal of this folder now, whoever may be writing to it; RunError if it is not of this run."""
    if not (out / PLAN).exists():
        raise RunError(f"{out}: nothing has been played yet")
    _compare(plan, out)
    try:
        whole = (out / JOURNAL).read_bytes().rpartition(b"\n")[0]
    except OSError as error:
        raise RunError(f"{out / JOURNAL}: {error.strerror}") from None
    return _games(whole, out)


def _same(plan: Plan, out: Path) -> None:
    """Complain unless this folder is new or holds the same run."""
    path = out / PLAN
    try:
        if not path.exists():
            fresh = path.with_suffix(".new")  # a plan is there as a whole or not at all
            fresh.write_bytes(msgspec.json.format(msgspec.json.encode(plan), indent=1) + b"\n")
            fresh.replace(path)
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from None
    _compare(plan, out)


def _compare(plan: Plan, out: Path) -> None:
    path = out / PLAN
    try:
        known = msgspec.json.decode(path.read_bytes(), type=Plan)
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RunError(f"{path}: {error}") from None
    if known != plan:
        names = [name for name in plan.__struct_fields__ if getattr(known, name) != getattr(plan, name)]
        raise RunError(
            f"{out} holds another run: what differs is {', '.join(names)}; take another folder, or move this one away"
        )


def _whole(out: Path, file: BinaryIO) -> dict[int, Outcome]:
    """The games of the journal whose records are there, or were put away; a line that was cut off is dropped."""
    try:
        text = (out / JOURNAL).read_bytes()
        empty = {entry.name for entry in os.scandir(out / RECORDS) if not entry.stat().st_size}
    except OSError as error:
        raise RunError(f"{out}: {error.strerror}") from None
    whole, _, torn = text.rpartition(b"\n")
    if torn:
        os.ftruncate(file.fileno(), len(text) - len(torn))  # the power went in the middle of this line
    # The power may also go when the name of a record is on the disk, and nothing of what is in it.
    return {number: ended for number, ended in _games(whole, out).items() if record_name(number) not in empty}


def _games(whole: bytes, out: Path) -> dict[int, Outcome]:
    try:
        outcomes = [msgspec.json.decode(line, type=Outcome) for line in whole.splitlines()]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RunError(f"{out / JOURNAL}: {error}") from None
    return {ended.number: ended for ended in outcomes}


def record_name(number: int) -> str:
    """The file of this game's record."""
    return f"game-{number:06}.jsonl"


def keep(record: bytes, number: int, out: Path) -> None:
    """Put a game's record into the folder, all of it or nothing."""
    path = out / RECORDS / record_name(number)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")  # whom we have outlived may still be writing the same game
    try:
        fresh.write_bytes(record)
        fresh.replace(path)
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from None


@contextlib.contextmanager
def _settling(book: Journal) -> Iterator[None]:
    """Meanwhile, what is added is at once on its way to the disk, without anybody waiting for it; what comes while that
    takes its time, goes together.
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
