"""Observations and masks of recorded games in which every stage of a draft comes up."""

import numpy as np
from numpy.typing import NDArray

from wateringhole.agents import Agent
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.agents.styles import Hunter
from wateringhole.cards import shuffled
from wateringhole.env.trajectories import trajectory
from wateringhole.learned.layout import INPUTS, OUTPUTS
from wateringhole.learned.weights import Layer, Network
from wateringhole.table import play


def positions(sizes: tuple[int, ...] = (3, 5, 8)) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Rows with room for eight players, and their masks."""
    paths = []
    for size in sizes:
        agents: list[Agent] = [(Rash(size), Hunter(), Silly())[seat % 3] for seat in range(size)]
        paths.append(trajectory(play(agents, shuffled(size), watering_hole=20).record))
    return np.concatenate([path.observations for path in paths]), np.concatenate([path.masks for path in paths])


def network(hidden: tuple[int, int] = (9, 7), seed: int = 1) -> Network:
    """Random weights that half floats can tell."""
    dice = np.random.default_rng(seed)

    def layer(before: int, after: int) -> Layer:
        rows = dice.standard_normal((before + 1, after)).astype(np.float16).tolist()
        return Layer(tuple(map(tuple, rows[:-1])), tuple(rows[-1]))

    return Network((layer(INPUTS, hidden[0]), layer(*hidden), layer(hidden[1], OUTPUTS)))
