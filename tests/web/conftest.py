"""One server for all tests of a worker that do not need one of their own."""

from collections.abc import Iterator

import pytest

from tests.web.server import Server, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serving("--seed", "7") as running:
        yield running
