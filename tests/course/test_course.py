"""`course init` and `course run`: from a roster to a gradebook, with feedback; interrupted and run again."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cases import case
from tests.cli import HANG, command, complained, ending, surroundings, well
from tests.course.submissions import PYTHON, write_course, write_suite
from wateringhole import rulebook
from wateringhole.course.rule_texts import rule_texts
from wateringhole.external.sandbox import unavailable

TIMES = int(os.environ.get("TIMES", "1"))
"""`make course` grades 60 submissions of 60 cases."""

SANDBOX = "off" if unavailable() else "on"


def gradebook(folder: Path) -> dict[str, dict[str, str]]:
    with (folder / "course.results" / "gradebook.csv").open(newline="", encoding="utf-8") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def feedback(folder: Path, student: str) -> str:
    return (folder / "course.results" / "feedback" / f"{student}.md").read_text(encoding="utf-8")


def write(folder: Path, students: dict[str, dict[str, str]], more: str = "", cases: int = 12) -> str:
    """A course of these submissions without a build; the path of its config."""
    for name, files in students.items():
        (folder / "handed" / name).mkdir(parents=True)
        for file, text in files.items():
            (folder / "handed" / name / file).write_text(text)
            (folder / "handed" / name / file).chmod(0o755)
    (folder / "roster.csv").write_text("id,name,folder\n" + "".join(f"{n},{n.title()},handed/{n}\n" for n in students))
    write_suite(folder / "suite", cases)
    config = folder / "course.toml"
    config.write_text(f'roster = "roster.csv"\nsuite = "suite"\n{more}\n[[parts]]\nharness = "xattack"\npoints = 12\n')
    return str(config)


@pytest.mark.long
def test_a_class_is_graded_with_the_right_reason_for_each_and_only_once(tmp_path: Path) -> None:
    reasons = write_course(tmp_path, 6 * TIMES, 6 * TIMES, seconds=0.5 if TIMES == 1 else 2)
    words = ["course", "run", str(tmp_path / "course.toml"), "--sandbox", SANDBOX]
    started = [sys.executable, "-m", "wateringhole", *words]
    kept = tmp_path / "course.results" / "results.jsonl"
    for end, results in ((signal.SIGINT, 6 * TIMES), (signal.SIGKILL, 12 * TIMES)):
        with ending(
            subprocess.Popen(started, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings())
        ) as running:
            while running.poll() is None and (not kept.exists() or kept.read_bytes().count(b"\n") < results):
                time.sleep(0.01)
            running.send_signal(end)
            _, err = running.communicate(timeout=HANG)
        assert running.returncode == (130 if end is signal.SIGINT else -end)
        assert ("the same command goes on" in err.decode()) == (end is signal.SIGINT)
    out = well(command(*words))
    assert " results were known from an earlier run\n" in out
    found = gradebook(tmp_path)
    assert {name: row["reason"] for name, row in found.items()} == reasons
    for name, reason in reasons.items():
        with case(name, reason):
            assert (found[name]["total (100)"] == "100") == (not reason)
            assert reason in feedback(tmp_path, name)
    before = (tmp_path / "course.results" / "gradebook.csv").read_bytes(), kept.read_bytes()
    assert f"{36 * TIMES**2} results were known" in well(command(*words))
    assert before == ((tmp_path / "course.results" / "gradebook.csv").read_bytes(), kept.read_bytes())


def test_feedback_has_a_small_case_in_words_and_the_rule(tmp_path: Path) -> None:
    broken = PYTHON.replace('<= prey["population"]', '< prey["population"]')
    raises = "#!/bin/sh\necho $0: '`*no*`' >&2; exit 1\n"
    files = {"ann": {"xattack": broken}, "bob": {"xattack": raises}, "cem": {"xattack": PYTHON}}
    well(command("course", "run", write(tmp_path, files, cases=8), "--sandbox", SANDBOX))
    ann, bob, cem = (feedback(tmp_path, name) for name in files)
    assert "**Expected false, got true.**" in ann
    assert "* The attack is stopped: its population of 1 is not above the herd's 1." in ann
    assert f"**Rule `attack.herding`**\n\n> {rule_texts()['attack.herding']}" in ann
    assert "  xattack: `*no*`\n" in bob
    assert str(tmp_path) not in bob, "paths of the instructor"
    assert "**12 of 12 points.**" in cem
    assert "##" not in cem


def test_every_rule_has_a_text() -> None:
    texts = rule_texts()
    assert [*texts][:-1] == [*rulebook.ALL]
    for name, text in texts.items():
        with case(name):
            assert len(text) > 30
            assert "<" not in text


def test_only_what_has_changed_is_graded_again(tmp_path: Path) -> None:
    files = {name: {"xattack": "#!/bin/sh\necho true\n"} for name in ("ann", "bob")}
    config = write(tmp_path, files, "shrink = 0")
    words = ["course", "run", config, "--sandbox", SANDBOX]
    kept = tmp_path / "course.results" / "results.jsonl"

    def graded() -> int:
        """How many cases a run grades."""
        before = kept.read_bytes().count(b"\n") if kept.exists() else 0
        well(command(*words))
        return kept.read_bytes().count(b"\n") - before

    assert graded() == 24
    (tmp_path / "handed" / "bob" / "notes").write_text("new")
    assert graded() == 12
    suite = tmp_path / "suite" / "xattack.jsonl"
    suite.write_text(suite.read_text().replace("attack-001", "another"))
    assert graded() == 2
    (tmp_path / "roster.csv").write_text("id,name,folder\nbob,B,handed/bob\nzoe,Z,handed/bob\n")
    assert graded() == 0, "Zoe has handed in the same files"
    assert [*gradebook(tmp_path)] == ["bob", "zoe"]


def git(folder: Path, *words: str, date: str = "2026-01-01T12:00:00+00:00") -> str:
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main"]
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    done = subprocess.run(["git", *who, *words], cwd=folder, env=os.environ | dates, capture_output=True, check=True)
    return done.stdout.decode().strip()


def test_of_a_repository_the_last_commit_before_the_deadline_is_graded(tmp_path: Path) -> None:
    for name in ("ann", "late"):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init", "--quiet")
    for folder, text, date in (
        ("ann", PYTHON, "2026-03-01T12:00:00+00:00"),
        ("ann", "#!/bin/sh\necho 1\n", "2026-03-03T12:00:00+00:00"),
        ("late", PYTHON, "2026-03-03T12:00:00+00:00"),
    ):
        (tmp_path / folder / "xattack").write_text(text)
        (tmp_path / folder / "xattack").chmod(0o755)
        git(tmp_path / folder, "add", "xattack")
        git(tmp_path / folder, "commit", "--quiet", "-m", "work", date=date)
    config = Path(write(tmp_path, {}, "deadline = 2026-03-02T00:00:00+00:00", cases=2))
    rows = ["id,name,repository", "ann,Ann,ann", "late,Late,late", "none,None,no-such-place", ""]
    (tmp_path / "roster.csv").write_text("\n".join(rows))
    words = ["course", "run", str(config), "--sandbox", SANDBOX, "--json"]
    told = {row["id"]: row for row in json.loads(well(command(*words)))["students"]}
    assert {name: row["reason"] for name, row in told.items()} == {"ann": None, "late": "missing", "none": "missing"}
    assert told["ann"]["commit"] == git(tmp_path / "ann", "rev-parse", "HEAD~1")
    assert "no commit before 2026" in feedback(tmp_path, "late")
    assert "cannot be cloned" in feedback(tmp_path, "none")
    config.write_text(config.read_text().replace("2026-03-02", "2026-03-04"))
    told = {row["id"]: row for row in json.loads(well(command(*words)))["students"]}
    assert {name: row["reason"] for name, row in told.items()} == {"ann": "wrong", "late": None, "none": "missing"}


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


def test_partial_credit_and_several_suites(tmp_path: Path) -> None:
    config = Path(write(tmp_path, {"ann": {"xattack": "#!/bin/sh\necho true\n"}}))
    write_suite(tmp_path / "hidden", 3)
    listed = [json.loads(line)["out"] for line in (tmp_path / "suite" / "xattack.jsonl").read_text().splitlines()]
    hidden = '[[parts]]\nname = "hidden"\nharness = "xattack"\nsuite = "hidden"\ncredit = "all"\npoints = 5\n'
    config.write_text(config.read_text() + hidden)
    well(command("course", "run", str(config), "--sandbox", SANDBOX))
    [row] = gradebook(tmp_path).values()
    assert 0 < listed.count(True) < 12
    assert (row["xattack (12)"], row["hidden (5)"], row["total (17)"]) == (
        str(listed.count(True)),
        "0",
        row["xattack (12)"],
    )
    assert row["reason"] == "wrong"


def test_init_writes_what_run_reads(tmp_path: Path) -> None:
    config = str(tmp_path / "course.toml")
    assert "course run" in well(command("course", "init", config))
    assert complained(command("course", "init", config), "there already")
    assert complained(command("course", "run", config), "suite/hidden", "No such file")
    (tmp_path / "suite").mkdir()
    write_suite(tmp_path / "suite" / "hidden", 2)
    shutil.copy(tmp_path / "suite" / "hidden" / "xattack.jsonl", tmp_path / "suite" / "hidden" / "xstep.jsonl")
    assert "2 missing\n" in well(command("course", "run", config))


def test_mistakes_are_one_sentence_each(tmp_path: Path) -> None:
    config = Path(write(tmp_path, {"ann": {"xattack": PYTHON}}, cases=1))
    text, roster = config.read_text(), (tmp_path / "roster.csv").read_text()
    rows: list[tuple[str, str, list[str]]] = [
        (text.replace('roster = "roster.csv"\n', ""), roster, ["roster is missing"]),
        (text.replace("roster.csv", "nowhere.csv"), roster, ["nowhere.csv", "No such file"]),
        (f"color = 1\n{text}", roster, ["color", "known"]),
        (f"seconds = 0\n{text}", roster, ["seconds = 0"]),
        (f"give-up = 0\n{text}", roster, ["give-up = 0"]),
        (f'deadline = "soon"\n{text}', roster, ["deadline", "soon", "2026"]),
        (f'build = "\'"\n{text}', roster, ["build", "quotation"]),
        (f"share = 3\n{text}", roster, ["share = 3"]),
        (f'share = ["nowhere"]\n{text}', roster, ["share", "nowhere"]),
        (text.replace('"xattack"', '"xwing"'), roster, ["part 1", "xwing", "xstep4"]),
        (text.replace('"xattack"', '"xstep"'), roster, ["no xstep.jsonl"]),
        (text.replace("points = 12", "points = -1"), roster, ["points = -1"]),
        (text.replace("points = 12", 'credit = "some"'), roster, ["credit", "some", "cases"]),
        (text + "[[parts]]\nharness = 'xattack'\n", roster, ["part 2", "another part"]),
        (text + "[bots]\nagent = 'py:bot.py:Bot'\n", roster, ["{folder}"]),
        (text + "[bots]\nagent = 'py:{folder}/bot.py'\n", roster, ["bots", "bot.py"]),
        (text + "[bots]\nagent = 'cmd:{folder}/bot'\nhouse = ['nobot']\n", roster, ["nobot"]),
        (text, "", ["id,name,folder"]),
        (text, "id,name\n", ["id,name,folder"]),
        (text, "id,name,folder\n", ["0 students"]),
        (text, "id,name,folder\nann,Ann\n", ["row 2", "columns"]),
        (text, "id,name,folder\n../ann,Ann,x\n", ["row 2", "../ann"]),
        (text, "id,name,folder\nann,Ann,\n", ["row 2", "ann", "folder or a repository"]),
        (text, "id,name,folder\nann,Ann,x\nann,Bob,y\n", ["row 3", "twice"]),
        (text, "id,name,repository\nann,Ann,--upload-pack=x\n", ["row 2", "--upload-pack"]),
        ("roster = ", roster, ["not TOML"]),
    ]
    for config_text, roster_text, values in rows:
        with case(values):
            config.write_text(config_text)
            (tmp_path / "roster.csv").write_text(roster_text)
            assert complained(command("course", "run", str(config)), *values)
    assert complained(command("course", "run", str(tmp_path / "none.toml")), "none.toml", "No such file")


def test_the_help_teaches() -> None:
    for words in (["course"], ["course", "run"], ["course", "init"]):
        assert "course" in well(command(*words, "--help"))
    assert "gradebook.csv" in well(command("course", "run", "--help"))
