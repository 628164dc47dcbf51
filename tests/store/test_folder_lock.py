"""The lock of a folder: it is one process's, and ends with it, whatever that process has started."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from wateringhole.store.folder_lock import LOCK, locked

HOLDER = """
import os, sys, time
from pathlib import Path
from wateringhole.store.folder_lock import locked
with locked(Path(sys.argv[1])):
    child = os.fork()  # a program that is being started has all our open files until it becomes another
    if child:
        print(child, flush=True)
    time.sleep(1_000)
"""


def test_a_folder_is_locked_as_long_as_its_process_lives_and_no_longer(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        child = int(holder.stdout.readline())
        try:
            with pytest.raises(BlockingIOError), locked(tmp_path):
                pass
            holder.kill()
            holder.wait()
            os.kill(child, 0)
            with locked(tmp_path):
                pass
        finally:
            os.kill(child, signal.SIGKILL)


def test_a_lock_that_was_given_back_can_be_had_again(tmp_path: Path) -> None:
    for _ in range(2):
        with locked(tmp_path):
            assert (tmp_path / LOCK).exists()
