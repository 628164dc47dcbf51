"""A pytest plugin: a run of the tests leaves no process behind, and no file in the home folder of whoever runs it.

The home folder of all that the tests start is an empty one, which goes when the run ends. Every process that has it in
its environment was started by a test, and has to end with the run.
"""

import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest

OWN_HOME = "OWN_HOME"
"""The variable with the home folder of whoever runs the tests, for what needs their settings."""

OURS = "multiprocessing.resource_tracker"
"""A process that ends with whoever has started it, which may be the process of the tests."""

PATIENCE = 120.0
"""Seconds that processes have to end after the last test: some are told to end and take their time, such as Ray's."""

LEFT = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):  # a worker has it from its parent
        return
    home = tempfile.mkdtemp(prefix="home-of-the-tests-")
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    os.environ.setdefault(OWN_HOME, str(Path.home()))
    os.environ["HOME"] = home
    os.environ["PULSE_RUNTIME_PATH"] = home  # a browser with sound would make a folder in /tmp
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        os.environ.pop(name, None)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workerinput"):
        return
    patience = time.monotonic() + PATIENCE
    while (left := processes(os.environ["HOME"])) and time.monotonic() < patience:
        time.sleep(0.1)
    session.config.stash[LEFT] = left
    if left and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for process in config.stash.get(LEFT, []):
        terminalreporter.write_line(f"ERROR: left behind by a test: {process}", red=True)


def processes(home: str) -> list[str]:
    """Other processes with this home folder, each with its command; none where there is no /proc to look into."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        if folder.name == str(os.getpid()):
            continue
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has ended, or is somebody else's
            continue
        if f"HOME={home}".encode() in environment and command and OURS not in command:  # a zombie has no command
            found.append(f"{folder.name} {command}")
    return found
