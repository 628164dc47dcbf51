"""The browser that the tests start."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Browser, sync_playwright

MISSING: Final = (
    "The tests need chromium-headless-shell or chromium. On Debian: sudo apt-get install chromium-headless-shell"
)
QUIET: Final = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
    "--renderer-process-limit=1",  # takes a tenth off what a visitor costs
    "--js-flags=--no-opt",  # a page that lives for seconds does not repay it
]


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """Chromium without a window; its headless shell takes half the time of the whole browser."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert found, MISSING
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=found, args=QUIET) as browser:
        yield browser
