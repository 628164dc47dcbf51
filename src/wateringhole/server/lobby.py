"""Who comes in, and which table they sit down at.

Laws: a sign-up that fails delays nobody and takes no seat. Seats are numbered in the order of sign-up.
"""

import asyncio
import unicodedata
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from msgspec import Struct

from wateringhole.moves import Fault
from wateringhole.server.clock import TimeControl
from wateringhole.server.host import Guest
from wateringhole.server.line import Broken, Limits, Line
from wateringhole.wire.hello import GAME_FULL, Hello
from wateringhole.wire.requests import Requests
from wateringhole.wire.s16 import S16
from wateringhole.wire.stream import Json
from wateringhole.wire.tagged import Tagged
from wateringhole.wire.talk import Dialect

LONGEST_NAME: Final = 64
DIALECTS: Final[dict[str, Callable[[], Dialect]]] = {
    "s16": S16,
    "hello": Hello,
    "tagged": Tagged,
    "requests": Requests,
}


class Tables(Struct, frozen=True):
    """How tables fill: with so many players, so long after the fewest are there, and how many games there may be."""

    fewest: int = 3
    most: int = 8
    wait: float = 10.0
    games: int | None = None
    at_once: int | None = None


class Lobby:
    """Takes connections, signs guests up and lets each full table play."""

    def __init__(
        self, tables: Tables, control: TimeControl, play: Callable[[list[Guest]], Awaitable[None]], limits: Limits
    ) -> None:
        self.tables: Final = tables
        self.done = asyncio.Event()
        self._control = control
        self._play = play
        self._limits = limits
        self._waiting: list[Guest] = []
        self._timer: asyncio.TimerHandle | None = None
        self._begun = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._lines: set[Line] = set()
        self._games: set[asyncio.Task[None]] = set()

    def line(self, dialect: str | None = None) -> Line:
        """The protocol of a new connection on a port that speaks this dialect, or any."""
        return Line(partial(self._open, dialect), self._limits)

    def _open(self, dialect: str | None, line: Line) -> None:
        self._lines.add(line)
        task = asyncio.ensure_future(self._sign_up(line, dialect))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _sign_up(self, line: Line, bound: str | None) -> None:
        try:
            value = await line.receive(self._limits.sign_up_seconds)
        except Broken:
            line.shut()
            return
        known = recognised(value, bound)
        if known is None:
            line.shut()
            return
        dialect, name = known
        if self._closed:
            if isinstance(dialect, Hello):
                line.send(GAME_FULL)
            line.shut()
            return
        line.signed_up()
        guest = Guest(name, line, dialect, self._control)
        guest.watch(partial(self._leave, guest))
        self._waiting.append(guest)
        for message in dialect.welcome(len(self._waiting)):
            line.send(message)
        self._fill()

    @property
    def _closed(self) -> bool:
        """Whether no further table may open."""
        games, at_once = self.tables.games, self.tables.at_once
        return (games is not None and self._begun >= games) or (
            at_once is not None and not self._waiting and len(self._games) >= at_once
        )

    def _leave(self, guest: Guest, fault: Fault) -> None:  # noqa: ARG002
        """A guest who fails before the game takes no seat."""
        guest.line.shut()
        if guest in self._waiting:
            self._waiting.remove(guest)
        if len(self._waiting) < self.tables.fewest and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _fill(self) -> None:
        if len(self._waiting) >= self.tables.most:
            self._begin()
        elif len(self._waiting) >= self.tables.fewest and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.tables.wait, self._begin)

    def _begin(self) -> None:
        """Whoever waits sits down at one table."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        guests, self._waiting = self._waiting[: self.tables.most], self._waiting[self.tables.most :]
        for seat, guest in enumerate(guests, 1):
            guest.name = guest.name or f"player {seat}"
        self._begun += 1
        task = asyncio.ensure_future(self._host(guests))
        self._games.add(task)
        task.add_done_callback(self._over)

    async def _host(self, guests: list[Guest]) -> None:
        await self._play(guests)

    def _over(self, task: asyncio.Task[None]) -> None:
        self._games.discard(task)
        if self.tables.games is not None and self._begun >= self.tables.games and not self._games:
            self.done.set()

    async def close(self, grace: float = 0.0) -> None:
        """No more sign-ups; running games have so many seconds to end; then everybody is shown out."""
        for task in self._tasks:
            task.cancel()
        for guest in self._waiting:
            guest.line.shut()
        if self._games:
            await asyncio.wait(self._games, timeout=grace)
        games = list(self._games)
        for task in games:
            task.cancel()
        await asyncio.gather(*games, *self._tasks, return_exceptions=True)
        for line in self._lines:
            line.shut()


def recognised(value: Json, bound: str | None) -> tuple[Dialect, str] | None:
    """The dialect and the name that a first value means; None when it means nothing."""
    if bound is not None:
        return (DIALECTS[bound](), cleaned(value)) if isinstance(value, str) else None
    if value == "Hello":
        return Hello(), ""
    if isinstance(value, str):
        return S16(), cleaned(value)
    return None


def cleaned(name: str) -> str:
    """A name that can be shown anywhere: printable, on one line, of a bearable length; it may be empty."""
    kept = "".join(char if char.isprintable() else " " for char in unicodedata.normalize("NFC", name))
    return " ".join(kept.split())[:LONGEST_NAME]
