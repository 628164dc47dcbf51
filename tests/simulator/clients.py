"""Whoever plays at the simulated server: they think, lose their lines, and come back, late, or never.

Laws: what a client answers depends on nothing but its name and what it is asked, so that two runs of one game can be
compared.
"""

import json
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from tests.server.simulation import LATENCY, PORT, End, Wire
from wateringhole.agents import Agent
from wateringhole.agents.greedy import Greedy
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.moves import CardPlay, Feeding
from wateringhole.view import Choose, Feed, Request
from wateringhole.wire.client_end import ClientEnd
from wateringhole.wire.dialects import CLIENT_ENDS
from wateringhole.wire.framing import Json
from wateringhole.wire.native import NativeClient
from wateringhole.wire.native_messages import question_of, value_of

if TYPE_CHECKING:
    from .world import World

AGAIN: Final = 0.5
"""Seconds until a server that is not there is tried again."""
PATIENCE: Final = 120.0
NAMELESS: Final = "player"
"""What somebody is known by whose dialect has no names."""


class Moody:
    """Random legal moves, but the same whenever it is asked the same."""

    def __init__(self, name: str) -> None:
        self._name = name

    def choose(self, request: Choose) -> CardPlay:
        return self._mood(request).choose(request)

    def feed(self, request: Feed) -> Feeding:
        return self._mood(request).feed(request)

    def _mood(self, request: Request) -> Rash:
        return Rash(f"{self._name} {msgspec.json.encode(value_of(question_of(request, 0)), order='sorted').decode()}")


def agent_of(name: str) -> Agent:
    """Who plays under this name."""
    kind = name.partition(" ")[0]
    if kind == "moody":
        return Moody(name)
    return Greedy() if kind == "greedy" else Silly()


def number(value: Json) -> int:
    """The number that this must be."""
    assert isinstance(value, int)
    return value


class Habits(Struct, frozen=True):
    """When a client comes; how long it thinks, at most; after how many seconds it is back when it has lost its line, if
    ever; when it loses it by itself; whether it wants to hear everything again.
    """

    comes: float = 0.0
    thinks: float = 0.2
    back: float | None = 0.2
    breaks: tuple[float, ...] = ()
    forgetful: bool = False
    latency: float = LATENCY


class Sitting:
    """One name that was signed up, and the connections that it was used on."""

    def __init__(self, name: str, dialect: str) -> None:
        self.name: Final = name
        self.known_by: Final = NAMELESS if dialect == "hello" else name
        self.dialect: Final = dialect
        self.wires: list[Wire] = []
        self.said: dict[int, Json] = {}
        """What the server has said, by number, as far as it still holds."""
        self._read: dict[Wire, int] = {}

    def news(self) -> list[Json]:
        """What the server has said since somebody looked."""
        fresh = []
        for wire in self.wires:
            fresh += [json.loads(data) for _, data in wire.sent[self._read.get(wire, 0) :]]
            self._read[wire] = len(wire.sent)
        return fresh


class Phone:
    """The far end of one line of a client, who listens only to the last one. `answered` is the last request that the
    server has an answer to, by its own account.
    """

    def __init__(self, client: "Client", first: Json) -> None:
        self.end: End
        self.answered = 0
        self._client = client
        self._first = first
        self._text = ""

    def connected(self) -> None:
        self.say(self._first)

    def received(self, data: bytes) -> None:
        self._text += data.decode()
        while self._text:
            value, end = json.JSONDecoder().raw_decode(self._text)
            self._text = self._text[end:].lstrip()
            self._client.hear(self, value)

    def closed(self) -> None:
        self._client.lose(self)

    def say(self, value: Json, after: float = 0.0) -> None:
        self.end.send(json.dumps(value).encode() + b"\n", after)


