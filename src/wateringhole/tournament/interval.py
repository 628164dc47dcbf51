"""A mean over many games, with its 95 % interval.

Laws: pure. The deals are the independent units: the games of one deal belong together, so the variance of a mean is
taken over the sums of the deals, and Student's distribution has one degree of freedom less than there are deals. No
interval leaves the range of its figure, and below MIN_DEALS there is none.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from math import inf, isfinite, sqrt
from typing import Final

from msgspec import Struct

MIN_DEALS: Final = 3
"""With two, Student's factor is 12.7, and the interval of nearly any share is nearly all of 0 to 1."""
STUDENT: Final = (12.706, 4.303, 3.182, 2.776)
"""Student's 97.5 % point for 1 to 4 degrees of freedom."""
ROUNDING: Final = 1e-12


class Mean(Struct, frozen=True):
    """A mean, and between what it lies at 95 %; None if there are too few deals. `margin` is half the width."""

    value: float
    margin: float | None = None
    low: float | None = None
    high: float | None = None

    def each(self, change: Callable[[float], float]) -> "Mean":
        """The same in another unit."""
        if self.low is None or self.high is None:
            return Mean(change(self.value))
        low, high = sorted((change(self.low), change(self.high)))
        return estimate(change(self.value), low, high)


def estimate(value: float, low: float | None, high: float | None) -> Mean:
    """A mean with these ends, if they are known."""
    return Mean(value) if low is None or high is None else Mean(value, (high - low) / 2, low, high)


def mean(values: Iterable[tuple[int, float]], floor: float = -inf, ceiling: float = inf) -> Mean:
    """The mean of these values, each with its deal, which cannot be below the floor nor above the ceiling."""
    games: dict[int, int] = {}
    sums: dict[int, float] = {}
    for deal, value in values:
        games[deal] = games.get(deal, 0) + 1
        sums[deal] = sums.get(deal, 0.0) + value
    return mean_of_deals(games.values(), sums.values(), floor, ceiling)


def mean_of_deals(games: Collection[float], sums: Collection[float], floor: float = -inf, ceiling: float = inf) -> Mean:
    """The mean of the values of all games, which cannot be below the floor nor above the ceiling: for each deal how
    many games it has, and the sum of their values.

    Between two bounds the interval is Wilson's score interval, for as many independent games as would have the variance
    that was found between deals: it is asymmetric, narrow towards the bound that is near, and stays within both. If all
    games came to the same bound there is no variance to go by; it then goes to the share that would stay unseen in so
    many deals one time in twenty. In simulations of shares from 0.02 to 0.98 and ranks of four it covers 92 % or more,
    97 % on average, from 3 deals up, whether the games of a deal are independent or all the same. Student's interval,
    cut off at the bounds, covers a share of 0.02 in 25 % of cases with 3 deals, and in 55 % with 10.

    Without a ceiling it is Student's interval, cut off at the floor.
    """
    if not games:
        return Mean(0.0)
    count, deals = sum(games), len(games)
    value = sum(sums) / count
    if deals < MIN_DEALS:
        return Mean(value)
    off = sum([(whole - size * value) ** 2 for size, whole in zip(games, sums, strict=True)])
    variance = off * deals / (deals - 1) / count**2
    span = ceiling - floor
    if not isfinite(span):
        far = student(deals - 1) * sqrt(variance)
        return estimate(value, max(floor, value - far), min(ceiling, value + far))
    low, high = _wilson((value - floor) / span, variance / span**2, deals)
    return estimate(value, floor + span * low, floor + span * high)


def mean_above(values: Sequence[tuple[int, float, float]]) -> Mean:
    """How far shares are above what was expected of them; each with its deal, and then what was expected."""
    expected = sum(expected for _, _, expected in values) / max(1, len(values))
    return mean([(deal, share - expected) for deal, share, expected in values], -expected, 1 - expected)


def student(freedom: int) -> float:
    """Student's 97.5 % point; beyond a table, by Fisher's and Cornish's expansion."""
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    return 1.95996 + 2.37227 / freedom + 2.82249 / freedom**2 + 2.55587 / freedom**3


def _wilson(share: float, variance: float, deals: int) -> tuple[float, float]:
    """The shares p that are no further from this one than Student allows, if their variance goes with p (1 - p)."""
    if min(share, 1 - share) < ROUNDING:
        unseen = 1 - 0.05 ** (1 / deals)
        return (0.0, unseen) if share < ROUNDING else (1 - unseen, 1.0)
    toss = share * (1 - share)
    by = student(deals - 1) ** 2 * variance / toss
    middle, half = (share + by / 2) / (1 + by), sqrt(toss * by + by * by / 4) / (1 + by)
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
