"""The lobby: takes new clients, and seats them at tables.

Laws: a sign-up that fails delays no other client and takes no seat. Seats are numbered in the order of sign-up.
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
    """When a table starts: with how many players, and how many seconds after the fewest are there; and how many games
    there may be, in all and at once.
    """

    fewest: int = 3
    most: int = 8
    wait: float = 10.0
    games: int | None = None
    at_once: int | None = None


async def _no_messages(_: str) -> Sequence[Json]:
    return ()


class Lobby:
    """Takes connections, signs clients up and starts a game at each full table.

    `takers` are callbacks of the page's tables; the first that returns True has seated the client, until
    `release`. `refusal` says why no new game may begin now, if that is so. `turned_away` gets the address of a client
    that is closed before it has a seat, the reason in a word, and a sentence. `finished` finds the messages for a
    client that comes back with a token when its game is over.
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
        self.port = 0  # where clients connect
        self.takers: Final[list[Callable[[RemoteParticipant], bool]]] = []
        self.refusal: Callable[[], Exception | None] = lambda: None
        self.turned_away: Callable[[str, str, str], None] = lambda *_: None
        self.finished: Callable[[str], Awaitable[Sequence[Json]]] = _no_messages
        self._control = control
        self._play = play
        self._limits = limits
        self._rejoin = rejoin
        self._waiting: list[RemoteParticipant] = []
        self._playing: list[RemoteParticipant] = []
        self._timer: asyncio.TimerHandle | None = None
        self._begun = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._connections: set[Connection] = set()
        self._per_address: Counter[str] = Counter()
        self._games: set[asyncio.Task[None]] = set()

    def new_connection(self, dialect: str | None = None) -> Connection:
        """The protocol of a new connection on a port that speaks this dialect, or any."""
        return Connection(partial(self._open, dialect), self._limits)

    def _open(self, dialect: str | None, connection: Connection) -> None:
        crowd = self._limit_reached(connection.address)
        if crowd:
            self.turned_away(connection.address, "crowded", crowd)
            connection.shut()
            return
        self._connections.add(connection)
        self._per_address[connection.address] += 1
        connection.gone = self._forget
        task = asyncio.ensure_future(self._sign_up(connection, dialect))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _forget(self, connection: Connection) -> None:
        self._connections.discard(connection)
        self._per_address[connection.address] -= 1
        if not self._per_address[connection.address]:
            del self._per_address[connection.address]

    def _limit_reached(self, address: str) -> str:
        """Which limit on connections is reached: on all, on those not signed up, or on those from this address; or
        nothing.
        """
        limits = self._limits
        if len(self._connections) >= limits.connections:
            return f"there are {limits.connections} connections already"
        if len(self._tasks) >= limits.strangers:
            return f"there are {limits.strangers} connections already that have not signed up"
        if self._per_address[address] >= limits.per_address and not ipaddress.ip_address(address).is_loopback:
            return f"there are {limits.per_address} connections already from this address"
        return ""

    async def _sign_up(self, connection: Connection, bound: str | None) -> None:
        """Read the sign-up, and give a place, an old seat or a refusal. In dialects where the dealer may speak first,
        silence is a sign-up without a name.
        """
        value: Json = None
        known: Newcomer | None = None
        silence: asyncio.TimerHandle | None = None
        if self._limits.silent_seconds and bound is not None and DIALECTS[bound].dealer_first:
            silence = asyncio.get_running_loop().call_later(self._limits.silent_seconds, connection.presume, "")
        try:
            value = await connection.receive(self._limits.sign_up_seconds)
            if connection.fault is not None:
                raise Broken(connection.fault)  # the name came with the end of the connection
            known = recognised(value, bound)
            if known.token:
                await self._take_back(connection, known)
            else:
                self._seat(connection, known)
        except Broken as broken:
            self.turned_away(connection.address, broken.fault.reason.value, broken.fault.text)
            connection.shut()
        except ShapeError as error:
            self.turned_away(connection.address, "refused", str(error))
            if isinstance(value, dict) or bound == "native":
                connection.send(value_of(Refused(str(error))))
            elif known is not None and isinstance(known.dialect, Hello):
                connection.send(GAME_FULL)
            connection.shut()
        finally:
            if silence is not None:
                silence.cancel()

    def _seat(self, connection: Connection, known: Newcomer) -> None:
        client = RemoteParticipant(known.name, connection, known.dialect, self._control, self._rejoin)
        if any(taker(client) for taker in self.takers):
            self.expect([client])
            return
        refusal = "no further table may open" if self._no_new_table else self.refusal()
        if refusal is not None:
            raise ShapeError(str(refusal))
        client.watch(partial(self._leave, client))
        self._waiting.append(client)
        client.welcome(len(self._waiting))
        self._begin_if_full()

    async def _take_back(self, connection: Connection, known: Newcomer) -> None:
        """Give the seat of this token to the new connection, or tell the client how its game ended."""
        for client in [*self._waiting, *self._playing]:
            if client.dialect.admits(known.token):
                connection.signed_up()
                client.come_back(connection, known.since)
                return
        try:
            messages = await self.finished(known.token)
        except (OSError, StoreError):
            raise ShapeError("what this token belongs to cannot be looked up now; try again") from None
        if not messages:
            raise ShapeError("this token belongs to no seat")
        for message in messages:
            connection.send(message)
        connection.shut()

    @property
    def _no_new_table(self) -> bool:
        """Whether no further table may open."""
        games, at_once = self.tables.games, self.tables.at_once
        return (games is not None and self._begun >= games) or (
            at_once is not None and not self._waiting and len(self._games) >= at_once
        )

    def _leave(self, client: RemoteParticipant, fault: Fault) -> None:
        """A client that fails before the game takes no seat."""
        self.turned_away(client.connection.address, fault.reason.value, fault.text)
        client.leave()
        if client in self._waiting:
            self._waiting.remove(client)
        if len(self._waiting) < self.tables.fewest and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _begin_if_full(self) -> None:
        if len(self._waiting) >= self.tables.most:
            self._begin()
        elif len(self._waiting) >= self.tables.fewest and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.tables.wait, self._begin)

    def _begin(self) -> None:
        """Seat the waiting clients at one table, and start its game."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        clients, self._waiting = self._waiting[: self.tables.most], self._waiting[self.tables.most :]
        for seat, client in enumerate(clients, 1):
            client.name = client.name or f"player {seat}"
        self._begun += 1
        self.expect(clients)
        self.start_game(clients, partial(self._play, clients))

    def expect(self, clients: Sequence[RemoteParticipant]) -> None:
        """These clients have seats, and may come back to them."""
        self._playing += clients

    def start_game(self, clients: Sequence[RemoteParticipant], play: Callable[[], Awaitable[object]]) -> None:
        """Run a game of these clients as a task; `close` waits for it."""
        task = asyncio.ensure_future(self._run_game(clients, play))
        self._games.add(task)
        task.add_done_callback(self._over)

    async def _run_game(self, clients: Sequence[RemoteParticipant], play: Callable[[], Awaitable[object]]) -> None:
        try:
            await play()
        except Exception:
            # A defect of the server ends this game and no other; no player of it is to blame.
            _LOG.exception("a game of %d clients failed", len(clients))
            for client in clients:
                client.expel(Fault(Reason.SERVER_ERROR, "is disconnected: the server failed"))
        finally:
            self.release(clients)

    def release(self, clients: Sequence[RemoteParticipant]) -> None:
        """These clients have no seat any more: close their connections."""
        self._playing = [client for client in self._playing if client not in clients]
        for client in clients:
            client.leave()

    def _over(self, task: asyncio.Task[None]) -> None:
        self._games.discard(task)
        if self.tables.games is not None and self._begun >= self.tables.games and not self._games:
            self.done.set()

    async def close(self, grace: float = 0.0) -> None:
        """Take no more sign-ups; running games have so many seconds to end; then all clients are disconnected."""
        for task in self._tasks:
            task.cancel()
        if self._timer is not None:
            self._timer.cancel()
        for client in self._waiting:
            client.leave()
        if self._games:
            await asyncio.wait(self._games, timeout=grace)
        games = list(self._games)
        for task in games:
            task.cancel()
        await asyncio.gather(*games, *self._tasks, return_exceptions=True)
        for connection in self._connections:
            connection.shut()
