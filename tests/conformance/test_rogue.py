"""The gallery of rogues: our own server passes it, again and again, and servers that are broken on purpose do not."""

import asyncio
import contextlib
import json
import os
import socket
from collections.abc import AsyncIterator, Callable

import pytest

from tests.cases import case
from tests.server.strangers import HERE, deaf, deaf_port, refused_once
from tests.server.unhurried import run as finished
from wateringhole.cards import shuffled
from wateringhole.conformance.rogue import PLAIN, RogueEnd, RogueOutcome, RogueTerms, RogueVerdict, run
from wateringhole.conformance.rogue_clients import CASES, Moment, RogueCase
from wateringhole.conformance.scripted_client import Hangup, ScriptedClient, Target
from wateringhole.dealer import MIN_PLAYERS, answer, new_game, pending
from wateringhole.events import Expelled
from wateringhole.fair import Deal
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import Move
from wateringhole.record import Result
from wateringhole.server.clock import TimeControl
from wateringhole.server.connection import Limits
from wateringhole.server.games import Service
from wateringhole.server.lobby import Tables
from wateringhole.server.service import serve
from wateringhole.view import request, start
from wateringhole.wire.dialect import misspoken, talk
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError
from wateringhole.wire.s16 import S16

HANG = 60.0
QUICK = RogueTerms(timeout=HANG, jobs=8, patience=0.1, reconnect=0.0, steady=0.0)
DECK_SEED = "acacia"  # everybody is asked for a feeding in the first turn
BY_NAME = {case.name: case for case in CASES}

# Odd, but within the protocol: a server that likes to be strict may show these out, ours does not.
BEARABLE = {
    "name-empty",
    "name-control",
    "name-newline",
    "name-rtl",
    "name-emoji",
    "name-surrogate",
    "name-markup",
    "name-borrowed",
    "play-in-single-bytes",
    "blanks",
}
# Those who do not listen cannot tell when they are shown out, and a crowd is shown out when the game may be over.
UNKNOWN = {"not-reading", "silent-sign-up", "drip-fed-sign-up", "silent-crowd", "torn-crowd"}


@contextlib.asynccontextmanager
async def our_server(players: int = 3, results: list[Result] | None = None) -> AsyncIterator[Target]:
    """Our own server on a free port, in a hurry."""
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    service = Service(
        deal=lambda _: Deal(shuffled(DECK_SEED)),
        finished=lambda _, result: None if results is None else results.append(result),
        listening=lambda _, number, __: port.set_result(number),
        ports=((0, None),),
        tables=Tables(players, players),
        control=TimeControl(1.0),
        grace=0.0,
        limits=Limits(sign_up_seconds=0.3),
    )
    task = asyncio.create_task(serve(service))
    try:
        yield Target(HERE, await port)
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def in_use() -> tuple[int, int]:
    """The tasks and the file descriptors of this process."""
    return len(asyncio.all_tasks()), len(os.listdir("/dev/fd"))


async def settled(base: tuple[int, int]) -> tuple[int, int]:
    """What is in use as soon as it is just this, or after a long while."""
    for _ in range(int(HANG / 0.1)):
        if in_use() == base:
            break
        await asyncio.sleep(0.1)
    return in_use()


def bad(verdicts: list[RogueVerdict]) -> list[RogueVerdict]:
    return [verdict for verdict in verdicts if not verdict.passed or verdict.idle]


# Our own server.


def test_our_server_passes_the_gallery_twice_and_nothing_is_left_open() -> None:
    async def rounds() -> list[RogueVerdict]:
        async with our_server() as target:
            base = in_use()
            for _ in range(2):
                verdicts = await run(target, CASES, QUICK)
                assert bad(verdicts) == []
                assert await settled(base) == base
        return verdicts

    verdicts = finished(rounds())
    assert [verdict.case for verdict in verdicts if verdict.rogue is not None] == [case.name for case in CASES]
    fates = {verdict.case: verdict.rogue for verdict in verdicts}
    stayed = {name for name, fate in fates.items() if fate is RogueEnd.STAYED}
    assert stayed - UNKNOWN == BEARABLE, "the others left or were shown out"


def test_a_rogue_is_expelled_and_nobody_else_is() -> None:
    results: list[Result] = []
    cases = [case for case in CASES if case.moment in {Moment.CHOOSE, Moment.FEED} and case.name not in BEARABLE]

    async def play() -> list[RogueVerdict]:
        async with our_server(5, results) as target:
            return await run(target, cases, RogueTerms(5, HANG, 8, 0.1))

    assert bad(finished(play())) == []
    expelled = {row.name for result in results for row in result.ranking if row.fault is not None}
    assert expelled == {f"rogue {case.name}" for case in cases}


