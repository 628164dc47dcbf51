"""`games`: every finished game in the store."""

import contextlib
import itertools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.table import Table

from wateringhole.cli import Complaint, one_of
from wateringhole.cli.game_import import import_games
from wateringhole.cli.store_options import (
    SHOWN_ID,
    bar,
    complaining,
    data_option,
    filter_options,
    limit_option,
    store_at,
    terminal,
    with_bar,
)
from wateringhole.cli.stored_tournaments import tournaments
from wateringhole.cli.terminal import plain
from wateringhole.events import counted
from wateringhole.fault import shown
from wateringhole.record import RecordError, parsed
from wateringhole.store.backup import back_up
from wateringhole.store.backup import restore as restored
from wateringhole.store.finished_game import ID_LENGTH
from wateringhole.store.games import Store
from wateringhole.store.queries import Filter, StoredGame, StoredSeat
from wateringhole.wire.csv_table import write_csv

NOTED: Final = ("seed", "sealed", "forked at")
"""What the notes of a record may tell about its deck."""
OF_A_GAME: Final = tuple(name for name in StoredGame.__struct_fields__ if name != "seats")
OF_A_SEAT: Final = StoredSeat.__struct_fields__

some_ids = click.argument("ids", nargs=-1, metavar="[ID]...")
all_option = click.option("--all", "everything", is_flag=True, help="All games that the options describe.")


@click.group()
def games() -> None:
    """Every finished game: list, show, export, import, delete, back up; and tournaments.

    \b
    wateringhole games list --player Ann --since 2026-11-01
    wateringhole games show 3f9c0a
    wateringhole games export --all --out records
    wateringhole games import old-games/
    wateringhole games tournaments
    wateringhole games backup store.backup

    A server keeps its games where --data says; all this can be done while it runs. The beginning of an id is enough.
    """


games.add_command(import_games)
games.add_command(tournaments)


@games.command("list")
@filter_options
@limit_option("So many at most, the latest.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a line.")
@click.option("--csv", "as_csv", is_flag=True, help="A table with a line for each seat of each game.")
@data_option
def list_(where: Filter, limit: int, as_json: bool, as_csv: bool, data: str) -> None:
    """List games, the latest first.

    \b
    wateringhole games list --player bot:greedy --status finished
    wateringhole games list --expelled timeout --since 2026-11-01 --json
    wateringhole games list --limit 100000 --csv > games.csv

    Times are UTC. In the CSV an apostrophe stands before text that a spreadsheet would take for a formula.
    """
    one_of(json=as_json, csv=as_csv)
    with store_at(data) as store:
        found = store.listed(where, limit)
        there = store.count(where)
    if as_json:
        for game in found:
            print(msgspec.json.encode(game).decode())
    elif as_csv:
        _write_csv(found)
    else:
        terminal().print(_table(found))
        shown = "" if len(found) == there else f"; the latest {len(found)} are shown, --limit shows more"
        print(f"{counted(there, 'game')}{shown}")


