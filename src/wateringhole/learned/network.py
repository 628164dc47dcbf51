"""The network in numpy, for many observations at once, with its gradient: for learning."""

from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wateringhole.cards import DECK
from wateringhole.env import actions as act
from wateringhole.env import observations as obs
from wateringhole.env.actions import ACTIONS, MAX_BOARDS, Stage
from wateringhole.kernel import native
from wateringhole.learned import layout as lay
from wateringhole.learned.weights import Layer, Network
from wateringhole.species import MAX_TRAITS
from wateringhole.traits import Trait

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]
Weights = dict[str, Floats]

FORBIDDEN: Final = np.float32(-1e9)

_TRAITS: Final = np.vstack([np.zeros((1, lay.TRAITS)), np.eye(lay.TRAITS)]).astype(np.float32)  # number 0: none
_ORDER: Final = sorted(Trait)
_CARDS: Final = np.array(
    [
        [*(card.trait is trait for trait in _ORDER), card.food * lay.FOOD_SCALE, card.order * lay.PLACE_SCALE]
        for card in DECK
    ],
    np.float32,
)
_HEAD: Final = np.array(lay.HEAD_SCALES, np.float32)
_FOODS: Final = np.array([0, *(card.food for card in DECK)], np.float32) * np.float32(lay.FOOD_SCALE)


def _kinds(firsts: tuple[int, ...]) -> Floats:
    """For each action id the row of a 1 at its kind; id 0 has none."""
    found = np.zeros((ACTIONS, len(firsts)), np.float32)
    for at, (first, size) in enumerate((row.first, row.size) for row in act.TABLE if row.first in firsts):
        found[first : first + size, at] = 1
    return found


_VERB: Final = _kinds(lay.VERBS)
_LATEST: Final = _kinds(lay.USES)


def new_weights(hidden: tuple[int, int], dice: np.random.Generator) -> Weights:
    """Random weights of three layers; the last one is small, so that at first all actions are about equally likely."""
    sizes = (lay.INPUTS, *hidden, lay.OUTPUTS)
    found: Weights = {}
    for at, (before, after) in enumerate(pairwise(sizes), 1):
        scale = np.sqrt((0.01 if at == len(hidden) + 1 else 2) / before)
        found[f"w{at}"] = (dice.standard_normal((before, after)) * scale).astype(np.float32)
        found[f"b{at}"] = np.zeros(after, np.float32)
    return found


def weights_of(network: Network) -> Weights:
    """The weights of a file, as arrays."""
    found: Weights = {}
    for at, layer in enumerate(network.layers, 1):
        found[f"w{at}"] = np.array(layer.rows, np.float32)
        found[f"b{at}"] = np.array(layer.biases, np.float32)
    return found


def network_of(weights: Weights) -> Network:
    """The same weights for a file."""

    def layer(at: int) -> Layer:
        return Layer(tuple(map(tuple, weights[f"w{at}"].tolist())), tuple(weights[f"b{at}"].tolist()))

    return Network((layer(1), layer(2), layer(3)))


def boards(written: Bytes) -> Floats:
    """The descriptions of boards, which are the last axis of what is written."""
    found = np.empty((*written.shape[:-1], lay.BOARD), np.float32)
    found[..., 0] = written[..., 0] > 0
    found[..., 1:5] = written[..., : obs.BOARD_TRAITS]
    found[..., 1:5] *= np.float32(lay.FIGURE_SCALE)
    found[..., 5] = written[..., 0] > written[..., 2]
    found[..., lay.FIGURES :] = _TRAITS[written[..., obs.BOARD_TRAITS]]
    for place in range(obs.BOARD_TRAITS + 1, obs.BOARD_SIZE):
        found[..., lay.FIGURES :] += _TRAITS[written[..., place]]
    return found


def _own(rows: Bytes) -> Bytes:
    return rows[:, obs.OWN : obs.OTHERS].reshape(len(rows), MAX_BOARDS, obs.BOARD_SIZE)


