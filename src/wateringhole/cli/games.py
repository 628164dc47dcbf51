"""`games`: every finished game in the store."""

import contextlib
import itertools
import os
import sys
from collections.abc import Callable, Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from wateringhole.cli import Complaint, one_of
from wateringhole.cli.data import MOST_LISTED, SHOWN_ID, complaining, data_option, filter_options, store_at, terminal
from wateringhole.cli.show import plain
from wateringhole.cli.tournament import results
from wateringhole.fault import shown
from wateringhole.record import RecordError, parsed, whole
from wateringhole.store.backup import back_up
from wateringhole.store.backup import restore as restored
from wateringhole.store.finished import ID_LENGTH, Finished, finished, finished_record, game_id
from wateringhole.store.games import Store
from wateringhole.store.listing import Filter, Kept, Place
from wateringhole.tournament.brief import Brief, BriefError
from wateringhole.tournament.brief import read as read_brief
from wateringhole.tournament.contest import Course, begun, plan
from wateringhole.tournament.contest import course as so_far
from wateringhole.tournament.journal import RunError, opened
from wateringhole.tournament.journal import read as played
from wateringhole.tournament.keep import kept_game, kept_tournament
from wateringhole.tournament.runfile import GAMES, RunFile, is_run_file
from wateringhole.tournament.tally import counted
from wateringhole.wire.spreadsheet import write_csv

T = TypeVar("T")

BATCH: Final = 50
MOST_COMPLAINTS: Final = 20
NOTED: Final = ("seed", "sealed", "forked at")
"""What the notes of a record may tell about its deck."""
OF_A_GAME: Final = tuple(name for name in Kept.__struct_fields__ if name != "seats")
OF_A_SEAT: Final = Place.__struct_fields__

some_ids = click.argument("ids", nargs=-1, metavar="[ID]...")
all_option = click.option("--all", "everything", is_flag=True, help="All games that the options describe.")


@click.group()
def games() -> None:
    """Every finished game: list, show, export, import, delete, back up.

    \b
    wateringhole games list --player Ann --since 2026-11-01
    wateringhole games show 3f9c0a
    wateringhole games export --all --out records
    wateringhole games import old-games/
    wateringhole games backup store.backup

    A server keeps its games where --data says; all this can be done while it runs. The beginning of an id is enough.
    """


@games.command("list")
@filter_options
@click.option(
    "--limit",
    type=click.IntRange(1, MOST_LISTED),
    metavar="N",
    default=50,
    show_default=True,
    help="So many at most, the latest.",
)
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
        print(f"{_counted(there, 'game')}{shown}")


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
@data_option
def export(ids: tuple[str, ...], everything: bool, where: Filter, out: Path, data: str) -> None:
    """Write the records of games into a folder, as game-ID.jsonl.

    \b
    wateringhole games export 3f9c0a 77e1 --out records
    wateringhole games export --all --player Ann --out records
    wateringhole replay records/game-3f9c0a....jsonl

    A file is as old as its game, so that 'games import' finds out when it ended.
    """
    with store_at(data) as store:
        chosen = _chosen(store, ids, everything, where)
        try:
            out.mkdir(parents=True, exist_ok=True)
            for game in _with_bar("records", chosen):
                path = out / f"game-{game}.jsonl"
                fresh = path.with_suffix(".new")  # a record is there as a whole or not at all
                fresh.write_bytes(store.data(game))
                ended = store.kept(game).ended.timestamp()
                os.utime(fresh, (ended, ended))
                fresh.replace(path)
        except OSError as error:
            raise Complaint(f"{out}: {error.strerror}") from None
        except KeyError as gone:
            raise Complaint(f"game {gone.args[0]} was deleted meanwhile") from None
    print(f"wrote {_counted(len(chosen), 'record')} into {out}")


@games.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE|FOLDER...")
@data_option
def import_(files: tuple[Path, ...], data: str) -> None:
    """Add the games of record files, of runs, of all .jsonl files and runs in folders, and of tournaments.

    \b
    wateringhole games import game.jsonl
    wateringhole games import games/
    wateringhole games import results/games.run    what 'match --out results' has kept
    wateringhole games import cup.toml         a tournament, with its standings; then --tournament finds its games

    Every record is replayed. A game that is there already is left alone, so the same command can be given again. A game
    ended when its file was written. Void games of a run are left out. Exit code 1: some files are no records, or are
    damaged; they are named, the others are added.
    """
    paths = [path for given in files if given.suffix != ".toml" for path in _records(given)]
    refused: list[str] = []
    with store_at(data, create=True) as store:
        added, known = _added(store, _of_files(store, paths, refused))
        for file in files:
            if file.suffix == ".toml":
                new, old = _tournament(store, file, refused)
                added, known = added + new, known + old
    for sentence in refused[:MOST_COMPLAINTS]:
        print(plain(f"wateringhole: {sentence}"), file=sys.stderr)
    if len(refused) > MOST_COMPLAINTS:
        print(f"wateringhole: and {len(refused) - MOST_COMPLAINTS} more", file=sys.stderr)
    print(f"{_counted(added, 'game')} added, {known} known already, {_counted(len(refused), 'file')} refused")
    if refused:
        raise click.exceptions.Exit(1)


