"""A pytest plugin: a test that takes longer than `time_limit` seconds fails, and the failure shows where it hangs.

An alarm signal raises the failure in the main thread, with the stacks of all threads and asyncio tasks in its text. If
that is swallowed, or if tidying up hangs as well, the next alarm follows. An alarm that comes while pytest reports is
passed over: raised there, the failure would end the whole run. pytest-timeout shows neither the tasks nor, in a worker
of xdist, the other threads. A process that no signal reaches is ended by the longer `faulthandler_timeout`.
"""

import asyncio
import io
import re
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from types import FrameType

import pytest

AGAIN_SECONDS = 30.0
PYTEST = re.compile(r"/(_pytest|pluggy|xdist|execnet|bin)/")
"""Frames above those of the test, which say nothing."""
RUNNING = pytest.StashKey[bool]()
"""Whether the test is set up, called or tidied up just now: pytest makes a failure of what is raised there."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("time_limit", "seconds that a test may take, set-up and tidying up included", default="300")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    limit = float(item.config.getini("time_limit"))

    seen: list[str] = []

    def fail(_: int, frame: FrameType | None) -> None:
        if not item.stash.get(RUNNING, False):
            return
        seen.append(stacks(frame))
        text = "\nand then, while it tidies up, here:\n".join(seen)
        pytest.fail(f"{item.nodeid} takes longer than {limit:g} s; it hangs here:\n{text}", pytrace=False)

    before = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, limit, AGAIN_SECONDS)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    return (yield from _running(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    return (yield from _running(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    return (yield from _running(item))


def _running(item: pytest.Item) -> Iterator[None]:
    item.stash[RUNNING] = True
    try:
        return (yield)
    finally:
        item.stash[RUNNING] = False


def stacks(frame: FrameType | None) -> str:
    """Where every thread is, the main thread at this frame, and what each asyncio task waits for."""
    text = io.StringIO()
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    for ident, current in sys._current_frames().items():
        main = ident == threading.main_thread().ident
        frames = traceback.extract_stack(frame if main else current)
        text.write(f"\nthread {names.get(ident, ident)}:\n")
        text.writelines(traceback.format_list([frame for frame in frames if not PYTEST.search(frame.filename)]))
    for task in _tasks():
        text.write("\n")
        task.print_stack(file=text)
    return text.getvalue()


def _tasks() -> "set[asyncio.Task[object]]":
    """Those of the event loop that runs in this thread."""
    try:
        return asyncio.all_tasks()
    except RuntimeError:
        return set()
