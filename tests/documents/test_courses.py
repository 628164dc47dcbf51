"""The page on courses: its commands run, in their order, in an empty folder; what it shows is what comes of them."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.cli import surroundings
from wateringhole.conformance.grading import WRONG
from wateringhole.conformance.programs import Failure
from wateringhole.course.config import BOT_KEYS, PART_KEYS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "courses.md").read_text()


def test_an_instructor_gets_from_an_empty_folder_to_a_gradebook(tmp_path: Path) -> None:
    script = "\n".join(["set -e", *re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)])
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env=surroundings(PATH=f"{Path(sys.executable).parent}:{surroundings()['PATH']}"),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    [shown] = re.findall(r"```\n(id,name,.*?)```", PAGE, re.DOTALL)
    assert (tmp_path / "course.results" / "gradebook.csv").read_text() == shown
    assert "**Rule `attack.herding`**" in done.stdout
    assert '"reason": "missing"' in done.stdout


def test_the_page_has_every_reason_and_keys_that_there_are() -> None:
    reasons = PAGE.partition("## Reasons")[2].partition("\n## ")[0]
    for reason in (WRONG, *(failure.value for failure in Failure if failure is not Failure.NOT_RUN)):
        assert f"`{reason}`" in reasons
    for block in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL):
        found = tomllib.loads(block)
        assert {key for part in found.get("parts", []) for key in part} <= {*PART_KEYS}
        assert {*found.get("bots", {})} <= {*BOT_KEYS}
