"""Grades harness programs by the cases of a suite: ours in this process, programs of students as child processes."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
from msgspec import UnsetType
from msgspec.structs import replace

from wateringhole.conformance.first_difference import FirstDifference, first_difference
from wateringhole.conformance.harness import HARNESSES
from wateringhole.conformance.programs import Command, Failure, InputError, Proctor, program, program_in
from wateringhole.conformance.suites import SuiteCase
from wateringhole.fault import shown
from wateringhole.wire.framing import Json
from wateringhole.wire.growth import Spelling, spelt_output
from wateringhole.wire.json_codec import ShapeError

MAX_KEPT_CHARS: Final = 65_536
"""How much is kept of a program's answer, as JSON."""


class Difference(msgspec.Struct, omit_defaults=True):
    """A case that did not pass; how the program failed, if it did, and its standard error."""

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
    """What a student hands in: the marks, and the programs of the harnesses if they are not ours."""

    name: str
    marks: list[Mark]
    programs: dict[str, Command] = {}


def grade_ours(harness: str, listed: Sequence[SuiteCase], growth: Spelling | None = None) -> Mark:
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


def named_submission(commands: Sequence[str], files: Mapping[str, Sequence[SuiteCase]]) -> Submission:
    """The programs that the user named; the cases of other harnesses are left out."""
    programs: dict[str, Command] = {}
    for text in commands:
        name, equals, command = text.partition("=")
        if not equals:
            raise InputError(f"--exe {shown(text)} is not NAME=COMMAND")
        if name not in HARNESSES:
            raise InputError(f"--exe {shown(text)} names no harness; known: {', '.join(HARNESSES)}")
        if name in programs:
            raise InputError(f"--exe names two programs for {name}")
        if name not in files:
            raise InputError(f"--exe {shown(text)}: the suite has no {name}.jsonl")
        programs[name] = program(command)
    marks = [Mark(name, len(listed), []) for name, listed in files.items() if name in programs]
    return Submission(" ".join(commands), marks, programs)


def submissions_in(folder: Path, files: Mapping[str, Sequence[SuiteCase]]) -> list[Submission]:
    """The submission in each subfolder: a program for every harness of the suite is due."""
    try:
        homes = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    except OSError as error:
        raise InputError(f"{folder!s:.200}: {error.strerror}") from None
    if not homes:
        raise InputError(f"{folder}: no submission, that is, no folder, in this folder")
    return [
        Submission(
            home.name,
            [Mark(name, len(listed), []) for name, listed in files.items()],
            {name: program_in(home, name) for name in files},
        )
        for home in homes
    ]


def grade(
    submissions: Sequence[Submission],
    files: Mapping[str, Sequence[SuiteCase]],
    watching: Proctor,
    told: Callable[[str], None],
) -> None:
    """Let every program answer its cases, and note the differences in its mark; `told` gets each case."""
    tasks = [
        (submission, mark, case)
        for submission in submissions
        for mark in submission.marks
        for case in files[mark.harness]
    ]

    def difference(task: tuple[Submission, Mark, SuiteCase]) -> Difference | None:
        submission, mark, case = task
        answer = watching.answer(submission.programs[mark.harness], case.given)
        first = first_difference(mark.harness, case.expected, answer.value)
        if first is None and answer.failure is None:
            return None
        first = first or FirstDifference((), case.expected, answer.value)  # a suite may expect the text of a failure
        if not isinstance(first.got, UnsetType):
            first = replace(first, got=_kept(first.got))
        return Difference(case.id, case.expected, _kept(answer.value), first, answer.failure, answer.stderr)

    with closing(watching.each(difference, tasks)) as found:
        for (submission, mark, _), differs in zip(tasks, found, strict=True):
            if differs is not None:
                mark.differences.append(differs)
            told(f"{mark.harness} {submission.name}")


def _kept(got: Json) -> Json:
    """What a program printed, if it is short: the programs of a whole class may print more than fits into memory."""
    return got if len(json.dumps(got)) <= MAX_KEPT_CHARS else {"error": f"a long value: {shown(got)}"}
