"""The lobby: takes new clients, and seats them at tables.

Laws: a sign-up that fails delays nobody and takes no seat. Seats are numbered in the order of sign-up.
"""

import asyncio
import ipaddress
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from wateringhole.fault import Fault, Reason
from wateringhole.server.clock import TimeControl
from wateringhole.server.connection import Broken, Connection, Limits
from wateringhole.server.participants import RemoteParticipant
from wateringhole.store.error import StoreError
from wateringhole.wire.dialects import DIALECTS
from wateringhole.wire.framing import Json
from wateringhole.wire.hello import GAME_FULL, Hello
from wateringhole.wire.json_codec import ShapeError
from wateringhole.wire.native_messages import Refused, value_of
from wateringhole.wire.signup import Newcomer, recognised

_LOG: Final = logging.getLogger(__name__)


class Tables(Struct, frozen=True):
    """How tables fill: with so many players, so long after the fewest are there, and how many games there may be."""

    fewest: int = 3
    most: int = 8
    wait: float = 10.0
    games: int | None = None
    at_once: int | None = None


async def _never(_: str) -> Sequence[Json]:
    return ()


class Lobby:
    """Takes connections, signs guests up and lets each full table play.

    A table that wants a client is one of the `takers`; the first that takes a newcomer
    has it, until it is let go. `refusal` says why no new game may begin now, if that is so. `turned_away` is told the
    address of a client that is closed before it has a seat, the reason in a word, and a sentence. `finished` is what a
    client hears that comes back with this token when its game is over.
    """

    def __init__(
        self,
        tables: Tables,
        control: TimeControl,
        play: Callable[[list[RemoteParticipant]], Awaitable[None]],
        limits: Limits,
        rejoin: float = 0.0,
    ) -> None:
        self.tables: Final = tables
        self.done = asyncio.Event()
        self.port = 0  # where guests come in
        self.takers: Final[list[Callable[[RemoteParticipant], bool]]] = []
        self.refusal: Callable[[], str] = lambda: ""
        self.turned_away: Callable[[str, str, str], None] = lambda *_: None
        self.finished: Callable[[str], Awaitable[Sequence[Json]]] = _never
        self._control = control
        self._play = play
        self._limits = limits
        self._rejoin = rejoin
        self._waiting: list[RemoteParticipant] = []
        self._playing: list[RemoteParticipant] = []
        self._timer: asyncio.TimerHandle | None = None
        self._begun = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._lines: set[Connection] = set()
        self._from: Counter[str] = Counter()
        self._games: set[asyncio.Task[None]] = set()

    def line(self, dialect: str | None = None) -> Connection:
        """The protocol of a new connection on a port that speaks this dialect, or any."""
        return Connection(partial(self._open, dialect), self._limits)

    def _open(self, dialect: str | None, line: Connection) -> None:
        crowd = self._crowd(line.address)
        if crowd:
            self.turned_away(line.address, "crowded", crowd)
            line.shut()
            return
        self._lines.add(line)
        self._from[line.address] += 1
        line.gone = self._forget
        task = asyncio.ensure_future(self._sign_up(line, dialect))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _forget(self, line: Connection) -> None:
        self._lines.discard(line)
        self._from[line.address] -= 1
        if not self._from[line.address]:
            del self._from[line.address]

    def _crowd(self, address: str) -> str:
        """Which of the connections, all, those not signed up or those from this address, are too many, if any are."""
        limits = self._limits
        if len(self._lines) >= limits.connections:
            return f"there are {limits.connections} connections already"
        if len(self._tasks) >= limits.strangers:
            return f"there are {limits.strangers} connections already that have not signed up"
        if self._from[address] >= limits.per_address and not ipaddress.ip_address(address).is_loopback:
            return f"there are {limits.per_address} connections already from this address"
        return ""

    async def _sign_up(self, line: Connection, bound: str | None) -> None:
        """Hear who it is, and give a place, an old seat or a refusal. Where the dealer may speak first, silence is a
        sign-up without a name.
        """
        value: Json = None
        known: Newcomer | None = None
        silence: asyncio.TimerHandle | None = None
        if self._limits.silent_seconds and bound is not None and DIALECTS[bound].dealer_first:
            silence = asyncio.get_running_loop().call_later(self._limits.silent_seconds, line.presume, "")
        try:
            value = await line.receive(self._limits.sign_up_seconds)
            if line.fault is not None:
                raise Broken(line.fault)  # the name came with the end of the line
            known = recognised(value, bound)
            if known.token:
                await self._take_back(line, known)
            else:
                self._seat(line, known)
        except Broken as broken:
            self.turned_away(line.address, broken.fault.reason.value, broken.fault.text)
            line.shut()
        except ShapeError as error:
            self.turned_away(line.address, "refused", str(error))
            if isinstance(value, dict) or bound == "native":
                line.send(value_of(Refused(str(error))))
            elif known is not None and isinstance(known.dialect, Hello):
                line.send(GAME_FULL)
            line.shut()
        finally:
            if silence is not None:
                silence.cancel()

    def _seat(self, line: Connection, known: Newcomer) -> None:
        guest = RemoteParticipant(known.name, line, known.dialect, self._control, self._rejoin)
        if any(taker(guest) for taker in self.takers):
            self.expect([guest])
            return
        refusal = "no further table may open" if self._closed else self.refusal()
        if refusal:
            raise ShapeError(refusal)
        guest.watch(partial(self._leave, guest))
        self._waiting.append(guest)
        guest.welcome(len(self._waiting))
        self._fill()

    async def _take_back(self, line: Connection, known: Newcomer) -> None:
        """The seat that this token belongs to goes to the new line; or it is told how its game ended."""
        for guest in [*self._waiting, *self._playing]:
            if guest.dialect.admits(known.token):
                line.signed_up()
                guest.come_back(line, known.since)
                return
        try:
            messages = await self.finished(known.token)
        except (OSError, StoreError):
            raise ShapeError("what this token belongs to cannot be looked up now; try again") from None
        if not messages:
            raise ShapeError("this token belongs to no seat")
        for message in messages:
            line.send(message)
        line.shut()

    @property
    def _closed(self) -> bool:
        """Whether no further table may open."""
        games, at_once = self.tables.games, self.tables.at_once
        return (games is not None and self._begun >= games) or (
            at_once is not None and not self._waiting and len(self._games) >= at_once
        )

    def _leave(self, guest: RemoteParticipant, fault: Fault) -> None:
        """A guest who fails before the game takes no seat."""
        self.turned_away(guest.line.address, fault.reason.value, fault.text)
        guest.leave()
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
        """All clients that wait are seated at one table."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        guests, self._waiting = self._waiting[: self.tables.most], self._waiting[self.tables.most :]
        for seat, guest in enumerate(guests, 1):
            guest.name = guest.name or f"player {seat}"
        self._begun += 1
        self.expect(guests)
        self.let_play(guests, self._play(guests))

    def expect(self, guests: Sequence[RemoteParticipant]) -> None:
        """These have seats, and may come back to them."""
        self._playing += guests

    def let_play(self, guests: Sequence[RemoteParticipant], game: Awaitable[object]) -> None:
        """This game of these guests is one of ours."""
        task = asyncio.ensure_future(self._host(guests, game))
        self._games.add(task)
        task.add_done_callback(self._over)

    async def _host(self, guests: Sequence[RemoteParticipant], game: Awaitable[object]) -> None:
        try:
            await game
        except Exception:
            # A mistake of ours ends this game, and no other; nobody in it is to blame.
            _LOG.exception("a game of %d guests failed", len(guests))
            for guest in guests:
                guest.expel(Fault(Reason.SERVER_ERROR, "is sent home: the server failed"))
        finally:
            self.let_go(guests)

    def let_go(self, guests: Sequence[RemoteParticipant]) -> None:
        """These have no seat any more."""
        self._playing = [guest for guest in self._playing if guest not in guests]
        for guest in guests:
            guest.leave()

    def _over(self, task: asyncio.Task[None]) -> None:
        self._games.discard(task)
        if self.tables.games is not None and self._begun >= self.tables.games and not self._games:
            self.done.set()

    async def close(self, grace: float = 0.0) -> None:
        """No more sign-ups; running games have so many seconds to end; then everybody is shown out."""
        for task in self._tasks:
            task.cancel()
        if self._timer is not None:
            self._timer.cancel()
        for guest in self._waiting:
            guest.leave()
        if self._games:
            await asyncio.wait(self._games, timeout=grace)
        games = list(self._games)
        for task in games:
            task.cancel()
        await asyncio.gather(*games, *self._tasks, return_exceptions=True)
        for line in self._lines:
            line.shut()
