"""Parses the spec of an agent: `silly`, `rl:FOLDER`, `py:bot.py:Bot(3)`, `cmd:./bot --fast`, `tcp:HOST:PORT`, `human`.

Laws: a malformed spec is a ValueError, a sentence with the spec and a right form. Whether the file, class or program
that it names exists is checked by `trouble`. No asyncio here.
"""

import os
import re
import shlex
import shutil
from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from typing import Final, Literal, cast
from urllib.parse import unquote

from msgspec import Struct

from wateringhole.agents import Agent
from wateringhole.agents.house import HOUSE, machine_options, named
from wateringhole.external.python_class import literal_arguments, module_of, module_trouble, top_level
from wateringhole.fault import Fault, Reason, shown
from wateringhole.learned.agent import NetworkAgent, temperature
from wateringhole.learned.weights import read_network
from wateringhole.server.clock import TimeControl, time_control
from wateringhole.table import said
from wateringhole.view import Request
from wateringhole.wire.dialects import DIALECTS
from wateringhole.wire.names import MAX_NAME_CHARS, cleaned
from wateringhole.wire.respondent import Respondent, RespondentAgent

Kind = Literal["house", "rl", "py", "cmd", "tcp", "human"]

# The options of each kind, besides `name`. The options of house bots are in agents/house.py.
OPTIONS: Final[dict[Kind, tuple[str, ...]]] = {
    "house": (),
    "rl": ("temperature",),
    "py": ("time", "sandbox"),
    "cmd": ("dialect", "time", "sandbox"),
    "tcp": ("dialect", "time", "wait"),
    "human": (),
}
MAX_WAIT_SECONDS: Final = 86_400.0

_TAIL: Final = re.compile(r"\?([a-z]+=[^&?]*(?:&[a-z]+=[^&?]*)*)$")
_PYTHON: Final = re.compile(r"(.+\.py|[A-Za-z_][\w.]*):([A-Za-z_]\w*)(\(.*\))?", re.DOTALL)


class Spec(Struct, frozen=True):
    """One agent. `text` is what the user wrote; `target` what stands between the kind and the options. `absent`: the
    fault by which it loses its seat without being asked.
    """

    text: str
    kind: Kind
    target: str
    options: Mapping[str, str] = {}
    absent: Fault | None = None

    @property
    def name(self) -> str:
        """Its name, if the agent does not give one itself."""
        given = self.options.get("name")
        if given:
            return given
        match self.kind:
            case "house":
                return self.target
            case "rl":
                return Path(self.target).stem
            case "py":
                found = _PYTHON.fullmatch(self.target)
                assert found is not None
                return found[2]
            case "cmd":
                return Path(self.words[0]).name
            case "tcp":
                return "guest"
            case _:
                return self.target

    @property
    def written_out(self) -> str:
        """The text, and behind it options whose defaults depend on the machine: so it names the same agent on each."""
        more = machine_options(self.target, self.options) if self.kind == "house" else {}
        tail = "&".join([f"{key}={value}" for key, value in more.items()])
        return f"{self.text}{'&' if self.options else '?'}{tail}" if more else self.text

    @property
    def module(self) -> str:
        """The file, or the module, of a Python class."""
        found = _PYTHON.fullmatch(self.target)
        assert found is not None
        return found[1]

    @property
    def words(self) -> list[str]:
        """The command line of a program."""
        return shlex.split(self.target)

    def label(self, seat: int) -> str:
        """The name that is shown; the seat tells it apart from the same agent on another seat."""
        return self.options.get("name") or f"{self.name} {seat}"

    def at_hand(self, in_process: bool) -> bool:
        """Whether it is an object of this process; a Python class is one only with `in_process`."""
        return not self.foreign or (self.kind == "py" and in_process) or self.absent is not None

    def sandboxed(self, in_process: bool) -> bool:
        """Whether it is a child process that should run in a sandbox, if there is one."""
        return self.outside(in_process) and "sandbox" not in self.options

    def outside(self, in_process: bool) -> bool:
        """Whether it is a child process."""
        return self.kind == "cmd" or (self.kind == "py" and not in_process)

    @property
    def seeded(self) -> bool:
        """Whether it has any use for a seed."""
        return self.foreign or self.kind == "rl" or (self.target in HOUSE and HOUSE[self.target].dice)

    @property
    def foreign(self) -> bool:
        """Whether its code is not part of this package."""
        return self.kind not in {"house", "rl"}

    @property
    def alone(self) -> bool:
        """Whether it can sit on one seat at a time: there is one terminal, and one client at a port."""
        return self.kind in {"human", "tcp"}

    @property
    def control(self) -> TimeControl | None:
        """The time control of this agent alone, if it has one."""
        return time_control(self.options["time"]) if "time" in self.options else None

    @property
    def dialect(self) -> str | None:
        return self.options.get("dialect")

    @property
    def wait(self) -> float:
        """How long to wait for a client."""
        return float(self.options.get("wait", "60"))


