"""Many games at once, for self-play: one action for each game, results in numpy arrays that every step writes anew."""

import json
from collections.abc import Mapping
from secrets import randbits
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from wateringhole.cards import DECK, shuffled
from wateringhole.env.actions import Stage
from wateringhole.env.batches import NO_ACTION, Batch, BatchArrays, KernelBatch, batch
from wateringhole.env.drafted_game import checked_players
from wateringhole.env.observations import STAGE
from wateringhole.env.rewards import Reward, checked_reward, rewards

MAX_DRAFT: Final = 2 * len(DECK)
"""Actions of one draft: the food card, two for each other card, and the end."""

_Saved = tuple[str, list[int], list[str], list[list[int]], list[bool], list[list[int]]]
"""What `save` writes: the seed; for each game its round, its state, its draft, whether it is over, and its scores."""

_GOES_ON: Final = np.array([stage not in {Stage.FOOD, Stage.FEEDING} for stage in Stage], np.intp)
"""For each stage 1 if it has a draft that has begun; a game that is over has the stage 0."""


class VectorEnv:
    """Games with one action each: `step(actions)`, then look at `observations`, `masks`, `seats`, `over`, `rewards`.

    `seats` says who acts next in each game, from 1. `over`: the last step ended this game; its rewards by seat are in
    `rewards` (0 in all other rows), its mask is all 0, and the next step begins a new one, whatever the action is. The
    deck of game g in its round e, both from 0, is `shuffled(f"{seed}:{g}:{e}")`. `kernel`: None takes it if it is
    compiled, False takes Python. `bots` are house bots by their seats, as in {2: "greedy"}: they are never asked here.
    """

    def __init__(
        self,
        games: int = 256,
        players: int = 4,
        reward: Reward = "score",
        seed: int | str | None = None,
        kernel: bool | None = None,
        bots: Mapping[int, str] | None = None,
    ) -> None:
        if games < 1:
            raise ValueError(f"{games} games, but there must be one")
        arrays = BatchArrays(games, checked_players(players))
        self._reward: Final[Reward] = checked_reward(reward)
        self.observations: Final = arrays.observations
        self.masks: Final = arrays.masks
        self.seats: Final = arrays.seats
        self.scores: Final = arrays.scores
        self.over: Final[NDArray[np.bool_]] = np.zeros(games, np.bool_)
        self.rewards: Final[NDArray[np.float32]] = np.zeros((games, players), np.float32)
        self._batch: Final[Batch] = batch(arrays, kernel, bots or {})
        self._rows: Final = np.arange(games)
        self._drafts: Final = np.zeros((games, MAX_DRAFT), np.int16)  # the actions of each draft so far, for `save`
        self._drafted = np.zeros(games, np.intp)
        self.reset(seed)

    @property
    def in_kernel(self) -> bool:
        return isinstance(self._batch, KernelBatch)

    def reset(self, seed: int | str | None = None) -> None:
        """New games; with the same seed and the same actions they are the same."""
        self._seed = str(randbits(64) if seed is None else seed)
        self._rounds = [-1] * len(self._rows)
        for at in range(len(self._rows)):
            self._deal(at)
        self._batch.step(np.full(len(self._rows), NO_ACTION))
        self._look()
        self._drafted[:] = 0

    def step(self, actions: NDArray[np.integer]) -> None:
        """One action for each game; ValueError, and nothing changes, when a mask does not allow one."""
        if actions.shape != self.seats.shape:
            raise ValueError(f"actions of the shape {actions.shape} for {len(self.seats)} games")
        taken = np.where(self.over, NO_ACTION, actions.astype(np.int64))
        for at in np.flatnonzero((taken == NO_ACTION) & ~self.over)[:1].tolist():
            raise ValueError(f"action {NO_ACTION} may not come next in game {at}")
        self._batch.step(taken)
        self._drafts[self._rows, self._drafted] = taken
        self._drafted += 1
        self._look()
        self._drafted *= _GOES_ON[self.observations[:, STAGE]]

    def _look(self) -> None:
        """Which games are over now, and what they are worth; new ones are dealt for the next step."""
        np.equal(self.seats, 0, out=self.over)
        self.rewards[:] = 0
        ended = np.flatnonzero(self.over)
        if len(ended):
            self.rewards[ended] = rewards(self._reward, self.scores[ended])
            for at in ended.tolist():
                self._deal(at)

    def _deal(self, at: int) -> None:
        self._rounds[at] += 1
        self._batch.deal(at, shuffled(f"{self._seed}:{at}:{self._rounds[at]}"))

    def save(self) -> str:
        """The state of all games, for `restore` in an environment of this size with the same `in_kernel`: the kernel
        and Python write a game in two ways, and neither reads the other's.
        """
        drafts = [row[:length].tolist() for row, length in zip(self._drafts, self._drafted.tolist(), strict=True)]
        games = [self._batch.save(at) for at in range(len(self._rows))]
        return json.dumps([self._seed, self._rounds, games, drafts, self.over.tolist(), self.scores.tolist()])

    def restore(self, saved: str) -> None:
        """Go on from this state; ValueError, and nothing changes, when it is none of so many games."""
        before = self.save()
        try:
            self._restore(saved)
        except (ValueError, OverflowError) as error:
            self._restore(before)
            raise ValueError(f"no state of {len(self._rows)} games: {error}") from error

    def _restore(self, saved: str) -> None:
        seed, rounds, games, drafts, over, scores = msgspec.json.decode(saved, type=_Saved)
        if np.shape(scores) != self.scores.shape:
            raise ValueError(f"the scores of the shape {np.shape(scores)} are not those of {self.scores.shape}")
        if not len(rounds) == len(games) == len(drafts) == len(over) == len(scores):
            raise ValueError("its lists are not of one length")
        self._seed, self._rounds = seed, rounds
        self._load(games, [not ended for ended in over])
        self._batch.step(np.full(len(games), NO_ACTION))
        for place in range(max(map(len, drafts))):
            self._batch.step(np.array([row[place] if place < len(row) else NO_ACTION for row in drafts]))
        self._drafted[:] = [len(row) for row in drafts]
        for at, row in enumerate(drafts):
            self._drafts[at, : len(row)] = row
        self._load(games, over)  # those have been dealt, but are not shown before the next step
        self._blank(np.array(over, np.bool_), np.array(scores, np.int32))

    def _load(self, games: list[str], which: list[bool]) -> None:
        for at, (game, wanted) in enumerate(zip(games, which, strict=True)):
            if wanted:
                self._batch.load(at, game)

    def _blank(self, over: NDArray[np.bool_], scores: NDArray[np.int32]) -> None:
        """Show these games as over."""
        self.over[:] = over
        self.scores[over] = scores[over]
        self.seats[over] = 0
        self.masks[over] = 0
        self.observations[over] = 0
        self.rewards[:] = 0
        self.rewards[over] = rewards(self._reward, scores[over])


def masked_choice(masks: NDArray[np.uint8], dice: np.random.Generator) -> NDArray[np.int64]:
    """An action for each row of masks, each that is allowed equally likely; 0 for a row without any."""
    allowed = np.flatnonzero(masks.view(np.bool_))
    rows = np.arange(len(masks) + 1) * masks.shape[1]
    first = np.searchsorted(allowed, rows)
    counts = np.diff(first)
    chosen = first[:-1] + (dice.random(len(masks)) * counts).astype(np.int64)
    return np.where(counts, np.append(allowed, 0)[chosen] - rows[:-1], 0)
