"""What came of many games.

Laws: pure; the order in which games were finished does not matter.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from wateringhole.events import Standing
from wateringhole.record import Record
from wateringhole.tournament.interval import Mean, mean
from wateringhole.tournament.schedule import Fixture


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
    last = 2
    places: list[list[tuple[int, Place]]] = [[] for _ in range(agents)]
    for ended in sorted(outcomes, key=lambda outcome: outcome.number):
        last = max(last, len(ended.places))
        for place in ended.places:
            places[place.agent].append((ended.deal, place))
    return [_row(agent, theirs, last) for agent, theirs in enumerate(places)]


def _row(agent: int, places: list[tuple[int, Place]], last: int) -> Row:
    replies = sum(place.replies for _, place in places)
    return Row(
        agent,
        len(places),
        mean([(deal, place.won) for deal, place in places], 0, 1),
        mean([(deal, float(place.rank)) for deal, place in places], 1, last),
        mean([(deal, float(place.score)) for deal, place in places], 0),
        dict(sorted(Counter(place.expelled for _, place in places if place.expelled).items())),
        sum(place.seconds for _, place in places) / replies if replies else None,
    )
