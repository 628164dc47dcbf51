"""Grades a whole class: collects the submissions, runs the suites, finds small cases, plays the class tournament, and
writes the gradebook and the feedback.

Laws: the files that it writes depend on the config, the suites and the submissions, not on earlier interruptions.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, TypeAlias

from wateringhole.conformance.grading import Grading, Mark, Submission
from wateringhole.conformance.kept_results import KeptResults
from wateringhole.conformance.proctor import Proctor
from wateringhole.conformance.suites import SuiteCase, suite_cases, suite_files
from wateringhole.course.class_tournament import ClassTournament
from wateringhole.course.collecting import Collected, Collector
from wateringhole.course.config import ClassBots, CourseConfig
from wateringhole.course.feedback import PartFeedback, StudentFeedback, feedback
from wateringhole.course.gradebook import BotResult, StudentResult, gradebook, part_result
from wateringhole.course.smallest_cases import FailedPart, SmallestCase, SmallestCases
from wateringhole.tournament.formats import planned
from wateringhole.wire.csv_table import write_csv
from wateringhole.wire.toml_values import ConfigError

GRADEBOOK: Final = "gradebook.csv"
FEEDBACK: Final = "feedback"

Cases: TypeAlias = dict[str, list[SuiteCase]]
"""The cases of a suite, by harness."""

Bar: TypeAlias = Callable[[int | None, str], AbstractContextManager[Callable[[str], None]]]
"""A progress bar for so many steps; what it gives takes the name of each."""


def read_suites(config: CourseConfig) -> dict[Path, Cases]:
    """The cases of each suite for the harnesses of the parts; ConfigError if a part has none."""
    found: dict[Path, Cases] = {}
    for part in config.parts:
        cases = found.setdefault(part.suite, {})
        if part.harness in cases:
            continue
        files = {path.stem: path for path in suite_files(part.suite)}
        if part.harness not in files:
            raise ConfigError(f"part {part.name}: {part.suite} has no {part.harness}.jsonl")
        cases[part.harness] = suite_cases(files[part.harness], config.growth)
    return found


class CourseRun:
    """One run of a course, in its folder."""

    def __init__(
        self,
        config: CourseConfig,
        suites: Mapping[Path, Cases],
        folder: Path,
        proctor: Proctor,
        kept: KeptResults,
        bar: Bar,
    ) -> None:
        self._config = config
        self._suites = suites
        self._folder = folder
        self._proctor = proctor
        self._kept = kept
        self._bar = bar
        self._collector = Collector(config, folder, proctor)
        self.known = 0
        """Cases whose result was known before."""

    def run(self, jobs: int) -> list[StudentResult]:
        """Grade all students, and write the gradebook and the feedback."""
        config = self._config
        (self._folder / FEEDBACK).mkdir(exist_ok=True)  # before the work, in case it cannot be made
        with self._bar(len(config.students), "collecting and building") as step_done:
            collected = self._collector.collect(config.students, step_done)
        graded = self._graded(collected)
        smallest = self._smallest(graded)
        bots = self._tournament(config.bots, collected, jobs) if config.bots is not None else {}
        return self._written(collected, graded, smallest, bots)

    def _graded(self, collected: Mapping[str, Collected]) -> dict[Path, dict[str, Submission]]:
        """The submission of each student, with its marks, for each suite."""
        students = self._config.students
        found: dict[Path, dict[str, Submission]] = {}
        total = len(students) * sum(len(listed) for cases in self._suites.values() for listed in cases.values())
        with self._bar(total, "the first case") as step_done:
            for suite, cases in self._suites.items():
                submissions = {
                    student.id: Submission(
                        student.id,
                        [Mark(harness, len(listed), []) for harness, listed in cases.items()],
                        {
                            harness: collected[student.id].program(self._collector.home(student), harness)
                            for harness in cases
                        },
                        collected[student.id].digest,
                    )
                    for student in students
                }
                grading = Grading(cases, self._proctor, self._kept, self._config.give_up)
                grading.run(list(submissions.values()), step_done)
                self.known += grading.known
                found[suite] = submissions
        return found

    def _smallest(self, graded: Mapping[Path, Mapping[str, Submission]]) -> dict[tuple[Path, str, str], SmallestCase]:
        """The smallest case for each suite, student and harness that has one."""
        if not self._config.shrink_runs:
            return {}
        finder = SmallestCases(self._proctor, self._kept, self._config.growth, self._config.shrink_runs)
        failed = {
            (suite, submission.name, mark.harness): part
            for suite, submissions in graded.items()
            for submission in submissions.values()
            for mark in submission.marks
            if (part := FailedPart(submission, mark, self._suites[suite][mark.harness])).worth_shrinking is not None
        }
        found = {}
        with self._bar(len(failed), "small cases") as step_done:
            for (suite, student, harness), part in failed.items():
                smallest = finder.smallest(part, lambda _: None)
                if smallest is not None:
                    found[suite, student, harness] = smallest
                step_done(f"small case: {harness} {student}")
        return found

    def _tournament(self, bots: ClassBots, collected: Mapping[str, Collected], jobs: int) -> dict[str, BotResult]:
        """The result of each student in the class tournament."""
        tournament = ClassTournament(self._config, bots, collected, self._folder, self._proctor.sandbox)
        with self._bar(planned(tournament.config), "the class tournament") as step_done:
            course = tournament.play(jobs, lambda _: step_done("the class tournament"))
        return tournament.results(course)

    def _written(
        self,
        collected: Mapping[str, Collected],
        graded: Mapping[Path, Mapping[str, Submission]],
        smallest: Mapping[tuple[Path, str, str], SmallestCase],
        bots: Mapping[str, BotResult],
    ) -> list[StudentResult]:
        config = self._config
        rows = []
        for student in config.students:
            parts = []
            for part in config.parts:
                mark = next(each for each in graded[part.suite][student.id].marks if each.harness == part.harness)
                case = smallest.get((part.suite, student.id, part.harness))
                parts.append(PartFeedback(part_result(part, mark), mark, case))
            bot = bots.get(student.id)
            results = [part.result for part in parts] + ([bot.part] if bot is not None else [])
            had = collected[student.id]
            note = ": ".join(text for text in (had.why, had.said.partition("\n")[0]) if text)
            row = StudentResult(student.id, student.name, tuple(results), had.commit, note)
            home = str(self._collector.home(student))
            text = feedback(config, StudentFeedback(row, had, parts, home, bot))
            (self._folder / FEEDBACK / f"{student.id}.md").write_text(text, encoding="utf-8")
            rows.append(row)
        self._write_gradebook(rows)
        return rows

    def _write_gradebook(self, rows: Sequence[StudentResult]) -> None:
        """Replace the gradebook as a whole, so that an interrupted run leaves the one that was there."""
        new = self._folder / f"{GRADEBOOK}.new"
        with new.open("w", newline="", encoding="utf-8") as file:
            write_csv(file, gradebook(self._config, rows))
        new.replace(self._folder / GRADEBOOK)
