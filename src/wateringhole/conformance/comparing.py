"""Compares two harness programs on many inputs, and shrinks an input on which they differ."""

import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from wateringhole.conformance.first_difference import FirstDifference, first_difference, same
from wateringhole.conformance.generator import situations
from wateringhole.conformance.harness import run_harness
from wateringhole.conformance.proctor import Proctor
from wateringhole.conformance.programs import Command, Failure, InputError, ProgramAnswer
from wateringhole.conformance.shrinker import shrunk
from wateringhole.conformance.situations import Situation, situation_in, situation_out
from wateringhole.conformance.suites import suite_cases, suite_files
from wateringhole.fault import shown
from wateringhole.wire.framing import Json
from wateringhole.wire.growth import Spelling, spelt_input, spelt_output
from wateringhole.wire.json_codec import ShapeError

MAX_RUNS: Final = 2_000
RUNS_IN_A_TIMEOUT: Final = 50  # else the comparison would wait all night for a program that hangs


class Trial(msgspec.Struct, frozen=True):
    """The answers of two programs to one input, the input's name for the user, and where the answers differ."""

    name: str
    given: Json
    theirs: ProgramAnswer
    ours: ProgramAnswer
    first_difference: FirstDifference | None

    @property
    def failures(self) -> tuple[Failure | None, Failure | None]:
        """How each of them fails, if it does: a wrong answer is not the same as a crash."""
        return self.theirs.failure, self.ours.failure

    @property
    def kind(self) -> tuple[str | None, ...]:
        """What differences of one kind share: how the programs fail, and the place without its numbers."""
        return *self.failures, *(self.first_difference.kind if self.first_difference is not None else ())


class ProgramPair(msgspec.Struct, frozen=True):
    """Two programs for one harness; without a second one the first is compared with our harness, in this process."""

    harness: str
    theirs: Command
    ours: Command | None
    growth: Spelling | None
    proctor: Proctor

    def trial(self, named: tuple[str, Json]) -> Trial:
        name, given = named
        theirs = self.proctor.answer(self.theirs, given)
        if self.ours is None:
            ours = ProgramAnswer(spelt_output(self.harness, run_harness(self.harness, given), self.growth))
        else:
            ours = self.proctor.answer(self.ours, given)
        return Trial(name, given, theirs, ours, self._first_difference(theirs, ours))

    def _first_difference(self, theirs: ProgramAnswer, ours: ProgramAnswer) -> FirstDifference | None:
        """None if both answer the same, or both fail in the same way."""
        if theirs.failure is None and ours.failure is None:
            return first_difference(self.harness, ours.value, theirs.value)
        return None if theirs.failure is ours.failure else FirstDifference((), ours.value, theirs.value)

    def runs(self, trial: Trial) -> int:
        """How many runs of a program this trial counts for."""
        answers = [trial.theirs] if self.ours is None else [trial.theirs, trial.ours]
        return sum(RUNS_IN_A_TIMEOUT if answer.failure is Failure.TIMEOUT else 1 for answer in answers)


class Inputs(msgspec.Struct, frozen=True):
    """Where the inputs come from, in words, and what they are called."""

    words: str
    inputs: Iterable[tuple[str, Json]]
    total: int
    left_out: int = 0


def random_inputs(
    harness: str, seed: str, number: int, bounds: tuple[int, int] | None, growth: Spelling | None
) -> Inputs:
    made = itertools.islice(situations(harness, seed, *bounds or ()), number)
    inputs = (
        (f"situation {at}", spelt_input(harness, situation_out(situation), growth))
        for at, situation in enumerate(made, 1)
    )
    return Inputs(f"random situations with seed {shown(seed)[1:-1]}", inputs, number)


def suite_inputs(harness: str, suite: Path, growth: Spelling | None) -> Inputs:
    """The inputs for this harness; what ours refuses as bad input is no situation to compare."""
    files = [path for path in suite_files(suite) if path.stem == harness]
    if not files:
        raise InputError(
            f"{suite}: no {harness}.jsonl in this folder" if suite.is_dir() else f"{suite}: not {harness}.jsonl"
        )
    listed = suite_cases(files[0], growth)
    inputs = [(f"case {shown(case.id)[1:-1]}", case.given) for case in listed if _accepted(harness, case.given)]
    return Inputs("cases of the suite", inputs, len(inputs), len(listed) - len(inputs))


def _accepted(harness: str, value: Json) -> bool:
    try:
        situation_in(harness, value)
    except ShapeError:
        return False
    return True


def differences(pair: ProgramPair, source: Inputs, every: bool, told: Callable[[str], None]) -> tuple[int, list[Trial]]:
    """How many inputs were compared, and the first trial for each kind of difference, or only the first of all."""
    compared = 0
    found: dict[tuple[str | None, ...], Trial] = {}
    with closing(pair.proctor.each(pair.trial, source.inputs)) as trials:
        for trial in trials:
            compared += 1
            if trial.first_difference is not None:
                found.setdefault(trial.kind, trial)
                if not every:
                    break
            told(trial.name)
    return compared, [*found.values()]


class Shrinking:
    """Makes the input of a trial smaller as long as the programs differ as they did, and there are `fewest` players.

    By kind: the difference must stay of its kind, too. Otherwise any wrong answer will do, which may be smaller. It
    takes `most` runs of a program at most.
    """

    def __init__(self, pair: ProgramPair, found: Trial, by_kind: bool, fewest: int, most: int = MAX_RUNS) -> None:
        self._pair = pair
        self._found = found
        self._by_kind = by_kind
        self._fewest = fewest
        self._most = most
        self._agreed: set[str] = set()
        self._told: Callable[[str], None] = lambda _: None
        self.smallest = found
        self.runs = 0

    @property
    def ended(self) -> bool:
        """Whether nothing was left to try."""
        return self.runs < self._most

    def run(self, told: Callable[[str], None]) -> None:
        """Shrink it; `told` gets each run."""
        self._told = told
        situation = situation_in(self._pair.harness, self._found.given)
        # Programs that differ only because of an unusual spelling get the input as it came.
        if same(self._value(situation), self._found.given) or self._first([situation]) is not None:
            shrunk(situation, self._first)

    def _first(self, smaller: Sequence[Situation]) -> int | None:
        """Which is the first of these on which they still differ as they did."""
        enough = [(at, situation) for at, situation in enumerate(smaller) if len(situation.sides) >= self._fewest]
        values = [(at, self._value(situation)) for at, situation in enough]
        fresh = [(at, value) for at, value in values if json.dumps(value) not in self._agreed]
        inputs = [(self._found.name, value) for _, value in fresh]
        # No more ahead than there are jobs: what comes behind the one that is found is of no use.
        with closing(self._pair.proctor.each(self._pair.trial, inputs, ahead=1)) as trials:
            for at, _ in fresh:
                if not self.ended:
                    return None
                trial = next(trials)
                self.runs += self._pair.runs(trial)
                self._told("making it smaller")
                if self._like(trial):
                    self.smallest = trial
                    return at
                self._agreed.add(json.dumps(trial.given))
        return None

    def _value(self, situation: Situation) -> Json:
        return spelt_input(self._pair.harness, situation_out(situation), self._pair.growth)

    def _like(self, trial: Trial) -> bool:
        """Whether the programs differ here as they did."""
        if self._by_kind:
            return trial.kind == self._found.kind
        return trial.first_difference is not None and trial.failures == self._found.failures
