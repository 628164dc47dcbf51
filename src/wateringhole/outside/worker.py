"""A Python agent in a process of its own: `python -m wateringhole.outside.worker SPEC`, spoken to in native.

Laws: standard input and output belong to the conversation; whatever the agent prints goes to standard error. A JSON
text on a line of its own is the seed of a new game: a new object of the class signs up, and the game follows in native.
What the agent raises is told as {"failed": FAULT}, and the process ends; the dealer takes that for the agent's word.
Other processes can read arguments and environment, so no seed is there.
"""

import os
import sys
import traceback
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from wateringhole.agents import Agent
from wateringhole.outside.spec import Spec, made, spec, unmade
from wateringhole.wire.stream import parse
from wateringhole.wire.visitor import AgentError, NativeVisitor


def main(text: str) -> int:
    """Play game after game; the exit code."""
    talks = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    cast(TextIOWrapper, sys.stdout).reconfigure(line_buffering=True)  # or it would come after the last word
    hears = os.fdopen(os.dup(0), "rb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    try:
        _play(spec(text), hears, talks)
    except AgentError as error:
        _say(talks, {"failed": error.fault})
        return 1
    except BrokenPipeError:
        pass  # the dealer has closed the stream
    return 0


def _play(found: Spec, hears: BinaryIO, talks: BinaryIO) -> None:
    """Answer every message until the stream ends."""
    visitor: NativeVisitor | None = None
    for line in hears:
        value = parse(line)
        if isinstance(value, str):
            visitor = NativeVisitor(_new(found, value))
            _say(talks, visitor.sign_up(found.options.get("name", "")))
        elif visitor is not None:
            for answer in visitor.hear(value):
                _say(talks, answer)


def _new(found: Spec, seed: str) -> Agent:
    """A new object of the agent's class."""
    try:
        return cast(Agent, _Traced(made(found, seed)))
    except ValueError as error:
        if error.__cause__ is not None:
            traceback.print_exception(error.__cause__)
        raise AgentError(unmade(error)) from None


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


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
