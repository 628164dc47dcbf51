"""The data of a report: all figures that the page shows, computed from the config, the games and their records.

Laws: pure; nothing is estimated without an interval that says how far off it may be.
"""

from collections.abc import Iterable, Sequence
from statistics import quantiles

from msgspec import Struct

from wateringhole.tournament.config import TournamentConfig
from wateringhole.tournament.contest import TournamentProgress
from wateringhole.tournament.interval import Mean
from wateringhole.tournament.outcomes import GameOutcome, rows
from wateringhole.tournament.ratings import Luck, Pair, deck_luck, seat_bias
from wateringhole.tournament.record_stats import Expulsion, RecordStats, TraitRow
from wateringhole.tournament.standings import MAX_SHOWN, Standings, StandingsRow, meetings, standings


class EntryData(Struct, frozen=True):
    """What the games tell of one entry. `spread`: the lowest score, 10, 25, 50, 75 and 90 %, the highest; empty if it
    has not played. `likings`: cards of each trait in a game.
    """

    row: StandingsRow
    reproducible: bool
    scores: Sequence[int]
    spread: Sequence[float]
    likings: Sequence[float] | None
    replies: int
    reply_seconds: float | None
    slowest_game_seconds: float | None


class ExpulsionGroup(Struct, frozen=True):
    """Expulsions of one entry for one reason: the first, and how many there are."""

    first: Expulsion
    count: int


class ReportData(Struct, frozen=True):
    """All that is known.

    `names` are in the order of the config, as the numbers of expulsions are; `entries` has the best first. `compared`:
    the two entries that the config compares to stop early. `chance`: the share of the variance of scores that would go
    to the deals if cards did not matter, if there are enough games to tell. `games`: the file of the games as a shell
    names it from the page's folder.
    """

    told: Standings
    names: Sequence[str]
    compared: tuple[str, str] | None
    deals: int
    entries: Sequence[EntryData]
    meetings: Sequence[Sequence[Pair]]
    seats: Sequence[Mean]
    luck: Luck
    chance: float | None
    study: RecordStats
    traits: Sequence[TraitRow]
    expulsions: Sequence[ExpulsionGroup]
    games: str

    @property
    def shown(self) -> Sequence[EntryData]:
        """The entries that have a row in the cross table and the charts."""
        return self.entries[:MAX_SHOWN]


def findings(config: TournamentConfig, progress: TournamentProgress, study: RecordStats, games: str) -> ReportData:
    """All that is to be told."""
    told = standings(config, progress)
    outcomes = progress.outcomes
    shares = deck_luck(outcomes, len(config.entries))
    stop = config.stop
    return ReportData(
        told,
        config.names,
        None if stop is None else (config.names[stop.better], config.names[stop.than]),
        len({ended.deal for ended in outcomes}),
        _entries(config, told, outcomes, study),
        meetings(config, outcomes, [line.name for line in told.standings[:MAX_SHOWN]]),
        seat_bias(outcomes),
        shares,
        _chance(outcomes, shares.deal + shares.rest),
        study,
        sorted(study.traits, key=lambda row: -row.own.value),
        _groups(study.expulsions),
        games,
    )


def reproducible(config: TournamentConfig, entry: int) -> bool:
    """Whether it would play the same again: it is in this process, and its budget is no time."""
    found = config.specs[entry]
    return found.at_hand(config.treatment.in_process) and "ms" not in found.options


def _entries(
    config: TournamentConfig, told: Standings, outcomes: Sequence[GameOutcome], study: RecordStats
) -> list[EntryData]:
    count = len(config.entries)
    scores: list[list[int]] = [[] for _ in range(count)]
    replies = [0] * count
    slowest: list[float | None] = [None] * count
    for place in (place for ended in outcomes for place in ended.places):
        scores[place.agent].append(place.score)
        if place.replies:
            replies[place.agent] += place.replies
            slowest[place.agent] = max(slowest[place.agent] or 0.0, place.seconds / place.replies)
    means = [row.reply_seconds for row in rows(outcomes, count)]
    numbers = {name: entry for entry, name in enumerate(config.names)}
    return [
        EntryData(
            line,
            reproducible(config, entry),
            scores[entry],
            _spread(scores[entry]),
            study.likings[entry],
            replies[entry],
            means[entry],
            slowest[entry],
        )
        for line in told.standings
        for entry in [numbers[line.name]]
    ]


def _spread(scores: Sequence[int]) -> list[float]:
    if len(scores) < 2:
        return [float(score) for score in scores] * 7
    tenths, quarters = (quantiles(scores, n=n, method="inclusive") for n in (10, 4))
    return [min(scores), tenths[0], *quarters, tenths[-1], max(scores)]


def _chance(outcomes: Sequence[GameOutcome], left: float) -> float | None:
    """What of the deals' share, and of all that is left, would be there if the cards did not matter."""
    places = sum(len(ended.places) for ended in outcomes)
    deals = len({ended.deal for ended in outcomes})
    entries = len({place.agent for ended in outcomes for place in ended.places})
    free = places - entries - max((len(ended.places) for ended in outcomes), default=1) + 1
    return None if deals < 2 or free < deals else left * (deals - 1) / free


def _groups(expulsions: Iterable[Expulsion]) -> list[ExpulsionGroup]:
    groups: dict[tuple[int, str], list[Expulsion]] = {}
    for one in expulsions:
        groups.setdefault((one.entry, one.reason), []).append(one)
    return [ExpulsionGroup(theirs[0], len(theirs)) for theirs in groups.values()]
