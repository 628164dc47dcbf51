"""Debugging a bot: a table of broken bots, and what their author is shown of each in every way to look."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cases import case
from tests.cli import Ended, command, complained, well
from wateringhole.conformance.doctor import MAX_ALIKE
from wateringhole.external.agent_log import AgentLog, Watch, observer_of
from wateringhole.external.spec import spec
from wateringhole.record import read

SILLY = "import os, sys, time\nfrom wateringhole import CardPlay, Silly\nclass Bot(Silly):\n"


class Broken(NamedTuple):
    """A broken bot: its class, the line of it that raises (0: none), the reason why it is expelled ("": it is not), and
    words of its author's that it prints.
    """

    body: str
    line: int
    reason: str
    words: str = ""


BOTS = {
    "import": Broken("    pass\nimport no_such_module\n", 5, "exception"),
    "constructor": Broken("    def __init__(self):\n        self.plan = {}['plan']\n", 5, "exception"),
    "start": Broken("    def start(self, request):\n        return [][3]\n", 5, "exception"),
    "choose": Broken("    def choose(self, request):\n        return 1 / 0\n", 5, "exception"),
    "feed": Broken("    def feed(self, request):\n        return request.nothing\n", 5, "exception"),
    "library": Broken("    def feed(self, request):\n        return request.what_if('graze')\n", 5, "exception"),
    "over": Broken("    def over(self, result):\n        raise KeyError('late')\n", 5, ""),
    "exit": Broken("    def choose(self, request):\n        sys.exit(3)\n", 5, "exception"),
    "memory": Broken("    def choose(self, request):\n        return bytearray(1 << 60)\n", 5, "memory"),
    "prints": Broken(
        "    def choose(self, request):\n        print('I think')\n        return super().choose(request)\n",
        0,
        "",
        "I think",
    ),
    "nothing": Broken("    def choose(self, request):\n        print('I fail')\n", 0, "shape", "I fail"),
    "illegal": Broken("    def choose(self, request):\n        return CardPlay(99)\n", 0, "illegal"),
    "loop": Broken(
        "    def choose(self, request):\n        print('I loop')\n        while True: time.sleep(1)\n",
        0,
        "timeout",
        "I loop",
    ),
    "crash": Broken(
        "    def choose(self, request):\n        print('I leave')\n        os._exit(3)\n", 0, "exited", "I leave"
    ),
}
ONLY_OUTSIDE = {"loop", "crash"}
"""Those that would take this process with them."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of all bots."""
    path = tmp_path_factory.mktemp("bots")
    for name, bot in BOTS.items():
        (path / f"{name}.py").write_text(SILLY + bot.body)
    (path / "good.py").write_text(f"{SILLY}    pass\n")
    return path


@pytest.fixture(scope="module")
def record(folder: Path) -> Path:
    """A game in which seat 2 is a silly player, and is asked all kinds of questions."""
    path = folder / "game.jsonl"
    well(command("game", "silly", "silly", "silly", "--seed", "8", "--quiet", "--record", str(path)))
    return path


def agent(folder: Path, name: str) -> str:
    return f"py:{folder / name}.py:Bot"


def shows_the_line(text: str, folder: Path, name: str) -> bool:
    """Whether there is a traceback that names the line that raised, and begins with the bot's own code."""
    if not BOTS[name].line:
        return "Traceback" not in text
    place = f'File "{folder / name}.py", line {BOTS[name].line}, in '
    traceback = text.partition("Traceback (most recent call last):")[2]
    return place in traceback.strip().splitlines()[0]


def test_a_game_shows_and_logs_what_goes_wrong_in_a_process_of_its_own(folder: Path, tmp_path: Path) -> None:
    for name, bot in BOTS.items():
        with case(name):
            seconds = "5" if name == "loop" else "60"
            logs = tmp_path / name
            options = ("--seed", "8", "--time", seconds, "--show-stderr", "--log", str(logs), "--json")
            ended = command("game", agent(folder, name), "silly", "silly", *options)
            assert ended.code == 0
            assert all(line.startswith("Bot 1 | ") for line in ended.err.splitlines())
            assert shows_the_line(ended.err.replace("Bot 1 | ", ""), folder, name)
            assert bot.words in ended.err
            [expelled] = [row["expelled"] for row in json.loads(ended.out)["ranking"] if row["id"] == 1]
            assert (expelled or {"reason": ""})["reason"] == bot.reason
            [log] = logs.iterdir()
            assert log.name == "game-000000-seat-1-Bot.log"
            lines = [line for line in log.read_text().splitlines() if not line.startswith("#")]
            assert all(re.match(r" *\d+\.\d{6} [<>!] ", line) for line in lines)
            assert [line[14:] for line in lines if line[12] == "!"] == [
                line.removeprefix("Bot 1 | ") for line in ended.err.splitlines()
            ]
            assert sum(line[12] == ">" for line in lines) >= 1