@games.command()
@click.argument("game", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@data_option
def show(game: str, as_json: bool, data: str) -> None:
    """Show one game: who played, who won, who was expelled and why.

    \b
    wateringhole games show 3f9c0a
    wateringhole games show 3f9c0a --json

    'games export' gives its record, and 'wateringhole replay' shows that move by move.
    """
    with store_at(data) as store:
        found = store.kept(_one(store, game))
        notes = _noted(store.data(found.id))
    if as_json:
        print(msgspec.json.encode({**msgspec.to_builtins(found), "notes": notes}).decode())
        return
    console = terminal()
    console.print(plain(found.title or f"game {found.id}", "bold cyan"))
    for name, value in (_facts(found) | notes).items():
        console.print(plain(f"{name}: {value}"))
    console.print(_seats(found))
    for place in found.seats:
        if place.expelled:
            console.print(plain(f"{place.name} is expelled ({place.expelled}, {place.rule}): it {place.text}."))


@games.command()
@some_ids
@all_option
@filter_options
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="FOLDER", help="Where the files go.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["jsonl", "npz"]),
    default="jsonl",
    show_default=True,
    help="Records, or their steps as numpy arrays, for learning.",
)
@data_option
def export(ids: tuple[str, ...], everything: bool, where: Filter, out: Path, kind: str, data: str) -> None:
    """Write the records of games into a folder, as game-ID.jsonl.

    \b
    wateringhole games export 3f9c0a 77e1 --out records
    wateringhole games export --all --player Ann --out records
    wateringhole games export --all --format npz --out arrays
    wateringhole replay records/game-3f9c0a....jsonl

    A file is as old as its game, so that 'games import' finds out when it ended. docs/learning.md describes npz.
    """
    content = _arrays() if kind == "npz" else bytes
    with store_at(data) as store:
        chosen = _chosen(store, ids, everything, where)
        try:
            out.mkdir(parents=True, exist_ok=True)
            for game in with_bar("records", chosen):
                path = out / f"game-{game}.{kind}"
                fresh = path.with_suffix(".new")  # a record is there as a whole or not at all
                fresh.write_bytes(content(store.data(game)))
                ended = store.kept(game).ended.timestamp()
                os.utime(fresh, (ended, ended))
                fresh.replace(path)
        except OSError as error:
            raise Complaint(f"{out}: {error.strerror}") from None
        except KeyError as gone:
            raise Complaint(f"game {gone.args[0]} was deleted meanwhile") from None
    print(f"wrote {counted(len(chosen), 'record')} into {out}")


def _arrays() -> Callable[[bytes], bytes]:
    """What makes an npz file of a record; Complaint where numpy is not installed."""
    try:
        from wateringhole.env.trajectories import trajectory  # noqa: PLC0415, an extra of the installation
    except ImportError:
        raise Complaint("--format npz needs numpy: pip install 'wateringhole[rl]'") from None
    return lambda data: trajectory(parsed(data)).npz()


@games.command()
@some_ids
@all_option
@filter_options
@click.option("--yes", is_flag=True, help="Confirm the deletion.")
@data_option
def delete(ids: tuple[str, ...], everything: bool, where: Filter, yes: bool, data: str) -> None:
    """Delete games, with their records and all that is known of them.

    \b
    wateringhole games delete 3f9c0a --yes
    wateringhole games delete --all --player Ann --private --yes

    The ladder forgets them, too: it is worked out anew. Nothing brings them back but a backup or an exported record.
    """
    with store_at(data) as store:
        chosen = _chosen(store, ids, everything, where)
        if not yes:
            raise Complaint(f"{counted(len(chosen), 'game')} would be deleted; --yes confirms it")
        print(f"deleted {counted(store.delete(chosen), 'game')}")


@games.command()
@click.argument("file", type=click.Path(path_type=Path))
@data_option
def backup(file: Path, data: str) -> None:
    """Write the whole store into a new FILE, also while a server runs.

    \b
    wateringhole games backup store-2026-11-16.backup
    wateringhole games backup all.backup --data postgresql://ann@db.example/games

    The file does not say what kind of database it is from; 'games restore' can make either of it.
    """
    with complaining(), bar("rows") as progress:
        head = back_up(data, file, progress)
    print(f"wrote {counted(head.rows['games'], 'game')} into {file}")


@games.command()
@click.argument("file", type=click.Path(path_type=Path))
@data_option
def restore(file: Path, data: str) -> None:
    """Fill an empty store from the backup in FILE.

    \b
    wateringhole games restore store.backup --data new-folder
    wateringhole games restore store.backup --data postgresql://ann@db.example/games

    The whole file is checked first; a damaged one changes nothing, and a store with anything in it stays as it is.
    """
    with complaining(), bar("rows") as progress:
        head = restored(file, data, progress)
    print(f"restored {counted(head.rows['games'], 'game')} from {head.made:%Y-%m-%d %H:%M} UTC")


