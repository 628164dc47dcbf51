"""`course`: a class from its roster to its gradebook."""

import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from wateringhole.cli import Complaint
from wateringhole.cli.agent_options import checked_share, sandbox_for, sandbox_options
from wateringhole.cli.progress import progress
from wateringhole.conformance.harness import HARNESSES
from wateringhole.conformance.kept_results import kept_results
from wateringhole.conformance.proctor import MAX_JOBS, open_proctor
from wateringhole.conformance.programs import InputError
from wateringhole.course.config import CourseConfig, read_course
from wateringhole.course.gradebook import StudentResult
from wateringhole.course.run import FEEDBACK, GRADEBOOK, CourseRun, read_suites
from wateringhole.events import counted
from wateringhole.external.play_specs import Mode
from wateringhole.fault import shown
from wateringhole.tournament.run_journal import RunError
from wateringhole.wire.names import printable
from wateringhole.wire.toml_values import ConfigError, toml_text

STARTER: Final = """\
# A course. 'wateringhole course run {name}' grades it; the same command goes on after an interruption, and
# later grades only what has changed.

title = {title}

# The students: a CSV file with the columns id, name, and folder or repository (a git URL or a path).
roster = {roster}

# Of a repository, the last commit before this moment is graded. Folders are graded as they are.
# deadline = 2026-12-01T23:59:00+01:00

# Run in a copy of each submission, without a network; what it leaves there is graded.
# build = "make"
# build-seconds = 120

# The test cases: a folder with {files}.
# 'wateringhole suite make suite' writes suite/public, to hand out, and suite/hidden.
suite = "suite/hidden"
# growth = "bare"  # for programs that know only one spelling of growth: tagged or bare

seconds = 10      # that a case may take: of CPU time, or waiting
give-up = 3       # after so many cases in a row with too much time, memory or processes the others are not run
shrink = 200      # runs of a program to find a small case for the feedback; 0: none
# sandbox = "on"  # programs have no network and no files but their own; auto (where it works), on or off
# share = ["lib"] # more that sandboxed programs may read

# A part for each program that is due: a file of this name in the submission.
# credit = "cases": points by the share of the cases that pass. "all": all points, or none.
[[parts]]
harness = "xattack"
points = 10

[[parts]]
harness = "xstep"
points = 20
credit = "cases"

# A harness may have several parts, each with a name and a suite of its own.
# [[parts]]
# name = "xstep, public cases"
# harness = "xstep"
# suite = "suite/public"
# points = 5

# The class tournament. {{folder}} is that of a student; points are for games without being expelled.
# [bots]
# agent = "py:{{folder}}/bot.py:Bot"  # or "cmd:{{folder}}/bot"
# points = 10
# format = "swiss"  # or round-robin, knock-out
# table = 4
# deals = 2
# time = "10"
# house = ["silly", "greedy"]  # house bots that play, too
"""

ROSTER: Final = """\
id,name,folder
ann,Ann Example,submissions/ann
bob,Bob Example,submissions/bob
"""

config_file = click.argument("file", type=click.Path(path_type=Path), metavar="FILE.toml")


@click.group()
def course() -> None:
    """A class: its submissions, its gradebook, feedback for each student.

    \b
    wateringhole course init course.toml    a file to begin with, and a roster
    wateringhole course run course.toml     grade all, or what has changed

    The file names the roster, the suite of test cases, and the parts with their points. All that comes of it is beside
    it, in course.results: gradebook.csv, and feedback/ID.md for each student.
    """


