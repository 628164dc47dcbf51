"""What it costs to keep everything, and how long a restart takes.

Throughput: request and reply pairs a second of a server that keeps its games (--data), of one that does not, and of one
that only writes journals and puts nothing into the store, one after the other, several times; the median of the ratios.
Restart: 200 games of native clients are running when the
server is killed; how long until the next one listens, beside one with an empty folder, and until everybody is asked
again.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from functools import partial
from operator import truediv
from pathlib import Path

from server import HOST, SEATS, load, started

COMMAND = ("-m", "wateringhole")
SERVING = ("serve", "--port", "0", "--players", f"{SEATS}-{SEATS}")
WITHOUT_STORE = (
    "-c",
    "from wateringhole.store.keeper import Keeper; Keeper.put = lambda *_: None; import wateringhole.__main__",
)


def throughput(games: int, seconds: float, *options: str, command: tuple[str, ...] = COMMAND) -> float:
    server, port = started(*command, *SERVING, *options)
    tally, took = asyncio.run(load(port, games, 0.0, seconds))
    server.terminate()
    server.wait()
    return tally.pairs / took


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
    options = ("--time", "none", "--rejoin", "60", "--data")
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
    parser.add_argument("--seconds", type=float, default=15.0, help="how long each run goes (15)")
    parser.add_argument("--pairs", type=int, default=5, help="how often with and without (5)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of sentences")
    options = parser.parse_args()
    nothing, journals, everything = [], [], []
    for _ in range(options.pairs):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            run = partial(throughput, options.games, options.seconds)
            nothing.append(run())
            everything.append(run("--data", one))
            journals.append(run("--data", other, command=WITHOUT_STORE))
    figures = {
        "pairs a second, nothing kept": statistics.median(nothing),
        "pairs a second, journals": statistics.median(journals),
        "pairs a second, journals and store": statistics.median(everything),
        "all over nothing, median": statistics.median(map(truediv, everything, nothing)),
        "all over journals, median": statistics.median(map(truediv, everything, journals)),
    }
    figures |= restart(options.games)
    if options.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name:40} {figure:10.3f}")


if __name__ == "__main__":
    main()
