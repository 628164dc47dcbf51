"""`diff`: two harness programs, and a smallest input on which they differ."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
import msgspec

from wateringhole.cli import Complaint, one_of, range_of_players
from wateringhole.cli.agent_options import checked_seed, sandbox_for, sandbox_options
from wateringhole.cli.grade import first_and_last
from wateringhole.cli.growth_option import growth_option
from wateringhole.cli.progress import progress
from wateringhole.conformance.comparing import (
    Inputs,
    ProgramPair,
    Shrinking,
    differences,
    random_inputs,
    suite_inputs,
)
from wateringhole.conformance.grading import CASE_SECONDS
from wateringhole.conformance.harness import HARNESSES
from wateringhole.conformance.proctor import MAX_JOBS, open_proctor
from wateringhole.conformance.programs import InputError, program
from wateringhole.conformance.suites import suite_files
from wateringhole.external.play_specs import Mode
from wateringhole.wire.growth import Spelling

SITUATIONS: Final = 1_000
MAX_SITUATIONS: Final = 1_000_000
OURS: Final = "wateringhole"


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
@click.option(
    "--seconds", type=float, default=CASE_SECONDS, show_default=True, help="Seconds of CPU time that a run may take."
)
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
    """Look for an input on which two harness programs differ, and make it as small as it gets.

    \b
    wateringhole diff xstep4 ./theirs                 theirs and ours
    wateringhole diff xstep4 ./a "java -jar b.jar"    one and the other
    wateringhole diff xstep4 ./theirs --random 2000 --seed 7
    wateringhole diff xstep4 ./theirs --players 5-8   for programs that take no fewer
    wateringhole diff xstep4 ./theirs --all           a case for each kind of difference
    wateringhole diff xstep4 ./theirs --suite cases/

    HARNESS is xattack, xfeed, xsilly, xstep or xstep4. A program reads one JSON value from standard input and prints
    one on standard output; 'wateringhole grade --help' says more. The first difference is shown by its place, as in
    "player 2, board 0, food: expected 1, got 2"; what OURS prints is expected. Differences are of one kind if their
    places differ only in numbers.

    Exit code 0: no difference. 1: a difference. 2: a mistake in the arguments.
    """
    for chosen in ({"random": number is not None}, {"seed": seed is not None}, {"players": players is not None}):
        one_of(suite=suite is not None, **chosen)
    if players is not None and harness == "xattack":
        raise Complaint(f"--players {players:.40}: a situation of xattack has boards and no players")
    bounds = None if players is None else range_of_players(players)
    try:
        if suite is not None:
            source = suite_inputs(harness, suite, growth)
        else:
            source = random_inputs(harness, checked_seed(seed or "0"), number or SITUATIONS, bounds, growth)
        programs = program(theirs), program(ours) if ours is not None else None
        boxed = sandbox_for(sandbox, share, [] if suite is None else suite_files(suite))
        with open_proctor(jobs, seconds, boxed) as proctor:
            pair = ProgramPair(harness, *programs, growth, proctor)
            with progress(source.total, "looking") as told:
                compared, found = differences(pair, source, every, told)
            shrinkings = [Shrinking(pair, trial, by_kind=every, fewest=bounds[0] if bounds else 0) for trial in found]
            for shrinking in shrinkings:
                with progress(None, "making it smaller") as told:
                    shrinking.run(told)
    except InputError as error:
        raise Complaint(str(error)) from None
    names = [theirs, ours or OURS]
    if as_json:
        print(json.dumps(_data(harness, names, source, compared, shrinkings)))
    else:
        _show(harness, names, source, compared, shrinkings)
    if shrinkings:
        raise SystemExit(1)


def _data(
    harness: str, names: Sequence[str], source: Inputs, compared: int, shrinkings: Sequence[Shrinking]
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


def _show(harness: str, names: Sequence[str], source: Inputs, compared: int, shrinkings: Sequence[Shrinking]) -> None:
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
