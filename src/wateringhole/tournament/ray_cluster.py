"""Plays the games of a run on a Ray cluster, on one machine or on many.

Laws: Ray is loaded only here, and its usage reports are off. Games come back in frames, and only this process writes
them to the folder of the run. The outcome of a game does not depend on the machine.
"""

import contextlib
import importlib
import logging
import os
import socket
from collections.abc import Iterable, Iterator
from itertools import islice
from types import ModuleType
from typing import Final

from wateringhole.external.play_specs import Players
from wateringhole.tournament.game_worker import Job, play_lot
from wateringhole.tournament.run_journal import RunError
from wateringhole.tournament.schedule import Fixture
from wateringhole.tournament.worker_processes import AHEAD, GameEngine

KNOCKS: Final = 5.0
"""Seconds until a connection attempt fails."""

GCS_SECONDS: Final = "120"
"""How long Ray waits for the first process of a new cluster; its own 30 s are too short on a busy machine."""


@contextlib.contextmanager
def cluster(job: Job, jobs: int | None, address: str | None) -> Iterator[GameEngine]:
    """The cluster at this address, or a new one of so many processes that ends with this process."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_gcs_server_port_wait_time_s", GCS_SECONDS)
    try:
        ray = importlib.import_module("ray")
    except ImportError:
        raise RunError("ray is not installed; pip install 'wateringhole[ray]'") from None
    _start(ray, jobs, address)
    try:
        yield _Cluster(ray, job, jobs or int(ray.cluster_resources().get("CPU", 1)))
    finally:
        ray.shutdown()


def _start(ray: ModuleType, jobs: int | None, address: str | None) -> None:
    """Connect to the cluster at this address, or start one; RunError if Ray fails in any way."""
    for attempts_left in (1, 0):
        try:
            if address is None:
                _init(ray, "local", num_cpus=jobs, include_dashboard=False)
            else:
                _reach(address)
                _init(ray, address)
        except Exception as error:
            ray.shutdown()
            # On a busy machine a new cluster may not be up after 30 s; Ray then raises just this, no subclass of it.
            if attempts_left and type(error) is Exception:
                continue
            why = " ".join(str(error).split())
            raise RunError(f"no Ray cluster at {address or 'this machine'}: {why:.600}") from None
        return


def _init(ray: ModuleType, address: str, **options: object) -> None:
    ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **options)


def _reach(address: str) -> None:
    """OSError unless a server listens there: Ray itself would try for minutes. Words such as `auto` are left to Ray."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isascii() and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), KNOCKS).close()


class _Cluster:
    """Plays games in the processes of a Ray cluster."""

    def __init__(self, ray: ModuleType, job: Job, jobs: int) -> None:
        self._ray = ray
        self._task = ray.remote(_game)
        self._job = ray.put(job)
        self._at_once = AHEAD * jobs

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[bytes]:
        waiting = iter(fixtures)
        owed = [self._task.remote(self._job, fixture) for fixture in islice(waiting, self._at_once)]
        while owed:
            [ended], owed = self._ray.wait(owed)
            try:
                said: bytes | str = self._ray.get(ended)
            except self._ray.exceptions.RayError as error:
                raise RunError(f"a game on the cluster failed: {' '.join(str(error).split())[-300:]}") from None
            if isinstance(said, str):
                raise RunError(said)
            yield said
            owed += [self._task.remote(self._job, fixture) for fixture in islice(waiting, 1)]


def _game(job: Job, fixture: Fixture) -> bytes | str:
    """One game where this runs; a sentence if it cannot be played."""
    with contextlib.suppress(OSError):  # a machine without this folder has what its agents need, or they lose
        os.chdir(job.folder)
    try:
        with Players(job.treatment) as players:
            return play_lot(job, [fixture], players)
    except ValueError as error:
        return str(error)
