"""`xattack`, `xfeed`, `xstep`, `xstep4`, `xsilly`: JSON from standard input to standard output."""

import json
import sys

import click

from wateringhole.cli import Complaint
from wateringhole.conformance.harness import HARNESSES, run_harness
from wateringhole.wire.framing import Json, JsonError, parse
from wateringhole.wire.json_codec import ShapeError


def _command(name: str, says: str | None) -> click.Command:
    @click.command(name, help=f"{says}\n\n{_FORMATS}")
    @click.option(
        "--lines", is_flag=True, help="One value a line, one result a line; a bad line gives an error object."
    )
    def command(lines: bool) -> None:
        if sys.stdin.isatty():
            print(f"{name} reads JSON from standard input; Ctrl-D ends it.", file=sys.stderr)
        if lines:
            for line in sys.stdin.buffer:
                print(json.dumps(_result_or_error(name, line)), flush=True)
            return
        try:
            print(json.dumps(run_harness(name, parse(sys.stdin.buffer.read()))))
        except (JsonError, ShapeError) as error:
            raise Complaint(str(error)) from None

    return command


def _result_or_error(name: str, line: bytes) -> Json:
    try:
        return run_harness(name, parse(line))
    except (JsonError, ShapeError) as error:
        return {"error": str(error)}


_FORMATS = "JSON from standard input to standard output; docs/rules.md has the formats. Bad input: exit code 2."

xattack, xfeed, xsilly, xstep, xstep4 = (_command(name, harness.__doc__) for name, harness in HARNESSES.items())