DOES = {
    "silent-at-choose": Reason.TIMEOUT,
    "drip-fed-feeding": Reason.TIMEOUT,
    "too-big": Reason.TOO_BIG,
    "nested-9": Reason.BAD_JSON,
    "bad-utf8": Reason.BAD_UTF8,
    "nan": Reason.BAD_JSON,
    "true-for-card": Reason.SHAPE,
    "minus-1-for-board": Reason.SHAPE,
    "plays-twice": Reason.UNSOLICITED,
    "missing-card": Reason.ILLEGAL,
    "sated-grazer": Reason.ILLEGAL,
    "resets-at-feed": Reason.DISCONNECTED,
    "leaves-at-start": Reason.DISCONNECTED,
    "not-reading": Reason.TIMEOUT,
}


def test_a_rogue_does_what_it_says() -> None:
    async def play(name: str) -> list[Reason]:
        results: list[Result] = []
        with case(name):
            async with our_server(results=results) as target:
                assert bad(await run(target, [BY_NAME[name]], QUICK)) == []
        return [row.fault.reason for result in results for row in result.ranking if row.fault is not None]

    async def all_at_once() -> list[list[Reason]]:  # most of the time is spent waiting for those who are silent
        return await asyncio.gather(*map(play, DOES))

    assert dict(zip(DOES, finished(all_at_once()), strict=True)) == {name: [reason] for name, reason in DOES.items()}


# The gallery itself.


def test_the_gallery_is_large_and_every_rogue_has_its_own_name_and_a_sentence() -> None:
    assert len(CASES) >= 25
    assert len(BY_NAME) == len(CASES)
    for rogue in CASES:
        assert rogue.name == rogue.name.lower().replace(" ", "-")
        assert rogue.does[0].islower()
        assert rogue.threat.endswith(".")
        assert {rogue.does[-1], rogue.name[-1]}.isdisjoint({".", "-"})


@pytest.mark.parametrize("moment", Moment)
def test_there_are_rogues_for_every_moment(moment: Moment) -> None:
    assert [case for case in CASES if case.moment is moment]


def test_a_rogue_that_finds_no_occasion_gets_more_games_and_is_not_counted_as_a_success() -> None:
    case = RogueCase(
        "shy", "waits for a question that never comes", "None.", Moment.FEED, _nothing, fits=lambda _: False
    )
    results: list[Result] = []

    async def play() -> list[RogueVerdict]:
        async with our_server(results=results) as target:
            return await run(target, [case], QUICK)

    first, shy, last = finished(play())
    assert (first.case, last.case) == (PLAIN, PLAIN)
    assert shy.idle
    assert shy.rogue is RogueEnd.NO_OCCASION
    assert len(results) == 2 + QUICK.games


def test_plain_games_come_in_between() -> None:
    async def play() -> list[RogueVerdict]:
        async with our_server() as target:
            return await run(target, CASES[7:12], RogueTerms(timeout=HANG, every=2))

    names = [case.name for case in CASES[7:12]]
    verdicts = [verdict.case for verdict in finished(play())]
    assert verdicts == [PLAIN, *names[:2], PLAIN, *names[2:4], PLAIN, names[4], PLAIN]


def test_every_verdict_is_told_as_soon_as_it_is_known() -> None:
    told: list[RogueVerdict] = []

    async def play() -> list[RogueVerdict]:
        async with our_server() as target:
            return await run(target, CASES[7:9], RogueTerms(timeout=HANG), told.append)

    assert finished(play()) == told


def test_good_clients_speak_as_the_server_wants_it() -> None:
    async def play() -> list[RogueVerdict]:
        async with our_server() as target:
            terms = Target(target.host, target.port, separator="", tagged_growth=True)
            return await run(terms, [BY_NAME["feeds-twice"]], QUICK)

    assert bad(finished(play())) == []


async def _nothing(_: ScriptedClient) -> None:
    pass


# Servers that are broken on purpose.


