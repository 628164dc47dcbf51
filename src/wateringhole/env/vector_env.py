"""Many games at once, for self-play: one action for each game, results in numpy arrays that every step writes anew.

The contract of a batch, for the one in Python and for any other (the kernel's would be made as
`wateringhole.kernel.batch(observations, masks, seats, over, scores)` and have the same four methods):
- the deck of game g (from 0) in its round e (from 0) is `shuffled(f"{seed}:{g}:{e}")`; seats act as in a DraftedGame;
- a game that ends sets `over` and `scores` and begins its next round in the same step, whose first observation, mask
  and seat are then in the arrays; `scores` of games that go on keep their old values.
"""

import json
from secrets import randbits
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from wateringhole.dealer import MAX_PLAYERS, MIN_PLAYERS
from wateringhole.env.actions import ACTIONS
from wateringhole.env.drafted_game import DraftedGame
from wateringhole.env.observations import size
from wateringhole.env.rewards import REWARDS, Reward, rewards


class VectorArrays:
    """What a batch of games writes, a row for each game: all arrays are contiguous, and stay the same objects."""

    def __init__(self, games: int, players: int) -> None:
        self.observations: Final[NDArray[np.uint8]] = np.zeros((games, size(players)), np.uint8)
        self.masks: Final[NDArray[np.uint8]] = np.zeros((games, ACTIONS), np.uint8)
        self.seats: Final[NDArray[np.uint8]] = np.zeros(games, np.uint8)
        self.over: Final[NDArray[np.uint8]] = np.zeros(games, np.uint8)
        self.scores: Final[NDArray[np.int32]] = np.zeros((games, players), np.int32)


class Batch(Protocol):
    """Games that write into VectorArrays."""

    def reset(self, seed: str) -> None:
        """Begin round 0 of every game."""

    def step(self, actions: NDArray[np.int32]) -> None:
        """One action for each game; ValueError, and nothing changes, when a mask does not allow one."""

    def save(self) -> bytes:
        """The state of all games."""

    def restore(self, saved: bytes) -> None:
        """Go on from this state, and write the arrays; ValueError when it is none of so many games."""


class PythonBatch:
    """The batch in Python."""

    def __init__(self, arrays: VectorArrays) -> None:
        self._arrays: Final = arrays
        self._players: Final = arrays.scores.shape[1]
        self._seed = ""
        self._rounds = [0] * len(arrays.seats)
        self._games: list[DraftedGame] = []

    def reset(self, seed: str) -> None:
        self._seed = seed
        self._rounds = [0] * len(self._rounds)
        self._games = [self._dealt(at) for at in range(len(self._rounds))]
        self._write_all()

    def step(self, actions: NDArray[np.int32]) -> None:
        masks = self._arrays.masks
        if not masks[np.arange(len(masks)), actions].all():
            raise refused(masks, actions)
        over = self._arrays.over
        over[:] = 0
        for at, action in enumerate(actions.tolist()):
            game = self._games[at]
            game.step(action)
            if game.seat == 0:
                over[at] = 1
                self._arrays.scores[at] = game.scores
                self._rounds[at] += 1
                self._games[at] = self._dealt(at)
            self._write(at)

    def save(self) -> bytes:
        state = [self._seed, self._rounds, [game.save() for game in self._games], self._arrays.scores.tolist()]
        return json.dumps(state).encode()

    def restore(self, saved: bytes) -> None:
        seed, rounds, games, scores = json.loads(saved)
        restored = [DraftedGame.restored(game) for game in games]
        if len(restored) != len(self._rounds) or any(game.players != self._players for game in restored):
            raise ValueError(f"these are not {len(self._rounds)} games of {self._players} players")
        self._seed, self._rounds, self._games = str(seed), list(rounds), restored
        self._arrays.scores[:] = scores
        self._write_all()

    def _dealt(self, at: int) -> DraftedGame:
        return DraftedGame.dealt(self._players, f"{self._seed}:{at}:{self._rounds[at]}")

    def _write_all(self) -> None:
        self._arrays.over[:] = 0
        for at in range(len(self._games)):
            self._write(at)

    def _write(self, at: int) -> None:
        game = self._games[at]
        self._arrays.observations[at] = np.frombuffer(game.observation(game.seat), np.uint8)
        self._arrays.masks[at] = np.frombuffer(game.mask(game.seat), np.uint8)
        self._arrays.seats[at] = game.seat


def refused(masks: NDArray[np.uint8], actions: NDArray[np.int32]) -> ValueError:
    """Says which action its mask does not allow."""
    at = int(np.flatnonzero(masks[np.arange(len(masks)), actions] == 0)[0])
    return ValueError(f"action {int(actions[at])} in game {at}, but its mask does not allow it")


class VectorEnv:
    """Games with one action each: `step(actions)`, then look at `observations`, `masks`, `seats`, `over`, `rewards`.

    `seats` says who acts next in each game, from 1. `over`: the last step ended a game, whose rewards by seat are in
    `rewards` (0 in all other rows); the next one has begun.
    """

    def __init__(
        self,
        games: int = 256,
        players: int = 4,
        reward: Reward = "score",
        seed: int | str | None = None,
    ) -> None:
        if games < 1:
            raise ValueError(f"{games} games, but there must be one")
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise ValueError(f"{players} players, but a game takes {MIN_PLAYERS} to {MAX_PLAYERS}")
        if reward not in REWARDS:
            raise ValueError(f"no reward {reward!r:.40}; there are {', '.join(REWARDS)}")
        arrays = VectorArrays(games, players)
        self.observations: Final = arrays.observations
        self.masks: Final = arrays.masks
        self.seats: Final = arrays.seats
        self.over: Final = arrays.over
        self.scores: Final = arrays.scores
        self.rewards: Final[NDArray[np.float32]] = np.zeros((games, players), np.float32)
        self._reward: Final[Reward] = reward
        self._batch: Final[Batch] = PythonBatch(arrays)
        self.reset(seed)

    def reset(self, seed: int | str | None = None) -> None:
        """New games; with the same seed and the same actions they are the same."""
        self._batch.reset(str(randbits(64) if seed is None else seed))
        self.rewards[:] = 0

    def step(self, actions: NDArray[np.integer]) -> None:
        """One action for each game; ValueError, and nothing changes, when a mask does not allow one."""
        if actions.shape != self.seats.shape:
            raise ValueError(f"actions of the shape {actions.shape} for {len(self.seats)} games")
        self._batch.step(np.ascontiguousarray(actions, np.int32))
        self.rewards[:] = 0
        ended = np.flatnonzero(self.over)
        if len(ended):
            self.rewards[ended] = rewards(self._reward, self.scores[ended])

    def save(self) -> bytes:
        """The state of all games, for `restore`."""
        return self._batch.save()

    def restore(self, saved: bytes) -> None:
        """Go on from this state; ValueError when it is none of so many games."""
        self._batch.restore(saved)
        self.rewards[:] = 0


def masked_choice(masks: NDArray[np.uint8], dice: np.random.Generator) -> NDArray[np.int32]:
    """An action for each row of masks, each that is allowed equally likely."""
    allowed = np.flatnonzero(masks.view(np.bool_))
    rows = np.arange(len(masks) + 1) * masks.shape[1]
    first = np.searchsorted(allowed, rows)
    chosen = first[:-1] + (dice.random(len(masks)) * np.diff(first)).astype(np.int64)
    return np.asarray(allowed[chosen] - rows[:-1], np.int32)
