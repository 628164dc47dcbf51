"""What came of many games.

Laws: pure; the order in which games were finished does not matter.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Final

from msgspec import Struct

from wateringhole.events import Standing
from wateringhole.record import Record
from wateringhole.tournament.interval import Mean, mean
from wateringhole.tournament.schedule import Fixture

_SEAT: Final = attrgetter("seat")


class Place(Struct, frozen=True, gc=False, array_like=True):
    """How one agent came off in one game. Who is expelled is last and has no points."""

    agent: int
    rank: int
    won: float
    score: int
    expelled: str | None = None
    replies: int = 0
    microseconds: int = 0

    @property
    def seconds(self) -> float:
        """How long it took for its replies."""
        return self.microseconds / 1_000_000


class Outcome(Struct, frozen=True, gc=False, array_like=True):
    """How one game ended, seat by seat. `void`: why it does not count, a sentence; it is only accounted for."""

    number: int
    deal: int
    places: tuple[Place, ...]
    void: str = ""

    @property
    def truth(self) -> tuple[object, ...]:
        """All of it that does not depend on how fast a machine is."""
        places = [(place.agent, place.rank, place.won, place.score, place.expelled) for place in self.places]
        return self.number, self.deal, tuple(places), self.void


def outcome(fixture: Fixture, ranking: Sequence[Standing], record: Record, void: str = "") -> Outcome:
    """The end of a game, as far as it counts."""
    first = sum(row.rank == 1 for row in ranking)
    paces = {note["seat"]: (note["replies"], note["seconds"]) for note in record.notes if "replies" in note}
    places = []
    for row in sorted(ranking, key=_SEAT):
        replies, seconds = paces.get(row.seat, (0, 0.0))
        assert isinstance(replies, int)
        assert isinstance(seconds, (float, int))  # a union takes longer
        places.append(
            Place(
                fixture.seats[row.seat - 1],
                row.rank or len(ranking),
                1 / first if row.rank == 1 else 0.0,
                row.score or 0,
                row.fault.reason.value if row.fault else None,
                replies,
                round(1_000_000 * seconds),
            )
        )
    return Outcome(fixture.number, fixture.deal, tuple(places), void)


def counted(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The games that count."""
    return [ended for ended in outcomes if not ended.void]


def voided(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How many games do not count, by the reason."""
    return dict(sorted(Counter(ended.void for ended in outcomes if ended.void).items()))


def void_games(void: Mapping[str, int]) -> list[str]:
    """What is to be said of the games that do not count."""
    return [f"{count:,} void ({why})" for why, count in void.items()]


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
        sum([place.microseconds for _, place in places]) / replies / 1_000_000 if replies else None,
    )
