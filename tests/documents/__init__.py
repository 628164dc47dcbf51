"""docs/wire.md with the conversations in it, and docs/native.schema.json: what is generated, and from what.

Laws: a conversation is a game on the server's own lobby, lines and host; only the transport between the two ends is of
this module, and it carries bytes. `python -m tests.documents` writes all generated parts anew.
"""

import asyncio
import json
import re
from functools import cache
from pathlib import Path
from typing import Final, Protocol

from tests.server.simulation import SimulatedLoop
from wateringhole.agents.silly import Silly, card_play
from wateringhole.cards import card, shuffled
from wateringhole.move_json import MoveJson
from wateringhole.moves import CardPlay
from wateringhole.server.clock import TimeControl
from wateringhole.server.connection import Connection, Limits
from wateringhole.server.game_session import GameSession
from wateringhole.server.lobby import Lobby, Tables
from wateringhole.server.participants import BotParticipant, RemoteParticipant
from wateringhole.species import Species
from wateringhole.wire.client_end import ClientEnd
from wateringhole.wire.dialects import CLIENT_ENDS
from wateringhole.wire.framing import Json, Reader, parse
from wateringhole.wire.native_messages import (
    VERSION,
    Answer,
    ChooseAsked,
    FeedAsked,
    Welcome,
    schema,
    server_message_in,
    value_of,
)
from wateringhole.wire.respondent import Respondent, Values, respond

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = DOCS / "wire.md"
SCHEMA: Final = DOCS / "native.schema.json"
COMMAND: Final = "python -m tests.documents"

SERVER: Final = "server> "
CLIENT: Final = "client> "
NOTE: Final = "-- "
TOKENS: Final = ("0123456789abcdefghijklmnopqrstuv", "vutsrqponmlkjihgfedcba9876543210")
"""Stand for the tokens, which are random: the first for the first, and so on."""

DECK: Final = shuffled("wire 6373")[:30]
"""Enough for two turns of three; of many decks, one on which the recorded seat is asked everything there is to ask."""


# The clients.


class Client(Protocol):
    """The far end: what it says first, and what it answers to each message."""

    def sign_up(self) -> Json: ...

    def hear(self, value: Json) -> list[Json]: ...


class Classic:
    """A silly player in one of the dialects that the program's own client speaks."""

    def __init__(self, dialect: str) -> None:
        self._visitor: ClientEnd = CLIENT_ENDS[dialect](Silly())

    def sign_up(self) -> Json:
        return self._visitor.sign_up("Ann")

    def hear(self, value: Json) -> list[Json]:
        return self._visitor.hear(value)


