"""The class tournament: the bot of each student, and house bots, as a tournament in the folder of the course.

Laws: another bot, or other terms, are another tournament, with a folder of its own; the same ones go on or are done.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from wateringhole.conformance.kept_results import digest
from wateringhole.course.collecting import COPIES, Collected
from wateringhole.course.config import BOT_PART, ClassBots, CourseConfig, tournament_data
from wateringhole.course.gradebook import DIGITS, BotResult, PartResult
from wateringhole.external.play_specs import Mode
from wateringhole.external.sandbox import Sandbox
from wateringhole.tournament.config import TournamentConfig, read
from wateringhole.tournament.contest import TournamentProgress, begun, contest, job, plan
from wateringhole.tournament.game_worker import Job
from wateringhole.tournament.outcomes import GameOutcome
from wateringhole.tournament.record_stats import study, wanted
from wateringhole.tournament.report.build import html
from wateringhole.tournament.report.data import findings
from wateringhole.tournament.run_journal import open_journal, opened
from wateringhole.tournament.runfile import GAMES
from wateringhole.tournament.standings import StandingsRow, standings
from wateringhole.tournament.worker_processes import processes
from wateringhole.wire.toml_values import toml_text

TOURNAMENTS: Final = "tournaments"
REPORT: Final = "class.html"
CONFIG: Final = "class.toml"
RESULTS: Final = "class.results"


class ClassTournament:
    """A tournament among the students whose submission could be had."""

    def __init__(
        self,
        config: CourseConfig,
        bots: ClassBots,
        collected: Mapping[str, Collected],
        folder: Path,
        sandbox: Sandbox | None,
    ) -> None:
        """Write its config; ConfigError if there can be no such tournament."""
        self._bots = bots
        self._collected = collected
        entered = [student for student in config.students if collected[student.id].failure is None]
        self._report = folder / REPORT
        self._hidden = tuple(str(part.suite.absolute()) for part in config.parts)
        mode: Mode = "off" if sandbox is None else "on"
        share = [] if sandbox is None else [os.path.abspath(path) for path in sandbox.share]
        data = tournament_data(config, bots, entered, f"../../{COPIES}", mode, share)
        hashed = digest([(each.id, collected[each.id].digest) for each in entered], data)
        self._home = folder / TOURNAMENTS / hashed[:12]
        self._home.mkdir(parents=True, exist_ok=True)
        (self._home / CONFIG).write_text(_toml(data), encoding="utf-8")
        self.config: TournamentConfig = read(self._home / CONFIG)

    def play(self, jobs: int, heard: Callable[[GameOutcome], None]) -> TournamentProgress:
        """Play it, or go on with it, and write the report. `heard` also gets the games of an earlier run."""
        out = (self._home / RESULTS).resolve()
        with open_journal(plan(self.config), out) as book:
            config = begun(self.config, book)
            for ended in book.outcomes.values():
                heard(ended)
            with processes(self._job(config, out), jobs) as engine:
                ended_all = contest(config, engine, book, heard)
        chosen = wanted(ended_all.outcomes, config.secret)
        games = out / GAMES
        seen = study(ended_all.outcomes, len(config.entries), chosen, opened(games).record, lambda: None)
        self._report.write_text(html(findings(config, ended_all, seen, str(games))), encoding="utf-8")
        self.config = config
        return ended_all

    def _job(self, config: TournamentConfig, out: Path) -> Job:
        """The job of the processes that play; bots do not see the suites, whatever is shared."""
        made = job(config, str(out.parent), out)
        return replace(made, treatment=replace(made.treatment, hide=(*made.treatment.hide, *self._hidden)))

    def results(self, progress: TournamentProgress) -> dict[str, BotResult]:
        """The result of each student: points for the share of the games in which the bot was not expelled."""
        rows = {row.name: row for row in standings(self.config, progress).standings}
        return {
            student: BotResult(self._played(rows[student]), rows[student].place, len(rows))
            if had.failure is None
            else BotResult(PartResult(BOT_PART, 0, 0, 0.0, self._bots.points, had.failure.value), None, len(rows))
            for student, had in self._collected.items()
        }

    def _played(self, row: StandingsRow) -> PartResult:
        lost = sum(row.expelled.values())
        share = (row.games - lost) / row.games if row.games else 0.0
        reason = max(row.expelled, key=lambda why: row.expelled[why]) if row.expelled else ""
        points = round(self._bots.points * share, DIGITS)
        return PartResult(BOT_PART, row.games - lost, row.games, points, self._bots.points, reason)


def _toml(data: Mapping[str, object]) -> str:
    """The config of a tournament as TOML."""
    lines = [f"{key} = {_toml_value(value)}" for key, value in data.items() if key != "entries"]
    entries = data["entries"]
    assert isinstance(entries, list)
    for entry in entries:
        lines += ["", "[[entries]]", *(f"{key} = {_toml_value(value)}" for key, value in entry.items())]
    return "\n".join([*lines, ""])


def _toml_value(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml_value, value))}]"
    return toml_text(value) if isinstance(value, str) else str(value)
