"""The agents that come with the game, by name.

`easy`, `normal` and `hard` are for people who do not know the others; docs/bots.md has the measured strength of each.
"""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from wateringhole.agents import Agent, playout_sage
from wateringhole.agents.bad import GALLERY, Bad
from wateringhole.agents.easy import Easy
from wateringhole.agents.greedy import Greedy
from wateringhole.agents.halving import MAX_ITERATIONS, MAX_MS
from wateringhole.agents.playout_sage import PlayoutSage
from wateringhole.agents.rash import Rash
from wateringhole.agents.sage import ITERATIONS, Sage
from wateringhole.agents.silly import Silly
from wateringhole.agents.styles import Hunter, Shepherd
from wateringhole.fault import did_you_mean, shown
from wateringhole.learned.agent import CHAMPION, NetworkAgent, temperature


class Bot(Struct, frozen=True):
    """A row of the house bots: how to make one, with its seed and its options; what it is like; which options it
    takes; and whether it throws `dice`, for which it needs the seed.
    """

    make: Callable[[str, Mapping[str, str]], Agent]
    says: str
    options: tuple[str, ...] = ()
    dice: bool = False


def _sage(seed: str, options: Mapping[str, str]) -> Agent:
    if "ms" in options and "iterations" in options:
        raise ValueError("iterations and ms contradict each other; give one of them")
    version = options.get("version", "2")
    if version not in {"1", "2"}:
        raise ValueError(f"version={version:.40} is not 1 or 2")
    ms = _number("ms", options["ms"], MAX_MS) if "ms" in options else None
    if version == "1":
        return PlayoutSage(seed, _iterations(options, playout_sage.ITERATIONS), ms)
    return Sage(seed, _iterations(options, ITERATIONS), ms)


def _iterations(options: Mapping[str, str], default: int) -> int:
    return _number("iterations", options["iterations"], MAX_ITERATIONS) if "iterations" in options else default


def _champion(seed: str, options: Mapping[str, str]) -> Agent:
    return NetworkAgent(CHAMPION, temperature(options.get("temperature", "0")), seed)


def _number(option: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
        raise ValueError(f"{option}={text:.40} is not a number from 1 to {most}")
    return int(text)


_GREEDY: Final = Bot(lambda _, __: Greedy(), "boards, food and what brings food")
_SAGE: Final = Bot(_sage, "thinks ahead with what the champion has learned", ("iterations", "ms", "version"), dice=True)

HOUSE: Final[dict[str, Bot]] = {
    "easy": Bot(lambda _, __: Easy(), "follows a fixed recipe, generous with food"),
    "normal": _GREEDY,
    "hard": _SAGE,
    "silly": Bot(lambda _, __: Silly(), "follows a fixed recipe"),
    "rash": Bot(lambda seed, _: Rash(seed), "random legal moves", dice=True),
    "greedy": _GREEDY,
    "hunter": Bot(lambda _, __: Hunter(), "greedy, and fond of meat"),
    "shepherd": Bot(lambda _, __: Shepherd(), "greedy, and careful of its own"),
    "sage": _SAGE,
    "champion": Bot(_champion, "has learned by playing", ("temperature",), dice=True),
}


def machine_options(name: str, options: Mapping[str, str]) -> dict[str, str]:
    """The options of this bot that are not given and depend on the machine, with their values here."""
    given = {"iterations", "ms"} & options.keys() or options.get("version", "2") != "2"
    return {"iterations": f"{ITERATIONS}"} if HOUSE.get(name) is _SAGE and not given else {}


USUAL_BOT: Final = "normal"
"""The bot of a seat at a table in the browser for which none was chosen: STAND_IN, by the name that people know."""

STAND_IN: Final = "greedy"
"""Who plays for people who are away, and whom they may ask for a hint."""


def named(name: str, seed: str, options: Mapping[str, str] | None = None) -> Agent:
    """The agent of this name, with this seed if it plays dice; ValueError when there is none."""
    if name in HOUSE:
        return HOUSE[name].make(seed, options or {})
    kind, _, misdeed = name.partition(":")
    if kind == "bad" and misdeed in GALLERY:
        return Bad(misdeed)
    if kind == "bad":
        raise ValueError(f"no misdeed {shown(misdeed)}{did_you_mean(misdeed, GALLERY)}; there are {', '.join(GALLERY)}")
    raise ValueError(f"unknown agent {shown(name)}{did_you_mean(name, HOUSE)}; known: {', '.join(HOUSE)}, bad:MISDEED")
