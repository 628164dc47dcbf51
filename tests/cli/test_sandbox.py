"""The options --sandbox and --share of every command that starts programs, and what each says about the sandbox."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases import case
from tests.cli import HANG, command, complained, well
from tests.cli.programs import PYTHON
from tests.cli.test_serve import serving
from tests.server.strangers import HERE
from wateringhole.conformance import doctor
from wateringhole.conformance.doctor_scenes import SCENES
from wateringhole.external.sandbox import unavailable

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")


@pytest.fixture(autouse=True)
def bubblewrap() -> None:
    assert unavailable() == "", "these tests need bubblewrap: apt-get install bubblewrap"


@pytest.fixture(autouse=True)
def short_examination(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check plays one scene: each is played in a process of its own, and all of these are started alike."""
    monkeypatch.setattr(doctor, "SCENES", SCENES[:1])


SPY = """
import os
from wateringhole import Silly
class Spy(Silly):
    def __init__(self):
        found = [path for path in {paths!r} if os.path.exists(path)]
        if found: raise SystemExit("sees " + str(found))
"""
HARNESS = """{first}
import json, os, sys
json.load(sys.stdin)
def seen(path):
    try: return os.path.isdir(path) or bool(open(path).read())
    except OSError: return False
print(json.dumps([path for path in {paths!r} if seen(path)]))
"""


def spy(folder: Path, *paths: Path) -> str:
    """An agent that is expelled if it sees one of these paths."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spy.py").write_text(SPY.format(paths=[str(path) for path in paths]))
    return f"py:{folder / 'spy.py'}:Spy"


def test_a_game_a_match_and_a_check_are_sandboxed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("deck")
    agent = spy(tmp_path / "mine", tmp_path / "secret")
    assert "expelled" not in well(command("game", agent, "silly", "silly", "--quiet"))
    for jobs in ("1", "2"):
        with case(jobs):
            out = tmp_path / "mine" / jobs
            spy(tmp_path / "mine", tmp_path / "secret", out / "plan.json")
            match = ["match", agent, "silly", "rash", "--games", "2", "--jobs", jobs, "--out", str(out)]
            told = json.loads(well(command(*match, "--json")))
            assert (told["sandbox"], [row["expelled"] for row in told["agents"]]) == ("on", [{}, {}, {}])
            assert "\nsandbox: on\n" in well(command(*match)), "all games are kept, and none is played again"
    agent = spy(tmp_path / "mine", tmp_path / "secret")
    assert "\nsandbox: on\nhealthy\n" in well(command("check", agent, "--games", "0"))
    assert json.loads(well(command("check", agent, "--games", "0", "--json")))["sandbox"] == "on"
    for words, sandbox in (
        ((agent, "silly", "--sandbox", "off"), "off"),
        ((agent, f"{agent}?sandbox=off&name=Ann", "--share", str(tmp_path / "secret")), "on, except Ann"),
        ((agent, "silly", "--in-process"), "off"),
        (("rash", "silly"), None),
    ):
        with case(words):
            assert json.loads(well(command("match", *words, "rash", "--games", "1", "--json")))["sandbox"] == sandbox


def test_a_tournament_is_sandboxed_and_its_report_says_so(tmp_path: Path) -> None:
    other = spy(tmp_path / "other", tmp_path / "cup.toml")
    spy(tmp_path, tmp_path / "cup.results" / "plan.json")
    (tmp_path / "data").write_text("")
    config = tmp_path / "cup.toml"
    agents = {"Ann": "py:other/spy.py:Spy", "Bob": "py:spy.py:Spy", "Cem": f"{other}?sandbox=off", "Dora": "silly"}
    lines = "".join(f"[[entries]]\nname = '{name}'\nagent = '{agent}'\n" for name, agent in agents.items())
    config.write_text(f"table = 4\nshare = ['data']\n{lines}")
    ended = command("tournament", "run", str(config), "--json")
    told = json.loads(ended.out)
    assert [line.partition(" ")[0] for line in ended.err.splitlines()] == ["Cem"], "it alone sees what it must not see"
    assert told["sandbox"] == "on, except Cem"
    assert {line["name"]: line["expelled"] for line in told["standings"]} | {"Cem": {}} == {name: {} for name in agents}
    assert json.loads(well(command("tournament", "report", str(config), "--json"))) == told
    assert "sandbox: on, except Cem; seed" in well(command("tournament", "report", str(config), "--markdown"))
    html = tmp_path / "cup.html"
    command("tournament", "report", str(config), "--html", str(html))
    assert "<dt>sandbox</dt><dd>on, except Cem</dd>" in html.read_text()
    assert complained(command("tournament", "run", str(config), "--sandbox", "off"), "another run", "treatment")
    config.write_text(f"table = 4\nsandbox = 'on'\n{lines}")
    assert complained(command("tournament", "run", str(config), "--sandbox", "off"), "--sandbox off", '"on"')


def test_grade_and_diff_are_sandboxed_and_the_suite_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite, ann, bob = tmp_path / "xstep.jsonl", tmp_path / "class" / "ann", tmp_path / "class" / "bob"
    suite.write_text('{"id": "1", "in": [], "out": []}\n')
    for folder, paths in ((ann, [suite, bob]), (bob, [suite, ann]), (tmp_path, [suite])):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "xstep").write_text(HARNESS.format(first=PYTHON, paths=[str(path) for path in paths]))
        (folder / "xstep").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for words in (["--submissions", "class"], ["--exe", f"xstep={ann}/xstep"], ["--exe", "xstep=./xstep"]):
        with case(words):
            assert well(command("grade", "--suite", str(suite), *words)).endswith(" passed, 0 failed\n")
            assert command("grade", "--suite", str(suite), *words, "--sandbox", "off").code == 1
    assert "no difference" in well(command("diff", "xstep", f"{bob}/xstep", f"{ann}/xstep", "--random", "2"))


def test_a_path_that_cannot_be_shared_is_a_mistake(tmp_path: Path) -> None:
    for path in (str(tmp_path / "none"), "/", "/proc/self", "/dev", "a\0b"):
        with case(path):
            assert complained(command("game", "silly", "silly", "silly", "--share", path), "--share ", path[:1])
    assert complained(command("game", "3", "--sandbox", "on", "--in-process"), "--in-process and --sandbox on")


@pytest.fixture
def no_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A system without bubblewrap: there is no program on the path."""
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        unavailable.cache_clear()
        yield
    unavailable.cache_clear()


