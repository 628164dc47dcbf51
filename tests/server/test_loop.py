"""The loop that always hears an interrupt."""

import asyncio
import os
import signal

import pytest

from wateringhole.server import loop


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_cancels_the_work_which_may_clean_up(number: signal.Signals) -> None:
    cleaned: list[bool] = []

    async def work() -> None:
        try:
            asyncio.get_running_loop().call_soon(os.kill, os.getpid(), number)
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.append(True)

    with pytest.raises(KeyboardInterrupt):
        loop.run(work())
    assert cleaned == [True]


def test_without_one_it_is_as_usual() -> None:
    async def work() -> int:
        await asyncio.sleep(0)
        return 3

    async def gives_up() -> None:
        raise asyncio.CancelledError

    assert loop.run(work()) == 3
    with pytest.raises(asyncio.CancelledError):
        loop.run(gives_up())
