"""A real server with its page, in a process of its own, and what a tab is without a browser."""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import SystemRandom
from typing import Final

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.cli import surroundings
from wateringhole.wire.framing import Json

PATIENCE = 120.0

CARDS: Final = 76
"""In the deck of a server that has a seed: enough for three turns of four players."""

SAME_GAME: Final = """
import sys
from wateringhole.cli import main, serve
from wateringhole.fair import Deal
from wateringhole.web import room
dealt, agent_seed = serve.dealt, room.agent_seed
serve.dealt = lambda seed, number: dealt() if seed is None else Deal(dealt(seed, 1).deck[:{cards}])
room.agent_seed = lambda key, game, seat: agent_seed("dice", game, seat)
main(sys.argv[1:])
"""
"""A server that deals the same short deck at each table if it has a seed, and gives the bots on the same seat the same
dice: what a test sees does not depend on the tests that its worker has run before.
"""

PERSON: Json = {"kind": "person"}
CLIENT: Json = {"kind": "client"}


def bot(name: str = "silly") -> Json:
    return {"kind": "bot", "bot": name}


class Server:
    """Where it is, and how to ask it something."""

    def __init__(self, process: "subprocess.Popen[str]", port: int, programs: int) -> None:
        self.process = process
        self.port = port
        self.programs = programs
        self.base = f"http://localhost:{port}"
        self.killed = False
        self.said: list[str] = []

    def complaint(self) -> str:
        """The next thing that it complains of."""
        assert self.process.stderr is not None
        while not (said := complaints(self.process.stderr.readline())):
            assert self.process.poll() is None
        self.said += said
        return said[0]

    def kill(self) -> None:
        """Without a word to anybody, as a power cut would; what it has said by then must have been nothing."""
        self.killed = True
        self.process.kill()
        assert self.process.stderr is not None
        assert complaints(self.process.stderr.read()) == []

    def get(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes, dict[str, str]]:
        """Status, body and headers of the answer."""
        return self._asked(path, None, headers or {})

    def post(self, path: str, value: Json, headers: dict[str, str] | None = None) -> tuple[int, dict[str, Json]]:
        """Status and JSON of the answer; the headers are those of our own page unless others are given."""
        own = {"Origin": self.base, "X-Wateringhole": "1", "Content-Type": "application/json"}
        status, body, _ = self._asked(path, json.dumps(value).encode(), own if headers is None else headers)
        return status, json.loads(body)

    def _asked(self, path: str, data: bytes | None, headers: dict[str, str]) -> tuple[int, bytes, dict[str, str]]:
        request = urllib.request.Request(self.base + path, data, headers)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                return answer.status, answer.read(), {name.lower(): value for name, value in answer.headers.items()}
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read(), {name.lower(): value for name, value in error.headers.items()}

    def table(self, places: Sequence[Json], **more: Json) -> tuple[str, str]:
        """The id and the host's key of a new table, where bots lose no time."""
        wanted: dict[str, Json] = {"places": list(places), "pace": 0, **more}
        status, made = self.post("/api/tables", wanted)
        assert status == 201, made
        return str(made["table"]), str(made["key"])

    def lobby(self) -> dict[str, Json]:
        return self.asked("/api/lobby")

    def asked(self, path: str) -> dict[str, Json]:
        """What the answer says, whatever its status is."""
        value: dict[str, Json] = json.loads(self.get(path)[1])
        return value

    @contextmanager
    def tab(self, table: str, **first: Json) -> Iterator["Line"]:
        """A tab's line to this table that has said this first."""
        address = f"ws://localhost:{self.port}/table/{table}/line"
        # Without a limit to what lies unread: a tab that nobody listens to must still be able to close.
        with connect(
            address,
            origin=Origin(self.base),
            max_size=None,
            max_queue=None,
            proxy=None,
            open_timeout=PATIENCE,
            close_timeout=PATIENCE,
            ping_interval=None,
        ) as socket:
            line = Line(socket)
            line.say("sign_up", wateringhole=1, **first)
            yield line


class Line:
    """One tab's line; `heard` is everything that came, as text."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[str] = []

    def say(self, kind: str, **message: Json) -> None:
        self.socket.send(json.dumps({"type": kind, **message}))

    def hear(self, kind: str | None = None) -> dict[str, Json]:
        """The next message, or the next of this kind."""
        while True:
            text = self.socket.recv(PATIENCE)
            assert isinstance(text, str)
            self.heard.append(text)
            message: dict[str, Json] = json.loads(text)
            if kind is None or message["type"] == kind:
                return message

    def play(self) -> dict[str, Json]:
        """Do what the hints say until the game is over; its end."""
        while True:
            message = self.hear()
            if message["type"] in {"choose", "feed"}:
                self.say("hint", id=message["id"])
            elif message["type"] == "hint":
                self.say("answer", id=message["id"], answer=message["answer"])
            elif message["type"] == "end":
                return message


def play_both(*lines: Line) -> dict[str, Json]:
    """Let the people of these lines play at the same time; the end that all of them hear."""
    with ThreadPoolExecutor() as both:
        ends = [playing.result() for playing in [both.submit(line.play) for line in lines]]
    assert ends == ends[:1] * len(lines)
    return ends[0]


def port_that_stays() -> int:
    """A free port for a server that will be started on it again, because pages know it by its address: one that this
    machine gives to no connection and to no other server meanwhile.
    """
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = SystemRandom().randrange(lowest // 2, lowest)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def complaints(said: str) -> list[str]:
    """What the server said on its standard error that is no good news."""
    return [line for line in said.splitlines() if not line.endswith("on that an earlier server left")]


@contextmanager
def serving(
    *options: str,
    records: Path | None = None,
    program: Sequence[str] | None = None,
    web: int = 0,
    failing: str = "",
    cards: int = CARDS,
) -> Iterator[Server]:
    """A server with its page on this port or a free one; another program than the command may start it. It has nothing
    to complain of but what is said to be `failing`.
    """
    started = program or ("-c", SAME_GAME.format(cards=cards))
    words = [sys.executable, *started, "serve", "--port", "0", "--web", str(web), "--players", "3", *options]
    words += [] if records is None else ["--record", str(records)]
    pipes = {"stderr": subprocess.PIPE, "stdout": subprocess.DEVNULL}
    with subprocess.Popen(words, text=True, env=surroundings(), **pipes) as process:  # type: ignore[call-overload]
        assert process.stderr is not None
        try:
            programs = int(re.findall(r":(\d+),", process.stderr.readline())[0])
            port = int(re.findall(r":(\d+)/", process.stderr.readline())[0])
            server = Server(process, port, programs)
            yield server
            if server.killed:
                return
            process.send_signal(signal.SIGTERM)
            said = server.said + complaints(process.stderr.read())
            assert process.wait(PATIENCE) == 0
            assert bool(said) == bool(failing), said
            assert all(line.startswith(f"wateringhole: the {failing} ") for line in said), said
        finally:
            process.kill()
