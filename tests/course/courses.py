"""Writes small courses, and reads what a run has made of them."""

import csv
import os
import subprocess
from pathlib import Path

from tests.course.submissions import write_suite
from wateringhole.external.sandbox import unavailable

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


def git(folder: Path, *words: str, date: str = "2026-01-01T12:00:00+00:00") -> str:
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main"]
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    done = subprocess.run(["git", *who, *words], cwd=folder, env=os.environ | dates, capture_output=True, check=True)
    return done.stdout.decode().strip()
