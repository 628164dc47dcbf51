"""Drafted actions: every legal move can be drafted, and nothing else."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from tests.cases import case
from tests.test_plays import TABLES, outcome_of, twins
from wateringhole import (
    Attack,
    CardPlay,
    Decline,
    Graze,
    NewBoard,
    Silly,
    Species,
    StoreFat,
    Trait,
    card,
    new_game,
    shuffled,
)
from wateringhole.cards import Card
from wateringhole.env.actions import (
    ACTIONS,
    ATTACK,
    DECLINE,
    DONE,
    GRAZE,
    MAX_BOARDS,
    NEW_BOARD,
    OPPONENT,
    TABLE,
    TARGET,
    Draft,
    begin,
    drafted,
    legal,
    mask,
    step,
    words,
)
from wateringhole.moves import Move
from wateringhole.player import Other
from wateringhole.plays import plays
from wateringhole.view import Choose, Feed, Own, Request


def all_drafts(draft: Draft) -> Iterator[Move]:
    """The moves of all drafts that go on from this one."""
    if draft.move is not None:
        yield draft.move
        return
    allowed = sorted(set(legal(draft)))
    assert allowed, "a dead end"
    assert [action for action, bit in enumerate(mask(draft)) if bit] == allowed
    for action in allowed:
        yield from all_drafts(step(draft, action))


def choose(species: tuple[Species, ...], hand: tuple[Card, ...]) -> Choose:
    return Choose(Own(1, species, hand, 0), 0, (), ())


def test_the_drafts_of_small_hands_have_the_outcomes_of_all_plays() -> None:
    for number, (species, cards) in enumerate(TABLES):
        for hand in (shuffled(number)[:cards], *twins(cards)):
            with case(species, hand):
                request = choose(species, hand)
                made = Counter(outcome_of(move, species, hand) for move in all_drafts(begin(request)) if is_play(move))
                wanted = {outcome_of(play, species, hand) for play in plays(species, hand)}
                assert set(made) == wanted
                # Orders that do not matter are drafted once; of replacements on one board they may.
                assert sum(made.values()) < 2 * len(wanted)


def is_play(move: Move) -> bool:
    assert isinstance(move, CardPlay)
    return True
