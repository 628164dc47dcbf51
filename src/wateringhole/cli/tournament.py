"""`tournament`: many agents, many tables; who is best?"""

import contextlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Final

import click
import msgspec
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from wateringhole.agents.house import HOUSE
from wateringhole.cli import Complaint, one_of
from wateringhole.cli.agent_options import checked_jobs, checked_share, sandbox_options, settled
from wateringhole.cli.terminal import CountBar
from wateringhole.cli.tournament_output import LiveStandings, cross, plain_line, show_trials, tell_progress
from wateringhole.external.play_specs import Mode
from wateringhole.fault import shown
from wateringhole.tournament.config import TournamentConfig, read
from wateringhole.tournament.contest import TournamentProgress, as_played, begun, contest, job, plan, progress_of
from wateringhole.tournament.entries import EntryTrial, missing, trials
from wateringhole.tournament.formats import planned
from wateringhole.tournament.ray_cluster import cluster
from wateringhole.tournament.record_stats import study, wanted
from wateringhole.tournament.report.data import findings
from wateringhole.tournament.run_journal import RunError, open_journal, opened
from wateringhole.tournament.run_journal import read as played
from wateringhole.tournament.runfile import GAMES
from wateringhole.tournament.standings import (
    as_csv,
    as_markdown,
    standings,
)
from wateringhole.tournament.worker_processes import GameEngine, processes
from wateringhole.wire.names import printable
from wateringhole.wire.toml_values import ConfigError, toml_text

STARTER: Final = """\
# A tournament. 'wateringhole tournament run {name}' plays it; the same command goes on after an interruption.

title = {title}
# seed = "spring"  # for experiments: fixes all decks, all lots and the dice of the house bots; an agent that knows it
#                  # knows every deck. Without it the run draws a secret of its own.

# round-robin: all entries meet each other, at all tables of this size
# gauntlet:    one entry, the challenger, meets all the others
# swiss:       in each round entries of like standing meet; for many entries
# knock-out:   the better half of every table goes on
format = "round-robin"
table = 4  # players in a game, 3 to 8
deals = 5  # for each table; every deal is played once for each seat
# rounds = 5          # of a swiss tournament
# challenger = "Ann"  # of a gauntlet; the first entry, if not said

time = "10"         # seconds for a reply; or a bank and an increment, "60+1"; or "none"
memory = 1024       # megabytes for each agent in a process of its own
# sandbox = "on"    # programs have no network and no files but their own; auto (where it works), on or off
# share = ["data"]  # more that sandboxed programs may read; for one that needs all: agent = "cmd:./bot?sandbox=off"
fresh = false       # true: a new process for each game of a Python agent; else it is kept, with a new object each game
in-process = false  # true: Python agents run in this process; quicker, but one that hangs or crashes ends the run

# Stop as soon as it is known which of two is better (round-robin and gauntlet).
# stop = {{better = "Ann", than = "Bob", confidence = 0.95}}

# Agents: the house bots {house};
# py:FILE.py:CLASS, cmd:PROGRAM, tcp:HOST:PORT, human. Files are looked for beside this one.
[[entries]]
name = "Ann"
agent = "greedy"
author = "the house"

[[entries]]
name = "Bob"
agent = "hunter"

[[entries]]
name = "Cem"
agent = "shepherd"

[[entries]]
name = "Dora"
agent = "silly"
"""

config_file = click.argument("file", type=click.Path(path_type=Path), metavar="FILE.toml")


@click.group()
def tournament() -> None:
    """Many agents, many tables: who is best?

    \b
    wateringhole tournament init cup.toml      a file to begin with, and to change
    wateringhole tournament check cup.toml     a short game with each entry
    wateringhole tournament run cup.toml       play it, or go on with it
    wateringhole tournament report cup.toml    the standings, at any time

    The file has the entries and the format: all against all, one against all, Swiss rounds, or a knock-out. Games
    and records are kept beside it, in cup.results.
    """


@tournament.command()
@config_file
def init(file: Path) -> None:
    """Write a file to begin with; it is not written over another."""
    title = file.name.removesuffix(".toml")
    house = ", ".join(HOUSE)
    text = STARTER.format(name=plain_name(file), title=toml_text(title), house=house)
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise Complaint(f"{file} is there already; take another name, or remove it") from None
    except (OSError, UnicodeEncodeError) as error:
        raise Complaint(f"{file}: {error.strerror if isinstance(error, OSError) else 'no name for a file'}") from None
    print(f"wrote {file}; now: wateringhole tournament run {file}")


