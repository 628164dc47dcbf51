"""Grades harness programs by the cases of a suite: ours in this process, programs of students as child processes.

Laws: the marks do not depend on how many cases run at once. A time-out counts if the program is late again when it runs
alone; after too many in a row the rest of its cases is not run.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import UnsetType
from msgspec.structs import replace

from wateringhole.conformance.first_difference import FirstDifference, first_difference, same
from wateringhole.conformance.harness import HARNESSES, run_harness
from wateringhole.conformance.kept_results import KeptResults, digest, folder_digest
from wateringhole.conformance.proctor import Proctor
from wateringhole.conformance.programs import (
    Command,
    Failure,
    InputError,
    ProgramAnswer,
    failed,
    program,
    program_in,
)
from wateringhole.conformance.suites import SuiteCase
from wateringhole.fault import shown
from wateringhole.wire.framing import Json
from wateringhole.wire.growth import Spelling, spelt_output
from wateringhole.wire.json_codec import ShapeError

MAX_KEPT_CHARS: Final = 65_536
"""How much is kept of a program's answer, as JSON."""

CASE_SECONDS: Final = 10.0
"""How long a program may take for a case, unless the user says otherwise."""
GIVE_UP: Final = 3
MAX_GIVE_UP: Final = 1_000_000
"""After how many exhausting cases in a row a program is given up, by default and at most."""
WRONG: Final = "wrong"
"""The reason of a case in which a program gave an answer, but another one."""


class Difference(msgspec.Struct, omit_defaults=True):
    """A case that did not pass; how the program failed, if it did, and its standard error."""

    id: str
    expected: Json
    got: Json
    first_difference: FirstDifference
    failure: Failure | None = None
    stderr: str = ""

    @property
    def reason(self) -> str:
        return WRONG if self.failure is None else self.failure.value


class Mark(msgspec.Struct):
    """How one harness did."""

    harness: str
    total: int
    differences: list[Difference]

    @property
    def passed(self) -> int:
        return self.total - len(self.differences)

    def failed(self, failure: Failure | None) -> int:
        """How many cases failed in this way; None: with a wrong answer."""
        return sum(difference.failure is failure for difference in self.differences)

    @property
    def reason(self) -> str:
        """Why most of its failed cases failed; empty if all passed. Cases that were not run have another reason."""
        counts = Counter(difference.reason for difference in self.differences)
        not_run = counts.pop(Failure.NOT_RUN.value, 0)
        return max(counts, key=lambda reason: counts[reason]) if counts else Failure.NOT_RUN.value if not_run else ""


class Submission(msgspec.Struct):
    """What a student hands in: the marks, and the programs of the harnesses if they are not ours. `digest` is that of
    its files, if results are kept.
    """

    name: str
    marks: list[Mark]
    programs: dict[str, Command] = {}
    digest: str = ""


def grade_ours(harness: str, listed: Sequence[SuiteCase], growth: Spelling | None = None) -> Mark:
    """The mark of our harness of this name."""
    mark = Mark(harness, len(listed), [])
    for case in listed:
        try:
            got = spelt_output(harness, run_harness(harness, case.given), growth)
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


def submissions_in(folder: Path, files: Mapping[str, Sequence[SuiteCase]], kept: bool) -> list[Submission]:
    """The submission in each subfolder: a program for every harness of the suite is due."""
    try:
        homes = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    except OSError as error:
        raise InputError(f"{folder!s:.200}: {error.strerror}") from None
    if not homes:
        raise InputError(f"{folder}: no submission, that is, no folder, in this folder")
    return [submission_in(home, home.name, files, folder_digest(home) if kept else "") for home in homes]


def submission_in(home: Path, name: str, files: Mapping[str, Sequence[SuiteCase]], hashed: str) -> Submission:
    """The submission of this name in a folder."""
    marks = [Mark(harness, len(listed), []) for harness, listed in files.items()]
    return Submission(name, marks, {harness: program_in(home, harness) for harness in files}, hashed)


class _Sitting:
    """One program and its cases: what is known of each, and those that wait for a second run."""

    def __init__(self, submission: Submission, mark: Mark, keys: Sequence[str], give_up: int) -> None:
        self.submission = submission
        self.mark = mark
        self.keys = keys
        self.found: dict[int, Difference | None] = {}
        self.late: dict[int, Difference] = {}
        self._give_up = give_up
        self._in_a_row = 0

    @property
    def command(self) -> Command:
        return self.submission.programs[self.mark.harness]

    @property
    def given_up(self) -> bool:
        """Whether so many cases in a row used up what a program may use that the others are not run."""
        return self._in_a_row >= self._give_up

    def count(self, differs: Difference | None) -> None:
        """Count a result, in the order of the cases."""
        exhausted = differs is not None and differs.failure is not None and differs.failure.exhausting
        self._in_a_row = self._in_a_row + 1 if exhausted else 0

    def second_chance(self) -> None:
        """Begin to count anew; a program that was given up must be in time at once."""
        self._in_a_row = self._give_up - 1 if self.given_up else 0


class _Task(NamedTuple):
    """A case of a sitting, by its place."""

    sitting: _Sitting
    at: int
    case: SuiteCase


