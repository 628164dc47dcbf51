"""Standings of a tournament: places, Elo numbers, means, and the cross table.

Laws: pure; they depend on the config and the games that count, so the same games give the same bytes. Nothing in them
depends on how fast a machine is. A knock-out is ordered by the round that each entry reached, and its result there; all
other formats by strength.
"""

import io
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from wateringhole.external.play_specs import sandbox_told
from wateringhole.tournament.config import TournamentConfig
from wateringhole.tournament.contest import TournamentProgress
from wateringhole.tournament.formats import best, lots, merits
from wateringhole.tournament.interval import MIN_DEALS, Mean, estimate
from wateringhole.tournament.outcomes import AgentRow, GameOutcome, rows, void_games
from wateringhole.tournament.ratings import Pair, Rating, cross_table, ratings
from wateringhole.wire.csv_table import write_csv
from wateringhole.wire.names import markdown_text

DIGITS: Final = 6
MAX_SHOWN: Final = 40
"""So many entries have a row in the cross table and the charts."""
MAX_INTERVALS: Final = 10
"""So many columns of a cross table in Markdown have room for intervals."""


class StandingsRow(Struct, frozen=True):
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
        """The Elo number with its interval."""
        return estimate(self.elo, self.low, self.high)


class Stopped(Struct, frozen=True):
    """The verdict of the stopping rule: which of the two is better, if that is known, and by how much from -1 to 1."""

    better: str | None
    lead: float
    deals: int
    confidence: float


class Standings(Struct, frozen=True):
    """The standings of a tournament, now or at its end. `void`: how many games do not count, by the reason."""

    title: str
    seed: str | None
    format: str
    table: int
    games: int
    planned: int
    over: bool
    void: dict[str, int]
    sandbox: str | None
    stop: Stopped | None
    standings: tuple[StandingsRow, ...]


def standings(config: TournamentConfig, progress: TournamentProgress) -> Standings:
    """The standings after the games so far."""
    outcomes = progress.outcomes
    entries = len(config.entries)
    ahead = merits(outcomes)
    strengths, table = ratings(outcomes, entries), rows(outcomes, entries)
    played = [{place.agent for ended in part for place in ended.places} for part in progress.rounds]
    lines = []
    for place, entry in enumerate(_order(config, progress, strengths), 1):
        rounds = sum(entry in agents for agents in played)
        share = float(ahead[entry][0]) if entry in ahead else 0.0
        lines.append(_line(config, place, strengths[entry], table[entry], rounds, share))
    return Standings(
        config.title,
        config.secret if config.seed is None and progress.over else config.seed,
        config.format,
        config.table,
        len(outcomes),
        progress.planned,
        progress.over,
        progress.void,
        sandbox_told(config.treatment, config.specs),
        _stopped(config, progress),
        tuple(lines),
    )


def meetings(config: TournamentConfig, outcomes: Sequence[GameOutcome], order: Sequence[str]) -> list[list[Pair]]:
    """The cross table: a row for each of these names, with its result against each, in the same order."""
    at = [config.names.index(name) for name in order]
    pairs = cross_table(outcomes, len(config.entries))
    return [[pairs[one][other] for other in at] for one in at]


def as_markdown(told: Standings, cross: Sequence[Sequence[Pair]]) -> str:
    """The standings and the cross table as Markdown, whatever entries are called."""
    text = f"# {markdown_text(told.title)}\n\n"
    text += _markdown_row(["", "entry", "games", "Elo", "wins %", "rank", "score"])
    text += _markdown_row(["---:", "---", *["---:"] * 5])
    for line in told.standings:
        means = [
            interval(line.strength, 0),
            interval(percent(line.wins), 1),
            interval(line.rank, 2),
            interval(line.score, 1),
        ]
        text += _markdown_row([str(line.place), markdown_text(line.name), f"{line.games:,}", *means])
    text += f"\n{few}\n" if (few := too_few(told)) else ""
    text += "\nHow often the row is ahead of the column, in %:\n\n"
    shown = told.standings[: len(cross)]
    text += _markdown_row(["", "", *(str(line.place) for line in shown)])
    text += _markdown_row(["---:", "---", *["---:"] * len(cross)])
    for line, row in zip(shown, cross, strict=True):
        cells = [share(pair, len(cross) <= MAX_INTERVALS) for pair in row]
        text += _markdown_row([str(line.place), markdown_text(line.name), *cells])
    text += f"\n{left_out}\n" if (left_out := only(told)) else ""
    return f"{text}\n{markdown_text(summary(told))}\n"


