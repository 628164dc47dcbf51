"""From the name of an agent to somebody on a seat, and a whole table of them.

Laws: whatever an agent needs, a process or a connection, ends with the game. An agent that cannot be had loses its seat
to a fault that says why, and the others play.
"""

import asyncio
import shlex
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack

from msgspec import Struct

from wateringhole.cards import Card
from wateringhole.fault import Fault, Reason
from wateringhole.outside.human import Person
from wateringhole.outside.program import Bounds, Program
from wateringhole.outside.spec import Spec, address, made
from wateringhole.outside.worker import CONFESSED
from wateringhole.record import Note, Result
from wateringhole.server.clock import TimeControl
from wateringhole.server.host import Host
from wateringhole.server.line import Broken, Limits, Line
from wateringhole.server.sitter import Guest, House, Sitter
from wateringhole.view import Request
from wateringhole.wire.shapes import ShapeError
from wateringhole.wire.signup import recognised


class Terms(Struct, frozen=True):
    """How the agents of a table are treated. `in_process`: Python classes are run here, at their author's risk."""

    control: TimeControl = TimeControl()
    bounds: Bounds = Bounds()
    limits: Limits = Limits()
    in_process: bool = False


async def hosted(
    specs: Sequence[Spec], deck: Sequence[Card], seeds: Sequence[str], terms: Terms, notes: Sequence[Note]
) -> Result:
    """One game of these agents, seats in this order, each with its seed; ValueError when one cannot be had because of
    how it is named.
    """
    people = sum(found.kind == "human" for found in specs)
    if people > 1:
        raise ValueError(f"{people} agents are human, but this terminal has room for 1")
    async with AsyncExitStack() as stack:
        # One after the other gets its process, and all start at the same time.
        sitters = await asyncio.gather(
            *(
                seated(stack, found, seat, seed, terms)
                for seat, (found, seed) in enumerate(zip(specs, seeds, strict=True), 1)
            )
        )
        for sitter in sitters:
            if isinstance(sitter, Person):
                sitter.names = [other.name for other in sitters]
        return await Host(sitters, deck, notes=notes).play()


async def seated(stack: AsyncExitStack, found: Spec, seat: int, seed: str, terms: Terms) -> Sitter:
    """The agent on this seat; when the stack is unwound, nothing of it is left."""
    control = found.control or terms.control
    name = found.label(seat)
    if found.at_hand(terms.in_process):
        return House(name, made(found, seed), control, 0.0, found.text, seed)
    match found.kind:
        case "human":
            return Person(name)
        case "tcp":
            guest = await _client(stack, found, seat, control, terms)
            return House(name, Absent(guest), control) if isinstance(guest, Fault) else guest
        case "cmd":
            command, first = shlex.split(found.target), None
        case _:
            command = [sys.executable, "-m", "wateringhole.outside.worker", found.text]
            first = seed
    return await _program(stack, command, first, found, seat, control, terms)


class Absent:
    """The agent that never came."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def choose(self, request: Request) -> Fault:  # noqa: ARG002
        return self._fault

    feed = choose


async def _program(
    stack: AsyncExitStack,
    command: Sequence[str],
    first: str | None,
    found: Spec,
    seat: int,
    control: TimeControl,
    terms: Terms,
) -> Guest | House:
    """Start a program, say this first, and hear who it is; its time to start is not taken from its time to think."""
    try:
        program = Program(command, terms.bounds, CONFESSED if found.kind == "py" else None)
    except OSError as error:
        fault = Fault(Reason.EXITED, f"cannot be started: {error.strerror}")
        return House(found.label(seat), Absent(fault), control)
    stack.push_async_callback(program.end)
    line = await program.line(terms.limits)
    stack.callback(line.shut)
    if first is not None:
        line.send(first)
    guest = await _signed_up(line, found, seat, control, terms.bounds.start_seconds)
    sitter = House(found.label(seat), Absent(guest), control) if isinstance(guest, Fault) else guest
    sitter.also = lambda: {"stderr": program.stderr}
    return sitter


async def _client(stack: AsyncExitStack, found: Spec, seat: int, control: TimeControl, terms: Terms) -> Guest | Fault:
    """Listen, and take the first client that signs up."""
    host, port = address(found.target)
    loop = asyncio.get_running_loop()
    first: asyncio.Future[Guest] = loop.create_future()
    attempts: set[asyncio.Task[None]] = set()

    async def attempt(line: Line) -> None:
        guest = None
        try:
            guest = await _signed_up(line, found, seat, control, terms.limits.sign_up_seconds)
        finally:
            if isinstance(guest, Guest) and not first.done():
                stack.callback(line.shut)
                first.set_result(guest)
            else:
                line.shut()

    def opened(line: Line) -> None:
        task = loop.create_task(attempt(line))
        attempts.add(task)
        task.add_done_callback(attempts.discard)

    try:
        server = await loop.create_server(lambda: Line(opened, terms.limits), host, port)
    except OSError as error:
        raise ValueError(f"{found.text}: cannot listen: {error.strerror or error}") from None
    sys.stderr.write(f"waiting for a client on {host}:{port}\n")
    try:
        async with asyncio.timeout(found.wait):
            return await first
    except TimeoutError:
        return Fault(Reason.TIMEOUT, f"did not come within {found.wait:g} s")
    finally:
        server.close()
        for task in list(attempts):
            task.cancel()


async def _signed_up(line: Line, found: Spec, seat: int, control: TimeControl, seconds: float) -> Guest | Fault:
    """Whoever is at the other end, once it has said its name."""
    try:
        known = recognised(await line.receive(seconds), found.dialect)
    except Broken as broken:
        if broken.fault.reason is Reason.TIMEOUT:
            return Fault(Reason.TIMEOUT, f"does not sign up within {seconds:g} s")
        return broken.fault
    except ShapeError as error:
        return Fault(Reason.SHAPE, f"signs up badly: {error}")
    guest = Guest(found.options.get("name") or known.name or found.label(seat), line, known.dialect, control)
    guest.welcome(seat)
    return guest
