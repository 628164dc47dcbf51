"""The words of the command's tests: run it, in this process or in one of its own, and what a complaint is."""

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import AnyStr, NamedTuple

import pytest

from wateringhole.cli import main

HANG = 120.0
"""Seconds after which a process that must end by itself is taken to hang; on a busy machine each takes its time."""


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


def command(*arguments: str, given: bytes = b"") -> Ended:
    """Run the command in this process, with these bytes on standard input and 80 columns."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        patch.setenv("COLUMNS", "80")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as left:
            main(arguments)
    assert isinstance(left.value.code, int)
    return Ended(left.value.code, out.getvalue(), err.getvalue())


def surroundings(**environment: str) -> dict[str, str]:
    """The environment of a command's process: the same whoever runs the tests."""
    left_out = {"FORCE_COLOR", "NO_COLOR", "TERM", "PYTHONDONTWRITEBYTECODE"}  # without bytecode each start takes long
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return kept | {"COLUMNS": "80"} | environment


def process(*arguments: str, given: bytes = b"", **environment: str) -> Ended:
    """Run the command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "wateringhole", *arguments],
        input=given,
        capture_output=True,
        timeout=HANG,
        check=False,
        env=surroundings(**environment),
    )
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())


@contextlib.contextmanager
def ending(process: "subprocess.Popen[AnyStr]") -> "Iterator[subprocess.Popen[AnyStr]]":
    """This process, killed at the end of the block: Popen's own block would wait for it, after a failure for ever."""
    with process:
        try:
            yield process
        finally:
            process.kill()


def complained(ended: Ended, *values: str, code: int = 2) -> bool:
    """Whether it said nothing but one sentence on standard error that has these values in it."""
    assert ended.out == ""
    assert "Traceback" not in ended.err
    assert ended.err.startswith("wateringhole: ")
    assert ended.err.endswith("\n")
    sentence = ended.err[:-1]
    assert sentence.isprintable(), "one line"
    assert [value for value in values if value not in sentence] == []
    assert ended.code == code
    return True


def well(ended: Ended) -> str:
    """What it said, if it went well."""
    assert ended.err == ""
    assert ended.code == 0
    return ended.out
