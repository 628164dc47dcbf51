"""Agents that play with a network: one from a file, and the champion that comes with the package."""

from functools import cache
from pathlib import Path
from typing import Final

from wateringhole.dealer import MAX_PLAYERS
from wateringhole.env.agent import DraftingAgent
from wateringhole.kernel import native
from wateringhole.learned.decision import Decider
from wateringhole.learned.weights import Network, read_network

CHAMPION: Final = Path(__file__).with_name("champion.whn")
MAX_TEMPERATURE: Final = 10.0


class NetworkAgent(DraftingAgent):
    """Takes the best action of each draft; with a temperature also others, the better the likelier."""

    thinks = 0.05 if native.NETWORK_SCORES is None else 0.0

    def __init__(self, path: Path, temperature: float = 0.0, seed: str = "") -> None:
        super().__init__(Decider(network_in(path.resolve()), temperature, seed).action, MAX_PLAYERS)


@cache
def network_in(path: Path) -> Network:
    """Read once: a match makes an agent for each game."""
    return read_network(path)


def temperature(text: str) -> float:
    """A temperature from an option; ValueError when it is none."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= MAX_TEMPERATURE:
        raise ValueError(f"temperature={text:.40} is not a number from 0 to {MAX_TEMPERATURE:g}")
    return number
