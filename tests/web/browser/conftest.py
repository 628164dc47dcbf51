"""One browser for all tests of this folder that a worker runs, fresh visitors for each."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.moments import Stage, keep_moments, staged
from tests.web.browser.program import running_chromium
from tests.web.browser.visitors import Profiles, Visitors
from tests.web.server import PATIENCE, Server, serving


# Not for the whole session: while Playwright's event loop is there, no other test of the worker can have one.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE * 1_000)
    with running_chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def profiles(chromium: Browser) -> Profiles:
    return Profiles(chromium)


@pytest.fixture
def visitors(chromium: Browser, profiles: Profiles, server: Server) -> Iterator[Visitors]:
    """Whoever comes to the common server."""
    with Visitors(chromium, server.base, profiles) as arriving:
        yield arriving


@pytest.fixture(scope="package")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A server whose games can be played on from certain moments."""
    folder = tmp_path_factory.mktemp("moments")
    keep_moments(folder)
    with serving(records=folder) as running:
        yield staged(running)


@pytest.fixture
def actors(chromium: Browser, profiles: Profiles, stage: Stage) -> Iterator[Visitors]:
    """Whoever comes to the stage."""
    with Visitors(chromium, stage.server.base, profiles) as arriving:
        yield arriving
