"""Commands of a page, run as printed."""

import subprocess
import sys
from pathlib import Path

from tests.cli import surroundings


def run_as_printed(script: str, folder: Path) -> str:
    """What these lines of a shell print in this folder; each must go well."""
    done = subprocess.run(
        ["bash", "-ec", script],
        cwd=folder,
        env=surroundings(PATH=f"{Path(sys.executable).parent}:{surroundings()['PATH']}"),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return done.stdout
