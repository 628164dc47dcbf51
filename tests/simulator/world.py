"""One server after the other on the same disk, network and clock, and whoever plays there.

Laws: nothing here depends on anything but the seed. What a dead server does reaches neither the disk nor the store nor
a line. Whatever a law forbids is a Violation.
"""

import asyncio
import contextlib
import gc
import hashlib
import logging
import secrets
import signal
import warnings
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from typing import Final, Literal
from unittest import mock

from msgspec import Struct

from tests.server.simulation import DAWN, SimulatedLoop
from tests.store.paper import emptied
from wateringhole.agents.house import named
from wateringhole.cards import shuffled
from wateringhole.fair import Deal
from wateringhole.record import Result
from wateringhole.server.clock import TimeControl
from wateringhole.server.games import Service
from wateringhole.server.lobby import Tables
from wateringhole.server.participants import BotParticipant, Participant
from wateringhole.server.service import serve
from wateringhole.store.archiver import Archiver, keep
from wateringhole.store.database import Database
from wateringhole.store.error import StoreError
from wateringhole.store.finished_game import FinishedGame
from wateringhole.store.game_log import GameLogs
from wateringhole.store.log_entries import UnreadableLog, read

from .clients import Client, Habits
from .disk import Inode, Mount, SimulatedDisk

Death = Literal["kill", "power"]

NOON: Final = datetime(2026, 11, 16, 12, tzinfo=UTC)
MAX_WORLD_SECONDS: Final = 3_000.0
"""How long a world may take to come to rest, in its own seconds."""


class Violation(AssertionError):  # noqa: N818
    """A law does not hold."""


class Terms(Struct, frozen=True):
    """How the servers of a world are run. `cards` is how many cards of the deck are dealt, `house` which bot takes the
    empty seats, if any.
    """

    players: int = 3
    cards: int = 40
    house: str | None = None
    strict: bool = False
    on_restart: Literal["expel", "bot"] = "expel"
    gap: float = 0.0
    grace: float = 1.0
    rejoin: float = 10.0
    wait: float = 1.0
    game_logs: type[GameLogs] = GameLogs


USUAL: Final = Terms()


class Told(Struct, frozen=True):
    """A result that the world was told, and whether it is certain to be on the disk."""

    result: Result
    sure: bool


