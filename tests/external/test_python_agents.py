"""From the name of an agent in Python to the agent: how it is made, and how it is told that it cannot be."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases import case
from tests.scenario import board
from tests.wire.requesting import choosing
from wateringhole.agents.bad import Bad
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.external.spec import Spec, made, spec
from wateringhole.wire.respondent import RespondentAgent

FILE = """\
from __future__ import annotations
import neighbour
from neighbour import Near as Beside

class Bot:
    def __init__(self, *given, **named): self.given = given, named
    def choose(self, request): ...
    def feed(self, request): ...

class Seeded(Bot):
    def __init__(self, level=1, seed="none"): self.given = level, seed

class Eleven:
    def select_species_order(self, boards, player, opponents): return []

class Half:
    def choose(self, request): ...

class Neither: pass
class Broken:
    def __init__(self): raise OSError("no book")
class Leaving:
    def __init__(self): raise SystemExit(3)
class Nameless(Exception):
    def __str__(self): raise KeyError
class Unsayable:
    def __init__(self): raise Nameless

def factory(seed): return Seeded(7, f"made with {seed}")
SAME = Bot
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's folder, with modules of agents; what is imported from there is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    mine = [entry for entry in sys.path if not Path(entry).is_relative_to(tmp_path.parents[1])]
    monkeypatch.setattr(sys, "path", mine)  # without the folders of agents that other tests have made here
    for name in ("mine", "neighbour"):
        sys.modules.pop(name, None)
    (tmp_path / "mine.py").write_text(FILE)
    (tmp_path / "neighbour.py").write_text("class Near:\n    choose = feed = None\n")
    (tmp_path / "late.py").write_text("if True:\n    class Bot: pass\n")
    (tmp_path / "lost.py").write_text("import nonsense\nclass Bot: pass\n")
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:
        if name in {"mine", "neighbour"} or name.startswith("_agent_"):
            del sys.modules[name]


def given(agent: object) -> object:
    """What an agent of the file above was made with."""
    return getattr(agent, "given")  # noqa: B009  # the checker knows no such class


def test_a_house_bot_is_made_with_the_seed() -> None:
    assert type(made(spec("silly"), "s")) is Silly
    asked = choosing(board())
    by_name, by_class = made(spec("rash?name=Ann"), "s"), Rash("s")
    assert [by_name.choose(asked) for _ in range(9)] == [by_class.choose(asked) for _ in range(9)]
    assert isinstance(made(spec("bad:no-play"), "s"), Bad)


@pytest.mark.parametrize("module", ["mine.py", "./mine.py", "mine"])
def test_a_class_is_made_with_its_arguments_and_the_seed_if_it_asks_for_one(module: str, folder: Path) -> None:
    where = module if module != "./mine.py" else str(folder / "mine.py")
    assert given(made(spec(f"py:{where}:Bot"), "s")) == ((), {})
    assert given(made(spec(f"py:{where}:SAME(3, 'x', deep=[{{'a': -1.5}}])"), "s")) == (
        (3, "x"),
        {"deep": [{"a": -1.5}]},
    )
    assert given(made(spec(f"py:{where}:Seeded"), "s")) == (1, "s")
    assert given(made(spec(f"py:{where}:Seeded(2)"), "s")) == (2, "s")
    assert given(made(spec(f"py:{where}:Seeded(seed='mine')"), "s")) == (1, "mine")
    assert given(made(spec(f"py:{where}:factory"), "s")) == (7, "made with s")


def test_a_seed_among_the_arguments_is_the_seed() -> None:
    assert given(made(spec("py:mine.py:Seeded(2, 'mine')"), "s")) == (2, "mine")
    asked = choosing(board())
    ours, same, other = made(spec("py:wateringhole.agents.rash:Rash(7)"), "s"), Rash(7), Rash("s")
    chosen = [ours.choose(asked) for _ in range(9)]
    assert chosen == [same.choose(asked) for _ in range(9)]
    assert chosen != [other.choose(asked) for _ in range(9)]


def test_a_file_may_import_what_lies_beside_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert type(made(spec(f"py:{folder / 'mine.py'}:Beside"), "s")).__module__ == "neighbour"


def test_a_file_is_run_once_however_often_it_is_named(folder: Path) -> None:
    one, other = (type(made(spec(f"py:{name}:Bot"), "s")) for name in ("mine.py", folder / "mine.py"))
    assert one is other


def test_a_class_with_the_eleven_questions_is_asked_them() -> None:
    agent = made(spec("py:mine.py:Eleven"), "s")
    assert isinstance(agent, RespondentAgent)
    assert type(agent.respondent).__name__ == "Eleven"


UNMAKEABLE = [
    ("mine.py:Half", "Half has neither choose and feed nor the eleven questions"),
    ("mine.py:Neither", "Neither has neither choose and feed nor the eleven questions"),
    ("mine.py:Broken", "OSError: no book"),
    ("mine.py:Leaving", "SystemExit: 3"),
    ("mine.py:Neither(1)", "TypeError: Neither() takes no arguments"),
    ("mine.py:neighbour", "TypeError: "),
    ("mine.py:annotations", "TypeError: "),
    ("late.py:Cat", "AttributeError: "),
    ("lost.py:Bot", "ModuleNotFoundError: No module named 'nonsense'"),
    ("nonsense:Bot", "no module nonsense"),
    ("nothing.py:Bot", "nothing.py: No such file or directory"),
    ("mine.py:Cat", "mine.py has no class Cat"),
    ("wateringhole.agents:Cat", "AttributeError: module 'wateringhole.agents' has no attribute 'Cat'"),
    ("mine.py:Unsayable", "Nameless"),
]


def test_an_agent_that_cannot_be_made_is_a_sentence() -> None:
    for target, sentence in UNMAKEABLE:
        due = re.escape(f"py:{target}: {sentence}")
        with case(target, sentence), pytest.raises(ValueError, match=f"^{due}"):
            made(spec(f"py:{target}"), "s")


def test_a_user_who_breaks_off_is_obeyed(folder: Path) -> None:
    (folder / "slow.py").write_text("class Bot:\n    def __init__(self): raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        made(Spec("", "py", "slow.py:Bot"), "s")
