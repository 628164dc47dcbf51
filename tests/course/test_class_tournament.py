"""The class tournament: the bots of the students play, and `[bots]` says how."""

from pathlib import Path

from tests.cli import command, well
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
    assert "3 games" in feedback(tmp_path, "ann")
    assert "ann" in (tmp_path / "course.results" / "class.html").read_text()
    played = [*(tmp_path / "course.results" / "tournaments").iterdir()]
    assert well(command("course", "run", str(config), "--sandbox", SANDBOX)).splitlines()[0] == out.splitlines()[0]
    assert [*(tmp_path / "course.results" / "tournaments").iterdir()] == played
