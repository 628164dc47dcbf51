"""Clients for the simulated network: good ones, and whatever tricks a test wants them to play.

A client numbers the messages that it hears: 0 welcomes it. A trick takes the place of what it would do about one.
"""

import json
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

from wateringhole.agents import Agent
from wateringhole.agents.silly import Silly
from wateringhole.wire.dialects import CLIENT_ENDS
from wateringhole.wire.framing import Json

from .simulation import DAWN, HERE, PORT, End, Simulation

Occasion: TypeAlias = int | Literal["connect", "close"]
Trick: TypeAlias = "Callable[[Client, bytes], None]"

THINK: Final = 1 / 8
"""How long a client thinks, if not said otherwise, in seconds."""

LENGTHS: Final = {4: "s", 2: "c", 5: "f"}
TAGS: Final = {"start": "s", "choose": "c", "feed": "f", "start-round": "s", "choce-actions": "c", "pick-feeding": "f"}


class Client:
    """Plays by an agent in one of the dialects; a trick gets the bytes that a good client would send."""

    def __init__(
        self,
        name: str = "client",
        think: float = THINK,
        tricks: Mapping[Occasion, Trick] | None = None,
        dialect: str = "s16",
        agent: Agent | None = None,
    ) -> None:
        self.name = name
        self.think = think
        self.tricks: dict[Occasion, Trick] = dict(tricks or {})
        self.heard: list[tuple[float, str]] = []
        self.answers: list[bytes] = []
        self.closed_at: float | None = None
        self.refused = False
        self.habit: Trick | None = None
        self.end: End
        self.simulation: Simulation
        self._dialect = dialect
        self._visitor = CLIENT_ENDS[dialect](agent or Silly())
        self._text = ""
        self._peeked = 0

    def enter(self, simulation: Simulation, at: float = 0.0, port: int = PORT, address: str = HERE) -> "Client":
        """Connect from this address so many seconds after the simulation began."""
        self.simulation = simulation

        def connect() -> None:
            try:
                self.end = simulation.loop.connect(self, port, address=address)
            except ConnectionRefusedError:
                self.refused = True

        simulation.at(at, connect)
        return self

    # What the network calls.

    def connected(self) -> None:
        self._do("connect", json.dumps(self._visitor.sign_up(self.name)).encode(), 0.0)

    def received(self, data: bytes) -> None:
        self._text += data.decode()
        while self._text:
            value, end = json.JSONDecoder().raw_decode(self._text)
            self._text = self._text[end:].lstrip()
            self._hear(value)

    def closed(self) -> None:
        self.closed_at = self.simulation.now
        self._do("close", b"", 0.0)

    # What tricks call.

    def say(self, data: bytes, after: float = 0.0) -> None:
        """Send this so many seconds from now."""
        self.end.send(data, after)

    def answer_blindly(self) -> None:
        """Read nothing from now on, and yet answer as if all had been read."""
        self.end.stop_reading()
        self._watch()

    def _watch(self) -> None:
        fresh = self.end.peek()[self._peeked :]
        self._peeked += len(fresh)
        self.received(fresh)
        if self.end.wire.closing_at is None:
            self.simulation.loop.happen(self.simulation.loop.now + 1 / 1024, self._watch)

    # What there is to know.

    @property
    def kinds(self) -> str:
        """What was heard: o for the welcome, s for start, c for choose, f for feed, e for the end; one letter each."""
        return "".join(kind for _, kind in self.heard)

    @property
    def shown_out_at(self) -> float | None:
        """When the server closed the connection, by its own account."""
        at = self.end.wire.closing_at
        return None if at is None else at - DAWN

    def _hear(self, value: Json) -> None:
        number = len(self.heard)
        self.heard.append((self.simulation.now, _kind(self._dialect, value)))
        answers = self._visitor.hear(value)
        self._do(number, json.dumps(answers[0]).encode() + b"\n" if answers else b"", self.think)

    def _do(self, occasion: Occasion, data: bytes, after: float) -> None:
        if data:
            self.answers.append(data)
        if occasion in self.tricks:
            self.tricks[occasion](self, data)
        elif self.habit is not None:
            self.habit(self, data)
        elif data:
            self.say(data, after)


def _kind(dialect: str, value: Json) -> str:
    if isinstance(value, str):
        return "o"
    assert isinstance(value, list)
    if dialect == "s16":
        return LENGTHS[len(value)]
    return TAGS[value[0]] if isinstance(value[0], str) else "e"


def keep_silent(client: Client, data: bytes) -> None:
    """The trick to do nothing."""
