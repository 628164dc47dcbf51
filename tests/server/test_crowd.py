"""The command `serve` among processes that stop and connections that only take up room, on real sockets."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Final

import pytest

from tests.cases import case
from tests.cli import surroundings
from tests.server.strangers import FOR_EVER, HERE
from wateringhole.agents import Agent
from wateringhole.agents.silly import Silly
from wateringhole.moves import CardPlay
from wateringhole.server.client import Ending, connect
from wateringhole.server.connection import Limits
from wateringhole.view import Choose

from .clients import Client, Occasion, Trick, keep_silent
from .simulation import simulation
from .verdict import check

DESCRIPTORS: Final = 64
FLOOD: Final = 2 * DESCRIPTORS


class Running:
    """A server in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]", log: Path) -> None:
        self.process = process
        self._log = log

    @property
    def errors(self) -> str:
        """What it wrote on standard error."""
        return self._log.read_text()

    @property
    def port(self) -> int:
        while (found := re.search(r"listening on .*:(\d+),", self.errors)) is None:
            assert self.process.poll() is None
            time.sleep(0.01)
        return int(found[1])

    def expelled_in_a_game(self) -> list[str]:
        """Why guests were expelled in the next game that ends."""
        assert self.process.stdout is not None
        rows = json.loads(self.process.stdout.readline())["ranking"]
        return [row["expelled"]["reason"] for row in rows if row["expelled"] is not None]

    @property
    def busy_seconds(self) -> float:
        """How long a processor has worked for it so far."""
        figures = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(figures[11]) + int(figures[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Running]:
    """A server of games of three that may have only so many files and connections open."""
    words = ["sh", "-c", f'ulimit -n {DESCRIPTORS} && exec "$@"', "sh", sys.executable, "-m", "wateringhole", "serve"]
    words += ["--port", "0", "--players", "3", "--seed", "1", "--json", *options]
    log = folder / "standard error"
    with (
        log.open("w") as errors,
        subprocess.Popen(words, text=True, stdout=subprocess.PIPE, stderr=errors, env=surroundings()) as process,
    ):
        try:
            yield Running(process, log)
        finally:
            process.kill()


class Hesitant(Silly):
    """Keeps its cards until it may play them."""

    def __init__(self, may_play: Event) -> None:
        self.asked = Event()
        self._may_play = may_play

    def choose(self, request: Choose) -> CardPlay:
        self.asked.set()
        assert self._may_play.wait(FOR_EVER)
        return super().choose(request)


def visiting(port: int, *agents: Agent) -> "list[Future[Ending]]":
    """Agents of this process at the server on this port, each in a thread of its own."""
    pool = ThreadPoolExecutor(len(agents))
    visits = [pool.submit(asyncio.run, connect(agent, HERE, port, "hello")) for agent in agents]
    pool.shutdown(wait=False)
    return visits


def scores_told(visits: "list[Future[Ending]]") -> list[bool]:
    """Who was told the scores, which nobody is who was expelled."""
    return [visit.result(FOR_EVER).scores is not None for visit in visits]


def test_a_client_that_is_stopped_is_expelled_in_time_and_the_others_play_to_the_end(tmp_path: Path) -> None:
    may_play = Event()
    agents = [Hesitant(may_play), Hesitant(may_play)]
    # The limit holds for the others, too: nothing but a machine that stands still may make them miss it.
    with serving(tmp_path, "--time", "15", "--games", "1") as server:
        words = [sys.executable, "-m", "wateringhole", "connect", "silly", f"tcp:{HERE}:{server.port}"]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as stopped:
            try:
                visits = visiting(server.port, *agents)
                assert all(agent.asked.wait(FOR_EVER) for agent in agents)  # so all three sit at the table
                stopped.send_signal(signal.SIGSTOP)
                os.waitpid(stopped.pid, os.WUNTRACED)
                may_play.set()
                assert scores_told(visits) == [True, True]
                assert server.expelled_in_a_game() == ["timeout"]
                assert server.process.wait(FOR_EVER) == 0
            finally:
                may_play.set()
                stopped.kill()
        assert "Traceback" not in server.errors


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux tells in this way how busy a process is")
def test_a_server_out_of_descriptors_plays_on_keeps_calm_and_takes_guests_again_later(tmp_path: Path) -> None:
    may_play = Event()
    agents = [Hesitant(may_play) for _ in range(3)]
    with serving(tmp_path, "--time", "60") as server, ExitStack() as flood:
        try:
            visits = visiting(server.port, *agents)
            assert all(agent.asked.wait(FOR_EVER) for agent in agents)
            for _ in range(FLOOD):
                flood.enter_context(socket.create_connection((HERE, server.port)))
            begun, busy = time.monotonic(), server.busy_seconds
            time.sleep(2.5)
            share = (server.busy_seconds - busy) / (time.monotonic() - begun)
        finally:
            may_play.set()
        assert scores_told(visits) == [True, True, True]
        assert server.expelled_in_a_game() == []
        flood.close()
        assert scores_told(visiting(server.port, Silly(), Silly(), Silly())) == [True, True, True]
        assert server.expelled_in_a_game() == []
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(FOR_EVER) == 0
        assert "Traceback" not in server.errors
        assert share < 1 / 4


def test_strangers_beyond_the_limit_are_shut_out_at_once_and_a_running_game_ends_as_if_none_had_come() -> None:
    ends = []
    for flood in (0, 100):
        with simulation(3, limits=Limits(strangers=10)) as simulated:
            seats = [Client(f"seat {seat}").enter(simulated) for seat in (1, 2, 3)]
            strangers = [Client(tricks={"connect": keep_silent}).enter(simulated, at=0.5) for _ in range(flood)]
            simulated.go_on(100.0)
            ends.append((simulated.finished_at, check(simulated, seats, {}).record))
            assert [client.shown_out_at for client in strangers] == ([5.5] * 10 + [0.5] * 90)[:flood]
    assert ends[0] == ends[1]


def test_connections_from_one_address_beyond_its_limit_are_shut_out_until_one_of_them_has_gone() -> None:
    """Other addresses are not concerned, nor is the server's own machine, which may be a proxy's."""
    silent: dict[Occasion, Trick] = {"connect": keep_silent}
    for address, limited in (("192.0.2.1", True), ("2001:db8::1", True), ("127.0.0.1", False), ("::1", False)):
        with case(address), simulation(3, limits=Limits(per_address=3)) as simulated:
            first = [Client(tricks=silent).enter(simulated, at=0.5, address=address) for _ in range(5)]
            other = Client(tricks=silent).enter(simulated, at=0.5, address="192.0.2.2")
            late = [Client(tricks=silent).enter(simulated, at=at, address=address) for at in (5.0, 6.0)]
            simulated.go_on(20.0)
            assert [client.shown_out_at for client in first] == [5.5] * 3 + [0.5 if limited else 5.5] * 2
            assert other.shown_out_at == 5.5
            assert [client.shown_out_at for client in late] == [5.0 if limited else 10.0, 11.0]
