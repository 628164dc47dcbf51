"""How an agent is named: every form, and every mistake with the sentence that it gets."""

import os
import re
from pathlib import Path

import pytest

from tests.cases import case
from wateringhole.agents.bad import GALLERY
from wateringhole.agents.house import HOUSE
from wateringhole.agents.sage import ITERATIONS
from wateringhole.external.python_class import MAX_SOURCE_BYTES
from wateringhole.external.spec import address, spec, trouble
from wateringhole.server.clock import TimeControl

KINDS = f"{', '.join(HOUSE)}, bad:MISDEED, rl:FOLDER, py:FILE.py:CLASS, cmd:PROGRAM, tcp:HOST:PORT, human"
PYTHON = "is not py:FILE.py:CLASS or py:MODULE:CLASS, with (ARGUMENTS) or without"
LITERALS = "are not Python literals, as in (3, name='Ann')"
ADDRESS = "is not tcp:HOST:PORT, as in tcp:localhost:45678"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's folder: modules, a program, and what is none."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("from beside import Near as Beside\nclass Bot: pass\nSAME = Bot\n")
    (tmp_path / "late.py").write_text("if True:\n    class Bot: pass\n")
    (tmp_path / "wrong.py").write_text("class Bot(:\n")
    (tmp_path / "bot").write_text("#!/bin/sh\n")
    (tmp_path / "bot").chmod(0o755)
    (tmp_path / "text").touch()


# What is right.


NAMED = [
    ("silly", "house", "silly", "silly 2"),
    ("rash?name=Ann", "house", "rash", "Ann"),
    ("bad:card-twice", "house", "bad:card-twice", "bad:card-twice 2"),
    ("human", "human", "human", "human 2"),
    ("human?name=Me", "human", "human", "Me"),
    ("py:mine.py:Bot", "py", "mine.py:Bot", "Bot 2"),
    ("py:./mine.py:Bot(3, deep=[{'a': (-1, None)}])", "py", "./mine.py:Bot(3, deep=[{'a': (-1, None)}])", "Bot 2"),
    ("py:mine.py:SAME", "py", "mine.py:SAME", "SAME 2"),
    ("py:mine.py:Beside", "py", "mine.py:Beside", "Beside 2"),
    ("py:late.py:Anything", "py", "late.py:Anything", "Anything 2"),
    ("py:some.module:Bot?name=", "py", "some.module:Bot", "Bot 2"),
    ("py:mine.py:Bot('a?b=c')?name=Ann", "py", "mine.py:Bot('a?b=c')", "Ann"),
    ("cmd:./bot", "cmd", "./bot", "bot 2"),
    ("cmd:./bot -a 'b c'", "cmd", "./bot -a 'b c'", "bot 2"),
    ("cmd:./bot why?", "cmd", "./bot why?", "bot 2"),
    ("cmd:./bot ?a?name=Ann", "cmd", "./bot ?a", "Ann"),
    ("cmd:./bot http://here/?a=b?name=Ann", "cmd", "./bot http://here/?a=b", "Ann"),
    ("tcp:localhost:45678", "tcp", "localhost:45678", "guest 2"),
    ("tcp:[::1]:1?name=Ann", "tcp", "[::1]:1", "Ann"),
    ("silly?name=a%26b%3Fc%3Dd%25e+f g", "house", "silly", "a&b?c=d%e+f g"),
    ("silly?name=Zo%C3%AB", "house", "silly", "Zoë"),
    (f"silly?name={'x' * 64}", "house", "silly", "x" * 64),
]


def test_a_text_names_an_agent() -> None:
    for text, kind, target, label in NAMED:
        with case(text):
            found = spec(text)
            assert (found.text, found.kind, found.target, found.label(2)) == (text, kind, target, label)


def test_options_follow_a_question_mark() -> None:
    found = spec("tcp:localhost:1?time=60%2B5&dialect=hello&wait=2.5&name=Ann")
    assert (found.control, found.dialect, found.wait) == (TimeControl(60, 5), "hello", 2.5)
    plain = spec("tcp:localhost:1")
    assert (plain.control, plain.dialect, plain.wait) == (None, None, 60)
    assert spec("cmd:./bot?time=none").control == TimeControl(None)


