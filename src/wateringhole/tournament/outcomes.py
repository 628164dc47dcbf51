"""Outcomes of games, and their sums for each agent.

Laws: pure; the order in which games were finished does not matter.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from wateringhole.events import Standing
from wateringhole.table import Paces
from wateringhole.tournament.interval import Mean, mean_of_deals
from wateringhole.tournament.schedule import Fixture


class SeatOutcome(Struct, frozen=True, gc=False, array_like=True):
    """The outcome of one game for one agent. An expelled agent is last and has no points."""

    agent: int
    rank: int
    won: float
    score: int
    expelled: str | None = None
    replies: int = 0
    microseconds: int = 0

    @property
    def seconds(self) -> float:
        """The time of all its replies."""
        return self.microseconds / 1_000_000


class GameOutcome(Struct, frozen=True, gc=False, array_like=True):
    """How one game ended, seat by seat. `void`: why it does not count, a sentence; it is only accounted for."""

    number: int
    deal: int
    places: tuple[SeatOutcome, ...]
    void: str = ""

    @property
    def truth(self) -> tuple[object, ...]:
        """The part that does not depend on the speed of the machine."""
        places = [(place.agent, place.rank, place.won, place.score, place.expelled) for place in self.places]
        return self.number, self.deal, tuple(places), self.void


def outcome(fixture: Fixture, ranking: Sequence[Standing], paces: Paces, void: str = "") -> GameOutcome:
    """The end of a game, as far as it counts."""
    last, first = len(ranking), [row.rank for row in ranking].count(1)
    places: dict[int, SeatOutcome] = {}
    for row in ranking:
        pace = paces.seats[row.seat - 1]
        places[row.seat] = SeatOutcome(
            fixture.seats[row.seat - 1],
            row.rank or last,
            1 / first if row.rank == 1 else 0.0,
            row.score or 0,
            None if row.fault is None else row.fault.reason.value,
            pace.replies,
            round(1_000_000 * pace.seconds),
        )
    return GameOutcome(fixture.number, fixture.deal, tuple([places[seat] for seat in range(1, last + 1)]), void)


def counted(outcomes: Iterable[GameOutcome]) -> list[GameOutcome]:
    """The games that count."""
    return [ended for ended in outcomes if not ended.void]


def voided(outcomes: Iterable[GameOutcome]) -> dict[str, int]:
    """How many games do not count, by the reason."""
    return dict(sorted(Counter(ended.void for ended in outcomes if ended.void).items()))


def void_games(void: Mapping[str, int]) -> list[str]:
    """The games that do not count, as phrases for a report."""
    return [f"{count:,} void ({why})" for why, count in void.items()]


class AgentRow(Struct, frozen=True):
    """How one agent did in all its games."""

    agent: int
    games: int
    wins: Mean
    rank: Mean
    score: Mean
    expelled: dict[str, int]
    reply_seconds: float | None


def rows(outcomes: Iterable[GameOutcome], agents: int) -> list[AgentRow]:
    """One row for each agent, in their order."""
    last = 2
    tallies = [_Tally() for _ in range(agents)]
    for ended in outcomes:
        last = max(last, len(ended.places))
        for place in ended.places:
            tallies[place.agent].add(ended.deal, place)
    return [tally.row(agent, last) for agent, tally in enumerate(tallies)]


class _Tally:
    """What is counted of one agent: for each deal how many games, and the sums of what was won, ranks and scores."""

    def __init__(self) -> None:
        self._deals: dict[int, list[float]] = {}
        self._expelled: Counter[str] = Counter()
        self._replies = 0
        self._microseconds = 0

    def add(self, deal: int, place: SeatOutcome) -> None:
        sums = self._deals.get(deal)
        if sums is None:
            sums = self._deals[deal] = [0, 0.0, 0, 0]
        sums[0] += 1
        sums[1] += place.won
        sums[2] += place.rank
        sums[3] += place.score
        self._replies += place.replies
        self._microseconds += place.microseconds
        if place.expelled:
            self._expelled[place.expelled] += 1

    def row(self, agent: int, last: int) -> AgentRow:
        """In games of which the last rank was this one."""
        games, won, ranks, scores = zip(*self._deals.values(), strict=True) if self._deals else ((), (), (), ())
        return AgentRow(
            agent,
            int(sum(games)),
            mean_of_deals(games, won, 0, 1),
            mean_of_deals(games, ranks, 1, last),
            mean_of_deals(games, scores, 0),
            dict(sorted(self._expelled.items())),
            self._microseconds / self._replies / 1_000_000 if self._replies else None,
        )
