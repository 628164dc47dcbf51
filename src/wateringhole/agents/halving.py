"""Sequential halving: moves are tried in rounds, and the worse half is dropped whenever a share of the effort is spent.

Laws: a round tries every move that is left, so their sums can be compared. With a number of iterations the same values
lead to the same moves; a limit in milliseconds does not promise that.
"""

from collections.abc import Sequence
from time import perf_counter
from typing import Final

MAX_ITERATIONS: Final = 1_000_000
MAX_MS: Final = 60_000
POINT: Final = 0.03
"""What a point ahead is worth beside a whole win."""


class Halving:
    """Which moves are left, and how they did; `values` are what they begin with."""

    def __init__(self, values: Sequence[float], iterations: int, ms: float | None) -> None:
        self.alive = list(range(len(values)))
        self.tries: Final = [0] * len(values)
        self._values: Final = list(values)
        self._stages: Final = max(1, (len(values) - 1).bit_length())
        self._stage = 1
        self._iterations: Final = iterations
        self._ms: Final = ms
        self._begun: Final = perf_counter()
        self.trials = 0

    def goes_on(self) -> bool:
        """Whether another round is to be played."""
        return len(self.alive) > 1 and self._spent < 1.0

    @property
    def _spent(self) -> float:
        """Which part of the effort is spent."""
        if self._ms is not None:
            return (perf_counter() - self._begun) * 1_000 / self._ms
        return (self.trials + len(self.alive)) / self._iterations

    def tried(self, at: int, value: float) -> None:
        """A trial of this move was worth so much."""
        self._values[at] += value
        self.tries[at] += 1
        self.trials += 1

    def drop(self) -> None:
        """At the end of a round."""
        if self._spent >= self._stage / self._stages and len(self.alive) > 1:
            self._stage += 1
            self.alive.sort(key=lambda at: -self._values[at])
            self.alive = self.alive[: (len(self.alive) + 1) // 2]

    @property
    def best(self) -> int:
        return max(self.alive, key=lambda at: self._values[at])


def win_share(mine: int, others: Sequence[int]) -> float:
    """1 for the best score, shared by all who have it, or 0."""
    best = max(others, default=0)
    return 1.0 if mine > best else 0.0 if mine < best else 1 / (1 + others.count(mine))
