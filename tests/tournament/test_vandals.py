"""A gallery of vandals: agents that try to harm the run, its processes, its files and their rivals."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import case
from tests.cli import HANG, command, surroundings, well
from tests.external import living
from tests.server.strangers import HERE
from wateringhole.external.sandbox import unavailable

BOTS = """
import ctypes, glob, json, os, signal, socket, subprocess, sys, time
from pathlib import Path
from wateringhole import Silly

HERE = Path(__file__).parent
FAULT = {{"move": "fault", "reason": "server-error", "text": "not my fault"}}
FORGED = json.dumps({{"failed": FAULT}}).encode() + b"\\n"

def once():
    there = (HERE / "struck").exists()
    (HERE / "struck").touch()
    return not there

def parents():
    found, pid = [], os.getpid()
    while pid > 1:
        pid = int(Path(f"/proc/{{pid}}/stat").read_text().rpartition(")")[2].split()[1])
        found.append(pid)
    return [pid for pid in found if b"wateringhole" in Path(f"/proc/{{pid}}/cmdline").read_bytes()]

def rivals():
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            if str(HERE.parent / "rival").encode() in Path(path).read_bytes():
                yield int(path.split("/")[2])
        except OSError:
            pass

def strike(number, *pids):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:  # it went with one that was struck before
            pass

def hide_memory():
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                held = bytearray(os.urandom(1 << 20) * 60)
                time.sleep(1_000)
            os._exit(0)
    time.sleep(60)

def forge_on_every_line():
    for number in range(3, 20):
        try:
            os.write(number, FORGED)
        except OSError:
            pass

class Bot(Silly):
    def choose(self, request):
        {does}
        return super().choose(request)
"""
VANDALS: dict[str, tuple[str, set[str]]] = {
    "kills its parent": ("strike(signal.SIGKILL, os.getppid())", set()),
    "stops its parent": ("strike(signal.SIGSTOP, os.getppid())", set()),
    "kills all that it can": ("os.kill(-1, signal.SIGKILL)", {"exception"}),
    "kills its rivals": ("strike(signal.SIGKILL, *rivals())", set()),
    "forges a reason by its exit code": ("os.write(2, FORGED); os._exit(86)", {"exited"}),
    "forges a reason on its stream": ("forge_on_every_line(); time.sleep(60)", {"exception"}),
    "exits with another code": ("os._exit(77)", {"exited"}),
    "hides memory in orphans": ("hide_memory()", {"memory"}),
    "fills the disk": ("Path('/tmp/full').write_bytes(bytes(1 << 30))", {"exception", "memory"}),
    "uses the network": (f"socket.create_connection(('{HERE}', {{port}}), 5)", {"exception"}),
    "reads the files of a rival": ("(HERE.parent / 'rival' / 'rival.py').read_text()", {"exception"}),
    "writes into its own folder": ("(HERE / 'new').write_text('')", {"exception"}),
    "reads the run's folder": ("(HERE / 'results' / 'plan.json').read_text()", {"exception"}),
}
"""What each does, and why it is expelled: never, if that harms nothing, not even itself."""


@pytest.fixture(autouse=True)
def bubblewrap() -> None:
    assert sys.platform != "linux" or unavailable() == "", "these tests need bubblewrap: apt-get install bubblewrap"


def bot(folder: Path, name: str, does: str) -> str:
    (folder / name).mkdir(exist_ok=True)
    (folder / name / f"{name}.py").write_text(BOTS.format(does=does))
    return f"py:{folder / name / f'{name}.py'}:Bot"


def words(folder: Path, does: str, games: int) -> list[str]:
    agents = [bot(folder, "vandal", does), bot(folder, "rival", "pass"), "silly"]
    out = str(folder / "vandal" / "results")
    return ["match", *agents, "--games", str(games), "--jobs", "2", "--limit-memory", "100", "--json", "--out", out]


def test_in_a_sandbox_a_vandal_harms_nothing_but_itself(tmp_path: Path) -> None:
    for number, (what, (does, reasons)) in enumerate(VANDALS.items()):
        with case(what):
            folder = tmp_path / str(number)
            folder.mkdir()
            told = json.loads(
                well(command(*words(folder, does.replace("{port}", "9"), 1), "--sandbox", "on", "--time", "20"))
            )
            assert (told["games"], told["void"], told["sandbox"]) == (1, {}, "on")
            vandal, *others = (agent["expelled"] for agent in told["agents"])
            assert others == [{}, {}]
            assert {*vandal} <= reasons
            assert sum(vandal.values()) == (1 if reasons else 0)
            assert living(str(folder).encode()) == {}


def test_without_a_sandbox_a_rival_may_be_killed_but_the_run_goes_on(tmp_path: Path) -> None:
    told = json.loads(well(command(*words(tmp_path, "strike(signal.SIGKILL, *rivals())", 3), "--sandbox", "off")))
    assert (told["games"], told["void"], told["sandbox"]) == (3, {}, "off")
    vandal, rival, silly = (agent["expelled"] for agent in told["agents"])
    assert (vandal, silly) == ({}, {})
    assert {*rival} <= {"exited", "disconnected"}


def test_if_the_main_process_dies_the_same_command_goes_on(tmp_path: Path) -> None:
    """Without a sandbox nothing can prevent that."""
    does = "once() and (strike(signal.SIGKILL, *reversed(parents())), time.sleep(1_000))"
    run = [sys.executable, "-m", "wateringhole", *words(tmp_path, does, 3), "--sandbox", "off"]
    killed, again = (
        subprocess.run(run, env=surroundings(), capture_output=True, timeout=HANG, check=False) for _ in range(2)
    )
    assert killed.returncode == -9
    assert again.returncode == 0, again.stderr
    told = json.loads(again.stdout)
    assert (told["games"], told["void"]) == (3, {})
    assert [agent["expelled"] for agent in told["agents"]] == [{}, {}, {}]
    assert living(str(tmp_path).encode()) == {}
