"""docs/learning.md is written from the source, and what it shows runs."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.documents import COMMAND
from tests.documents.learning import LEARNING, PART, learning_page
from tests.documents.shell import run_as_printed
from wateringhole.env.actions import ACTIONS
from wateringhole.env.features import FEATURES

WRITTEN = LEARNING.read_text(encoding="utf-8")
PYTHON: list[str] = re.findall(r"```python\n(.*?)```", WRITTEN, re.DOTALL)


def test_the_generated_parts_are_those_of_the_source() -> None:
    assert len(PART.findall(WRITTEN)) == 3
    assert learning_page(WRITTEN) == WRITTEN, f"If this is meant to have changed, write it anew with `{COMMAND}`."


@pytest.mark.long
def test_a_newcomer_gets_from_an_empty_folder_to_a_match_of_a_trained_bot(tmp_path: Path) -> None:
    """As on the page, only that it learns for a moment, and plays fewer games."""
    [learn] = [code for code in PYTHON if code.startswith("# learn.py\n")]
    (tmp_path / "learn.py").write_text(learn)
    [commands] = re.findall(r"```sh\n(OPENBLAS_NUM_THREADS=1 python learn\.py.*?)```", WRITTEN, re.DOTALL)
    assert "learned.npz" in run_as_printed(commands.splitlines()[0].replace(" 5", " 0.001"), tmp_path)
    with np.load(tmp_path / "learned.npz") as kept:
        assert kept["weights"].shape == (FEATURES, ACTIONS)
        assert kept["weights"].any()
    told = run_as_printed(commands.splitlines()[1].replace("--games 100", "--games 8"), tmp_path)
    assert "Learned" in told
    assert "expelled (" not in told


def test_the_other_programs_run_as_printed(tmp_path: Path) -> None:
    programs = [code for code in PYTHON if not code.startswith("# learn.py\n")]
    assert len(programs) == 4
    for code in programs:
        assert run_as_printed(f"python - <<'END'\n{code}END", tmp_path)
