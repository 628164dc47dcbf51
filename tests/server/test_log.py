"""Log lines for the operator: one event is one line."""

import json
import logging
import threading

import pytest

from wateringhole.server.monitor import Monitor


def test_a_defect_of_the_server_is_one_json_line_with_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("wateringhole.server.lobby")
    monitor = Monitor("json")
    with monitor.errors_logged():
        try:
            threading.Lock().release()
        except RuntimeError:
            logger.exception("a game of %d clients failed", 3)
        logger.warning("no connection can be taken now: %s", "Too many open files")
    logger.handle(logging.LogRecord(logger.name, logging.ERROR, "", 0, "after the end", (), None))
    failed, full = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    assert (failed["event"], failed["level"]) == ("a game of 3 clients failed", "error")
    assert failed["traceback"].startswith("Traceback")
    assert failed["traceback"].endswith("RuntimeError: release unlocked lock")
    assert (full["event"], full["level"]) == ("no connection can be taken now: Too many open files", "warning")
    assert "traceback" not in full
