"""`match`: the same agents play many games, with the same deals for everybody."""

import json
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from wateringhole.cli import Complaint
from wateringhole.cli.agents import checked_jobs, named_agents, treatment, treatment_options
from wateringhole.cli.game import checked_seed
from wateringhole.cli.show import plain
from wateringhole.dealer import FEWEST_PLAYERS, MOST_PLAYERS
from wateringhole.seeds import drawn_secret
from wateringhole.tournament.journal import Plan, RunError, secret_of
from wateringhole.tournament.run import run
from wateringhole.tournament.schedule import rotations
from wateringhole.tournament.tally import Mean, Row, rows

MOST_GAMES: Final = 10_000_000


@click.command()
@click.argument("agents", nargs=-1, required=True, metavar="AGENT...")
@click.option("--games", type=int, default=100, show_default=True, help="How many games.")
@click.option("--seed", help="For experiments: a text or number that fixes all decks and every agent's dice.")
@click.option("--jobs", type=int, default=None, help="Games at once, each in a process; as many as there are CPUs.")
@click.option("--out", type=click.Path(path_type=Path), help="Keep records and results here; go on if there are some.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of the table.")
@treatment_options
def match(
    agents: tuple[str, ...],
    games: int,
    seed: str | None,
    jobs: int | None,
    out: Path | None,
    as_json: bool,
    time_text: str,
    in_process: bool,
    limit_memory: int,
) -> None:
    """Let 3 to 8 AGENTs play many games at one table, and show how they did.

    \b
    wateringhole match silly rash rash
    wateringhole match py:bot.py:Bot silly silly --games 400 --seed 7 --out results
    wateringhole match 'cmd:./bot' 'cmd:node other.mjs' silly --jobs 2 --time 1

    Every deal is played once for each agent, with everybody one seat further each time: a number of games that is a
    multiple of the number of agents is fair. The intervals are 95 % over deals. Who is expelled is last, with 0 points.

    Ctrl-C ends it; the same command with the same --out goes on where it was. Without a --seed a secret is drawn, which
    is shown at the end: given as --seed, it gives the same results for any number of --jobs, as long as the agents play
    the same. An agent that guesses a --seed such as 7 knows every deck.
    """
    if not FEWEST_PLAYERS <= len(agents) <= MOST_PLAYERS:
        raise Complaint(f"{len(agents)} agents, but a game takes {FEWEST_PLAYERS} to {MOST_PLAYERS}")
    if not 1 <= games <= MOST_GAMES:
        raise Complaint(f"--games {games}: not a number from 1 to {MOST_GAMES}")
    specs = named_agents(agents)
    jobs = checked_jobs(jobs, any(found.alone for found in specs))
    if seed is None and out is None:
        seed = drawn_secret()  # nothing is kept, so nothing can be resumed
    plan = Plan(agents, None if seed is None else checked_seed(seed), treatment(time_text, in_process, limit_memory))
    names = [found.label(number) for number, found in enumerate(specs, 1)]
    console = Console(stderr=True)
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("games", total=games)
        try:
            outcomes = run(plan, rotations(range(len(agents)), games), jobs, out, lambda _: progress.advance(bar))
        except (RunError, ValueError) as error:
            raise Complaint(str(error)) from None
    table = rows(outcomes, len(agents))
    seed = secret_of(plan, out)
    if as_json:
        print(json.dumps({"seed": seed, "games": len(outcomes), "agents": [_data(agents[r.agent], r) for r in table]}))
        return
    Console(highlight=False).print(_shown(names, table))
    print(f"seed: {seed}")


def _data(agent: str, row: Row) -> dict[str, object]:
    data: dict[str, object] = msgspec.to_builtins(row)
    return {**data, "agent": agent}


def _shown(names: list[str], table: list[Row]) -> Table:
    shown = Table(box=None, padding=(0, 2, 0, 0))
    shown.add_column("agent", overflow="fold")
    for column in ("games", "wins %", "rank", "score", "ms/reply"):
        shown.add_column(column, justify="right")
    shown.add_column("expelled")
    for row in sorted(table, key=lambda row: -row.wins.value):
        shown.add_row(
            plain(names[row.agent]),
            str(row.games),
            _interval(Mean(100 * row.wins.value, None if row.wins.margin is None else 100 * row.wins.margin), 1),
            _interval(row.rank, 2),
            _interval(row.score, 1),
            "" if row.reply_seconds is None else f"{1_000 * row.reply_seconds:.2f}",
            plain(", ".join(f"{reason} {count}" for reason, count in row.expelled.items())),
        )
    return shown


def _interval(mean: Mean, digits: int) -> str:
    margin = "" if mean.margin is None else f" ± {mean.margin:.{digits}f}"
    return f"{mean.value:.{digits}f}{margin}"
