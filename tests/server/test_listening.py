"""How connections are taken from a port's queue, on real sockets."""

import asyncio
import contextlib
import socket

from wateringhole.server.listening import MAX_TAKEN, listen

HERE = "127.0.0.1"


async def turns_until_taken(number: int) -> list[int]:
    """How many connections, of so many that came at once, are open after each turn of the loop, up to the last one."""
    opened = 0

    class Counted(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            nonlocal opened
            opened += 1
            transport.close()

    with contextlib.ExitStack() as stack:
        listener = await listen(Counted, HERE, 0)
        stack.callback(listener.close)
        for _ in range(number):  # the loop does not turn meanwhile, so all of them queue
            stack.enter_context(socket.create_connection((HERE, listener.port)))
        turns = []
        while opened < number:
            await asyncio.sleep(0)
            turns.append(opened)
        await asyncio.sleep(0)
    return turns


def test_a_queue_of_connections_is_taken_in_a_few_turns_and_none_of_them_is_long() -> None:
    turns = asyncio.run(turns_until_taken(3 * MAX_TAKEN))
    assert len(turns) < 12, "a busy server's turns are long, so newcomers must not wait for many of them"
    steps = [after - before for before, after in zip([0, *turns], turns, strict=False)]
    assert max(steps) == MAX_TAKEN