def _one(store: Store, beginning: str) -> str:
    """The only game whose id begins like this; Complaint if there is none, or there are several."""
    wanted = beginning.lower()
    if not 0 < len(wanted) <= ID_LENGTH or wanted.strip("0123456789abcdef"):
        raise Complaint(f"{shown(beginning)} is not an id: those have up to {ID_LENGTH} digits, from 0 to f")
    found = store.ids(wanted)
    if not found:
        raise Complaint(f"there is no game {beginning}")
    if len(found) > 1:
        raise Complaint(f"{beginning} is the beginning of several ids, such as {found[0]} and {found[1]}")
    return found[0]


def _chosen(store: Store, ids: tuple[str, ...], everything: bool, where: Filter) -> list[str]:
    """The games with these ids, or all that the filter lets through."""
    if bool(ids) == everything:
        raise Complaint("give the ids of games, or --all with options that say which")
    if everything:
        return [game.id for game in store.listed(where, limit=None)]
    if where != Filter():
        raise Complaint("options that say which games need --all instead of ids")
    return list(dict.fromkeys(_one(store, game) for game in ids))


def _table(found: list[StoredGame]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("id", "ended (UTC)", "title", "winner", "players", "turns", "status"):
        table.add_column(column, justify="right" if column == "turns" else "left", overflow="fold")
    for game in found:
        table.add_row(
            game.id[:SHOWN_ID],
            f"{game.ended:%Y-%m-%d %H:%M}",
            plain(game.title),
            plain(", ".join(game.winners)),
            plain(", ".join(game.names)),
            str(game.turns),
            f"{game.status}{', private' if game.private else ''}",
        )
    return table


def _write_csv(found: list[StoredGame]) -> None:
    seats = ((game, place) for game in found for place in game.seats)
    rows = (_values(game, OF_A_GAME) + _values(place, OF_A_SEAT) for game, place in seats)
    write_csv(sys.stdout, itertools.chain([OF_A_GAME + OF_A_SEAT], rows))


def _values(of: StoredGame | StoredSeat, names: tuple[str, ...]) -> tuple[object, ...]:
    return tuple(getattr(of, name) for name in names)


def _facts(game: StoredGame) -> dict[str, str]:
    """The facts of a game beside its seats."""
    facts = {
        "id": game.id,
        "began": f"{game.began:%Y-%m-%d %H:%M:%S} UTC",
        "ended": f"{game.ended:%Y-%m-%d %H:%M:%S} UTC",
        "status": f"{game.status}{', private' if game.private else ''}",
        "turns": str(game.turns),
        "rules": game.rules,
        "server": f"{game.server} game {game.number}".strip() if game.number else game.server,
        "tournament": game.tournament or "",
        "ladder": game.ladder,
    }
    return {name: value for name, value in facts.items() if value}


def _noted(data: bytes) -> dict[str, str]:
    """What the record says about its deck; nothing, if it is damaged."""
    with contextlib.suppress(RecordError):
        return {name: str(note[name]) for note in parsed(data).notes for name in NOTED if name in note}
    return {}


def _seats(game: StoredGame) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("seat", "rank", "player", "score", "kind", ""):
        table.add_column(column, justify="right" if column in {"seat", "rank", "score"} else "left", overflow="fold")
    for place in sorted(game.seats, key=lambda place: (place.rank or len(game.seats), place.seat)):
        remarks = ["a stand-in played for it"] * place.stood_in + ["expelled"] * (place.expelled is not None)
        table.add_row(
            str(place.seat),
            str(place.rank or "-"),
            plain(place.name),
            "-" if place.score is None else str(place.score),
            plain(f"{place.kind or '?'} {place.agent}".strip()),
            ", ".join(remarks),
        )
    return table