class Client:
    """Somebody at the far end of a line, who may have several, one after the other. `done`: it wants no more."""

    def __init__(self, world: "World", name: str, dialect: str, habits: Habits) -> None:
        self.name: Final = name
        self.habits = habits
        self.dialect: Final = dialect
        self.sittings: list[Sitting] = []
        self.heard: list[Json] = []
        self.done = False
        self.expelled = False
        self.instead: Callable[[Json], Json] = lambda reply: reply
        """What it says when it should say this."""
        self._world = world
        self._dice = Random(f"{world.seed} {name}")
        self._visitor: ClientEnd
        self._phone: Phone | None = None
        self._seated = False
        self._given_up = habits.comes + PATIENCE
        world.at(habits.comes, self.sign_up)
        world.at(self._given_up, self._give_up)
        for when in habits.breaks:
            world.at(when, self.hang_up)

    @property
    def steady(self) -> bool:
        """Whether it does nothing that could cost it the seat."""
        back = self.habits.back
        return (
            self.dialect == "native" and not self.habits.breaks and back is not None and back < self._world.rejoin / 2
        )

    @property
    def tokens(self) -> list[str]:
        """Every token that it was given, the last one last."""
        return [
            str(value["token"]) for value in self.heard if isinstance(value, dict) and value.get("type") == "welcome"
        ]

    def heard_of(self, kind: str) -> list[dict[str, Json]]:
        """The native messages of this type."""
        return [value for value in self.heard if isinstance(value, dict) and value.get("type") == kind]

    def sign_up(self) -> None:
        """As somebody new."""
        name = f"{self.name}.{len(self.sittings)}" if self.sittings else self.name
        self._visitor = CLIENT_ENDS[self.dialect](agent_of(name))
        self._seated = False
        self.sittings.append(Sitting(name, self.dialect))
        self._connect(self._visitor.sign_up(name))

    def show(self, token: str) -> None:
        """Ask for the seat that this token belongs to, whoever it was given to."""
        if not self.sittings:
            self._visitor = NativeClient(agent_of(self.name))
            self.sittings.append(Sitting(self.name, self.dialect))
        self._connect({"wateringhole": 1, "token": token})

    def come_back(self) -> None:
        """To the seat that was left; who has never heard of one signs up anew."""
        assert isinstance(self._visitor, NativeClient)
        first = self._visitor.come_back()
        if isinstance(first, dict):
            self._connect(first | {"since": 0} if self.habits.forgetful else first)
        else:
            self.sign_up()

    def hang_up(self) -> None:
        """The line breaks."""
        if self._phone is not None and not self.done:
            self._phone.end.reset()
            self.lose(self._phone)

    def _give_up(self) -> None:
        """Nobody waits for ever for others to come."""
        if not self._seated:
            self.hang_up()
            self.done = True

    def _connect(self, first: Json) -> None:
        phone = Phone(self, first)
        try:
            phone.end = self._world.loop.connect(phone, PORT, self.habits.latency)
        except ConnectionRefusedError:
            if self._world.now < self._given_up:
                self._world.after(AGAIN, lambda: self._connect(first))
            else:
                self.done = True
            return
        self._phone = phone
        self.sittings[-1].wires.append(phone.end.wire)

    # What happens on the line.

    def hear(self, phone: Phone, value: Json) -> None:
        if phone is not self._phone:
            return
        self.heard.append(value)
        self._world.tell(self.name, json.dumps(value))
        kind = value.get("type") if isinstance(value, dict) else None
        if kind == "refused":
            self._be_refused()
            return
        self._seated = self._seated or kind == "turn"
        if isinstance(value, dict) and kind == "welcome":
            phone.answered = number(value["answered"])
        for reply in self._visitor.hear(value):
            if not isinstance(reply, dict) or number(reply["id"]) > phone.answered:
                phone.say(self.instead(reply), self._dice.uniform(0.0, self.habits.thinks))
        self.expelled = self.expelled or kind == "expelled"
        self.done = self.done or self.expelled or self._visitor.scores is not None

    def _be_refused(self) -> None:
        """Whose game has gone has nothing to come back to; who had none yet may be lucky another time."""
        self._phone = None
        if self._seated or self._world.now > self._given_up:
            self.done = True
        else:
            self._world.after(4 * AGAIN, self.sign_up)

    def lose(self, phone: Phone) -> None:
        """The line is gone."""
        if phone is not self._phone or self.done:
            return
        self._phone = None
        if self.dialect == "native" and self.habits.back is not None:
            self._world.after(self.habits.back, self.come_back)
        else:
            self.done = True