@games.command()
@some_ids
@all_option
@filter_options
@click.option("--yes", is_flag=True, help="Yes, they shall be gone.")
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
            raise Complaint(f"{_counted(len(chosen), 'game')} would be deleted; say --yes if that is what you want")
        print(f"deleted {_counted(store.delete(chosen), 'game')}")


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
    with complaining(), _bar("rows") as progress:
        head = back_up(data, file, progress)
    print(f"wrote {_counted(head.rows['games'], 'game')} into {file}")


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
    with complaining(), _bar("rows") as progress:
        head = restored(file, data, progress)
    print(f"restored {_counted(head.rows['games'], 'game')} from {head.made:%Y-%m-%d %H:%M} UTC")


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


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


def _table(found: list[Kept]) -> Table:
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


def _write_csv(found: list[Kept]) -> None:
    seats = ((game, place) for game in found for place in game.seats)
    rows = (_values(game, OF_A_GAME) + _values(place, OF_A_SEAT) for game, place in seats)
    write_csv(sys.stdout, itertools.chain([OF_A_GAME + OF_A_SEAT], rows))


def _values(of: Kept | Place, names: tuple[str, ...]) -> tuple[object, ...]:
    return tuple(getattr(of, name) for name in names)


def _facts(game: Kept) -> dict[str, str]:
    """What there is to say of a game beside its seats."""
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


def _seats(game: Kept) -> Table:
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


def _records(given: Path) -> list[Path]:
    """The files that could be records."""
    return sorted([*given.rglob("*.jsonl"), *given.rglob(GAMES)]) if given.is_dir() else [given]


def _tournament(store: Store, file: Path, refused: list[str]) -> tuple[int, int]:
    """Put a tournament into the store, with all of its games that can be had; how many are new, how many known."""
    try:
        brief = read_brief(file)
        book = played(plan(brief), results(file))
        brief = begun(brief, book)
        course = so_far(brief, book.outcomes)
        games = opened(results(file) / GAMES)
        text = file.read_text(encoding="utf-8")
        ended = datetime.fromtimestamp((results(file) / GAMES).stat().st_mtime, UTC)
    except (BriefError, RunError) as error:
        raise Complaint(str(error)) from None
    except OSError as error:
        raise Complaint(f"{file}: {error.strerror}") from None
    added, known = _added(store, _of_tournament(store, file, brief, course, games, refused))
    kept = kept_tournament(brief, course, text, ended)
    store.add_tournament(kept)
    print(f"tournament {kept.id}: {plain(kept.title)}")
    return added, known


def _of_tournament(
    store: Store, file: Path, brief: Brief, course: Course, games: RunFile, refused: list[str]
) -> Generator[Finished | None, None, None]:
    """The games of a tournament, and None for each that the store has already; what is lost is `refused`."""
    for game in _with_bar("games", course.outcomes):
        found = kept_game(brief, game, games)
        if found is None:
            refused.append(f"{file}: the record of game {game.number} is gone or broken")
        else:
            yield None if game_id(found.data) in store else found


def _of_files(store: Store, paths: list[Path], refused: list[str]) -> Generator[Finished | None, None, None]:
    """The games in these files, and None for each that the store has already; what is none is `refused`."""
    for path in _with_bar("files", paths):
        try:
            if is_run_file(path):
                yield from _of_run(store, path, refused)
            else:
                yield _read(path, store)
        except (OSError, OverflowError, ValueError) as error:
            refused.append(f"{path}: {error.strerror if isinstance(error, OSError) else error}")


def _of_run(store: Store, path: Path, refused: list[str]) -> Generator[Finished | None, None, None]:
    """The games of a run that count, and None for each that the store has already; what is damaged is `refused`."""
    games = RunFile(path)
    if games.damage:
        refused.append(games.damage)
    for number in sorted(ended.number for ended in counted(games.outcomes.values())):
        try:
            found = finished_record(games.record(number), games.ended(number))
        except RecordError as error:
            refused.append(f"{path}: {error}")
        else:
            yield None if game_id(found.data) in store else found


def _read(path: Path, store: Store) -> Finished | None:
    """The game in this file; None if the store has it already."""
    with path.open("rb") as file:
        data = whole(file)
    if game_id(data) in store:
        return None
    return finished(data, datetime.fromtimestamp(path.stat().st_mtime, UTC))


def _added(store: Store, games: Generator[Finished | None, None, None]) -> tuple[int, int]:
    """Put these games into the store, some at a time; how many are new, and how many it has already."""
    added = known = 0
    with contextlib.closing(games):  # and with them the bar, also if the store fails
        while some := list(itertools.islice(games, BATCH)):
            fresh = [game for game in some if game is not None]
            added += len(set(store.add(fresh)))
            known += len(some) - len(fresh)
    return added, known


@contextlib.contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on the terminal, and how it is told how much of how much is done."""
    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(bar, completed=done, total=total)


def _with_bar(what: str, things: list[T]) -> Iterator[T]:
    """These, one after the other, with a bar on the terminal."""
    with _bar(what) as progress:
        for done, thing in enumerate(things):
            progress(done, len(things))
            yield thing
