"""The server under load: 200 games of 4 bots at a time, played from this process against a server in another.

Run A, with think time: what the server adds between the last answer it waits for and its next message, its memory, and
whether anybody was expelled. Run B, without: request and reply pairs a second, beside a bare asyncio loop that prints
the same conversations from a list and parses the answers, in the same run. Run C: a storm of sign-ups.

Run D, only with --rush: 1,200 connections play with think time and 800 more come within 2 s. How long these wait for
the answer to their sign-up, and what the server adds to play, as in run A, before they come and meanwhile.
"""

import argparse
import asyncio
import contextlib
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import msgspec

HOST = "127.0.0.1"
SEATS = 4
CHOICE = b"[0,[],[],[[1,2]],[]]\n"
FEEDING = b"false\n"
THINK = 0.1
SLOW = 3.0
SHARES = (("p50", 0.5), ("p99", 0.99))


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

    def asked(self) -> None:
        self.outstanding += 1

    def answered(self) -> None:
        self.tally.pairs += 1
        self.outstanding -= 1
        if self.outstanding == 0:
            self.sent = time.perf_counter()


class Bot(asyncio.Protocol):
    """An s16 client that buys a board every turn and feeds nobody, with as little work as it can: it is the server that
    has to be short of time, not this process.
    """

    def __init__(self, group: Group, name: str = "bot") -> None:
        loop = asyncio.get_running_loop()
        self._name = name
        self.signed_up = loop.create_future()
        self.over = loop.create_future()
        self._group = group
        self._loop = loop
        self._rest = b""
        self._heard: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(f'"{self._name}"\n'.encode())

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
                self._group.asked()
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


class Witness(Group):
    """A bot whose table is only known later, by its name: when it heard a message, was asked and answered."""

    def __init__(self, think: float, name: str) -> None:
        super().__init__(think, Tally())
        self.name = name
        self.events: list[tuple[float, int]] = []

    def heard(self) -> None:
        self.events.append((time.perf_counter(), 0))

    def asked(self) -> None:
        self.events.append((time.perf_counter(), 1))

    def answered(self) -> None:
        self.events.append((time.perf_counter(), -1))


class Rush:
    """So many connections play, and so many more come within 2 s."""

    def __init__(self, server: "subprocess.Popen[str]", port: int, think: float) -> None:
        self.playing = 0
        self._server = server
        self.witnesses: dict[str, Witness] = {}
        self.waits: list[float] = []
        self._port = port
        self._think = think

    async def run(self, players: int, newcomers: int, seconds: float) -> dict[str, float]:
        """Let them play and come; then end the server, which records the games that are not over, too."""
        careers = [asyncio.create_task(self._career()) for _ in range(players)]
        await asyncio.sleep(seconds / 2)
        begun, used = time.perf_counter(), cpu_of(self._server)  # not what was while the first came
        await asyncio.sleep(seconds / 2)
        self.calm, self.busy = begun, time.perf_counter()
        figures = {"D connections that play": float(self.playing)}
        figures["D cores that the server uses"] = (cpu_of(self._server) - used) / (self.busy - begun)
        await asyncio.gather(*(self._newcomer(2.0 * number / newcomers) for number in range(newcomers)))
        self._server.terminate()
        await asyncio.to_thread(self._server.wait)
        for career in careers:
            career.cancel()
        await asyncio.gather(*careers, return_exceptions=True)
        return figures | {f"D sign-up answered, s, {name}": percentile(self.waits, at) for name, at in SHARES}

    async def _career(self) -> None:
        while True:
            bot = await self._signed_up(self._think)
            self.playing += 1
            await bot.over
            self.playing -= 1

    async def _newcomer(self, at: float) -> None:
        await asyncio.sleep(at)
        begun = time.perf_counter()
        await self._signed_up(SLOW)  # it is their coming that is to cost time, not their games
        self.waits.append(time.perf_counter() - begun)

    async def _signed_up(self, think: float) -> Bot:
        witness = Witness(think, f"bot {len(self.witnesses)}")
        self.witnesses[witness.name] = witness
        loop = asyncio.get_running_loop()
        _, bot = await loop.create_connection(lambda: Bot(witness, witness.name), HOST, self._port)
        await asyncio.wait([bot.signed_up, bot.over], return_when=asyncio.FIRST_COMPLETED)
        assert bot.signed_up.done(), "a connection was turned away"
        return bot

    def added(self, tables: Iterable[list[str]]) -> dict[str, float]:
        """What the server added between the last answer that it waited for and its next message, by these tables."""
        before: list[float] = []
        during: list[float] = []
        for names in tables:
            outstanding, sent = 0, None
            for at, change in sorted(event for name in names for event in self.witnesses[name].events):
                if change == 0 and sent is not None and at >= self.calm:
                    (before if at < self.busy else during).append(at - sent)
                outstanding += change
                sent = at if change < 0 and not outstanding else None
        return {
            f"D added latency {span}, ms, {name}": 1_000 * percentile(values, share)
            for span, values in (("before", before), ("during", during))
            for name, share in SHARES
        }


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


