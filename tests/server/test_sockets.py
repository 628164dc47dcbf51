"""The key cells of the fault matrix over real sockets, by the same tricks as on the simulated network.

Both ends of every line are in one event loop, whose timers go off in order and whose clock stands still while the
process does not run: what is meant to come first does so, and what is meant to be in time is, however busy the machine.
"""

import asyncio
import os
import socket
import struct
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Final, cast

import pytest

from tests.server.unhurried import run
from wateringhole.cards import Card, shuffled
from wateringhole.fault import Reason
from wateringhole.record import Result
from wateringhole.server.clock import TimeControl
from wateringhole.server.connection import Connection, Limits
from wateringhole.server.game_session import GameSession
from wateringhole.server.lobby import Lobby, Tables
from wateringhole.server.participants import RemoteParticipant

from .clients import Client
from .faults import ASKED, LIMIT, NO_MEANING, PART, SIGN_UP_LIMIT, SLOW, UNASKED, WHEN_ASKED, Point, What, misbehaving
from .simulation import End, SimulatedLoop, Simulation, Wire
from .strangers import FOR_EVER, HERE, Hosted
from .test_matrix import UNSENT, calm, takes_no_seat
from .verdict import CUT_SHORT, WHOLE, check_record, reasons

PACE: Final = 1 / 5
"""How long a second of the simulation takes here."""

GAP: Final = 0.2
THINK: Final = PART * 2
"""When the odd one has sent the second part of its reply, the others still think."""

PATIENT: Final = Limits(FOR_EVER, unsent_bytes=UNSENT, drain_seconds=FOR_EVER)
HURRIED: Final = Limits(SIGN_UP_LIMIT * PACE, unsent_bytes=UNSENT * 10, drain_seconds=GAP)
"""One who does not read is soon too far behind: too many bytes for the patient, too long for the hurried."""

PLAYERS: Final = 3
ODD: Final = 2
DECK: Final = shuffled("m1:1")
"""All cards: the buffers of real sockets hold more than a short game sends."""
KEY_POINTS: Final = (Point.BEFORE_SIGN_UP, Point.BEFORE_CHOOSE, Point.DURING_FEED, Point.BETWEEN_TURNS)
INSTEAD: Final = {
    (What.ILLEGAL, Point.BEFORE_SIGN_UP): Point.AFTER_SIGN_UP,
    (What.EARLY, Point.BEFORE_CHOOSE): Point.AFTER_START,
    (What.EARLY, Point.DURING_FEED): Point.AFTER_FEED,
}
"""For a cell without meaning, one next to it that has one."""

HEARD: Final = {"welcome": "o", "start": "os", "choose": "osc", "feed": "oscf", "second start": "oscfs"}
"""What the last seat has heard by then."""


class Socket(End, asyncio.Protocol):
    """The far end of a real connection does what that of a simulated one does; the wire is its own business."""

    def __init__(self, venue: "Venue", client: Client) -> None:
        super().__init__(cast(SimulatedLoop, venue), client)
        self.wire = cast(Wire, self)
        self._open = True
        self._rest = self._said = self._overheard = b""

    async def connect(self, port: int, lines: list[Connection]) -> None:
        loop, number, connection = asyncio.get_running_loop(), len(lines), socket.socket()
        connection.setblocking(False)
        if cast(Client, self._far).tricks:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)  # as little as there is
        await loop.sock_connect(connection, (HERE, port))
        await until(lambda: len(lines) > number and lines[number].address)
        self._line = lines[number]
        self._transport, _ = await loop.create_connection(lambda: self, sock=connection)
        self._far.connected()

    def data_received(self, data: bytes) -> None:
        whole, end, self._rest = (self._rest + data).rpartition(b"\n")
        self._far.received(whole + end)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._far.closed()

    def arrive(self, data: bytes) -> None:
        if self._open and not self._transport.is_closing():
            self._transport.write(data)

    def end(self, last_words: bytes) -> None:
        self.arrive(last_words)
        self._open = False
        with suppress(OSError):  # reset by the server meanwhile, which one that does not read has not noticed
            self._transport.write_eof()

    def break_off(self, _: Exception) -> None:
        linger = struct.pack("ii", 1, 0)
        self._transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self._transport.abort()

    def _leave(self) -> None:
        self._transport.close()

    def stop_reading(self) -> None:
        self._transport.pause_reading()
        self._overheard = self._line.last_sent

    def peek(self) -> bytes:
        """What the server has said since. It never says two things in the time between two looks."""
        if self._line.last_sent is not self._overheard:
            self._overheard = self._line.last_sent
            self._said += self._overheard
        return self._said

    @property
    def closing_at(self) -> float | None:
        return None if self._line.fault is None else self.loop.now


class Venue(Hosted):
    """Our own server, and what else a client knows of a simulation: the time."""

    def __init__(self, lobby: Lobby, result: "asyncio.Future[Result]") -> None:
        super().__init__(lobby, result)
        self.loop = self
        self._order = 0
        self._dawn = asyncio.get_running_loop().time()

    @property
    def now(self) -> float:
        return (asyncio.get_running_loop().time() - self._dawn) / PACE

    def happen(self, when: float, what: Callable[[], object], _: object = None) -> None:
        """Do this at that time; of two things at the same time, first the one that was asked for first."""
        self._order += 1
        asyncio.get_running_loop().call_at(self._dawn + when * PACE + self._order * 1e-9, what)

    async def enter(self, client: Client) -> None:
        """Let the client talk as soon as the server listens to it."""
        client.simulation, client.end = cast(Simulation, self), Socket(self, client)
        await client.end.connect(self.ports[None], self._lines)

    async def played(self, seats: list[Client]) -> Result:
        """The game of these clients, who sign up one after the other."""
        for client in seats:
            await self.enter(client)
            await until(lambda client=client: client.heard)  # type: ignore[misc]
        return await self.result


