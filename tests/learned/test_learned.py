"""A network: its file, its decisions, its gradient, and the agents that play with it."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.cases import case
from tests.cli import HANG, surroundings
from tests.learned.positions import network, positions
from wateringhole.cards import shuffled
from wateringhole.env.actions import ACTIONS
from wateringhole.env.observations import STAGE
from wateringhole.external.spec import made, spec, trouble
from wateringhole.learned.agent import NetworkAgent
from wateringhole.learned.decision import inputs as python_inputs
from wateringhole.learned.decision import python_scores
from wateringhole.learned.layout import INPUTS
from wateringhole.learned.network import FORBIDDEN, forward, gradient, new_weights, numpy_inputs, weights_of
from wateringhole.learned.weights import FILE_NAME, network_bytes, read_network
from wateringhole.table import play


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """As examples/train.py leaves it."""
    (tmp_path / FILE_NAME).write_bytes(network_bytes(network(), "random"))
    return tmp_path


def test_a_file_keeps_a_network_and_others_are_refused_with_the_reason(folder: Path) -> None:
    file = folder / FILE_NAME
    assert read_network(folder).layers == read_network(file).layers == network().layers
    good = file.read_bytes()
    for wrong, why in (
        (b"", "does not say"),
        (b"{}\n", "does not say"),
        (good.replace(b"[9, 7]", b"[9, 0]"), "from 1 to 1024"),
        (good.replace(b"[9, 7]", b"[9, 1025]"), "from 1 to 1024"),
        (good.replace(b"[9, 7]", b"[9, 8]"), "bytes follow"),
        (good.replace(b"[9, 7]", b"[1, 1024]"), "bytes follow"),
        (good.replace(f'"inputs": {INPUTS}'.encode(), b'"inputs": 3'), "another version"),
        (good[:-1], "bytes follow"),
        (good[:-2] + b"\xff\xff", "no number"),
    ):
        with case(why):
            file.write_bytes(wrong)
            with pytest.raises(ValueError, match=why):
                read_network(file)
    with pytest.raises(ValueError, match="cannot be read"):
        read_network(folder / "missing")


def test_numpy_sees_and_scores_as_python_does() -> None:
    rows, masks = positions()
    given = network()
    seen = numpy_inputs(rows)
    found = forward(weights_of(given), rows, masks, seen)
    for at in range(0, len(rows), 17):
        row, mask = rows[at].tobytes(), masks[at].tobytes()
        with case(at):
            assert seen[at].tolist() == python_inputs(row)
            scores = python_scores(given, row, mask)
            allowed = masks[at] > 0
            np.testing.assert_allclose(found.logits[at][allowed], np.array(scores[:ACTIONS])[allowed], 1e-3, 1e-3)
            assert found.values[at] == pytest.approx(scores[ACTIONS], abs=1e-3, rel=1e-3)
            assert (found.logits[at][~allowed] == FORBIDDEN).all()


def test_the_gradient_is_the_slope_of_the_scores() -> None:
    rows, masks = positions()
    rows, masks = (part[:: len(part) // 60] for part in (rows, masks))
    assert {5, 6} <= set(positions()[0][:, STAGE].tolist())
    dice = np.random.default_rng(3)
    weights = {name: part.astype(np.float64) for name, part in new_weights((12, 10), dice).items()}
    seen = numpy_inputs(rows).astype(np.float64)
    pulls = dice.standard_normal(masks.shape) * masks
    values = dice.standard_normal(len(rows))

    def loss() -> float:
        found = forward(weights, rows, masks, seen)  # type: ignore[arg-type]  # doubles, for small differences
        return float((np.where(masks, found.logits, 0) * pulls).sum() + (found.values * values).sum())

    found = forward(weights, rows, masks, seen)  # type: ignore[arg-type]
    slopes = gradient(weights, rows, found, pulls, values)  # type: ignore[arg-type]
    for name, part in weights.items():
        for at in dice.choice(np.argsort(-np.abs(slopes[name]).ravel())[: part.size // 3], 12):
            place = np.unravel_index(at, part.shape)
            kept = part[place]
            part[place] = kept + 1e-6
            above = loss()
            part[place] = kept - 1e-6
            below = loss()
            part[place] = kept
            with case(f"{name} {place}"):
                assert slopes[name][place] == pytest.approx((above - below) / 2e-6, rel=1e-3, abs=1e-4)


def test_a_network_plays_at_tables_of_all_sizes_and_the_same_again(folder: Path) -> None:
    for players in (3, 4, 8):
        with case(players):
            games = [play([NetworkAgent(folder) for _ in range(players)], shuffled(players)) for _ in range(2)]
            assert all(row.fault is None for row in games[0].ranking)
            assert games[0].record == games[1].record


def test_a_spec_names_a_network_and_a_temperature(folder: Path) -> None:
    found = spec(f"rl:{folder}?temperature=1.5&name=Ann")
    assert (found.kind, found.name, found.foreign, trouble(found)) == ("rl", "Ann", False, None)
    decks = [shuffled(1), shuffled(2)]
    games = [[play([made(found, seed)] * 3, deck).record.replies for deck in decks] for seed in ("a", "a", "b")]
    assert games[0] == games[1]
    assert games[0] != games[2]
    for text, why in (
        (f"rl:{folder}?temperature=hot", "temperature=hot is not a number from 0 to 10"),
        (f"rl:{folder}?temperature=nan", "temperature=nan is not a number"),
        (f"rl:{folder}?iterations=3", "no option"),
        ("rl:", "names no network"),
    ):
        with case(text), pytest.raises(ValueError, match=why):
            spec(text)
    missing = spec(f"rl:{folder / 'missing'}")
    assert "cannot be read" in (trouble(missing) or "")


WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
from wateringhole import new_game, shuffled
from wateringhole.agents.house import named
request = new_game(["a", "b", "c"], shuffled(1)).request(1)
assert request.why_not(named("champion", "").choose(request)) is None
"""


def test_the_champion_decides_without_numpy() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], check=True, timeout=HANG, env=surroundings())
