"""Observations as numbers for a network."""

import numpy as np
from numpy.typing import NDArray

from wateringhole import Species, Trait, shuffled
from wateringhole.env.actions import MAX_BOARDS, Stage, begin
from wateringhole.env.features import BOARD_FEATURES, FEATURES, FIGURES, HEAD_FEATURES, features
from wateringhole.env.observations import encode
from wateringhole.player import Other
from wateringhole.view import Feed, Own

MINE = (Species(3, 2, 1, 0, (Trait.AMBUSH, Trait.WARNING_CALL)), Species(7, 0, 0))
THEIRS = (Other(2, (Species(2, 1, 0, 0, (Trait.HORNS,)), Species(1)), 5), Other(3, (Species(4, 4, 4),), 1))
HAND = shuffled(1)[:3]


def row(others: tuple[Other, ...], players: int) -> NDArray[np.float32]:
    request = Feed(Own(1, MINE, HAND, 4), 6, others, 2, 30)
    found = features(np.frombuffer(encode(begin(request), players), np.uint8)[None])
    assert found.shape == (1, FEATURES)
    return found.reshape(FEATURES)


def test_every_number_has_its_place() -> None:
    found = row(THEIRS, 3)
    assert found[0] == 1
    at = 1
    assert np.flatnonzero(found[at : at + len(Stage)]).tolist() == [Stage.FEEDING]
    at += len(Stage)
    head = found[at : at + HEAD_FEATURES]
    assert np.allclose(head * 10, [2, 6, 30, 3, 0, 4, len(HAND), len(MINE)])
    at += HEAD_FEATURES
    assert np.flatnonzero(found[at : at + 122]).tolist() == sorted(card.order for card in HAND)
    at += 122
    boards = found[at : at + MAX_BOARDS * BOARD_FEATURES].reshape(MAX_BOARDS, BOARD_FEATURES)
    assert boards[:, 0].tolist() == [1, 1] + [0] * (MAX_BOARDS - 2)
    assert np.allclose(boards[0, 1 : 1 + FIGURES] * 10, [3, 2, 1, 0])
    traits = sorted(Trait)
    assert np.flatnonzero(boards[0, 1 + FIGURES :]).tolist() == [
        traits.index(Trait.AMBUSH),
        traits.index(Trait.WARNING_CALL),
    ]
    assert not boards[1, 1 + FIGURES :].any()
    assert not boards[2:].any()
    sums = found[at + MAX_BOARDS * BOARD_FEATURES :] * 10
    assert np.allclose(sums[: 1 + FIGURES] * [1, 10, 10, 10, 10], [3, 7, 5, 4, 0])
    assert np.flatnonzero(sums[1 + FIGURES : -1]).tolist() == [traits.index(Trait.HORNS)]
    assert np.isclose(sums[-1], 6)


def test_neither_the_order_of_the_opponents_nor_empty_places_matter() -> None:
    assert (row(THEIRS, 3) == row(THEIRS[::-1], 3)).all()
    assert (row(THEIRS, 3) == row(THEIRS, 8)).all()
    assert (row(THEIRS, 3) != row(THEIRS[:1], 3)).any()
