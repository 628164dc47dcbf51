"""Replays traces in the kernel and tells the first difference. A trace is made of lists, numbers and bytes only.

It is also a program that needs nothing of ours but kernels, each of which may crash or hang alone, in a fork of it:
python -I -S replaying.py TRACES < KERNELS. For each line, the path of a kernel, it prints the exit code of its fork: 0
if all is equal.
"""

from __future__ import annotations

import gc
import marshal
import os
import resource
import sys
import zlib
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from types import ModuleType

    from wateringhole.kernel._kernel import FlatGames

SEATS = 8
MAX_CPU_SECONDS = 3
"""After which the program is ended: the kernel hangs."""
ALL_SILLY = bytes([0, 0] * SEATS)


class Policies(NamedTuple):
    """A table of the kernel: `rows`, and the bytes of its tastes and dice."""

    rows: bytes
    tastes: bytes
    dice: bytes


class Step(NamedTuple):
    """A state and the move that was made in it. `probes`: other moves, legal or not, with the rule that each breaks or
    "". `decisions`: what policies decide here, each with the checksum of its dice afterwards.
    """

    position: list[int]
    probes: list[tuple[list[int], str]]
    decisions: list[tuple[Policies, list[int], int]]
    move: list[int]


class Trace(NamedTuple):
    """A game. `deck`, `players` and `watering_hole`: how it was dealt; without a deck it begins with the position of
    its first step. `end` and `scores`: when it is over. `playout`: from the state of which step which policies played
    on, the scores, how it ended, and the checksum of the dice.
    """

    deck: bytes
    players: int
    watering_hole: int
    steps: list[Step]
    end: list[int]
    scores: list[int]
    playout: tuple[int, Policies, list[int], list[int], int]


def trace_in(plain: Any) -> Trace:
    """The trace again, of which marshal has made tuples."""
    deck, players, watering_hole, steps, end, scores, (at, policies, *result) = plain
    return Trace(
        deck,
        players,
        watering_hole,
        [
            Step(position, probes, [(Policies(*table), move, dice) for table, move, dice in decisions], move)
            for position, probes, decisions, move in steps
        ],
        end,
        scores,
        (at, Policies(*policies), *result),
    )


def difference(kernel: ModuleType, trace: Trace) -> str:
    """Where the kernel first does otherwise; "" if nowhere."""
    games: FlatGames = kernel.FlatGames(3)
    if trace.deck:
        games.deal(0, trace.deck, trace.players, trace.watering_hole)
    else:
        games.load(0, trace.steps[0].position)
    for at, step in enumerate(trace.steps):
        said = _step_difference(games, step)
        if said:
            return f"step {at}: {said}"
        if at == trace.playout[0]:
            said = _playout_difference(games, trace)
            if said:
                return f"playout from step {at}: {said}"
        games.answer(0, step.move)
    scores = list(games.play_out(0, ALL_SILLY, b"", bytearray()))[: trace.players]
    return _unequal("the end", games.save(0), trace.end) or _unequal("the scores", scores, trace.scores)


def _step_difference(games: FlatGames, step: Step) -> str:
    said = _unequal("the state", games.save(0), step.position)
    if said:
        return said
    games.load(1, step.position)
    said = _unequal("the loaded state", games.save(1), step.position)
    for move, rule in step.probes:
        said = said or _unequal(f"the rule that {move} breaks", games.refusal(0, move) or "", rule)
    for table, move, after in step.decisions:
        dice = bytearray(table.dice)
        said = said or _unequal("a decision", games.decide(0, table.rows, table.tastes, dice), move)
        said = said or _unequal("the dice", zlib.crc32(dice), after)
    return said


def _playout_difference(games: FlatGames, trace: Trace) -> str:
    _, table, scores, end, after = trace.playout
    dice = bytearray(table.dice)
    games.copy(2, 0)
    said = _unequal("the scores", list(games.play_out(2, table.rows, table.tastes, dice))[: len(scores)], scores)
    return said or _unequal("the end", games.save(2), end) or _unequal("the dice", zlib.crc32(dice), after)


def _unequal(what: str, ours: object, theirs: object) -> str:
    return "" if ours == theirs else f"{what}: the kernel has {ours}, Python {theirs}"


def is_wrong(path: str, traces: list[Trace]) -> bool:
    """Whether the kernel in this file does otherwise anywhere."""
    loader = ExtensionFileLoader("_kernel", path)
    spec = spec_from_loader("_kernel", loader)
    assert spec is not None
    kernel = module_from_spec(spec)
    loader.exec_module(kernel)
    try:
        return any(difference(kernel, trace) for trace in traces)
    except ValueError:  # the kernel refuses what is legal
        return True


def main(traces: list[Trace]) -> None:
    codes = []
    for line in sys.stdin:
        child = os.fork()
        if not child:
            resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
            os._exit(is_wrong(line.rstrip("\n"), traces))
        _, status = os.waitpid(child, 0)
        codes.append(os.waitstatus_to_exitcode(status))
    sys.stdout.write(f"{' '.join(map(str, codes))}\n")


if __name__ == "__main__":
    gc.disable()
    with open(sys.argv[1], "rb") as file:
        main([trace_in(plain) for plain in marshal.load(file)])  # noqa: S302  what the test has written
