"""Environments for learning: drafted actions, observations, PettingZoo, Gymnasium and many games at once.

`actions` and `observations` need nothing but the game itself; all else needs `pip install 'wateringhole[rl]'`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from pettingzoo import AECEnv

    from wateringhole.env.rewards import Reward
    from wateringhole.env.spaces import Observation


def env(
    players: int = 4, reward: "Reward" = "score", render_mode: str | None = None
) -> "AECEnv[str, Observation, np.int64]":
    """A table as a PettingZoo environment: agents `player_1`, ..., observations with an `action_mask`."""
    from wateringhole.env import pettingzoo_env  # noqa: PLC0415, its libraries are an extra

    return pettingzoo_env.env(players, reward, render_mode)