def opponents(rows: Bytes) -> tuple[Floats, Floats]:
    """The descriptions of all opponents, and of their boards."""
    written = rows[:, obs.OTHERS :].reshape(len(rows), (rows.shape[1] - obs.OTHERS) // obs.OTHER_SIZE, obs.OTHER_SIZE)
    each = boards(written[:, :, 2:].reshape(*written.shape[:2], MAX_BOARDS, obs.BOARD_SIZE))
    found = np.empty((*written.shape[:2], lay.OPPONENT), np.float32)
    found[..., : lay.BOARD] = each.sum(axis=2)
    found[..., : lay.BOARD] *= np.float32(lay.OTHERS_SCALE)
    found[..., lay.BOARD] = written[:, :, 0] * np.float32(lay.CARDS_SCALE)
    return found, each


def inputs(rows: Bytes) -> Floats:
    """What the network reads, a row for each observation."""
    if native.NETWORK_INPUTS is None:
        return numpy_inputs(rows)
    found = np.empty((len(rows), lay.INPUTS), np.float32)
    native.NETWORK_INPUTS(rows.shape[1], np.ascontiguousarray(rows), found)
    return found


def numpy_inputs(rows: Bytes) -> Floats:
    """The same without the kernel, which takes ten times as long."""
    count = len(rows)
    every = np.arange(count)
    found = np.zeros((count, lay.INPUTS), np.float32)
    stages, verbs = rows[:, obs.STAGE], rows[:, obs.VERB].astype(np.intp)
    found[every, lay.IN_STAGE + stages] = 1
    found[:, lay.IN_VERB : lay.IN_LATEST] = _VERB[verbs]
    found[:, lay.IN_LATEST : lay.IN_PAID] = _LATEST[rows[:, obs.LATEST]]
    found[:, lay.IN_PAID] = rows[:, obs.PAID] * np.float32(lay.PLACE_SCALE)
    found[:, lay.IN_FOOD] = rows[:, obs.FOOD] > 0
    found[:, lay.IN_FOOD + 1] = _FOODS[rows[:, obs.FOOD]]
    found[:, lay.IN_HEAD : lay.IN_HAND_FOOD] = rows[:, obs.TURN : obs.HAND] * _HEAD
    hand = rows[:, obs.HAND : obs.OWN].astype(np.float32) @ _CARDS
    found[:, lay.IN_HAND_FOOD] = hand[:, lay.TRAITS] * np.float32(lay.HAND_SCALE)
    found[:, lay.IN_HAND : lay.IN_REPLACED] = hand[:, : lay.TRAITS] * np.float32(lay.HAND_SCALE)
    written = _own(rows)
    own = boards(written)
    found[:, lay.IN_OWN_SUM : lay.IN_OTHERS_SUM] = own.sum(axis=1) * np.float32(lay.OWN_SCALE)
    found[:, lay.IN_OWN :] = own.reshape(count, -1)
    focus, slot = _focus(verbs, rows[:, obs.BOARDS])
    about = np.flatnonzero(focus >= 0)
    found[about, lay.IN_FOCUS : lay.IN_OWN_SUM] = own[about, focus[about]]
    about = np.flatnonzero(slot >= 0)
    found[about, lay.IN_REPLACED : lay.IN_FOCUS] = _TRAITS[written[about, focus[about], obs.BOARD_TRAITS + slot[about]]]
    others, each = opponents(rows)
    found[:, lay.IN_OTHERS_SUM : lay.IN_HUNTERS] = others.sum(axis=1)
    hunting = each[..., lay.FIGURES + lay.CARNIVORE - 1][..., None]
    found[:, lay.IN_HUNTERS : lay.IN_OWN] = (each * hunting).max(axis=(1, 2))
    return found


def _focus(verbs: NDArray[np.intp], owned: Bytes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The own board that each draft is about, and the place of the trait that it replaces; -1 for none."""
    focus = np.full(len(verbs), -1, np.intp)
    slot = focus.copy()
    for first in (act.POPULATION, act.BODY, act.STORE, act.ATTACK):
        those = (verbs >= first) & (verbs < first + MAX_BOARDS)
        focus[those] = verbs[those] - first
    those = (verbs >= act.REPLACE) & (verbs < act.POPULATION)
    focus[those], slot[those] = np.divmod(verbs[those] - act.REPLACE, MAX_TRAITS)
    those = verbs == act.TRAIT
    focus[those] = np.minimum(owned[those], MAX_BOARDS) - 1
    return focus, slot


class Pass(NamedTuple):
    """What a forward pass has found, and what the gradient needs of it."""

    seen: Floats
    first: Floats
    second: Floats
    logits: Floats
    values: Floats


def forward(weights: Weights, rows: Bytes, masks: Bytes, seen: Floats) -> Pass:
    """The scores of all actions, FORBIDDEN where the mask says so, and the values. `seen` are the inputs."""
    first = np.maximum(seen @ weights["w1"] + weights["b1"], 0)
    second = np.maximum(first @ weights["w2"] + weights["b2"], 0)
    out = second @ weights["w3"] + weights["b3"]
    count = len(rows)
    logits = np.zeros((count, ACTIONS), out.dtype)
    logits[:, : act.DONE] = out[:, lay.OUT_CARD : lay.OUT_BOARD] @ _CARDS.T
    logits[:, act.DONE : act.REPLACE] = out[:, lay.OUT_DONE : lay.OUT_DECLINE]
    logits[:, act.DECLINE] = out[:, lay.OUT_DECLINE]
    logits[:, act.TOKENS : act.OPPONENT] = out[:, lay.OUT_TOKENS : lay.OUT_CARD]
    queries = out[:, lay.OUT_BOARD : lay.OUT_REPLACED].reshape(count, len(lay.BOARD_QUERIES), lay.BOARD)
    own = seen[:, lay.IN_OWN :].reshape(count, MAX_BOARDS, lay.BOARD)
    products = queries @ own.transpose(0, 2, 1)
    logits[:, act.POPULATION : act.DECLINE] = products[:, : lay.GRAZE_QUERY].reshape(count, -1)
    logits[:, act.GRAZE : act.TOKENS] = products[:, lay.GRAZE_QUERY : lay.REPLACE_QUERY].reshape(count, -1)
    by_trait = np.concatenate([np.zeros((count, 1), np.float32), out[:, lay.OUT_REPLACED : lay.OUT_OPPONENT]], axis=1)
    replaced = _own(rows)[:, :, obs.BOARD_TRAITS :]
    of_slots = np.take_along_axis(by_trait, replaced.reshape(count, -1).astype(np.intp), axis=1)
    logits[:, act.REPLACE : act.POPULATION] = of_slots + np.repeat(products[:, lay.REPLACE_QUERY], MAX_TRAITS, axis=1)
    at, x = _prey(rows, Stage.OPPONENT)
    logits[at, act.OPPONENT : act.OPPONENT + x.shape[1]] = _dots(x, out[at, lay.OUT_OPPONENT : lay.OUT_TARGET])
    at, x = _prey(rows, Stage.TARGET)
    logits[at, act.TARGET :] = _dots(x, out[at, lay.OUT_TARGET :])
    return Pass(seen, first, second, np.where(masks, logits, FORBIDDEN), out[:, lay.OUT_VALUE].copy())


def _prey(rows: Bytes, stage: Stage) -> tuple[NDArray[np.intp], Floats]:
    """The rows of this stage, and what they choose from: opponents, or boards of the one that is attacked."""
    at = np.flatnonzero(rows[:, obs.STAGE] == stage)
    others, each = opponents(rows[at])
    if stage is Stage.OPPONENT:
        return at, others
    return at, each[np.arange(len(at)), rows[at, obs.OPPONENT].astype(np.intp) - 1]


def _dots(each: Floats, queries: Floats) -> Floats:
    found: Floats = (each @ queries[:, :, None])[:, :, 0]
    return found


def gradient(weights: Weights, rows: Bytes, found: Pass, logits: Floats, values: Floats) -> Weights:
    """How the weights change a loss whose slopes by the logits and by the values are these."""
    count = len(rows)
    out = np.zeros((count, lay.OUTPUTS), np.float32)
    out[:, lay.OUT_VALUE] = values
    out[:, lay.OUT_CARD : lay.OUT_BOARD] = logits[:, : act.DONE] @ _CARDS
    out[:, lay.OUT_DONE : lay.OUT_DECLINE] = logits[:, act.DONE : act.REPLACE]
    out[:, lay.OUT_DECLINE] = logits[:, act.DECLINE]
    out[:, lay.OUT_TOKENS : lay.OUT_CARD] = logits[:, act.TOKENS : act.OPPONENT]
    products = np.empty((count, len(lay.BOARD_QUERIES), MAX_BOARDS), np.float32)
    growths, feedings = logits[:, act.POPULATION : act.DECLINE], logits[:, act.GRAZE : act.TOKENS]
    products[:, : lay.GRAZE_QUERY] = growths.reshape(count, -1, MAX_BOARDS)
    products[:, lay.GRAZE_QUERY : lay.REPLACE_QUERY] = feedings.reshape(count, -1, MAX_BOARDS)
    slots = logits[:, act.REPLACE : act.POPULATION]
    products[:, lay.REPLACE_QUERY] = slots.reshape(count, MAX_BOARDS, MAX_TRAITS).sum(axis=2)
    own = found.seen[:, lay.IN_OWN :].reshape(count, MAX_BOARDS, lay.BOARD)
    out[:, lay.OUT_BOARD : lay.OUT_REPLACED] = (products @ own).reshape(count, -1)
    places = np.arange(count)[:, None] * (lay.TRAITS + 1) + _own(rows)[:, :, obs.BOARD_TRAITS :].reshape(count, -1)
    by_trait = np.bincount(places.ravel(), slots.ravel(), count * (lay.TRAITS + 1)).reshape(count, -1)
    out[:, lay.OUT_REPLACED : lay.OUT_OPPONENT] = by_trait[:, 1:]
    at, x = _prey(rows, Stage.OPPONENT)
    out[at, lay.OUT_OPPONENT : lay.OUT_TARGET] = _dots(
        x.transpose(0, 2, 1), logits[at, act.OPPONENT : act.OPPONENT + x.shape[1]]
    )
    at, x = _prey(rows, Stage.TARGET)
    out[at, lay.OUT_TARGET :] = _dots(x.transpose(0, 2, 1), logits[at, act.TARGET :])
    second = (out @ weights["w3"].T) * (found.second > 0)
    first = (second @ weights["w2"].T) * (found.first > 0)
    return {
        "w1": found.seen.T @ first,
        "b1": first.sum(axis=0),
        "w2": found.first.T @ second,
        "b2": second.sum(axis=0),
        "w3": found.second.T @ out,
        "b3": out.sum(axis=0),
    }