def test_what_depends_on_the_machine_is_written_out() -> None:
    for text, written in {
        "sage": f"sage?iterations={ITERATIONS}",
        "hard?name=Ann": f"hard?name=Ann&iterations={ITERATIONS}",
        "sage?iterations=7": "sage?iterations=7",
        "sage?ms=50": "sage?ms=50",
        "sage?version=1": "sage?version=1",
        "champion": "champion",
        "cmd:sage": "cmd:sage",
    }.items():
        with case(text):
            assert spec(text).written_out == written
            assert spec(written).written_out == written


@pytest.mark.parametrize("in_process", [False, True])
def test_only_house_bots_are_always_at_hand(in_process: bool) -> None:
    texts = ["silly", "py:mine.py:Bot", "cmd:./bot", "tcp:localhost:1", "human"]
    assert [spec(text).at_hand(in_process) for text in texts] == [True, in_process, False, False, False]


# What is wrong.


MISTAKES = [
    ("", f'unknown agent ""; known: {KINDS}'),
    ("sage?iterations=0", "iterations=0 is not a number from 1 to 1000000"),
    ("Silly", f'unknown agent "Silly" (did you mean silly?); known: {KINDS}'),
    ("cmd", f'unknown agent "cmd"; known: {KINDS}'),
    ("human:", f'unknown agent "human:"; known: {KINDS}'),
    ("silly?", f'unknown agent "silly?" (did you mean silly?); known: {KINDS}'),
    ("silly?name", f'unknown agent "silly?name" (did you mean silly?); known: {KINDS}'),
    ("udp:localhost:1", f'unknown agent "udp:localhost:1"; known: {KINDS}'),
    ("bad:?", f'no misdeed "?"; there are {", ".join(GALLERY)}'),
    ("silly?name=a&name=b", "the option name is given twice in ?name=a&name=b"),
    ("silly?time=3", '"silly?time=3": no option "time"; house agents take name'),
    ("human?wait=3", '"human?wait=3": no option "wait"; human agents take name'),
    (
        "py:mine.py:Bot?dialect=s16",
        '"py:mine.py:Bot?dialect=s16": no option "dialect"; py agents take name, time, sandbox',
    ),
    ("cmd:./bot?wait=3", '"cmd:./bot?wait=3": no option "wait"; cmd agents take name, dialect, time, sandbox'),
    ("tcp:a:1?x=", '"tcp:a:1?x=": no option "x"; tcp agents take name, dialect, time, wait'),
    (f"rash?name={'x' * 65}", f'the name in "?name={"x" * 65}" has 65 characters, above 64'),
    (
        "cmd:./bot?dialect=s17",
        '"cmd:./bot?dialect=s17": no dialect "s17"; known: s16, hello, tagged, requests, native',
    ),
    ("cmd:./bot?time=0.5", '"cmd:./bot?time=0.5": the time control 0.5 is outside 1 to 3600 seconds'),
    ("cmd:./bot?time=x", '"cmd:./bot?time=x": the time control "x" is not SECONDS, BANK+INCREMENT or none'),
    ("tcp:a:1?wait=0", '"tcp:a:1?wait=0": wait=0 is not a number of seconds up to 86400'),
    ("tcp:a:1?wait=nan", '"tcp:a:1?wait=nan": wait=nan is not a number of seconds up to 86400'),
    ("tcp:a:1?wait=soon", '"tcp:a:1?wait=soon": wait=soon is not a number of seconds up to 86400'),
    ("tcp:", f'"tcp:" {ADDRESS}'),
    ("tcp:localhost", f'"tcp:localhost" {ADDRESS}'),
    ("tcp:::1:80", f'"tcp:::1:80" {ADDRESS}'),
    ("tcp:a b:80", f'"tcp:a b:80" {ADDRESS}'),
    ("tcp:localhost:0", "the port 0 is not one of 1 to 65535"),
    ("tcp:localhost:65536", "the port 65536 is not one of 1 to 65535"),
    ("py:", f"py: {PYTHON}"),
    ("py:mine.py", f"py:mine.py {PYTHON}"),
    ("py:mine.py:Bot(", f"py:mine.py:Bot( {PYTHON}"),
    ("py:my bot:Bot", f"py:my bot:Bot {PYTHON}"),
    ("py:mine.py:Bot(x)", f"the arguments (x) {LITERALS}"),
    ("py:mine.py:Bot(1 + 1)", f"the arguments (1 + 1) {LITERALS}"),
    ("py:mine.py:Bot(*[1])", f"the arguments (*[1]) {LITERALS}"),
    ("py:mine.py:Bot({[]: 1})", f"the arguments ({{[]: 1}}) {LITERALS}"),
    ("py:mine.py:Bot(**{'a': 1})", f"the arguments (**{{'a': 1}}) {LITERALS}"),
    ("py:mine.py:Bot(1)(2)", f"the arguments (1)(2) {LITERALS}"),
    (f"py:mine.py:Bot({'-' * 9_999}1)", f"the arguments ({'-' * 79} {LITERALS}"),
    ("cmd:", "cmd: names no program; as in cmd:./bot or 'cmd:node bot.mjs'"),
    ("cmd:'", "cmd:': No closing quotation"),
    (
        "cmd:./bot http://here/?a=b",
        '"cmd:./bot http://here/?a=b": no option "a"; cmd agents take name, dialect, time, sandbox',
    ),
]


