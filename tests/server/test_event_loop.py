"""The loop that always hears an interrupt."""

import asyncio
import os
import signal
from collections.abc import Iterator

import pytest

from wateringhole.server import event_loop


@pytest.fixture(autouse=True)
def heeded() -> Iterator[None]:
    """Under nohup, or in the background of a shell, signals are ignored from the start, and the loop keeps to that."""
    before = {number: signal.getsignal(number) for number in event_loop.INTERRUPTS}
    for number in event_loop.INTERRUPTS:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_cancels_the_work_which_may_clean_up(number: signal.Signals) -> None:
    cleaned: list[bool] = []

    async def work() -> None:
        try:
            asyncio.get_running_loop().call_soon(os.kill, os.getpid(), number)
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            cleaned.append(True)

    with pytest.raises(KeyboardInterrupt):
        event_loop.run(work())
    assert cleaned == [True]


@pytest.mark.parametrize("number", event_loop.INTERRUPTS)
def test_somebody_who_blocks_the_loop_is_interrupted_at_once(number: signal.Signals) -> None:
    seen: list[str] = []

    async def work() -> None:
        try:
            with event_loop.blocked():
                os.kill(os.getpid(), number)
                seen.append("went on")
        finally:
            await asyncio.sleep(0)
            seen.append("cleaned up")

    with pytest.raises(KeyboardInterrupt):
        event_loop.run(work())
    assert seen == ["cleaned up"]


def test_who_is_not_interrupted_leaves_the_signals_as_they_were() -> None:
    def handlers() -> list[object]:
        return [signal.getsignal(number) for number in event_loop.INTERRUPTS]

    before = handlers()
    with event_loop.blocked():
        assert handlers() == [signal.default_int_handler] * 3
    assert handlers() == before


@pytest.mark.parametrize("number", event_loop.INTERRUPTS)
def test_what_was_ignored_from_the_start_is_ignored(number: signal.Signals) -> None:
    async def work() -> str:
        with event_loop.blocked():
            os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)
        await asyncio.sleep(0)
        return "went on"

    signal.signal(number, signal.SIG_IGN)
    assert event_loop.run(work()) == "went on"
    assert signal.getsignal(number) == signal.SIG_IGN


def test_without_one_it_is_as_usual() -> None:
    async def work() -> int:
        await asyncio.sleep(0)
        return 3

    async def gives_up() -> None:
        raise asyncio.CancelledError

    assert event_loop.run(work()) == 3
    with pytest.raises(asyncio.CancelledError):
        event_loop.run(gives_up())


def test_after_the_work_no_signal_is_written_to_a_socket_of_the_loop() -> None:
    async def work() -> None:
        await asyncio.sleep(0)

    with event_loop.EventLoop() as loop:
        for _ in range(2):
            loop.run(work())
            assert signal.set_wakeup_fd(-1) == -1
