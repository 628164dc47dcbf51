"""The page on courses: its commands run, in their order, in an empty folder; what it shows is what comes of them."""

import re
import tomllib
from pathlib import Path

from tests.documents.shell import run_as_printed
from wateringhole.conformance.grading import WRONG
from wateringhole.conformance.programs import Failure
from wateringhole.course.config import BOT_KEYS, PART_KEYS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "courses.md").read_text()


def test_an_instructor_gets_from_an_empty_folder_to_a_gradebook(tmp_path: Path) -> None:
    told = run_as_printed("\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)), tmp_path)
    [shown] = re.findall(r"```\n(id,name,.*?)```", PAGE, re.DOTALL)
    assert (tmp_path / "course.results" / "gradebook.csv").read_text() == shown
    assert "**Rule `attack.herding`**" in told
    assert '"reason": "missing"' in told


def test_the_page_has_every_reason_and_keys_that_there_are() -> None:
    reasons = PAGE.partition("## Reasons")[2].partition("\n## ")[0]
    for reason in (WRONG, *(failure.value for failure in Failure if failure is not Failure.NOT_RUN)):
        assert f"`{reason}`" in reasons
    for block in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL):
        found = tomllib.loads(block)
        assert {key for part in found.get("parts", []) for key in part} <= {*PART_KEYS}
        assert {*found.get("bots", {})} <= {*BOT_KEYS}