def spec(text: str) -> Spec:
    """Parse a spec, whose file or program need not exist; ValueError when it is malformed."""
    tail = _TAIL.search(text)
    body = text[: tail.start()] if tail else text
    options = _options(tail[1]) if tail else {}
    kind, colon, target = body.partition(":")
    if body == "human":
        return _checked(Spec(text, "human", body, options))
    if colon and kind in {"rl", "py", "cmd", "tcp"}:
        found = Spec(text, cast(Kind, kind), target, options)
        {"rl": _check_network, "py": _check_python, "cmd": _check_command, "tcp": _check_address}[kind](target)
        return _checked(found)
    try:
        named(body, "", options)
    except ValueError as error:
        known = kind == "bad" or body in HOUSE  # then something else is wrong
        more = "" if known else ", rl:FOLDER, py:FILE.py:CLASS, cmd:PROGRAM, tcp:HOST:PORT, human"
        raise ValueError(f"{error}{more}") from None
    return _checked(Spec(text, "house", body, options))


def _options(tail: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in tail.split("&"):
        key, _, value = part.partition("=")
        if key in options:
            raise ValueError(f"the option {key} is given twice in ?{tail}")
        options[key] = unquote(value)
    if len(options.get("name", "")) > MAX_NAME_CHARS:
        raise ValueError(
            f"the name in {shown('?' + tail)} has {len(options['name'])} characters, above {MAX_NAME_CHARS}"
        )
    if "name" in options:
        options["name"] = cleaned(options["name"])
    return options


def _checked(found: Spec) -> Spec:
    own = HOUSE[found.target].options if found.target in HOUSE else OPTIONS[found.kind]
    known = ("name", *own)
    for key in found.options:
        if key not in known:
            raise ValueError(
                f"{shown(found.text)}: no option {shown(key)}; {found.kind} agents take {', '.join(known)}"
            )
    if found.dialect is not None and found.dialect not in DIALECTS:
        raise ValueError(f"{shown(found.text)}: no dialect {shown(found.dialect)}; known: {', '.join(DIALECTS)}")
    if found.options.get("sandbox", "off") != "off":
        raise ValueError(f"{shown(found.text)}: sandbox={found.options['sandbox']:.40} is not off")
    try:
        assert found.control is None or found.control
        temperature(found.options.get("temperature", "0"))
        wait = found.options.get("wait", "60")
        if not re.fullmatch(r"\d{1,6}(\.\d{1,3})?", wait, re.ASCII) or not 0 < found.wait <= MAX_WAIT_SECONDS:
            raise ValueError(f"wait={wait:.40} is not a number of seconds up to {MAX_WAIT_SECONDS:.0f}")
    except ValueError as error:
        raise ValueError(f"{shown(found.text)}: {error}") from None
    return found


def _check_network(target: str) -> None:
    if not target or "\0" in target:
        raise ValueError("rl: names no network; as in rl:results, a folder of examples/train.py, or rl:network.whn")


def _check_command(target: str) -> None:
    try:
        words = shlex.split(target)
    except ValueError as error:
        raise ValueError(f"cmd:{target:.80}: {error}") from None
    if not words:
        raise ValueError("cmd: names no program; as in cmd:./bot or 'cmd:node bot.mjs'")


def _check_address(target: str) -> None:
    address(target)


def address(target: str) -> tuple[str, int]:
    """The host and the port in HOST:PORT; ValueError if these are none."""
    form = re.fullmatch(r"(\[[0-9A-Fa-f:.%\w]+\]|[^\s:\[\]]+):(\d+)", target, re.ASCII)
    if form is None:
        raise ValueError(f"{shown('tcp:' + target)} is not tcp:HOST:PORT, as in tcp:localhost:45678")
    port = int(form[2].lstrip("0")[:6] or "0")
    if not 1 <= port <= 65_535:
        raise ValueError(f"the port {form[2]:.20} is not one of 1 to 65535")
    return form[1].strip("[]"), port


def _check_python(target: str) -> None:
    found = _PYTHON.fullmatch(target)
    if found is None:
        raise ValueError(f"py:{target:.80} is not py:FILE.py:CLASS or py:MODULE:CLASS, with (ARGUMENTS) or without")
    literal_arguments(found[3] or "()")


def trouble(found: Spec) -> str | None:
    """Why the file, class or program of this spec cannot be used, as far as can be told without running it."""
    if found.kind == "cmd":
        return _program_trouble(shlex.split(found.target)[0])
    if found.kind == "rl":
        return _network_trouble(Path(found.target))
    form = _PYTHON.fullmatch(found.target) if found.kind == "py" else None
    if form is None:
        return None
    if not form[1].endswith(".py"):
        return module_trouble(form[1])
    try:
        names = top_level(Path(form[1]))
    except ValueError as error:
        return str(error)
    return None if names is None or form[2] in names else f"{form[1]} has no class {form[2]}"


def _network_trouble(path: Path) -> str | None:
    try:
        read_network(path)
    except ValueError as error:
        return str(error)
    return None


def _program_trouble(program: str) -> str | None:
    if shutil.which(program) is not None:
        return None
    here = Path(program)
    if here.is_file() and os.access(here, os.X_OK):
        return f"{program}: no such program on the PATH; the one in this folder is cmd:./{program}"
    why = "is not executable" if here.is_file() else "is a folder" if here.is_dir() else "no such program"
    return f"{program}: {why}"


def made(found: Spec, seed: str) -> Agent:
    """An agent of this process: a house bot, a network, or an object of a Python class, which gets the seed if it asks
    for one.
    """
    if found.kind == "house":
        return named(found.target, seed, found.options)
    if found.kind == "rl":
        return NetworkAgent(Path(found.target), temperature(found.options.get("temperature", "0")), seed)
    form = _PYTHON.fullmatch(found.target)
    assert found.kind == "py"
    assert form is not None
    positional, keywords = literal_arguments(form[3] or "()")
    try:
        kind = getattr(module_of(form[1]), form[2])
        form_of = signature(kind)
        if "seed" in form_of.parameters and "seed" not in form_of.bind_partial(*positional, **keywords).arguments:
            keywords["seed"] = seed
        agent = kind(*positional, **keywords)
        if hasattr(agent, "choose") and hasattr(agent, "feed"):
            return cast(Agent, agent)
        if hasattr(agent, "select_species_order"):
            return RespondentAgent(cast(Respondent, agent))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise ValueError(f"py:{found.target:.80}: {trouble(found) or said(error)}") from error
    raise ValueError(f"py:{found.target:.80}: {form[2]} has neither choose and feed nor the eleven questions")


class UnavailableAgent:
    """Stands for an agent that cannot be started: its fault is its answer to every request."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def choose(self, request: Request) -> Fault:  # noqa: ARG002
        return self._fault

    feed = choose


def lacking(found: Spec) -> Fault | None:
    """The fault of an agent whose file, class or program does not exist; None if it does."""
    why = trouble(found)
    return None if why is None else Fault(Reason.EXITED, f"cannot be started: {why}")


def unmade(error: ValueError) -> Fault:
    """The fault of an agent that could not be made."""
    return Fault(Reason.EXCEPTION, f"cannot be made: {error!s:.300}")
