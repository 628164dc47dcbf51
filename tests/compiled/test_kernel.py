"""The kernel that is installed beside the compiled core: it is there, it plays, and Python can play without it."""

from itertools import product

from tests.cases import case
from tests.compiled.test_core import python
from wateringhole import Agent, Rash, Sage, Silly, new_game, play, shuffled
from wateringhole.agents.greedy import Greedy
from wateringhole.agents.playout import play_by_rules, scores_by_seat, simulate
from wateringhole.agents.styles import Hunter, Shepherd
from wateringhole.kernel.native import FLAT_GAMES
from wateringhole.packed import packed_deck


def bots(number: int) -> list[Agent]:
    kinds: list[Agent] = [
        Rash(number),
        Silly(),
        Greedy(),
        Hunter(),
        Shepherd(),
        Rash(f"{number} more"),
        Silly(),
        Silly(),
    ]
    return kinds[: 3 + number % 6]


def test_simulate_gives_the_scores_of_the_rules() -> None:
    assert FLAT_GAMES is not None
    for number, hole in product(range(60), (0, 100)):
        with case(number, hole):
            decks = [shuffled(f"{number} {deck}") for deck in range(10)]
            scores = []
            theirs = bots(number)
            for deck in decks:
                game = new_game([f"seat {seat}" for seat in range(1, len(theirs) + 1)], deck, hole)
                play_by_rules(game, theirs)
                scores.append(scores_by_seat(game))
            ours = bots(number)
            assert simulate(decks[:5], ours, hole) == scores[:5]
            assert simulate([bytes(packed_deck(deck)) for deck in decks[5:]], ours, hole) == scores[5:]


SAGE = """
from wateringhole.kernel.native import FLAT_GAMES
from wateringhole import Sage, Silly, play, shuffled
print(FLAT_GAMES is not None, play([Sage(1, iterations=6), Silly(), Silly()], shuffled(4), watering_hole=20).record)
"""


def test_the_sage_plays_the_same_game_without_the_kernel() -> None:
    record = play([Sage(1, iterations=6), Silly(), Silly()], shuffled(4), watering_hole=20).record
    assert python(SAGE, "0").strip() == f"True {record}"
    assert python(SAGE, "1").strip() == f"False {record}"
