"""The decisions of a network: a score for each action that a mask allows, in Python or by the kernel.

Laws: both add and multiply the same numbers in the same order, so they find the same scores to the last bit.
"""

from array import array
from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from math import exp
from random import Random
from typing import Final

from wateringhole.cards import DECK
from wateringhole.env import actions as act
from wateringhole.env import observations as obs
from wateringhole.env.actions import ACTIONS, MAX_BOARDS, Stage
from wateringhole.kernel import native
from wateringhole.learned import layout as lay
from wateringhole.learned.weights import Layer, Network
from wateringhole.species import MAX_TRAITS
from wateringhole.traits import Trait

Row = bytes | bytearray

_TRAIT: Final = [sorted(Trait).index(card.trait) for card in DECK]
_FOOD: Final = [card.food * lay.FOOD_SCALE for card in DECK]
_SIZES: Final = {row.first: row.size for row in act.TABLE}
_NO_KIND: Final = -1


class Decider:
    """A network that decides. `temperature`: 0 takes the best action; above, better ones are likelier."""

    def __init__(self, network: Network, temperature: float = 0.0, seed: str = "") -> None:
        self._network: Final = network
        self._scores: Final = array("d", [0.0] * (ACTIONS + 1))
        self._temperature: Final = temperature
        self._dice: Final = Random(seed)

    def action(self, observation: Row, mask: Row) -> int:
        """What to do next."""
        if self._temperature:
            return self.drawn(observation, mask, self._temperature, self._dice.random())[0]
        scores = self.scores(observation, mask)
        return max([action for action in range(ACTIONS) if mask[action]], key=scores.__getitem__)

    def drawn(self, observation: Row, mask: Row, temperature: float, draw: float | None) -> tuple[int, float]:
        """An action, the better the likelier, which `draw` decides, a number from 0 to 1, or without it the best; and
        how probable it was.
        """
        scores = self.scores(observation, mask)
        allowed = [action for action in range(ACTIONS) if mask[action]]
        best = max(allowed, key=scores.__getitem__)
        odds = [exp((scores[action] - scores[best]) / temperature) for action in allowed]
        passed = list(accumulate(odds))
        at = allowed.index(best) if draw is None else bisect(passed, draw * passed[-1], 0, len(passed) - 1)
        return allowed[at], odds[at] / passed[-1]

    def scores(self, observation: Row, mask: Row) -> Sequence[float]:
        """For each action that the mask allows its score, 0 for the others; behind them the value."""
        if native.NETWORK_SCORES is None:
            return python_scores(self._network, observation, mask)
        first, second, _ = self._network.layers
        numbers = self._network.numbers
        native.NETWORK_SCORES(first.outputs, second.outputs, numbers, observation, mask, self._scores)
        return self._scores


def python_scores(network: Network, observation: Row, mask: Row) -> list[float]:
    """The same without the kernel."""
    seen = inputs(observation)
    first, second, third = network.layers
    out = _passed(_cut(_passed(_cut(_passed(seen, first)), second)), third)
    found = [_score(observation, seen, out, action) if mask[action] else 0.0 for action in range(ACTIONS)]
    return [*found, out[lay.OUT_VALUE]]


def _passed(seen: list[float], layer: Layer) -> list[float]:
    out = list(layer.biases)
    for number, row in zip(seen, layer.rows, strict=True):
        if number:
            out = [total + number * weight for total, weight in zip(out, row, strict=False)]
    return out


def _cut(numbers: list[float]) -> list[float]:
    return [number if number > 0 else 0.0 for number in numbers]


# What the network reads.


def _board(row: Row, at: int) -> list[float]:
    """The description of the board that is written there."""
    found = [0.0] * lay.BOARD
    found[0] = float(row[at] > 0)
    for figure in range(obs.BOARD_TRAITS):
        found[1 + figure] = row[at + figure] * lay.FIGURE_SCALE
    found[5] = float(row[at] > row[at + 2])
    for trait in row[at + obs.BOARD_TRAITS : at + obs.BOARD_SIZE]:
        if trait:
            found[lay.FIGURES + trait - 1] += 1
    return found


def _boards(row: Row, at: int) -> list[list[float]]:
    """The descriptions of a player's boards; they are written from the left, without gaps."""
    places = range(at, at + obs.BOARDS_SIZE, obs.BOARD_SIZE)
    return [_board(row, place) for place in places if row[place]]


def _sum(boards: list[list[float]], scale: float) -> list[float]:
    return [sum(parts) * scale for parts in zip(*boards, strict=True)] if boards else [0.0] * lay.BOARD


def _opponent(row: Row, at: int, boards: list[list[float]]) -> list[float]:
    return [*_sum(boards, lay.OTHERS_SCALE), row[at] * lay.CARDS_SCALE]


def _kind(action: int) -> int:
    for kind, first in enumerate(lay.VERBS):
        if first <= action < first + _SIZES[first]:
            return kind
    return _NO_KIND


