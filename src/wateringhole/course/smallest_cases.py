"""The smallest case on which a program of a student differs from ours, found once for each part that it fails."""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import NamedTuple

import msgspec

from wateringhole.conformance.comparing import ProgramPair, Shrinking
from wateringhole.conformance.first_difference import same
from wateringhole.conformance.grading import Difference, Mark, Submission
from wateringhole.conformance.harness import run_harness
from wateringhole.conformance.kept_results import KeptResults, digest
from wateringhole.conformance.proctor import Proctor
from wateringhole.conformance.programs import Failure
from wateringhole.conformance.suites import SuiteCase
from wateringhole.wire.framing import Json
from wateringhole.wire.growth import Spelling, spelt_output
from wateringhole.wire.json_codec import ShapeError


class SmallestCase(msgspec.Struct, frozen=True):
    """An input, what is expected for it, what the program gave, and where the two differ, in words; `failure` says why
    it gave no answer.
    """

    given: Json
    expected: Json
    got: Json
    differs: str
    smallest: bool
    failure: str = ""


class FailedPart(NamedTuple):
    """A mark with failed cases, the submission that has it, and the cases of its suite."""

    submission: Submission
    mark: Mark
    cases: Sequence[SuiteCase]

    @property
    def worth_shrinking(self) -> Difference | None:
        """The first case with a wrong answer, or with a crash; other failures show nothing when they are smaller."""
        for failure in (None, Failure.CRASH):
            for difference in self.mark.differences:
                if difference.failure is failure:
                    return difference
        return None


class SmallestCases:
    """Finds smallest cases, with so many runs of a program for each at most."""

    def __init__(self, proctor: Proctor, kept: KeptResults, growth: Spelling | None, runs: int) -> None:
        self._proctor = proctor
        self._kept = kept
        self._growth = growth
        self._runs = runs

    def key(self, failed: FailedPart) -> str:
        return digest("smallest", failed.submission.digest, failed.mark.harness, self._case(failed), self._runs)

    def known(self, failed: FailedPart) -> bool:
        return self.key(failed) in self._kept

    def smallest(self, failed: FailedPart, step_done: Callable[[str], None]) -> SmallestCase | None:
        """The smallest case that was found; None if ours does not answer as the suite says, or the program now does."""
        key = self.key(failed)
        if key not in self._kept:
            self._kept.add(key, self._shrunk(failed, step_done))
        found = json.loads(self._kept.raw(key))
        return None if found is None else SmallestCase(**found)

    def _case(self, failed: FailedPart) -> Json:
        difference = failed.worth_shrinking
        assert difference is not None
        return next(case.given for case in failed.cases if case.id == difference.id)

    def _shrunk(self, failed: FailedPart, step_done: Callable[[str], None]) -> SmallestCase | None:
        difference, harness, given = failed.worth_shrinking, failed.mark.harness, self._case(failed)
        assert difference is not None
        try:
            ours = spelt_output(harness, run_harness(harness, given), self._growth)
        except ShapeError:
            return None
        if not same(ours, difference.expected):
            return None
        pair = ProgramPair(harness, failed.submission.programs[harness], None, self._growth, self._proctor)
        with closing(self._proctor.each(pair.trial, [(difference.id, given)])) as trials:
            trial = next(trials)
        if trial.first_difference is None:
            return None
        shrinking = Shrinking(pair, trial, by_kind=False, fewest=0, most=self._runs)
        shrinking.run(step_done)
        found = shrinking.smallest
        theirs, differs = found.theirs, str(found.first_difference)
        return SmallestCase(found.given, found.ours.value, theirs.value, differs, shrinking.ended, theirs.why)
