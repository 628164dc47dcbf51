"""`suite`: makes suites of test cases for `grade`."""

import json
import shutil
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

import click

from wateringhole.cli import Complaint
from wateringhole.cli.agent_options import checked_seed
from wateringhole.cli.progress import progress
from wateringhole.conformance.coverage import UNREACHABLE, Coverage, coverage
from wateringhole.conformance.harness import HARNESSES
from wateringhole.conformance.suite_maker import (
    HALVES,
    MAX_CASES,
    MIN_CASES,
    MadeCase,
    candidates_needed,
    make_suite,
)
from wateringhole.seeds import drawn_secret

CASES: Final = 500


@click.group()
def suite() -> None:
    """Make suites of test cases for harness programs.

    \b
    wateringhole suite make cases
    wateringhole grade --suite cases/public --exe "xstep4=./xstep4"

    'wateringhole suite make --help' says more.
    """


@suite.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--cases",
    type=click.IntRange(MIN_CASES, MAX_CASES),
    default=CASES,
    show_default=True,
    help="How many, in both halves together.",
)
@click.option("--seed", help="The same seed makes the same suite.  [default: a new one, which is printed]")
@click.option("--json", "as_json", is_flag=True, help="One JSON object with the seed and what is covered.")
def make(folder: Path, cases: int, seed: str | None, as_json: bool) -> None:
    """Make a suite in DIR, a folder that is new or empty: one half to hand out, one half to grade with.

    \b
    wateringhole suite make cases
    wateringhole suite make cases --cases 200 --seed autumn
    wateringhole grade --suite cases/public

    DIR/public and DIR/hidden are suites for 'wateringhole grade'. They have no input in common. Each has a file for
    each of the five harnesses, and together they cover every rule that a harness can reach and every pair of traits
    that one rule names; the table at the end counts the cases. A case also has the rules that it exercises:
    {"id": "xstep4-023", "rules": [...], "in": ..., "out": ...}.

    Keep the seed to yourself: a student who knows it can make the hidden half, too.

    Exit code 0: the suite is there. 2: a mistake in the arguments. 130: Ctrl-C, and nothing is left behind.
    """
    seed = checked_seed(drawn_secret() if seed is None else seed)
    made = _made(folder, cases, seed)
    covered = {half: coverage(case.trace for case in made if case.half == half) for half in HALVES}
    if as_json:
        print(json.dumps(_data(folder, seed, made, covered)))
    else:
        _show(folder, seed, made, covered)


def _made(folder: Path, cases: int, seed: str) -> Sequence[MadeCase]:
    """Make a suite and write it to this folder; Complaint if the folder cannot be used.

    A folder that is new is made first, so that a mistake costs no time, and removed if nothing comes of it.
    """
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Complaint(f"{folder!s:.200}: this folder is not empty; a suite needs a new or an empty one")
        with progress(candidates_needed(cases), "the first situation") as told:
            made = make_suite(cases, seed, told)
        _write(folder, made)
    except BaseException as error:
        for each in new:
            with suppress(OSError):  # it was never made, or another program has put files there
                each.rmdir()
        if isinstance(error, OSError):
            raise Complaint(f"{folder!s:.200}: {error.strerror}") from None
        raise
    return made


def _write(folder: Path, made: Sequence[MadeCase]) -> None:
    """Write both halves; an interrupt or a full disk leaves neither."""
    with ExitStack() as undo:
        for half in HALVES:
            (folder / half).mkdir()
            undo.callback(shutil.rmtree, folder / half, ignore_errors=True)
            for harness in HARNESSES:
                lines = [case.line() + "\n" for case in made if (case.half, case.harness) == (half, harness)]
                (folder / half / f"{harness}.jsonl").write_text("".join(lines), encoding="utf-8")
        undo.pop_all()


def _counts(made: Sequence[MadeCase], half: str) -> dict[str, int]:
    """The number of cases of a half, by harness."""
    return {harness: sum((case.half, case.harness) == (half, harness) for case in made) for harness in HARNESSES}


def _data(folder: Path, seed: str, made: Sequence[MadeCase], covered: dict[str, Coverage]) -> dict[str, object]:
    return {
        "seed": seed,
        "cases": len(made),
        "halves": {
            half: {
                "folder": str(folder / half),
                "harnesses": _counts(made, half),
                "rules": covered[half].rules,
                "pairs": covered[half].pairs,
                "edges": covered[half].edges,
                "missing": covered[half].missing,
            }
            for half in HALVES
        },
        "unreachable": UNREACHABLE,
    }


def _show(folder: Path, seed: str, made: Sequence[MadeCase], covered: dict[str, Coverage]) -> None:
    public, hidden = (covered[half] for half in HALVES)
    for title, one, other in (
        ("rule", public.rules, hidden.rules),
        ("rule and pair of traits", public.pairs, hidden.pairs),
    ):
        print(f"{title:50} {'  '.join(HALVES)}")
        for name, number in one.items():
            print(f"{name:50} {number:6}  {other[name]:6}")
        print()
    print("not within the reach of a harness")
    for rule, why in UNREACHABLE.items():
        print(f"{rule:20} {why}")
    print()
    for half in HALVES:
        counts = _counts(made, half)
        by_harness = ", ".join(f"{harness} {number}" for harness, number in counts.items())
        edges = len(covered[half].edges)
        print(f"{folder / half!s:.200}: {sum(counts.values())} cases ({by_harness}), {edges} edges")
        for name in covered[half].missing:
            print(f"  no case: {name}")
    print(f"seed: {json.dumps(seed)[1:-1]}")
