"""Puts finished games into the store, behind the back of those who play.

Laws: a game stays in its journal until the store has it. A store that fails is tried again, for as long as it takes;
meanwhile nothing is lost, and nobody waits.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from wateringhole.store.finished import Finished, game_id
from wateringhole.store.journal import Journals

if TYPE_CHECKING:
    from wateringhole.store.games import Store

BATCH_SECONDS: Final = 0.25
"""How long to wait for more: many games at once cost little more than one."""
AGAIN_SECONDS: Final = 5.0
MOST_AT_ONCE: Final = 200

Aside = Callable[[Callable[[], object]], Awaitable[object]]


class Keeper:
    """Hands games to the store, `aside` from the loop. `told` hears why it takes none and, as None, that it does again.

    Whoever asks for a game that is still on its way finds it in `fresh`.
    """

    def __init__(
        self,
        store: "Store",
        journals: Journals | None = None,
        told: Callable[[Exception | None], None] = lambda _: None,
        aside: Aside = asyncio.to_thread,
    ) -> None:
        self.store: Final = store
        self.fresh: Final[dict[str, Finished]] = {}
        self._journals = journals
        self._told = told
        self._aside = aside
        self._waiting: dict[str, str | None] = {}
        self._spent: list[str] = []  # journals of games that the store has
        self._more = asyncio.Event()
        self._failing = False

    def put(self, game: Finished, journal: str | None) -> str:
        """This game, which may be in a journal until now; its id."""
        known = game_id(game.data)
        self.fresh[known] = game
        self._waiting[known] = journal
        self._more.set()
        return known

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
        self._discard()
        while self._waiting:
            batch = dict(list(self._waiting.items())[:MOST_AT_ONCE])
            games = [self.fresh[known] for known in batch]
            try:
                await self._aside(partial(self.store.add, games))
            except Exception as error:  # also a mistake of ours must not end the keeping of all that comes
                self._more.set()
                if not self._failing:
                    self._failing = True
                    self._told(error)
                return False
            for known, journal in batch.items():
                del self._waiting[known], self.fresh[known]
                if journal is not None:
                    self._spent.append(journal)
            self._discard()
        if self._failing:
            self._failing = False
            self._told(None)
        return not self._spent

    def _discard(self) -> None:
        """Journals that the disk does not let go of are tried again later."""
        if self._journals is not None:
            self._spent = [journal for journal in self._spent if not self._journals.discard(journal)]
        if self._spent:
            self._more.set()
