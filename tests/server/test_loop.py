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


@pytest.mark.parametrize("number", loop.INTERRUPTS)
def test_somebody_who_blocks_the_loop_is_interrupted_at_once(number: signal.Signals) -> None:
    seen: list[str] = []

    async def work() -> None:
        try:
            with loop.blocked():
                os.kill(os.getpid(), number)
                seen.append("went on")
        finally:
            await asyncio.sleep(0)
            seen.append("cleaned up")

    with pytest.raises(KeyboardInterrupt):
        loop.run(work())
    assert seen == ["cleaned up"]


def test_who_is_not_interrupted_leaves_the_signals_as_they_were() -> None:
    def handlers() -> list[object]:
        return [signal.getsignal(number) for number in loop.INTERRUPTS]

    before = handlers()
    with loop.blocked():
        assert handlers() == [signal.default_int_handler] * 3
    assert handlers() == before


def test_without_one_it_is_as_usual() -> None:
    async def work() -> int:
        await asyncio.sleep(0)
        return 3

    async def gives_up() -> None:
        raise asyncio.CancelledError

    assert loop.run(work()) == 3
    with pytest.raises(asyncio.CancelledError):
        loop.run(gives_up())
