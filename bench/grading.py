"""What grading costs besides the programs: CPU time of our own process for each run of a program, with and without a
sandbox. The programs, and bubblewrap with them, are other processes; their CPU time is named beside it.
"""

import argparse
import json
import resource
import tempfile
from pathlib import Path
from statistics import median

from wateringhole.conformance.grading import Grading, submissions_in
from wateringhole.conformance.kept_results import kept_results
from wateringhole.conformance.proctor import open_proctor
from wateringhole.conformance.suites import suite_cases
from wateringhole.external.sandbox import Sandbox, unavailable

BOARD = [["food", 0], ["body", 0], ["population", 1], ["traits", []]]
HUNTER = [["food", 0], ["body", 0], ["population", 1], ["traits", ["carnivore"]]]


def cpu(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def measured(folder: Path, cases: int, sandbox: Sandbox | None, jobs: int | None) -> tuple[float, float]:
    """Milliseconds of CPU time a run: ours, and that of the program."""
    files = {"xattack": suite_cases(folder / "suite" / "xattack.jsonl")}
    begun = cpu(resource.RUSAGE_SELF), cpu(resource.RUSAGE_CHILDREN)
    with (
        tempfile.TemporaryDirectory() as kept,
        open_proctor(jobs, 10, sandbox) as proctor,
        kept_results(Path(kept)) as results,
    ):
        submissions = submissions_in(folder / "class", files, kept=True)
        Grading(files, proctor, results).run(submissions, lambda _: None)
    assert all(mark.passed == cases for submission in submissions for mark in submission.marks)
    ours, theirs = cpu(resource.RUSAGE_SELF) - begun[0], cpu(resource.RUSAGE_CHILDREN) - begun[1]
    return 1_000 * ours / cases, 1_000 * theirs / cases


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200, help="cases of a round (200)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each way (5)")
    parser.add_argument("--jobs", type=int, help="cases at once (one for each CPU)")
    parser.add_argument("--program", default="#!/bin/sh\necho true\n", help="the text of the program")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "suite").mkdir()
        listed = [{"id": f"{n}", "in": [BOARD, HUNTER, False, False], "out": True} for n in range(options.cases)]
        (folder / "suite" / "xattack.jsonl").write_text("".join(json.dumps(case) + "\n" for case in listed))
        (folder / "class" / "ann").mkdir(parents=True)
        (folder / "class" / "ann" / "xattack").write_text(options.program)
        (folder / "class" / "ann" / "xattack").chmod(0o755)
        for way, sandbox in {"no sandbox": None, "sandbox": Sandbox()}.items():
            if sandbox is not None and (why := unavailable()):
                print(f"{way:12} not measured: {why}")
                continue
            rounds = [measured(folder, options.cases, sandbox, options.jobs) for _ in range(options.rounds)]
            ours, theirs = (median(times) for times in zip(*rounds, strict=True))
            print(f"{way:12} ours {ours:6.2f} ms of CPU time a run, the program's processes {theirs:6.2f} ms")


if __name__ == "__main__":
    main()
