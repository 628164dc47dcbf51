"""Every test of the store runs in a file and on a server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.paper import emptied
from tests.store.postgres import Postgres, running
from wateringhole.store.database import Database, database
from wateringhole.store.games import Store

KINDS = ["sqlite", "postgresql"]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running() as server:
        yield server


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a store can be: an empty folder, an empty database."""
    if request.param == "sqlite":
        yield str(tmp_path / "data")
    else:
        with request.getfixturevalue("postgres").database() as url:
            yield url


@pytest.fixture(scope="session", params=KINDS)
def shared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """One for many tests, as making one takes longer than most of them."""
    if request.param == "sqlite":
        with database(tmp_path_factory.mktemp("store")) as base:
            yield base
    else:
        with request.getfixturevalue("postgres").database() as url, database(url) as base:
            yield base


@pytest.fixture
def store(shared: Database) -> Store:
    """An empty store."""
    return emptied(shared)
