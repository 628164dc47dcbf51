"""The agents that come with the game, by name."""

from collections.abc import Callable
from typing import Final

from wateringhole.agents import Agent
from wateringhole.agents.bad import GALLERY, Bad
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly

HOUSE: Final[dict[str, Callable[[str], Agent]]] = {
    "silly": lambda _: Silly(),
    "rash": Rash,
}


def named(name: str, seed: str) -> Agent:
    """The agent of this name, with this seed if it plays dice; ValueError when there is none."""
    if name in HOUSE:
        return HOUSE[name](seed)
    kind, _, misdeed = name.partition(":")
    if kind == "bad" and misdeed in GALLERY:
        return Bad(misdeed)
    if kind == "bad":
        raise ValueError(f"no misdeed {misdeed!r}; there are {', '.join(GALLERY)}")
    raise ValueError(f"unknown agent {name!r}; known: {', '.join(HOUSE)}, bad:MISDEED")
