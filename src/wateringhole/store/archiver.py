"""Adds finished games to the store in the background.

Laws: a game stays in its journal until the store has it. A store that fails is tried again, for as long as it takes;
meanwhile nothing is lost, and nobody waits.
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
"""How long to wait for more: many games at once cost little more than one."""
AGAIN_SECONDS: Final = 5.0
MAX_AT_ONCE: Final = 200

Keep = Callable[[Sequence[str], Sequence[FinishedGame]], Awaitable[Sequence[str]]]
Find = Callable[[str], Awaitable[bytes | None]]


class Waiting:
    """A game that the store does not have yet: in this journal, if in any, and in memory."""

    def __init__(self, game_log: str | None, game: Callable[[], FinishedGame]) -> None:
        self.game_log: Final = game_log
        self._game: Callable[[], FinishedGame] | None = game

    def forget(self) -> None:
        """From now on it is only in its journal."""
        self._game = None
        self.__dict__.pop("game", None)

    @cached_property
    def game(self) -> tuple[str, FinishedGame] | None:
        """Its id, and all about it; nothing, if that is only in the journal, or if it is none by a mistake of ours."""
        try:
            game = None if self._game is None else self._game()
        except Exception:  # which must not keep all others from the store
            return None
        return None if game is None else (game_id(game.data), game)


class Archiver:
    """Has games put into the store. `keep` adds those of these game logs, and these; it says which logs have none.
    `told` hears why the store takes nothing and, as None, that it does again. `find` gives the record of the game that
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
        self._waiting: list[Waiting] = []
        self._spent: list[str] = []  # logs of games that the store has
        self._more = asyncio.Event()
        self._failing = False

    def put(self, game_log: str | None, game: Callable[[], FinishedGame], saved: bool = False) -> None:
        """A game that is over, which may be `saved` in its journal. What it was is only worked out here if that is not
        so, or if somebody wants to know; while the store takes nothing, not for more than so many of them.
        """
        self._waiting.append(Waiting(game_log, game))
        if saved and len(self._waiting) > MAX_AT_ONCE:
            self._waiting[-1].forget()
        self._more.set()

    @property
    def fresh(self) -> dict[str, FinishedGame]:
        """The games that are still on their way to the store, by id."""
        return dict(waiting.game for waiting in self._waiting if waiting.game is not None)

    async def game_of_token(self, token_hash: str) -> bytes | None:
        """The record of the game that was played with a token of this hash, if the store has it; StoreError if that
        cannot be found out.
        """
        return self.store.game_of_token(token_hash) if self._find is None else await self._find(token_hash)

    async def run(self) -> None:
        """Until somebody cancels this."""
        while True:
            await self._more.wait()
            await asyncio.sleep(BATCH_SECONDS)
            if not await self.settle():
                await asyncio.sleep(AGAIN_SECONDS)

    async def settle(self) -> bool:
        """Hand over all that waits; whether the store took it, and the disk let go of it."""
        self._more.clear()
        try:
            while self._waiting:
                await self._hand_over(self._waiting[:MAX_AT_ONCE])
        except Exception as error:  # also a mistake of ours must not end the keeping of all that comes
            self._more.set()
            if not self._failing:
                self._failing = True
                self._told(error)
            return False
        await self._clear()
        if self._failing:
            self._failing = False
            self._told(None)
        return not self._spent

    async def _hand_over(self, batch: list[Waiting]) -> None:
        names = [waiting.game_log for waiting in batch if waiting.game_log is not None]
        unread = await self._keep(names, _known(waiting for waiting in batch if waiting.game_log is None))
        if unread:
            again = [waiting for waiting in batch if waiting.game_log in unread]
            await self._keep([], _known(again))
            # A journal that nobody can make sense of stays where the next server looks, and complains.
            lost = {waiting.game_log for waiting in again if waiting.game is None}
            names = [name for name in names if name not in lost]
        del self._waiting[: len(batch)]
        self._spent += names
        await self._clear()

    async def _clear(self) -> None:
        """Journals that the disk does not let go of are tried again later."""
        if self._game_logs is not None and self._spent:
            self._spent = await self._game_logs.clear(self._spent)
        if self._spent:
            self._more.set()


def _known(waiting: Iterable[Waiting]) -> list[FinishedGame]:
    return [known.game[1] for known in waiting if known.game is not None]


def keep(
    store: "Store", read_file: Callable[[str], bytes], server: str, names: Sequence[str], games: Sequence[FinishedGame]
) -> list[str]:
    """Put the games of these logs into the store, and these; which logs have no game that is over."""
    found: list[FinishedGame] = []
    unread: list[str] = []
    for name in names:
        try:
            begun = read(name, read_file(name))
            if isinstance(begun, UnreadableLog) or begun.damage is not None or begun.end is None:
                unread.append(name)
            else:
                found.append(read_through(begun, server))
        except Exception:  # whatever it is, it is about this one
            unread.append(name)
    store.add([*found, *games])
    return unread