class World:
    """Time, a network, a disk, a store; and at any time at most one server."""

    def __init__(self, seed: str, base: Database, terms: Terms = USUAL) -> None:
        self.seed: Final = seed
        self.terms: Final = terms
        self.rejoin: Final = terms.rejoin
        self.disk: Final = SimulatedDisk(Random(f"{seed} disk"), slowest_sync=0.05)
        self.store: Final = emptied(base)
        self.loop = SimulatedLoop()
        self.clients: list[Client] = []
        self.told: list[Told] = []
        self.lives = 0
        self.deaths: list[Death] = []
        self.failures: list[str] = []
        """What went wrong in a server by its own account."""
        self.points: Counter[str] = Counter()
        self.failpoint: tuple[str, int, Death] | None = None
        self.disk_fails: Callable[[str], bool] = lambda _: False
        self.refused: Counter[str] = Counter()
        """What the disk would not do, and how often."""
        self.store_fails: Callable[[], bool] = lambda: False
        self.judged: Callable[[Death], None] = lambda _: None
        self.pause = 1.0
        """How long it takes until a dead server is started again."""
        self.jump = 0.0
        """How much the clock on the wall is wrong."""
        self._dice = Random(f"{seed} world")
        self._history = hashlib.sha256()
        self._mount = Mount(self.disk)
        self._server: asyncio.Task[None] | None = None
        self._stopping = False

    # Time.

    @property
    def now(self) -> float:
        """Seconds since the world began."""
        return self.loop.now - DAWN

    def at(self, when: float, what: Callable[[], object]) -> None:
        self.loop.happen(DAWN + when, what)

    def after(self, seconds: float, what: Callable[[], object]) -> None:
        self.loop.happen(self.loop.now + seconds, what)

    def go_on(self, seconds: float) -> None:
        """Let so much time pass, whoever dies meanwhile."""
        reached: list[bool] = []

        def pause() -> None:
            reached.append(True)
            self.loop.stop()

        self.after(seconds, pause)
        while not reached:
            self.loop.run_forever()
            if self.loop.dead:
                self._pass_on()

    def rest(self) -> None:
        """Until everybody is done and every game is in the store. What one server could not open the next one does."""
        begun = self.now
        while self.loop.dead or self._server is None or self.game_logs or not all(c.done for c in self.clients):
            self.go_on(5.0)
            left = self.refused["read"] or (self.refused["open"] and self.terms.strict) or self._unreadable
            if left and self.game_logs and self.now > begun + 100.0:
                begun = self.now
                self.terminate()
            if self.now > MAX_WORLD_SECONDS:
                waiting = [client.name for client in self.clients if not client.done]
                raise Violation(f"no rest: {waiting} are not done, {self.game_logs} are on the disk")

    @property
    def _unreadable(self) -> bool:
        """Whether there is a journal that nobody can go on with, and that the disk did not let go of."""
        found = [read(name, bytes(self.disk.files[name].data)) for name in self.game_logs]
        return any(isinstance(begun, UnreadableLog) or begun.damage for begun in found)

    @property
    def disk_failed(self) -> bool:
        return self.refused.total() > 0

    @property
    def lenient(self) -> bool:
        """Whether the disk has failed, and servers go on nevertheless: what they said may be lost."""
        return self.disk_failed and not self.terms.strict

    @property
    def game_logs(self) -> list[str]:
        """The names of the journals on the disk."""
        return [name for name in self.disk.files if name.endswith(".journal")]

    def put(self, name: str, data: bytes) -> None:
        """Somebody puts this file onto the disk."""
        inode = Inode()
        inode.put(0, data)
        self.disk.change(lambda names: names.update({name: inode}))

    # History.

    def tell(self, who: str, what: str) -> None:
        """This happened, for the digest of all that did."""
        self._history.update(f"{self.now!r} {who}: {what}\n".encode())

    @property
    def digest(self) -> str:
        """The fingerprint of all that has happened."""
        return self._history.hexdigest()

    # Those who play.

    def client(self, name: str, dialect: str = "native", habits: Habits | None = None) -> Client:
        client = Client(self, name, dialect, habits or Habits())
        self.clients.append(client)
        return client

    # Servers.

    def start(self) -> None:
        """A server begins, if there is none."""
        if self._server is not None:
            return
        if left := asyncio.all_tasks(self.loop):
            self.loop.complaints.append(f"the server before has left {left}")
        self.lives += 1
        life = self.lives
        terms = self.terms
        mount = self._mount = Mount(self.disk, self._passes, self._fails)
        game_logs = terms.game_logs(mount, terms.strict, lambda error: self._trouble(mount, error), self.stamp)
        service = Service(
            deal=lambda number: Deal(shuffled(f"{self.seed} {life} {number}")[: terms.cards]),
            finished=lambda _, result: self._finished(mount, result),
            listening=lambda *_: None,
            tables=Tables(1 if terms.house else terms.players, terms.players, terms.wait),
            control=TimeControl(10.0),
            gap=terms.gap,
            fill=self._fill if terms.house else None,
            seed=self.seed,
            grace=terms.grace,
            rejoin=terms.rejoin,
            game_logs=game_logs,
            archiver=Archiver(self.store, partial(self._keep, mount), game_logs),
            on_restart=terms.on_restart,
            now=self.stamp,
        )
        self.tell("server", f"start {life}")
        self.loop.announcing = lambda moment: self._passes(f"{moment} announce")
        self._server = self.loop.create_task(serve(service))
        self._server.add_done_callback(self._ended)

    def die(self, death: Death = "kill") -> None:
        """The server is gone, at once."""
        if self._server is not None:
            self.tell("server", f"dies: {death}")
            self._mount.dead = True
            self.deaths.append(death)
            self.loop.die()

    def terminate(self) -> None:
        """The server is told to end."""
        if self._server is not None:
            self.tell("server", "told to end")
            with contextlib.suppress(KeyError):  # it ends already
                self.loop.signal(signal.SIGTERM)

    def stop(self) -> None:
        """The last server ends in peace, and nothing of it is left; what it leaves is judged at the end of all."""
        self._stopping = True
        self.pause = MAX_WORLD_SECONDS
        self.terminate()
        self.go_on(self.terms.grace + 3.0)
        if self._server is not None:
            raise Violation("the server does not end")
        left = len(self.loop.open_wires), len(asyncio.all_tasks(self.loop)), len(self.loop.timers)
        if left != (0, 0, 0):
            raise Violation(f"{left} lines, tasks and timers are left over")

    def clear_away(self) -> None:
        """Whatever still goes on ends here."""
        self._mount.dead = self.loop.dead = True
        self._bury()

    def stamp(self) -> str:
        """The time by the clock on the wall, which may be wrong."""
        shown = NOON + timedelta(seconds=round(self.now, 6) + self.jump)
        return f"{shown:%Y-%m-%dT%H:%M:%S.%fZ}"

    def _passes(self, point: str) -> bool:
        """A server comes to this point; whether it gets beyond it."""
        if self.loop.dead:
            return False
        self.points[point] += 1
        self.tell("server", point)
        if self.failpoint is not None and self.failpoint[:2] == (point, self.points[point]):
            self.die(self.failpoint[2])
        return not self.loop.dead

    def _fails(self, do: str) -> bool:
        failed = self.disk_fails(do)
        self.refused[do] += failed
        return failed

    def _pass_on(self) -> None:
        """From a dead server to the next one."""
        self._complain()
        death = self.deaths[-1]
        if death == "power":
            self.disk.cut_power()
        dead, self.loop = self.loop, SimulatedLoop(self.loop)
        self._server = None
        self._bury(dead)
        self.judged(death)
        self.after(self.pause, self.start)

    def _ended(self, server: asyncio.Task[None]) -> None:
        if self.loop.dead or server is not self._server:
            return
        self._server = None
        if not server.cancelled() and (error := server.exception()) is not None:
            self.failures.append(f"the server ends: {error!r}")
        self.tell("server", "ends")
        if not self._stopping:
            self.judged("kill")
        self.after(self.pause, self.start)

    def _bury(self, loop: SimulatedLoop | None = None) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a dead server never came to await
            (loop or self.loop).bury()

    def _complain(self) -> None:
        if self.loop.complaints:
            raise Violation(f"unhandled: {self.loop.complaints}")

    def _fill(self, _: AsyncExitStack, seat: int, seed: str) -> Coroutine[object, object, Participant]:
        bot = self.terms.house or ""

        async def sits() -> Participant:
            return BotParticipant(f"{bot} of the house {seat}", named(bot, seed), TimeControl(None), 0.0, bot, seed)

        return sits()

    def _finished(self, mount: Mount, result: Result) -> None:
        if not mount.dead:
            doubtful = self.disk.behind | self.disk.unsynced
            self.told.append(Told(result, not (doubtful & set(self.game_logs)) or self.terms.strict))
            self.tell("server", f"finished {len(result.record.replies)}")

    def _trouble(self, mount: Mount, error: OSError | None) -> None:
        if not mount.dead:
            self.tell("server", f"disk: {error}")

    async def _keep(self, mount: Mount, names: Sequence[str], games: Sequence[FinishedGame]) -> Sequence[str]:
        """As in another process: at some later moment."""
        if not mount.dead:
            await asyncio.sleep(self._dice.uniform(0.0, 0.1))
        if mount.dead or self.store_fails():
            raise StoreError("the store fails")
        unread: Sequence[str] = ()
        if mount.passes("before add"):
            unread = keep(self.store, mount.read, "", names, games)
            mount.passes("after add")
        return unread


class _Heard(logging.Handler):
    """What a server logs as a failure."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.ERROR)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        if not self._world.loop.dead:
            error = record.exc_info[1] if record.exc_info else None
            self._world.failures.append(f"{record.getMessage()}: {error!r}")


@contextlib.contextmanager
def world(seed: str, base: Database, terms: Terms = USUAL) -> Iterator[World]:
    """A world in which even what nobody can guess comes from the seed."""
    dice = Random(f"{seed} secrets")

    def drawn(size: int) -> str:
        return dice.randbytes(size).hex()

    gc.freeze()  # so that the collector looks only at what comes from now on
    simulated = World(seed, base, terms)
    heard = _Heard(simulated)
    log = logging.getLogger("wateringhole")
    log.addHandler(heard)
    propagated, log.propagate = log.propagate, False
    try:
        with mock.patch.multiple(secrets, token_hex=drawn, token_urlsafe=drawn):
            yield simulated
            gc.collect()
            simulated._complain()
    finally:
        log.removeHandler(heard)
        log.propagate = propagated
        simulated.clear_away()
        gc.unfreeze()
