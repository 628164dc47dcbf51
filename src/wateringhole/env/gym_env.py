"""Gymnasium: one seat at a table of house bots. Importing this module registers `wateringhole/Table-v0`."""

from collections.abc import Sequence
from typing import Any, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from wateringhole.agents import Agent
from wateringhole.agents.house import named
from wateringhole.agents.playout import asked
from wateringhole.env.drafted_game import DraftedGame, checked_players
from wateringhole.env.render import FRAMES_PER_SECOND, RENDER_MODES, RenderMode, checked_mode, render
from wateringhole.env.rewards import ILLEGAL_REWARD, Reward, checked_reward, rewards
from wateringhole.env.spaces import Observation, action_space, observation_space, observed
from wateringhole.game import Game

TABLE_ID: Final = "wateringhole/Table-v0"


class TableEnv(gymnasium.Env[Observation, np.int64]):
    """A seat against `opponents`, house bots by their names. `seat`: a number from 1, or None for another one in each
    game. An action that the mask does not allow ends the game with a reward of -1; `info["illegal"]` says why.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": FRAMES_PER_SECOND}  # noqa: RUF012

    def __init__(
        self,
        opponents: Sequence[str] = ("greedy", "greedy", "greedy"),
        reward: Reward = "score",
        seat: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._players: Final = checked_players(len(opponents) + 1)
        if seat is not None and not 1 <= seat <= self._players:
            raise ValueError(f"seat {seat}, but there are seats 1 to {self._players}")
        self._reward: Final = checked_reward(reward)
        for name in opponents:
            named(name, "")
        self.render_mode: RenderMode | None = checked_mode(render_mode)
        self.observation_space = observation_space(self._players)
        self.action_space = action_space()
        self._opponents: Final = tuple(opponents)
        self._fixed_seat: Final = seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new game. The seed decides on the deck, the seat and the bots' dice of this game and of those after it."""
        super().reset(seed=seed, options=options)
        drawn = int(self.np_random.integers(2**62))
        self._seat = self._fixed_seat or 1 + int(self.np_random.integers(self._players))
        self._bots = self._seated(str(drawn))
        self._table = DraftedGame.dealt(self._players, drawn)
        self._wait()
        return observed(self._table, self._seat), {"seat": self._seat}

    def _seated(self, seed: str) -> dict[int, Agent]:
        """The bots on the other seats."""
        seats = [seat for seat in range(1, self._players + 1) if seat != self._seat]
        return {seat: named(name, f"{seed}:{seat}") for seat, name in zip(seats, self._opponents, strict=True)}

    def _wait(self) -> None:
        """The bots play until the own seat is asked, or the game is over."""
        table = self._table
        while table.draft is not None and table.seat != self._seat:
            table.answer(asked(self._bots[table.seat], table.draft.request))

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        info: dict[str, Any] = {"seat": self._seat}
        try:
            self._table.step(int(action))
        except ValueError as error:
            return observed(self._table, self._seat), ILLEGAL_REWARD, True, False, info | {"illegal": str(error)}
        self._wait()
        over = self._table.seat == 0
        worth = 0.0
        if over:
            scores = np.array(self._table.scores, np.int32)
            worth = float(rewards(self._reward, scores)[self._seat - 1])
            info["scores"] = scores
        return observed(self._table, self._seat), worth, over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """What may come next, under the name by which some training libraries ask for it."""
        return np.frombuffer(self._table.mask(self._seat), np.bool_)

    @property
    def game(self) -> Game:
        """The game itself, with all that is hidden."""
        return self._table.game

    def save(self) -> str:
        """The game as text, for `restore`: all but the state of bots that throw dice."""
        return f"{self._seat}\n{self._table.save()}"

    def restore(self, saved: str) -> tuple[Observation, dict[str, Any]]:
        """Go on from where this game was saved. Bots that throw dice do so anew, from a seed of this environment."""
        seat, _, rest = saved.partition("\n")
        table = DraftedGame.restored(rest)
        if table.players != self._players:
            raise ValueError(f"a game of {table.players} in an environment for {self._players}")
        self._table, self._seat = table, int(seat)
        self._bots = self._seated(str(int(self.np_random.integers(2**62))))
        return observed(self._table, self._seat), {"seat": self._seat}

    def render(self) -> Any:
        return render(self.render_mode, self.game, self._table.seat)


gymnasium.register(TABLE_ID, entry_point="wateringhole.env.gym_env:TableEnv")
