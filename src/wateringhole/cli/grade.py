"""`grade`: a suite of test cases, one JSON object a line: id, in, out."""

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, Literal, TextIO

import click
import msgspec
from msgspec import UnsetType
from msgspec.structs import replace

from wateringhole.cli import Complaint, one_of
from wateringhole.cli.agents import sandbox_for, sandbox_options
from wateringhole.cli.foreign import MAX_JOBS, Command, Failure, Proctor, proctor, program, program_in, progress
from wateringhole.cli.growth import growth_option
from wateringhole.fault import shown
from wateringhole.outside.anyone import Mode
from wateringhole.wire.first_difference import FirstDifference, first_difference
from wateringhole.wire.growth import Spelling, spelt_input, spelt_output
from wateringhole.wire.harness import HARNESSES
from wateringhole.wire.shapes import ShapeError
from wateringhole.wire.spreadsheet import write_csv
from wateringhole.wire.stream import Json, JsonError, parse

SHOWN_DIFFERENCES: Final = 3
MAX_KEPT_CHARS: Final = 65_536
SECONDS: Final = 10.0
CSV_COLUMNS: Final = ("submission", "harness", "passed", "total", "timeouts", "crashes", "first difference id")


class Case(msgspec.Struct):
    """What a harness must print for an input."""

    id: str
    given: Json
    expected: Json


class Difference(msgspec.Struct, omit_defaults=True):
    """A case that did not pass; in which way a program failed, if it did, and what it said of that."""

    id: str
    expected: Json
    got: Json
    first_difference: FirstDifference
    failure: Failure | None = None
    stderr: str = ""


class Mark(msgspec.Struct):
    """How one harness did."""

    harness: str
    total: int
    differences: list[Difference]

    @property
    def passed(self) -> int:
        return self.total - len(self.differences)

    def failed(self, failure: Failure) -> int:
        """How many cases failed in this way."""
        return sum(difference.failure is failure for difference in self.differences)


class Submission(msgspec.Struct):
    """What somebody hands in: the marks, and the programs of the harnesses if they are not ours."""

    name: str
    marks: list[Mark]
    programs: dict[str, Command] = {}


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
@click.option("--seconds", type=float, help=f"Seconds that a case may take.  [default: {SECONDS}]")
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

    A case is a line {"id": "...", "in": ..., "out": ...}. A program of others reads "in" from standard input. It passes
    if it prints the same JSON value as "out" and exits with code 0. A submission runs in its own folder, and a program
    that is missing there fails all its cases. In a sandbox it sees its own folder, but not the suite; without one it
    runs with your rights. For programs that know only one spelling of growth, --growth puts all card plays of the suite
    into it.

    Exit code 0: all pass. 1: a case differs. 2: a mistake in the arguments.
    """
    one_of(exe=bool(commands), submissions=folder is not None)
    ours = not commands and folder is None
    if ours and (jobs is not None or seconds is not None or csv_file is not None):
        raise Complaint("--jobs, --seconds and --csv are for programs of others; they need --exe or --submissions")
    files = {path.stem: cases(path, growth) for path in suite_files(suite)}
    if ours:
        submissions = [Submission("", [marked(name, listed, growth) for name, listed in files.items()])]
    else:
        submissions = [_named(commands, files)] if folder is None else _in_folder(folder, files)
        if csv_file is not None:
            _opened(csv_file, "a").close()  # a mistake in the path must not show at the end only
        boxed = sandbox_for(sandbox, share, suite_files(suite))
        with proctor(jobs, SECONDS if seconds is None else seconds, boxed) as watching:
            _run(submissions, files, watching)
        if csv_file is not None:
            _write_csv(csv_file, submissions)
    left_out = [name for name in files if commands and name not in submissions[0].programs]
    if as_json:
        print(json.dumps(_data(submissions, left_out, nested=folder is not None)))
    else:
        _show(submissions, left_out, nested=folder is not None)
    if not all(mark.passed == mark.total for submission in submissions for mark in submission.marks):
        raise SystemExit(1)


def suite_files(suite: Path) -> list[Path]:
    """The files of a suite, each named after a harness."""
    try:
        suite.stat()
    except (OSError, ValueError) as error:
        raise Complaint(f"{suite!s:.200}: {getattr(error, 'strerror', error)}") from None
    files = sorted(suite.glob("*.jsonl")) if suite.is_dir() else [suite]
    if not files:
        raise Complaint(f"{suite}: no .jsonl file in this folder")
    for path in files:
        if path.stem not in HARNESSES:
            raise Complaint(f"{path}: named after no harness; known: {', '.join(HARNESSES)}")
    return files


def cases(path: Path, growth: Spelling | None = None) -> list[Case]:
    """The cases in a file, in its order, with growth in this spelling."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror}") from None
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = parse(line)
        except JsonError as error:
            raise Complaint(f"{path}, line {number}: {error}") from None
        if not isinstance(value, dict) or not {"id", "in", "out"} <= value.keys():
            raise Complaint(f'{path}, line {number}: {shown(value)} is no case {{"id": ..., "in": ..., "out": ...}}')
        given, out = spelt_input(path.stem, value["in"], growth), spelt_output(path.stem, value["out"], growth)
        found.append(Case(str(value["id"]), given, out))
    if not found:
        raise Complaint(f"{path}: no cases")
    return found


def marked(harness: str, listed: Sequence[Case], growth: Spelling | None = None) -> Mark:
    """The mark of our harness of this name."""
    mark = Mark(harness, len(listed), [])
    for case in listed:
        try:
            got = spelt_output(harness, HARNESSES[harness](case.given), growth)
        except ShapeError as error:
            got = {"error": str(error)}
        first = first_difference(harness, case.expected, got)
        if first is not None:
            mark.differences.append(Difference(case.id, case.expected, got, first))
    return mark