class Keeper(Respondent):
    """Buys a board with a trait and an animal, then body; later changes its first trait. Feeds from left to right."""

    def trade_cards_for_boards(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:  # noqa: ARG002
        return cards[:1]

    def place_cards_on_boards(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:  # noqa: ARG002
        return cards[:1]

    def select_board_for_card(self, card: Values, boards: Values, player: Values, opponents: Values) -> int:  # noqa: ARG002
        bearing = [at for at, board in enumerate(boards) if isinstance(board, list) and board[0]]
        return bearing[0] if bearing else len(boards) - 1

    def trade_cards_for_body_size(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:  # noqa: ARG002
        return cards[:1] if len(cards) > 2 else []

    def trade_cards_for_population(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:  # noqa: ARG002
        return cards[:1] if len(cards) > 1 else []

    def select_species_order(self, boards: Values, player: Values, opponents: Values) -> list[int]:  # noqa: ARG002
        return list(range(len(boards)))


class Requested:
    """An object with the eleven questions at the far end of a line."""

    def __init__(self) -> None:
        self._respondent = Keeper()
        self._greeted = False

    def sign_up(self) -> Json:
        return {"wateringhole": VERSION, "name": "Ann", "dialect": "requests"}

    def hear(self, value: Json) -> list[Json]:
        if not self._greeted:
            assert value == "ok"
            self._greeted = True
            return []
        answer = respond(self._respondent, value)
        return [] if answer is None else [answer]


class Native:
    """Plays its cards like a silly player and takes the first feeding that it is offered."""

    def __init__(self, version: int = VERSION) -> None:
        self.token = ""
        self.heard = 0
        self._version = version

    def sign_up(self) -> Json:
        return {"wateringhole": self._version, "name": "Ann"}

    def come_back(self) -> Json:
        return {"wateringhole": self._version, "token": self.token, "since": self.heard}

    def hear(self, value: Json) -> list[Json]:
        assert isinstance(value, dict)
        self.heard = n if isinstance(n := value.get("n"), int) else self.heard
        match server_message_in(value):
            case Welcome(_, token):
                self.token = token
            case ChooseAsked() as asked:
                return [value_of(Answer(asked.id, MoveJson(self.play(asked))))]
            case FeedAsked() as asked:
                return [value_of(Answer(asked.id, MoveJson(asked.options[0].value)))]
        return []

    def play(self, asked: ChooseAsked) -> CardPlay:
        boards = [Species(b.population, b.body, b.food, b.fat_food, b.traits) for b in asked.me.boards]
        return card_play(tuple(boards), tuple(card(food, trait) for food, trait in asked.me.hand))


class Careless(Native):
    """Names a card behind the last one of its hand."""

    def play(self, asked: ChooseAsked) -> CardPlay:
        return CardPlay(food=len(asked.me.hand))


# The line between the two ends.


class Recording:
    """One seat's talk with a server on which two silly players take the other seats.

    With `lost_after` the line is lost once, when a message of this type has come; the client then comes back.
    """

    def __init__(self, client: Client, bound: str | None = None, lost_after: str = "") -> None:
        self.lines: list[str] = []
        self.over = asyncio.Event()
        self._client = client
        self._bound = bound
        self._lost_after = lost_after
        self._lobby = Lobby(Tables(fewest=1, most=1), TimeControl(), _play, Limits(), rejoin=30.0)

    async def run(self) -> list[str]:
        self.connect(self._client.sign_up())
        await self.over.wait()
        await self._lobby.close(grace=1.0)
        return _blanked(self.lines)

    def connect(self, first: Json) -> None:
        line = self._lobby.new_connection(self._bound)
        wire = Wire(self, line)
        line.connection_made(wire)
        self._say(line, first)

    def arrived(self, wire: "Wire", text: bytes) -> None:
        """The client has a message, and answers it."""
        self.lines.append(SERVER + text.decode())
        value = parse(text)
        for answer in self._client.hear(value):
            self._say(wire.line, answer)
        if self._lost_after and isinstance(value, dict) and value["type"] == self._lost_after:
            self._lost_after = ""
            self.lines.append(f"{NOTE}the connection is lost; a new one is made")
            wire.lose()
            assert isinstance(self._client, Native)
            asyncio.get_running_loop().call_later(0.01, self.connect, self._client.come_back())

    def closed(self) -> None:
        self.lines.append(f"{NOTE}the server closes the connection")
        self.over.set()

    def _say(self, line: Connection, value: Json) -> None:
        text = json.dumps(value, separators=(",", ":"))
        self.lines.append(CLIENT + text)
        asyncio.get_running_loop().call_soon(line.data_received, f"{text}\n".encode())


class Wire(asyncio.Transport):
    """Carries what the server writes to the client at once."""

    def __init__(self, recording: Recording, line: Connection) -> None:
        super().__init__()
        self.line: Final = line
        self._recording = recording
        self._reader = Reader(1_048_576, 16)
        self._open = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._reader.feed(bytes(data), 0.0)
        while (text := self._reader.take(1.0)) is not None:
            self._recording.arrived(self, text)

    def lose(self) -> None:
        self._open = False
        asyncio.get_running_loop().call_soon(self.line.connection_lost, None)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._recording.closed()

    def abort(self) -> None:
        self._open = False

    def is_closing(self) -> bool:
        return not self._open

    def get_extra_info(self, name: str, default: object = None) -> object:  # noqa: ARG002
        return default

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0


async def _play(guests: list[RemoteParticipant]) -> None:
    await GameSession(
        [*guests, *(BotParticipant(name, Silly(), TimeControl(None)) for name in ("Bob", "Cleo"))], DECK
    ).play()


def _blanked(lines: list[str]) -> list[str]:
    """The same with tokens and times that are the same each time."""
    text = re.sub(r'"seconds":9\.9\d*', '"seconds":9.9', "\n".join(lines))
    for found, token in zip(dict.fromkeys(re.findall(r'"token":"([^"]+)"', text)), TOKENS, strict=False):
        text = text.replace(found, token)
    return text.split("\n")


# What is generated.


@cache
def conversation(name: str) -> tuple[str, ...]:
    """The conversation of this name, one line for each message."""
    loop = SimulatedLoop()  # the time that is left, which some messages tell, is the same however busy the machine is
    try:
        return tuple(loop.run_until_complete(_recorded(name)))
    finally:
        loop.close()


def said(name: str, who: str) -> list[Json]:
    """The messages of one side of a conversation."""
    return [parse(line.removeprefix(who).encode()) for line in conversation(name) if line.startswith(who)]


async def _recorded(name: str) -> list[str]:
    match name:
        case "tagged":
            return await Recording(Classic("tagged"), bound="tagged").run()
        case "requests":
            return await Recording(Requested()).run()
        case "native":
            return await Recording(Native()).run()
        case "native, coming back":
            lines = await Recording(Native(), lost_after="turn").run()
            last = [at for at, line in enumerate(lines) if line.startswith(CLIENT)][2]
            return [*lines[: last + 1], f"{NOTE}and so on"]
        case "native, refused":
            return await Recording(Native(VERSION + 1)).run()
        case "native, expelled":
            lines = await Recording(Careless()).run()
            asked = next(at for at, line in enumerate(lines) if line.startswith(f'{SERVER}{{"type":"choose"'))
            return [f"{NOTE}after the sign-up and the start of the turn", *lines[asked:]]
    return await Recording(Classic(name)).run()


CONVERSATIONS: Final = (
    *("s16", "hello", "tagged", "requests", "native"),
    *("native, coming back", "native, refused", "native, expelled"),
)
GENERATED: Final = re.compile(r"(<!-- conversation: ([a-z0-9, ]+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def page(written: str) -> str:
    """The page with every conversation in it recorded anew."""

    def renewed(part: re.Match[str]) -> str:
        lines = "\n".join(conversation(part[2]))
        return f"{part[1]}```text\n{lines}\n```\n{part[3]}"

    return GENERATED.sub(renewed, written)


def schema_text() -> str:
    return json.dumps(schema(), indent=2, sort_keys=True) + "\n"
