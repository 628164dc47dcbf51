"""`xattack`, `xfeed`, `xstep`, `xstep4`, `xsilly` as commands: standard input, standard output, exit codes."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cases import case
from tests.cli import HANG, command, complained, ending, process, surroundings, well
from wateringhole.wire.framing import Json

BOARD: Json = [["food", 0], ["body", 0], ["population", 1], ["traits", []]]
FED: Json = [["food", 1], ["body", 0], ["population", 1], ["traits", []]]
HUNTER: Json = [["food", 0], ["body", 0], ["population", 1], ["traits", ["carnivore"]]]
FAT: Json = ["fat-food", 1]
PLAYER: Json = [["id", 1], ["species", [BOARD]], ["bag", 0]]
HOLDER: Json = [["id", 1], ["species", [BOARD]], ["bag", 0], ["cards", [[1, "horns"], [0, "horns"], [2, "horns"]]]]

GOOD: dict[str, tuple[Json, Json]] = {
    "xattack": ([BOARD, HUNTER, False, False], True),
    "xfeed": ([PLAYER, 1, []], 0),
    "xsilly": ([HOLDER, [], []], [1, [], [], [[0, 2]], []]),
    "xstep": ([[PLAYER], 1, []], [[[["id", 1], ["species", [FED]], ["bag", 0]]], 0, []]),
    "xstep4": (
        [[[HOLDER], 0, []], [[0, [], [], [], []]]],
        [[[["id", 1], ["species", [FED]], ["bag", 0], ["cards", [[0, "horns"], [2, "horns"]]]]], 0, []],
    ),
}


def text(value: Json) -> bytes:
    return json.dumps(value).encode()


def species(food: Json = 0, body: Json = 0, population: Json = 1, traits: Sequence[Json] = ()) -> list[Json]:
    return [["food", food], ["body", body], ["population", population], ["traits", list(traits)]]


# What goes well.


@pytest.mark.parametrize("name", GOOD)
def test_a_harness_prints_one_line_of_json(name: str) -> None:
    given, due = GOOD[name]
    assert well(process(name, given=text(given))) == json.dumps(due) + "\n"
    assert well(command(name, given=b"\n  " + text(given) + b"\r\n\n")) == json.dumps(due) + "\n"


def test_a_value_may_be_spread_over_many_lines() -> None:
    for name, (given, due) in GOOD.items():
        with case(name):
            assert json.loads(well(command(name, given=json.dumps(given, indent=3).encode()))) == due


def test_a_wrong_play_expels_and_is_no_bad_input() -> None:
    given: Json = [[[HOLDER, HOLDER], 0, []], [[0, [], [], [], []], "rubbish"]]
    [players, _, _] = json.loads(well(command("xstep4", given=text(given))))
    assert len(players) == 1


# Mistakes, in each harness.


MISTAKES: list[tuple[bytes, str]] = [
    (b"", "line 1"),
    (b"hello", "column 1"),
    (b"[1, 2", "column"),
    (b"[] []", "column 4"),
    (b"NaN", "NaN"),
    (b"[Infinity]", "Infinity"),
    (b"\xff", "0xff"),
    (b"\xef\xbb\xbf[]", "BOM"),
    (b"[" * 100_000, "64"),
    (b"9" * 5_000, "5000"),
    (b"{}", "{}"),
    (b"[]", "0 items"),
    (b"3", "3"),
    (b"1.0", "1.0"),
    (b"-1", "-1"),
    (b"true", "true"),
    (b"null", "null"),
    (b'"two\\nlines"', "lines"),
]


def test_a_mistake_is_one_sentence_whatever_the_harness() -> None:
    for name in GOOD:
        for given, value in MISTAKES:
            with case(name, given, value):
                assert complained(command(name, given=given), value)


BAD_BOARDS: list[tuple[list[Json], str]] = [
    (species(population=0), "population is 0"),
    (species(population=8), "population is 8"),
    (species(population=-1), "population is -1"),
    (species(population=True), "population is true"),
    (species(population=1.0), "population is 1.0"),
    (species(population=10**30), str(10**30)),
    (species(body=8), "body is 8"),
    (species(food=2), "food is 2"),
    (species(food=-1), "food is -1"),
    (species(food="1"), 'food is "1"'),
    (species(food=None), "food is null"),
    (species(traits=["wings"]), '"wings"'),
    (species(traits=["horns", "horns"]), "horns, horns"),
    (species(traits=["horns", "fertile", "ambush", "climbing"]), "4 traits"),
    ([*species(body=1), FAT], "fat-food is 1"),
]


def test_a_bad_board_is_one_sentence_whatever_the_harness() -> None:
    for board, value in BAD_BOARDS:
        owner: Json = [["id", 1], ["species", [board]], ["bag", 0]]
        wrong: dict[str, Json] = {
            "xattack": [BOARD, HUNTER, False, board],
            "xfeed": [PLAYER, 1, [owner]],
            "xsilly": [HOLDER, [[board]], []],
            "xstep": [[PLAYER, owner], 1, []],
            "xstep4": [[[owner], 1, []], [[0, [], [], [], []]]],
        }
        for name, given in wrong.items():
            with case(name, board, value):
                assert complained(command(name, given=text(given)), value)


ONE_HARNESS: list[tuple[str, Json, str]] = [
    ("xfeed", [PLAYER, 0, []], "is 0"),
    ("xfeed", [PLAYER, -1, []], "is -1"),
    ("xstep", [[PLAYER], -1, []], "is -1"),
    ("xstep", [[PLAYER], True, []], "is true"),
    ("xstep", [[PLAYER], 1, [[4, "horns"]]], '[4, "horns"]'),
    ("xstep", [[], 1, []], "0 items"),
    ("xsilly", [PLAYER, [], []], "0 cards"),
    ("xstep4", [[[HOLDER], 0, []], []], "0 items, not 1"),
    ("xstep4", [[[HOLDER], 0, []], [[0, [], [], [], []]] * 2], "2 items, not 1"),
    ("xattack", [BOARD, HUNTER, None, False], "null"),
]


def test_a_mistake_of_one_harness_is_one_sentence() -> None:
    for name, given, value in ONE_HARNESS:
        with case(name, given, value):
            assert complained(command(name, given=text(given)), value)


def test_a_mistake_is_one_sentence_in_a_process_of_its_own_too() -> None:
    assert complained(process("xstep", given=b"[1, 2"), "not JSON")
    assert complained(process("xstep", given=text([[PLAYER], -1, []])), "is -1")


UNKNOWN: list[tuple[list[str], str]] = [
    (["xstep", "file.json"], "file.json"),
    (["xstep", "--line"], "--line"),
    (["xstep", "--lines=2"], "--lines"),
    (["xstep5"], "xstep5"),
    (["xstop"], "xstop"),
    (["Xstep"], "Xstep"),
    (["--lines", "xstep"], "--lines"),
    (["--nonsense"], "--nonsense"),
    ([""], '""'),
]


def test_an_unknown_command_or_option_is_one_sentence() -> None:
    for arguments, value in UNKNOWN:
        with case(arguments, value):
            assert complained(command(*arguments, given=text(GOOD["xstep"][0])), value)


# Many lines.


def test_lines_goes_on_after_a_bad_line() -> None:
    bad = {b"hello": "column 1", b"": "column 1", b"[NaN]": "NaN", b"\xff": "0xff", b"{}": "{}", b"[" * 70: "64"}
    for name, (given, due) in GOOD.items():
        out = well(command(name, "--lines", given=b"\n".join([text(given), *bad, text(given)])))
        first, *refused, last = [json.loads(line) for line in out.splitlines()]
        with case(name, refused):
            assert first == last == due
            assert [list(result) for result in refused] == [["error"]] * len(bad)
            assert [
                part for result, part in zip(refused, bad.values(), strict=True) if part not in result["error"]
            ] == []


def test_lines_of_nothing_give_nothing() -> None:
    assert well(command("xstep", "--lines", given=b"")) == ""


def test_lines_answers_each_line_at_once() -> None:
    given, due = GOOD["xfeed"]
    with ending(
        subprocess.Popen(
            [sys.executable, "-m", "wateringhole", "xfeed", "--lines"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=surroundings(),
        )
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for _ in range(3):
            running.stdin.write(text(given) + b"\n")
            running.stdin.flush()
            assert json.loads(running.stdout.readline()) == due
        running.stdin.close()
        assert running.wait(HANG) == 0


# Rough handling.

WAITING = """
import io, sys
from wateringhole.cli import main

