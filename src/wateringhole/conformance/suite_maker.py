"""Makes suites of test cases: many candidates, of which those are kept that cover most, in two halves.

Laws: a suite depends on its seed and size alone. Its halves have no input in common. No file is touched here.
"""

import heapq
import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec import Struct

from wateringhole.conformance.candidates import candidate_situations
from wateringhole.conformance.coverage import Trace
from wateringhole.conformance.harness import run_harness
from wateringhole.conformance.situations import situation_out
from wateringhole.conformance.tracing import traced
from wateringhole.wire.framing import Json

MIN_CASES: Final = 100
MAX_CASES: Final = 10_000
HALVES: Final = ("public", "hidden")

SHARES: Final = {"xattack": 4, "xfeed": 4, "xsilly": 1, "xstep": 4, "xstep4": 7}
"""How the cases are divided among the harnesses: by how much each can show."""
CANDIDATES_PER_CASE: Final = 6
MIN_CANDIDATES: Final = 300


class MadeCase(Struct, frozen=True):
    """A case of a suite that was made here, and what it exercises."""

    id: str
    half: str
    harness: str
    given: Json
    expected: Json
    trace: Trace

    def line(self) -> str:
        """The case as a line of a suite."""
        value = {"id": self.id, "rules": sorted(self.trace.rules), "in": self.given, "out": self.expected}
        return json.dumps(value, separators=(",", ":"))


class _Candidate(Struct, frozen=True):
    """An input, its length, and what it covers, each point with its weight."""

    given: Json
    size: int
    trace: Trace
    points: tuple[tuple[str, int], ...]


def shares(cases: int) -> dict[str, int]:
    """How many of these cases each harness gets; the rest of the division goes to the last ones."""
    whole = sum(SHARES.values())
    bounds = [cases * sum(list(SHARES.values())[:at]) // whole for at in range(len(SHARES) + 1)]
    return {harness: bounds[at + 1] - bounds[at] for at, harness in enumerate(SHARES)}


def candidates_needed(cases: int) -> int:
    """How many situations are traced for a suite of this size."""
    return sum(_candidates_for(number) for number in shares(cases).values())


def _candidates_for(number: int) -> int:
    return max(MIN_CANDIDATES, CANDIDATES_PER_CASE * number)


def make_suite(cases: int, seed: str, told: Callable[[str], None]) -> list[MadeCase]:
    """A suite of so many cases; each candidate that was traced is told by the name of its harness."""
    made: list[MadeCase] = []
    halves = itertools.cycle(HALVES)
    for harness, number in shares(cases).items():
        candidates = _candidates(harness, seed, _candidates_for(number), told)
        for at, (half, chosen) in enumerate(_chosen(candidates, itertools.islice(halves, number)), 1):
            expected = run_harness(harness, chosen.given)
            made.append(MadeCase(f"{harness}-{at:03}", half, harness, chosen.given, expected, chosen.trace))
    return made


def _candidates(harness: str, seed: str, number: int, told: Callable[[str], None]) -> list[_Candidate]:
    """So many different situations, traced."""
    found: dict[str, _Candidate] = {}
    for situation in itertools.islice(candidate_situations(harness, seed), number):
        given = situation_out(situation)
        text = json.dumps(given)
        if text not in found:
            trace = traced(situation)
            found[text] = _Candidate(given, len(text), trace, tuple(_points(trace)))
        told(harness)
    return list(found.values())


RULE_WEIGHT: Final = 10**9
PAIR_WEIGHT: Final = 10**8
EDGE_WEIGHT: Final = 10**6
VARIETY_WEIGHT: Final = 10**3
REPEATED: Final = 1 / 16
"""What is covered once more counts a sixteenth of the time before."""


def _points(trace: Trace) -> Iterator[tuple[str, int]]:
    for weight, names in (
        (RULE_WEIGHT, trace.rules),
        (PAIR_WEIGHT, trace.pairs),
        (EDGE_WEIGHT, trace.edges),
        (VARIETY_WEIGHT, trace.variety),
    ):
        for name in sorted(names):
            yield f"{weight}:{name}", weight


def _chosen(candidates: list[_Candidate], halves: Iterable[str]) -> Iterator[tuple[str, _Candidate]]:
    """A candidate for each of these halves in turn: always the one that adds most for its size.

    What a candidate adds only falls as others are chosen. So its last known value is a bound, and most need not be
    looked at again.
    """
    covered: dict[str, Counter[str]] = {half: Counter() for half in HALVES}
    queues = {half: [(-_gain(one, Counter()), at) for at, one in enumerate(candidates)] for half in HALVES}
    for queue in queues.values():
        heapq.heapify(queue)
    taken: set[int] = set()
    for half in halves:
        at = _next(queues[half], candidates, covered[half], taken)
        if at is None:
            return
        taken.add(at)
        covered[half].update(name for name, _ in candidates[at].points)
        yield half, candidates[at]


def _next(
    queue: list[tuple[float, int]], candidates: list[_Candidate], covered: Counter[str], taken: set[int]
) -> int | None:
    while queue:
        _, at = heapq.heappop(queue)
        if at in taken:
            continue
        gain = -_gain(candidates[at], covered)
        if not queue or (gain, at) <= queue[0]:
            return at
        heapq.heappush(queue, (gain, at))
    return None


def _gain(candidate: _Candidate, covered: Counter[str]) -> float:
    return sum(weight * REPEATED ** covered[name] for name, weight in candidate.points) / candidate.size
