"""A helper process that is still at work when its server ends, or is killed, leaves no blank journal behind."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import pytest

from tests.external import living
from wateringhole.store.data_folder import RUNNING, open_data_folder

SERVER = """
import asyncio, os, sys
from pathlib import Path
from wateringhole.store.helper_process import HelperProcess
from wateringhole.store.append_files import AppendFolder

async def main():
    helper = HelperProcess()
    print(await helper.call(os.getpid), flush=True)
    sys.stdin.readline()
    folder = AppendFolder(Path(sys.argv[1]), helper.call)
    paper = folder.open("game.journal")
    paper.write(b"a game")
    syncing = asyncio.ensure_future(paper.sync())
    await asyncio.sleep(0)  # the task that asks the helper begins
    await asyncio.sleep(0)
    print("asked", flush=True)
    await syncing

asyncio.run(main())
"""


def test_the_helper_of_a_server_that_was_killed_leaves_no_blank_journal_to_the_next_one(tmp_path: Path) -> None:
    words = [sys.executable, "-c", SERVER, str(tmp_path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        helper = int(server.stdout.readline())
        os.kill(helper, signal.SIGSTOP)
        server.stdin.write("go on\n")
        server.stdin.flush()
        assert server.stdout.readline() == "asked\n"
        server.kill()
        server.wait()
    found_by_the_next_server = os.listdir(tmp_path)
    os.kill(helper, signal.SIGCONT)
    while helper in living(b"wateringhole.store.helper_process"):
        time.sleep(0.01)
    assert os.listdir(tmp_path) == found_by_the_next_server == ["game.journal"]


def own_helper() -> int:
    """The helper process that this process has started."""
    children = {int(pid) for path in Path("/proc/self/task").glob("*/children") for pid in path.read_text().split()}
    [helper] = children & living(b"wateringhole.store.helper_process").keys()
    return helper


def test_the_helper_of_a_server_that_ends_leaves_no_blank_journal(tmp_path: Path) -> None:
    with open_data_folder(tmp_path) as kept:
        assert kept.game_logs is not None
        paper = kept.game_logs.disk.open("game.journal")
        paper.write(b"a game")

        async def end_while_the_helper_syncs() -> int:
            await paper.sync()
            helper = own_helper()
            os.kill(helper, signal.SIGSTOP)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await paper.sync()
            return helper

        helper = asyncio.run(end_while_the_helper_syncs())
        paper.close()
        going_on = Timer(0.2, os.kill, (helper, signal.SIGCONT))
        going_on.start()
    going_on.join()
    assert os.listdir(tmp_path / RUNNING) == ["game.journal"]
