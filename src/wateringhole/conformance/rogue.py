"""Runs rogue clients against a server and reports whether the game still ends well for the good clients.

Laws: good clients do nothing wrong, so a failure of theirs is the server's. Every game ends, or is given up after a
time; all its connections are closed.
"""

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import count
from typing import Final

from msgspec import Struct

from wateringhole.conformance.rogue_clients import RogueCase, play_on, wait_for
from wateringhole.conformance.scripted_client import Hangup, ScriptedClient, Target
from wateringhole.wire.client_end import AgentError
from wateringhole.wire.framing import JsonError
from wateringhole.wire.json_codec import ShapeError

MIN_TURNS: Final = 2  # the deck is large enough for two turns of any game
PLAIN: Final = "plain game"
PAUSE_SECONDS: Final = 0.1  # between two tables, when the first is lost


class RogueTerms(Struct, frozen=True):
    """How the gallery is run.

    `players` sit at a table, the rogue among them, and a game may take `timeout` seconds. `jobs` cases run at once. A
    rogue without a seat is replaced by a good client after `patience` seconds. A server that is not there, or hangs up
    on clients whose game has not begun, may be restarting: it has `reconnect` seconds to seat them. A rogue that comes
    first waits for `steady` seconds whether its connection holds. A case whose moment never comes is tried in up to
    `games` games. After each `every` cases, and at the end, a plain game shows whether the server is still well.
    """

    players: int = 3
    timeout: float = 60.0
    jobs: int = 1
    patience: float = 0.3
    reconnect: float = 2.0
    steady: float = 0.1
    games: int = 3
    every: int = 10


class RogueOutcome(StrEnum):
    """What became of the good clients."""

    FINISHED = "finished"
    DROPPED = "dropped"
    HUNG = "hung"
    GONE = "server gone"


class RogueEnd(StrEnum):
    """What became of the rogue."""

    NO_OCCASION = "found no occasion"
    LEFT = "left"
    DISCONNECTED = "was disconnected"
    STAYED = "stayed to the end"


class RogueVerdict(Struct, frozen=True):
    """How a case ended. The detail says what went wrong, if something did; a plain game has no rogue."""

    case: str
    outcome: RogueOutcome
    detail: str
    rogue: RogueEnd | None
    seconds: float

    @property
    def passed(self) -> bool:
        return self.outcome is RogueOutcome.FINISHED

    @property
    def idle(self) -> bool:
        """Whether the rogue never acted, so that the verdict shows nothing."""
        return self.passed and self.rogue is RogueEnd.NO_OCCASION


async def run(
    target: Target, cases: Sequence[RogueCase], terms: RogueTerms, told: Callable[[RogueVerdict], None] = lambda _: None
) -> list[RogueVerdict]:
    """Every case's verdict, in order, with those on plain games in between; `told` gets each as soon as it is known.

    A plain game comes first: if not even that ends well, there is nothing to find out about rogues.
    """
    plan: list[RogueCase | None] = []
    for number, case in enumerate(cases, 1):
        plan += [case, None] if number % terms.every == 0 and number < len(cases) else [case]
    seating_lock = asyncio.Lock()
    verdicts: dict[int, RogueVerdict] = {}

    async def work(todo: Iterator[tuple[int, RogueCase | None]]) -> None:
        for at, case in todo:
            verdicts[at] = await judge(target, case, terms, seating_lock)
            told(verdicts[at])

    await work(iter([(0, None)]))
    if verdicts[0].passed:
        todo = iter(enumerate(plan, 1))
        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(terms.jobs):
                    workers.create_task(work(todo))
        except ExceptionGroup as failed:  # `told` may fail, in a worker as elsewhere
            raise failed.exceptions[0] from None
        await work(iter([(1 + len(plan), None)]))
    return [verdicts[at] for at in sorted(verdicts)]


