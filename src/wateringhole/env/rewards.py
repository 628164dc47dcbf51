"""What the end of a game is worth to each seat, from the scores. Until then every reward is 0."""

from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

Reward = Literal["score", "rank", "win"]
REWARDS: Final[tuple[Reward, ...]] = get_args(Reward)
ILLEGAL_REWARD: Final = -1.0
"""For an action that the mask does not allow, which ends a game."""


def checked_reward(kind: Reward) -> Reward:
    """This kind of reward; ValueError if there is none of that name."""
    if kind not in REWARDS:
        raise ValueError(f"no reward {kind!r:.40}; there are {', '.join(REWARDS)}")
    return kind


def rewards(kind: Reward, scores: NDArray[np.int32]) -> NDArray[np.float32]:
    """By seat, along the last axis of the scores. `score`: the score itself. `rank`: 1 for a player that beats all
    others, -1 for one that all others beat, evenly between, so that the sum is 0. `win`: 1, shared by all that are
    first, and 0 for the others.
    """
    if checked_reward(kind) == "score":
        return scores.astype(np.float32)
    mine, theirs = scores[..., :, None], scores[..., None, :]
    if kind == "rank":
        beaten = np.sign(mine - theirs).sum(axis=-1)
        return np.asarray(beaten / (scores.shape[-1] - 1), np.float32)
    first = scores == scores.max(axis=-1, keepdims=True)
    return np.asarray(first / first.sum(axis=-1, keepdims=True), np.float32)
