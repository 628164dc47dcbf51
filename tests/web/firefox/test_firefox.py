"""The page in a real Firefox, which WebDriver BiDi drives: one visit from the lobby to a replay, and a lesson."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

from tests.cli import surroundings
from tests.web.server import serving

VISIT: Final = Path(__file__).with_name("visit.mjs")
MISSING: Final = "The tests need firefox-esr or firefox. On Debian: sudo apt-get install firefox-esr"


def test_a_visit_in_firefox_and_in_german(tmp_path: Path) -> None:
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    assert firefox, MISSING
    # The profile of the browser lies in this folder, too, and goes with it.
    around = {**surroundings(), "TMPDIR": str(tmp_path), "MOZ_HEADLESS": "1"}
    with serving("--seed", "7", cards=40) as server:  # two turns of four players
        words = ["node", str(VISIT), server.base, firefox]
        done = subprocess.run(words, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