@pytest.mark.usefixtures("no_programs")
def test_without_bubblewrap_programs_run_with_a_warning_or_not_at_all(tmp_path: Path) -> None:
    agent = spy(tmp_path)
    warning = (
        "wateringhole: programs are not sandboxed: bwrap is not installed; on Debian: apt-get install bubblewrap\n"
    )
    for words, says in (
        (["match", "silly", "silly", "rash", "--games", "2"], ""),
        (["match", agent, "silly", "rash", "--games", "2", "--jobs", "2"], warning),
        (["match", f"{agent}?sandbox=off", "silly", "rash", "--games", "1"], ""),
        (["check", agent, "--games", "0", "--sandbox", "off"], ""),
        (["check", agent, "--games", "0"], warning),
    ):
        with case(words):
            ended = command(*words)
            assert (ended.code, ended.err) == (0 if not says else ended.code, says)
            assert ("sandbox: off" in ended.out) == (agent in " ".join(words))
    for words in (["game", agent, "silly", "silly"], ["check", agent], ["game", "3"]):
        with case(words):
            assert complained(command(*words, "--sandbox", "on"), "--sandbox on", "apt-get install bubblewrap")


def test_agents_at_a_server_are_sandboxed_on_both_sides(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("deck")
    data = tmp_path / "mine" / "data"
    house, guest = spy(tmp_path / "mine", tmp_path / "secret", data / "running"), spy(tmp_path / "guest", data)
    words = ["--players", "3", "--fill", house, "--wait", "0.1", "--games", "1", "--data", str(data)]
    with serving(*words) as (server, [port]):
        well(command("connect", guest, f"tcp:{HERE}:{port}", "--dialect", "native", "--json"))
        out, _ = server.communicate(timeout=HANG)
    assert (out.count("score: "), out.count("expelled"), server.returncode) == (3, 0, 0)
