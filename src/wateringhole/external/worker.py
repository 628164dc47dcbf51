"""Worker process of a Python agent, spoken to in native: `python -m wateringhole.external.worker SPEC`.

Laws: standard input and output carry the messages; what the agent prints goes to standard error. A JSON text on a line
of its own is the seed of a new game: a new object of the class signs up, and the game follows in native. What the agent
raises is told as {"failed": FAULT}, and the process ends; the server takes that as the agent's own report. Other
processes can read arguments and environment, so no seed is there.
"""

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from wateringhole.agents import Agent
from wateringhole.external.spec import Spec, made, spec, unmade
from wateringhole.external.tracebacks import Traced, traceback_of
from wateringhole.wire.client_end import AgentError
from wateringhole.wire.framing import parse
from wateringhole.wire.native import NativeClient


def main(text: str) -> int:
    """Play game after game; the exit code."""
    talks = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # the author sees what is printed before the agent hangs
    hears = os.fdopen(os.dup(0), "rb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    try:
        _play(spec(text), hears, talks)
    except AgentError as error:
        _say(talks, {"failed": error.fault})
        return 1
    except BrokenPipeError:
        pass  # the server has closed the stream
    return 0


def _play(found: Spec, hears: BinaryIO, talks: BinaryIO) -> None:
    """Answer every message until the stream ends."""
    visitor: NativeClient | None = None
    for line in hears:
        value = parse(line)
        if isinstance(value, str):
            visitor = NativeClient(_new(found, value))
            _say(talks, visitor.sign_up(found.options.get("name", "")))
        elif visitor is not None:
            for answer in visitor.hear(value):
                _say(talks, answer)


def _new(found: Spec, seed: str) -> Agent:
    """A new object of the agent's class."""
    try:
        return cast(Agent, Traced(made(found, seed), _show))
    except ValueError as error:
        if error.__cause__ is not None:
            _show(traceback_of(error.__cause__).encode(errors="backslashreplace"))
        raise AgentError(unmade(error)) from None


def _show(text: bytes) -> None:
    """Print a traceback for the author of the agent, also if the agent has replaced sys.stderr."""
    with contextlib.suppress(OSError):  # the agent may have closed it
        os.write(2, text)


def _say(talks: BinaryIO, value: object) -> None:
    talks.write(msgspec.json.encode(value) + b"\n")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
