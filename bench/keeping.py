"""What it costs to keep everything, and how long a restart takes.

Throughput: request and reply pairs a second of a server that keeps nothing, of one that only writes game logs, and of
one that also puts its games into the store (--data). All three run all the time, and their clients play in turns: here
a machine changes its speed by a third from one second to the next, so that only what is played close together can be
compared. In each round everybody has as many turns; the median of the ratios of all rounds counts.

Restart: 200 games of native clients are running when the server is killed; how long until the next one listens, beside
one with an empty folder, and until everybody is asked again.
"""

import argparse
import asyncio
import contextlib
import json
import math
import statistics
import tempfile
import time
from functools import partial
from operator import truediv
from pathlib import Path

from server import HOST, SEATS, Bot, Group, load, started

COMMAND = ("-m", "wateringhole")
SERVING = ("serve", "--port", "0", "--players", f"{SEATS}-{SEATS}", "--time", "none")
SILENCE = 1.0
"""Seconds without a word after which a server has nothing more to say, and its store has taken the last games."""
WITHOUT_STORE = (
    "-c",
    "from wateringhole.store.archiver import Archiver; Archiver.put = lambda *_: None; import wateringhole.__main__",
)


class Crowd:
    """The clients of one server, who play when it is their turn, and what they did since they were last asked."""

    def __init__(self, port: int, games: int) -> None:
        self.pairs = 0
        self.seconds = 0.0
        self.open = True
        self._heard = 0.0
        self._held: list[tuple[Pausing, bytes]] = []
        self._playing = asyncio.ensure_future(load(port, games, 0.0, math.inf, partial(Pausing, self)))

    async def play(self, seconds: float) -> None:
        """A turn; it is over when the server has said all that it has to say."""
        begun = time.perf_counter()
        self.open = True
        held, self._held = self._held, []
        for bot, answer in held:
            bot.answer(answer)
        await asyncio.wait([self._playing], timeout=seconds)
        if self._playing.done():
            self._playing.result()  # somebody has failed
        self.open = False
        while (left := self._heard + SILENCE - time.perf_counter()) > 0:
            await asyncio.sleep(left)
        self.seconds += self._heard - begun

    def heard(self) -> None:
        self._heard = time.perf_counter()

    def hold(self, bot: "Pausing", answer: bytes) -> None:
        """This will be said at the beginning of the next turn."""
        self._held.append((bot, answer))

    def leave(self) -> None:
        self._playing.cancel()

    def rate(self) -> float:
        rate = self.pairs / self.seconds
        self.pairs, self.seconds = 0, 0.0
        return rate


class Pausing(Bot):
    """A client that only plays in its turn."""

    def __init__(self, crowd: Crowd, group: Group) -> None:
        super().__init__(group)
        self._crowd = crowd

    def data_received(self, data: bytes) -> None:
        self._crowd.heard()
        super().data_received(data)

    def answer(self, answer: bytes) -> bool:
        if not self._crowd.open:
            self._crowd.hold(self, answer)
            return False
        said = super().answer(answer)
        self._crowd.pairs += said
        return said


async def throughput(games: int, seconds: float, turns: int, rounds: int) -> list[list[float]]:
    """Pairs a second in each round, of the three servers."""
    with contextlib.ExitStack() as stack:
        crowds = []
        for command, keeps in ((COMMAND, False), (WITHOUT_STORE, True), (COMMAND, True)):
            folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
            server, port = started(*command, *SERVING, *(("--data", folder) if keeps else ()))
            stack.callback(server.wait)
            stack.callback(server.kill)
            crowd = Crowd(port, games)
            stack.callback(crowd.leave)
            await crowd.play(seconds)  # until everything is loaded and laid out
            crowd.rate()
            crowds.append(crowd)
        rates = []
        for number in range(rounds):
            for turn in range(turns):
                for crowd in crowds if (number + turn) % 2 else reversed(crowds):
                    await crowd.play(seconds)
            rates.append([crowd.rate() for crowd in crowds])
    return rates


class Client:
    """A native client that takes its seat again, and never answers."""

    def __init__(self) -> None:
        self.token = ""
        self.asked = 0

    async def visit(self, port: int) -> None:
        """Sign up or come back, and listen until it is asked."""
        reader, writer = await asyncio.open_connection(HOST, port)
        hello = {"wateringhole": 1, "token": self.token} if self.token else {"wateringhole": 1, "name": "bench"}
        writer.write(json.dumps(hello).encode() + b"\n")
        while True:
            message = json.loads(await reader.readline())
            if (message["type"] == "welcome" and "n" not in message) or not self.token:
                self.token = message["token"]
            if message["type"] == "choose":
                self.asked += 1
                self._line = writer  # keep it open
                return


async def seated(clients: list[Client], port: int) -> None:
    for at in range(0, len(clients), 40):
        await asyncio.gather(*(client.visit(port) for client in clients[at : at + 40]))


def restart(games: int) -> dict[str, float]:
    """Seconds until a server listens, with an empty folder and with so many running games; and until all are asked."""
    options = ("--rejoin", "60", "--data")
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as full:
        figures = {}
        begun = time.perf_counter()
        server, _ = started(*COMMAND, *SERVING, *options, empty)
        figures["restart, empty folder, s"] = time.perf_counter() - begun
        server.kill()
        server.wait()

        async def lives() -> None:
            clients = [Client() for _ in range(games * SEATS)]
            server, port = started(*COMMAND, *SERVING, *options, full)
            await seated(clients, port)
            server.kill()
            server.wait()
            assert len(list((Path(full) / "running").iterdir())) >= games
            begun = time.perf_counter()
            server, port = started(*COMMAND, *SERVING, *options, full)
            figures[f"restart, {games} running games, s"] = time.perf_counter() - begun
            await seated(clients, port)
            figures["all are asked again, s"] = time.perf_counter() - begun
            server.kill()
            server.wait()

        asyncio.run(lives())
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games at a time (200)")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long a turn is (5)")
    parser.add_argument("--turns", type=int, default=3, help="how many turns each server has in a round (3)")
    parser.add_argument("--rounds", type=int, default=5, help="how many rounds (5)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of sentences")
    options = parser.parse_args()
    rates = asyncio.run(throughput(options.games, options.seconds, options.turns, options.rounds))
    nothing, game_logs, everything = zip(*rates, strict=True)
    figures = {
        "pairs a second, nothing kept": statistics.median(nothing),
        "pairs a second, journals": statistics.median(game_logs),
        "pairs a second, journals and store": statistics.median(everything),
        "with the store over without, median": statistics.median(map(truediv, everything, game_logs)),
        "journals over nothing, median": statistics.median(map(truediv, game_logs, nothing)),
        "both over nothing, median": statistics.median(map(truediv, everything, nothing)),
    }
    figures |= restart(options.games)
    if options.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name:40} {figure:10.3f}")


if __name__ == "__main__":
    main()
