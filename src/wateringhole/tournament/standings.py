"""The standings: who is where, and by what.

Laws: pure; they depend on the brief and the games that count, so the same games give the same bytes. Nothing in them
depends on how fast a machine is. A knock-out goes by how far everybody came, and how well it did there; all else goes
by strength.
"""

import csv
import io
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from wateringhole.tournament.brief import Brief
from wateringhole.tournament.contest import Course
from wateringhole.tournament.formats import best, lots, merits
from wateringhole.tournament.ratings import Rating, elo, ratings
from wateringhole.tournament.tally import Mean, Row, rows

DIGITS: Final = 6


class Line(Struct, frozen=True):
    """One entry: its place, its strength as an Elo number, and its means; `ahead` is the share of others it beat."""

    place: int
    name: str
    agent: str
    author: str
    games: int
    rounds: int
    elo: float
    low: float | None
    high: float | None
    ahead: float
    wins: Mean
    rank: Mean
    score: Mean
    expelled: dict[str, int]


class Stopped(Struct, frozen=True):
    """What is known of the two in question: who is better, or nobody yet, and by how much from -1 to 1."""

    better: str | None
    lead: float
    deals: int
    confidence: float


class Standings(Struct, frozen=True):
    """The standings of a tournament, now or at its end."""

    title: str
    seed: str
    format: str
    table: int
    games: int
    planned: int
    over: bool
    stop: Stopped | None
    standings: tuple[Line, ...]


def standings(brief: Brief, course: Course) -> Standings:
    """Who is where."""
    outcomes = course.outcomes
    entries = len(brief.entries)
    ahead = merits(outcomes)
    strengths, table = ratings(outcomes, entries), rows(outcomes, entries)
    played = [{place.agent for ended in part for place in ended.places} for part in course.rounds]
    lines = []
    for place, entry in enumerate(_order(brief, course, strengths), 1):
        rounds = sum(entry in agents for agents in played)
        share = float(ahead[entry][0]) if entry in ahead else 0.0
        lines.append(_line(brief, place, strengths[entry], table[entry], rounds, share))
    return Standings(
        brief.title,
        brief.seed,
        brief.format,
        brief.table,
        len(outcomes),
        course.planned,
        course.over,
        _stopped(brief, course),
        tuple(lines),
    )


def as_json(told: Standings) -> bytes:
    """One JSON object on one line."""
    return msgspec.json.encode(told) + b"\n"


def as_csv(told: Standings) -> str:
    """A line for each entry, below the names of the columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    means = ("wins", "rank", "score")
    plain = ("place", "name", "agent", "author", "games", "rounds", "elo", "low", "high", "ahead")
    writer.writerow((*plain, *(part for mean in means for part in (mean, f"{mean}_margin")), "expelled"))
    for line in told.standings:
        values: list[object] = [getattr(line, name) for name in plain]
        for mean in (line.wins, line.rank, line.score):
            values += [mean.value, mean.margin]
        writer.writerow([*values, " ".join(f"{reason}:{count}" for reason, count in line.expelled.items())])
    return text.getvalue()


def _order(brief: Brief, course: Course, strengths: Sequence[Rating]) -> list[int]:
    """The entries, the best first."""
    drawn = lots(brief)
    by_strength = sorted(drawn, key=lambda entry: -round(strengths[entry].strength, DIGITS))
    if brief.format != "knock-out":
        return by_strength
    order: list[int] = []
    for part in reversed(course.rounds):
        order += [entry for entry in best(part, drawn) if entry not in order]
    return order + [entry for entry in by_strength if entry not in order]


def _line(brief: Brief, place: int, rating: Rating, row: Row, rounds: int, ahead: float) -> Line:
    entry = brief.entries[row.agent]
    low, high = (None if end is None else _rounded(elo(end)) for end in (rating.low, rating.high))
    return Line(
        place,
        entry.name,
        entry.agent,
        entry.author,
        row.games,
        rounds,
        _rounded(rating.elo),
        low,
        high,
        _rounded(ahead),
        _mean(row.wins),
        _mean(row.rank),
        _mean(row.score),
        row.expelled,
    )


def _stopped(brief: Brief, course: Course) -> Stopped | None:
    if brief.stop is None or course.verdict is None:
        return None
    better = course.verdict.better
    name = None if better is None else brief.entries[better].name
    return Stopped(name, course.verdict.lead, course.verdict.deals, brief.stop.confidence)


def _mean(mean: Mean) -> Mean:
    return Mean(_rounded(mean.value), None if mean.margin is None else _rounded(mean.margin))


def _rounded(value: float) -> float:
    return round(value, DIGITS)
