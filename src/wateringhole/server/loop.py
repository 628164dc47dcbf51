"""An event loop that always hears an interrupt."""

import asyncio
import signal
import threading
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


def run(work: Coroutine[object, object, T]) -> T:
    """Like asyncio.run; SIGINT, SIGTERM and SIGHUP cancel the work and end in a KeyboardInterrupt.

    By itself, asyncio.run does not notice an interrupt that comes just before the loop begins to wait for something
    else: it sleeps on until that happens (seen once in a hundred runs of a busy machine).
    """
    interrupted = threading.Event()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}

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
        return await work

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
