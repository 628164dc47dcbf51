"""Tracebacks for the author of a Python agent: what its code raised, and on which line.

Laws: no asyncio here. What an agent raises is reported and raised again.
"""

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, cast, runtime_checkable

import wateringhole
from wateringhole.agents import Agent
from wateringhole.external.agent_log import AgentLog
from wateringhole.external.spec import Spec, UnavailableAgent, lacking, made, unmade

MAX_CHARACTERS: Final = 10_240
"""How much of a traceback is kept: its end."""
_CALLS: Final = ("start", "choose", "feed", "over")
_OURS: Final = (str(Path(wateringhole.__file__).parent), "<frozen importlib")


class Traced:
    """A Python agent. `errors` has the last traceback, and `tell` gets each of them."""

    def __init__(self, agent: Agent, tell: Callable[[bytes], None] | None = None) -> None:
        self.errors = ""
        self._agent = agent
        self._tell = tell

    def __getattr__(self, name: str) -> object:
        if name not in _CALLS:
            return getattr(self._agent, name)
        try:
            call = getattr(self._agent, name)
        except (AttributeError, KeyboardInterrupt):
            raise
        except BaseException as error:
            self._raised(error)
            raise

        def traced(request: object) -> object:
            try:
                return call(request)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                self._raised(error)
                raise

        return traced

    def _raised(self, error: BaseException) -> None:
        text = traceback_of(error)
        self.errors = text[-MAX_CHARACTERS:]
        if self._tell is not None:
            self._tell(text.encode(errors="backslashreplace"))


def traced(found: Spec, seed: str, observer: AgentLog | None = None) -> Agent:
    """The agent of this spec in this process; ValueError when it cannot be made. House bots need no tracebacks."""
    agent = made(found, seed)
    tell = None if observer is None else observer.stderr
    return agent if found.kind == "house" else cast(Agent, Traced(agent, tell))


def traced_or_unavailable(found: Spec, seed: str, observer: AgentLog | None = None) -> Agent:
    """The same, but an UnavailableAgent when it cannot be made, so that the others play on."""
    try:
        return traced(found, seed, observer) if found.absent is None else UnavailableAgent(found.absent)
    except ValueError as error:
        if observer is not None and error.__cause__ is not None:
            observer.stderr(traceback_of(error.__cause__).encode(errors="backslashreplace"))
        return UnavailableAgent(lacking(found) or unmade(error))


@runtime_checkable
class _Watched(Protocol):
    errors: str


def errors_of(agent: Agent) -> str:
    """The last traceback or standard error of an agent from outside this package."""
    return agent.errors if isinstance(agent, _Watched) else ""


def traceback_of(error: BaseException) -> str:
    """The traceback, from the first line of the agent's own code on."""
    import traceback  # noqa: PLC0415  # only agents that raise need it

    return "".join(traceback.format_exception(type(error), error, _theirs(error.__traceback__) or error.__traceback__))


def _theirs(at: TracebackType | None) -> TracebackType | None:
    while at is not None and at.tb_frame.f_code.co_filename.startswith(_OURS):
        at = at.tb_next
    return at
