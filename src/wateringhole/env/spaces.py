"""The spaces of the environments, and observations as numpy arrays."""

from typing import cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from wateringhole.env.actions import ACTIONS
from wateringhole.env.drafted_game import DraftedGame
from wateringhole.env.observations import limits

Array = NDArray[np.uint8] | NDArray[np.int8]
Observation = dict[str, Array]
"""`observation`: the bytes that docs/learning.md describes; `action_mask`: 1 for each action that may come next."""


def observation_space(players: int) -> spaces.Space[Observation]:
    most = np.frombuffer(limits(players), np.uint8)
    parts: dict[str, spaces.Space[Array]] = {
        "observation": spaces.Box(np.zeros_like(most), most.copy(), dtype=np.uint8),
        "action_mask": spaces.Box(0, 1, (ACTIONS,), dtype=np.int8),
    }
    return cast(spaces.Space[Observation], spaces.Dict(parts))  # typed by its parts, not by what it contains


def action_space() -> spaces.Discrete[np.int64]:
    return spaces.Discrete(ACTIONS)


def observed(game: DraftedGame, seat: int) -> Observation:
    """What this seat observes; the arrays are new, and the caller's own."""
    return {
        "observation": np.frombuffer(game.observation(seat), np.uint8),
        "action_mask": np.frombuffer(game.mask(seat), np.int8),
    }