def inputs(row: Row) -> list[float]:
    """What the network reads of an observation."""
    found = [0.0] * lay.INPUTS
    verb, latest = row[obs.VERB], _kind(row[obs.LATEST])
    kind = _kind(verb)
    found[lay.IN_STAGE + row[obs.STAGE]] = 1.0
    if kind != _NO_KIND:
        found[lay.IN_VERB + kind] = 1.0
    if 0 <= latest < len(lay.USES):
        found[lay.IN_LATEST + latest] = 1.0
    found[lay.IN_PAID] = row[obs.PAID] * lay.PLACE_SCALE
    if row[obs.FOOD]:
        found[lay.IN_FOOD : lay.IN_HEAD] = 1.0, _FOOD[row[obs.FOOD] - 1]
    for at, scale in enumerate(lay.HEAD_SCALES):
        found[lay.IN_HEAD + at] = row[obs.TURN + at] * scale
    for card in range(len(DECK)):
        if row[obs.HAND + card]:
            found[lay.IN_HAND_FOOD] += _FOOD[card] * lay.HAND_SCALE
            found[lay.IN_HAND + _TRAIT[card]] += lay.HAND_SCALE
    own = _boards(row, obs.OWN)
    found[lay.IN_OWN_SUM : lay.IN_OTHERS_SUM] = _sum(own, lay.OWN_SCALE)
    for place, board in enumerate(own):
        at = lay.IN_OWN + place * lay.BOARD
        found[at : at + lay.BOARD] = board
    if verb == act.TRAIT:
        found[lay.IN_FOCUS : lay.IN_OWN_SUM] = own[-1]
    elif verb >= act.REPLACE and kind != _NO_KIND:
        place = (verb - lay.VERBS[kind]) // (MAX_TRAITS if lay.VERBS[kind] == act.REPLACE else 1)
        found[lay.IN_FOCUS : lay.IN_OWN_SUM] = own[place]
    if act.REPLACE <= verb < act.POPULATION and (replaced := _replaced(row, verb)):
        found[lay.IN_REPLACED + replaced - 1] = 1.0
    _add_opponents(row, found)
    return found


def _replaced(row: Row, action: int) -> int:
    """The number of the trait that this action replaces."""
    board, slot = divmod(action - act.REPLACE, MAX_TRAITS)
    return row[obs.OWN + board * obs.BOARD_SIZE + obs.BOARD_TRAITS + slot]


def _add_opponents(row: Row, found: list[float]) -> None:
    hunters = [0.0] * lay.BOARD
    for at in range(obs.OTHERS, len(row), obs.OTHER_SIZE):
        boards = _boards(row, at + 2)
        for part, number in enumerate(_opponent(row, at, boards), lay.IN_OTHERS_SUM):
            found[part] += number
        for board in boards:
            if board[lay.FIGURES + lay.CARNIVORE - 1]:
                hunters = [max(pair) for pair in zip(hunters, board, strict=True)]
    found[lay.IN_HUNTERS : lay.IN_OWN] = hunters


# What it says.


def _product(query: Sequence[float], description: list[float]) -> float:
    found = 0.0
    for weight, number in zip(query, description, strict=True):
        if number:
            found += weight * number
    return found


def _score(row: Row, seen: list[float], out: list[float], action: int) -> float:
    """The score of an action that may come next."""
    if action < act.DONE:
        query = out[lay.OUT_CARD : lay.OUT_BOARD]
        by_food = query[lay.TRAITS] * _FOOD[action]
        return query[_TRAIT[action]] + by_food + query[lay.TRAITS + 1] * (action * lay.PLACE_SCALE)
    if action < act.REPLACE:
        return out[lay.OUT_DONE + action - act.DONE]
    if action < act.POPULATION:
        found = _of_board(seen, out, lay.REPLACE_QUERY, (action - act.REPLACE) // MAX_TRAITS)
        replaced = _replaced(row, action)
        return found + out[lay.OUT_REPLACED + replaced - 1] if replaced else found
    if action == act.DECLINE:
        return out[lay.OUT_DECLINE]
    if action < act.TOKENS:
        return _of_board(seen, out, *divmod(action - act.POPULATION - (action > act.DECLINE), MAX_BOARDS))
    if action < act.OPPONENT:
        return out[lay.OUT_TOKENS + action - act.TOKENS]
    if action < act.TARGET:
        at = obs.OTHERS + (action - act.OPPONENT) * obs.OTHER_SIZE
        return _product(out[lay.OUT_OPPONENT : lay.OUT_TARGET], _opponent(row, at, _boards(row, at + 2)))
    assert row[obs.STAGE] == Stage.TARGET
    prey = obs.OTHERS + (row[obs.OPPONENT] - 1) * obs.OTHER_SIZE + 2
    return _product(out[lay.OUT_TARGET :], _board(row, prey + (action - act.TARGET) * obs.BOARD_SIZE))


def _of_board(seen: list[float], out: list[float], query: int, board: int) -> float:
    at, place = lay.OUT_BOARD + query * lay.BOARD, lay.IN_OWN + board * lay.BOARD
    return _product(out[at : at + lay.BOARD], seen[place : place + lay.BOARD])
