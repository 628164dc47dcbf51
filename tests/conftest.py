"""What all tests have in common.

The tests of the compiled core need one: in plain Python they are collected only if somebody names them, and fail.
Those of the documentation's site need the site: `make docs` builds it and says where it is.
"""

import gc
import math
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from tests.times import TIMES
from wateringhole.value import COMPILED

pytest_plugins = ["tests.left_behind", "tests.time_limit"]
collect_ignore = [*([] if COMPILED else ["compiled"]), *([] if "SITE" in os.environ else ["built_site"])]

# Where matrices are small, the threads of BLAS only wait for each other, which costs four times the computation. Numpy
# reads this when it is imported; what the tests start inherits it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# How long one example takes is a matter of the machine and its load: no test fails for it. Examples are the same in
# each run, so that none fails by luck; with --hypothesis-profile=dice they are others each time.
settings.register_profile(
    "unhurried",
    deadline=None,
    derandomize=True,
    max_examples=50 * TIMES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("dice", settings.get_profile("unhurried"), derandomize=False)
settings.load_profile("unhurried")


def pytest_configure() -> None:
    """A shell starts a background job with SIGINT ignored, nohup with SIGHUP: the processes that tests start must not
    inherit that, because many tests send these signals.
    """
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three for two processors: a part of a run is waiting, and each worker has a browser and servers of its own."""
    return math.ceil(1.5 * (os.cpu_count() or 1))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first: at the end all workers but one would wait for it."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="module", autouse=True)
def lasting() -> None:
    """What is there before the tests stays to their end, so the collector, which many of them call, need not search it.

    Nothing of a test is in it: what one test left behind is collected before.
    """
    if gc.get_freeze_count() == 0:
        gc.collect()
        gc.freeze()