@asynccontextmanager
async def venue(
    deck: tuple[Card, ...] = DECK[:48], limits: Limits = PATIENT, reply_seconds: float = FOR_EVER
) -> AsyncIterator[Venue]:
    """A server for one game, of a few turns if not said otherwise."""
    result: asyncio.Future[Result] = asyncio.get_running_loop().create_future()

    async def deal(guests: list[RemoteParticipant]) -> None:
        try:
            result.set_result(await GameSession(guests, deck, gap=GAP).play())
        except Exception as error:
            result.set_exception(error)

    lobby = Lobby(Tables(PLAYERS, PLAYERS, games=1), TimeControl(reply_seconds), deal, limits)
    place = Venue(lobby, result)
    listener = socket.create_server((HERE, 0))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, 1)  # a line inherits this: it holds little back
    place.ports[None] = listener.getsockname()[1]
    server = await asyncio.get_running_loop().create_server(lambda: place.line(None), sock=listener)
    try:
        yield place
    finally:
        server.close()
        await lobby.close()


async def until(holds: Callable[[], object]) -> None:
    while not holds():
        await asyncio.sleep(0.001)


async def closed(clients: list[Client]) -> None:
    await until(lambda: all(client.closed_at is not None for client in clients))


def at_once(*games: Coroutine[None, None, None]) -> None:
    """Play these games; they leave no task and no open file, and nothing is complained of."""
    complaints: list[str] = []

    def left_over() -> tuple[int, int]:
        return len(asyncio.all_tasks()), len(os.listdir("/dev/fd"))

    async def watched() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(f"{context}"))
        before = left_over()
        await asyncio.gather(*games)
        for _ in range(6_000):
            if left_over() == before:
                break
            await asyncio.sleep(0.01)  # a client that does not read is let go after a second
        assert left_over() == before

    run(watched())
    assert complaints == []


async def cell(what: What, point: Point, undisturbed: Client) -> None:
    """A game with an odd one in the middle, or with one who should have got a seat and did not."""
    odd = misbehaving(Client("odd", THINK / 4), what, point, undisturbed)
    refused = takes_no_seat(what, point, PLAYERS, ODD)
    good = [Client(f"good {number}", THINK) for number in range(PLAYERS if refused else PLAYERS - 1)]
    seats = good if refused else [*good[: ODD - 1], odd, *good[ODD - 1 :]]
    table = venue()
    if what in SLOW:
        table = venue(limits=HURRIED, reply_seconds=LIMIT * PACE)
    elif what is What.NOT_READING:
        table = venue(DECK, PATIENT if point in ASKED else HURRIED)
    async with table as place:
        if refused:
            await place.enter(odd)
        result = await place.played(seats)
        await closed(good)
        if what is What.NOT_READING:
            odd.end.close()  # it does not hear that the server has closed
        await closed([odd])
    reason = (WHEN_ASKED if point in ASKED else UNASKED)[what]
    assert reasons(result) == ({} if refused else {ODD: reason})
    assert result.record.names == tuple(client.name for client in seats)
    check_record(result, healthy={seat for seat, client in enumerate(seats, 1) if client in good})
    assert CUT_SHORT.fullmatch(odd.kinds)
    for client in good:
        assert WHOLE.fullmatch(client.kinds)
        replies = [reply for seat, reply in result.record.replies if seats[seat - 1] is client]
        assert len(replies) == client.kinds.count("c") + client.kinds.count("f")


def test_every_key_cell_without_meaning_is_replaced_by_one_that_has_a_meaning() -> None:
    cells = {(what, point) for what in What for point in KEY_POINTS}
    assert len(cells) == 64
    assert cells & set(NO_MEANING) == set(INSTEAD)
    assert not {(what, point) for (what, _), point in INSTEAD.items()} & (cells | set(NO_MEANING))


@pytest.mark.parametrize("what", What)
def test_one_who_misbehaves_over_a_real_socket_is_expelled_and_the_others_play_on(what: What) -> None:
    undisturbed = calm(PLAYERS, ODD, DECK)
    at_once(*(cell(what, INSTEAD.get((what, point), point), undisturbed) for point in KEY_POINTS))


async def deserted(kinds: str, ways_out: list[str]) -> None:
    """A game that everybody leaves, each in its way, when the last seat has heard this."""

    def leave(*_: object) -> None:
        for client, way_out in zip(seats, ways_out, strict=True):
            getattr(client.end, way_out)()

    seats = [Client(f"seat {seat}", THINK) for seat in range(1, PLAYERS + 1)]
    seats[-1].tricks[len(kinds) - 1] = leave
    async with venue() as place:
        result = await place.played(seats)
        await closed(seats)
    assert seats[-1].kinds.startswith(kinds)
    assert reasons(result) == dict.fromkeys(range(1, PLAYERS + 1), Reason.DISCONNECTED)
    assert {"ended": "abandoned"} in result.record.notes
    check_record(result, healthy=set())


@pytest.mark.parametrize("last", HEARD)
def test_a_game_that_everybody_leaves_at_once_over_real_sockets_ends_and_is_kept(last: str) -> None:
    each = [["close"] * PLAYERS, ["reset"] * PLAYERS, ["finish"] * PLAYERS, ["close", "reset", "finish"]]
    at_once(*(deserted(HEARD[last], ways_out) for ways_out in each))
