"""`games tournaments`: the tournaments in the store, and the standings of one."""

import click
import msgspec
from rich.table import Table

from wateringhole.cli import Complaint
from wateringhole.cli.store_options import SHOWN_ID, data_option, limit_option, store_at, terminal
from wateringhole.cli.terminal import plain
from wateringhole.fault import shown
from wateringhole.store.games import Store
from wateringhole.store.queries import Filter
from wateringhole.store.tournaments import Tournament


@click.command()
@click.argument("tournament", required=False, metavar="[ID]")
@limit_option("So many at most, the latest.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a line; with an ID, one object.")
@data_option
def tournaments(tournament: str | None, limit: int, as_json: bool, data: str) -> None:
    """List the tournaments that were imported, or show the standings of one.

    \b
    wateringhole games import cup.toml               puts one into the store
    wateringhole games tournaments
    wateringhole games tournaments 3f9c0a
    wateringhole games list --tournament ID          its games; this needs the whole id

    The beginning of an id is enough here. Times are UTC.
    """
    with store_at(data) as store:
        if tournament is None:
            _list(store, limit, as_json)
        else:
            _show(store, _one(store, tournament), as_json)


def _one(store: Store, beginning: str) -> Tournament:
    """The only tournament whose id begins like this; Complaint if there is none, or there are several."""
    found = store.tournaments(beginning, 2)
    if not beginning or not found:
        raise Complaint(f"there is no tournament {shown(beginning)}")
    if len(found) > 1:
        raise Complaint(f"{beginning:.40} is the beginning of several ids, such as {found[0].id} and {found[1].id}")
    return found[0]


def _list(store: Store, limit: int, as_json: bool) -> None:
    found = store.tournaments(limit=limit)
    if as_json:
        for one in found:
            print(msgspec.json.encode(one).decode())
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("id", "ended (UTC)", "title", "format", "first", "entries"):
        table.add_column(column, justify="right" if column == "entries" else "left", overflow="fold")
    for one in found:
        first = one.entrants[0].name if one.entrants else ""
        facts = plain(one.title), plain(_format(one)), plain(first), str(len(one.entrants))
        table.add_row(one.id[:SHOWN_ID], f"{one.ended:%Y-%m-%d %H:%M}", *facts)
    terminal().print(table if found else "no tournament has been imported yet; 'games import cup.toml' does that")


def _show(store: Store, found: Tournament, as_json: bool) -> None:
    if as_json:
        print(msgspec.json.encode(found).decode())
        return
    console = terminal()
    console.print(plain(found.title or f"tournament {found.id}", "bold cyan"))
    console.print(plain(f"id: {found.id}"))
    console.print(plain(f"ended: {found.ended:%Y-%m-%d %H:%M:%S} UTC"))
    console.print(plain(f"format: {_format(found)}"))
    console.print(plain(f"seed: {found.seed or 'drawn'}"))
    console.print(f"games in the store: {store.count(Filter(tournament=found.id))}")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("", "entry", "agent", "games", "Elo", "wins %", "rank", "score"):
        table.add_column(column, justify="left" if column in {"entry", "agent"} else "right", overflow="fold")
    for line in found.entrants:
        means = f"{line.elo:.0f}", f"{100 * line.wins.value:.1f}", f"{line.rank.value:.2f}", f"{line.score.value:.1f}"
        table.add_row(str(line.place), plain(line.name), plain(line.agent), str(line.games), *means)
    console.print(table if found.entrants else "its standings are of another version; --json shows them")


def _format(found: Tournament) -> str:
    return f"{found.format}, tables of {found.table}"
