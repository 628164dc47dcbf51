"""The tests of the compiled core need one: in plain Python they are collected only if somebody names them, and fail."""

import gc

import pytest

from wateringhole.value import COMPILED

collect_ignore = [] if COMPILED else ["compiled"]


@pytest.fixture(scope="module", autouse=True)
def lasting() -> None:
    """What is there before the tests stays to their end, so the collector, which many of them call, need not search it.

    Nothing of a test is in it: what one test left behind is collected before.
    """
    if gc.get_freeze_count() == 0:
        gc.collect()
        gc.freeze()
