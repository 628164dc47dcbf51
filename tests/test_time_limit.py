"""Tests that never end, in a suite of their own: each fails by name, shows where it hangs, and the others go on."""

import os
import subprocess
import sys
from pathlib import Path

SUITE = """
import asyncio, signal, threading, time

def test_that_passes():
    pass

def wait_for_a_thread():
    threading.Event().wait()

def test_that_waits_for_a_thread():
    threading.Thread(target=wait_for_a_thread, name="the other", daemon=True).start()
    wait_for_a_thread()

async def say_good_bye_for_ever():
    try:
        await asyncio.Event().wait()
    finally:
        await asyncio.Event().wait()

def test_that_hangs_in_a_task_and_again_when_it_is_cancelled():
    async def main():
        waiting = asyncio.create_task(say_good_bye_for_ever(), name="good-bye")
        await asyncio.gather(waiting)
    asyncio.run(main())

def test_that_passes_as_well():
    pass

def test_that_no_signal_reaches():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    time.sleep(1_000)

def test_that_passes_in_a_new_worker():
    pass
"""
PLUGIN = """
import time
import tests.time_limit

tests.time_limit.AGAIN_SECONDS = 0.5
pytest_plugins = ["tests.time_limit"]

def pytest_runtest_logreport(report):
    if report.failed:
        time.sleep(0.6)  # longer than it takes until the next alarm
"""
OPTIONS = ("time_limit=3", "faulthandler_timeout=12", "faulthandler_exit_on_timeout=true")


def test_a_test_that_hangs_fails_with_its_name_and_the_stacks_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(PLUGIN)
    (tmp_path / "pytest.ini").write_text("\n".join(["[pytest]", *OPTIONS]))
    (tmp_path / "test_hanging.py").write_text(SUITE)
    root = Path(__file__).parent.parent
    words = [sys.executable, "-c", "import pytest, sys; sys.exit(pytest.main())", "-n", "1", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*words, f"--rootdir={tmp_path}", str(tmp_path)],
        cwd=root,
        env=os.environ | {"PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stdout + run.stderr
    assert "3 failed, 3 passed" in run.stdout
    assert "test_hanging.py::test_that_waits_for_a_thread takes longer than 3 s; it hangs here:" in run.stdout
    assert "thread the other:" in run.stdout
    assert run.stdout.count("in wait_for_a_thread") >= 2
    assert "Task pending name='good-bye'" in run.stdout
    assert "in say_good_bye_for_ever" in run.stdout
    assert "crashed while running 'test_hanging.py::test_that_no_signal_reaches'" in run.stdout
    assert "in test_that_no_signal_reaches" in run.stderr
