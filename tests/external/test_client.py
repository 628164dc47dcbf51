"""A seat that waits for a client: the first who signs up has it, and nobody else keeps anything waiting."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.external import DECK, PATIENT, SEED, fault_of, nobody_expelled, nothing_left, reserved_port
from tests.server.strangers import FOR_EVER, HERE, run
from wateringhole.external.seating import SeatingTerms, play_session
from wateringhole.external.spec import spec
from wateringhole.fault import Reason
from wateringhole.record import Result
from wateringhole.seeds import agent_seeds
from wateringhole.server.connection import Limits

Visit = Callable[[int], Awaitable[None]]
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def visited(visit: Visit, options: str = "?wait=60", terms: SeatingTerms = PATIENT) -> Result:
    """A game of two silly players and whoever is at this visit, which is told the port."""

    async def both(port: int) -> Result:
        specs = [spec(agent) for agent in (f"tcp:{HERE}:{port}{options}", "silly", "silly")]
        async with asyncio.TaskGroup() as group:
            game = group.create_task(
                play_session(specs, DECK, agent_seeds(SEED, 0, range(1, len(specs) + 1)), terms, [])
            )
            group.create_task(bounded(visit(port)))
        return game.result()

    with reserved_port() as port:
        return run(both(port))


async def bounded(visit: Awaitable[None]) -> None:
    async with asyncio.timeout(FOR_EVER):
        await visit


async def arrived(port: int) -> Line:
    """A connection with the seat, as soon as it is there."""
    while True:
        try:
            return await asyncio.open_connection(HERE, port)
        except ConnectionRefusedError:
            await asyncio.sleep(0.01)


async def play(line: Line, name: str = "Tess") -> None:
    """A whole game in s16, with as little as can be."""
    reader, writer = line
    writer.write(json.dumps(name).encode() + b"\n")
    async for message in reader:
        answer = {2: b"[0,[],[],[],[]]\n", 5: b"false\n"}.get(len(json.loads(message)))
        if answer is not None and json.loads(message) != "ok":
            writer.write(answer)
    writer.close()


async def closed(line: Line) -> bool:
    """Whether the other end lets us go, without a word."""
    reader, writer = line
    try:
        return await reader.read() == b""
    except ConnectionResetError:
        return True
    finally:
        writer.close()


def test_the_first_who_signs_up_has_the_seat(tmp_path: Path) -> None:
    async def visit(port: int) -> None:
        await play(await arrived(port))

    with nothing_left(tmp_path):
        result = visited(visit)
    assert nobody_expelled(result)
    assert result.record.names == ("Tess", "silly 2", "silly 3")


def test_a_name_that_is_given_is_the_name() -> None:
    async def visit(port: int) -> None:
        await play(await arrived(port))

    assert visited(visit, "?name=Guest%20of%20honour").record.names[0] == "Guest of honour"


@pytest.mark.parametrize("words", [b"[1]\n", b"{}\n", b"?\n", b"[" * 100, b'"' + b"x" * 2_000, b"\xff\n"])
def test_who_signs_up_badly_is_let_go_and_the_next_one_has_the_seat(words: bytes, tmp_path: Path) -> None:
    async def visit(port: int) -> None:
        rude = await arrived(port)
        rude[1].write(words)
        assert await closed(rude)
        await play(await arrived(port))

    with nothing_left(tmp_path):
        assert nobody_expelled(visited(visit))


def test_once_the_seat_is_taken_nobody_else_can_connect() -> None:
    async def visit(port: int) -> None:
        reader, writer = await arrived(port)
        writer.write(b'"Tess"\n')
        assert await reader.readline() == b'"ok"\n'
        while True:  # it is no more than a moment until the door is shut
            try:
                _, late = await asyncio.open_connection(HERE, port)
            except ConnectionRefusedError:
                break
            late.close()
        writer.close()

    assert fault_of(visited(visit)).reason == Reason.DISCONNECTED


def test_nobody_comes() -> None:
    async def visit(_: int) -> None:
        pass

    result = visited(visit, "?wait=0.1")
    fault = fault_of(result)
    assert (fault.reason, fault.text) == (Reason.TIMEOUT, "did not come within 0.1 s")
    assert result.record.names[0] == "guest 1"


def test_who_says_nothing_is_let_go_when_another_has_the_seat() -> None:
    async def visit(port: int) -> None:
        silent = await arrived(port)
        await play(await arrived(port))
        assert await closed(silent)

    patient = replace(PATIENT, limits=Limits(sign_up_seconds=10 * FOR_EVER))  # it is not let go because of its silence
    assert nobody_expelled(visited(visit, terms=patient))
