"""Prints tournaments on a terminal: live standings, the table, the cross table, trials of entries."""

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from rich.cells import cell_len
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from wateringhole.cli.terminal import expulsions, plain, show_stderr
from wateringhole.tournament.config import TournamentConfig
from wateringhole.tournament.contest import TournamentProgress
from wateringhole.tournament.entries import EntryTrial
from wateringhole.tournament.formats import planned
from wateringhole.tournament.outcomes import GameOutcome
from wateringhole.tournament.ratings import Pair
from wateringhole.tournament.standings import (
    MAX_SHOWN,
    Standings,
    StandingsRow,
    as_json,
    interval,
    meetings,
    only,
    percent,
    share,
    standings,
    summary,
    too_few,
)

SHOWN_LIVE: Final = 12


MAX_NAME: Final = 20
"""So wide is a name beside a cross table, before it is folded."""


def show_trials(tried: Sequence[EntryTrial]) -> None:
    console = Console(highlight=False)
    for trial in tried:
        if trial.reason is not None:
            says = f"{trial.reason}: {trial.text}"
        else:
            says = "not tried: a person" if trial.seconds is None else f"ok, {1_000 * trial.seconds:.0f} ms"
        line = plain_line(f"{trial.name}: {trial.agent}: {says}", "" if trial.fine else "red")
        console.print(line, soft_wrap=True)
        show_stderr(console, trial.stderr)


def plain_line(text: str, style: str = "") -> Text:
    """One line that can be shown, whatever the name of an agent contains."""
    return plain(" ".join(text.split()), style)


def tell_progress(config: TournamentConfig, ended: TournamentProgress, as_data: bool) -> None:
    told = standings(config, ended)
    if as_data:
        sys.stdout.write(as_json(told).decode())
        return
    console = Console(highlight=False)
    console.print(plain(told.title, "bold"))
    console.print(_table(told))
    for line in told.standings:
        if line.expelled:
            console.print(expulsions(line.name, line.expelled))
    if few := too_few(told):
        console.print(few)
    for part in _crossed(told, cross(config, ended, told), console.width):
        console.print(part)
    if left_out := only(told):
        console.print(left_out)
    console.print(plain(_summary(config, told)))


def cross(config: TournamentConfig, progress: TournamentProgress, told: Standings) -> list[list[Pair]]:
    return meetings(config, progress.outcomes, [line.name for line in told.standings[:MAX_SHOWN]])


def _table(told: Standings) -> Table:
    shown = Table(box=None, padding=(0, 2, 0, 0))
    shown.add_column("", justify="right")
    shown.add_column("entry", overflow="fold")
    for column in ("games", "Elo", "wins %", "rank", "score"):
        shown.add_column(column, justify="right", no_wrap=True)
    for line in told.standings:
        shown.add_row(
            str(line.place),
            plain(line.name),
            str(line.games),
            interval(line.strength, 0),
            interval(percent(line.wins), 1),
            f"{line.rank.value:.2f}",
            f"{line.score.value:.1f}",
        )
    return shown


def _crossed(told: Standings, cross: Sequence[Sequence[Pair]], width: int) -> Iterator[Table]:
    """How often the row is ahead of the column, both by their places; in parts, if it is wider than this."""
    lines = told.standings[: len(cross)]
    cells = [[share(pair, with_interval=False) for pair in row] for row in cross]
    name = min(MAX_NAME, max(len("ahead of, %"), *(cell_len(line.name) for line in lines)))
    cell = max(len(text) for text in (*(str(line.place) for line in lines), *chain(*cells)))
    room = max(1, (width - name - len(str(len(lines))) - 2) // (cell + 1))
    parts = -(-len(lines) // room)
    size = -(-len(lines) // parts)
    for first in range(0, len(lines), size):
        yield _crossed_part(lines, cells, slice(first, first + size))


def _crossed_part(lines: Sequence[StandingsRow], cells: Sequence[Sequence[str]], part: slice) -> Table:
    shown = Table(box=None, padding=(0, 1, 0, 0))
    shown.add_column("", justify="right", no_wrap=True)
    shown.add_column("ahead of, %", overflow="fold", max_width=MAX_NAME)
    for line in lines[part]:
        shown.add_column(str(line.place), justify="right", no_wrap=True)
    for line, row in zip(lines, cells, strict=True):
        shown.add_row(str(line.place), plain(line.name), *row[part])
    return shown


def _summary(config: TournamentConfig, told: Standings) -> str:
    """The lines below the table: how much was played, and the verdict of the stopping rule."""
    says = summary(told)
    if told.stop is None or config.stop is None:
        return says
    one, other = config.entries[config.stop.better].name, config.entries[config.stop.than].name
    if told.stop.better is None:
        return f"{says}\nafter {told.stop.deals} deals together it is open whether {one} is better than {other}"
    worse = other if told.stop.better == one else one
    sure = f"at {told.stop.confidence:.6g} confidence"
    return f"{says}\nafter {told.stop.deals} deals together {told.stop.better} is better than {worse}, {sure}"


class _Rate(ProgressColumn):
    """How many games a second, lately or since it began; `old` ones were played before."""

    def render(self, task: Task) -> Text:
        fresh = task.completed - task.fields["old"]
        speed = task.speed or (fresh / task.elapsed if task.elapsed else 0)
        return Text(f"{speed:.3g} games/s" if speed else "")


class LiveStandings:
    """What a terminal shows while games are played: a bar, and the leading entries."""

    def __init__(self, config: TournamentConfig) -> None:
        self._config = config
        self._games = [0] * len(config.entries)
        self._ahead = [0.0] * len(config.entries)
        self._console = Console(stderr=True)
        columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=self._console)
        self._planned = planned(config)
        self._bar = self._progress.add_task("games", total=self._planned, old=0)
        self.done = 0

    def resumed(self, old: Iterable[GameOutcome]) -> None:
        """Count games of an earlier run; they do not enter the rate."""
        for ended in old:
            if ended.number < self._planned:
                self.heard(ended)
        self._progress.reset(self._bar, completed=self.done, old=self.done)

    @contextlib.contextmanager
    def live(self) -> Iterator[None]:
        if not self._console.is_terminal:
            yield
            return
        with Live(get_renderable=self._drawn, console=self._console, transient=True, refresh_per_second=2):
            yield

    def heard(self, ended: GameOutcome) -> None:
        """Count a new game."""
        self.done += 1
        if ended.void:
            return
        seats = len(ended.places)
        for place in ended.places:
            beaten = sum((place.rank < o.rank) + (place.rank == o.rank) / 2 for o in ended.places) - 0.5
            self._games[place.agent] += 1
            self._ahead[place.agent] += beaten / (seats - 1)

    def _drawn(self) -> Group:
        shares = [ahead / games if games else 0.0 for ahead, games in zip(self._ahead, self._games, strict=True)]
        order = sorted(range(len(shares)), key=lambda entry: -shares[entry])
        shown = Table(box=None, padding=(0, 2, 0, 0))
        shown.add_column("entry", overflow="ellipsis", no_wrap=True)
        shown.add_column("games", justify="right")
        shown.add_column("ahead of %", justify="right")
        for entry in order[:SHOWN_LIVE]:
            name = plain(self._config.entries[entry].name)
            shown.add_row(name, str(self._games[entry]), f"{100 * shares[entry]:.1f}")
        self._progress.update(self._bar, completed=self.done)
        return Group(shown, self._progress.get_renderable())
