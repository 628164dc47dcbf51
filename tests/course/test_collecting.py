"""Submissions of a class: folders, repositories, deadlines and builds."""

import json
from pathlib import Path

from tests.cli import command, well
from tests.course.courses import SANDBOX, feedback, git, write
from tests.course.submissions import PYTHON


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
