"""From a seed to everything that happens in a world.

Laws: the same seed is the same world, to the last byte.
"""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final, Literal

from msgspec import Struct
from sqlalchemy import event

from wateringhole.store.database import Database, database
from wateringhole.store.game_log import GameLogs

from .clients import Habits
from .laws import Judge
from .world import Death, Terms, World, world

POINTS: Final = {
    "before create": 2,
    "after create": 2,
    "before write opening": 2,
    "within write opening": 2,
    "after write opening": 2,
    "before write replied": 7,
    "within write replied": 7,
    "after write replied": 7,
    "before write asked": 2,
    "within write asked": 2,
    "after write asked": 2,
    "before write ended": 2,
    "within write ended": 2,
    "after write ended": 2,
    "before sync": 2,
    "after sync": 2,
    "before add": 1,
    "after add": 1,
    "before remove": 2,
    "after remove": 2,
    "before announce": 60,
    "after announce": 60,
}
"""Where a server may die, and how often it comes there at least in most worlds."""

Kind = Literal["kills", "anything"]


class Outcome(Struct, frozen=True):
    """What came of a world: how often a server died, how many games were kept, the digest of all that happened."""

    deaths: int
    games: int
    digest: str


def play(
    seed: str,
    base: Database,
    point: str | None = None,
    kind: Kind = "kills",
    full: bool = False,
    game_logs: type[GameLogs] = GameLogs,
) -> Outcome:
    """Let the world of this seed run; Violation if a law does not hold. Servers die at this point, or at any moment;
    with `anything`, power cuts, failing disks and stores, lost lines and odd clients come on top.
    """
    dice = Random(f"{seed} scenario")
    anything = kind == "anything"
    terms = Terms(
        players=dice.choice([3, 3, 4, 5]) if full else 3,
        cards=122 if full else dice.randint(26, 44),
        house=dice.choice(["rash", "silly", "greedy", None]),
        strict=dice.random() < 0.5,
        on_restart=dice.choice(["expel", "bot"]),
        gap=dice.choice([0.0, 0.1]),
        game_logs=game_logs,
    )
    tables = dice.randint(2, 4) if full else dice.randint(1, 2)
    with world(seed, base, terms) as simulated:
        judge = Judge(simulated)
        simulated.pause = dice.uniform(0.05, 2.0)
        guests = terms.players * tables if terms.house is None else dice.randint(tables, terms.players * tables)
        _invite(simulated, dice, guests, anything)
        _doom(simulated, judge, dice, point, anything)
        simulated.start()
        simulated.rest()
        simulated.stop()
        judge.at_the_end()
        return Outcome(len(simulated.deaths), simulated.store.count(), simulated.digest)


def _invite(simulated: World, dice: Random, guests: int, anything: bool) -> None:
    """Clients of all kinds."""
    for number in range(1, guests + 1):
        dialect = dice.choice(["native", "native", "native", "s16"])
        if number == 1 and dice.random() < 0.2:
            dialect = "hello"
        name = dice.choice(["moody", "silly", "greedy"]) if dialect == "native" else "silly"
        back: float | None = dice.uniform(0.05, 3.0)
        breaks: tuple[float, ...] = ()
        if anything:
            back = dice.choice([back, back, back, 4 * simulated.rejoin, None])
            breaks = tuple(dice.uniform(0.0, 10.0) for _ in range(dice.choice([0, 0, 0, 1, 2])))
        habits = Habits(
            comes=dice.uniform(0.0, 0.5),
            thinks=dice.choice([0.0, 0.1, 0.4]),
            back=back,
            breaks=breaks,
            forgetful=dice.random() < 0.3,
            latency=dice.uniform(0.0005, 0.05),
        )
        simulated.client(f"{name} {number}", dialect, habits)


def _doom(simulated: World, judge: Judge, dice: Random, point: str | None, anything: bool) -> None:
    """What goes wrong."""

    def death() -> Death:
        return "power" if anything and dice.random() < 0.4 else "kill"

    if point is not None:
        simulated.failpoint = point, dice.randint(1, POINTS[point]), death()
    moments = dice.randint(1, 3) if point is None else dice.choice([0, 0, 1])
    for _ in range(moments):
        how = death()
        simulated.at(dice.uniform(0.0, 8.0), lambda how=how: simulated.die(how))  # type: ignore[misc]
    if not anything:
        return
    if dice.random() < 0.3:
        simulated.at(dice.uniform(0.5, 8.0), simulated.terminate)
    if dice.random() < 0.3:
        simulated.at(dice.uniform(0.5, 8.0), lambda: setattr(simulated, "jump", dice.choice([-86_400.0, 86_400.0])))
    if dice.random() < 0.3:
        begin, end, share = dice.uniform(0.0, 6.0), dice.uniform(6.0, 15.0), dice.choice([0.1, 0.5, 1.0])
        fate = Random(f"{simulated.seed} disk fails")
        simulated.disk_fails = lambda _: begin < simulated.now < end and fate.random() < share
    if dice.random() < 0.3:
        until = dice.uniform(5.0, 30.0)
        simulated.store_fails = lambda: simulated.now < until
    if dice.random() < 0.1:
        simulated.at(dice.uniform(1.0, 8.0), judge.damage)


@contextlib.contextmanager
def scratch() -> Iterator[Database]:
    """A database for one world after the other, which need not outlive a power cut of this machine."""
    with tempfile.TemporaryDirectory(prefix="wateringhole-") as folder, database(Path(folder)) as base:
        event.listen(base.engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous = OFF"))
        base.engine.dispose()  # those that were connected before
        yield base
