"""A first visit to a fresh installation: each thing that a newcomer would try, by the programs of an environment.

`python -m tests.compiled.tryout ENV/bin` prints a line for each; `make pythons` runs it for each Python at hand.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from tests.cases import case
from tests.cli import HANG, ending, surroundings

CASE = '{"id":"1","in":[[[["id",1],["species",[]],["bag",0]]],1,[]],"out":[[[["id",1],["species",[]],["bag",0]]],1,[]]}'
VISITS: list[tuple[str, str]] = [
    ("wateringhole --help", "Commands:"),
    ("wateringhole game 4 --seed 1 --record game.jsonl --quiet", "silly"),
    ("wateringhole replay game.jsonl --quiet", "silly"),
    ("wateringhole match silly rash greedy --games 30 --seed 1", "Elo"),
    ("wateringhole kit python bot", "README.md"),
    ("wateringhole check 'cmd:python3 bot/bot.py' --games 2 --time 60", "healthy"),
    ("wateringhole grade --suite cases", "1"),
]
"""A command, and a word that it must print."""


def tried(programs: Path, folder: Path) -> Iterator[str]:
    """Each visit that went well, in this empty folder; the first that fails raises."""
    env = surroundings(PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    env.pop("PYTHONPATH", None)  # the installed package is meant, not the source
    (folder / "cases").mkdir()
    (folder / "cases" / "xstep.jsonl").write_text(CASE)
    for line, word in VISITS:
        with case(line):
            done = subprocess.run(
                ["sh", "-c", line], cwd=folder, env=env, capture_output=True, text=True, timeout=HANG, check=False
            )
            assert done.returncode == 0, done.stderr
            assert word in done.stdout
        yield line
    for line in ("wateringhole play --no-browser --port 0", "wateringhole serve --web 0 --port 0 --data games"):
        with case(line):
            _page(line.split(), folder, env)
        yield line


def _page(words: list[str], folder: Path, env: dict[str, str]) -> None:
    """The page that this command serves can be read, and Ctrl-C ends it."""
    program = shutil.which(words[0], path=env["PATH"])
    assert program is not None
    with ending(
        subprocess.Popen([program, *words[1:]], cwd=folder, env=env, stderr=subprocess.PIPE, text=True)
    ) as process:
        assert process.stderr is not None
        links = (re.search(r"http://localhost:\d+/[^\s#]*", line) for line in process.stderr)
        link = next(found[0] for found in links if found)
        with urllib.request.urlopen(link, timeout=HANG) as answer:  # noqa: S310
            assert b"<title>" in answer.read()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=HANG)
        assert process.returncode in {0, 130}


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # else a server in a background job ignores Ctrl-C, too
    with tempfile.TemporaryDirectory() as empty:
        for visit in tried(Path(sys.argv[1]).absolute(), Path(empty)):
            sys.stdout.write(f"  {visit}\n")
