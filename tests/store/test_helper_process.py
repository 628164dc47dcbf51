"""A process beside the server that is slow, fails, or is killed."""

import asyncio
import errno
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import run
from typing import NoReturn

import pytest

from tests.store.chores import LONG, begins, comes, die, die_once, happens
from wateringhole.store.append_files import BLANK_SIZE, MAX_BLANK_FILES, AppendFolder
from wateringhole.store.error import StoreError
from wateringhole.store.game_log import GameLogs
from wateringhole.store.helper_process import MAX_DEATHS, HelperProcess
from wateringhole.store.log_entries import ENDING, UnreadableLog


@pytest.fixture
def beside() -> Iterator[HelperProcess]:
    process = HelperProcess()
    yield process
    process.end()


def test_it_does_one_thing_after_the_other_in_another_process(beside: HelperProcess) -> None:
    async def asked() -> list[object]:
        return list(await asyncio.gather(beside.call(os.getpid), beside.call(pow, 2, 10), beside.call(os.getpid)))

    first, answer, second = asyncio.run(asked())
    assert first == second != os.getpid()
    assert answer == 1_024


def test_what_fails_there_fails_here_and_is_no_reason_to_stop(beside: HelperProcess, tmp_path: Path) -> None:
    async def asked() -> int:
        with pytest.raises(FileNotFoundError):
            await beside.call(os.stat, str(tmp_path / "nothing"))
        with pytest.raises(StoreError, match="invalid literal"):
            await beside.call(int, "a word")
        return await beside.call(int, "7")

    assert asyncio.run(asked()) == 7


def test_a_long_question_to_one_who_is_busy_keeps_nobody_waiting(beside: HelperProcess, tmp_path: Path) -> None:
    async def asked() -> tuple[bool, int]:
        busy = asyncio.ensure_future(beside.call(comes, str(tmp_path / "mark")))
        await asyncio.sleep(0)
        long = asyncio.ensure_future(beside.call(len, bytes(1 << 24)))
        await asyncio.sleep(0)
        (tmp_path / "mark").touch()
        return await busy, await long

    assert asyncio.run(asked()) == (True, 1 << 24)


def test_what_it_was_doing_when_it_was_killed_is_done_again_and_what_waited_is_done(
    beside: HelperProcess, tmp_path: Path
) -> None:
    async def asked() -> list[object]:
        return list(await asyncio.gather(beside.call(die_once, str(tmp_path / "mark")), beside.call(pow, 3, 3)))

    assert asyncio.run(asked()) == ["done", 27]


def test_what_kills_it_again_and_again_is_given_up(beside: HelperProcess) -> None:
    async def asked() -> int:
        with pytest.raises(OSError, match="dies again and again"):
            await beside.call(die)
        return await beside.call(pow, 2, 3)

    assert asyncio.run(asked()) == 8


def test_one_that_is_killed_often_but_answers_in_between_is_not_given_up(beside: HelperProcess, tmp_path: Path) -> None:
    async def asked() -> list[str]:
        return [await beside.call(die_once, str(tmp_path / f"mark {number}")) for number in range(2 * MAX_DEATHS)]

    assert asyncio.run(asked()) == ["done"] * (2 * MAX_DEATHS)


def test_an_answer_that_nobody_waits_for_any_more_is_nobody_else_s(beside: HelperProcess, tmp_path: Path) -> None:
    async def asked() -> int:
        waiting = asyncio.ensure_future(beside.call(begins, str(tmp_path / "begun"), str(tmp_path / "end")))
        await asyncio.sleep(0)
        assert await asyncio.to_thread(comes, str(tmp_path / "begun"))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        (tmp_path / "end").touch()
        return await beside.call(pow, 2, 5)

    assert asyncio.run(asked()) == 32


