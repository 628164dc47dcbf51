"""`grade`: a suite of test cases, one JSON object a line: id, in, out."""

import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, Literal, TextIO

import click
import msgspec

from wateringhole.cli import Complaint, one_of
from wateringhole.cli.agent_options import sandbox_for, sandbox_options
from wateringhole.cli.growth_option import growth_option
from wateringhole.cli.progress import progress
from wateringhole.conformance.grading import (
    CASE_SECONDS,
    GIVE_UP,
    MAX_GIVE_UP,
    Grading,
    Mark,
    Submission,
    grade_ours,
    named_submission,
    submissions_in,
)
from wateringhole.conformance.kept_results import kept_results
from wateringhole.conformance.proctor import MAX_JOBS, open_proctor
from wateringhole.conformance.programs import Failure, InputError
from wateringhole.conformance.suites import suite_cases, suite_files
from wateringhole.external.play_specs import Mode
from wateringhole.fault import shown
from wateringhole.wire.csv_table import write_csv
from wateringhole.wire.growth import Spelling

SHOWN_DIFFERENCES: Final = 3
COUNTED: Final[dict[str, Failure | None]] = {
    "wrong": None,
    "crashed": Failure.CRASH,
    "time-outs": Failure.TIMEOUT,
    "no JSON": Failure.NO_JSON,
    "not run": Failure.NOT_RUN,
}
SAID: Final = {"timed out": Failure.TIMEOUT, "crashed": Failure.CRASH, "not run": Failure.NOT_RUN}
CSV_COLUMNS: Final = ("submission", "harness", "passed", "total", "reason", *COUNTED, "first difference id")


@click.command()
@click.option(
    "--suite",
    type=click.Path(path_type=Path),
    required=True,
    help="A .jsonl file named after its harness, or a folder.",
)
@click.option(
    "--exe",
    "commands",
    multiple=True,
    metavar="NAME=COMMAND",
    help="Grade this program as the harness NAME; repeatable.",
)
@click.option(
    "--submissions",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Grade each folder in DIR: the programs in it that are named xattack, xfeed, ...",
)
@growth_option("the harnesses read and print", None)
@click.option("--jobs", type=click.IntRange(1, MAX_JOBS), help="Cases at once.  [default: one for each CPU]")
@click.option(
    "--seconds",
    type=float,
    help="Seconds that a case may take: of CPU time, and of time in which the program waits."
    f"  [default: {CASE_SECONDS}]",
)
@click.option(
    "--give-up",
    type=click.IntRange(1, MAX_GIVE_UP),
    metavar="N",
    help="After N cases in a row with too much time, memory or processes, do not run the other cases of a program."
    f"  [default: {GIVE_UP}]",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep the result of each case in DIR; the same command then runs only what is not there.",
)
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the marks to a table.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object with every difference.")
@sandbox_options
def grade(
    suite: Path,
    commands: tuple[str, ...],
    folder: Path | None,
    growth: Spelling | None,
    jobs: int | None,
    seconds: float | None,
    give_up: int | None,
    keep: Path | None,
    csv_file: Path | None,
    as_json: bool,
    sandbox: Mode,
    share: tuple[str, ...],
) -> None:
    """Run every case of a suite through our harnesses, or through those of others, and count the passes.

    \b
    wateringhole grade --suite cases/              all of xattack.jsonl, xfeed.jsonl, ...
    wateringhole grade --suite cases/xstep.jsonl
    wateringhole grade --suite cases/ --exe "xstep=./xstep" --exe "xfeed=java -jar feed.jar"
    wateringhole grade --suite cases/ --submissions class/ --csv marks.csv
    wateringhole grade --suite cases/ --submissions class/ --keep kept/

    A case is a line {"id": "...", "in": ..., "out": ...}. A program of others reads "in" from standard input. It passes
    if it prints the same JSON value as "out" and exits with code 0. A submission runs in its own folder, and a program
    that is missing there fails all its cases. In a sandbox it sees its own folder, but neither the suite nor
    wateringhole, whose harnesses could answer for it; without one it runs with your rights. For programs that know only
    one spelling of growth, --growth puts all card plays of the suite into it.

    Each submission is shown as soon as its marks are final. Time in which a program waits for a CPU does not count, and
    a time-out counts only if the program is late again when it runs alone, at the end. The table of --csv has the
    reason why most of the failed cases failed: missing, not executable, cannot be started, wrong, crashed, time-out, no
    JSON, too much output, too much memory, too many processes.

    With --keep an interrupted run goes on where it was, and a later one grades only submissions whose files have
    changed, and only cases that are new. A result is found again by the files of the submission, the case and the
    limits.

    Exit code 0: all pass. 1: a case differs. 2: a mistake in the arguments.
    """
    one_of(exe=bool(commands), submissions=folder is not None)
    ours = not commands and folder is None
    if ours and any(option is not None for option in (jobs, seconds, give_up, csv_file, keep)):
        raise Complaint(
            "--jobs, --seconds, --give-up, --keep and --csv are for programs of others: give --exe or --submissions"
        )
    if keep is not None and folder is None:
        raise Complaint(f"--keep {keep!s:.200}: only with --submissions, whose files show what has changed")
    try:
        files = {path.stem: suite_cases(path, growth) for path in suite_files(suite)}
        if ours:
            submissions = [Submission("", [grade_ours(name, listed, growth) for name, listed in files.items()])]
        elif folder is None:
            submissions = [named_submission(commands, files)]
        else:
            submissions = submissions_in(folder, files, kept=keep is not None)
        left_out = [name for name in files if commands and name not in submissions[0].programs]
        if not ours:
            if csv_file is not None:
                _opened(csv_file, "a").close()  # a mistake in the path must not show at the end only
            hide = [*suite_files(suite), *([] if keep is None else [keep])]
            boxed = sandbox_for(sandbox, share, hide, submissions=folder is not None)
            cases = sum(mark.total for submission in submissions for mark in submission.marks)
            finished = _say_nothing if as_json else partial(_show_submission, nested=folder is not None)
            with (
                open_proctor(jobs, CASE_SECONDS if seconds is None else seconds, boxed) as proctor,
                kept_results(keep) as results,
                progress(cases, "the first case") as told,
            ):
                Grading(files, proctor, results, give_up or GIVE_UP).run(submissions, told, finished)
            if csv_file is not None:
                _write_csv(csv_file, submissions)
    except InputError as error:
        raise Complaint(str(error)) from None
    except KeyboardInterrupt:
        if keep is not None:
            print(f"the results so far are kept in {keep}; the same command goes on", file=sys.stderr)
        raise
    if as_json:
        print(json.dumps(_data(submissions, left_out, nested=folder is not None)))
    else:
        if ours:
            _show_submission(submissions[0], nested=False)
        _show_sum(submissions, left_out)
    if not all(mark.passed == mark.total for submission in submissions for mark in submission.marks):
        raise SystemExit(1)