def test_a_game_shows_tracebacks_unasked_in_either_place(folder: Path) -> None:
    for name, bot in BOTS.items():
        for place in ([], ["--in-process"]):
            with case(name, place):
                if name == "over" or name in ONLY_OUTSIDE or not (place or name in {"import", "feed"}):
                    continue
                ended = command("game", agent(folder, name), "silly", "silly", "--seed", "8", "--quiet", *place)
                assert shows_the_line(ended.out + ended.err, folder, name)
                if place and name in {"import", "constructor"}:
                    assert ended.code == 2
                    assert ended.err.splitlines()[-1].startswith(f"wateringhole: {agent(folder, name)}: ")
                else:
                    assert ended.code == 0
                    if bot.reason and not (place and name == "memory"):  # here, it is not ours to tell that from others
                        assert f"expelled ({bot.reason})" in ended.out


def test_a_match_shows_and_logs_what_goes_wrong_in_its_worker_processes(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("match", agent(folder, "feed"), "silly", "silly", "--games", "3", "--seed", "8", "--jobs", "2")
    for place in ([], ["--in-process"]):
        with case(place):
            logs = tmp_path / f"logs{len(place)}"
            out = ["--out", str(tmp_path / f"out{len(place)}")]
            ended = command(*words, *place, *out, "--show-stderr", "--log", str(logs))
            assert ended.code == 0
            shown = capfd.readouterr().err
            for seat in (1, 2, 3):
                lines = [line.split(" | ")[1] for line in shown.splitlines() if line.startswith(f"Bot {seat} | ")]
                assert shows_the_line("\n".join(lines), folder, "feed")
            assert sorted(log.name for log in logs.iterdir()) == [
                "game-000000-seat-1-Bot.log",
                "game-000001-seat-3-Bot.log",
                "game-000002-seat-2-Bot.log",
            ]
            assert "--show-stderr" not in ended.out
            again = well(command(*words, *place, *out))  # what is watched makes no other run of it
            assert "--show-stderr shows" in again


def test_check_stops_after_a_few_failures_of_the_same_kind(folder: Path, tmp_path: Path) -> None:
    save = ("--save", str(tmp_path / "failed.json"))
    for name in ("loop", "import", "crash"):
        with case(name):
            ended = command("check", agent(folder, name), "--time", "4" if name == "loop" else "60", *save)
            assert ended.code == 1
            assert f"{MAX_ALIKE} games, " in ended.out
            assert f"stopped after {MAX_ALIKE} failures of the same kind; --all goes on" in ended.out
            assert shows_the_line(ended.out.replace("\n  | ", "\n"), folder, name)
            assert BOTS[name].words in ended.out
            assert "{" not in ended.out, "no line that only our own processes should see"
    for name, bot in BOTS.items():
        if name not in ONLY_OUTSIDE | {"import", "constructor", "over", "prints"}:
            with case(name, "in process"):
                ended = command("check", agent(folder, name), "--in-process", *save)
                assert (ended.code, bool(bot.reason)) == (1, True)
                assert "stopped after 3 failures" in ended.out
                assert shows_the_line(ended.out.replace("\n  | ", "\n"), folder, name)
                whole = command("check", agent(folder, name), "--in-process", "--all", "--games", "6", "--json", *save)
                data = json.loads(whole.out.splitlines()[-1])  # above is what it prints
                assert not data["stopped"]
                assert data["games"] > MAX_ALIKE


def asked(record: Path, name: str, *more: str) -> Ended:
    return command("replay", str(record), "--ask", "2", name, *more)


def test_a_bot_that_plays_as_recorded_answers_as_recorded(folder: Path, record: Path) -> None:
    number = sum(seat == 2 for seat, _ in read(record).replies)
    for place in ([], ["--in-process"]):
        with case(place):
            said = well(asked(record, agent(folder, "good"), *place))
            assert said == f"{number} questions, {number} answered as recorded, 0 otherwise, 0 raised\n"
    otherwise = asked(record, "rash")
    assert otherwise.code == 0
    assert re.search(r"\n\d+ questions, \d+ answered as recorded, [1-9]\d* otherwise, 0 raised\n$", otherwise.out)
    assert "  recorded: food " in otherwise.out
    assert "  now:      food " in otherwise.out


def test_questions_of_a_record_show_where_a_bot_raises_or_breaks_a_rule(folder: Path, record: Path) -> None:
    number = sum(seat == 2 for seat, _ in read(record).replies)
    verdicts = {"shape": "failed", "illegal": "illegally", "": "as_recorded"}
    for name, bot in BOTS.items():
        for place in ([], ["--in-process"]):
            if name in ONLY_OUTSIDE | {"import", "constructor"} or not (place or name in {"feed", "illegal"}):
                continue
            with case(name, place):
                ended = asked(record, agent(folder, name), "--json", *place)
                data = json.loads(ended.out.splitlines()[-1])  # above is what it prints in process
                counts = [data[key] for key in ("as_recorded", "otherwise", "illegally", "raised", "failed")]
                assert sum(counts) == data["questions"] == number
                assert data[verdicts.get(bot.reason, "raised")] > 0
                assert ended.code == (1 if bot.reason else 0)
                if bot.line and bot.reason:
                    assert all(shows_the_line(each["stderr"], folder, name) for each in data["answers"])
    illegal = asked(record, agent(folder, "illegal"), "--in-process")
    assert "choose: illegal (cardplay.cards): it plays card 99, counted from 0, but holds only" in illegal.out
    broken = asked(record, agent(folder, "import"), "--in-process")
    assert broken.code == 2
    assert shows_the_line(broken.err, folder, "import")


def test_a_record_in_which_the_seat_was_expelled_asks_what_it_failed_at(folder: Path, tmp_path: Path) -> None:
    for name, questions in (("feed", True), ("start", False), ("illegal", True)):
        with case(name):
            path = tmp_path / f"{name}.jsonl"
            words = ("game", "silly", agent(folder, name), "silly", "--seed", "8", "--json", "--in-process")
            assert command(*words, "--record", str(path)).code == 0
            said = well(asked(path, "silly"))
            assert f"{'1' if questions else '0'} otherwise, 0 raised" in said
            assert asked(path, agent(folder, name), "--in-process").code == (1 if questions else 0)


def test_mistakes_with_the_options_are_told_in_a_sentence(record: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert complained(asked(record, "silly", "--to", "3"), "--to", "--ask")
    assert complained(command("replay", str(record), "--ask", "4", "silly"), "--ask 4", "from 1 to 3")
    assert complained(command("replay", str(record), "--ask", "1"), "one agent, not to 0")
    assert complained(command("replay", str(record), "--ask", "1", "silly", "rash"), "one agent, not to 2")
    for words in (["game", "3"], ["match", "silly", "silly", "silly"], ["check", "silly"]):
        with case(words):
            assert complained(command(*words, "--log", str(tmp_path / "file")), "--log", str(tmp_path / "file"))


def test_a_log_cannot_move_the_cursor_and_does_not_grow_for_ever(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    observer = observer_of(Watch(show_stderr=True, folder=str(tmp_path), game=17), spec("cmd:env?name=../B b"), 2)
    assert observer is not None
    observer.stderr(b"\x1b[2Jone\ttwo\nthr")
    observer.stderr(b"ee\xff")
    observer.sent(b"1\n")
    observer.received(b"2")
    observer.close()
    observer.stderr(b"late\n")
    shown = ["?[2Jone two", "three\N{REPLACEMENT CHARACTER}", "late"]
    assert capsys.readouterr().err == "".join(f"../B b | {line}\n" for line in shown)
    [log] = tmp_path.iterdir()
    assert log.name == "game-000017-seat-2-.._B_b.log"
    assert [line[12:] for line in log.read_text().splitlines()[2:]] == [
        "! ?[2Jone two",
        "> 1",
        "! three\N{REPLACEMENT CHARACTER}",
        "< 2",
    ]
    big = AgentLog(None, tmp_path / "big.log", "big", room=1_000)
    for _ in range(50):
        big.sent(b"x" * 100 + b"\n")
    big.close()
    assert (tmp_path / "big.log").read_text().endswith("x\n# the log ends here: more than 1,000 bytes\n")
    assert observer_of(Watch(show_stderr=True), spec("silly"), 1) is None
    assert observer_of(None, spec("cmd:env"), 1) is None