@course.command()
@config_file
def init(file: Path) -> None:
    """Write a file to begin with, and a roster beside it; neither is written over another."""
    roster = file.with_name(f"{file.name.removesuffix('.toml')}-roster.csv")
    text = STARTER.format(
        name=printable(file.name),
        title=toml_text(file.name.removesuffix(".toml")),
        roster=toml_text(roster.name),
        files=", ".join(f"{name}.jsonl" for name in HARNESSES),
    )
    for path, content in ((file, text), (roster, ROSTER)):
        try:
            with path.open("x", encoding="utf-8") as new:
                new.write(content)
        except FileExistsError:
            raise Complaint(f"{path} is there already; take another name, or remove it") from None
        except (OSError, UnicodeEncodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "no name for a file"
            raise Complaint(f"{path!s:.200}: {why}") from None
    print(f"wrote {file} and {roster}; change both, then: wateringhole course run {file}")


@course.command()
@config_file
@click.option("--jobs", type=click.IntRange(1, MAX_JOBS), help="Programs at once.  [default: one for each CPU]")
@click.option("--json", "as_json", is_flag=True, help="The gradebook as one JSON object.")
@sandbox_options
def run(file: Path, jobs: int | None, as_json: bool, sandbox: Mode, share: tuple[str, ...]) -> None:
    """Grade a class, or what has changed since the last time, and write its gradebook.

    \b
    wateringhole course run course.toml
    wateringhole course run course.toml --sandbox on --json

    Each submission is copied, or cloned at its last commit before the deadline, and built. Its programs then answer the
    cases of the suite, as 'wateringhole grade --help' says. In course.results, beside the file, are

    \b
    gradebook.csv     a row for each student: the points of each part, the total, and why points are missing
    feedback/ID.md    for each student: what failed, a small case, expected and got in words, the rules that matter
    class.html        the report of the class tournament, if bots are part of the course
    results.jsonl     the result of each case: what is there, and has not changed, is not run again
    submissions/      the copies that were built

    Ctrl-C ends it; the same command goes on. A submission is graded again if its files or commit change, a case if it
    changes in the suite. A student whose submission is missing or cannot be built gets 0 points, with that reason.

    Exit code 0: the gradebook is written. 2: a mistake in the file, the roster or the suite, or course.results cannot
    be written.
    """
    results = file.with_name(f"{file.name.removesuffix('.toml')}.results")
    try:
        config = read_course(file)
        suites = read_suites(config)
        mode = _mode(config, sandbox)
        boxed = sandbox_for(mode, (*config.share, *checked_share(share)), [*suites], submissions=True)
        with open_proctor(jobs, config.seconds, boxed) as proctor, kept_results(results) as kept:
            assert kept is not None
            grading = CourseRun(config, suites, results, proctor, kept, progress)
            rows = grading.run(jobs or os.cpu_count() or 1)
    except (ConfigError, InputError, RunError) as error:
        raise Complaint(str(error)) from None
    except BrokenPipeError:
        raise  # the reader of the progress has left
    except OSError as error:
        raise Complaint(f"{error.filename2 or error.filename or results}: {error.strerror or error}") from None
    except KeyboardInterrupt:
        print(f"the results so far are kept in {results}; the same command goes on", file=sys.stderr)
        raise
    if as_json:
        print(json.dumps(_data(config, rows, results)))
    else:
        _show(config, rows, results, grading.known)


def _mode(config: CourseConfig, sandbox: Mode) -> Mode:
    """The sandbox by the file and the option, which must not contradict each other."""
    if "auto" not in {sandbox, config.sandbox} and sandbox != config.sandbox:
        raise Complaint(f"--sandbox {sandbox}, but the file says sandbox = {shown(config.sandbox)}")
    return config.sandbox if sandbox == "auto" else sandbox


def _data(config: CourseConfig, rows: Sequence[StudentResult], results: Path) -> dict[str, object]:
    students = [
        {
            "id": row.id,
            "name": row.name,
            "total": row.total,
            "reason": row.reason or None,
            "note": row.note or None,
            "commit": row.commit or None,
            "parts": [
                {
                    "part": part.part,
                    "passed": part.passed,
                    "cases": part.total,
                    "points": part.points,
                    "of": part.most,
                    "reason": part.reason or None,
                }
                for part in row.parts
            ],
            "feedback": str(results / FEEDBACK / f"{row.id}.md"),
        }
        for row in rows
    ]
    return {"title": config.title, "points": config.points, "gradebook": str(results / GRADEBOOK), "students": students}


def _show(config: CourseConfig, rows: Sequence[StudentResult], results: Path, known: int) -> None:
    """A line for each student, and how many have lost points for which reason."""
    width = max(len(row.id) for row in rows)
    for row in rows:
        note = f" ({printable(row.note)})" if row.note else ""
        print(f"{row.id:{width}}  {row.total:7.2f}  {row.reason}{note}".rstrip())
    reasons = Counter(reason for row in rows for reason in {part.reason for part in row.parts} if reason)
    full = sum(row.total == config.points for row in rows)
    print(f"{counted(len(rows), 'student')}, {full} with all {config.points:g} points")
    for reason, count in reasons.most_common():
        print(f"{count:4} {reason}")
    if known:
        print(f"{counted(known, 'result')} {'was' if known == 1 else 'were'} known from an earlier run")
    print(f"wrote {results / GRADEBOOK} and {results / FEEDBACK}/")
