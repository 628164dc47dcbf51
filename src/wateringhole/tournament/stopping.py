"""Sequential stopping rule: ends a tournament when it is known which of two entries is better.

A test by betting (Waudby-Smith and Ramdas 2023): deal by deal, a part of a purse is staked on A, at even odds. If A is
not better, the purse does not grow on average, and the chance that it ever becomes k times what it was is at most 1 / k
(Ville's inequality), however often one looks. There is a purse for either side, so one is believed that has grown to
2 / (1 - confidence). A purse is nine equal ones, which stake a tenth, two tenths and so on up to nine.

Laws: pure; a verdict is given only at the end of a lap, when every table has had the same number of deals, so it is
about A and B at all tables together, and it does not depend on the order in which games ended.
"""

from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean
from typing import Final

from msgspec import Struct

from wateringhole.tournament.config import Stop
from wateringhole.tournament.outcomes import GameOutcome, counted

STAKES: Final = tuple(part / 10 for part in range(1, 10))


class LeadVerdict(Struct, frozen=True):
    """The verdict: which of the two is better, by how much of -1 to 1 on average, after so many deals at one table."""

    better: int | None
    lead: float
    deals: int
    games: int


class Race:
    """Two entries, lap by lap of so many games; `verdict` once there is one."""

    def __init__(self, stop: Stop, lap: int) -> None:
        self._stop = stop
        self._lap = lap
        self._missing: dict[int, int] = {}
        self._waiting: dict[int, GameOutcome] = {}
        self._done = 0
        self._leads: list[float] = []
        self._purses = {sign: [1.0] * len(STAKES) for sign in (1, -1)}
        self.verdict: LeadVerdict | None = None

    def heard(self, ended: GameOutcome) -> bool:
        """Count a game, in any order; whether enough has been played."""
        lap = ended.number // self._lap
        self._waiting[ended.number] = ended
        self._missing[lap] = self._missing.get(lap, self._lap) - 1
        while self.verdict is None and self._missing.get(self._done) == 0:
            first = self._done * self._lap
            self._take([self._waiting.pop(number) for number in range(first, first + self._lap)])
        return self.verdict is not None

    @property
    def so_far(self) -> LeadVerdict:
        """What can be said now."""
        return self.verdict or LeadVerdict(None, self._lead, len(self._leads), self._done * self._lap)

    @property
    def _lead(self) -> float:
        return round(fmean(self._leads), 6) if self._leads else 0.0

    def _take(self, outcomes: Iterable[GameOutcome]) -> None:
        """Bet on the deals of a whole lap, then give a verdict if one is due."""
        self._done += 1
        for lead in leads(outcomes, self._stop.better, self._stop.than):
            self._leads.append(lead)
            for sign, purse in self._purses.items():
                purse[:] = [money * (1 + stake * sign * lead) for money, stake in zip(purse, STAKES, strict=True)]
        for sign, better in ((1, self._stop.better), (-1, self._stop.than)):
            if fmean(self._purses[sign]) >= 2 / (1 - self._stop.confidence):
                self.verdict = LeadVerdict(better, self._lead, len(self._leads), self._done * self._lap)


def leads(outcomes: Iterable[GameOutcome], one: int, other: int) -> list[float]:
    """For each deal at which both sat: how much more often the one was ahead than the other, from -1 to 1."""
    deals: dict[int, list[int]] = defaultdict(list)
    for ended in counted(outcomes):
        ranks = {place.agent: place.rank for place in ended.places}
        if one in ranks and other in ranks:
            deals[ended.deal].append((ranks[one] < ranks[other]) - (ranks[one] > ranks[other]))
    return [fmean(deals[deal]) for deal in sorted(deals)]
