"""`diff`: two harness programs, and a smallest input to which they say different things."""

import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import click
import msgspec

from wateringhole.cli import Complaint, one_of, range_of_players
from wateringhole.cli.agents import sandbox_for, sandbox_options
from wateringhole.cli.foreign import MAX_JOBS, Answer, Command, Failure, Proctor, proctor, program, progress
from wateringhole.cli.game import checked_seed
from wateringhole.cli.grade import SECONDS, cases, first_and_last, suite_files
from wateringhole.cli.growth import growth_option
from wateringhole.fault import shown
from wateringhole.outside.anyone import Mode
from wateringhole.wire.first_difference import FirstDifference, first_difference, same
from wateringhole.wire.growth import Spelling, spelt_input, spelt_output
from wateringhole.wire.harness import HARNESSES
from wateringhole.wire.scenes import situations
from wateringhole.wire.shapes import ShapeError
from wateringhole.wire.shrink import shrunk
from wateringhole.wire.situations import Situation, situation_in, situation_out
from wateringhole.wire.stream import Json

SITUATIONS: Final = 1_000
MAX_SITUATIONS: Final = 1_000_000
MAX_RUNS: Final = 2_000
RUNS_IN_A_TIMEOUT: Final = 50  # else a program that hangs would be waited for all night
OURS: Final = "wateringhole"


class Trial(msgspec.Struct, frozen=True):
    """What two programs say to the same value, under the name that the user knows it by, and where that differs."""

    name: str
    given: Json
    theirs: Answer
    ours: Answer
    first_difference: FirstDifference | None

    @property
    def failures(self) -> tuple[Failure | None, Failure | None]:
        """How each of them fails, if it does: a wrong answer is not the same as a crash."""
        return self.theirs.failure, self.ours.failure

    @property
    def kind(self) -> tuple[str | None, ...]:
        """What differences of one kind share: how the programs fail, and the place without its numbers."""
        return *self.failures, *(self.first_difference.kind if self.first_difference is not None else ())


class Pair(msgspec.Struct, frozen=True):
    """Two programs for one harness; without a second one it is compared with ours, in this process."""

    harness: str
    theirs: Command
    ours: Command | None
    growth: Spelling | None
    watching: Proctor

    def trial(self, named: tuple[str, Json]) -> Trial:
        name, given = named
        theirs = self.watching.answer(self.theirs, given)
        if self.ours is None:
            ours = Answer(spelt_output(self.harness, HARNESSES[self.harness](given), self.growth))
        else:
            ours = self.watching.answer(self.ours, given)
        return Trial(name, given, theirs, ours, self._first_difference(theirs, ours))

    def _first_difference(self, theirs: Answer, ours: Answer) -> FirstDifference | None:
        """None if both say the same, or both fail in the same way."""
        if theirs.failure is None and ours.failure is None:
            return first_difference(self.harness, ours.value, theirs.value)
        return None if theirs.failure is ours.failure else FirstDifference((), ours.value, theirs.value)

    def runs(self, trial: Trial) -> int:
        """How many runs of a program this trial counts for."""
        answers = [trial.theirs] if self.ours is None else [trial.theirs, trial.ours]
        return sum(RUNS_IN_A_TIMEOUT if answer.failure is Failure.TIMEOUT else 1 for answer in answers)


