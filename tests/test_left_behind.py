"""A suite of its own whose test leaves a process and a file behind: the run fails and names the process, and the file
goes with the home folder of the run.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

SUITE = """
import subprocess
from pathlib import Path

def test_that_leaves_a_process_and_a_file():
    Path.home().joinpath("file").touch()
    left = subprocess.Popen(["sleep", "12345"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    Path("left").write_text(f"{left.pid} {Path.home()}")
    left.returncode = 0  # without a warning that it still runs

def test_that_leaves_nothing():
    subprocess.run(["true"], check=True)
"""
PLUGIN = """
import tests.left_behind
tests.left_behind.PATIENCE = 0.5
pytest_plugins = ["tests.left_behind"]
"""
ROOT = Path(__file__).parent.parent


def run(suite: Path, *options: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={suite}", *options]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""}
    return subprocess.run(words, cwd=suite, env=environment, capture_output=True, text=True, check=False)


def test_a_process_that_a_test_leaves_behind_fails_the_run_and_a_file_at_home_goes_with_it(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(PLUGIN)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_leaving.py").write_text(SUITE)
    for workers in ("0", "1"):
        failed = run(tmp_path, "-n", workers)
        pid, home = (tmp_path / "left").read_text().split()
        os.kill(int(pid), signal.SIGKILL)
        assert failed.returncode == 1, failed.stdout + failed.stderr
        assert "2 passed" in failed.stdout
        assert f"ERROR: left behind by a test: {pid} sleep 12345" in failed.stdout
        assert not Path(home).exists()
        assert Path(home) != Path.home()
    assert run(tmp_path, "-k", "leaves_nothing").returncode == 0
