"""The data of a report: the config, the games, statistics of their records, and the charts.

Laws: a function of the brief, the games and their records.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from wateringhole.tournament.config import TournamentConfig
from wateringhole.tournament.contest import Course
from wateringhole.tournament.outcomes import GameOutcome
from wateringhole.tournament.record_stats import RecordStats, TraitRow
from wateringhole.tournament.report import charts
from wateringhole.tournament.report.charts import Chart
from wateringhole.tournament.standings import MAX_SHOWN, Standings, standings


class ReportData(Struct, frozen=True):
    """All that is known. `games`: the file of the games as a shell names it from the page's folder; the charts are
    by section.
    """

    config: TournamentConfig
    outcomes: Sequence[GameOutcome]
    told: Standings
    study: RecordStats
    games: str
    charts: Mapping[str, Chart]

    @property
    def order(self) -> list[int]:
        """The entries, the best first."""
        places = {entry: at for at, entry in enumerate(self.config.names)}
        return [places[line.name] for line in self.told.standings]

    @property
    def scores(self) -> list[list[int]]:
        """The scores of each entry, in the order of the brief."""
        found: list[list[int]] = [[] for _ in self.config.entries]
        for ended in self.outcomes:
            for place in ended.places:
                found[place.agent].append(place.score)
        return found

    @property
    def traits(self) -> list[TraitRow]:
        """The traits, those first with which entries win more than else."""
        return sorted(self.study.traits, key=lambda row: -row.own.value)


def findings(config: TournamentConfig, course: Course, study: RecordStats, games: str) -> ReportData:
    """All that is to be told."""
    bare = ReportData(config, course.outcomes, standings(config, course), study, games, {})
    return replace(bare, charts=_charts(bare))


def reproducible(config: TournamentConfig, entry: int) -> bool:
    """Whether it would play the same again: it is in this process, and its budget is no time."""
    found = config.specs[entry]
    return found.at_hand(config.treatment.in_process) and "ms" not in found.options


def _charts(of: ReportData) -> dict[str, Chart]:
    shown, scores = of.told.standings[:MAX_SHOWN], of.scores
    return {
        "standings": charts.strengths(shown),
        "scores": charts.scores([line.name for line in shown], [scores[entry] for entry in of.order[:MAX_SHOWN]]),
        "traits": charts.traits(of.traits),
    }
