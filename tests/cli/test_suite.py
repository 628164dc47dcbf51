"""`suite make`: a suite of two halves, and what it says about it."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.cases import case
from tests.cli import HANG, command, complained, ending, process, surroundings, well
from wateringhole.conformance.coverage import PAIRS, REACHABLE, UNREACHABLE
from wateringhole.conformance.harness import HARNESSES
from wateringhole.conformance.suite_maker import HALVES, MAX_CASES, MIN_CASES


def test_a_suite_is_made_and_graded_and_its_seed_makes_it_again(tmp_path: Path) -> None:
    first, again = tmp_path / "first", tmp_path / "of a" / "course"
    out = well(command("suite", "make", str(first), "--cases", str(MIN_CASES)))
    seed = out.splitlines()[-1].removeprefix("seed: ")
    assert len(seed) > 20, "one that was drawn"
    named = [line.split()[0] for line in out.splitlines() if line]
    assert [word for word in named if word in REACHABLE] == list(REACHABLE)
    assert [word for word in named if word in UNREACHABLE] == list(UNREACHABLE)
    assert [pair for pair in PAIRS if f"\n{pair} " not in out] == []

    value = json.loads(well(process("suite", "make", str(again), "--cases", str(MIN_CASES), "--seed", seed, "--json")))
    assert (value["seed"], value["cases"], value["unreachable"]) == (seed, MIN_CASES, UNREACHABLE)
    for half in HALVES:
        told = value["halves"][half]
        assert told["folder"] == str(again / half)
        assert (list(told["rules"]), list(told["pairs"])) == (list(REACHABLE), list(PAIRS))
        files = {path.name: path.read_text() for path in (again / half).iterdir()}
        assert files == {path.name: path.read_text() for path in (first / half).iterdir()}
        counts = {harness: files[f"{harness}.jsonl"].count("\n") for harness in HARNESSES}
        assert (counts, sum(counts.values())) == (told["harnesses"], MIN_CASES // 2)
        passed = f"{MIN_CASES // 2} passed, 0 failed"
        assert well(command("grade", "--suite", str(again / half))).splitlines()[-1] == passed
    assert {path.name for path in again.iterdir()} == set(HALVES)


def test_mistakes_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    for arguments, word in (
        ((str(tmp_path),), "not empty"),
        ((str(tmp_path / "file"),), "file"),
        ((str(tmp_path / "file" / "below"),), "file"),
        ((str(tmp_path / "new"), "--cases", str(MIN_CASES - 1)), str(MIN_CASES)),
        ((str(tmp_path / "new"), "--cases", str(MAX_CASES + 1)), str(MAX_CASES)),
        ((str(tmp_path / "new"), "--cases", "many"), "many"),
        ((str(tmp_path / "new"), "--seed", "s" * 2000), "2000"),
    ):
        with case(*arguments):
            complained(command("suite", "make", *arguments), word)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_ctrl_c_leaves_no_file_and_no_folder(tmp_path: Path) -> None:
    folder = tmp_path / "of a" / "course"
    words = [sys.executable, "-m", "wateringhole", "suite", "make", str(folder), "--cases", str(MAX_CASES)]
    with ending(subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=surroundings())) as running:
        while not folder.exists():  # it is made when all arguments are checked
            assert running.poll() is None
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        assert running.wait(HANG) == 130
    assert list(tmp_path.iterdir()) == []


STOPPED_AT_A_FILE = """
import errno, os, sys
from wateringhole.cli import main
def stop(event, arguments):
    if event == "open" and str(arguments[0]).endswith(os.path.join("hidden", "xfeed.jsonl")):
        raise KeyboardInterrupt if sys.argv[1] == "interrupt" else OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
sys.addaudithook(stop)
main(sys.argv[2:])
"""


def test_an_interrupt_or_a_full_disk_while_files_are_written_leaves_none(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for way, code, word in (("full", 2, "No space left"), ("interrupt", 130, "")):
        for folder in (tmp_path / "of a" / "course", tmp_path / "empty"):
            with case(way, folder.name):
                words = [sys.executable, "-c", STOPPED_AT_A_FILE, way, "suite", "make", str(folder)]
                done = subprocess.run(
                    [*words, "--cases", str(MIN_CASES)],
                    capture_output=True,
                    text=True,
                    timeout=HANG,
                    check=False,
                    env=surroundings(),
                )
                assert (done.returncode, done.stdout) == (code, "")
                assert word in done.stderr
                assert [path.name for path in tmp_path.rglob("*")] == ["empty"]
