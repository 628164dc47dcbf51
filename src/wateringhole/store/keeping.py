"""Where a server keeps its games: a folder with the journals of those that run and, there or elsewhere, the store."""

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from wateringhole.store.disk import Folder, locked
from wateringhole.store.error import StoreError
from wateringhole.store.games import opened
from wateringhole.store.journal import Journals
from wateringhole.store.keeper import Keeper

RUNNING: Final = "running"


class Keeping(Struct, frozen=True):
    """What outlives the server; without journals, nothing does."""

    keeper: Keeper
    journals: Journals | None = None


@contextlib.contextmanager
def keeping(
    folder: Path | None,
    database: str | None = None,
    strict: bool = False,
    told: Callable[[str, Exception | None], None] = lambda *_: None,
) -> Iterator[Keeping]:
    """Meanwhile games are kept in this folder, which must be nobody else's, or only until the end; StoreError if they
    cannot be. `told` hears what fails, by name, and when it works again.
    """
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="wateringhole-") as brief, opened(Path(brief)) as store:
            yield Keeping(Keeper(store, None, lambda error: told("store", error)))
        return
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(_ours(folder))
            (folder / RUNNING).mkdir(exist_ok=True)
        except OSError as error:
            raise StoreError(f"{folder}: {error.strerror or error}") from None
        store = stack.enter_context(opened(database or folder))
        journals = Journals(Folder(folder / RUNNING), strict, lambda error: told("disk", error))
        yield Keeping(Keeper(store, journals, lambda error: told("store", error)), journals)


@contextlib.contextmanager
def _ours(folder: Path) -> Iterator[None]:
    try:
        lock = contextlib.ExitStack()
        lock.enter_context(locked(folder))
    except BlockingIOError:
        raise StoreError(f"{folder}: another server keeps its games there; take another folder, or stop it") from None
    with lock:
        yield
