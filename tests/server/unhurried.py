"""An event loop for servers and clients of this process whose limits of time nobody misses because of a busy machine.

Laws: its clock counts how long the loop's thread worked and how long it waited for what it asked for. While another
process has the processor, or this one is stopped, the clock stands still: no limit passes before both ends of every
line had the chance to do what is due.
"""

import asyncio
import gc
import selectors
import time
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from .strangers import FOR_EVER

T = TypeVar("T")

STEP: Final = 0.05
"""The longest that is waited at once, in seconds: more than this is never lost or won by being stopped."""


class _CountingSelector(selectors.DefaultSelector):
    """Knows how long was waited; a wait never counts as longer than it was meant to be."""

    def __init__(self) -> None:
        super().__init__()
        self.waited = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        longest = STEP if timeout is None else max(0.0, min(timeout, STEP))
        begun = time.monotonic()
        found = super().select(longest)
        self.waited += min(time.monotonic() - begun, longest)
        return found


class UnhurriedLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._counting = _CountingSelector()
        super().__init__(self._counting)

    def time(self) -> float:
        return self._counting.waited + time.thread_time()


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns, in an unhurried loop of its own that leaves nothing behind."""

    async def bounded() -> T:
        async with asyncio.timeout(FOR_EVER):
            return await coroutine

    try:
        with asyncio.Runner(loop_factory=UnhurriedLoop) as runner:
            return runner.run(bounded())
    finally:
        gc.collect()  # whatever was left open complains now, in the test that left it
