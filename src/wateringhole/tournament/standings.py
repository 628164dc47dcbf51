"""The standings: who is where, and by what, and who is ahead of whom.

Laws: pure; they depend on the brief and the games that count, so the same games give the same bytes. Nothing in them
depends on how fast a machine is. A knock-out goes by how far everybody came, and how well it did there; all else goes
by strength.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import exp, log
from typing import Final

import msgspec
from msgspec import Struct

from wateringhole.tournament.brief import Brief
from wateringhole.tournament.contest import Course
from wateringhole.tournament.formats import best, lots, merits
from wateringhole.tournament.ratings import Rating, cross_table, elo, ratings
from wateringhole.tournament.tally import Mean, Outcome, Place, Row, rows

DIGITS: Final = 6
MARKUP: Final = str.maketrans({char: f"\\{char}" for char in "\\`*_[]<>|~&#!$"})
"""What Markdown takes for more than a character."""


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

    @property
    def strength(self) -> Mean:
        """The Elo number with its margin, which is the same both ways."""
        return Mean(self.elo, None if self.low is None or self.high is None else (self.high - self.low) / 2)


class Meeting(Struct, frozen=True):
    """How often the one was ahead of the other, and how far off that may be at 95 %; a tie is half a win for both."""

    share: float | None
    margin: float | None
    games: int


class Stopped(Struct, frozen=True):
    """What is known of the two in question: who is better, or nobody yet, and by how much from -1 to 1."""

    better: str | None
    lead: float
    deals: int
    confidence: float


class Standings(Struct, frozen=True):
    """The standings of a tournament, now or at its end."""

    title: str
    seed: str | None
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
        brief.secret if brief.seed is None and course.over else brief.seed,
        brief.format,
        brief.table,
        len(outcomes),
        course.planned,
        course.over,
        _stopped(brief, course),
        tuple(lines),
    )


def meetings(brief: Brief, outcomes: Sequence[Outcome], order: Sequence[str]) -> list[list[Meeting]]:
    """Who is ahead of whom: a row for each of these names, with what came of it against each, in the same order."""
    at = [brief.names.index(name) for name in order]
    pairs = cross_table(outcomes, len(brief.entries))
    margins = _margins(outcomes, len(brief.entries))
    return [
        [
            Meeting(pairs[one][other].share, margins.get((min(one, other), max(one, other))), pairs[one][other].games)
            for other in at
        ]
        for one in at
    ]


def as_markdown(told: Standings, cross: Sequence[Sequence[Meeting]]) -> str:
    """The standings and the cross table as Markdown, whatever entries are called."""
    text = f"# {_escaped(told.title)}\n\n"
    text += _markdown_row(["", "entry", "games", "Elo", "wins %", "rank", "score"])
    text += _markdown_row(["---:", "---", *["---:"] * 5])
    for line in told.standings:
        means = [
            interval(line.strength, 0),
            interval(percent(line.wins), 1),
            interval(line.rank, 2),
            interval(line.score, 1),
        ]
        text += _markdown_row([str(line.place), _escaped(line.name), f"{line.games:,}", *means])
    text += "\nHow often the row is ahead of the column, in %:\n\n"
    text += _markdown_row(["", "", *(str(line.place) for line in told.standings)])
    text += _markdown_row(["---:", "---", *["---:"] * len(cross)])
    for line, row in zip(told.standings, cross, strict=True):
        text += _markdown_row([str(line.place), _escaped(line.name), *map(met, row)])
    return f"{text}\n{_escaped(summary(told))}\n"


def summary(told: Standings) -> str:
    """What was played, in a sentence."""
    seed = "the seed is secret until it is over" if told.seed is None else f"seed: {told.seed}"
    over = "over" if told.over else f"not over, {told.planned:,} games are planned"
    return f"{told.format}, tables of {told.table}, {told.games:,} games, {over}; {seed}"


def interval(mean: Mean, digits: int) -> str:
    """A mean with its margin, if there is one: none can be told from deals that all came to the same."""
    return f"{mean.value:.{digits}f}" + (f" ± {mean.margin:.{digits}f}" if mean.margin else "")


def percent(share: Mean) -> Mean:
    return Mean(100 * share.value, None if share.margin is None else 100 * share.margin)


def met(meeting: Meeting) -> str:
    """In per cent how often the one was ahead, with the margin; nothing if they have not met."""
    if meeting.share is None:
        return ""
    return interval(percent(Mean(meeting.share, meeting.margin)), 1)


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


def _margins(outcomes: Iterable[Outcome], entries: int) -> dict[tuple[int, int], float | None]:
    """For each two who met, how far off their share may be, by what the deals differ in: as if the pairs had played."""
    numbers = {pair: number for number, pair in enumerate(combinations(range(entries), 2))}
    games = [
        Outcome(
            ended.number,
            ended.deal,
            tuple(
                Place(numbers[one.agent, other.agent], 0, (one.rank < other.rank) + (one.rank == other.rank) / 2, 0)
                for one, other in combinations(sorted(ended.places, key=lambda place: place.agent), 2)
            ),
        )
        for ended in outcomes
    ]
    deals = _deals(games, len(numbers))
    found = zip(numbers.items(), rows(games, len(numbers)), strict=True)
    return {pair: _margin(row.wins, deals[number]) for (pair, number), row in found if row.games}


def _deals(games: Iterable[Outcome], pairs: int) -> list[int]:
    """With how many deals each pair has met."""
    deals: list[set[int]] = [set() for _ in range(pairs)]
    for ended in games:
        for place in ended.places:
            deals[place.agent].add(ended.deal)
    return [len(of) for of in deals]


def _margin(share: Mean, deals: int) -> float | None:
    """Where all deals came to the same, one that does not is as rare as not to have come with 95 %, or rarer."""
    if share.value in {0.0, 1.0} and deals > 1:
        return 1 - exp(log(0.05) / deals)
    return share.margin


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _escaped(text: str) -> str:
    """A text on one line of Markdown, where it means nothing but itself."""
    kept = "".join(char if char.isprintable() else "?" for char in text)
    return kept.translate(MARKUP).replace("://", "\\://")  # or some would make a link of it


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
