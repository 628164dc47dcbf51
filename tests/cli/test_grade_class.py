"""`grade --submissions` of a class: time-outs, reasons, and results that are kept."""

import csv
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cases import case
from tests.cli import HANG, Ended, command, complained, ending, surroundings, well
from tests.cli.programs import PYTHON, gone, script, written
from wateringhole.conformance import proctor
from wateringhole.conformance.kept_results import FILE
from wateringhole.external.sandbox import unavailable

BOARD = [["food", 0], ["body", 0], ["population", 1], ["traits", []]]
HUNTER = [["food", 0], ["body", 0], ["population", 1], ["traits", ["carnivore"]]]


def suite(folder: Path, number: int) -> str:
    """A suite with so many cases of xattack."""
    cases = [{"id": f"attack {n}", "in": [BOARD, HUNTER, False, False], "out": True} for n in range(number)]
    folder.mkdir()
    (folder / "xattack.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    return str(folder)


def hand_in(folder: Path, *lines: str, first: str = "#!/bin/sh") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    script(folder / "xattack", *lines, first=first)
    return folder


def rows(ended: Ended) -> dict[str, dict[str, Any]]:
    """What is told of each submission."""
    return {row["submission"]: row["harnesses"][0] for row in json.loads(ended.out)["submissions"]}


def reasons(row: dict[str, Any]) -> list[str]:
    return [difference.get("failure", "wrong") for difference in row["differences"]]


def test_a_program_is_given_up_after_time_outs_in_a_row(tmp_path: Path) -> None:
    cases, homes = suite(tmp_path / "suite", 7), tmp_path / "class"
    hand_in(homes / "hangs", "sleep 1000")
    hand_in(
        homes / "now and then",
        f"echo x >> {tmp_path}/n; case $(wc -l < {tmp_path}/n) in 2|4|6) sleep 1000;; esac; echo true",
    )
    words = ["grade", "--sandbox", "off", "--suite", cases, "--submissions", str(homes), "--seconds", "0.2", "--json"]
    found = rows(command(*words, "--give-up", "2", "--jobs", "1"))
    assert reasons(found["hangs"]) == ["time-out"] * 2 + ["not run"] * 5
    assert (found["hangs"]["timeouts"], found["hangs"]["not_run"], found["hangs"]["reason"]) == (2, 5, "time-out")
    assert "2 cases in a row" in json.dumps(found["hangs"]["differences"][2]["got"])
    assert found["now and then"]["passed"] == 7, "late each second time, but never when it ran again"
    assert reasons(rows(command(*words, "--jobs", "4"))["hangs"]) == ["time-out"] * 3 + ["not run"] * 4


def test_a_program_that_was_given_up_but_is_in_time_alone_runs_all_its_cases(tmp_path: Path) -> None:
    cases, homes = suite(tmp_path / "suite", 5), tmp_path / "class"
    hand_in(homes / "ann", f"echo x >> {tmp_path}/n; test $(wc -l < {tmp_path}/n) -le 2 && sleep 1000", "echo true")
    words = ["grade", "--sandbox", "off", "--suite", cases, "--submissions", str(homes), "--seconds", "0.2"]
    assert well(command(*words, "--give-up", "2", "--jobs", "1")).endswith("5 passed, 0 failed\n")


def test_time_counts_that_a_program_works_or_waits_but_not_that_it_waits_for_a_cpu(tmp_path: Path) -> None:
    cases, homes = suite(tmp_path / "suite", 1), tmp_path / "class"
    hand_in(homes / "sleeps", "sleep 1000")
    work = ["import os, time", "while time.process_time() < 0.3: pass", "print('true')"]
    hand_in(homes / "works", *work, first=PYTHON)
    words = ["grade", "--suite", cases, "--submissions", str(homes), "--json"]
    found = rows(command(*words, "--seconds", "0.15"))
    assert (found["sleeps"]["reason"], found["works"]["reason"]) == ("time-out", "time-out")
    for number in range(8):  # at once, so each of them takes much longer by the clock on the wall
        hand_in(homes / f"works {number}", *work, first=PYTHON)
    found = rows(command(*words, "--seconds", "0.8", "--jobs", "9"))
    assert {name: row["reason"] for name, row in found.items() if row["reason"]} == {"sleeps": "time-out"}


def test_the_clock_on_the_wall_ends_what_has_time_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert proctor.wall_seconds(2) == 30
    monkeypatch.setattr(proctor, "wall_seconds", lambda _: 0.2)  # else this would take 20 s
    hand_in(tmp_path / "class" / "sleeps", "sleep 1000")
    words = ["grade", "--suite", suite(tmp_path / "suite", 1), "--submissions", str(tmp_path / "class"), "--json"]
    row = rows(command(*words, "--seconds", "20"))["sleeps"]
    assert row["reason"] == "time-out"
    assert row["differences"][0]["got"] == {"error": "not done after 0.2 s on a busy machine"}


def test_each_reason_has_its_word_in_the_table(tmp_path: Path) -> None:
    cases, homes = suite(tmp_path / "suite", 2), tmp_path / "class"
    programs = {
        "crashed": ("exit 3",),
        "no JSON": ("echo hello",),
        "time-out": ("while :; do :; done",),
        "too much output": ("yes",),
        "wrong": ("echo false",),
    }
    for name, lines in programs.items():
        hand_in(homes / name, *lines)
    (homes / "missing").mkdir()
    (hand_in(homes / "not executable", "echo true") / "xattack").chmod(0o644)
    hand_in(homes / "cannot be started", first="#!/usr/bin/env no-such-language")
    table = tmp_path / "marks.csv"
    command("grade", "--suite", cases, "--submissions", str(homes), "--seconds", "0.3", "--csv", str(table))
    with table.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            with case(row["submission"]):
                assert (row["passed"], row["reason"]) == ("0", row["submission"])


@pytest.mark.skipif(bool(unavailable()), reason="no sandbox here")
def test_a_fork_bomb_and_a_memory_hog_hurt_no_other_submission(tmp_path: Path) -> None:
    cases, homes = suite(tmp_path / "suite", 4), tmp_path / "class"
    # Each process starts another 20 times a second: one without a pause would have thousands before the first look.
    hand_in(homes / "bomb", "import os, time", "while True: os.fork(), time.sleep(0.05)", first=PYTHON)
    grows = ["import os, time", "kept = [os.fork() for _ in range(3)] + [bytes(1) * (400 << 20)]", "time.sleep(100)"]
    hand_in(homes / "hog", *grows, first=PYTHON)
    hand_in(homes / "sound", "echo true")
    words = ["grade", "--sandbox", "on", "--suite", cases, "--submissions", str(homes), "--json", "--seconds", "20"]
    found = rows(command(*words, "--give-up", "1"))
    assert {name: row["reason"] for name, row in found.items()} == {
        "bomb": "too many processes",
        "hog": "too much memory",
        "sound": None,
    }
    assert reasons(found["bomb"]) == ["too many processes"] * 2 + ["not run"] * 2


@pytest.mark.skipif(bool(unavailable()), reason="no sandbox here")
def test_a_submission_cannot_let_our_harness_answer(tmp_path: Path) -> None:
    hand_in(tmp_path / "class" / "eve", f"exec {shlex.quote(sys.executable)} -m wateringhole xattack")
    words = ["grade", "--suite", suite(tmp_path / "suite", 1), "--submissions", str(tmp_path / "class"), "--json"]
    assert rows(command(*words, "--sandbox", "off"))["eve"]["passed"] == 1, "with the rights of the instructor it can"
    row = rows(command(*words, "--sandbox", "on"))["eve"]
    assert (row["passed"], row["reason"]) == (0, "crashed")
    assert "wateringhole" in row["differences"][0]["stderr"]


# Results that are kept.


def test_kept_results_are_not_run_again_unless_something_changed(tmp_path: Path) -> None:
    cases, homes, runs = suite(tmp_path / "suite", 3), tmp_path / "class", tmp_path / "runs"
    for name in ("ann", "bob"):
        hand_in(homes / name, f"echo {name} >> {runs}", "echo true")
    hand_in(homes / "bad", "echo it broke >&2; exit 3")
    words = ["grade", "--sandbox", "off", "--suite", cases, "--submissions", str(homes)]
    words += ["--keep", str(tmp_path / "kept"), "--jobs", "1", "--json"]

    def ran() -> str:
        told = json.loads(command(*words).out)
        assert told == first
        names = runs.read_text().split() if runs.exists() else []
        runs.unlink(missing_ok=True)
        return " ".join(names)

    first = json.loads(command(*words).out)
    assert runs.read_text().split() == ["ann"] * 3 + ["bob"] * 3
    runs.unlink()
    assert ran() == ""
    (homes / "bob" / "notes").write_text("changed")
    assert ran() == "bob bob bob"
    words += ["--seconds", "11"]
    assert ran() == "ann ann ann bob bob bob"
    with (tmp_path / "kept" / "results.jsonl").open("r+b") as file:  # as a crash in the middle of a line leaves it
        file.truncate(file.seek(0, os.SEEK_END) - 7)
    assert ran() == "bob"
    assert ran() == ""
    words[2] = "on"  # in which nothing can be noted
    kept = tmp_path / "kept" / "results.jsonl"
    for more in [], ["--share", str(cases)]:
        with case(more):
            before = len(kept.read_bytes().splitlines())
            command(*words, *more)
            assert len(kept.read_bytes().splitlines()) == before + 9
    words[2] = "off"
    assert ran() == ""


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_an_interrupted_run_goes_on_where_it_was(end: signal.Signals, tmp_path: Path) -> None:
    cases, homes, runs = suite(tmp_path / "suite", 3), tmp_path / "class", tmp_path / "runs"
    hand_in(homes / "ann", f"echo ann >> {runs}", "echo true")
    hand_in(homes / "hangs", f"test -e {tmp_path}/go || {{ echo $$ > {tmp_path}/pid; sleep 1000; }}", "echo true")
    words = ["grade", "--sandbox", "off", "--suite", cases, "--submissions", str(homes)]
    words += ["--keep", str(tmp_path / "kept"), "--jobs", "1", "--seconds", "100"]
    started = [sys.executable, "-m", "wateringhole", *words]
    with ending(
        subprocess.Popen(started, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings())
    ) as running:
        pid = written(tmp_path / "pid")
        while (tmp_path / "kept" / FILE).read_bytes().count(b"\n") < 3:  # those of ann
            time.sleep(0.01)
        running.send_signal(end)
        _, err = running.communicate(timeout=HANG)
    if end is signal.SIGINT:
        assert (running.returncode, "the same command goes on" in err.decode()) == (130, True)
        assert gone(pid)
    else:
        os.killpg(int(pid), signal.SIGKILL)  # without a sandbox nothing ends it with its parent
    assert runs.read_text().split() == ["ann"] * 3
    (tmp_path / "go").write_text("")
    assert well(command(*words)).endswith("6 passed, 0 failed\n")
    assert runs.read_text().split() == ["ann"] * 3


def test_a_folder_for_results_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    cases, homes = suite(tmp_path / "suite", 1), tmp_path / "class"
    hand_in(homes / "ann", "echo true")
    (tmp_path / "file").write_text("")
    words = ["grade", "--suite", cases, "--submissions", str(homes), "--keep"]
    for place in ("file", "file/below"):
        assert complained(command(*words, str(tmp_path / place)), place)
