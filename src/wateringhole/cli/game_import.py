"""`games import`: records, runs and tournaments into the store."""

import contextlib
import itertools
import sys
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from wateringhole.cli import Complaint
from wateringhole.cli.store_options import data_option, store_at, with_bar
from wateringhole.cli.terminal import plain
from wateringhole.cli.tournament import results
from wateringhole.events import counted
from wateringhole.record import RecordError, whole
from wateringhole.store.finished_game import FinishedGame, finished, finished_record, game_id
from wateringhole.store.games import Store
from wateringhole.tournament.config import TournamentConfig
from wateringhole.tournament.config import read as read_config
from wateringhole.tournament.contest import TournamentProgress, begun, plan, progress_of
from wateringhole.tournament.outcomes import counted as counted_games
from wateringhole.tournament.run_journal import RunError, opened
from wateringhole.tournament.run_journal import read as played
from wateringhole.tournament.runfile import GAMES, RunFile, is_run_file
from wateringhole.tournament.store_tournament import kept_game, kept_tournament
from wateringhole.wire.toml_values import ConfigError

BATCH: Final = 50
MAX_COMPLAINTS: Final = 20


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE|FOLDER...")
@data_option
def import_games(files: tuple[Path, ...], data: str) -> None:
    """Add the games of record files, of runs, of all .jsonl files and runs in folders, and of tournaments.

    \b
    wateringhole games import game.jsonl
    wateringhole games import games/
    wateringhole games import results/games.run    what 'match --out results' has kept
    wateringhole games import cup.toml         a tournament; then 'games tournaments' shows its standings

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
    for sentence in refused[:MAX_COMPLAINTS]:
        print(plain(f"wateringhole: {sentence}"), file=sys.stderr)
    if len(refused) > MAX_COMPLAINTS:
        print(f"wateringhole: and {len(refused) - MAX_COMPLAINTS} more", file=sys.stderr)
    print(f"{counted(added, 'game')} added, {known} known already, {counted(len(refused), 'file')} refused")
    if refused:
        raise click.exceptions.Exit(1)


def _records(given: Path) -> list[Path]:
    """The files that could be records."""
    return sorted([*given.rglob("*.jsonl"), *given.rglob(GAMES)]) if given.is_dir() else [given]


def _tournament(store: Store, file: Path, refused: list[str]) -> tuple[int, int]:
    """Add a tournament to the store, with all of its games that can be read; how many are new, how many known."""
    try:
        config = read_config(file)
        book = played(plan(config), results(file))
        config = begun(config, book)
        progress = progress_of(config, book.outcomes)
        games = opened(results(file) / GAMES)
        text = file.read_text(encoding="utf-8")
        ended = datetime.fromtimestamp((results(file) / GAMES).stat().st_mtime, UTC)
    except (ConfigError, RunError) as error:
        raise Complaint(str(error)) from None
    except OSError as error:
        raise Complaint(f"{file}: {error.strerror}") from None
    added, known = _added(store, _of_tournament(store, file, config, progress, games, refused))
    kept = kept_tournament(config, progress, text, ended)
    store.add_tournament(kept)
    print(f"tournament {kept.id}: {plain(kept.title)}")
    return added, known


def _of_tournament(
    store: Store, file: Path, config: TournamentConfig, progress: TournamentProgress, games: RunFile, refused: list[str]
) -> Generator[FinishedGame | None, None, None]:
    """The games of a tournament, and None for each that the store has already; what is lost is `refused`."""
    for game in with_bar("games", progress.outcomes):
        found = kept_game(config, game, games)
        if found is None:
            refused.append(f"{file}: the record of game {game.number} is gone or broken")
        else:
            yield None if game_id(found.data) in store else found


def _of_files(store: Store, paths: list[Path], refused: list[str]) -> Generator[FinishedGame | None, None, None]:
    """The games in these files, and None for each that the store has already; what is none is `refused`."""
    for path in with_bar("files", paths):
        try:
            if is_run_file(path):
                yield from _of_run(store, path, refused)
            else:
                yield _read(path, store)
        except (OSError, OverflowError, ValueError) as error:
            refused.append(f"{path}: {error.strerror if isinstance(error, OSError) else error}")


def _of_run(store: Store, path: Path, refused: list[str]) -> Generator[FinishedGame | None, None, None]:
    """The games of a run that count, and None for each that the store has already; what is damaged is `refused`."""
    games = RunFile(path)
    if games.damage:
        refused.append(games.damage)
    for number in sorted(ended.number for ended in counted_games(games.outcomes.values())):
        try:
            found = finished_record(games.record(number), games.ended(number))
        except RecordError as error:
            refused.append(f"{path}: {error}")
        else:
            yield None if game_id(found.data) in store else found


def _read(path: Path, store: Store) -> FinishedGame | None:
    """The game in this file; None if the store has it already."""
    with path.open("rb") as file:
        data = whole(file)
    if game_id(data) in store:
        return None
    return finished(data, datetime.fromtimestamp(path.stat().st_mtime, UTC))


def _added(store: Store, games: Generator[FinishedGame | None, None, None]) -> tuple[int, int]:
    """Add these games to the store, some at a time; how many are new, and how many it has already."""
    added = known = 0
    with contextlib.closing(games):  # and with them the bar, also if the store fails
        while some := list(itertools.islice(games, BATCH)):
            fresh = [game for game in some if game is not None]
            added += len(set(store.add(fresh)))
            known += len(some) - len(fresh)
    return added, known