def only(told: Standings) -> str:
    """A sentence if the cross table and the charts leave entries out; else nothing."""
    return f"Only the first {MAX_SHOWN} entries are shown." if len(told.standings) > MAX_SHOWN else ""


def share(pair: Pair, with_interval: bool) -> str:
    """In whole per cent how often the one was ahead of the other; nothing if they have not met."""
    if pair.share is None:
        return ""
    part = percent(pair.share)
    return interval(part, 0) if with_interval else f"{part.value:.0f}"


def summary(told: Standings) -> str:
    """What was played, in a sentence."""
    seed = "the seed is secret until it is over" if told.seed is None else f"seed: {told.seed}"
    over = "over" if told.over else f"not over, {told.planned:,} games are planned"
    sandbox = "" if told.sandbox is None else f"sandbox: {told.sandbox}; "
    void = "".join(f", {said}" for said in void_games(told.void))
    return f"{told.format}, tables of {told.table}, {told.games:,} games{void}, {over}; {sandbox}{seed}"


def interval(mean: Mean, digits: int) -> str:
    """A mean with its interval, if there is one."""
    ends = between(mean, f".{digits}f")
    return f"{mean.value:.{digits}f} ({ends})" if ends else f"{mean.value:.{digits}f}"


def between(mean: Mean, form: str) -> str:
    """The ends of its interval in this format; nothing if there is none, or if both are the same."""
    if mean.low is None or mean.high is None:
        return ""
    low, high = f"{mean.low:{form}}", f"{mean.high:{form}}"
    return f"{low} to {high}" if low != high else ""


def percent(share: Mean) -> Mean:
    return share.each(lambda part: 100 * part)


def too_few(told: Standings) -> str:
    """A sentence if an entry has played too few deals for an interval; else nothing."""
    few = any(line.games and line.low is None for line in told.standings)
    return f"Entries that have played fewer than {MIN_DEALS} deals have no interval yet." if few else ""


def as_json(told: Standings) -> bytes:
    """One JSON object on one line."""
    return msgspec.json.encode(told) + b"\n"


def as_csv(told: Standings) -> str:
    """A line for each entry, below the names of the columns."""
    text = io.StringIO()
    means, ends = ("wins", "rank", "score"), ("margin", "low", "high")
    plain = ("place", "name", "agent", "author", "games", "rounds", "elo", "low", "high", "ahead")
    columns = (part for mean in means for part in (mean, *(f"{mean}_{end}" for end in ends)))
    rows: list[list[object]] = [[*plain, *columns, "expelled"]]
    for line in told.standings:
        values: list[object] = [getattr(line, name) for name in plain]
        for mean in (line.wins, line.rank, line.score):
            values += [mean.value, mean.margin, mean.low, mean.high]
        rows.append([*values, " ".join(f"{reason}:{count}" for reason, count in line.expelled.items())])
    write_csv(text, rows)
    return text.getvalue()


def _order(config: TournamentConfig, progress: TournamentProgress, strengths: Sequence[Rating]) -> list[int]:
    """The entries, the best first."""
    drawn = lots(config)
    by_strength = sorted(drawn, key=lambda entry: -round(strengths[entry].strength, DIGITS))
    if config.format != "knock-out":
        return by_strength
    order: list[int] = []
    for part in reversed(progress.rounds):
        order += [entry for entry in best(part, drawn) if entry not in order]
    return order + [entry for entry in by_strength if entry not in order]


def _line(
    config: TournamentConfig, place: int, rating: Rating, row: AgentRow, rounds: int, ahead: float
) -> StandingsRow:
    entry = config.entries[row.agent]
    points = _mean(rating.points)
    return StandingsRow(
        place,
        entry.name,
        entry.agent,
        entry.author,
        row.games,
        rounds,
        points.value,
        points.low,
        points.high,
        _rounded(ahead),
        _mean(row.wins),
        _mean(row.rank),
        _mean(row.score),
        row.expelled,
    )


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _stopped(config: TournamentConfig, progress: TournamentProgress) -> Stopped | None:
    if config.stop is None or progress.verdict is None:
        return None
    better = progress.verdict.better
    name = None if better is None else config.entries[better].name
    return Stopped(name, progress.verdict.lead, progress.verdict.deals, config.stop.confidence)


def _mean(mean: Mean) -> Mean:
    return Mean(
        _rounded(mean.value), *(None if part is None else _rounded(part) for part in (mean.margin, mean.low, mean.high))
    )


def _rounded(value: float) -> float:
    return round(value, DIGITS)
