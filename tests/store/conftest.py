"""Every test of the store runs in a file and on a server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.postgres import Postgres, running
from wateringhole.store.games import Store, opened


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a store can be: an empty folder, an empty database."""
    if request.param == "sqlite":
        yield str(tmp_path / "data")
    else:
        with request.getfixturevalue("postgres").database() as url:
            yield url


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    """A new store."""
    with opened(place) as new:
        yield new
