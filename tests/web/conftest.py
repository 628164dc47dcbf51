"""One server for all tests of a worker that do not need one of their own."""

from collections.abc import Iterator

import pytest

from tests.web.server import Server, serving

SEED = "3"
"""Of the game at each table. In it there is something to feed before the first hint."""


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serving("--seed", SEED) as running:
        yield running
