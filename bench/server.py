"""The server under load: 200 games of 4 bots at a time, played from this process against a server in another.

Run A, with think time: what the server adds between the last answer it waits for and its next message, its memory, and
whether anybody was expelled. Run B, without: request and reply pairs a second, beside a bare asyncio loop that prints
the same conversations from a list and parses the answers, in the same run. Run C: a storm of sign-ups.
"""

import argparse
import asyncio
import contextlib
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec

HOST = "127.0.0.1"
SEATS = 4
CHOICE = b"[0,[],[],[[1,2]],[]]\n"
FEEDING = b"false\n"


class Tally:
    """What a run counts."""

    def __init__(self) -> None:
        self.pairs = 0
        self.added: list[float] = []
        self.conversations: list[list[bytes]] = []


class Group:
    """The bots of one game, and when the last answer was sent that the server waits for."""

    def __init__(self, think: float, tally: Tally) -> None:
        self.think = think
        self.tally = tally
        self.outstanding = 0
        self.sent: float | None = None

    def heard(self) -> None:
        if self.sent is not None:
            self.tally.added.append(time.perf_counter() - self.sent)
            self.sent = None

    def answered(self) -> None:
        self.tally.pairs += 1
        self.outstanding -= 1
        if self.outstanding == 0:
            self.sent = time.perf_counter()


class Bot(asyncio.Protocol):
    """An s16 client that buys a board every turn and feeds nobody, with as little work as it can: it is the server that
    has to be short of time, not this process.
    """

    def __init__(self, group: Group) -> None:
        loop = asyncio.get_running_loop()
        self.signed_up = loop.create_future()
        self.over = loop.create_future()
        self._group = group
        self._loop = loop
        self._rest = b""
        self._heard: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(b'"bot"\n')

    def data_received(self, data: bytes) -> None:
        *texts, self._rest = (self._rest + data).split(b"\n")
        for text in texts:
            value = msgspec.json.decode(text)
            self._heard.append(text)
            if value == "ok":
                self.signed_up.set_result(None)
                continue
            self._group.heard()
            if len(value) != 4:
                self._group.outstanding += 1
                answer = CHOICE if len(value) == 2 else FEEDING
                if self._group.think:
                    self._loop.call_later(self._group.think, self.answer, answer)
                else:
                    self.answer(answer)

    def answer(self, answer: bytes) -> bool:
        """Say this; whether anybody hears it."""
        if self._transport.is_closing():
            return False
        self._transport.write(answer)
        self._group.answered()
        return True

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        if not self.over.done():
            self.over.set_result(None)
            if len(self._group.tally.conversations) < 400:
                self._group.tally.conversations.append(self._heard)


async def load(
    port: int, games: int, think: float, seconds: float, made: Callable[[Group], Bot] = Bot
) -> tuple[Tally, float]:
    """So many games at a time for so long; the tally, and how long it took."""
    tally = Tally()
    loop = asyncio.get_running_loop()
    begun = loop.time()
    door = asyncio.Lock()

    async def career() -> None:
        while loop.time() < begun + seconds:
            group = Group(think, tally)
            # With think time one group after the other, so that those who sign up together sit together.
            async with door if think else contextlib.nullcontext():
                bots = [(await loop.create_connection(partial(made, group), HOST, port))[1] for _ in range(SEATS)]
                for bot in bots:
                    await bot.signed_up
            for bot in bots:
                await bot.over

    await asyncio.gather(*(career() for _ in range(games)))
    return tally, loop.time() - begun


async def storm(port: int, connections: int) -> list[float]:
    """How long each of so many sign-ups, all at once, took to be answered."""

    async def sign_up() -> float:
        begun = time.perf_counter()
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(b'"storm"\n')
        await reader.read(1)
        writer.close()
        return time.perf_counter() - begun

    return list(await asyncio.gather(*(sign_up() for _ in range(connections))))


# The same conversations from a list: no game, no clock, no checks, only json and asyncio.
BARE = """
import asyncio, itertools, json, sys
conversations = itertools.cycle([json.loads(line) for line in open(sys.argv[1])])

class Bare(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.rest = transport, iter(next(conversations))
    def data_received(self, data):
        json.loads(data)
        for message in self.rest:
            self.transport.write(json.dumps(message).encode() + b"\\n")
            if message != "ok" and len(message) != 4:
                return
        self.transport.close()

async def main():
    server = await asyncio.get_running_loop().create_server(Bare, "127.0.0.1", 0, backlog=1024)
    print(f"listening on 127.0.0.1:{server.sockets[0].getsockname()[1]}, bare", file=sys.stderr, flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


def started(*command: str) -> tuple["subprocess.Popen[str]", int]:
    """A server in a process of its own, and its port."""
    server = subprocess.Popen(  # noqa: S603
        [sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    found = re.search(r":(\d+),", server.stderr.readline())
    assert found is not None
    return server, int(found[1])


def dealing(folder: str, *options: str) -> tuple["subprocess.Popen[str]", int]:
    """Our server, with tables of four."""
    seats = f"{SEATS}-{SEATS}"
    return started("-m", "wateringhole", "serve", "--port", "0", "--players", seats, "--record", folder, *options)


def memory_of(process: "subprocess.Popen[str]") -> float:
    """The most memory that a process has had, in MB."""
    peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())
    assert peak is not None
    return int(peak[1]) / 1_024


def expelled(folder: Path) -> int:
    """How many seats of the recorded games were expelled."""
    return sum(text.count('"move":"fault"') for text in (path.read_text() for path in folder.iterdir()))


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games at a time (200)")
    parser.add_argument("--seconds", type=float, default=15.0, help="how long each run goes (15)")
    parser.add_argument("--folder", type=Path, required=True, help="an empty folder for the records")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of sentences")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    figures: dict[str, float] = {}

    server, port = dealing(str(options.folder), "--time", "10")
    tally, seconds = asyncio.run(load(port, options.games, 0.1, options.seconds))
    figures["A pairs a second"] = tally.pairs / seconds
    for name, share in (("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)):
        figures[f"A added latency, ms, {name}"] = 1_000 * percentile(tally.added, share)
    figures["A expelled seats"] = expelled(options.folder)
    figures["A memory of the server, MB"] = memory_of(server)

    tally, seconds = asyncio.run(load(port, options.games, 0.0, options.seconds))
    figures["B pairs a second"] = tally.pairs / seconds
    talks = options.folder / "conversations"
    talks.write_bytes(b"\n".join(b"[" + b",".join(heard) + b"]" for heard in tally.conversations))
    loop, bare_port = started("-c", BARE, str(talks))
    tally, seconds = asyncio.run(load(bare_port, options.games, 0.0, options.seconds))
    figures["B pairs a second, bare loop"] = tally.pairs / seconds
    figures["B share of the bare loop"] = figures["B pairs a second"] / figures["B pairs a second, bare loop"]
    loop.kill()

    answers = asyncio.run(storm(port, 1_000))
    figures["C sign-up answered, s, p99"] = percentile(answers, 0.99)
    server.terminate()
    server.wait()
    if options.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name:40} {figure:10.2f}")


if __name__ == "__main__":
    main()
