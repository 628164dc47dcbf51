"""The network in the kernel: the inputs of numpy and the scores of Python, to the last bit."""

from array import array
from types import ModuleType

import numpy as np
import pytest

from tests.cases import case
from tests.learned.positions import network, positions
from wateringhole.cards import DECK
from wateringhole.env.actions import ACTIONS, Stage
from wateringhole.env.observations import OPPONENT, OTHERS, OWN, PLAYERS, STAGE, VERB, size
from wateringhole.kernel import native
from wateringhole.kernel.policy import NETWORK, SILLY
from wateringhole.learned.decision import Decider, python_scores
from wateringhole.learned.layout import INPUTS
from wateringhole.learned.network import inputs, numpy_inputs


def test_the_kernel_scores_as_python_does(kernel: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "NETWORK_SCORES", kernel.network_scores)
    rows, masks = positions()
    assert set(rows[:, STAGE].tolist()) >= {*Stage} - {Stage.TOKENS}
    given = network()
    decider = Decider(given)
    for at in range(0, len(rows), 5):
        row, mask = rows[at].tobytes(), masks[at].tobytes()
        with case(at):
            scores = python_scores(given, row, mask)
            assert list(decider.scores(row, mask)) == scores
            assert scores[decider.action(row, mask)] == max(scores[at] for at in range(ACTIONS) if mask[at])


def test_the_kernel_reads_what_numpy_reads_at_tables_of_any_size(
    kernel: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "NETWORK_INPUTS", kernel.network_inputs)
    rows, _ = positions()
    for players in range(3, 9):
        with case(players):
            seen = rows[rows[:, PLAYERS] <= players, : size(players)]
            np.testing.assert_array_equal(inputs(seen), numpy_inputs(seen))


def test_the_kernel_refuses_what_would_lead_outside_its_arrays(kernel: ModuleType) -> None:
    rows, masks = positions((4,))
    row, mask = rows[0], masks[0].tobytes()
    numbers = network().numbers
    scores = array("d", [0.0] * (ACTIONS + 1))
    kernel.network_scores(9, 7, numbers, row, mask, scores)
    short = size(8) - 1
    for name, wrong in {
        "a larger layer": (10, 7, numbers, row, mask, scores),
        "no layer": (0, 7, numbers, row, mask, scores),
        "weights": (9, 7, numbers[:-1], row, mask, scores),
        "row": (9, 7, numbers, row[:short].copy(), mask, scores),
        "mask": (9, 7, numbers, row, mask[:-1], scores),
        "scores": (9, 7, numbers, row, mask, scores[:-1]),
    }.items():
        with case(name), pytest.raises(ValueError, match=r"layer|weights|mask|scores"):
            kernel.network_scores(*wrong)
    into = np.zeros((1, INPUTS), np.float32)
    for at, byte in ((STAGE, 7), (VERB, 250), (OPPONENT, 8), (OWN + 4, 17), (OTHERS + 2 + 4, 99)):
        broken = row.copy()
        broken[at] = byte
        with case(at), pytest.raises(ValueError, match="no observation"):
            kernel.network_inputs(size(8), broken, into)
        with case(at), pytest.raises(ValueError, match="no observation"):
            kernel.network_scores(9, 7, numbers, broken, mask, scores)
    with pytest.raises(ValueError, match="as many rows"):
        kernel.network_inputs(size(8), rows[:2].copy(), into)


def test_a_network_drafts_and_plays_only_where_it_is_asked(kernel: ModuleType) -> None:
    games = kernel.FlatGames(1)
    games.deal(0, DECK, 4, 0)
    draws = array("d", [0.5] * 8)
    tables = bytes([NETWORK, 0] * 4), b"", bytearray()
    with pytest.raises(ValueError, match="table of policies"):
        games.play_out(0, *tables)
    with pytest.raises(ValueError, match="there is no network"):
        games.draft(0, 1, 1.0, draws)
    given = network().numbers
    for first, numbers in ((10, given), (9, given[:-1]), (9, array("d", given))):
        with case(first, len(numbers)), pytest.raises(ValueError, match="not those of such a network"):
            games.use_network(first, 7, numbers)
    with pytest.raises(ValueError, match="the first hidden layer is 0, not from 1 to 1024"):
        games.use_network(0, 7, given)
    games.use_network(9, 7, given)
    assert len(games.save(0)) > 0
    for seat, temperature, numbers, words in (
        (5, 1.0, draws, "seat 5 is not asked"),
        (9, 1.0, draws, "the seat is 9, not from 1 to 8"),
        (1, 0.0, draws, "the temperature is not above 0"),
        (1, 1.0, draws[:-1], "too few numbers"),
    ):
        with case(seat, temperature), pytest.raises(ValueError, match=words):
            games.draft(0, seat, temperature, numbers)
    probability, move = games.draft(0, 1, 1.0, draws)
    assert 0 < probability <= 1
    games.answer(0, move)
    with pytest.raises(ValueError, match="seat 1 is not asked"):
        games.draft(0, 1, 1.0, draws)
    assert isinstance(games.play_turn(0, 1, 1, *tables), float)
    with pytest.raises(ValueError, match="seat 5 does not play"):
        games.play_turn(0, 5, 1, *tables)
    assert games.play_turn(0, 1, 99, *tables) == games.play_out(0, *tables)
    with pytest.raises(ValueError, match="is not asked"):
        games.draft(0, 1, 1.0, draws)


def test_the_others_choose_their_cards_before_one_seat_does(kernel: ModuleType) -> None:
    games = kernel.FlatGames(2)
    tables = bytes([SILLY, 0] * 4), b"", bytearray()
    for seat in range(1, 5):
        with case(seat):
            games.deal(0, DECK, 4, 5)
            games.copy(1, 0)
            games.choose_others(0, seat, *tables)
            chosen = games.save(0)
            games.choose_others(0, seat, *tables)
            assert games.save(0) == chosen != games.save(1)
            games.answer(0, games.decide(0, *tables))
            for _ in range(4):
                games.answer(1, games.decide(1, *tables))
            assert games.save(0) == games.save(1)
            games.choose_others(0, seat, *tables)
            assert games.save(0) == games.save(1), "nothing changes in feeding"
    with pytest.raises(ValueError, match="the seat is 9, not from 1 to 8"):
        games.choose_others(0, 9, *tables)
    with pytest.raises(ValueError, match="seat 4 plays, but has no policy"):
        games.choose_others(0, 1, tables[0][:6], *tables[1:])
