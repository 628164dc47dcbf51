"""`match`: the same agents play many games, with the same deals for each."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec.structs import replace
from rich.console import Console
from rich.table import Table

from wateringhole.cli import Complaint
from wateringhole.cli.agent_options import (
    checked_jobs,
    checked_seed,
    house_names,
    named_agents,
    settled,
    treatment_options,
    watch_options,
    watched,
)
from wateringhole.cli.terminal import CountBar, expulsions, plain
from wateringhole.dealer import MAX_PLAYERS, MIN_PLAYERS
from wateringhole.external.play_specs import Treatment, sandbox_told
from wateringhole.seeds import drawn_secret
from wateringhole.tournament.interval import MIN_DEALS
from wateringhole.tournament.outcomes import AgentRow, counted, rows, void_games, voided
from wateringhole.tournament.ratings import Rating, ratings
from wateringhole.tournament.run import run
from wateringhole.tournament.run_journal import RunError, RunPlan, secret_of
from wateringhole.tournament.schedule import rotations
from wateringhole.tournament.standings import interval, percent

MAX_GAMES: Final = 10_000_000


@click.command()
@click.argument("agents", nargs=-1, required=True, metavar="AGENT...", shell_complete=house_names)
@click.option("--games", type=int, default=100, show_default=True, help="How many games.")
@click.option("--seed", help="For experiments: a text or number that fixes all decks and every agent's dice.")
@click.option("--jobs", type=int, default=None, help="Games at once, each in a process; as many as there are CPUs.")
@click.option("--out", type=click.Path(path_type=Path), help="Keep records and results here; go on if there are some.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of the table.")
@click.option("--fresh", is_flag=True, help="Start a process for each game of a py: agent, instead of keeping it.")
@watch_options
@treatment_options
def match(
    agents: tuple[str, ...],
    games: int,
    seed: str | None,
    jobs: int | None,
    out: Path | None,
    as_json: bool,
    fresh: bool,
    treated: Treatment,
    show_stderr: bool,
    log_folder: Path | None,
) -> None:
    """Let 3 to 8 AGENTs play many games at one table, and show how they did.

    \b
    wateringhole match silly rash rash
    wateringhole match py:bot.py:Bot silly silly --games 400 --seed 7 --out results
    wateringhole match 'cmd:./bot' 'cmd:node other.mjs' silly --jobs 2 --time 1

    Every deal is played once for each agent, with all agents one seat further each time: a number of games that is a
    multiple of the number of agents is fair. An expelled agent is last, with 0 points. The strongest agent stands
    first: Elo is that of a tournament, with 1500 for the mean of these agents. The intervals in brackets are 95 %, over
    deals, and need 3 deals; --json has those of rank and score, too.

    Ctrl-C ends it; the same command with the same --out goes on where it was. Without a --seed a secret is drawn, which
    is shown at the end: given as --seed, it gives the same results for any number of --jobs, as long as the agents play
    the same. An agent that guesses a --seed such as 7 knows every deck.
    """
    if not MIN_PLAYERS <= len(agents) <= MAX_PLAYERS:
        raise Complaint(f"{len(agents)} agents, but a game takes {MIN_PLAYERS} to {MAX_PLAYERS}")
    if not 1 <= games <= MAX_GAMES:
        raise Complaint(f"--games {games}: not a number from 1 to {MAX_GAMES}")
    specs = named_agents(agents)
    agents = tuple(found.written_out for found in specs)
    jobs = checked_jobs(jobs, any(found.alone for found in specs))
    if seed is None and out is None:
        seed = drawn_secret()  # nothing is kept, so nothing can be resumed
    treated = replace(settled(treated, specs), fresh=fresh)
    plan = RunPlan(agents, None if seed is None else checked_seed(seed), treated)
    names = [found.label(number) for number, found in enumerate(specs, 1)]
    watch = watched(show_stderr, log_folder)
    try:
        with CountBar("games", games) as bar:
            outcomes = run(plan, rotations(range(len(agents)), games), jobs, out, lambda _: bar.count(), watch)
    except (RunError, ValueError) as error:
        raise Complaint(str(error)) from None
    except KeyboardInterrupt:
        if out is not None:
            sys.stderr.write(f"what was played is kept in {plain(str(out))}; the same command goes on\n")
        raise
    valid, void = counted(outcomes), voided(outcomes)
    table, strengths = rows(valid, len(agents)), ratings(valid, len(agents))
    seed = secret_of(plan, out)
    sandbox = sandbox_told(treated, specs)
    if as_json:
        data = [_data(agents[row.agent], row, rating) for row, rating in zip(table, strengths, strict=True)]
        print(json.dumps({"seed": seed, "games": len(outcomes), "void": void, "sandbox": sandbox, "agents": data}))
        return
    shown = Console(highlight=False)
    shown.print(_shown(names, table, strengths))
    for row in table:
        if row.expelled:
            shown.print(expulsions(names[row.agent], row.expelled))
    if watch is None and any(row.expelled and specs[row.agent].foreign for row in table):
        print("--show-stderr shows what they write to standard error, and tracebacks; --log FOLDER logs their messages")
    for said in void_games(void):
        print(plain(said))
    deals = len({ended.deal for ended in valid})
    if deals < MIN_DEALS:
        print(f"too few deals for an interval: {deals}; play at least {MIN_DEALS * len(agents)} games")
    if sandbox is not None:
        print(f"sandbox: {sandbox}")
    print(f"games: {len(outcomes)}, deals: {deals}\nseed: {seed}")


def _data(agent: str, row: AgentRow, rating: Rating) -> dict[str, object]:
    data: dict[str, object] = msgspec.to_builtins(row)
    points = rating.points
    return {**data, "elo": points.value, "low": points.low, "high": points.high, "agent": agent}


def _shown(names: Sequence[str], table: Sequence[AgentRow], strengths: Sequence[Rating]) -> Table:
    """The strongest first, as in a tournament."""
    shown = Table(box=None, padding=(0, 2, 0, 0))
    shown.add_column("agent", overflow="fold")
    for column in ("Elo", "wins %", "rank", "score", "ms/reply"):
        shown.add_column(column, justify="right", no_wrap=True)
    for row in sorted(table, key=lambda row: -strengths[row.agent].strength):
        shown.add_row(
            plain(names[row.agent]),
            interval(strengths[row.agent].points, 0),
            interval(percent(row.wins), 1),
            f"{row.rank.value:.2f}",
            f"{row.score.value:.1f}",
            "" if row.reply_seconds is None else f"{1_000 * row.reply_seconds:.2f}",
        )
    return shown
