"""The versions that the project names are the same everywhere."""

import re
import tomllib
from pathlib import Path

import wateringhole
from wateringhole import record
from wateringhole.store import log_entries, tables
from wateringhole.tournament import run_journal, runfile
from wateringhole.wire import native_messages

ROOT = Path(__file__).parents[2]


def test_the_table_of_formats_has_the_versions_of_the_source() -> None:
    page = (ROOT / "docs" / "versions.md").read_text()
    told = dict(re.findall(r"^\| (.+?) \| in .+ \| (\d+) \|$", page, re.MULTILINE))
    assert told == {
        "rules, which a record names": record.RULES,
        "games of a run, `games.run`": runfile.TITLE.split()[-1].decode(),
        "tables of the store": tables.REVISIONS[-1],
        "log of a running game": str(log_entries.VERSION),
        "plan of a run": str(run_journal.VERSION),
        "dialect native": str(native_messages.VERSION),
    }


def test_package_and_changelog_name_the_same_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", project["version"])
    assert project["version"] == wateringhole.__version__
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert headings[1].split()[0] == wateringhole.__version__
