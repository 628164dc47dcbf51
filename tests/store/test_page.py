"""The page on the store: its commands run as printed, and its tables are the store's."""

import csv
import re
import shlex
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.cli import command, well
from tests.store.paper import paper
from wateringhole.store.database import Database
from wateringhole.store.games import Store
from wateringhole.store.tables import METADATA

PAGE = (Path(__file__).parents[2] / "docs" / "store.md").read_text()


def test_the_commands_run_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WATERINGHOLE_DATA", raising=False)
    block = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)[0]
    for line in block.splitlines():
        program, *words = shlex.split(line, comments=True)
        assert program == "wateringhole"
        into = words.index(">") if ">" in words else len(words)
        said = well(command(*words[:into]))
        if into < len(words):
            (tmp_path / words[-1]).write_text(said)
    assert len(list(csv.DictReader((tmp_path / "games.csv").read_text().splitlines()))) == 3
    assert len(list((tmp_path / "records").iterdir())) == 1
    assert (tmp_path / "elsewhere" / "store.sqlite").exists()


def test_the_page_names_every_column() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE))
    assert set(rows) == set(METADATA.tables)
    for name, table in METADATA.tables.items():
        named = set(re.findall(r"`(\w+)`", rows[name]))
        assert {column.name for column in table.c} - named <= ({"game", "seat"} if name == "seats" else set())


def test_the_question_in_sql_is_answered(store: Store, shared: Database) -> None:
    store.add([paper(1, "Ann", "Bob", "Cem"), paper(2, "Bob", "Ann", "Cem"), paper(3, "Ann", "Bob", "Cem")])
    [question] = re.findall(r"```sql\n(.*?);\n```", PAGE, re.DOTALL)
    with shared.reading() as connection:
        rows = [(row[0], row[1], float(row[2]), float(row[3])) for row in connection.execute(text(question))]
    assert rows == [
        ("Ann", 3, pytest.approx(2 / 3), pytest.approx(8 / 3)),
        ("Bob", 3, pytest.approx(1 / 3), pytest.approx(7 / 3)),
        ("Cem", 3, 0, 1),
    ]
