"""Small harness programs of others, good and bad, and whether anything is left of them."""

import os
import shlex
import sys
import time
from pathlib import Path

from tests.cli import HANG

PYTHON = f"#!{os.path.realpath(sys.executable)} -IS"
"""Not that of the clone, the path of which may have a blank in it, where the system ends the interpreter's name."""

SHELL = "#!/bin/sh"


def script(path: Path, *lines: str, first: str = SHELL) -> str:
    """An executable file with these lines, as a word for a command line."""
    path.write_text("\n".join([first, *lines, ""]))
    path.chmod(0o755)
    return shlex.quote(str(path))


def written(path: Path) -> str:
    """What somebody writes into this file, as soon as it is there."""
    deadline = time.monotonic() + HANG
    while not (path.exists() and path.read_text().endswith("\n")):
        assert time.monotonic() < deadline, f"nobody has written {path}"
        time.sleep(0.01)
    return path.read_text().strip()


def until_written(path: Path) -> str:
    """A line of Python that waits until this file is no longer empty: one that was only opened has no content yet."""
    return f"while not (os.path.exists({str(path)!r}) and os.path.getsize({str(path)!r})): time.sleep(0.01)"


def gone(pid: str) -> bool:
    """Whether this process ends; a killed one takes a moment, and one that nobody has buried yet is dead, too."""
    deadline = time.monotonic() + HANG
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{int(pid)}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    os.kill(int(pid), 9)
    return False
