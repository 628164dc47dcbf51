"""Games in one block of memory. Positions are lists of numbers as `positions.py` writes them, moves as `packed.py`.

A table of policies is three buffers, as `policy.PolicyTable` has them: rows, tastes, and dice, which change.
"""

from collections.abc import Sequence
from typing import final

from typing_extensions import Buffer

from wateringhole.cards import Card

TABLES: tuple[object, ...]
"""What the kernel was written for, as `native.tables` gives it."""

def know_cards(deck: tuple[Card, ...], /) -> None:
    """These are the cards, in the order of the sorted deck."""

def network_inputs(width: int, observations: object, inputs: object, /) -> None:
    """Fill the float32 rows of `inputs`, one for each observation of so many bytes; ValueError when one is none."""

def network_scores(
    first: int, second: int, numbers: Buffer, observation: Buffer, mask: Buffer, scores: Buffer, /
) -> None:
    """Fill `scores`, 249 doubles: for each action that the mask allows its score, 0 for the others, and the value.

    `first` and `second` are the sizes of the hidden layers, `numbers` the weights and biases in the order of the file,
    as single floats.
    """

@final
class FlatGames:
    """So many games, numbered from 0, at first over and without players."""

    def __new__(cls, count: int = 1) -> FlatGames: ...
    def __len__(self) -> int: ...
    def deal(self, at: int, deck: bytes | Sequence[Card], players: int, watering_hole: int, /) -> None:
        """A new game, whose first turn has begun."""

    def load(self, at: int, numbers: list[int], /) -> None:
        """The game that these numbers tell; ValueError when the kernel cannot play it."""

    def save(self, at: int, /) -> list[int]:
        """The game as numbers."""

    def copy(self, at: int, source: int, /) -> None:
        """One game becomes like another."""

    def refusal(self, at: int, move: list[int], /) -> str | None:
        """The rule that this move of a seat that is asked would break, or None."""

    def answer(self, at: int, move: list[int], /) -> None:
        """Move the game on by one move; ValueError when it is illegal."""

    def go_on(self, at: int, /) -> None:
        """If feeding or the turn is over, on to the next turn or to the end."""

    def decide(self, at: int, table: bytes, tastes: Buffer, dice: Buffer, /) -> list[int]:
        """The move that its policy makes for the first seat that is asked."""

    def choose_others(self, at: int, seat: int, table: bytes, tastes: Buffer, dice: Buffer, /) -> None:
        """If this seat is asked for its card play, all others that are asked choose theirs."""

    def play_out(self, at: int, table: bytes, tastes: Buffer, dice: Buffer, /) -> tuple[int, ...]:
        """Play a game to its end; the scores by seat."""

    def use_network(self, first: int, second: int, numbers: Buffer, /) -> None:
        """The network of policies and drafts from now on, as `network_scores` takes it."""

    def draft(self, at: int, seat: int, temperature: float, draws: Buffer, /) -> tuple[float, list[int]]:
        """A move that the network drafts for a seat that is asked, and how probable it was.

        Each action is drawn with the next of `draws`, doubles from 0 to 1, of which there must be enough: 3 for a
        feeding, 2 for each card of the hand. If there are none, each action is the best.
        """

    def play_turn(
        self, at: int, seat: int, turn: int, table: bytes, tastes: Buffer, dice: Buffer, /
    ) -> tuple[int, ...] | float:
        """Play a game to the end of this turn; the scores by seat if it is over then, else its value to this seat."""

    def play(
        self,
        at: int,
        deck: bytes | Sequence[Card],
        players: int,
        watering_hole: int,
        table: bytes,
        tastes: Buffer,
        dice: Buffer,
        /,
    ) -> tuple[int, ...]:
        """Deal a game and play it to its end; the scores by seat."""

    def step(
        self,
        actions: object,
        observations: object,
        masks: object,
        asked: object,
        scores: object,
        table: bytes,
        tastes: Buffer,
        dice: Buffer,
        /,
    ) -> None:
        """One drafted action in each game; bots move until a learner is asked; the rows of all games are written.

        The arrays are contiguous buffers, which the types of numpy do not tell. For n games of p seats: `actions` are n
        int64, -1 for none, such as in a game that was just dealt or is over; `observations` and `masks` are n rows of
        uint8; `asked` is n uint8, the seat that drafts, or 0 when the game is over; `scores` are n rows of p int32,
        written when a move is complete. ValueError when a mask forbids an action; then nothing has changed.
        """
