"""A server's data folder: the logs of running games and, there or elsewhere, the store."""

import asyncio
import contextlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from wateringhole.store.append_files import AppendFolder
from wateringhole.store.archiver import Archiver, keep
from wateringhole.store.error import StoreError
from wateringhole.store.file_modes import make_folder
from wateringhole.store.finished_game import FinishedGame
from wateringhole.store.folder_lock import locked
from wateringhole.store.game_log import GameLogs
from wateringhole.store.games import Store, opened
from wateringhole.store.helper_process import HelperProcess

RUNNING: Final = "running"


class DataFolder(Struct, frozen=True):
    """What outlives the server; without game logs, no game does."""

    archiver: Archiver
    game_logs: GameLogs | None = None


@contextlib.contextmanager
def open_data_folder(
    folder: Path | None,
    database: str | None = None,
    strict: bool = False,
    told: Callable[[str, Exception | None], None] = lambda *_: None,
    server: str = "",
) -> Iterator[DataFolder]:
    """Open a data folder, which this process must have alone, or, without one, a temporary store; StoreError if that
    fails. `told` gets the name of what fails and the error, or None when it works again. `server` is the server's name
    in its games.

    Two helper processes wait for the disk and for the database: in threads they would delay the event loop.
    """
    with contextlib.ExitStack() as stack:
        if folder is None:
            temporary = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wateringhole-")))
            store = stack.enter_context(opened(temporary))

            async def kept_here(_: Sequence[str], games: Sequence[FinishedGame]) -> Sequence[str]:
                await asyncio.to_thread(store.add, games)
                return ()

            async def found_here(token_hash: str) -> bytes | None:
                return await asyncio.to_thread(store.game_of_token, token_hash)

            yield DataFolder(Archiver(store, kept_here, None, lambda error: told("store", error), found_here))
            return
        running = folder / RUNNING
        try:
            make_folder(running)
            stack.enter_context(_lock(folder))
        except OSError as error:
            raise StoreError(f"{folder}: {error.strerror or error}") from None
        place = database or folder
        store = stack.enter_context(opened(place))
        syncing, adding = HelperProcess(), HelperProcess()
        disk = AppendFolder(running, syncing.call)
        stack.callback(disk.close)
        stack.callback(syncing.end)
        stack.callback(adding.end)
        game_logs = GameLogs(disk, strict, lambda error: told("disk", error))

        async def kept_there(names: Sequence[str], games: Sequence[FinishedGame]) -> Sequence[str]:
            return await adding.call(kept, place, running, server, names, games)

        async def found_there(token_hash: str) -> bytes | None:
            return await adding.call(game_of_token, place, token_hash)

        yield DataFolder(
            Archiver(store, kept_there, game_logs, lambda error: told("store", error), found_there), game_logs
        )


def kept(
    place: str | Path, running: Path, server: str, names: Sequence[str], games: Sequence[FinishedGame]
) -> Sequence[str]:
    """`archiver.keep`, in the helper process, where the store stays open."""
    return keep(_open(place), AppendFolder(running).read, server, names, games)


def game_of_token(place: str | Path, token_hash: str) -> bytes | None:
    """`Store.game_of_token`, in the helper process."""
    return _open(place).game_of_token(token_hash)


_OPEN: Final = contextlib.ExitStack()


@cache
def _open(place: str | Path) -> Store:
    return _OPEN.enter_context(opened(place, create=False))


@contextlib.contextmanager
def _lock(folder: Path) -> Iterator[None]:
    try:
        lock = contextlib.ExitStack()
        lock.enter_context(locked(folder))
    except BlockingIOError:
        raise StoreError(f"{folder}: another server keeps its games there; take another folder, or stop it") from None
    with lock:
        yield