class Toy:
    """A server as one writes it on the first evening: right with good clients, and with few others.

    It has no time limits and asks one after the other. `spoilt` is called when a value cannot be read.
    """

    def __init__(self, spoilt: "Callable[[Toy], None]" = lambda _: None, queue: bool = False, blame: int = 0) -> None:
        self.server: asyncio.Server
        self._spoilt = spoilt
        self._one_at_a_time = asyncio.Lock() if queue else None
        self._blame = blame
        self._waiting: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self._all: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._all.append(writer)
        with contextlib.suppress(asyncio.CancelledError, ValueError, ConnectionError):
            async with self._one_at_a_time or contextlib.nullcontext():
                await self._value(reader)
                writer.write(b'"ok"\n')
            self._waiting.append((reader, writer))
            if len(self._waiting) == MIN_PLAYERS:
                seats, self._waiting = self._waiting, []
                task = asyncio.create_task(self._play(seats))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        self.server.close()
        for task in self._tasks:
            task.cancel()
        for writer in self._all:
            writer.transport.abort()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    def crash(self) -> None:
        """As if the whole process had ended."""
        self.server.close()
        for writer in self._all:
            writer.transport.abort()

    async def _play(self, seats: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]) -> None:
        try:
            await self._game(seats)
        except ValueError:
            self._spoilt(self)
        finally:
            for _, writer in seats:
                writer.close()

    async def _game(self, seats: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]) -> None:
        game = new_game(["a", "b", "c"], shuffled(DECK_SEED), listen=True)
        turn = 0
        while asked := pending(game):
            if game.turn > turn:
                turn = game.turn
                for seat in asked:
                    self._say(seats[seat - 1][1], S16().start(start(game, seat)))
            reply = await self._reply(game, asked[0], *seats[asked[0] - 1])
            seat = asked[0]
            if isinstance(reply, Fault) and self._blame in game.players:
                seat = self._blame
            for event in answer(game, seat, reply):
                if isinstance(event, Expelled):
                    seats[event.seat - 1][1].close()

    async def _reply(
        self, game: Game, seat: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> Move | Fault:
        asked = request(game, seat)
        conversation = talk(S16(), asked)
        self._say(writer, [next(conversation).value])
        try:
            conversation.send(await self._value(reader))
        except StopIteration as end:
            move: Move = end.value
            return move
        except ShapeError as error:
            return misspoken(error, "feed" if game.phase == "feed" else "choose")
        raise AssertionError(asked)

    @staticmethod
    def _say(writer: asyncio.StreamWriter, messages: list[Json]) -> None:
        for message in messages:
            writer.write(json.dumps(message).encode() + b"\n")

    @staticmethod
    async def _value(reader: asyncio.StreamReader) -> Json:
        """A line; this is not how the protocol frames its values, but how good clients send them."""
        line = await reader.readline()
        if not line:
            raise ValueError("closed")
        value: Json = json.loads(line)
        return value


def against(toy: Toy, *names: str, timeout: float = 1.0, reconnect: float = 0.0) -> list[RogueVerdict]:
    """The verdicts on these cases, one after the other, without those on plain games."""

    async def play() -> list[RogueVerdict]:
        toy.server = await asyncio.start_server(toy.take, HERE, 0)
        try:
            target = Target(HERE, toy.server.sockets[0].getsockname()[1])
            terms = RogueTerms(timeout=timeout, patience=0.1, reconnect=reconnect)
            verdicts = await run(target, [BY_NAME[name] for name in names], terms)
            assert verdicts[0].passed, verdicts[0]
            return verdicts
        finally:
            await toy.close()

    return finished(play())


def one(toy: Toy, name: str, timeout: float = 1.0) -> RogueVerdict:
    _, verdict, _ = against(toy, name, timeout=timeout)
    assert verdict.case == name
    return verdict


@pytest.mark.parametrize("name", ["name-emoji", "missing-card", "true-for-board", "leaves-before-sign-up"])
def test_a_toy_server_passes_what_it_has_thought_of(name: str) -> None:
    assert bad(against(Toy(), name, timeout=HANG)) == []


@pytest.mark.parametrize("name", ["bad-json", "utf16", "nul", "leaves-at-choose", "resets-in-play", "5000-digits"])
def test_a_server_whose_game_dies_of_an_answer_has_dropped_its_good_clients(name: str) -> None:
    verdict = one(Toy(), name, timeout=HANG)
    assert verdict.outcome is RogueOutcome.DROPPED
    assert "good 1 was closed in turn 1" in verdict.detail


@pytest.mark.parametrize("name", ["silent-at-choose", "silent-at-feed", "drip-fed-play", "not-reading"])
def test_a_server_without_time_limits_hangs_with_a_silent_client(name: str) -> None:
    verdict = one(Toy(), name)
    assert verdict.outcome is RogueOutcome.HUNG
    assert "turn 1 does not end within 1 s" in verdict.detail


def test_a_server_that_waits_for_one_sign_up_after_the_other_hangs_with_a_silent_stranger() -> None:
    verdict = one(Toy(queue=True), "silent-sign-up")
    assert verdict.outcome is RogueOutcome.HUNG
    assert "no game begins within 1 s" in verdict.detail
    assert one(Toy(), "silent-sign-up", timeout=HANG).passed


def test_a_server_that_crashes_is_gone() -> None:
    verdicts = against(Toy(spoilt=Toy.crash), "bad-json", "missing-card", timeout=HANG)
    assert [verdict.outcome for verdict in verdicts] == [RogueOutcome.FINISHED, *[RogueOutcome.GONE] * 3]
    assert "no connection" in verdicts[-1].detail


def test_a_server_that_shows_the_wrong_one_out_has_dropped_a_good_client() -> None:
    verdict = one(Toy(blame=3), "true-for-card", timeout=HANG)
    assert verdict.outcome is RogueOutcome.DROPPED
    assert "good 2 was closed in turn 1" in verdict.detail


def test_if_not_even_a_plain_game_ends_well_no_rogue_is_let_loose() -> None:
    async def slam(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async def play() -> list[RogueVerdict]:
        async with await asyncio.start_server(slam, HERE, 0) as server:
            return await run(Target(HERE, server.sockets[0].getsockname()[1]), CASES, QUICK)

    [verdict] = finished(play())
    assert (verdict.case, verdict.outcome) == (PLAIN, RogueOutcome.DROPPED)
    assert "good 1 was refused at sign-up" in verdict.detail


@pytest.mark.parametrize(
    ("says", "complaint"),
    [
        (b'"no"\n', "good 1 cannot make sense of the answer to its sign-up"),
        (b"\x00", "good 1 cannot make sense of the answer to its sign-up"),
        (b'"ok"\n[1,2,3]\n', "good 1 cannot make sense of a message"),
    ],
)
def test_a_server_that_speaks_another_language_is_told_from_one_that_hangs(says: bytes, complaint: str) -> None:
    async def babble(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(says)
        await writer.drain()
        writer.close()

    async def play() -> list[RogueVerdict]:
        async with await asyncio.start_server(babble, HERE, 0) as server:
            return await run(Target(HERE, server.sockets[0].getsockname()[1]), CASES, QUICK)

    [verdict] = finished(play())
    assert verdict.outcome is RogueOutcome.DROPPED
    assert complaint in verdict.detail


def test_nobody_there_is_a_server_gone() -> None:
    with deaf_port() as port:
        [verdict] = finished(run(Target(HERE, port), CASES, QUICK))
    assert verdict.outcome is RogueOutcome.GONE
    assert "no connection" in verdict.detail


def test_a_server_that_comes_up_in_a_while_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(taken: socket.socket) -> list[RogueVerdict]:
        toy, refused = Toy(), refused_once(monkeypatch)

        async def come_up() -> None:
            await refused.wait()
            toy.server = await asyncio.start_server(toy.take, sock=taken)

        coming = asyncio.create_task(come_up())
        try:
            return await run(Target(HERE, taken.getsockname()[1]), [], RogueTerms(timeout=HANG, reconnect=HANG))
        finally:
            await coming
            await toy.close()

    with deaf() as taken:
        assert bad(finished(play(taken))) == []


class Restarting(Toy):
    """A server that ends with its game and is started again: it hangs up on who comes in between, once or for ever."""

    def __init__(self, again: bool = True) -> None:
        super().__init__()
        self._again = again
        self._ended = False

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._ended:
            self._ended = not self._again
            writer.close()
        else:
            await super().take(reader, writer)

    async def _play(self, seats: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]) -> None:
        await super()._play(seats)
        self._ended = True


def test_a_server_that_restarts_after_each_game_is_not_blamed_for_whom_it_dropped_in_between() -> None:
    names = ["number-for-name", "name-emoji", "missing-card"]
    verdicts = against(Restarting(), *names, timeout=HANG, reconnect=HANG)
    assert bad(verdicts) == []
    # A toy takes any value for a name: a rogue that stays has met the new server, not the old one.
    assert [verdict.rogue for verdict in verdicts] == [
        None,
        RogueEnd.STAYED,
        RogueEnd.STAYED,
        RogueEnd.DISCONNECTED,
        None,
    ]


def test_a_good_client_that_is_refused_at_sign_up_ends_the_case_at_once() -> None:
    verdicts = against(Restarting(again=False), "name-emoji", timeout=HANG)
    assert [verdict.outcome for verdict in verdicts] == [
        RogueOutcome.FINISHED,
        RogueOutcome.DROPPED,
        RogueOutcome.DROPPED,
    ]
    assert [verdict.detail for verdict in verdicts[1:]] == ["good 1 was refused at sign-up"] * 2


def test_a_line_that_ended_is_a_hangup_whatever_is_tried_with_it() -> None:
    async def play() -> None:
        async with our_server() as target:
            caller = await ScriptedClient.dial(target)
            try:
                with pytest.raises(Hangup):
                    await caller.listen()  # until the server's patience ends
                with pytest.raises(Hangup):
                    await caller.pause(HANG)
                caller.stop_reading()
                with contextlib.suppress(Hangup):
                    caller.half_close()
                caller.reset()
                with pytest.raises(Hangup):
                    await caller.say(b"x")
            finally:
                await caller.close()
                await caller.close()

    finished(play())
