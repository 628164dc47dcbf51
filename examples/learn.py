"""A bot that learns by itself, with numpy alone: a linear policy that four copies of it play against each other.

OPENBLAS_NUM_THREADS=1 python learn.py 5           learn for five CPU-minutes, and keep it in learned.npz
wateringhole match py:learn.py:Learned silly rash  let it play
"""

import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wateringhole.env.actions import ACTIONS
from wateringhole.env.agent import DraftingAgent
from wateringhole.env.features import FEATURES, features
from wateringhole.env.vector_env import VectorEnv

PLAYERS = 4
GAMES = 64
STEPS = 256
RATE = 0.005
FILE = Path(__file__).with_name("learned.npz")

Floats = NDArray[np.float32]


def odds(weights: Floats, seen: Floats, masks: NDArray[np.uint8]) -> Floats:
    """How likely the policy takes each action that the masks allow."""
    scores = np.where(masks, seen @ weights, np.float32(-1e9))
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(scores / scores.sum(axis=1, keepdims=True), np.float32)


class Learned(DraftingAgent):
    """Takes the likeliest action."""

    def __init__(self) -> None:
        with np.load(FILE) as kept:
            self._weights: Floats = kept["weights"]
        super().__init__(self._act, PLAYERS)

    def _act(self, observation: bytearray, mask: bytearray) -> int:
        row = np.frombuffer(observation, np.uint8)[None]
        return int(odds(self._weights, features(row), np.frombuffer(mask, np.uint8)[None]).argmax())


def learn(minutes: float) -> Floats:
    """The weights after so much self-play: actions of players that end in front become likelier (REINFORCE, Adam)."""
    table = VectorEnv(GAMES, PLAYERS, "rank")
    dice = np.random.default_rng()
    weights = np.zeros((FEATURES, ACTIONS), np.float32)
    mean, square, updates = np.zeros_like(weights), np.zeros_like(weights), 0
    end = time.process_time() + 60 * minutes
    while time.process_time() < end:
        slope = gradient(weights, table, dice)
        updates += 1
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope * slope - square)
        rate = RATE * np.sqrt(1 - 0.99**updates) / (1 - 0.9**updates)
        weights += rate * mean / (np.sqrt(square) + 1e-6)
    return weights


def gradient(weights: Floats, table: VectorEnv, dice: np.random.Generator) -> Floats:
    """Where the weights should go, after STEPS steps of all games."""
    kept = []
    games = 0
    for _ in range(STEPS):
        seen, masks, seats = features(table.observations), table.masks.copy(), table.seats.copy()
        chances = odds(weights, seen, masks)
        actions = (chances.cumsum(axis=1) > dice.random((GAMES, 1)) * 0.999999).argmax(axis=1)
        table.step(actions)
        games += int(table.over.sum())
        kept.append((seen, chances, actions, seats, table.over.copy(), table.rewards.copy()))
    slope = np.zeros_like(weights)
    worth = np.zeros((GAMES, PLAYERS), np.float32)  # of the game that a step belongs to; 0 if it has not ended yet
    for seen, chances, actions, seats, over, rewards in reversed(kept):
        worth[over] = rewards[over]
        gain = worth[np.arange(GAMES), seats.astype(int) - 1] * (seats > 0)
        pull = -chances
        pull[np.arange(GAMES), actions] += 1
        slope += seen.T @ (pull * gain[:, None])
    return np.asarray(slope / max(1, games), np.float32)


if __name__ == "__main__":
    np.savez(FILE, weights=learn(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0))
    sys.stdout.write(f"kept in {FILE}\n")
