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
    """While it is open, agents can be had of it; at its end, nothing of them is left."""

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
            with suppress(KeyboardInterrupt):  # it takes a moment, and whoever cannot wait would leave programs behind
                wait([closing])
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        closing.result()

    def agent(self, found: Spec, seat: int, seed: str) -> Agent:
        """The agent of this name; ValueError when it cannot be had because of how it is named."""
        if found.at_hand(self._terms.in_process):
            return traced(found, seed)
        return BridgedAgent(self, self.run(seated(self._stack, found, seat, seed, self._terms)))

    def run(self, work: Coroutine[object, object, T]) -> T:
        """What this comes to, over there; who is interrupted here does not want it any more."""
        under_way = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return under_way.result()
        except KeyboardInterrupt:
            under_way.cancel()
            raise


class BridgedAgent:
    """Speaks for a sitter over there."""

    def __init__(self, aside: SyncBridge, participant: Participant) -> None:
        self._aside = aside
        self._participant = participant
        self._seat = 0

    def start(self, request: Start) -> None:
        async def tell() -> None:
            self._participant.start(request)

        self._aside.run(tell())

    def choose(self, request: Choose) -> CardPlay | Fault:
        return cast(CardPlay | Fault, self._reply(request))  # of whatever kind it is: the dealer judges that

    def feed(self, request: Feed) -> Feeding | Fault:
        return cast(Feeding | Fault, self._reply(request))

    def over(self, result: Result) -> None:
        async def tell() -> None:
            self._participant.over(self._seat, result)

        self._aside.run(tell())

    @property
    def errors(self) -> str:
        """The end of what it wrote to its standard error."""

        async def evidence() -> str:
            return str(self._participant.evidence().get("stderr", ""))

        return self._aside.run(evidence())

    def _reply(self, request: Request) -> Reply:
        self._seat = request.me.seat
        return self._aside.run(self._participant.reply(request))
