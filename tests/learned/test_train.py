"""examples/train.py in small: it imitates, learns, keeps what it has learned, and goes on from there."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from wateringhole.env.vector_env import VectorEnv
from wateringhole.learned.agent import NetworkAgent
from wateringhole.learned.layout import OUT_VALUE
from wateringhole.learned.network import Floats, forward, new_weights, weights_of
from wateringhole.learned.weights import FILE_NAME, read_network

EXAMPLE = Path(__file__).parents[2] / "examples" / "train.py"

_spec = importlib.util.spec_from_file_location("train", EXAMPLE)
assert _spec is not None
assert _spec.loader is not None
train = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(train)


def test_a_moment_of_training_improves_on_the_untrained_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(train, "STEPS", 24)
    trainer = train.Trainer(tmp_path, seed=1, scale=1)
    untrained = train.wins(trainer.weights, "silly", 40)
    trainer.imitate(20, epochs=6)
    for _ in range(2):
        trainer.update(1e-4)
    trainer.measure(40)
    assert trainer.curve[-1][0] == 2
    assert train.wins(trainer.weights, "silly", 40) > untrained + 0.1
    assert "after 2 updates it wins" in capsys.readouterr().out
    assert {path.name for path in tmp_path.iterdir()} == {FILE_NAME, "state.npz", "curve.csv", "curve.png"}
    again = train.Trainer(tmp_path, seed=1, scale=1)
    assert (again.resumed, again.updates, again.curve) == (True, 2, trainer.curve)
    kept = weights_of(read_network(tmp_path))
    for name, part in trainer.weights.items():
        np.testing.assert_array_equal(again.weights[name], part)
        np.testing.assert_allclose(kept[name], part, rtol=1e-3, atol=1e-4)
    assert NetworkAgent(tmp_path)


def test_good_actions_become_likelier_and_bad_ones_less_likely() -> None:
    trainer = train.Trainer(Path("nowhere"), seed=2, scale=1)
    samples = train.imitated(2, seed=2)
    many = samples.masks.sum(axis=1) > 1
    samples = samples.at(np.flatnonzero(many)[:200])
    gains = np.where(np.arange(200) % 2, 1, -1).astype(np.float32)

    def chances() -> Floats:
        found = forward(trainer.weights, samples.rows, samples.masks, samples.seen)
        taken: Floats = train.log_odds(found.logits)[np.arange(200), samples.actions]
        return taken

    before = chances()
    batch = samples._replace(gains=gains, chances=before)
    for _ in range(10):
        train.improve(trainer.weights, trainer.adam, batch, 3e-4)
    change = chances() - before
    assert change[gains > 0].mean() > change[gains < 0].mean() + 0.05
    assert np.abs(np.exp(change) - 1).mean() < 2 * train.CLIP, "the policy stays near the one that played"


class WatchedEnv(VectorEnv):
    """Keeps what each seat should get for each of its decisions in games that have ended."""

    def __init__(self, games: int, players: int) -> None:
        super().__init__(games, players, "win", seed=3)
        self.expected: list[tuple[int, float]] = []
        self._asked: list[list[int]] = [[] for _ in range(games)]

    def step(self, actions: NDArray[np.integer]) -> None:
        for seats, seat in zip(self._asked, self.seats.tolist(), strict=True):
            seats.extend([seat] if seat else [])
        super().step(actions)
        for at in np.flatnonzero(self.over):
            ends = train.worth(self.scores, self.rewards)[at]
            self.expected += [(seat, float(ends[seat - 1])) for seat in self._asked[at]]
            self._asked[at] = []


def test_every_decision_is_credited_with_the_end_of_its_own_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "TRACE", 1.0)
    monkeypatch.setattr(train, "STEPS", 150)
    weights = new_weights((8, 8), np.random.default_rng(1))
    weights["w3"][:, OUT_VALUE] = 0  # it expects nothing, so a gain is what comes in the end
    env = WatchedEnv(6, 3)
    samples = train.collect(weights, weights, train.Table(env, earlier=(2,)), np.random.default_rng(2))
    ends = sorted(round(worth, 4) for seat, worth in env.expected if seat != 2)
    found = sorted(np.round(samples.gains[samples.gains != 0], 4).tolist())
    assert len(ends) > 100
    np.testing.assert_allclose(found, [worth for worth in ends if worth], atol=1e-3)
    np.testing.assert_array_equal(samples.gains, samples.returns)
