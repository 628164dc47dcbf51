"""The same seed is the same game, in every process; the shuffle is fair and can be repeated from its description."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import DECK, Card, shuffled
from wateringhole.record import write
from wateringhole.table import play

SEEDS = ("0", "a", "Zebra", "übermütig", "", "the quick brown fox " * 20)


def records(directory: Path) -> str:
    """One fingerprint of the written records of several games."""
    whole = hashlib.sha256()
    for number in range(12):
        agents = [Rash(f"{number} {seat}") if (seat + number) % 3 else Silly() for seat in range(3 + number % 6)]
        path = directory / f"{number}.jsonl"
        write(play(agents, shuffled(f"game {number}"), watering_hole=number % 2 * 100).record, path)
        whole.update(path.read_bytes())
    return whole.hexdigest()


def test_the_same_seeds_give_the_same_records_again(tmp_path: Path) -> None:
    assert records(tmp_path) == records(tmp_path)


@pytest.mark.parametrize("hash_seed", ["0", "1", "4711", "4294967295"])
def test_the_same_seeds_give_the_same_records_in_every_process(hash_seed: str, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.laws.test_determinism import records;"
        "print(hash('x'), records(Path(sys.argv[1])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    hashed, fingerprint = done.stdout.split()
    assert hashed != str(hash("x")) or os.environ.get("PYTHONHASHSEED") == hash_seed
    assert fingerprint == records(tmp_path)


def from_the_description(seed: str) -> list[Card]:
    """The shuffle, written from the rule book's words alone."""
    stream = b"".join(hashlib.sha256(seed.encode("utf-8") + n.to_bytes(8, "big")).digest() for n in range(40))
    deck, used = list(DECK), 0
    for position in range(121, 0, -1):
        n = position + 1
        while stream[used] >= 256 - 256 % n:
            used += 1
        index = stream[used] % n
        used += 1
        deck[position], deck[index] = deck[index], deck[position]
    return deck


@pytest.mark.parametrize("seed", SEEDS)
def test_the_shuffle_is_the_one_described(seed: str) -> None:
    assert list(shuffled(seed)) == from_the_description(seed)


def test_a_number_is_as_good_a_seed_as_its_digits() -> None:
    for seed in range(200):
        assert list(shuffled(seed)) == from_the_description(str(seed))


def test_a_shuffled_deck_has_every_card_once() -> None:
    for seed in range(200):
        assert sorted(shuffled(seed), key=DECK.index) == list(DECK)


def test_different_seeds_give_different_decks() -> None:
    decks = {shuffled(seed) for seed in [*range(1_000), *SEEDS[1:]]}
    assert len(decks) == 1_000 + len(SEEDS) - 1
    assert DECK not in decks


def test_every_card_comes_to_every_place_about_equally_often() -> None:
    """Chi-square over 122 x 122 counts. The seeds are fixed, so the figure is, too: it cannot fail by chance."""
    shuffles = 6_100
    counts = [[0] * len(DECK) for _ in DECK]
    for seed in range(shuffles):
        for place, card in enumerate(shuffled(f"chi-square {seed}")):
            counts[card.order][place] += 1
    expected = shuffles / len(DECK)
    chi_square = sum((count - expected) ** 2 / expected for row in counts for count in row)
    freedom = (len(DECK) - 1) ** 2
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5
    # The row and column of one card alone must not stand out, either.
    for line in [*counts, *map(list, zip(*counts, strict=True))]:
        assert sum((count - expected) ** 2 / expected for count in line) < 200
