"""Measures what a program and the processes that it has started use, and sets the kernel's limits for a new one.

Laws: processes that left the tree of their parents are not seen. Where the system has no /proc, a program seems to use
nothing.
"""

import contextlib
import os
import resource
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = resource.getpagesize()
_READY: Final = frozenset("RD")
"""The states of a thread that has a CPU, or waits for one or for a disk."""


class Usage(Struct, frozen=True):
    """What a program uses, with all its processes: their number, bytes of memory, seconds of CPU time so far."""

    pids: tuple[int, ...]
    memory: int
    cpu: float


def usage(pid: int, most: int) -> Usage:
    """What this process and its descendants use; of more than `most`, only the first are looked at, and one beyond.

    The processes of a fork bomb are not all counted: it grows faster than that.
    """
    pids = tuple(family(pid, most))
    stats = [found for each in pids if (found := _stat(each))]
    ticks = sum(int(field) for stat in stats for field in stat[11:15])
    return Usage(pids, sum(int(stat[21]) for stat in stats) * _PAGE, ticks / _TICKS)


def ready(pids: tuple[int, ...]) -> bool:
    """Whether a thread of these processes has work to do, also if it has no CPU to do it with."""
    return any(
        (stat := _stat(pid, f"task/{task}/stat")) and stat[0] in _READY
        for pid in pids
        for task in _listed(f"/proc/{pid}/task")
    )


def family(pid: int, most: int) -> list[int]:
    """A process and its descendants, but for those that left the tree: `most` and one, if there are more."""
    found = [pid]
    for parent in found:  # which grows meanwhile
        if len(found) > most:
            break
        for task in _listed(f"/proc/{parent}/task"):
            with contextlib.suppress(OSError, ValueError), open(f"/proc/{parent}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    return found[: most + 1]


def restrict(memory: int, cpu_seconds: int, files: int) -> None:
    """Set the kernel's limits for this process, which is about to become a program.

    Address space is not limited: some languages reserve much of it and use little.
    """
    for what, most in _limits(memory, cpu_seconds, files).items():
        resource.setrlimit(what, (most, most))


def restricted(words: Sequence[str], memory: int, cpu_seconds: int, files: int) -> list[str]:
    """The same as a command line, in which a shell sets the limits and then becomes the program. It spares us a copy of
    our own process, but what goes wrong at the start is then told by the shell.
    """
    limits = _limits(memory, cpu_seconds, files)
    sets = [f"ulimit {option} {limits[what] // unit}" for what, (option, unit) in _SHELL_OPTIONS.items()]
    return ["/bin/sh", "-c", " && ".join([*sets, 'exec "$@"']), "sh", *words]


_SHELL_OPTIONS: Final = {
    resource.RLIMIT_DATA: ("-d", 1_024),
    resource.RLIMIT_CPU: ("-t", 1),
    resource.RLIMIT_NOFILE: ("-n", 1),
    resource.RLIMIT_CORE: ("-c", 512),
}


def _limits(memory: int, cpu_seconds: int, files: int) -> dict[int, int]:
    """The limits, none of them above what this process has itself."""
    wanted = {
        resource.RLIMIT_DATA: memory,
        resource.RLIMIT_CPU: cpu_seconds,
        resource.RLIMIT_NOFILE: files,
        resource.RLIMIT_CORE: 0,
    }
    hard = {what: resource.getrlimit(what)[1] for what in wanted}
    return {
        what: most if hard[what] == resource.RLIM_INFINITY else min(most, hard[what]) for what, most in wanted.items()
    }


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _stat(pid: int, file: str = "stat") -> list[str]:
    """The fields behind the name of a process or a thread, its state first; empty if it is gone."""
    try:
        with open(f"/proc/{pid}/{file}", "rb") as stat:
            return stat.read().rpartition(b")")[2].decode().split()
    except OSError:
        return []
