"""The decisions of a network: a score for each action that a mask allows, in Python or by the kernel.

Laws: both add and multiply the same numbers in the same order, so they find the same scores to the last bit.
"""

from array import array
from collections.abc import Sequence
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
_KINDS: Final = (act.NEW_BOARD, act.TRAIT, act.REPLACE, act.POPULATION, act.BODY, act.STORE, act.ATTACK)
_SIZES: Final = {row.first: row.size for row in act.TABLE}
_NO_KIND: Final = -1


class Decider:
    """A network that decides. `temperature`: 0 takes the best action; above, better ones are likelier."""

    def __init__(self, network: Network, temperature: float = 0.0, seed: str = "", kernel: bool = True) -> None:
        self._layers: Final = network
        self._rows: Final = [_rows(layer) for layer in network]
        self._scores: Final = array("d", [0.0] * (ACTIONS + 1))
        numbers = [number for layer in network for part in (layer.weights, layer.biases) for number in part]
        self._numbers: Final = array("d", numbers)
        self._in_kernel: Final = kernel and native.NETWORK_SCORES is not None
        self._temperature: Final = temperature
        self._dice: Final = Random(seed)

    def action(self, observation: Row, mask: Row) -> int:
        """What to do next."""
        scores = self.scores(observation, mask)
        allowed = [action for action in range(ACTIONS) if mask[action]]
        best = max(allowed, key=scores.__getitem__)
        if not self._temperature:
            return best
        odds = [exp((scores[action] - scores[best]) / self._temperature) for action in allowed]
        return self._dice.choices(allowed, odds)[0]

    def scores(self, observation: Row, mask: Row) -> Sequence[float]:
        """For each action that the mask allows its score, 0 for the others; behind them the value."""
        if self._in_kernel and native.NETWORK_SCORES is not None:
            first, second, _ = self._layers
            native.NETWORK_SCORES(first.outputs, second.outputs, self._numbers, observation, mask, self._scores)
            return self._scores
        seen = inputs(observation)
        hidden = _cut(_layer(seen, self._rows[0], self._layers[0].biases))
        hidden = _cut(_layer(hidden, self._rows[1], self._layers[1].biases))
        out = _layer(hidden, self._rows[2], self._layers[2].biases)
        found = [_score(observation, seen, out, action) if mask[action] else 0.0 for action in range(ACTIONS)]
        return [*found, out[lay.OUT_VALUE]]


def _rows(layer: Layer) -> list[tuple[float, ...]]:
    size = layer.outputs
    return [layer.weights[at * size : (at + 1) * size] for at in range(layer.inputs)]


def _layer(seen: list[float], rows: list[tuple[float, ...]], biases: tuple[float, ...]) -> list[float]:
    out = list(biases)
    for number, row in zip(seen, rows, strict=True):
        if number:
            out = [sum_ + number * weight for sum_, weight in zip(out, row, strict=True)]
    return out


def _cut(numbers: list[float]) -> list[float]:
    return [number if number > 0 else 0.0 for number in numbers]


# What the network reads.


def _board(row: Row, at: int) -> list[float]:
    """The description of the board that is written there."""
    found = [0.0] * lay.BOARD
    found[0] = float(row[at] > 0)
    for figure in range(4):
        found[1 + figure] = row[at + figure] * lay.FIGURE_SCALE
    found[5] = float(row[at] > row[at + 2])
    for trait in row[at + 4 : at + obs.BOARD_SIZE]:
        if trait:
            found[lay.FIGURES + trait - 1] += 1
    return found


def _boards(row: Row, at: int) -> list[list[float]]:
    return [_board(row, at + place * obs.BOARD_SIZE) for place in range(MAX_BOARDS)]


def _opponent(row: Row, at: int) -> list[float]:
    sums = [sum(parts) * lay.OTHERS_SCALE for parts in zip(*_boards(row, at + 2), strict=True)]
    return [*sums, row[at] * lay.CARDS_SCALE]


def _kind(action: int) -> int:
    for kind, first in enumerate(_KINDS):
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
    if 0 <= latest < lay.USES:
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
    found[lay.IN_OWN_SUM : lay.IN_OTHERS_SUM] = [sum(parts) * lay.OWN_SCALE for parts in zip(*own, strict=True)]
    found[lay.IN_OWN :] = [part for board in own for part in board]
    if verb == act.TRAIT:
        found[lay.IN_FOCUS : lay.IN_OWN_SUM] = own[min(row[obs.BOARDS], MAX_BOARDS) - 1]
    elif verb == act.REPLACE or (kind != _NO_KIND and verb > act.REPLACE):
        place = (verb - _KINDS[kind]) // (MAX_TRAITS if _KINDS[kind] == act.REPLACE else 1)
        found[lay.IN_FOCUS : lay.IN_OWN_SUM] = own[place]
    if act.REPLACE <= verb < act.POPULATION and (replaced := _replaced(row, verb)):
        found[lay.IN_REPLACED + replaced - 1] = 1.0
    _add_opponents(row, found)
    return found


def _replaced(row: Row, action: int) -> int:
    """The number of the trait that this action replaces."""
    board, slot = divmod(action - act.REPLACE, MAX_TRAITS)
    return row[obs.OWN + board * obs.BOARD_SIZE + 4 + slot]


def _add_opponents(row: Row, found: list[float]) -> None:
    hunters = [0.0] * lay.BOARD
    for at in range(obs.OTHERS, len(row), obs.OTHER_SIZE):
        for part, number in enumerate(_opponent(row, at), lay.IN_OTHERS_SUM):
            found[part] += number
        for board in _boards(row, at + 2):
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
        found = _of_board(seen, out, 5, (action - act.REPLACE) // MAX_TRAITS)
        replaced = _replaced(row, action)
        return found + out[lay.OUT_REPLACED + replaced - 1] if replaced else found
    if action == act.DECLINE:
        return out[lay.OUT_DECLINE]
    if action < act.TOKENS:
        return _of_board(seen, out, *divmod(action - act.POPULATION - (action > act.DECLINE), MAX_BOARDS))
    if action < act.OPPONENT:
        return out[lay.OUT_TOKENS + action - act.TOKENS]
    if action < act.TARGET:
        other = _opponent(row, obs.OTHERS + (action - act.OPPONENT) * obs.OTHER_SIZE)
        return _product(out[lay.OUT_OPPONENT : lay.OUT_TARGET], other)
    assert row[obs.STAGE] == Stage.TARGET
    prey = obs.OTHERS + (row[obs.OPPONENT] - 1) * obs.OTHER_SIZE + 2
    return _product(out[lay.OUT_TARGET :], _board(row, prey + (action - act.TARGET) * obs.BOARD_SIZE))


def _of_board(seen: list[float], out: list[float], query: int, board: int) -> float:
    at, place = lay.OUT_BOARD + query * lay.BOARD, lay.IN_OWN + board * lay.BOARD
    return _product(out[at : at + lay.BOARD], seen[place : place + lay.BOARD])
