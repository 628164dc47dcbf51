"""The spectators of a table of the page: tabs that are told a moment later than the players, a few at a time."""

import asyncio
from collections.abc import Callable
from typing import Final

from wateringhole.web.tab import Tab

UPDATE_SECONDS: Final = 0.1
"""Between two updates."""
TABS_AT_ONCE: Final = 10
"""So many are told before the event loop comes back to the players."""


class Spectators:
    """Tells all tabs what is new. A tab that has not taken the last message gets it all with a later one.

    `show` tells one tab all that it has not been told.
    """

    def __init__(self, show: Callable[[Tab], None]) -> None:
        self.tabs: Final[set[Tab]] = set()
        self._show = show
        self._due: asyncio.Task[None] | None = None

    def tell(self) -> None:
        """Soon: changes that follow each other are told in one message."""
        if self.tabs and self._due is None:
            self._due = asyncio.ensure_future(self._tell_soon())

    async def _tell_soon(self) -> None:
        await asyncio.sleep(UPDATE_SECONDS)
        self._due = None
        for count, tab in enumerate(list(self.tabs), 1):
            if tab.behind:
                self.tell()  # once more, a moment later
            else:
                self._show(tab)
            if count % TABS_AT_ONCE == 0:
                await asyncio.sleep(0)
