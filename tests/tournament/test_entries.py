"""Entries that cannot be had: they are listed, tried, and lose their games; the others play."""

import json
from pathlib import Path

import pytest

from tests.cases import case
from tests.cli import command, complained, process, well

BOTS = """
from wateringhole.agents.silly import Silly as Good
class Raises:
    def __init__(self): raise OSError("no book")
class Late:
    def choose(self, request): raise KeyError("late")
    feed = choose
"""
AGENTS = {
    "house": "silly",
    "good": "py:bots.py:Good",
    "no file": "py:none.py:Bot",
    "no Python": "py:wrong.py:Bot",
    "no class": "py:bots.py:Cat",
    "no module": "py:nowhere:Bot",
    "no program": "cmd:./none -x",
    "import": "py:lost.py:Bot",
    "constructor": "py:bots.py:Raises",
    "reply": "py:bots.py:Late",
}
MISSING = {
    "no file": "none.py: No such file or directory",
    "no Python": "wrong.py is not Python: invalid syntax (wrong.py, line 1)",
    "no class": "bots.py has no class Cat",
    "no module": "no module nowhere",
    "no program": "./none: no such program",
}
BROKEN = {
    "import": "cannot be made: py:lost.py:Bot: ModuleNotFoundError: No module named 'nonsense'",
    "constructor": "cannot be made: py:bots.py:Raises: OSError: no book",
    "reply": "raised in choose: KeyError: 'late'",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "lost.py").write_text("import nonsense\nclass Bot: pass\n")
    (tmp_path / "wrong.py").write_text("class Bot(:\n")
    return tmp_path


def config(folder: Path, *names: str, in_process: bool = False) -> str:
    """One Swiss round of these entries: few games for many entries; the path of its file."""
    text = f'seed = "7"\ntable = 5\nformat = "swiss"\nrounds = 1\nin-process = {str(in_process).lower()}\n'
    for name in names:
        text += f"[[entries]]\nname = {json.dumps(name)}\nagent = {json.dumps(AGENTS[name])}\n"
    path = folder / "cup.toml"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("in_process", [False, True])
def test_who_is_missing_is_listed_before_the_first_game_and_loses(folder: Path, in_process: bool) -> None:
    ended = process("tournament", "run", config(folder, *AGENTS, in_process=in_process), "--jobs", "1", "--json")
    unmade = {name: why for name, why in BROKEN.items() if why.startswith("cannot be made")}
    listed = [f"{name} loses its games: {AGENTS[name]}: {why}" for name, why in (MISSING | unmade).items()]
    assert ended.code == 0, ended.err
    assert [line for line in ended.err.splitlines() if "sandbox" not in line] == listed
    for line in json.loads(ended.out)["standings"]:
        with case(line["name"]):
            reason = {"exited"} if line["name"] in MISSING else {"exception"} if line["name"] in BROKEN else set()
            assert set(line["expelled"]) == reason
            assert not reason or line["expelled"][reason.pop()] == line["games"]


def test_what_is_fine_is_said_to_be_fine(folder: Path) -> None:
    names = ("house", "good", "person", "house 2", "house 3")
    path = Path(config(folder, "house", "good", "no file", "import", "reply"))
    text = path.read_text().replace(AGENTS["no file"], "human").replace(AGENTS["import"], "greedy")
    for old, new in zip(("no file", "import", "reply"), names[2:], strict=True):
        text = text.replace(f'"{old}"', f'"{new}"')
    path.write_text(text.replace(AGENTS["reply"], "rash"))
    lines = well(command("tournament", "check", str(path))).splitlines()
    assert [line.partition(": ")[0] for line in lines] == list(names)
    assert [": ok, " in line for line in lines] == [True, True, False, True, True]
    assert lines[2] == "person: human: not tried: a person"
    assert sorted(each.name for each in folder.glob("cup*")) == ["cup.toml"], "nothing is kept"


@pytest.mark.parametrize("in_process", [False, True])
def test_every_entry_is_told_of(folder: Path, in_process: bool) -> None:
    ended = command("tournament", "check", config(folder, *AGENTS, in_process=in_process), "--json")
    told = json.loads(ended.out)
    assert (ended.code, told["ok"]) == (1, False)
    texts = {name: f"cannot be started: {why}" for name, why in MISSING.items()} | BROKEN
    for name, entry in zip(AGENTS, told["entries"], strict=True):
        with case(name):
            assert (entry["name"], entry["agent"], entry["ok"]) == (name, AGENTS[name], name not in texts)
            assert entry["text"] == texts.get(name, "")
            assert entry["reason"] == ("exited" if name in MISSING else "exception" if name in BROKEN else None)


def test_the_line_that_raised_is_shown(folder: Path) -> None:
    ended = command("tournament", "check", config(folder, "house", "good", "import", "constructor", "reply"))
    assert ended.code == 1
    assert "reply: py:bots.py:Late: exception: raised in choose: KeyError: 'late'" in ended.out
    for line in ("import nonsense", 'raise OSError("no book")', 'raise KeyError("late")'):
        with case(line):
            assert [shown for shown in ended.out.splitlines() if shown.startswith("  |") and line in shown]


def test_a_bad_file_is_a_sentence_with_every_malformed_entry(folder: Path) -> None:
    path = Path(config(folder, *AGENTS))
    path.write_text(path.read_text().replace(AGENTS["no class"], "py:bots.py").replace(AGENTS["reply"], "sily"))
    for verb in ("check", "run"):
        with case(verb):
            sentence = 'entry 5: agent = "py:bots.py"', '; entry 10: agent = "sily": unknown agent "sily"'
            assert complained(command("tournament", verb, str(path)), *sentence)


def test_an_agent_of_the_command_line_must_be_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for name, why in MISSING.items():
        agent = AGENTS[name]
        for words in (["game", agent, "silly", "silly"], ["match", agent, "silly", "silly"], ["check", agent]):
            with case(words):
                assert complained(command(*words), f"wateringhole: {agent}: {why}")
        with case("serve", agent):
            assert complained(command("serve", "--fill", agent), f"{agent}: {why}")
