"""What came of many games.

Laws: pure; the order in which games were finished does not matter. The games of one deal belong together, so intervals
are taken over deals, not over games.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final

from msgspec import Struct

from wateringhole.events import Standing
from wateringhole.record import Record
from wateringhole.tournament.schedule import Fixture

STUDENT: Final = (12.706, 4.303, 3.182, 2.776)
"""Student's 97.5 % point for 1 to 4 degrees of freedom."""


class Place(Struct, frozen=True):
    """How one agent came off in one game. Who is expelled is last and has no points."""

    agent: int
    rank: int
    won: float
    score: int
    expelled: str | None = None
    replies: int = 0
    seconds: float = 0.0


class Outcome(Struct, frozen=True):
    """How one game ended, seat by seat."""

    number: int
    deal: int
    places: tuple[Place, ...]

    @property
    def truth(self) -> tuple[object, ...]:
        """All of it that does not depend on how fast a machine is."""
        places = [(place.agent, place.rank, place.won, place.score, place.expelled) for place in self.places]
        return self.number, self.deal, tuple(places)


def outcome(fixture: Fixture, ranking: Sequence[Standing], record: Record) -> Outcome:
    """The end of a game, as far as it counts."""
    first = sum(row.rank == 1 for row in ranking)
    paces = {note["seat"]: note for note in record.notes if "replies" in note}
    places = []
    for row in sorted(ranking, key=lambda row: row.seat):
        pace = paces.get(row.seat, {})
        replies, seconds = pace.get("replies", 0), pace.get("seconds", 0.0)
        assert isinstance(replies, int)
        assert isinstance(seconds, float | int)
        places.append(
            Place(
                fixture.seats[row.seat - 1],
                row.rank or len(ranking),
                1 / first if row.rank == 1 else 0.0,
                row.score or 0,
                row.fault.reason.value if row.fault else None,
                replies,
                float(seconds),
            )
        )
    return Outcome(fixture.number, fixture.deal, tuple(places))


class Mean(Struct, frozen=True):
    """A mean, and how far off it may be, at 95 %; None if there is too little to tell."""

    value: float
    margin: float | None


class Row(Struct, frozen=True):
    """How one agent did in all its games."""

    agent: int
    games: int
    wins: Mean
    rank: Mean
    score: Mean
    expelled: dict[str, int]
    reply_seconds: float | None


def rows(outcomes: Iterable[Outcome], agents: int) -> list[Row]:
    """One row for each agent, in their order."""
    places: list[list[tuple[int, Place]]] = [[] for _ in range(agents)]
    for ended in sorted(outcomes, key=lambda outcome: outcome.number):
        for place in ended.places:
            places[place.agent].append((ended.deal, place))
    return [_row(agent, theirs) for agent, theirs in enumerate(places)]


def _row(agent: int, places: list[tuple[int, Place]]) -> Row:
    replies = sum(place.replies for _, place in places)
    return Row(
        agent,
        len(places),
        _mean([(deal, place.won) for deal, place in places]),
        _mean([(deal, float(place.rank)) for deal, place in places]),
        _mean([(deal, float(place.score)) for deal, place in places]),
        dict(sorted(Counter(place.expelled for _, place in places if place.expelled).items())),
        sum(place.seconds for _, place in places) / replies if replies else None,
    )


def _mean(values: list[tuple[int, float]]) -> Mean:
    """The mean of these values; its margin by what the deals differ in."""
    if not values:
        return Mean(0.0, None)
    mean = sum(value for _, value in values) / len(values)
    off = dict.fromkeys((deal for deal, _ in values), 0.0)
    for deal, value in values:
        off[deal] += value - mean
    deals = len(off)
    if deals < 2:
        return Mean(mean, None)
    variance = sum(part * part for part in off.values()) * deals / (deals - 1)
    return Mean(mean, student(deals - 1) * sqrt(variance) / len(values))


def student(freedom: int) -> float:
    """Student's 97.5 % point; beyond a table, by Fisher's and Cornish's expansion."""
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    return 1.95996 + 2.37227 / freedom + 2.82249 / freedom**2 + 2.55587 / freedom**3
