"""Batches of drafted games that write what is observed into shared arrays: one in Python, one in the kernel.

Laws: both write the same bytes for the same decks and actions. A step changes nothing if one of its actions is not
allowed.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from wateringhole.agents.house import HOUSE, named
from wateringhole.agents.playout import PlayoutBot
from wateringhole.cards import Card
from wateringhole.dealer import new_game
from wateringhole.env.actions import ACTIONS
from wateringhole.env.drafted_game import DraftedGame, seat_names
from wateringhole.env.observations import size
from wateringhole.kernel import native
from wateringhole.kernel.policy import LEARNER, Policy, PolicyTable
from wateringhole.moves import Move
from wateringhole.notation import position_from, position_text
from wateringhole.view import Feed, request

if TYPE_CHECKING:
    from wateringhole.kernel._kernel import FlatGames

NO_ACTION: Final = -1
IN_BATCHES: Final = tuple(name for name, bot in HOUSE.items() if not bot.dice)
"""The house bots that decide alike whatever the order of the games."""
"""In a game that has just been dealt or loaded, or that is over: only its rows are written."""


class BatchArrays:
    """What a batch writes, a row for each game: all arrays are contiguous, and stay the same objects."""

    def __init__(self, games: int, players: int) -> None:
        self.observations: Final[NDArray[np.uint8]] = np.zeros((games, size(players)), np.uint8)
        self.masks: Final[NDArray[np.uint8]] = np.zeros((games, ACTIONS), np.uint8)
        self.seats: Final[NDArray[np.uint8]] = np.zeros(games, np.uint8)
        self.scores: Final[NDArray[np.int32]] = np.zeros((games, players), np.int32)


Bots = Mapping[int, PlayoutBot]
"""House bots by their seats."""


class Batch(Protocol):
    """Games that write into BatchArrays; games are numbered from 0, actions and observations are those of the tables.

    A game that is over has seat 0 and rows of zeros, and its final scores.
    """

    def deal(self, at: int, deck: tuple[Card, ...]) -> None:
        """A new game with this deck."""

    def step(self, actions: NDArray[np.int64]) -> None:
        """An action for each game, or NO_ACTION; ValueError when a mask does not allow one."""

    def save(self, at: int) -> str:
        """This game as it was when the seat that is asked began its draft."""

    def load(self, at: int, saved: str) -> None:
        """The game that a batch of this kind has saved so; ValueError when this is none."""


class PythonBatch:
    """The batch in Python."""

    def __init__(self, arrays: BatchArrays, bots: Bots) -> None:
        self._arrays: Final = arrays
        self._bots: Final = bots
        self._players: Final = arrays.scores.shape[1]
        self._games: Final[list[DraftedGame | None]] = [None] * len(arrays.seats)

    def deal(self, at: int, deck: tuple[Card, ...]) -> None:
        self._games[at] = DraftedGame(new_game(seat_names(self._players), deck))

    def step(self, actions: NDArray[np.int64]) -> None:
        taken = actions.tolist()
        for at, action in enumerate(taken):
            game = self._games[at]
            if action != NO_ACTION and not (game is not None and 0 <= action < ACTIONS and game.allows(action)):
                raise ValueError(f"action {action} may not come next in game {at}")
        for at, (game, action) in enumerate(zip(self._games, taken, strict=True)):
            if game is not None:
                if action != NO_ACTION:
                    game.step(action)
                while game.seat in self._bots:
                    game.answer(self._move(game))
                self._write(at, game)

    def save(self, at: int) -> str:
        game = self._games[at]
        return "" if game is None else position_text(game.game)

    def load(self, at: int, saved: str) -> None:
        game = position_from(saved)
        if len(game.names) != self._players:
            raise ValueError(f"a game of {len(game.names)} among games of {self._players}")
        self._games[at] = DraftedGame(game)

    def _move(self, game: DraftedGame) -> Move:
        asked = request(game.game, game.seat)
        bot = self._bots[game.seat]
        return bot.feed(asked) if isinstance(asked, Feed) else bot.choose(asked)

    def _write(self, at: int, game: DraftedGame) -> None:
        arrays = self._arrays
        arrays.seats[at] = game.seat
        arrays.scores[at] = game.scores
        arrays.masks[at] = np.frombuffer(game.mask(game.seat), np.uint8)
        arrays.observations[at] = np.frombuffer(game.observation(game.seat), np.uint8)


class KernelBatch:
    """The batch in the kernel, which is C and needs no copy of the arrays."""

    def __init__(self, arrays: BatchArrays, games: "FlatGames", bots: Bots) -> None:
        self._arrays: Final = arrays
        self._players: Final = arrays.scores.shape[1]
        self._games: Final = games
        policies = [_policy(bots[seat]) if seat in bots else Policy(LEARNER) for seat in range(1, self._players + 1)]
        self._table: Final = PolicyTable(policies)

    def deal(self, at: int, deck: tuple[Card, ...]) -> None:
        self._games.deal(at, deck, self._players, 0)

    def step(self, actions: NDArray[np.int64]) -> None:
        arrays, table = self._arrays, self._table
        rows = (arrays.observations, arrays.masks, arrays.seats, arrays.scores)
        self._games.step(actions, *rows, table.rows, table.tastes, table.dice)

    def save(self, at: int) -> str:
        return json.dumps(self._games.save(at))

    def load(self, at: int, saved: str) -> None:
        numbers = msgspec.json.decode(saved, type=list[int])
        self._games.load(at, numbers)
        queue = 4 + numbers[3]  # behind the cards left, as kernel/positions.py has it; then come the players
        if (players := numbers[queue + 1 + numbers[queue]]) != self._players:
            raise ValueError(f"a game of {players} among games of {self._players}")


def batch(arrays: BatchArrays, kernel: bool | None, bots: Mapping[int, str]) -> Batch:
    """The kernel's batch if it is there, the one in Python if not; with True or False this one and no other."""
    seated = {seat: _bot(seat, name, arrays.scores.shape[1]) for seat, name in bots.items()}
    if len(seated) == arrays.scores.shape[1]:
        raise ValueError("bots on all seats, but one must be left to the learner")
    if kernel and native.FLAT_GAMES is None:
        raise ImportError("the kernel is not compiled here")
    unknown = [bots[seat] for seat, bot in seated.items() if bot.kernel_policy() is None]
    if kernel and unknown:
        raise ValueError(f"the kernel does not know {unknown[0]}")
    if native.FLAT_GAMES is None or kernel is False or unknown:
        return PythonBatch(arrays, seated)
    return KernelBatch(arrays, native.FLAT_GAMES(len(arrays.seats)), seated)


def _bot(seat: int, name: str, players: int) -> PlayoutBot:
    """A house bot that plays alike in the kernel and in Python, whatever the order of the games."""
    if not 1 <= seat <= players:
        raise ValueError(f"a bot on seat {seat} of {players}")
    bot = named(name, "")
    if name not in IN_BATCHES or not isinstance(bot, PlayoutBot):
        raise ValueError(f"{name} cannot play in a batch; there can: {', '.join(IN_BATCHES)}")
    return bot


def _policy(bot: PlayoutBot) -> Policy:
    policy = bot.kernel_policy()
    assert policy is not None
    return policy
