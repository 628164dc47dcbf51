"""PettingZoo: a whole table as an environment in which agents act in turn (AEC).

There is no parallel form: a move takes several actions, and in feeding only one player acts.
"""

from secrets import randbits
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from wateringhole.env.drafted_game import DraftedGame, checked_players, seat_names
from wateringhole.env.render import FRAMES_PER_SECOND, RENDER_MODES, RenderMode, checked_mode, render
from wateringhole.env.rewards import ILLEGAL_REWARD, Reward, checked_reward, rewards
from wateringhole.env.spaces import Observation, action_space, observation_space, observed
from wateringhole.game import Game


class TableAEC(AECEnv[str, Observation, np.int64]):
    """A table of agents `player_1`, ... An action that the mask does not allow ends the game: it costs its agent 1, and
    `infos[agent]["illegal"]` says why.

    PettingZoo's wrappers would do the same, and take longer for it than a step.
    """

    metadata = {  # noqa: RUF012, the base class has it so
        "name": "wateringhole_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_PER_SECOND,
        "is_parallelizable": False,
    }

    def __init__(self, players: int = 4, reward: Reward = "score", render_mode: str | None = None) -> None:
        self.possible_agents = seat_names(checked_players(players))
        self._reward: Final = checked_reward(reward)
        self.render_mode: RenderMode | None = checked_mode(render_mode)
        self.agents: list[str] = []
        self._seats: Final = {name: seat for seat, name in enumerate(self.possible_agents, 1)}
        self.observation_spaces = {name: observation_space(players) for name in self.possible_agents}
        self.action_spaces = {name: action_space() for name in self.possible_agents}
        self._seed = randbits(64)
        self._games = 0

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[np.int64]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new game: the first one of this seed, or the next one of the last seed."""
        if seed is not None:
            self._seed, self._games = seed, 0
        self._table = DraftedGame.dealt(len(self.possible_agents), f"{self._seed}:{self._games}")
        self._games += 1
        self._begin()

    def _begin(self) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.__dict__.pop("_skip_agent_selection", None)  # of the base class, from a game that was left
        self._select()

    def _select(self) -> None:
        """The agent that is asked; at the end of a game the first one, which then leaves, as all do."""
        self.agent_selection = self.possible_agents[max(0, self._table.seat - 1)]

    def observe(self, agent: str) -> Observation:
        return observed(self._table, self._seats[agent])

    def step(self, action: np.int64) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        try:
            self._table.step(int(action))
        except ValueError as error:
            self.infos[agent]["illegal"] = str(error)
            self._end({name: ILLEGAL_REWARD if name == agent else 0.0 for name in self.agents})
            return
        self._select()
        if self._table.seat == 0:
            self._finish()

    def _finish(self) -> None:
        worth = rewards(self._reward, np.array(self._table.scores, np.int32))
        self._end({name: float(worth[seat - 1]) for name, seat in self._seats.items()})

    def _end(self, worth: dict[str, float]) -> None:
        self.rewards = worth
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    @property
    def game(self) -> Game:
        """The game itself, with all that is hidden."""
        return self._table.game

    def save(self) -> str:
        """The game as text, for `restore`."""
        return self._table.save()

    def restore(self, saved: str) -> None:
        """Go on from where this game was saved, in this environment or another one of its size."""
        table = DraftedGame.restored(saved)
        if table.players != len(self.possible_agents):
            raise ValueError(f"a game of {table.players} in an environment for {len(self.possible_agents)}")
        self._table = table
        self._begin()
        if table.seat == 0:
            self._finish()

    def render(self) -> str | NDArray[np.uint8] | None:
        return render(self.render_mode, self.game, self._table.seat)

    def close(self) -> None:
        """There is nothing to release."""
