"""What each version has written, as files: records, the games of a run, a store, and dialogues with its server.

`python -m tests.compatibility` writes the folder of this version; that of a released version is never written anew.
"""

import json
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

from tests.documents import conversation
from tests.store.paper import NOON, played
from wateringhole.external.play_specs import Treatment
from wateringhole.record import digest, read, replay
from wateringhole.store.database import FILE
from wateringhole.store.finished_game import finished
from wateringhole.store.games import opened
from wateringhole.tournament.run import run
from wateringhole.tournament.run_journal import RunPlan
from wateringhole.tournament.runfile import GAMES, RunFile
from wateringhole.tournament.schedule import rotations
from wateringhole.wire.dialects import DIALECTS

HERE: Final = Path(__file__).parent
VERSIONS: Final = sorted(path for path in HERE.iterdir() if path.is_dir() and not path.name.startswith("__"))

RECORDS: Final = "records"
DIALOGUES: Final = "dialogues"
DIGESTS: Final = "digests.json"
STORE: Final = "store.sql"
AGENTS: Final = ("greedy", "rash", "bad:raises-in-choose")


def write_version(folder: Path) -> None:
    """Write what this version writes; records that are in the folder already stay."""
    if not (folder / RECORDS).exists():
        _write_records(folder / RECORDS)
    with tempfile.TemporaryDirectory() as place:
        _write_run(folder, Path(place) / "run")
        _write_store(folder, Path(place) / "store")
    (folder / DIALOGUES).mkdir(exist_ok=True)
    for dialect in DIALECTS:
        (folder / DIALOGUES / f"{dialect}.txt").write_text("\n".join(conversation(dialect)) + "\n")


def _write_records(folder: Path) -> None:
    """Write a game that is over, one that was stopped, and one with a player who was expelled."""
    folder.mkdir(parents=True)
    (folder / "finished.jsonl").write_bytes(played(7, "greedy", "silly", "rash"))
    (folder / "stopped.jsonl").write_bytes(played(7, "greedy", "silly", "rash", replies=20))
    (folder / "expelled.jsonl").write_bytes(played(7, "silly", "silly", "bad:raises-in-choose"))
    digests = {path.name: digest(replay(read(path))) for path in sorted(folder.iterdir())}
    (folder / DIGESTS).write_text(json.dumps(digests, indent=1) + "\n")


def _write_run(folder: Path, out: Path) -> None:
    plan = RunPlan(AGENTS, "compatibility", Treatment("10", False, 1_024))
    run(plan, rotations(range(len(AGENTS)), 3), 1, out, lambda _: None)
    shutil.copy(out / GAMES, folder / GAMES)
    games = RunFile(folder / GAMES)
    digests = {str(number): digest(replay(games.record(number))) for number in games.outcomes}
    (folder / DIGESTS).write_text(json.dumps(digests, indent=1) + "\n")


def _write_store(folder: Path, place: Path) -> None:
    with opened(place) as store:
        store.add(finished(path.read_bytes(), NOON) for path in records(folder))
        store.ladder(10)  # so that it is counted
    with closing(sqlite3.connect(place / FILE)) as base:
        (folder / STORE).write_text("\n".join(base.iterdump()) + "\n")


def read_store(folder: Path, place: Path) -> None:
    """Make the database of a version in a new folder, as that version had left it."""
    place.mkdir()
    with closing(sqlite3.connect(place / FILE)) as base:
        base.executescript((folder / STORE).read_text())


def records(folder: Path) -> list[Path]:
    """The records of a version."""
    return sorted((folder / RECORDS).glob("*.jsonl"))


def dialogue(folder: Path, dialect: str) -> list[str]:
    """The lines of a dialogue with the server of a version."""
    return (folder / DIALOGUES / f"{dialect}.txt").read_text().splitlines()
