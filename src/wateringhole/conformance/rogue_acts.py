"""What rogue clients do at their moment: silence, half answers, floods, resets."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from wateringhole.conformance.scripted_client import PIECE, ScriptedClient
from wateringhole.moves import Attack, CardPlay, Graze, StoreFat
from wateringhole.view import Feed, Request
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import action4_out, feeding_out

DRIP_SECONDS: Final = 0.1


DRIP_BYTES: Final = 300


CROWD: Final = 50


STREAM_BYTES: Final = 10_485_760


Act: TypeAlias = Callable[[ScriptedClient], Awaitable[None]]


async def silence(caller: ScriptedClient) -> None:
    while True:
        await caller.piece()


async def sleep(caller: ScriptedClient) -> None:
    caller.stop_reading()
    await asyncio.Event().wait()


async def leave(caller: ScriptedClient) -> None:
    caller.leave()


async def reset(caller: ScriptedClient) -> None:
    caller.reset()


async def half_close(caller: ScriptedClient) -> None:
    caller.half_close()
    await silence(caller)


async def half_close_behind_the_answer(caller: ScriptedClient) -> None:
    await caller.say(caller.proper)
    await half_close(caller)


async def _half_an_answer(caller: ScriptedClient) -> None:
    await caller.say(caller.proper[: len(caller.proper) // 2])
    await caller.pause(DRIP_SECONDS)  # so that it arrives by itself


async def half_an_answer_and_leave(caller: ScriptedClient) -> None:
    await _half_an_answer(caller)
    caller.leave()


async def half_an_answer_and_reset(caller: ScriptedClient) -> None:
    await _half_an_answer(caller)
    caller.reset()


async def answer_twice(caller: ScriptedClient) -> None:
    await caller.say(caller.proper * 2)


async def answer_and_chat(caller: ScriptedClient) -> None:
    await caller.say(caller.proper)
    await caller.pause(DRIP_SECONDS)
    await caller.say(b'"is it my turn again?"\n')


async def answer_and_blanks(caller: ScriptedClient) -> None:
    await caller.say(caller.proper)
    for _ in range(16):
        await caller.say(b" \t\r\n" * (PIECE // 4))


async def answer_by_bytes(caller: ScriptedClient) -> None:
    for byte in caller.proper:
        await caller.say(bytes([byte]))
        await caller.pause(0.002)


async def stream(caller: ScriptedClient) -> None:
    await caller.say(b'"')
    for _ in range(STREAM_BYTES // PIECE):
        await caller.say(b"x" * PIECE)
    await silence(caller)


async def _crowd(caller: ScriptedClient, act: Act) -> None:
    for _ in range(CROWD):
        try:
            another = await ScriptedClient.dial(caller.target)
        except OSError:
            break  # a server may refuse a crowd
        caller.company.append(another)
        await act(another)
    await silence(caller)


async def silent_crowd(caller: ScriptedClient) -> None:
    async def nothing(_: ScriptedClient) -> None:
        pass

    await _crowd(caller, nothing)


async def torn_crowd(caller: ScriptedClient) -> None:
    await _crowd(caller, reset)


def says(data: bytes) -> Act:
    """Send this, whatever is asked."""

    async def act(caller: ScriptedClient) -> None:
        await caller.say(data)

    return act


def drips(data: bytes) -> Act:
    """Send this byte by byte, each a little before a server would time out."""

    async def act(caller: ScriptedClient) -> None:
        for byte in data:
            await caller.say(bytes([byte]))
            await caller.pause(DRIP_SECONDS)
        await silence(caller)

    return act


def says_then(data: bytes, then: Act) -> Act:
    async def act(caller: ScriptedClient) -> None:
        await caller.say(data)
        await caller.pause(DRIP_SECONDS)
        await then(caller)

    return act


def answers(make: Callable[[Request], object]) -> Act:
    """Answer with this move."""

    async def act(caller: ScriptedClient) -> None:
        asked = caller.asked
        assert asked is not None
        await caller.say(caller.text(_spelt(make(asked), asked)))

    return act


def _spelt(move: object, request: Request) -> Json:
    if isinstance(move, CardPlay):
        return action4_out(move)
    assert isinstance(request, Feed)
    assert isinstance(move, Graze | StoreFat | Attack)
    return feeding_out(move, [other.seat for other in request.others])
