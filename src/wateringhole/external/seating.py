"""Seats agents by spec: starts programs, accepts TCP clients, and runs a game session with all participants.

Laws: the process or connection of an agent ends with the game. An agent that cannot be started loses its seat to a
fault that says why, and the others play.
"""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack

from msgspec import Struct
from msgspec.structs import replace

from wateringhole.cards import Card
from wateringhole.external.agent_log import Watch, observer_of
from wateringhole.external.program import Bounds, Program
from wateringhole.external.sandbox import Sandbox, sandbox_of
from wateringhole.external.spec import Spec, UnavailableAgent, address, lacking
from wateringhole.external.terminal_player import TerminalParticipant
from wateringhole.external.tracebacks import errors_of, traced_or_unavailable
from wateringhole.external.worker_pool import Pool, Workers
from wateringhole.fault import Fault, Reason
from wateringhole.record import Note, Result
from wateringhole.server.clock import TimeControl
from wateringhole.server.connection import Broken, Connection, Limits
from wateringhole.server.event_loop import EventLoop
from wateringhole.server.game_session import GameSession
from wateringhole.server.participants import BotParticipant, Participant, RemoteParticipant
from wateringhole.wire.json_codec import ShapeError
from wateringhole.wire.signup import recognised


class SeatingTerms(Struct, frozen=True):
    """The settings for the agents of a table. `in_process`: Python classes run in this process, at the user's risk.
    `sandbox`: what programs see; without one, they see everything. `watch`: what the author of an agent sees.
    """

    control: TimeControl = TimeControl()
    bounds: Bounds = Bounds()
    limits: Limits = Limits()
    in_process: bool = False
    sandbox: Sandbox | None = None
    watch: Watch | None = None


async def play_session(
    specs: Sequence[Spec],
    deck: Sequence[Card],
    seeds: Sequence[str],
    terms: SeatingTerms,
    notes: Sequence[Note],
    workers: Workers | None = None,
) -> Result:
    """One game of these agents, seats in this order, each with its seed; ValueError when the spec of one cannot
    be used, as with a second human or a port that is taken.
    """
    people = sum(found.kind == "human" for found in specs)
    if people > 1:
        raise ValueError(f"{people} agents are human, but this terminal has room for 1")
    async with AsyncExitStack() as stack:
        # The processes are made one after the other, and start at the same time.
        participants = await asyncio.gather(
            *(
                seated(stack, found, seat, seed, terms, workers)
                for seat, (found, seed) in enumerate(zip(specs, seeds, strict=True), 1)
            )
        )
        for participant in participants:
            if isinstance(participant, TerminalParticipant):
                participant.names = [other.name for other in participants]
        return await GameSession(participants, deck, notes=notes).play()


async def seated(
    stack: AsyncExitStack, found: Spec, seat: int, seed: str, terms: SeatingTerms, workers: Workers | None = None
) -> Participant:
    """The participant for this seat; unwinding the stack ends its process, unless `workers` keep it."""
    control = found.control or terms.control
    name = found.label(seat)
    if found.at_hand(terms.in_process):
        return _at_hand(stack, found, seat, seed, terms)
    match found.kind:
        case "human":
            return TerminalParticipant(name)
        case "tcp":
            came = await _client(stack, found, seat, control, terms)
        case _:
            came = await _outside(stack, found, seat, seed, terms, workers)
    return came.participant(name, control)


async def unready(found: Spec, seed: str, terms: SeatingTerms) -> Fault | None:
    """Why this program cannot play; it is started, and ended once it has signed up."""
    async with AsyncExitStack() as stack:
        came = (await _outside(stack, found, 1, seed, terms, None)).client
    return came if isinstance(came, Fault) else None


async def _outside(
    stack: AsyncExitStack, found: Spec, seat: int, seed: str, terms: SeatingTerms, workers: Workers | None
) -> "SeatingResult":
    """The agent of a child process."""
    control = found.control or terms.control
    if found.kind == "cmd":
        return await _program(stack, found, seat, control, terms)
    return await _worker(stack, found, seat, seed, control, terms, workers or Pool(fresh=True).of_deal(0))


def _at_hand(stack: AsyncExitStack, found: Spec, seat: int, seed: str, terms: SeatingTerms) -> BotParticipant:
    """An agent of this process; its tracebacks take the place of a program's standard error."""
    observer = observer_of(terms.watch, found, seat)
    if observer is not None:
        stack.callback(observer.close)
    agent = traced_or_unavailable(found, seed, observer)
    house = BotParticipant(found.label(seat), agent, found.control or terms.control, 0.0, found.text, seed)
    house.also = lambda: {"stderr": errors} if (errors := errors_of(agent)) else {}
    return house


class SeatingResult(Struct, frozen=True):
    """The client that takes a seat, or the fault of one that does not, and its program."""

    client: RemoteParticipant | Fault
    program: Program | None = None

    def participant(self, name: str, control: TimeControl) -> RemoteParticipant | BotParticipant:
        participant = (
            BotParticipant(name, UnavailableAgent(self.client), control)
            if isinstance(self.client, Fault)
            else self.client
        )
        program = self.program
        if program is not None:
            participant.also = lambda: {"stderr": program.stderr}
        return participant


