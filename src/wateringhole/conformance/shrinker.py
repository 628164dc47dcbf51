"""Shrinks a failing situation (delta debugging).

Laws: no IO, no clock, no randomness. Every step leaves less, so it ends. What our harness accepts it still accepts, and
no card play becomes illegal.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from wateringhole.conformance.shrink_steps import COMBINATIONS, REMOVALS, Step, Steps
from wateringhole.conformance.situations import Situation, situation_in, situation_out
from wateringhole.fault import Fault
from wateringhole.moves import CardPlay
from wateringhole.rules.cardplay import outcome
from wateringhole.wire.json_codec import ShapeError

First: TypeAlias = Callable[[Sequence[Situation]], int | None]
"""Returns the index of the first of these that still fails, if any."""


def shrunk(situation: Situation, first: First) -> Situation:
    """The smallest situation that is found by taking things away: first many at a time, then each by itself."""
    for steps in REMOVALS:
        situation = _reduced(situation, steps, first, together=True)
    while True:
        before = situation
        for steps in REMOVALS + COMBINATIONS:
            situation = _reduced(situation, steps, first)
        if situation == before:
            return situation


def _reduced(situation: Situation, steps: Steps, first: First, together: bool = False) -> Situation:
    """The situation after all steps of one kind that could be taken."""
    size = len(steps(situation)) if together else 1
    done = 0  # the steps before this one were refused
    while size:
        ahead = steps(situation)
        tries = [(at, _after(situation, ahead[at : at + size])) for at in range(done, len(ahead), size)]
        tries = [(at, smaller) for at, smaller in tries if _sound(smaller, situation)]
        found = first([smaller for _, smaller in tries])
        if found is None:
            size //= 2
            done = 0
        else:
            done, situation = tries[found]
    return situation


def _after(situation: Situation, steps: Sequence[Step]) -> Situation:
    for step in reversed(steps):  # from right to left, because what is taken away moves all that is right of it
        situation = step(situation)
    return situation


def _sound(smaller: Situation, situation: Situation) -> bool:
    """Whether it is another one, our harness accepts it, and no card play has become illegal."""
    if smaller == situation:
        return False
    try:
        situation_in(smaller.harness, situation_out(smaller))
    except ShapeError:
        return False
    return _illegal_plays(smaller) <= _illegal_plays(situation)


def _illegal_plays(situation: Situation) -> int:
    return sum(
        isinstance(side.play, CardPlay) and isinstance(outcome(side.play, side.boards, side.hand), Fault)
        for side in situation.sides
    )
