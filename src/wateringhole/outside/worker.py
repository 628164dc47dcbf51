"""A Python agent in a process of its own: `python -m wateringhole.outside.worker SPEC SEED`, spoken to in native.

Laws: standard output belongs to the conversation; whatever the agent prints goes to standard error.
"""

import os
import sys
import traceback
from typing import BinaryIO, Final, cast

import msgspec

from wateringhole.agents import Agent
from wateringhole.moves import Reason
from wateringhole.outside.spec import made, spec
from wateringhole.wire.stream import parse
from wateringhole.wire.visitor import AgentError, NativeVisitor

REASONS: Final = dict(enumerate(Reason, 80))
"""Exit codes by which a worker tells why its agent has no answer."""

CODES: Final = {reason: code for code, reason in REASONS.items()}


def main(text: str, seed: str) -> int:
    """Play one game; the exit code."""
    talks = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    try:
        found = spec(text)
        visitor = NativeVisitor(cast(Agent, _Traced(made(found, seed))))
    except ValueError as error:
        return _complain(str(error))
    _say(talks, visitor.sign_up(found.options.get("name", "")))
    try:
        for line in sys.stdin.buffer:
            for answer in visitor.hear(parse(line)):
                _say(talks, answer)
    except AgentError as error:
        _complain(str(error))
        return CODES[error.fault.reason]
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
