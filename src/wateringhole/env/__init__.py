"""Environments for learning: drafted actions, observations, PettingZoo, Gymnasium and many games at once.

`actions` and `observations` need nothing but the game itself; all else needs `pip install 'wateringhole[rl]'`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wateringhole.env.pettingzoo_env import TableAEC
    from wateringhole.env.rewards import Reward


def env(players: int = 4, reward: "Reward" = "score", render_mode: str | None = None) -> "TableAEC":
    """A table as a PettingZoo environment: agents `player_1`, ..., observations with an `action_mask`."""
    from wateringhole.env.pettingzoo_env import TableAEC  # noqa: PLC0415, its libraries are an extra

    return TableAEC(players, reward, render_mode)
