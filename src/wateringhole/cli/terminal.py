"""Prints a game on a terminal, turn by turn."""

from collections.abc import Iterable, Mapping
from typing import Final

from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from wateringhole import events
from wateringhole.dealer import new_game, pending
from wateringhole.events import Event, Standing, described, sentence
from wateringhole.game import Game
from wateringhole.record import Record, walk
from wateringhole.rules.turn import ranking
from wateringhole.wire.names import printable

LAST_LINES: Final = 20

_DETAILS = (events.BoardGiven, events.CardsDealt, events.Ate, events.FatMoved, events.FatStored, events.OutOfOptions)

_STYLES: dict[type[Event], str] = {
    events.TurnStarted: "bold cyan",
    events.Attacked: "yellow",
    events.Extinct: "magenta",
    events.Expelled: "bold red",
}


def show(record: Record, console: Console, story: bool = False, steps: int | None = None) -> None:
    """Print the game, or its first steps: what happened, the boards once the cards are revealed, the ranking."""
    game = new_game(record.names, record.deck, record.watering_hole, listen=True)
    tell(game, console, story)
    choosing = True
    for moment in walk(game, record.replies[:steps]):
        tell(game, console, story)
        if choosing and moment.phase != "choose":
            console.print(boards(game))
            choosing = False
        if moment.phase == "turn over":
            choosing = True
    tell(game, console, story)
    if game.phase == "over":
        console.print()
        console.print(standings(ranking(game)))
    else:
        seats = ", ".join(game.name(seat) for seat in pending(game))
        console.print(boards(game))
        console.print(plain(f"Turn {game.turn} waits for {seats} to {game.phase}."))


def tell(game: Game, console: Console, story: bool) -> None:
    """Print what was told since the last time."""
    for event in game.hear():
        if isinstance(event, events.GameOver) or not (story or notable(event)):
            continue
        if isinstance(event, events.TurnStarted):
            console.print()
        console.print(plain(sentence(event, game.name), _STYLES.get(type(event), "")))


def notable(event: Event) -> bool:
    """Whether an event is printed without --story: the boards show the rest."""
    if isinstance(event, events.Starved):
        return event.population > 0
    return not isinstance(event, _DETAILS)


def boards(game: Game) -> Table:
    """The boards of all players, in turn order."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("player", "boards", "hand", "bag"):
        table.add_column(column)
    for player in game.players.values():
        lines = "\n".join(described(board) for board in player.species) or "none"
        table.add_row(plain(game.name(player.seat)), plain(lines), str(len(player.hand)), str(player.bag))
    return table


def standings(rows: tuple[Standing, ...]) -> Table:
    """The ranking, the expelled last."""
    table = Table(title="Ranking", title_style="bold cyan", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for column in ("rank", "player", "score", ""):
        table.add_column(column)
    for row in rows:
        rank, score = str(row.rank or "-"), "-" if row.score is None else str(row.score)
        expelled = f"expelled ({row.fault.reason}): {row.fault.text}" if row.fault else ""
        table.add_row(rank, plain(row.name), score, plain(expelled))
    return table


class CountBar(Progress):
    """A bar on the terminal. The count is read when it is drawn: a run counts thousands a second."""

    def __init__(self, what: str, total: int) -> None:
        console = Console(stderr=True)
        columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._done = 0
        super().__init__(*columns, console=console, transient=True, disable=not console.is_terminal)
        self.add_task(what, total=total)

    def count(self) -> None:
        """One more."""
        self._done += 1

    def get_renderables(self) -> Iterable[RenderableType]:
        for task in self.task_ids:
            self.update(task, completed=self._done)
        return super().get_renderables()


def plain(text: str, style: str = "") -> Text:
    """Text that cannot move the cursor or colour the screen, whatever a name contains."""
    return Text(printable(text, kept="\n"), style=style)


def expulsions(name: str, reasons: Mapping[str, int]) -> Text:
    """How often an agent was expelled, by reason."""
    return plain(f"expelled: {name}: {', '.join(f'{reason} {count}' for reason, count in reasons.items())}")


def show_stderr(console: Console, stderr: str) -> None:
    """The last lines that a program wrote to its standard error; its author looks for the cause there."""
    for line in stderr.splitlines()[-LAST_LINES:]:
        console.print(plain(f"  | {line}"), soft_wrap=True)