@click.command()
@click.argument("harness", type=click.Choice([*HARNESSES]), metavar="HARNESS")
@click.argument("theirs", metavar="THEIRS")
@click.argument("ours", required=False, metavar="[OURS]")
@click.option("--suite", type=click.Path(path_type=Path), help="Compare on the inputs of this suite.")
@click.option(
    "--random",
    "number",
    type=click.IntRange(1, MAX_SITUATIONS),
    help=f"Compare on so many random situations.  [default: {SITUATIONS}]",
)
@click.option("--seed", help="Other situations for another seed.  [default: 0]")
@click.option(
    "--players",
    metavar="MIN[-MAX]",
    help="How many players a situation has, also when it is made smaller.  [default: 3-8, then as few as it gets]",
)
@click.option("--all", "every", is_flag=True, help="A smallest input for each kind of difference, not the first alone.")
@growth_option("the programs read and print", None)
@click.option("--jobs", type=click.IntRange(1, MAX_JOBS), help="Runs at once.  [default: one for each CPU]")
@click.option("--seconds", type=float, default=SECONDS, show_default=True, help="Seconds that a run may take.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@sandbox_options
def diff(
    harness: str,
    theirs: str,
    ours: str | None,
    suite: Path | None,
    number: int | None,
    seed: str | None,
    players: str | None,
    every: bool,
    growth: Spelling | None,
    jobs: int | None,
    seconds: float,
    as_json: bool,
    sandbox: Mode,
    share: tuple[str, ...],
) -> None:
    """Look for an input to which two harness programs say different things, and make it as small as it gets.

    \b
    wateringhole diff xstep4 ./theirs                 theirs and ours
    wateringhole diff xstep4 ./a "java -jar b.jar"    one and the other
    wateringhole diff xstep4 ./theirs --random 2000 --seed 7
    wateringhole diff xstep4 ./theirs --players 5-8   for programs that take no fewer
    wateringhole diff xstep4 ./theirs --all           a case for each kind of difference
    wateringhole diff xstep4 ./theirs --suite cases/

    HARNESS is xattack, xfeed, xsilly, xstep or xstep4. A program reads one JSON value from standard input and prints
    one on standard output; 'wateringhole grade --help' says more. The first difference is shown by its place, as in
    "player 2, board 0, food: expected 1, got 2"; what OURS says is expected. Differences are of one kind if their
    places differ only in numbers.

    Exit code 0: no difference. 1: a difference. 2: a mistake in the arguments.
    """
    for chosen in ({"random": number is not None}, {"seed": seed is not None}, {"players": players is not None}):
        one_of(suite=suite is not None, **chosen)
    if players is not None and harness == "xattack":
        raise Complaint(f"--players {players:.40}: a situation of xattack has boards and no players")
    bounds = None if players is None else range_of_players(players)
    if suite is not None:
        source = _suite(harness, suite, growth)
    else:
        source = _random(harness, checked_seed(seed or "0"), number or SITUATIONS, bounds, growth)
    programs = program(theirs), program(ours) if ours is not None else None
    boxed = sandbox_for(sandbox, share, [] if suite is None else suite_files(suite))
    with proctor(jobs, seconds, boxed) as watching:
        pair = Pair(harness, *programs, growth, watching)
        compared, found = _differences(pair, source, every)
        shrinkings = [Shrinking(pair, trial, by_kind=every, fewest=bounds[0] if bounds else 0) for trial in found]
        for shrinking in shrinkings:
            shrinking.run()
    names = [theirs, ours or OURS]
    if as_json:
        print(json.dumps(_data(harness, names, source, compared, shrinkings)))
    else:
        _show(harness, names, source, compared, shrinkings)
    if shrinkings:
        raise SystemExit(1)


class Source(msgspec.Struct, frozen=True):
    """Where the inputs come from, in words, and what they are called."""

    words: str
    inputs: Iterable[tuple[str, Json]]
    total: int
    left_out: int = 0


def _random(harness: str, seed: str, number: int, bounds: tuple[int, int] | None, growth: Spelling | None) -> Source:
    made = itertools.islice(situations(harness, seed, *bounds or ()), number)
    inputs = (
        (f"situation {at}", spelt_input(harness, situation_out(situation), growth))
        for at, situation in enumerate(made, 1)
    )
    return Source(f"random situations with seed {shown(seed)[1:-1]}", inputs, number)


def _suite(harness: str, suite: Path, growth: Spelling | None) -> Source:
    """The inputs for this harness; what ours refuses as bad input is no situation to compare."""
    files = [path for path in suite_files(suite) if path.stem == harness]
    if not files:
        raise Complaint(
            f"{suite}: no {harness}.jsonl in this folder" if suite.is_dir() else f"{suite}: not {harness}.jsonl"
        )
    listed = cases(files[0], growth)
    inputs = [(f"case {shown(case.id)[1:-1]}", case.given) for case in listed if _accepted(harness, case.given)]
    return Source("cases of the suite", inputs, len(inputs), len(listed) - len(inputs))


def _accepted(harness: str, value: Json) -> bool:
    try:
        HARNESSES[harness](value)
    except ShapeError:
        return False
    return True


def _differences(pair: Pair, source: Source, every: bool) -> tuple[int, list[Trial]]:
    """How many inputs were compared, and the first trial for each kind of difference, or only the first of all."""
    compared = 0
    found: dict[tuple[str | None, ...], Trial] = {}
    with progress(source.total, "looking") as told, closing(pair.watching.each(pair.trial, source.inputs)) as trials:
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

    By kind: the difference must stay of its kind, too. Otherwise any wrong answer will do, which may be smaller.
    """

    def __init__(self, pair: Pair, found: Trial, by_kind: bool, fewest: int) -> None:
        self._pair = pair
        self._found = found
        self._by_kind = by_kind
        self._fewest = fewest
        self._agreed: set[str] = set()
        self._told: Callable[[str], None] = lambda _: None
        self.smallest = found
        self.runs = 0

    @property
    def ended(self) -> bool:
        """Whether nothing was left to try."""
        return self.runs < MAX_RUNS

    def run(self) -> None:
        with progress(None, "making it smaller") as self._told:
            situation = situation_in(self._pair.harness, self._found.given)
            # Whoever differs only because of an unusual spelling gets the input as it came.
            if same(self._value(situation), self._found.given) or self._first([situation]) is not None:
                shrunk(situation, self._first)

    def _first(self, smaller: Sequence[Situation]) -> int | None:
        """Which is the first of these on which they still differ as they did."""
        enough = [(at, situation) for at, situation in enumerate(smaller) if len(situation.sides) >= self._fewest]
        values = [(at, self._value(situation)) for at, situation in enough]
        fresh = [(at, value) for at, value in values if json.dumps(value) not in self._agreed]
        inputs = [(self._found.name, value) for _, value in fresh]
        # No more ahead than there are jobs: what comes behind the one that is found is of no use.
        with closing(self._pair.watching.each(self._pair.trial, inputs, ahead=1)) as trials:
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


def _data(
    harness: str, names: Sequence[str], source: Source, compared: int, shrinkings: Sequence[Shrinking]
) -> dict[str, object]:
    return {
        "harness": harness,
        "theirs": names[0],
        "ours": names[1],
        "compared": compared,
        "left_out": source.left_out,
        "differences": [
            {
                "found": shrinking.smallest.name,
                "input": shrinking.smallest.given,
                "first_difference": msgspec.to_builtins(shrinking.smallest.first_difference),
                "theirs": msgspec.to_builtins(shrinking.smallest.theirs),
                "ours": msgspec.to_builtins(shrinking.smallest.ours),
                "runs": shrinking.runs,
                "smallest": shrinking.ended,
            }
            for shrinking in shrinkings
        ],
    }


def _show(harness: str, names: Sequence[str], source: Source, compared: int, shrinkings: Sequence[Shrinking]) -> None:
    if source.left_out:
        print(f"{source.left_out} cases left out: our {harness} refuses their input")
    if not shrinkings:
        print(f"{harness}: no difference in {compared} {source.words}")
    for shrinking in shrinkings:
        trial = shrinking.smallest
        ended = "" if shrinking.ended else ", and not yet as small as it gets"
        much = f"made smaller with {shrinking.runs} runs{ended}"
        print(f"{harness}: a difference in {trial.name} of {source.total} {source.words}, {much}")
        print(f"first difference: {trial.first_difference}")
        print(f"input: {json.dumps(trial.given)}")
        for name, answer in zip(names, (trial.theirs, trial.ours), strict=True):
            print(f"{json.dumps(name)[1:-1]}: {json.dumps(answer.value)}")
            if answer.stderr.strip():
                print(f"  stderr: {first_and_last(answer.stderr)}")
    if len(shrinkings) > 1:
        print(f"{len(shrinkings)} kinds of difference in {compared} {source.words}")
