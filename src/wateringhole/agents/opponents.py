"""Guesses how the others play: which of a few bots would leave boards and hands such as theirs.

Laws: only what the seat is shown counts. Every other seat is guessed on its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from wateringhole.agents.lookahead import GREEDY, MODELS, NETWORK, SILLY, Lookahead
from wateringhole.dealer import MAX_PLAYERS
from wateringhole.game import Game
from wateringhole.moves import CardPlay
from wateringhole.species import Species
from wateringhole.view import Choose

Figures = tuple[int, int, int]
"""A player when a turn begins: its boards, its traits, its cards."""

UNKNOWN: Final = {NETWORK: 0.15, GREEDY: 0.83, SILLY: 0.02}
"""How likely the bots are before anything is seen: in the first turn most players feed what they have, as greedy does,
and few let it die out for new cards, as the champion does.
"""
LIKENESS: Final = 0.4
"""What a board, trait or card more or less leaves of the likeness of two players."""
DOUBT: Final = 0.003
"""The likeness to a bot that never looks like this."""
GOLDEN: Final = 0.6180339887498949
"""Multiples of it, without their whole parts, are spread evenly from 0 to 1."""


class OpponentGuess:
    """How much each bot is believed to sit on each other seat. Bots are told by their numbers in `lookahead`."""

    def __init__(self) -> None:
        self._weights: dict[int, dict[int, float]] = {}
        self._expected: dict[int, dict[int, list[Figures]]] = {}

    def see(self, request: Choose) -> None:
        """Compare the others at the beginning of a turn with what was expected."""
        if request.turn == 1:
            self._weights.clear()
            self._expected.clear()
        for other in (*request.before, *request.after):
            seen = _figures(other.species, other.cards)
            weights = self._weights.setdefault(other.seat, dict(UNKNOWN))
            for model, expected in self._expected.get(other.seat, {}).items():
                weights[model] *= DOUBT + sum([_likeness(seen, figures) for figures in expected]) / len(expected)
        self._expected.clear()

    def expect(self, look: Lookahead, worlds: Iterator[Game], play: CardPlay, tries: int) -> None:
        """Play this turn after the own play, in so many worlds with each of the bots on all other seats."""
        for _ in range(tries):
            world = next(worlds)
            for model in MODELS:
                look.enter(world, [model] * MAX_PLAYERS)
                after = look.after(play)
                if after.phase == "over":
                    continue
                for player in after.row:
                    expected = self._expected.setdefault(player.seat, {model: [] for model in MODELS})
                    expected[model].append(_figures(player.species, len(player.hand)))
        self._expected = {seat: expected for seat, expected in self._expected.items() if all(expected.values())}

    def models(self, number: int) -> list[int]:
        """Who plays on each seat in the world of this number: over many worlds each bot as often as it is believed."""
        at = number * GOLDEN % 1.0
        return [_at(self._weights.get(seat, UNKNOWN), at) for seat in range(1, MAX_PLAYERS + 1)]


def _figures(species: Sequence[Species], cards: int) -> Figures:
    return len(species), sum([len(board.traits) for board in species]), cards


def _likeness(one: Figures, other: Figures) -> float:
    return LIKENESS ** sum([abs(mine - yours) for mine, yours in zip(one, other, strict=True)])


def _at(weights: Mapping[int, float], at: float) -> int:
    """The bot that this part of the sum of the weights, one after the other, leads to."""
    left = at * sum(weights.values())
    for model, weight in weights.items():
        if left < weight:
            return model
        left -= weight
    return GREEDY
