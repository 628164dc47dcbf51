"""Adds finished games to the store in the background.

Laws: a game stays in its log until the store has it. A store that fails is tried again, for as long as it takes;
meanwhile no game is lost, and no player waits.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from wateringhole.store.finished_from_log import read_through
from wateringhole.store.finished_game import FinishedGame, game_id
from wateringhole.store.game_log import GameLogs
from wateringhole.store.log_entries import UnreadableLog, read

if TYPE_CHECKING:
    from wateringhole.store.games import Store

BATCH_SECONDS: Final = 0.25
"""Seconds to wait for more games: many at once cost little more than one."""
AGAIN_SECONDS: Final = 5.0
MAX_AT_ONCE: Final = 200

Keep = Callable[[Sequence[str], Sequence[FinishedGame]], Awaitable[Sequence[str]]]
Find = Callable[[str], Awaitable[bytes | None]]


class QueuedGame:
    """A game that the store does not have yet: in memory and, if it has one, in this game log."""

    def __init__(self, game_log: str | None, game: Callable[[], FinishedGame]) -> None:
        self.game_log: Final = game_log
        self._game: Callable[[], FinishedGame] | None = game

    def forget(self) -> None:
        """Drop it from memory; it stays in its log."""
        self._game = None
        self.__dict__.pop("game", None)

    @cached_property
    def game(self) -> tuple[str, FinishedGame] | None:
        """Its id and the game; None if it is only in its log, or if a defect of the server keeps it from being made."""
        try:
            game = None if self._game is None else self._game()
        except Exception:  # it must not keep other games from the store
            return None
        return None if game is None else (game_id(game.data), game)


class Archiver:
    """Adds games to the store. `keep` adds the games of these logs, and these; it returns the logs that have none.
    `told` gets the error when the store fails, and None when it works again. `find` gives the record of the game that
    was played with a token of this hash.
    """

    def __init__(
        self,
        store: "Store",
        keep: Keep,
        game_logs: GameLogs | None = None,
        told: Callable[[Exception | None], None] = lambda _: None,
        find: Find | None = None,
    ) -> None:
        self.store: Final = store
        self._find = find
        self._keep = keep
        self._game_logs = game_logs
        self._told = told
        self._waiting: list[QueuedGame] = []
        self._archived_logs: list[str] = []  # logs of games that the store has
        self._more = asyncio.Event()
        self._failing = False

    def put(self, game_log: str | None, game: Callable[[], FinishedGame], saved: bool = False) -> None:
        """Queue a game that is over; `saved`: its log has all of it. `game` is called for `queued`, and to archive a
        game without a readable log. While the store fails, only MAX_AT_ONCE saved games stay in memory.
        """
        self._waiting.append(QueuedGame(game_log, game))
        if saved and len(self._waiting) > MAX_AT_ONCE:
            self._waiting[-1].forget()
        self._more.set()

    @property
    def queued(self) -> dict[str, FinishedGame]:
        """The games in the queue, by id."""
        return dict(waiting.game for waiting in self._waiting if waiting.game is not None)

    async def game_of_token(self, token_hash: str) -> bytes | None:
        """The record of the game that was played with a token of this hash, if the store has it; StoreError if the
        store cannot be read.
        """
        return self.store.game_of_token(token_hash) if self._find is None else await self._find(token_hash)

    async def run(self) -> None:
        """Archive games until this task is cancelled."""
        while True:
            await self._more.wait()
            await asyncio.sleep(BATCH_SECONDS)
            if not await self.settle():
                await asyncio.sleep(AGAIN_SECONDS)

    async def settle(self) -> bool:
        """Archive all that waits; whether the store took it and the logs are removed."""
        self._more.clear()
        try:
            while self._waiting:
                await self._hand_over(self._waiting[:MAX_AT_ONCE])
        except Exception as error:  # also a defect of ours must not stop the archiver
            self._more.set()
            if not self._failing:
                self._failing = True
                self._told(error)
            return False
        await self._clear()
        if self._failing:
            self._failing = False
            self._told(None)
        return not self._archived_logs

    async def _hand_over(self, batch: list[QueuedGame]) -> None:
        names = [waiting.game_log for waiting in batch if waiting.game_log is not None]
        unread = await self._keep(names, _in_memory(waiting for waiting in batch if waiting.game_log is None))
        if unread:
            again = [waiting for waiting in batch if waiting.game_log in unread]
            await self._keep([], _in_memory(again))
            # An unreadable log stays in its place: the next server finds and reports it.
            lost = {waiting.game_log for waiting in again if waiting.game is None}
            names = [name for name in names if name not in lost]
        del self._waiting[: len(batch)]
        self._archived_logs += names
        await self._clear()

    async def _clear(self) -> None:
        """Remove the logs of archived games; those that the disk does not remove are tried again later."""
        if self._game_logs is not None and self._archived_logs:
            self._archived_logs = await self._game_logs.clear(self._archived_logs)
        if self._archived_logs:
            self._more.set()


def _in_memory(waiting: Iterable[QueuedGame]) -> list[FinishedGame]:
    return [known.game[1] for known in waiting if known.game is not None]


def keep(
    store: "Store", read_file: Callable[[str], bytes], server: str, names: Sequence[str], games: Sequence[FinishedGame]
) -> list[str]:
    """Add the games of these logs to the store, and these; the logs that have no finished game."""
    found: list[FinishedGame] = []
    unread: list[str] = []
    for name in names:
        try:
            begun = read(name, read_file(name))
            if isinstance(begun, UnreadableLog) or begun.damage is not None or begun.end is None:
                unread.append(name)
            else:
                found.append(read_through(begun, server))
        except Exception:  # any failure concerns this log only
            unread.append(name)
    store.add([*found, *games])
    return unread
