"""Runs an event loop so that SIGINT is handled even while a callback blocks it."""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Final, Self, TypeAlias, TypeVar

T = TypeVar("T")
Handler: TypeAlias = Callable[[int, FrameType | None], object] | int | None

INTERRUPTS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class EventLoop:
    """An event loop that runs one coroutine after the other; connections that one has opened are there for the next."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with _noted(threading.Event()):
            self._runner.close()

    def run(self, work: Coroutine[object, object, T]) -> T:
        """Like asyncio.run; SIGINT, SIGTERM and SIGHUP cancel the coroutine and end in a KeyboardInterrupt.

        By itself, asyncio.run does not notice an interrupt that comes just before the loop begins to wait for something
        else: it sleeps on until that happens (seen once in a hundred runs of a busy machine).
        """
        early, told = threading.Event(), threading.Event()
        with _noted(early):
            try:
                return self._runner.run(_heard(work, early, told))
            except asyncio.CancelledError:
                if not told.is_set():
                    raise
        raise KeyboardInterrupt


def run(work: Coroutine[object, object, T]) -> T:
    """The same for a single coroutine."""
    with EventLoop() as loop:
        return loop.run(work)


async def _heard(work: Coroutine[object, object, T], early: threading.Event, told: threading.Event) -> T:
    """Run the work; an interrupt cancels it and sets `told`, also one that came too `early`."""
    task = asyncio.current_task()
    assert task is not None

    def interrupt() -> None:
        told.set()
        task.cancel()

    loop = asyncio.get_running_loop()
    noted = _handlers()
    for number in noted:
        loop.add_signal_handler(number, interrupt)
    if early.is_set():
        early.clear()
        interrupt()
    try:
        return await work
    except KeyboardInterrupt:  # raised by code inside `blocked()`
        told.set()
        raise asyncio.CancelledError from None
    finally:
        for number, handler in noted.items():
            signal.signal(number, handler)  # the loop forgets its own when it is closed
        if noted:
            signal.set_wakeup_fd(-1)  # the loop does so only after it has closed the socket behind it


@contextmanager
def _noted(interrupted: threading.Event) -> Iterator[None]:
    """Delay an interrupt to the end of the block, as a KeyboardInterrupt: in the middle of making or closing an event
    loop it would leave half of one behind.
    """
    before = _handlers()
    for number in before:
        signal.signal(number, lambda *_: interrupted.set())
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if interrupted.is_set():
            raise KeyboardInterrupt from None


def _handlers() -> dict[signal.Signals, Handler]:
    """The signal handlers of this thread, but for signals that are ignored, as under nohup."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    handlers = {number: signal.getsignal(number) for number in INTERRUPTS}
    return {number: handler for number, handler in handlers.items() if handler != signal.SIG_IGN}


@contextmanager
def blocked() -> Iterator[None]:
    """In this block, an interrupt raises KeyboardInterrupt at once in the code that blocks the event loop.

    Otherwise the loop would handle the signal only after the wait.
    """
    before = _handlers()
    try:
        for number in before:
            signal.signal(number, signal.default_int_handler)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
