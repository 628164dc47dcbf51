"""Both cores play the same games."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.times import TIMES

ROOT = Path(__file__).parents[2]
GAMES = 1_600 * TIMES
PARTS = 4


def lines(first: int, last: int, pure: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.compiled.games", str(first), str(last)]
    return subprocess.Popen(
        command, cwd=ROOT, env=os.environ | {"WATERINGHOLE_PURE": pure}, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_compiled_and_plain_play_thousands_of_games_alike_to_the_last_byte(part: int) -> None:
    share = GAMES // PARTS
    first = part * share
    with lines(first, first + share, "0") as compiled, lines(first, first + share, "1") as plain:
        ours, theirs = (process.communicate()[0].split() for process in (compiled, plain))
    assert (compiled.returncode, plain.returncode) == (0, 0)
    assert len(ours) == len(set(ours)) == share
    assert [first + at for at in range(share) if ours[at] != theirs[at]] == []