def test_a_mistake_is_a_sentence() -> None:
    for text, sentence in MISTAKES:
        with case(text, sentence), pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
            spec(text)


# What is not there.


MISSING = [
    ("py:mine.py:Cat", "mine.py has no class Cat"),
    ("py:none.py:Bot", "none.py: No such file or directory"),
    ("py:wrong.py:Bot", "wrong.py is not Python: invalid syntax (wrong.py, line 1)"),
    ("py:zero.py:Bot", "zero.py is not Python: source code string cannot contain null bytes"),
    ("py:folder.py:Bot", "folder.py is not a file"),
    ("py:pipe.py:Bot", "pipe.py is not a file"),
    ("py:nowhere.deep:Bot", "no module nowhere"),
    ("cmd:./none -x", "./none: no such program"),
    ("cmd:./text", "./text: is not executable"),
    ("cmd:./folder.py", "./folder.py: is a folder"),
    ("cmd:bot", "bot: no such program on the PATH; the one in this folder is cmd:./bot"),
]


def test_what_is_not_there_has_a_well_formed_name(tmp_path: Path) -> None:
    (tmp_path / "zero.py").write_bytes(b"\0")
    (tmp_path / "folder.py").mkdir()
    os.mkfifo(tmp_path / "pipe.py")
    for text, why in MISSING:
        with case(text, why):
            assert trouble(spec(text)) == why


def test_what_is_there_or_cannot_be_told_by_reading_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "deep.py").write_text(f"x = {'1+' * 100_000}1")
    (tmp_path / "large.py").write_text("#" * (MAX_SOURCE_BYTES + 1))
    wanted = [text for text, *_ in NAMED if "some.module" not in text]
    for text in [*wanted, "py:deep.py:Bot", "py:large.py:Bot", "py:mine:Cat", "py:wateringhole.nothing:Bot"]:
        with case(text):
            assert trouble(spec(text)) is None


def test_a_port_is_the_number_that_is_written() -> None:
    assert address("localhost:0000080") == ("localhost", 80)


@pytest.mark.parametrize("name", ["a%0Ab", "%1B[2Ja", "a\udcff"])
def test_a_name_that_is_given_can_be_shown_and_written_down(name: str) -> None:
    label = spec(f"silly?name={name}").label(1)
    assert label.isprintable()
    assert label.encode()