@tournament.command()
@config_file
@click.option("--jobs", type=int, default=None, help="Games at once, each in a process; as many as there are CPUs.")
@click.option(
    "--engine",
    type=click.Choice(["processes", "ray"]),
    default="processes",
    show_default=True,
    help="Where games run: in processes of this machine, or on a Ray cluster.",
)
@click.option(
    "--address",
    metavar="HOST:PORT",
    help="The Ray cluster, with its token in RAY_AUTH_TOKEN; one on this machine, for this run, if not said.",
)
@click.option("--json", "as_data", is_flag=True, help="One JSON object instead of the table.")
@sandbox_options
def run(
    file: Path,
    jobs: int | None,
    engine: str,
    address: str | None,
    as_data: bool,
    sandbox: Mode,
    share: tuple[str, ...],
) -> None:
    """Play a tournament, or go on with it, and show the standings.

    Ctrl-C ends it; the same command goes on. The same file gives the same standings, byte by byte, for any number of
    --jobs and any engine, as long as the agents play the same. An agent that breaks loses its games, and nothing else;
    those that cannot be loaded (no such file, class or program; an import or a constructor that raises) are listed
    before the first game.

    The file may set sandbox and share, too: --share adds to the paths in the file.
    """
    config = _settled(_config(file), sandbox, share)
    if address is not None and engine != "ray":
        raise Complaint(f"--address {address}: only for --engine ray")
    if address is not None and jobs is not None:
        raise Complaint(f"--jobs {jobs}: the cluster at {address} says itself how many it can play at once")
    if config.alone and engine == "ray":
        raise Complaint("--engine ray: a person, or a client at one port, can play only on this machine")
    at_once = checked_jobs(jobs, config.alone)
    shown = LiveStandings(config)
    try:
        with open_journal(plan(config), results(file)) as book:
            config = begun(config, book)
            for entry, why in [] if book.outcomes else missing(_hiding(config, file), file.parent):
                sys.stderr.write(f"{plain_line(f'{entry.name} loses its games: {entry.agent}: {why}')}\n")
            shown.resumed(book.outcomes.values())
            with shown.live(), _engine(config, file, at_once, engine, address) as hands:
                ended = contest(config, hands, book, shown.heard)
    except (RunError, ValueError) as error:
        raise Complaint(str(error)) from None
    except KeyboardInterrupt:
        sys.stderr.write(f"{shown.done} of {planned(config)} games are kept; the same command goes on\n")
        raise
    tell_progress(config, ended, as_data)


@tournament.command()
@config_file
@click.option("--json", "as_data", is_flag=True, help="One JSON object instead of the lines.")
@sandbox_options
def check(file: Path, as_data: bool, sandbox: Mode, share: tuple[str, ...]) -> None:
    """Try every entry: can it be loaded, and does it play a game to its end?

    \b
    wateringhole tournament check cup.toml
    wateringhole tournament check cup.toml --json

    Each entry plays one game against two silly players, under the limits and in the sandbox of the file. One line for
    each says how long the game took, or what is wrong, with the last lines that its program wrote to standard error.
    Nothing is kept. 'wateringhole check AGENT' examines one agent at length.

    Exit code 0: all entries are fine. 1: one or more would lose games. 2: a mistake in the file.
    """
    config = _settled(_config(file), sandbox, share)
    config = _hiding(config, file)
    tried: list[EntryTrial] = []
    with CountBar("entries", len(config.entries)) as bar:
        for trial in trials(config, file.parent):
            tried.append(trial)
            bar.count()
    fine = all(trial.fine for trial in tried)
    if as_data:
        entries = [{"ok": trial.fine, **msgspec.to_builtins(trial)} for trial in tried]
        print(json.dumps({"ok": fine, "entries": entries}))
    else:
        show_trials(tried)
    if not fine:
        raise SystemExit(1)


