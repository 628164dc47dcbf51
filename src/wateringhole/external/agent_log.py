"""Logs for the author of an agent: its standard error, and all messages with their times.

Laws: no asyncio here. Text of an agent cannot move the cursor of the terminal. A log has a maximal size.
"""

import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import BinaryIO, Final

from msgspec import Struct

from wateringhole.external.spec import Spec

MAX_LOG_BYTES: Final = 67_108_864
MAX_LINE_BYTES: Final = 65_536
"""A line of standard error that is longer is shown in parts."""
SENT: Final = ">"
RECEIVED: Final = "<"
STDERR: Final = "!"
LEGEND: Final = f"{SENT} sent to it, {RECEIVED} received from it, {STDERR} its standard error"


class Watch(Struct, frozen=True):
    """What the author sees: standard error as it comes, and a log of each agent and game in this folder. `game` is
    the number of the game.
    """

    show_stderr: bool = False
    folder: str | None = None
    game: int = 0


class AgentLog:
    """Receives all messages to and from one agent in one game. With a `label`, its standard error is shown behind that;
    with a `path`, all is logged there, with the seconds since the game began.
    """

    def __init__(self, label: str | None, path: Path | None, title: str, room: int = MAX_LOG_BYTES) -> None:
        self._label = label
        self._path = path
        self._title = title
        self._file: BinaryIO | None = None
        self._left = self._room = room
        self._begun = monotonic()
        self._parts: dict[str, bytes] = {}

    def sent(self, data: bytes) -> None:
        self._hear(SENT, data)

    def received(self, data: bytes) -> None:
        self._hear(RECEIVED, data)

    def stderr(self, data: bytes) -> None:
        self._hear(STDERR, data)

    def close(self) -> None:
        """Write the rest, also a last line without an end, and close the log."""
        for kind in [*self._parts]:
            self._line(kind, self._parts.pop(kind))
        self._path = None
        if self._file is not None:
            self._file.close()
            self._file = None

    def _hear(self, kind: str, data: bytes) -> None:
        if kind != STDERR and self._path is None:
            return
        *lines, part = (self._parts.pop(kind, b"") + data).split(b"\n")
        for line in lines:
            self._line(kind, line)
        if len(part) > MAX_LINE_BYTES:
            self._line(kind, part)
        elif part:
            self._parts[kind] = part

    def _line(self, kind: str, line: bytes) -> None:
        text = line.decode(errors="replace").expandtabs()
        if not text.isprintable():
            text = "".join(char if char.isprintable() else "?" for char in text)
        if kind == STDERR and self._label is not None:
            sys.stderr.write(f"{self._label} | {text}\n")
            sys.stderr.flush()
        if self._path is not None:
            self._log(self._path, f"{monotonic() - self._begun:11.6f} {kind} {text}\n".encode())

    def _log(self, path: Path, line: bytes) -> None:
        """Write a line. A disk that is full ends the log, not the game."""
        try:
            if self._file is None:
                self._file = path.open("wb", buffering=0)
                now = datetime.now(UTC).isoformat(timespec="milliseconds")
                self._file.write(f"# {self._title}\n# seconds since {now}; {LEGEND}\n".encode())
            self._left -= len(line)
            if self._left < 0:
                line = f"# the log ends here: more than {self._room:,} bytes\n".encode()
                self._path = None
            self._file.write(line)
        except OSError as error:
            sys.stderr.write(f"wateringhole: {path}: {error.strerror}\n")
            self._path = None


def observer_of(watch: Watch | None, found: Spec, seat: int) -> AgentLog | None:
    """The log of the agent on this seat, if one is wanted. House bots need none."""
    if watch is None or found.kind == "house":
        return None
    name = re.sub(r"[^\w.-]", "_", found.name)[:40]
    path = None if watch.folder is None else Path(watch.folder) / f"game-{watch.game:06}-seat-{seat}-{name}.log"
    label = found.label(seat) if watch.show_stderr else None
    return AgentLog(label, path, f"game {watch.game}, seat {seat}: {found.text}")
