"""An event loop that always hears an interrupt, even while somebody blocks it."""

import asyncio
import signal
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

T = TypeVar("T")

INTERRUPTS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(work: Coroutine[object, object, T]) -> T:
    """Like asyncio.run; SIGINT, SIGTERM and SIGHUP cancel the work and end in a KeyboardInterrupt.

    By itself, asyncio.run does not notice an interrupt that comes just before the loop begins to wait for something
    else: it sleeps on until that happens (seen once in a hundred runs of a busy machine).
    """
    interrupted = threading.Event()
    before = {number: signal.getsignal(number) for number in INTERRUPTS}

    async def heard() -> T:
        task = asyncio.current_task()
        assert task is not None

        def interrupt() -> None:
            interrupted.set()
            task.cancel()

        if threading.current_thread() is threading.main_thread():
            for number, handler in before.items():
                if handler != signal.SIG_IGN:  # whoever runs us under nohup wants us to go on
                    asyncio.get_running_loop().add_signal_handler(number, interrupt)
        try:
            return await work
        except KeyboardInterrupt:  # of somebody who blocked the loop
            interrupted.set()
            raise asyncio.CancelledError from None

    try:
        return asyncio.run(heard())
    except asyncio.CancelledError:
        if interrupted.is_set():
            raise KeyboardInterrupt from None
        raise
    finally:
        if threading.current_thread() is threading.main_thread():
            for number, handler in before.items():
                signal.signal(number, handler)  # asyncio leaves the system's behind


@contextmanager
def blocked() -> Iterator[None]:
    """Whoever blocks the loop meanwhile, waiting for somebody else, gets an interrupt as a KeyboardInterrupt at once.

    Otherwise the loop would hear of it only after the wait.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in INTERRUPTS}
    try:
        for number, handler in before.items():
            if handler != signal.SIG_IGN:
                signal.signal(number, signal.default_int_handler)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