class GameRunner:
    """Runs games of external agents, one after the other, in one event loop; workers are kept between them."""

    def __init__(self, terms: SeatingTerms, fresh: bool) -> None:
        self._terms = terms
        self._pool = Pool(fresh)
        self._loop = EventLoop()

    def play(
        self,
        specs: Sequence[Spec],
        deck: Sequence[Card],
        seeds: Sequence[str],
        notes: Sequence[Note],
        deal: int,
        watch: Watch | None,
    ) -> Result:
        """One game of this deal."""
        terms = replace(self._terms, watch=watch)
        return self._loop.run(play_session(specs, deck, seeds, terms, notes, self._pool.of_deal(deal)))

    def end(self) -> None:
        """End all workers."""
        with self._loop:
            self._loop.run(self._pool.end())


async def _program(
    stack: AsyncExitStack, found: Spec, seat: int, control: TimeControl, terms: SeatingTerms
) -> SeatingResult:
    """Start a program and wait for its sign-up; the time to start is not taken from its time to think."""
    program = _started(found.words, found, terms)
    if isinstance(program, Fault):
        return SeatingResult(program)
    stack.push_async_callback(program.end)
    program.observe(observer_of(terms.watch, found, seat))
    connection = await program.connect(terms.limits)
    return SeatingResult(await _signed_up(connection, found, seat, control, terms.bounds.start_seconds), program)


async def _worker(
    stack: AsyncExitStack,
    found: Spec,
    seat: int,
    seed: str,
    control: TimeControl,
    terms: SeatingTerms,
    workers: Workers,
) -> SeatingResult:
    """Let a kept worker, or a new one, make an object of the agent's class, and wait for its sign-up."""
    kept = workers.take(found.text)
    if kept is not None:
        stack.push_async_callback(workers.give_back, found.text, kept)
        client = await _begun(kept, found, seat, seed, control, terms, terms.bounds.ready_seconds)
        if isinstance(client, RemoteParticipant):
            return SeatingResult(client, kept)
        await workers.replace(found.text, kept)
    program = _started([sys.executable, "-m", "wateringhole.external.worker", found.text], found, terms)
    if isinstance(program, Fault):
        return SeatingResult(program)
    workers.begin(program)
    stack.push_async_callback(workers.give_back, found.text, program)
    return SeatingResult(await _begun(program, found, seat, seed, control, terms, terms.bounds.start_seconds), program)


async def _begun(
    program: Program, found: Spec, seat: int, seed: str, control: TimeControl, terms: SeatingTerms, seconds: float
) -> RemoteParticipant | Fault:
    """The client that a worker makes for a new game, or the fault."""
    program.observe(observer_of(terms.watch, found, seat))
    connection = await program.connect_worker(terms.limits)
    connection.send(seed)
    client = await _signed_up(connection, found, seat, control, seconds)
    if isinstance(client, RemoteParticipant):
        client.listens = False  # a Python agent gets no events, so none need be made
    return client


def _started(command: Sequence[str], found: Spec, terms: SeatingTerms) -> Program | Fault:
    """The agent's program, or the fault; no process is started for a missing program."""
    if (fault := lacking(found)) is not None:
        return fault
    try:
        return Program(command, terms.bounds, sandbox_of(found, terms.sandbox))
    except OSError as error:
        return Fault(Reason.EXITED, f"cannot be started: {error.strerror}")


async def _client(
    stack: AsyncExitStack, found: Spec, seat: int, control: TimeControl, terms: SeatingTerms
) -> SeatingResult:
    """Listen, and take the first client that signs up."""
    host, port = address(found.target)
    observer = observer_of(terms.watch, found, seat)
    if observer is not None:
        stack.callback(observer.close)
    loop = asyncio.get_running_loop()
    first: asyncio.Future[RemoteParticipant] = loop.create_future()
    attempts: set[asyncio.Task[None]] = set()

    async def attempt(connection: Connection) -> None:
        client = None
        try:
            client = await _signed_up(connection, found, seat, control, terms.limits.sign_up_seconds)
        finally:
            if isinstance(client, RemoteParticipant) and not first.done():
                stack.callback(connection.shut)
                first.set_result(client)
            else:
                connection.shut()

    def opened(connection: Connection) -> None:
        connection.observer = observer
        task = loop.create_task(attempt(connection))
        attempts.add(task)
        task.add_done_callback(attempts.discard)

    try:
        server = await loop.create_server(lambda: Connection(opened, terms.limits), host, port)
    except OSError as error:
        raise ValueError(f"{found.text}: cannot listen: {error.strerror or error}") from None
    sys.stderr.write(f"waiting for a client on {host}:{port}\n")
    try:
        async with asyncio.timeout(found.wait):
            return SeatingResult(await first)
    except TimeoutError:
        return SeatingResult(Fault(Reason.TIMEOUT, f"did not come within {found.wait:g} s"))
    finally:
        server.close()
        for task in list(attempts):
            task.cancel()


async def _signed_up(
    connection: Connection, found: Spec, seat: int, control: TimeControl, seconds: float
) -> RemoteParticipant | Fault:
    """The client at this connection, once it has signed up, or the fault."""
    try:
        known = recognised(await connection.receive(seconds), found.dialect)
    except Broken as broken:
        if broken.fault.reason is Reason.TIMEOUT:
            return Fault(Reason.TIMEOUT, f"does not sign up within {seconds:g} s")
        return broken.fault
    except ShapeError as error:
        return Fault(Reason.SHAPE, f"signs up badly: {error}")
    client = RemoteParticipant(
        found.options.get("name") or known.name or found.label(seat), connection, known.dialect, control
    )
    client.welcome(seat)
    return client