def test_without_a_process_to_be_had_the_question_fails(beside: HelperProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    async def asked() -> None:
        with pytest.raises(FileNotFoundError):
            await beside.call(pow, 2, 5)

    asyncio.run(asked())


ORPHAN = """
import asyncio, os, sys
from tests.store.chores import comes, outlive
from wateringhole.store.helper_process import HelperProcess
async def main():
    asked = asyncio.ensure_future(HelperProcess().call(outlive, os.getpid(), sys.argv[1], sys.argv[2]))
    await asyncio.sleep(0)
    assert await asyncio.to_thread(comes, sys.argv[1])
    os.kill(os.getpid(), 9)
asyncio.run(main())
"""


def alive(process: str) -> bool:
    """Whether it still does anything; somebody may have to take note of its end."""
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_when_the_server_is_killed_it_ends_what_it_has_begun_and_then_itself(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    words = [sys.executable, "-c", ORPHAN, str(tmp_path / "begun"), str(mark)]
    assert run(words, check=False).returncode == -signal.SIGKILL
    assert comes(str(mark))
    assert happens(lambda: not alive(mark.read_text()))


def test_it_does_not_take_what_lies_in_the_current_folder_for_a_module(
    beside: HelperProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("signal", "queue", "pickle"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not that one')")
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    assert asyncio.run(beside.call(pow, 2, 4)) == 16


def test_one_that_is_killed_while_it_has_nothing_to_do_comes_when_it_has(beside: HelperProcess) -> None:
    async def asked() -> tuple[int, int]:
        first = await beside.call(os.getpid)
        os.kill(first, signal.SIGKILL)
        async with asyncio.timeout(LONG):
            while Path(f"/proc/{first}").exists():  # until its end was taken note of
                await asyncio.sleep(0.01)
        return first, await beside.call(os.getpid)

    first, second = asyncio.run(asked())
    assert first != second


# What it does for journals.


async def hopeless(*_: object) -> NoReturn:
    raise OSError(errno.EAGAIN, "no more processes")


def test_without_a_process_to_be_had_files_are_synced_and_removed_nevertheless(tmp_path: Path) -> None:
    folder = AppendFolder(tmp_path, hopeless)

    async def synced() -> None:
        paper = folder.new(ENDING)
        await paper.sync()
        paper.close()
        assert await folder.clear([paper.name]) == [None]

    asyncio.run(synced())
    folder.close()
    assert folder.names() == []


def test_a_folder_serves_one_loop_after_the_other(tmp_path: Path) -> None:
    folder = AppendFolder(tmp_path)
    paper = folder.new(ENDING)
    for _ in range(3):
        asyncio.run(paper.sync())
    paper.close()
    folder.close()


def test_for_every_file_that_is_synced_a_blank_one_is_laid_out_up_to_so_many(
    tmp_path: Path, beside: HelperProcess
) -> None:
    folder = AppendFolder(tmp_path, beside.call)

    async def full(count: int) -> list[str]:
        papers = [folder.new(ENDING) for _ in range(count)]
        await asyncio.gather(*(paper.sync() for paper in papers))
        for paper in papers:
            paper.close()
        return [paper.name for paper in papers]

    async def played() -> None:
        first = await full(3)
        blank = set(folder.names()) - set(first)
        assert [(tmp_path / name).stat().st_size for name in blank] == [BLANK_SIZE] * 3
        assert set(await full(2)) < blank
        names = await full(MAX_BLANK_FILES + 10)
        assert len(folder.names()) - len(first) - 2 - len(names) == MAX_BLANK_FILES
        assert await folder.clear([*names, "nothing"]) == [None] * (len(names) + 1)
        assert not set(names) & set(folder.names())

    asyncio.run(played())
    before = len(folder.names())
    folder.close()
    assert len(folder.names()) == before - MAX_BLANK_FILES


def test_a_blank_file_is_no_game_and_what_is_written_over_it_is_whole(tmp_path: Path, beside: HelperProcess) -> None:
    folder = AppendFolder(tmp_path, beside.call)

    async def written() -> bytes:
        first = folder.new(ENDING)
        await first.sync()
        first.close()
        folder.remove(first.name)
        await asyncio.sleep(0)
        [found] = GameLogs(folder).found()
        assert isinstance(found, UnreadableLog)
        assert (found.damage, found.foreign) == (None, False)
        paper = folder.new(ENDING)
        paper.write(b"a" * BLANK_SIZE)
        paper.write(b"b")
        paper.close()
        return folder.read(paper.name)

    assert asyncio.run(written()) == b"a" * BLANK_SIZE + b"b"


@pytest.mark.parametrize("lost", ["file", "folder"])
def test_a_file_that_cannot_be_synced_says_so(tmp_path: Path, beside: HelperProcess, lost: str) -> None:
    (tmp_path / "here").mkdir()
    folder = AppendFolder(tmp_path / "here", beside.call)

    async def synced() -> None:
        paper, other = folder.new(ENDING), folder.new(ENDING)
        folder.remove(paper.name)
        if lost == "folder":
            folder.remove(other.name)
            folder.path.rmdir()
        done = await asyncio.gather(paper.sync(), other.sync(), return_exceptions=True)
        assert [isinstance(error, FileNotFoundError) for error in done] == [True, lost == "folder"]

    asyncio.run(synced())


def test_a_blank_file_that_somebody_has_removed_is_not_written_to(tmp_path: Path) -> None:
    folder = AppendFolder(tmp_path / "here")
    folder.path.mkdir()
    paper = folder.new(ENDING)
    asyncio.run(paper.sync())
    paper.close()
    shutil.rmtree(folder.path)
    with pytest.raises(FileNotFoundError):
        folder.new(ENDING)
    folder.path.mkdir()
    folder.new(ENDING).close()
    assert len(folder.names()) == 1
