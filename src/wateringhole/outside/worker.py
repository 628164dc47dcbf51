"""A Python agent in a process of its own: `python -m wateringhole.outside.worker SPEC`, spoken to in native.

Laws: standard input and output belong to the conversation, whose first line is the agent's seed, a JSON text; whatever
the agent prints goes to standard error. Other processes can read arguments and environment, so no seed is there.
"""

import os
import sys
import traceback
from pathlib import Path
from typing import BinaryIO, Final, cast

import msgspec

from wateringhole.agents import Agent
from wateringhole.outside.spec import made, spec
from wateringhole.wire.stream import parse
from wateringhole.wire.visitor import AgentError, NativeVisitor

CONFESSED: Final = 86
"""The exit code that says: the last line on standard error is the agent's fault, as JSON."""


def main(text: str) -> int:
    """Play one game; the exit code."""
    talks = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    hears = os.fdopen(os.dup(0), "rb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    try:
        found = spec(text)
        seed = msgspec.json.decode(hears.readline(), type=str)
        visitor = NativeVisitor(cast(Agent, _Traced(made(found, seed))))
    except ValueError as error:
        return _complain(str(error))
    _say(talks, visitor.sign_up(found.options.get("name", "")))
    try:
        for line in hears:
            for answer in visitor.hear(parse(line)):
                _say(talks, answer)
    except AgentError as error:
        _complain(msgspec.json.encode(error.fault).decode())
        return CONFESSED
    except BrokenPipeError:
        pass  # we were shown out
    return 0


class _Traced:
    """The agent; what it raises is shown with its place, for its author."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def __getattr__(self, name: str) -> object:
        told = getattr(self._agent, name)

        def traced(request: object) -> object:
            try:
                return told(request)
            except BaseException:
                traceback.print_exc()
                raise

        return traced


def _say(talks: BinaryIO, value: object) -> None:
    talks.write(msgspec.json.encode(value) + b"\n")


def _complain(sentence: str) -> int:
    sys.stderr.write(f"{sentence}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
