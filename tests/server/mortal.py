"""A server that kills itself, as `kill -9` does, when it comes to a chosen point for the n-th time.

python -m tests.server.mortal FOLDER PORT

For every line on standard input, COUNT and POINT or nothing but the end of the line, a process is forked that is such a
server: what it imports is there already. It prints `listens PID` and, when it has ended, `ended CODE`.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from wateringhole.agents.house import named
from wateringhole.cards import Card, shuffled
from wateringhole.fair import Deal
from wateringhole.server.clock import TimeControl
from wateringhole.server.games import Service
from wateringhole.server.lobby import Tables
from wateringhole.server.participants import BotParticipant, Participant
from wateringhole.server.service import serve
from wateringhole.store import append_files, archiver
from wateringhole.store.data_folder import open_data_folder
from wateringhole.store.games import opened
from wateringhole.store.log_entries import SECTOR

SEED: Final = "mortal"
PATIENCE: Final = 60.0
"""Seconds for a client to answer or to come back, and for a server to end: more than a busy machine takes."""
POINTS: Final = (
    "before a journal is opened",
    "after a journal is opened",
    "before an entry",
    "in the middle of an entry",
    "after an entry",
    "before the last entry",
    "in the middle of the last entry",
    "before the end is on the disk",
    "after the end is on the disk",
    "before the store has a game",
    "while the store gets a game",
    "after the store has a game",
    "after a journal is removed",
)


class Death:
    """Comes at this point, the n-th time."""

    def __init__(self, point: str, count: int) -> None:
        self._point = point
        self._count = count

    def at(self, point: str) -> bool:
        """Whether it is time; what is to be done first is done by whoever asks."""
        if point == self._point:
            self._count -= 1
        return point == self._point and self._count == 0

    def pass_by(self, point: str) -> None:
        if self.at(point):
            self.come()

    def come(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


def arm(death: Death) -> None:
    """From now on the disk and the store of this process are where death waits."""
    opened = append_files.AppendFolder.new
    written = append_files.RealAppendFile.write
    synced = append_files.RealAppendFile.sync
    cleared = append_files.AppendFolder.clear
    handed_over = archiver.Archiver._hand_over

    def new(folder: append_files.AppendFolder, ending: str) -> append_files.RealAppendFile:
        death.pass_by("before a journal is opened")
        paper = opened(folder, ending)
        death.pass_by("after a journal is opened")
        return paper

    def write(paper: append_files.RealAppendFile, data: bytes) -> None:
        kind = "the last entry" if b'"entry":"ended"' in data else "an entry"
        death.pass_by(f"before {kind}")
        if death.at(f"in the middle of {kind}"):
            edge = (paper._size + len(data) // 2) // SECTOR * SECTOR  # a kernel stops only between pages
            written(paper, data[: max(0, edge - paper._size)])
            death.come()
        written(paper, data)
        death.pass_by(f"after {kind}")

    async def sync(paper: append_files.RealAppendFile) -> None:
        death.pass_by("before the end is on the disk")
        await synced(paper)
        death.pass_by("after the end is on the disk")

    async def clear(folder: append_files.AppendFolder, names: Sequence[str]) -> list[OSError | None]:
        death.pass_by("after the store has a game")
        errors = await cleared(folder, names)
        death.pass_by("after a journal is removed")
        return errors

    async def hand_over(of: archiver.Archiver, batch: list[archiver.QueuedGame]) -> None:
        death.pass_by("before the store has a game")
        if death.at("while the store gets a game"):
            asyncio.get_running_loop().call_soon(death.come)  # when it was sent, and long before anybody answers
        await handed_over(of, batch)

    for owner, name, trap in (
        (append_files.AppendFolder, "new", new),
        (append_files.RealAppendFile, "write", write),
        (append_files.RealAppendFile, "sync", sync),
        (append_files.AppendFolder, "clear", clear),
        (archiver.Archiver, "_hand_over", hand_over),
    ):
        setattr(owner, name, trap)


def deck(number: int) -> tuple[Card, ...]:
    """Of a game of a few turns."""
    return shuffled(f"{SEED}:{number}")[:60]


async def rash(_: AsyncExitStack, seat: int, seed: str) -> Participant:
    return BotParticipant(f"rash {seat}", named("rash", seed), TimeControl(None), 0.0, "rash", seed)


def live(folder: Path, port: int) -> None:
    with open_data_folder(folder) as kept:
        service = Service(
            deal=lambda number: Deal(deck(number)),
            finished=lambda _, __: None,
            listening=lambda *_: print("listens", os.getpid(), flush=True),  # noqa: T201
            ports=((port, None),),
            tables=Tables(1, 4, 0.02),  # also the last client finds a table
            control=TimeControl(PATIENCE),
            fill=rash,
            seed=SEED,
            grace=0.0,
            rejoin=PATIENCE,
            game_logs=kept.game_logs,
            archiver=kept.archiver,
        )
        asyncio.run(serve(service))


def main(folder: Path, port: int) -> None:
    with opened(folder):  # so that what the store needs is imported before the first fork
        pass
    for line in sys.stdin:
        child = os.fork()
        if not child:
            count, _, point = line.strip().partition(" ")
            if point:
                arm(Death(point, int(count)))
            live(folder, port)
            sys.exit()
        _, status = os.waitpid(child, 0)
        print("ended", os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
