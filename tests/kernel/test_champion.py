"""The champion is worth its name: measured in the kernel, because Python takes minutes for so many games."""

from types import ModuleType

import pytest

from tests.learned.test_train import train
from wateringhole.kernel import native
from wateringhole.learned.agent import CHAMPION
from wateringhole.learned.network import weights_of
from wateringhole.learned.weights import read_network

MAX_BYTES = 1_000_000


def test_the_champion_beats_three_greedy_more_often_than_equals_would(
    kernel: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "FLAT_GAMES", kernel.FlatGames)
    monkeypatch.setattr(native, "NETWORK_INPUTS", kernel.network_inputs)
    assert CHAMPION.stat().st_size < MAX_BYTES
    assert train.wins(weights_of(read_network(CHAMPION)), "greedy", 200, "champion") > 0.6, "of 200 games; 1/4 is equal"
