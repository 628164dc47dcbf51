"""Submissions of a class: folders, repositories, deadlines and builds."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cases import case
from tests.cli import command, well
from tests.course.courses import SANDBOX, feedback, git, gradebook, write
from tests.course.submissions import PYTHON, write_suite


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


def commit(folder: Path, text: str = PYTHON) -> None:
    """A repository with this program in its only commit."""
    folder.mkdir()
    (folder / "xattack").write_text(text)
    (folder / "xattack").chmod(0o755)
    git(folder, "init", "--quiet")
    git(folder, "add", "xattack")
    git(folder, "commit", "--quiet", "-m", "work")


def test_a_relative_path_of_the_config_finds_repositories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {}, cases=1)
    commit(tmp_path / "ann")
    (tmp_path / "roster.csv").write_text("id,name,repository\nann,Ann,ann\n")
    monkeypatch.chdir(tmp_path)
    for run in ("cloned", "updated"):
        with case(run):
            well(command("course", "run", "course.toml", "--sandbox", SANDBOX))
            assert gradebook(tmp_path)["ann"]["reason"] == ""


def test_a_submission_that_the_system_refuses_stops_no_other(tmp_path: Path) -> None:
    config = write(tmp_path, {"ann": {"xattack": PYTHON}}, cases=1)
    commit(tmp_path / "bob")
    rows = ["id,name,folder,repository", f"long,Long,{300 * 'x'},", "bob,Bob,,bob", "ann,Ann,handed/ann,", ""]
    (tmp_path / "roster.csv").write_text("\n".join(rows))
    clones = tmp_path / "course.results" / "clones"
    clones.mkdir(parents=True)
    (clones / "bob.git").write_text("a file in the place of the clone")
    well(command("course", "run", config, "--sandbox", SANDBOX))
    reasons = {name: row["reason"] for name, row in gradebook(tmp_path).items()}
    assert reasons == {"long": "missing", "bob": "missing", "ann": ""}
    for name, why in (("long", "File name too long"), ("bob", "Not a directory")):
        with case(name):
            assert "the submission cannot be read" in feedback(tmp_path, name)
            assert why in feedback(tmp_path, name)
            assert str(tmp_path) not in feedback(tmp_path, name), "paths of the instructor"


def test_a_build_with_other_terms_is_another_build(tmp_path: Path) -> None:
    files = {"xattack": PYTHON, "build.sh": "sleep 6\n"}
    config = Path(write(tmp_path, {"ann": files}, 'build = "sh build.sh"\nbuild-seconds = 1', cases=1))
    words = ["course", "run", str(config), "--sandbox", SANDBOX]
    well(command(*words))
    assert gradebook(tmp_path)["ann"]["reason"] == "build failed"
    config.write_text(config.read_text().replace("build-seconds = 1", "build-seconds = 60"))
    well(command(*words))
    assert gradebook(tmp_path)["ann"]["reason"] == ""


@pytest.mark.skipif(SANDBOX == "off", reason="there is no sandbox")
def test_a_build_in_a_sandbox_is_another_build_than_one_without_and_knows_what_it_is_shown(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    files = {"xattack": PYTHON, "build.sh": f"test -d {tmp_path}/lib\n"}
    config = Path(write(tmp_path, {"ann": files}, 'build = "sh build.sh"', cases=1))
    shared = ["--share", str(tmp_path / "lib")]
    for mode, share, reason in (("on", [], "build failed"), ("off", [], ""), ("on", shared, "")):
        with case(mode, share):
            well(command("course", "run", str(config), "--sandbox", mode, *share))
            assert gradebook(tmp_path)["ann"]["reason"] == reason


def test_a_copy_that_is_gone_is_made_again(tmp_path: Path) -> None:
    config = Path(write(tmp_path, {"ann": {"xattack": PYTHON}}, cases=1))
    words = ["course", "run", str(config), "--sandbox", SANDBOX]
    well(command(*words))
    copy = tmp_path / "course.results" / "submissions" / "ann"
    shutil.rmtree(copy)
    write_suite(tmp_path / "more", 2)
    config.write_text(config.read_text().replace('suite = "suite"', 'suite = "more"'))
    well(command(*words))
    assert gradebook(tmp_path)["ann"]["reason"] == ""
    assert (copy / "xattack").read_text() == PYTHON


def test_a_repository_without_a_commit_to_grade_says_which_is_missing(tmp_path: Path) -> None:
    config = Path(write(tmp_path, {}, cases=1))
    commit(tmp_path / "other")
    git(tmp_path / "other", "symbolic-ref", "HEAD", "refs/heads/no-such-branch")
    commit(tmp_path / "detached")
    git(tmp_path / "detached", "checkout", "--quiet", "--detach")
    (tmp_path / "empty").mkdir()
    git(tmp_path / "empty", "init", "--quiet")
    rows = ["id,name,repository", *(f"{name},{name},{name}" for name in ("empty", "other", "detached")), ""]
    (tmp_path / "roster.csv").write_text("\n".join(rows))
    for deadline in ("", "deadline = 2026-03-02T00:00:00+00:00\n"):
        config.write_text(deadline + config.read_text())
        for run in ("cloned", "updated"):
            with case(deadline, run):
                well(command("course", "run", str(config), "--sandbox", SANDBOX))
                assert "Nothing could be run: the repository has no commit.\n" in feedback(tmp_path, "empty")
                assert gradebook(tmp_path)["detached"]["reason"] == ""
                assert "run: the main branch of the repository has no commit.\n" in feedback(tmp_path, "other")


def test_the_main_branch_may_get_another_name_between_two_runs(tmp_path: Path) -> None:
    config = write(tmp_path, {}, cases=1)
    commit(tmp_path / "ann")
    (tmp_path / "roster.csv").write_text("id,name,repository\nann,Ann,ann\n")
    for branch in ("main", "trunk"):
        with case(branch):
            git(tmp_path / "ann", "branch", "--move", branch)
            well(command("course", "run", config, "--sandbox", SANDBOX))
            assert gradebook(tmp_path)["ann"]["reason"] == ""
