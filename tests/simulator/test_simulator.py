"""Servers that die, disks that fail and lines that break, in worlds that a seed makes; laws.py says what must hold."""

from collections.abc import Iterator

import pytest

from wateringhole.store.database import Database

from .scenario import POINTS, play, scratch


@pytest.fixture(scope="module")
def base() -> Iterator[Database]:
    with scratch() as database:
        yield database


@pytest.mark.parametrize("point", POINTS)
def test_nobody_can_tell_that_a_server_died_at_this_point(base: Database, point: str) -> None:
    outcomes = [play(f"{point} {seed}", base, point) for seed in range(20)]
    assert sum(outcome.deaths > 0 for outcome in outcomes) >= 10


@pytest.mark.parametrize("tens", range(20))
def test_nobody_can_tell_that_a_server_was_killed_at_any_moment(base: Database, tens: int) -> None:
    for seed in range(10 * tens, 10 * tens + 10):
        play(f"moment {seed}", base)
