"""`grade`: a suite of test cases, one JSON object a line: id, in, out."""

import json
from pathlib import Path

import click
import msgspec

from wateringhole.cli import Complaint
from wateringhole.wire.harness import HARNESSES
from wateringhole.wire.shapes import ShapeError, shown
from wateringhole.wire.stream import Json, JsonError, parse

SHOWN_DIFFERENCES = 3


class Case(msgspec.Struct):
    """What a harness must print for an input."""

    id: str
    given: Json
    expected: Json


class Difference(msgspec.Struct):
    """A case that did not pass."""

    id: str
    expected: Json
    got: Json


class Mark(msgspec.Struct):
    """How one harness did."""

    harness: str
    total: int
    differences: list[Difference]

    @property
    def passed(self) -> int:
        return self.total - len(self.differences)


@click.command()
@click.option(
    "--suite",
    type=click.Path(path_type=Path),
    required=True,
    help="A .jsonl file named after its harness, or a folder.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object with every difference.")
def grade(suite: Path, as_json: bool) -> None:
    """Run every case of a suite through our harnesses and count the passes; exit code 1 if any differs.

    \b
    wateringhole grade --suite cases/              all of xattack.jsonl, xfeed.jsonl, ...
    wateringhole grade --suite cases/xstep.jsonl

    A case is a line {"id": "...", "in": ..., "out": ...}.
    """
    marks = [marked(path) for path in suite_files(suite)]
    passed, total = sum(mark.passed for mark in marks), sum(mark.total for mark in marks)
    if as_json:
        rows = [
            {
                "harness": m.harness,
                "passed": m.passed,
                "total": m.total,
                "differences": msgspec.to_builtins(m.differences),
            }
            for m in marks
        ]
        print(json.dumps({"passed": passed, "total": total, "harnesses": rows}))
    else:
        for mark in marks:
            print(f"{mark.harness:8} {mark.passed} of {mark.total}")
            for difference in mark.differences[:SHOWN_DIFFERENCES]:
                print(f"  {shown(difference.id)[1:-1]}")
                print(f"    expected {shown(difference.expected)}")
                print(f"    got      {shown(difference.got)}")
        print(f"{passed} passed, {total - passed} failed")
    if passed < total:
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


def marked(path: Path) -> Mark:
    """The mark of one file's harness."""
    harness = HARNESSES[path.stem]
    mark = Mark(path.stem, 0, [])
    for case in cases(path):
        mark.total += 1
        try:
            got = harness(case.given)
        except ShapeError as error:
            got = {"error": str(error)}
        # As texts, because to Python 0 == False and 1 == 1.0.
        if json.dumps(got, sort_keys=True) != json.dumps(case.expected, sort_keys=True):
            mark.differences.append(Difference(case.id, case.expected, got))
    return mark


def cases(path: Path) -> list[Case]:
    """The cases in a file, in its order."""
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
        found.append(Case(str(value["id"]), value["in"], value["out"]))
    if not found:
        raise Complaint(f"{path}: no cases")
    return found
