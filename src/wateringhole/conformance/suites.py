"""Suites of test cases: a .jsonl file for each harness, one JSON object a line: id, in, out."""

from pathlib import Path

from msgspec import Struct

from wateringhole.conformance.harness import HARNESSES
from wateringhole.conformance.programs import InputError
from wateringhole.fault import shown
from wateringhole.wire.framing import Json, JsonError, parse
from wateringhole.wire.growth import Spelling, spelt_input, spelt_output


class SuiteCase(Struct):
    """What a harness must print for an input."""

    id: str
    given: Json
    expected: Json


def suite_files(suite: Path) -> list[Path]:
    """The files of a suite, each named after a harness."""
    try:
        suite.stat()
    except (OSError, ValueError) as error:
        raise InputError(f"{suite!s:.200}: {getattr(error, 'strerror', error)}") from None
    files = sorted(suite.glob("*.jsonl")) if suite.is_dir() else [suite]
    if not files:
        raise InputError(f"{suite}: no .jsonl file in this folder")
    for path in files:
        if path.stem not in HARNESSES:
            raise InputError(f"{path}: named after no harness; known: {', '.join(HARNESSES)}")
    return files


def suite_cases(path: Path, growth: Spelling | None = None) -> list[SuiteCase]:
    """The cases in a file, in its order, with growth in this spelling."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = parse(line)
        except JsonError as error:
            raise InputError(f"{path}, line {number}: {error}") from None
        if not isinstance(value, dict) or not {"id", "in", "out"} <= value.keys():
            raise InputError(f'{path}, line {number}: {shown(value)} is no case {{"id": ..., "in": ..., "out": ...}}')
        given, out = spelt_input(path.stem, value["in"], growth), spelt_output(path.stem, value["out"], growth)
        found.append(SuiteCase(str(value["id"]), given, out))
    if not found:
        raise InputError(f"{path}: no cases")
    return found