@tournament.command()
@config_file
@click.option("--html", "html_file", type=click.Path(path_type=Path), help="Write the whole report into this file.")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), help="Write the standings as CSV into this file.")
@click.option("--json", "as_data", is_flag=True, help="One JSON object instead of the table.")
@click.option("--markdown", "for_wiki", is_flag=True, help="Standings and cross table as Markdown instead.")
def report(file: Path, html_file: Path | None, csv_file: Path | None, as_data: bool, for_wiki: bool) -> None:
    """Show the standings of a tournament, also while it is being played.

    \b
    wateringhole tournament report cup.toml                  the standings
    wateringhole tournament report cup.toml --html cup.html  all, for a browser
    wateringhole tournament report cup.toml --markdown       for a wiki

    The HTML file has the standings with intervals, the cross table, scores, which traits win, what seats and cards
    are worth, every expulsion with the number of its game, and reply times. It needs nothing else.
    """
    one_of(json=as_data, markdown=for_wiki)
    config = as_played(_config(file), results(file))
    try:
        book = played(plan(config), results(file))
        config = begun(config, book)
        so_far = progress_of(config, book.outcomes)
    except RunError as error:
        raise Complaint(str(error)) from None
    if csv_file is not None:
        _write(csv_file, as_csv(standings(config, so_far)))
    if html_file is not None:
        _write_html(config, so_far, results(file) / GAMES, html_file)
    if for_wiki:
        told = standings(config, so_far)
        sys.stdout.write(as_markdown(told, cross(config, so_far, told)))
        return
    tell_progress(config, so_far, as_data)


def _write_html(config: TournamentConfig, so_far: TournamentProgress, games: Path, into: Path) -> None:
    _try_out(into)
    outcomes = so_far.outcomes
    chosen = wanted(outcomes, config.secret)
    console = Console(stderr=True)
    columns = (TextColumn("records"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("records", total=len(chosen))
        records = opened(games)
        read_of = study(outcomes, len(config.entries), chosen, records.record, lambda: progress.advance(bar))
    from wateringhole.tournament.report.build import html  # noqa: PLC0415  # Jinja2 takes 50 ms

    _write(into, html(findings(config, so_far, read_of, _from_the_page(games, into))))


def _from_the_page(games: Path, page: Path) -> str:
    """The file of the games as a shell names it in the folder of the page."""
    return quote(os.path.relpath(games.resolve(), page.resolve().parent))


def results(file: Path) -> Path:
    """The folder beside a config in which its games are kept."""
    return file.with_name(f"{file.name.removesuffix('.toml')}.results")


def _config(file: Path) -> TournamentConfig:
    try:
        return read(file)
    except ConfigError as error:
        raise Complaint(str(error)) from None


def _settled(config: TournamentConfig, sandbox: Mode, share: Sequence[str]) -> TournamentConfig:
    """The config with the sandbox on or off, by the file and the options, which must not contradict each other."""
    said = config.treatment
    if "auto" not in {sandbox, said.sandbox} and sandbox != said.sandbox:
        raise Complaint(f"--sandbox {sandbox}, but the file says sandbox = {shown(said.sandbox)}")
    if sandbox == "on" and said.in_process:
        raise Complaint("--sandbox on, but the file says in-process = true")
    mode = said.sandbox if sandbox == "auto" else sandbox
    shared = (*said.share, *(os.path.abspath(path) for path in checked_share(share)))
    return replace(config, treatment=settled(replace(said, sandbox=mode, share=shared), config.specs))


def _hiding(config: TournamentConfig, file: Path) -> TournamentConfig:
    """The config with the run's folder, and the secret in it, hidden from programs that are only tried."""
    return replace(config, treatment=replace(config.treatment, hide=(str(results(file).resolve()),)))


def _engine(
    config: TournamentConfig, file: Path, jobs: int, engine: str, address: str | None
) -> contextlib.AbstractContextManager[GameEngine]:
    out = results(file).resolve()
    work = job(config, str(out.parent), out)
    if engine == "ray":
        return cluster(work, jobs if address is None else None, address)
    return processes(work, jobs)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror}") from None


def _try_out(path: Path) -> None:
    """Complain if this file cannot be written: at once, not after all the work."""
    there = path.exists()
    try:
        path.open("ab").close()
        if not there:
            path.unlink()
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror}") from None


def plain_name(file: Path) -> str:
    """The name of a file as it may stand in a comment."""
    return printable(file.name)
