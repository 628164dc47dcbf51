"""`course init` and `course run`: from a roster to a gradebook, with feedback; interrupted and run again."""

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
from tests.course.courses import SANDBOX, feedback, gradebook, write
from tests.course.submissions import PYTHON, write_course, write_suite
from wateringhole import rulebook
from wateringhole.course.rule_texts import rule_texts

TIMES = int(os.environ.get("TIMES", "1"))
"""`make course` grades 60 submissions of 60 cases."""


@pytest.mark.long
def test_a_class_is_graded_with_the_right_reason_for_each_and_only_once(tmp_path: Path) -> None:
    reasons = write_course(tmp_path, 6 * TIMES, 6 * TIMES, seconds=1 if TIMES == 1 else 2)
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


def test_feedback_of_a_program_without_an_answer_says_so_in_words(tmp_path: Path) -> None:
    students = {"quiet": "exit 3", "loud": "echo it broke >&2; exit 3"}
    config = write(tmp_path, {name: {"xattack": f"#!/bin/sh\n{line}\n"} for name, line in students.items()})
    command("course", "run", config, "--sandbox", SANDBOX)
    for name in students:
        with case(name):
            told = feedback(tmp_path, name)
            assert "Got no answer: exits with code 3." in told
            assert '"error"' not in told
            assert ("standard error:" in told, "it broke" in told) == (name == "loud", name == "loud")


def test_a_failed_build_shows_all_that_it_printed(tmp_path: Path) -> None:
    config = write(
        tmp_path, {"ann": {"fails": "#!/bin/sh\necho on the one\necho on the other >&2\nexit 1\n"}}, 'build = "./fails"'
    )
    command("course", "run", config, "--sandbox", SANDBOX)
    told = feedback(tmp_path, "ann")
    assert "on the one\non the other" in told


def test_a_name_with_an_address_is_no_link_in_the_feedback(tmp_path: Path) -> None:
    config = write(tmp_path, {"ann": {"xattack": PYTHON}}, cases=1)
    (tmp_path / "roster.csv").write_text("id,name,folder\nann,https://ann.example *Ann*,handed/ann\n")
    well(command("course", "run", config, "--sandbox", SANDBOX))
    assert feedback(tmp_path, "ann").startswith("# course: https\\://ann.example \\*Ann\\*\n")


def test_one_student_and_one_result_are_counted_in_the_singular(tmp_path: Path) -> None:
    words = ["course", "run", write(tmp_path, {"ann": {"xattack": PYTHON}}, cases=1), "--sandbox", SANDBOX]
    assert "\n1 student, 1 with all 12 points\n" in well(command(*words))
    assert "\n1 result was known from an earlier run\n" in well(command(*words))


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


def test_a_part_may_be_named_bot_if_there_is_no_class_tournament(tmp_path: Path) -> None:
    config = Path(write(tmp_path, {"ann": {"xattack": "#!/bin/sh\nexit 1\n"}}, cases=1))
    config.write_text(config.read_text() + 'name = "bot"\n')
    well(command("course", "run", str(config), "--sandbox", SANDBOX))
    assert gradebook(tmp_path)["ann"]["bot (12)"] == "0"
    assert "## bot: 0 of 1 cases" in feedback(tmp_path, "ann")
    assert "## The bot" not in feedback(tmp_path, "ann")


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
        (text + "name = 'bot'\n[bots]\nagent = 'py:{folder}/b.py:B'\n", roster, ["part 1", "class tournament"]),
        (text + "[bots]\nagent = 'py:bot.py:Bot'\n", roster, ["{folder}"]),
        (text + "[bots]\nagent = 'py:{folder}/bot.py'\n", roster, ["bots", "bot.py"]),
        (text + "[bots]\nagent = 'cmd:{folder}/bot'\nhouse = ['nobot']\n", roster, ["nobot"]),
        (text, "", ["id,name,folder"]),
        (text, "id,name\n", ["id,name,folder"]),
        (text, "id,name,folder\n", ["0 students"]),
        (text, "id,name,folder\nann,Ann\n", ["line 2", "columns"]),
        (text, "id,name,folder\n../ann,Ann,x\n", ["line 2", "../ann"]),
        (text, "id,name,folder\nann,Ann,\n", ["line 2", "ann", "folder or a repository"]),
        (text, "id,name,folder\n\n\nann,Ann,\n", ["line 4", "ann", "folder or a repository"]),
        (text, "id,name,folder\nann,Ann,x\nann,Bob,y\n", ["line 3", "twice"]),
        (text, "id,name,repository\nann,Ann,--upload-pack=x\n", ["line 2", "--upload-pack"]),
        ("roster = ", roster, ["not TOML"]),
    ]
    for config_text, roster_text, values in rows:
        with case(values):
            config.write_text(config_text)
            (tmp_path / "roster.csv").write_text(roster_text)
            assert complained(command("course", "run", str(config)), *values)
    assert complained(command("course", "run", str(tmp_path / "none.toml")), "none.toml", "No such file")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    config = Path(write(tmp_path, {"ann": {"xattack": PYTHON}}, cases=1))
    bots = "[bots]\nagent = 'py:{folder}/bot.py:Bot'\ntable = 3\ndeals = 1\nrounds = 1\n"
    config.write_text(config.read_text() + bots)
    (tmp_path / "roster.csv").write_text("id,name,folder,repository\nann,Ann,handed/ann,\nbob,Bob,,nowhere\n")
    results = tmp_path / "course.results"
    words = ["course", "run", str(config), "--sandbox", "off"]
    exists, within = "File exists", "Not a directory"
    for name, why in (("feedback", exists), ("submissions", exists), ("clones", exists), ("tournaments", within)):
        with case(name):
            results.mkdir()
            (results / name).write_text("a file")
            assert complained(command(*words), str(results / name), why)
            shutil.rmtree(results)
    for name in ("gradebook.csv", "class.html", "feedback/ann.md"):
        with case(name):
            (results / name).mkdir(parents=True)
            assert complained(command(*words), f"{results / name}: Is a directory")
            shutil.rmtree(results)


def test_the_help_teaches() -> None:
    for words in (["course"], ["course", "run"], ["course", "init"]):
        assert "course" in well(command(*words, "--help"))
    assert "gradebook.csv" in well(command("course", "run", "--help"))
