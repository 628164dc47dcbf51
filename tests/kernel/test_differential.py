"""The kernel does what the rules and the bots in Python do, state by state; TIMES=1000 for a million games."""

from types import ModuleType

import pytest

from tests.cases import case
from tests.kernel.recording import long_hand, trace
from tests.kernel.replaying import difference
from tests.times import TIMES
from wateringhole.kernel.positions import PHASES

GAMES = 1_000 * TIMES
PARTS = 4


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_kernel_and_python_play_alike_state_by_state(kernel: ModuleType, part: int) -> None:
    rules: set[str] = set()
    phases: set[str] = set()
    for number in range(part, GAMES, PARTS):
        with case(number):
            recorded = trace(number)
            assert difference(kernel, recorded) == ""
        rules.update(rule for step in recorded.steps for _, rule in step.probes)
        phases.update(PHASES[step.position[0]] for step in recorded.steps)
    assert phases == {"choose", "feed"}
    assert len(rules) > 18, "the probes break too few rules"


def test_kernel_and_python_play_alike_from_a_hand_of_more_than_64_cards(kernel: ModuleType) -> None:
    assert difference(kernel, long_hand()) == ""
