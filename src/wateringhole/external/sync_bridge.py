"""A bridge from synchronous callers to agents on an event loop, which runs in a thread of its own."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import wait
from contextlib import AsyncExitStack, suppress
from types import TracebackType
from typing import Self, TypeVar, cast

from wateringhole.agents import Agent
from wateringhole.external.seating import SeatingTerms, seated
from wateringhole.external.spec import Spec
from wateringhole.external.tracebacks import traced
from wateringhole.fault import Fault
from wateringhole.moves import CardPlay, Feeding, Reply
from wateringhole.record import Result
from wateringhole.server.participants import Participant
from wateringhole.view import Choose, Feed, Request, Start

T = TypeVar("T")


class SyncBridge:
    """Makes agents while it is open; at its end, their processes and connections are closed."""

    def __init__(self, terms: SeatingTerms) -> None:
        self._terms = terms
        self._loop = asyncio.new_event_loop()
        self._stack = AsyncExitStack()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        closing = asyncio.run_coroutine_threadsafe(self._stack.aclose(), self._loop)
        while not closing.done():
            with suppress(KeyboardInterrupt):  # an interrupt of this short wait would leave programs running
                wait([closing])
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        closing.result()

    def agent(self, found: Spec, seat: int, seed: str) -> Agent:
        """The agent of this spec; ValueError when the spec cannot be used, as with a port that is taken."""
        if found.at_hand(self._terms.in_process):
            return traced(found, seed)
        return BridgedAgent(self, self.run(seated(self._stack, found, seat, seed, self._terms)))

    def run(self, work: Coroutine[object, object, T]) -> T:
        """Run a coroutine on the event loop of the bridge; an interrupt of the caller cancels it."""
        under_way = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return under_way.result()
        except KeyboardInterrupt:
            under_way.cancel()
            raise


class BridgedAgent:
    """An agent that asks a participant on the event loop of the bridge."""

    def __init__(self, bridge: SyncBridge, participant: Participant) -> None:
        self._bridge = bridge
        self._participant = participant
        self._seat = 0

    def start(self, request: Start) -> None:
        async def tell() -> None:
            self._participant.start(request)

        self._bridge.run(tell())

    def choose(self, request: Choose) -> CardPlay | Fault:
        return cast(CardPlay | Fault, self._reply(request))  # the dealer checks its kind

    def feed(self, request: Feed) -> Feeding | Fault:
        return cast(Feeding | Fault, self._reply(request))

    def over(self, result: Result) -> None:
        async def tell() -> None:
            self._participant.over(self._seat, result)

        self._bridge.run(tell())

    @property
    def errors(self) -> str:
        """The end of its standard error."""

        async def evidence() -> str:
            return str(self._participant.evidence().get("stderr", ""))

        return self._bridge.run(evidence())

    def _reply(self, request: Request) -> Reply:
        self._seat = request.me.seat
        return self._bridge.run(self._participant.reply(request))
