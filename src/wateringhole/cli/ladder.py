"""`ladder`: the ratings of all players, by the games in the store."""

import click
import msgspec
from rich.table import Table

from wateringhole.cli import Complaint
from wateringhole.cli.store_options import SHOWN_ID, data_option, limit_option, store_at, terminal
from wateringhole.cli.terminal import plain
from wateringhole.events import counted
from wateringhole.fault import shown
from wateringhole.store.ladder import Rung
from wateringhole.store.players import Profile


@click.command()
@click.argument("player", required=False)
@limit_option("So many at most, from the top.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a line; with a PLAYER, one object.")
@data_option
def ladder(player: str | None, limit: int, as_json: bool, data: str) -> None:
    """Show the ratings of all players, or all about one PLAYER.

    \b
    wateringhole ladder
    wateringhole ladder Ann
    wateringhole ladder bot:greedy --json

    Public games that were finished count, in the order in which they ended, but not those of one person against house
    bots only. A seat that a stand-in played for is not rated; of two people with one name at a table, only the first.
    The rating is mu, give or take 3 sigma; the order is by 'at least', mu - 3 sigma, which is almost sure. People and
    programs go by the name they gave, which is not checked; house bots by their kind.
    """
    with store_at(data) as store:
        if player is None:
            _show_all(store.ladder(limit), as_json)
            return
        try:
            found = store.player(player)
        except KeyError:
            raise Complaint(f"no game of {shown(player)} counts for the ladder") from None
    if as_json:
        print(msgspec.json.encode(found).decode())
    else:
        _show(found)


def _show_all(rungs: list[Rung], as_json: bool) -> None:
    if as_json:
        for place, rung in enumerate(rungs, 1):
            print(msgspec.json.encode({"place": place, **msgspec.to_builtins(rung)}).decode())
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", justify="right")
    table.add_column("player", overflow="fold")
    for column in ("at least", "rating", "± 3 sigma", "games"):
        table.add_column(column, justify="right")
    for place, rung in enumerate(rungs, 1):
        numbers = f"{rung.ordinal:.2f}", f"{rung.mu:.2f}", f"{3 * rung.sigma:.2f}", str(rung.games)
        table.add_row(str(place), plain(rung.name), *numbers)
    terminal().print(table if rungs else "no game counts for the ladder yet")


def _show(found: Profile) -> None:
    console = terminal()
    stands = found.rating
    console.print(plain(found.identity, "bold cyan"))
    console.print(
        f"place {found.place}, rating {stands.mu:.2f} ± {3 * stands.sigma:.2f}, at least {stands.ordinal:.2f}\n"
        f"{counted(stands.games, 'game')}, {found.wins:.6g} won, "
        f"mean score {found.mean_score:.1f}"
    )
    met = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    met.add_column("met most often", overflow="fold")
    met.add_column("times", justify="right")
    met.add_column("ahead", justify="right")
    for other in found.opponents:
        met.add_row(plain(other.identity), str(other.meetings), str(other.ahead))
    last = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("last games", "ended (UTC)", "rank", "players"):
        last.add_column(column, overflow="fold")
    for game in found.games:
        ranks = ", ".join(str(place.rank or "-") for place in game.seats if place.identity == found.identity)
        last.add_row(game.id[:SHOWN_ID], f"{game.ended:%Y-%m-%d %H:%M}", ranks, plain(", ".join(game.names)))
    console.print(met)
    console.print(last)