async def judge(target: Target, case: RogueCase | None, terms: RogueTerms, seating_lock: asyncio.Lock) -> RogueVerdict:
    """The verdict on a case, or on a plain game. The lock is held until the table is full: tables must not mix."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    for _ in range(terms.games):
        outcome, detail, fate = await _game(target, case, terms, seating_lock)
        verdict = RogueVerdict(case.name if case else PLAIN, outcome, detail, fate, loop.time() - begun)
        if not verdict.idle:
            break
    return verdict


async def _game(
    target: Target, case: RogueCase | None, terms: RogueTerms, seating_lock: asyncio.Lock
) -> tuple[RogueOutcome, str, RogueEnd | None]:
    """How a game ended. A table that is lost before its game begins is filled anew, as long as a server may restart."""
    loop = asyncio.get_running_loop()
    until = 0.0
    while True:
        table = _Table(target, case, terms)
        try:
            outcome, detail = await _played(table, terms, seating_lock)
            break
        except _LostTableError as error:
            outcome, detail = error.outcome, str(error)
        until = until or loop.time() + terms.reconnect
        if loop.time() >= until:
            break
        await asyncio.sleep(PAUSE_SECONDS)
    if outcome in {RogueOutcome.DROPPED, RogueOutcome.HUNG} and not await _reachable(target):
        outcome = RogueOutcome.GONE
    return outcome, detail, table.fate


async def _played(table: "_Table", terms: RogueTerms, seating_lock: asyncio.Lock) -> tuple[RogueOutcome, str]:
    loop = asyncio.get_running_loop()
    try:
        async with seating_lock:
            deadline = loop.time() + terms.timeout
            async with asyncio.timeout_at(deadline):
                await table.fill()
        async with asyncio.timeout_at(deadline):
            await table.finish()
        return table.verdict()
    except TimeoutError:
        return RogueOutcome.HUNG, table.stuck()
    except OSError as error:
        # asyncio puts addresses into the text, and the failures of several into one without a number.
        why = os.strerror(error.errno) if error.errno else "no address of that host takes one"
        raise _LostTableError(RogueOutcome.GONE, f"no connection: {why}") from None
    except _UnreadableAnswerError as error:
        return RogueOutcome.DROPPED, str(error)
    finally:
        await table.close()


async def _reachable(target: Target) -> bool:
    try:
        caller = await ScriptedClient.dial(target)
    except OSError:
        return False
    await caller.close()
    return True


class _LostTableError(Exception):
    """The server hung up before the game began: it may be about to restart."""

    def __init__(self, outcome: RogueOutcome, text: str) -> None:
        super().__init__(text)
        self.outcome = outcome


class _UnreadableAnswerError(Exception):
    """The server's answer to a good client's sign-up is not in the dialect."""


class _Good:
    """A good client. The ticks tell in which order things happened at the table."""

    def __init__(self, name: str, caller: ScriptedClient, ticks: Iterator[int]) -> None:
        self.name: Final = name
        self.caller: Final = caller
        self.failure = ""
        self.heard = 0
        self.closed = 0
        self.started: Final = asyncio.Event()
        self._ticks = ticks

    async def sign_up(self) -> None:
        try:
            await self.caller.sign_up(self.name)
        except Hangup:
            raise _LostTableError(RogueOutcome.DROPPED, f"{self.name} was refused at sign-up") from None
        except (JsonError, ShapeError) as error:
            raise _UnreadableAnswerError(
                f"{self.name} cannot make sense of the answer to its sign-up: {error}"
            ) from None

    async def play(self, begun: asyncio.Event) -> None:
        """Play to the end of the connection."""
        caller = self.caller
        try:
            while not self.failure:
                await caller.listen()
                self.heard = next(self._ticks)
                if caller.turns:
                    self.started.set()
                    begun.set()
                await caller.answer()
        except Hangup:
            if caller.asked is not None:
                self.failure = f"was cut off in turn {caller.turns} while it answered"
        except (JsonError, ShapeError, AgentError) as error:
            self.failure = f"cannot make sense of a message: {error}"
        finally:
            self.closed = next(self._ticks)
            begun.set()


class _Table:
    """One game: the good clients and the rogue."""

    def __init__(self, target: Target, case: RogueCase | None, terms: RogueTerms) -> None:
        self._target = target
        self._case = case
        self._terms = terms
        self._begun = asyncio.Event()
        self._ticks = count(1)
        self._good: list[_Good] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._stand_in: _Good | None = None
        self._rogue: ScriptedClient | None = None
        self._rogue_task: asyncio.Task[None] | None = None
        self._rogue_closed: int | None = None
        self._happened = False

    async def fill(self) -> None:
        """Sign all clients up, one after the other, and wait until the game begins."""
        for number in range(self._terms.players):
            if self._case is not None and number == min(self._case.before, self._terms.players - 1):
                await self._invite(self._case)
            else:
                await self._sit()
        while not await _within(self._terms.patience, self._begun):
            if self._case is not None and self._stand_in is None and not self._rogue_sits:
                self._stand_in = await self._sit()
        for good in self._good:
            if good.closed and not good.failure and not good.caller.turns and good is not self._stand_in:
                raise _LostTableError(RogueOutcome.DROPPED, f"{good.name} was closed before its game began")
        if self._stand_in is not None and self._rogue is not None:
            # One of the two came too late, and must not sit down at the next table.
            needed = await _within(self._terms.patience, self._stand_in.started)
            if not needed:
                self._stand_in.caller.leave()
            elif self._rogue_sits:
                self._rogue.leave()

    async def finish(self) -> None:
        """Wait until the game is over for all good clients."""
        await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        tasks = self._tasks if self._rogue_task is None else [*self._tasks, self._rogue_task]
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        for caller in [good.caller for good in self._good] + ([self._rogue] if self._rogue is not None else []):
            await caller.close()
        for end in ends:
            if isinstance(end, Exception):
                raise end  # a defect of this module

    def verdict(self) -> tuple[RogueOutcome, str]:
        """Whether the game ended well: for all good clients, at the same time, and not too early."""
        for good in self._good:
            turns = good.caller.turns
            if good is self._stand_in and not turns:
                continue
            if good.failure:
                return RogueOutcome.DROPPED, f"{good.name} {good.failure}"
            if turns < MIN_TURNS:
                return (
                    RogueOutcome.DROPPED,
                    f"{good.name} was closed in turn {turns}, but a game has {MIN_TURNS} or more",
                )
            if any(good.closed < other.heard for other in self._good):
                return RogueOutcome.DROPPED, f"{good.name} was closed in turn {turns}, but the others played on"
        return RogueOutcome.FINISHED, ""

    def stuck(self) -> str:
        """Where the game stands that does not go on."""
        turns = max((good.caller.turns for good in self._good), default=0)
        where = f"turn {turns} does not end" if turns else "no game begins"
        return f"{where} within {self._terms.timeout:g} s"

    @property
    def fate(self) -> RogueEnd | None:
        if self._case is None:
            return None
        if not self._happened:
            return RogueEnd.NO_OCCASION
        if self._rogue is not None and self._rogue.left:
            return RogueEnd.LEFT
        if self._rogue is None or self._rogue_closed is None:
            return RogueEnd.STAYED
        longer = any(self._rogue.turns < good.caller.turns or self._rogue_closed < good.heard for good in self._good)
        return RogueEnd.DISCONNECTED if longer else RogueEnd.STAYED

    @property
    def _rogue_sits(self) -> bool:
        return self._rogue is not None and self._rogue.seated and not self._rogue.gone

    async def _sit(self) -> _Good:
        """Another good client signs up."""
        caller = await ScriptedClient.dial(self._target)
        good = _Good(f"good {len(self._good) + 1}", caller, self._ticks)
        self._good.append(good)
        await good.sign_up()
        self._tasks.append(asyncio.create_task(good.play(self._begun)))
        return good

    async def _invite(self, case: RogueCase) -> None:
        """Let the rogue in. The next one waits until it sits or has left, but not for long."""
        caller = self._rogue = await ScriptedClient.dial(self._target, case.plays)
        if not self._good:  # else a server that is about to restart would take in the misdeed
            try:
                await caller.pause(self._terms.steady)
            except Hangup:
                text = "the rogue was closed before it had done anything"
                raise _LostTableError(RogueOutcome.DROPPED, text) from None
        self._rogue_task = asyncio.create_task(self._misbehave(case, caller))
        await _within(self._terms.patience, caller.settled)

    async def _misbehave(self, case: RogueCase, caller: ScriptedClient) -> None:
        try:
            await wait_for(case, caller)
            self._happened = True
            await case.act(caller)
            await play_on(caller)
        except (Hangup, JsonError, ShapeError, AgentError):
            # What the server sends to a rogue does not matter: only the good clients count.
            self._rogue_closed = next(self._ticks)


async def _within(seconds: float, event: asyncio.Event) -> bool:
    """Whether this happens within so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
