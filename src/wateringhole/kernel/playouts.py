"""Whole games and turns by the kernel, for `simulate`, `play_out` and the sage.

Laws: each of these plays as Python would, or says that it cannot; then nothing has changed, and Python has to play.
"""

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, final

from wateringhole.cards import Card
from wateringhole.game import Game
from wateringhole.kernel import native
from wateringhole.kernel.policy import Policy, PolicyTable
from wateringhole.kernel.positions import position, restore
from wateringhole.moves import Move
from wateringhole.packed import packed_replies

if TYPE_CHECKING:
    from wateringhole.kernel._kernel import FlatGames

_WORLD: Final = 0
_TRIAL: Final = 1


def kernel_playouts(policies: Sequence[Policy | None]) -> "KernelPlayouts | None":
    """Playouts with these policies on seats 1, 2, ...; None without a kernel, or where it does not know one of them."""
    if native.FLAT_GAMES is None:
        return None
    known: list[Policy] = []
    for policy in policies:
        if policy is None:
            return None
        known.append(policy)
    return KernelPlayouts(native.FLAT_GAMES(2), known)


@final
class KernelPlayouts:
    """Games that the kernel plays to their ends; from `begin` to `end` it has the dice of the policies."""

    def __init__(self, games: "FlatGames", policies: list[Policy]) -> None:
        self._games: Final = games
        self._table: Final = PolicyTable(policies)
        self._seats: Final = len(policies)
        self._turn = 0
        for policy in policies:
            if policy.network is not None:
                games.use_network(*policy.network)

    def begin(self) -> None:
        """The kernel draws on from where the bots' generators stand."""
        self._table.read_dice()

    def end(self) -> None:
        """The bots' generators stand where the kernel has left off."""
        self._table.write_dice()

    def play(self, deck: bytes | Sequence[Card], watering_hole: int) -> tuple[int, ...] | None:
        """The scores of a whole game, by seat."""
        table = self._table
        try:
            return self._games.play(_TRIAL, deck, self._seats, watering_hole, table.rows, table.tastes, table.dice)
        except (ValueError, TypeError):
            return None

    def play_out(self, game: Game) -> bool:
        """Play this game to its end, if the kernel can; with `begin` and `end`."""
        table = self._table
        try:
            self._games.load(_TRIAL, position(game))
            self.begin()
            self._games.play_out(_TRIAL, table.rows, table.tastes, table.dice)
        except ValueError:
            return False
        self.end()
        restore(game, self._games.save(_TRIAL))
        return True

    def load(self, game: Game) -> bool:
        """Make this the game from which `after` plays on, if the kernel can."""
        try:
            self._games.load(_WORLD, position(game))
            self._turn = game.turn
        except ValueError:
            return False
        return True

    def after(self, move: list[int]) -> tuple[int, ...]:
        """The scores by seat if the loaded game goes on with this move, as `packed_move` writes it; ValueError if it is
        illegal.
        """
        table = self._table
        self._games.copy(_TRIAL, _WORLD)
        self._games.answer(_TRIAL, move)
        return self._games.play_out(_TRIAL, table.rows, table.tastes, table.dice)

    def choose_others(self, seat: int) -> None:
        """If this seat has to choose its cards in the loaded game, all others choose theirs."""
        table = self._table
        self._games.choose_others(_WORLD, seat, table.rows, table.tastes, table.dice)

    def draft(self, seat: int, temperature: float, draws: "array[float]") -> tuple[float, list[int]]:
        """A move that the network drafts for this seat in the loaded game, with these numbers from 0 to 1, and how
        probable it was; without numbers the best one.
        """
        return self._games.draft(_WORLD, seat, temperature, draws)

    def turn_after(self, move: list[int], seat: int) -> tuple[int, ...] | float:
        """The same as `after`, but only to the end of the turn: the scores if the game is over then, else what the
        network thinks that it is worth to this seat.
        """
        table = self._table
        self._games.copy(_TRIAL, _WORLD)
        self._games.answer(_TRIAL, move)
        return self._games.play_turn(_TRIAL, seat, self._turn, table.rows, table.tastes, table.dice)

    def restore(self, game: Game) -> None:
        """Put this copy of the loaded game where the last trial has led."""
        restore(game, self._games.save(_TRIAL))


def packed_move(seat: int, move: Move) -> list[int]:
    """The move of this seat as the kernel takes it."""
    return packed_replies(((seat, move),))[0]