# Programs of others.


def _named(commands: Sequence[str], files: Mapping[str, Sequence[Case]]) -> Submission:
    """The programs that the user named; the cases of other harnesses are left out."""
    programs: dict[str, Command] = {}
    for text in commands:
        name, equals, command = text.partition("=")
        if not equals:
            raise Complaint(f"--exe {shown(text)} is not NAME=COMMAND")
        if name not in HARNESSES:
            raise Complaint(f"--exe {shown(text)} names no harness; known: {', '.join(HARNESSES)}")
        if name in programs:
            raise Complaint(f"--exe names two programs for {name}")
        if name not in files:
            raise Complaint(f"--exe {shown(text)}: the suite has no {name}.jsonl")
        programs[name] = program(command)
    marks = [Mark(name, len(listed), []) for name, listed in files.items() if name in programs]
    return Submission(" ".join(commands), marks, programs)


def _in_folder(folder: Path, files: Mapping[str, Sequence[Case]]) -> list[Submission]:
    """What each folder in this one hands in; whatever the suite has cases for is due."""
    try:
        homes = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    except OSError as error:
        raise Complaint(f"{folder!s:.200}: {error.strerror}") from None
    if not homes:
        raise Complaint(f"{folder}: no submission, that is, no folder, in this folder")
    return [
        Submission(
            home.name,
            [Mark(name, len(listed), []) for name, listed in files.items()],
            {name: program_in(home, name) for name in files},
        )
        for home in homes
    ]


def _run(submissions: Sequence[Submission], files: Mapping[str, Sequence[Case]], watching: Proctor) -> None:
    """Let every program answer its cases, and note the differences in its mark."""
    tasks = [
        (submission, mark, case)
        for submission in submissions
        for mark in submission.marks
        for case in files[mark.harness]
    ]

    def difference(task: tuple[Submission, Mark, Case]) -> Difference | None:
        submission, mark, case = task
        answer = watching.answer(submission.programs[mark.harness], case.given)
        first = first_difference(mark.harness, case.expected, answer.value)
        if first is None and answer.failure is None:
            return None
        first = first or FirstDifference((), case.expected, answer.value)  # a suite may expect the words of a failure
        if not isinstance(first.got, UnsetType):
            first = replace(first, got=_kept(first.got))
        return Difference(case.id, case.expected, _kept(answer.value), first, answer.failure, answer.stderr)

    with progress(len(tasks), "the first case") as told, closing(watching.each(difference, tasks)) as found:
        for (submission, mark, _), differs in zip(tasks, found, strict=True):
            if differs is not None:
                mark.differences.append(differs)
            told(f"{mark.harness} {submission.name}")


def _kept(got: Json) -> Json:
    """What a program printed, if it is short: those of a class may print more than fits into the memory."""
    return got if len(json.dumps(got)) <= MAX_KEPT_CHARS else {"error": f"a long value: {shown(got)}"}


# What is told.


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
    failures = {"timeouts": mark.failed(Failure.TIMEOUT), "crashes": mark.failed(Failure.CRASH)} if foreign else {}
    counts = {"harness": mark.harness, "passed": mark.passed, "total": mark.total}
    return counts | failures | {"differences": msgspec.to_builtins(mark.differences)}


def _show(submissions: Sequence[Submission], left_out: list[str], nested: bool) -> None:
    for submission in submissions:
        if nested:
            print(shown(submission.name)[1:-1])
        for mark in submission.marks:
            _show_mark(mark, "  " if nested else "")
    for name in left_out:
        print(f"{name:8} left out: there is no --exe for it")
    marks = [mark for submission in submissions for mark in submission.marks]
    passed, total = sum(mark.passed for mark in marks), sum(mark.total for mark in marks)
    print(f"{passed} passed, {total - passed} failed")


def _show_mark(mark: Mark, margin: str) -> None:
    timeouts, crashes = mark.failed(Failure.TIMEOUT), mark.failed(Failure.CRASH)
    failures = (f", {timeouts} timed out" if timeouts else "") + (f", {crashes} crashed" if crashes else "")
    print(f"{margin}{mark.harness:8} {mark.passed} of {mark.total}{failures}")
    for difference in mark.differences[:SHOWN_DIFFERENCES]:
        if difference.failure is Failure.NO_START:
            print(f"{margin}  {shown(difference.got)}")
            break  # so will all the others
        print(f"{margin}  {shown(difference.id)[1:-1]}")
        print(f"{margin}    {difference.first_difference}")
        if difference.stderr.strip():
            print(f"{margin}    stderr: {first_and_last(difference.stderr)}")


def first_and_last(text: str) -> str:
    """Its first line and its last: one of the two says what went wrong, in any language."""
    lines = text.strip().splitlines()
    return " ... ".join(shown(line) for line in [*lines[:1], *lines[1:][-1:]])


def _write_csv(path: Path, submissions: Sequence[Submission]) -> None:
    with _opened(path, "w") as file:
        rows: list[tuple[object, ...]] = [CSV_COLUMNS]
        for submission in submissions:
            for mark in submission.marks:
                first = mark.differences[0].id if mark.differences else ""
                counts = mark.passed, mark.total, mark.failed(Failure.TIMEOUT), mark.failed(Failure.CRASH)
                rows.append((submission.name, mark.harness, *counts, first))
        write_csv(file, rows)


def _opened(path: Path, mode: Literal["a", "w"]) -> TextIO:
    try:
        return path.open(mode, newline="", encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise Complaint(f"{path!s:.200}: {error.strerror}") from None