class Telling(io.RawIOBase):
    def readable(self):
        return True
    def readinto(self, room):
        print("reading", flush=True)
        data = inner.read(len(room))
        room[:len(data)] = data
        return len(data)

inner = sys.stdin.buffer.raw
sys.stdin = io.TextIOWrapper(io.BufferedReader(Telling()))
main(sys.argv[1:])
"""
"""The command, with a standard input that tells when it is read."""


@pytest.mark.parametrize("arguments", [["xstep"], ["xstep", "--lines"]], ids=" ".join)
def test_an_interrupt_ends_with_130_and_without_a_traceback(arguments: list[str]) -> None:
    with ending(
        subprocess.Popen(
            [sys.executable, "-c", WAITING, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=surroundings(),
        )
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline() == b"reading\n"
        running.send_signal(signal.SIGINT)
        assert running.wait(HANG) == 130
        assert running.stdout.read() == b""
        assert running.stderr.read().strip() == b""


@pytest.mark.parametrize(
    "arguments",
    ["game 8 --seed 1 --story", "game 8 --seed 1 --trace", "game 8 --json", "xstep --lines", "--help", "game --help"],
)
def test_a_reader_that_leaves_early_causes_no_traceback(arguments: str) -> None:
    given = b"[]\n" * 20_000 if "--lines" in arguments else b""
    reader, writer = os.pipe()
    with ending(
        subprocess.Popen(
            [sys.executable, "-m", "wateringhole", *arguments.split()],
            stdin=subprocess.PIPE,
            stdout=writer,
            stderr=subprocess.PIPE,
            env=surroundings(),
        )
    ) as running:
        os.close(writer)
        os.close(reader)
        _, err = running.communicate(given, timeout=HANG)
    assert err == b""
    assert running.returncode in {0, 1, 141}


def test_a_head_that_takes_one_line_gets_it(tmp_path: Path) -> None:
    pipeline = f'"{sys.executable}" -m wateringhole game 8 --seed 1 --story 2>"{tmp_path}/err" | head -2'
    done = subprocess.run(["sh", "-c", pipeline], capture_output=True, timeout=HANG, check=True, env=surroundings())
    assert b"Turn 1 begins" in done.stdout
    assert (tmp_path / "err").read_bytes() == b""


@pytest.mark.parametrize(
    "arguments", [["game", "3"], ["game", "3", "--json"], ["xmain", "3"], ["--help"]], ids=" ".join
)
def test_a_full_disk_is_one_sentence_and_no_success(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "wateringhole", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=HANG,
            check=False,
            env=surroundings(),
        )
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert b"No space left" in done.stderr
    assert done.returncode != 0


@pytest.mark.parametrize("closed", ["xstep <&-", "xstep --lines <&-", "game 3 >&-", "game 3 --json >&-", "--help >&-"])
def test_a_closed_standard_stream_causes_no_traceback(closed: str) -> None:
    line = f'"{sys.executable}" -m wateringhole {closed}'
    done = subprocess.run(["sh", "-c", line], capture_output=True, timeout=HANG, check=False, env=surroundings())
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") <= 1


def test_the_help_says_what_goes_in() -> None:
    for name in GOOD:
        with case(name):
            out = well(command(name, "--help"))
            assert "--lines" in out
            assert "standard input" in " ".join(out.split())
