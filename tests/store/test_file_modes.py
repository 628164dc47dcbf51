"""Who may read what a store writes: its owner, until the operator says otherwise."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.paper import paper
from wateringhole.store.append_files import AppendFolder
from wateringhole.store.backup import back_up, restore
from wateringhole.store.data_folder import RUNNING, open_data_folder
from wateringhole.store.games import opened


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """With which all could read what is made without a thought."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def rights(folder: Path) -> dict[str, str]:
    """The rights of all that is in this folder, and its own."""
    return {str(path.relative_to(folder)): f"{path.stat().st_mode & 0o777:o}" for path in (folder, *folder.rglob("*"))}


def test_new_files_and_folders_are_their_owners_alone(tmp_path: Path) -> None:
    home = tmp_path / "new" / "data"
    with open_data_folder(home) as kept:
        kept.archiver.store.add([paper(1, "Ann", "Bob", "Cem")])
        game_log = AppendFolder(home / RUNNING).open("game.journal")
        game_log.write(b"x")
        asyncio.run(game_log.sync())
        game_log.close()
        found = rights(tmp_path / "new")
        assert {"data/store.sqlite", "data/store.sqlite-wal", "data/store.sqlite-shm", "data/lock"} < found.keys()
        for name, mode in found.items():
            assert mode == ("700" if (tmp_path / "new" / name).is_dir() else "600"), name
        back_up(home, tmp_path / "backup")
    restore(tmp_path / "backup", tmp_path / "again")
    assert rights(tmp_path)["backup"] == "600"
    assert rights(tmp_path / "again") == {".": "700", "store.sqlite": "600"}


def test_rights_that_the_operator_has_widened_are_kept(tmp_path: Path) -> None:
    with open_data_folder(tmp_path / "data"):
        pass
    widened = {".": 0o755, "running": 0o750, "lock": 0o644, "store.sqlite": 0o664}
    for name, mode in widened.items():
        (tmp_path / "data" / name).chmod(mode)
    with open_data_folder(tmp_path / "data") as kept:
        kept.archiver.store.add([paper(1, "Ann", "Bob", "Cem")])
        found = rights(tmp_path / "data")
    assert {name: found[name] for name in widened} == {name: f"{mode:o}" for name, mode in widened.items()}
    assert found["store.sqlite-wal"] == found["store.sqlite-shm"] == "664", "as the database"


def test_folders_that_are_there_already_keep_theirs(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o755)
    with opened(tmp_path / "shared" / "data"):
        pass
    assert rights(tmp_path / "shared") == {".": "755", "data": "700", "data/store.sqlite": "600"}
