"""The class tournament: the bots of the students play, and `[bots]` says how."""

import re
from pathlib import Path

import pytest

from tests.cases import case
from tests.cli import command, complained, well
from tests.course.courses import SANDBOX, feedback, gradebook, write
from tests.course.submissions import PYTHON


def test_bots_of_the_class_play_a_tournament(tmp_path: Path) -> None:
    bot = "from wateringhole import Silly\n\nclass Bot(Silly):\n    pass\n"
    breaks = bot.replace("pass", "def choose(self, request): return 1 / 0")
    files = {"ann": {"xattack": PYTHON, "bot.py": bot}, "bob": {"xattack": PYTHON, "bot.py": breaks}}
    config = Path(write(tmp_path, files, cases=2))
    (tmp_path / "roster.csv").write_text((tmp_path / "roster.csv").read_text() + "cem,Cem,handed/none\n")
    bots = '\n[bots]\nagent = "py:{folder}/bot.py:Bot"\npoints = 8\ntable = 3\ndeals = 1\nrounds = 1\n'
    config.write_text(config.read_text() + bots)
    out = well(command("course", "run", str(config), "--sandbox", SANDBOX))
    found = gradebook(tmp_path)
    assert {name: row["bot (8)"] for name, row in found.items()} == {"ann": "8", "bob": "0", "cem": "0"}
    assert (found["bob"]["reason"], found["cem"]["reason"]) == ("bot: exception", "missing")
    assert re.search(r"\nPlace [12] of 3 in the class tournament\.\nIt played 3 of 3 games", feedback(tmp_path, "ann"))
    assert "The bot" not in feedback(tmp_path, "cem")
    assert "ann" in (tmp_path / "course.results" / "class.html").read_text()
    played = [*(tmp_path / "course.results" / "tournaments").iterdir()]
    assert well(command("course", "run", str(config), "--sandbox", SANDBOX)).splitlines()[0] == out.splitlines()[0]
    assert [*(tmp_path / "course.results" / "tournaments").iterdir()] == played


def test_a_tournament_that_cannot_be_played_is_refused_before_anything_is_graded(tmp_path: Path) -> None:
    config = Path(write(tmp_path, {"ann": {"xattack": PYTHON}}, cases=1))
    text = config.read_text() + '\n[bots]\nagent = "py:{folder}/bot.py:Bot"\n'
    rows: list[tuple[str, int, list[str]]] = [
        ('format = "round-robin"\nrounds = 3\n', 1, ["rounds is for swiss", "round-robin"]),
        ('format = "gauntlet"\n', 1, ["gauntlet", "challenger"]),
        ('format = "league"\n', 1, ["league", "knock-out"]),
        ("deals = 1000000\n", 9, ["deals = 1000000", "games, above"]),
        ('format = "round-robin"\n', 60, ["60 entries at tables of 4", "tables, above"]),
        ('house = ["silly", "greedy"]\n', 255, ["255 students and 2 house bots", "256"]),
        ("rounds = 0\n", 1, ["rounds = 0"]),
        ("memory = 1\n", 1, ["memory = 1"]),
        ("time = true\n", 1, ["time = true"]),
        ("table = 2\n", 1, ["table = 2"]),
    ]
    for bots, students, values in rows:
        with case(bots, students):
            config.write_text(text + bots)
            lines = [f"s{number},Student {number},handed/ann" for number in range(students)]
            (tmp_path / "roster.csv").write_text("\n".join(["id,name,folder", *lines, ""]))
            assert complained(command("course", "run", str(config)), "course.toml: bots: ", *values)
            assert not (tmp_path / "course.results").exists()


@pytest.mark.skipif(SANDBOX == "off", reason="there is no sandbox")
def test_sandboxed_bots_read_what_is_shared_and_never_the_suite(tmp_path: Path) -> None:
    bot = "from wateringhole import Silly\n\nclass Bot(Silly):\n    text = open({path!r}).read()\n"
    paths = {"ann": tmp_path / "notes", "bob": tmp_path / "suite" / "xattack.jsonl"}
    files = {name: {"xattack": PYTHON, "bot.py": bot.format(path=str(path))} for name, path in paths.items()}
    config = Path(write(tmp_path, files, cases=1))
    (tmp_path / "notes").write_text("shared")
    bots = '\n[bots]\nagent = "py:{folder}/bot.py:Bot"\npoints = 8\ntable = 3\ndeals = 1\nrounds = 1\n'
    config.write_text(config.read_text() + bots)
    words = ["course", "run", str(config), "--sandbox", "on"]
    for share, points in (([], "0"), (["--share", str(tmp_path)], "8")):
        with case(share):
            well(command(*words, *share))
            found = gradebook(tmp_path)
            assert (found["ann"]["bot (8)"], found["bob"]["bot (8)"]) == (points, "0")
    config.write_text(config.read_text().replace("suite =", 'share = ["notes"]\nsuite =', 1))
    well(command(*words))
    assert gradebook(tmp_path)["ann"]["bot (8)"] == "8"
