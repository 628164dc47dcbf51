"""Observations as numbers that a network can add up: a start for learning, not the last word.

Laws: the opponents' boards are summed, so their order does not matter, and tables of any size have the same features.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from wateringhole.cards import DECK
from wateringhole.env.actions import MAX_BOARDS, Stage
from wateringhole.env.observations import BOARD_SIZE, BOARD_TRAITS, HAND, OTHER_SIZE, OTHERS, OWN, STAGE, TURN
from wateringhole.traits import Trait

FIGURES: Final = BOARD_TRAITS
"""Population, body, food and fat of a board."""
BOARD_FEATURES: Final = 1 + FIGURES + len(Trait)
HEAD_FEATURES: Final = HAND - TURN
FEATURES: Final = 1 + len(Stage) + HEAD_FEATURES + len(DECK) + MAX_BOARDS * BOARD_FEATURES + BOARD_FEATURES + 1
"""A constant, the stage, the head from the turn on, the hand, each own board, and the sums of the opponents' boards and
cards.
"""
_SCALE: Final = np.float32(0.1)


def features(observations: NDArray[np.uint8]) -> NDArray[np.float32]:
    """A row of FEATURES for each row of observations."""
    rows = len(observations)
    found = np.zeros((rows, FEATURES), np.float32)
    found[:, 0] = 1
    at = 1
    found[np.arange(rows), at + observations[:, STAGE]] = 1
    at += len(Stage)
    found[:, at : at + HEAD_FEATURES] = observations[:, TURN:HAND] * _SCALE
    at += HEAD_FEATURES
    found[:, at : at + len(DECK)] = observations[:, HAND:OWN]
    at += len(DECK)
    own = _boards(observations[:, OWN:OTHERS])
    found[:, at : at + MAX_BOARDS * BOARD_FEATURES] = own.reshape(rows, -1)
    at += MAX_BOARDS * BOARD_FEATURES
    others = observations[:, OTHERS:].reshape(rows, -1, OTHER_SIZE)
    theirs = _boards(others[:, :, 2:].reshape(rows, -1))
    found[:, at : at + BOARD_FEATURES] = theirs.sum(axis=1) * _SCALE
    found[:, at + BOARD_FEATURES] = others[:, :, 0].sum(axis=1) * _SCALE
    return found


def _boards(written: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Of each board in rows of them: whether it is there, its figures, and a 1 for each of its traits."""
    rows = len(written)
    boards = written.reshape(rows, -1, BOARD_SIZE)
    found = np.zeros((*boards.shape[:2], BOARD_FEATURES), np.float32)
    found[..., 0] = boards[..., 0] > 0
    found[..., 1 : 1 + FIGURES] = boards[..., :FIGURES] * _SCALE
    row, board = np.ogrid[:rows, : boards.shape[1]]
    for place in range(FIGURES, BOARD_SIZE):
        found[row, board, FIGURES + boards[..., place]] += boards[..., place] > 0  # number 0: no trait
    return found
