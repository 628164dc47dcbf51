"""The time until something runs: an import, a command that only names itself, and a harness, with each core.

Each is a process of its own, beside a Python that does nothing. Time on the clock, the median of many runs, and how
many times that of the bare Python it is. What is compared takes turns, so that a noisy machine hurts all of it.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

BARE = [sys.executable, "-c", "pass"]
COMMAND = [sys.executable, "-m", "wateringhole"]
WAYS = {
    "import wateringhole": [sys.executable, "-c", "import wateringhole"],
    "wateringhole --version": [*COMMAND, "--version"],
    "wateringhole xattack": [*COMMAND, "xattack"],
}
SITUATION = """[
    [["food",0],["body",2],["population",3],["traits",["hard-shell"]]],
    [["food",0],["body",3],["population",3],["traits",["carnivore","pack-hunting"]]],
    false, false]"""


def run(command: list[str], pure: str) -> tuple[float, str]:
    """How many milliseconds a command took, and what it printed."""
    begun = time.perf_counter()
    done = subprocess.run(  # noqa: S603
        command,
        input=SITUATION,
        env={**os.environ, "WATERINGHOLE_PURE": pure},
        capture_output=True,
        text=True,
        check=True,
    )
    return 1e3 * (time.perf_counter() - begun), done.stdout


def cores() -> dict[str, str]:
    """The cores that are installed, and what WATERINGHOLE_PURE is for each."""
    found: dict[str, str] = {}
    for pure in ("1", "0"):
        _, version = run(WAYS["wateringhole --version"], pure)
        _, verdict = run(WAYS["wateringhole xattack"], pure)
        assert verdict == "true\n"
        found.setdefault("compiled" if "compiled" in version else "plain", pure)
    return found


def medians(runs: int) -> tuple[float, dict[str, dict[str, float]]]:
    """The milliseconds of a bare Python, and of each command with each core."""
    bare: list[float] = []
    times: dict[str, dict[str, list[float]]] = {name: {} for name in WAYS}
    installed = cores()
    for _ in range(runs):
        bare.append(run(BARE, "0")[0])
        for name, command in WAYS.items():
            for core, pure in installed.items():
                times[name].setdefault(core, []).append(run(command, pure)[0])
    found = {name: {core: statistics.median(spent) for core, spent in row.items()} for name, row in times.items()}
    return statistics.median(bare), found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20, help="runs of each command (20)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    options = parser.parse_args()
    bare, rows = medians(options.runs)
    if options.json:
        print(json.dumps({"unit": "ms, median", "runs": options.runs, "bare python": bare, "rows": rows}))
        return
    installed = list(rows["import wateringhole"])
    if installed == ["plain"]:
        print("the installed core is plain Python only; nothing to compare it with")
    print(f"milliseconds until it is done, median of {options.runs} runs; in brackets: times bare Python")
    print(" " * 22, *(f"{core:>14}" for core in installed))
    print(f"{'python -c pass':22}", *[f"{bare:>6.0f} (  1.0)"] * len(installed))
    for name, row in rows.items():
        print(f"{name:22}", *(f"{spent:>6.0f} ({spent / bare:>5.1f})" for spent in row.values()))


if __name__ == "__main__":
    main()