def _data(submissions: Sequence[Submission], left_out: list[str], nested: bool) -> dict[str, object]:
    marks = [mark for submission in submissions for mark in submission.marks]
    counts = {"passed": sum(mark.passed for mark in marks), "total": sum(mark.total for mark in marks)}
    if nested:
        return counts | {
            "submissions": [{"submission": each.name} | _data([each], [], nested=False) for each in submissions]
        }
    rows = [_row(mark, foreign=bool(submissions[0].programs)) for mark in marks]
    return counts | {"harnesses": rows} | ({"left_out": left_out} if left_out else {})


def _row(mark: Mark, foreign: bool) -> dict[str, object]:
    failures = (
        {
            "reason": mark.reason or None,
            "timeouts": mark.failed(Failure.TIMEOUT),
            "crashes": mark.failed(Failure.CRASH),
            "not_run": mark.failed(Failure.NOT_RUN),
        }
        if foreign
        else {}
    )
    counts = {"harness": mark.harness, "passed": mark.passed, "total": mark.total}
    return counts | failures | {"differences": msgspec.to_builtins(mark.differences)}


def _show_submission(submission: Submission, nested: bool) -> None:
    if nested:
        print(shown(submission.name)[1:-1])
    for mark in submission.marks:
        _show_mark(mark, "  " if nested else "")
    sys.stdout.flush()  # it is shown as soon as it is known, also through a pipe


def _say_nothing(_: Submission) -> None:
    pass


def _show_sum(submissions: Sequence[Submission], left_out: list[str]) -> None:
    for name in left_out:
        print(f"{name:8} left out: there is no --exe for it")
    marks = [mark for submission in submissions for mark in submission.marks]
    passed, total = sum(mark.passed for mark in marks), sum(mark.total for mark in marks)
    print(f"{passed} passed, {total - passed} failed")


def _show_mark(mark: Mark, margin: str) -> None:
    counts = {words: mark.failed(failure) for words, failure in SAID.items()}
    failures = "".join(f", {count} {words}" for words, count in counts.items() if count)
    print(f"{margin}{mark.harness:8} {mark.passed} of {mark.total}{failures}")
    for difference in mark.differences[:SHOWN_DIFFERENCES]:
        if difference.failure is not None and difference.failure.before_start:
            print(f"{margin}  {shown(difference.got)}")
            break  # so will all the others
        print(f"{margin}  {shown(difference.id)[1:-1]}")
        print(f"{margin}    {difference.first_difference}")
        if difference.stderr.strip():
            print(f"{margin}    stderr: {first_and_last(difference.stderr)}")


def _write_csv(path: Path, submissions: Sequence[Submission]) -> None:
    with _opened(path, "w") as file:
        rows: list[tuple[object, ...]] = [CSV_COLUMNS]
        for submission in submissions:
            for mark in submission.marks:
                first = mark.differences[0].id if mark.differences else ""
                counts = [mark.failed(failure) for failure in COUNTED.values()]
                rows.append((submission.name, mark.harness, mark.passed, mark.total, mark.reason, *counts, first))
        write_csv(file, rows)


def _opened(path: Path, mode: Literal["a", "w"]) -> TextIO:
    try:
        return path.open(mode, newline="", encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise Complaint(f"{path!s:.200}: {error.strerror}") from None


def first_and_last(text: str) -> str:
    """Its first line and its last: one of the two says what went wrong, in any language."""
    lines = text.strip().splitlines()
    return " ... ".join(shown(line) for line in [*lines[:1], *lines[1:][-1:]])