class Grading:
    """Lets every program answer its cases; results that are kept are not asked for again. `known` counts those."""

    def __init__(
        self,
        files: Mapping[str, Sequence[SuiteCase]],
        proctor: Proctor,
        kept: KeptResults | None = None,
        give_up: int = GIVE_UP,
    ) -> None:
        self._files = files
        self._proctor = proctor
        self._kept = kept
        self._give_up = give_up
        self._terms = digest(proctor.seconds, None if proctor.sandbox is None else proctor.sandbox.share, give_up)
        self._cases = {
            harness: [digest(harness, case.id, case.given, case.expected) for case in listed]
            for harness, listed in files.items()
        }
        self.known = 0

    def run(
        self,
        submissions: Sequence[Submission],
        told: Callable[[str], None],
        finished: Callable[[Submission], None] = lambda _: None,
    ) -> None:
        """Fill in the marks. `told` gets each case, and `finished` each submission as soon as its marks are final."""
        due = {id(each): len(each.marks) for each in submissions}

        def settle(sitting: _Sitting) -> None:
            results = [sitting.found[at] for at in range(sitting.mark.total)]
            sitting.mark.differences[:] = [differs for differs in results if differs is not None]
            due[id(sitting.submission)] -= 1
            if not due[id(sitting.submission)]:
                finished(sitting.submission)

        again = []
        for sitting in self._first_runs(
            [self._sitting(each, mark) for each in submissions for mark in each.marks], told
        ):
            if sitting.late:
                again.append(sitting)
            else:
                settle(sitting)
        for sitting in again:
            self._second_runs(sitting, told)
            settle(sitting)

    def _sitting(self, submission: Submission, mark: Mark) -> _Sitting:
        keys = [digest(submission.digest, case, self._terms) for case in self._cases[mark.harness]]
        return _Sitting(submission, mark, keys, self._give_up)

    def _first_runs(self, sittings: Sequence[_Sitting], told: Callable[[str], None]) -> Iterator[_Sitting]:
        """Run all cases, several at once; each sitting, as soon as all its cases have been run."""
        for sitting in sittings:
            for at, key in enumerate(sitting.keys):
                if self._kept is not None and key in self._kept:
                    sitting.found[at] = _difference_in(self._kept.raw(key))
                    self.known += 1
        tasks = [[_Task(each, at, case) for at, case in enumerate(self._listed(each))] for each in sittings]
        fresh = (task for listed in tasks for task in listed if task.at not in task.sitting.found)
        with closing(self._proctor.each(self._result, fresh)) as results:
            for sitting, listed in zip(sittings, tasks, strict=True):
                for task in listed:
                    if task.at not in sitting.found:
                        self._note_first(task, next(results))
                    if task.at not in sitting.late:
                        told(f"{sitting.mark.harness} {sitting.submission.name}")
                yield sitting

    def _note_first(self, task: _Task, differs: Difference | None) -> None:
        """A time-out waits for its second run, and so do the cases behind too many of them."""
        if task.sitting.given_up:
            task.sitting.late[task.at] = self._not_run(task)
            return
        task.sitting.count(differs)
        if differs is not None and differs.failure is Failure.TIMEOUT:
            task.sitting.late[task.at] = differs
        else:
            self._keep(task, differs)

    def _second_runs(self, sitting: _Sitting, told: Callable[[str], None]) -> None:
        """Run what was late alone, one case after the other, until there are too many time-outs again."""
        listed = self._listed(sitting)
        tasks = [_Task(sitting, at, listed[at]) for at in sitting.late]
        sitting.second_chance()
        with closing(self._proctor.each(self._result, tasks, ahead=1, alone=True)) as results:
            for task, differs in zip(tasks, results, strict=True):
                told(f"again, alone: {sitting.mark.harness} {sitting.submission.name}")
                if sitting.given_up:
                    self._keep(task, sitting.late[task.at])
                else:
                    sitting.count(differs)
                    self._keep(task, differs)

    def _listed(self, sitting: _Sitting) -> Sequence[SuiteCase]:
        return self._files[sitting.mark.harness]

    def _keep(self, task: _Task, differs: Difference | None) -> None:
        task.sitting.found[task.at] = differs
        if self._kept is not None:
            self._kept.add(task.sitting.keys[task.at], differs)

    def _not_run(self, task: _Task) -> Difference:
        why = f"not run: {self._give_up} cases in a row before it used too much time, memory or processes"
        return _difference(task.sitting.mark.harness, task.case, failed(Failure.NOT_RUN, why))

    def _result(self, task: _Task) -> Difference | None:
        """Run one case, unless its program has been given up meanwhile."""
        sitting, _, case = task
        if sitting.given_up:
            return self._not_run(task)
        answer = self._proctor.answer(sitting.command, case.given)
        passes = answer.failure is None and same(case.expected, answer.value)
        return None if passes else _difference(sitting.mark.harness, case, answer)


def _difference(harness: str, case: SuiteCase, answer: ProgramAnswer) -> Difference:
    """The difference of a case that did not pass."""
    first = first_difference(harness, case.expected, answer.value)
    first = first or FirstDifference((), case.expected, answer.value)  # a suite may expect the text of a failure
    if not isinstance(first.got, UnsetType):
        first = replace(first, got=_kept(first.got))
    return Difference(case.id, case.expected, _kept(answer.value), first, answer.failure, answer.stderr)


def _difference_in(data: bytes) -> Difference | None:
    """A difference that was kept. Its JSON values are of any type, which msgspec does not read as such."""
    kept = json.loads(data)
    if kept is None:
        return None
    first = kept["first_difference"]
    kept["first_difference"] = FirstDifference(**first | {"place": tuple(first["place"])})
    kept["failure"] = Failure(kept["failure"]) if "failure" in kept else None
    return Difference(**kept)


def _kept(got: Json) -> Json:
    """What a program printed, if it is short: the programs of a whole class may print more than fits into memory."""
    return got if len(json.dumps(got)) <= MAX_KEPT_CHARS else {"error": f"a long value: {shown(got)}"}