def cpu_of(process: "subprocess.Popen[str]") -> float:
    """The CPU time that a process has taken so far, in seconds."""
    figures = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(figures[11]) + int(figures[12])) / os.sysconf("SC_CLK_TCK")


def expelled(folder: Path) -> int:
    """How many seats of the recorded games were expelled."""
    return sum(text.count('"move":"fault"') for text in (path.read_text() for path in folder.iterdir()))


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


def loads(folder: Path, games: int, think: float, seconds: float) -> dict[str, float]:
    """Runs A, B and C."""
    figures: dict[str, float] = {}
    server, port = dealing(str(folder), "--time", "10")
    tally, took = asyncio.run(load(port, games, think, seconds))
    figures["A pairs a second"] = tally.pairs / took
    for name, share in (*SHARES, ("p99.9", 0.999)):
        figures[f"A added latency, ms, {name}"] = 1_000 * percentile(tally.added, share)
    figures["A expelled seats"] = expelled(folder)
    figures["A memory of the server, MB"] = memory_of(server)

    tally, took = asyncio.run(load(port, games, 0.0, seconds))
    figures["B pairs a second"] = tally.pairs / took
    talks = folder / "conversations"
    talks.write_bytes(b"\n".join(b"[" + b",".join(heard) + b"]" for heard in tally.conversations))
    loop, bare_port = started("-c", BARE, str(talks))
    tally, took = asyncio.run(load(bare_port, games, 0.0, seconds))
    figures["B pairs a second, bare loop"] = tally.pairs / took
    figures["B share of the bare loop"] = figures["B pairs a second"] / figures["B pairs a second, bare loop"]
    loop.kill()

    answers = asyncio.run(storm(port, 1_000))
    figures["C sign-up answered, s, p99"] = percentile(answers, 0.99)
    server.terminate()
    server.wait()
    return figures


def rushes(folder: Path, think: float, seconds: float) -> dict[str, float]:
    """Run D."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    server, port = dealing(str(folder), "--time", "10", "--grace", "0")
    rush = Rush(server, port, think)
    figures = asyncio.run(rush.run(1_200, 800, seconds))
    tables = (json.loads(path.open().readline())["names"] for path in folder.iterdir())
    return figures | rush.added(tables) | {"D expelled seats": expelled(folder)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="games at a time in runs A and B (200)")
    parser.add_argument("--seconds", type=float, default=15.0, help="how long each run goes (15); D: before the rush")
    parser.add_argument("--folder", type=Path, required=True, help="an empty folder for the records")
    parser.add_argument("--think", type=float, default=THINK, help=f"think time in runs A and D, s ({THINK})")
    parser.add_argument("--rush", action="store_true", help="run D instead of A, B and C")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of sentences")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.rush:
        figures = rushes(options.folder, options.think, options.seconds)
    else:
        figures = loads(options.folder, options.games, options.think, options.seconds)
    if options.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name:40} {figure:10.2f}")


if __name__ == "__main__":
    main()
