"""`diff`: two harness programs, the first difference, and how small it gets."""

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import wateringhole
from tests.cases import case
from tests.cli import HANG, Ended, command, complained, ending, process, surroundings, well
from tests.cli.programs import gone, script, written
from wateringhole.conformance.harness import HARNESSES, run_harness
from wateringhole.conformance.situations import situation_in
from wateringhole.wire.framing import Json

BOARD: Json = [["food", 0], ["body", 0], ["population", 1], ["traits", []]]
HUNTER = [["food", 0], ["body", 0], ["population", 1], ["traits", ["carnivore"]]]
HORNED: Json = [["food", 2], ["body", 3], ["population", 4], ["traits", ["horns", "climbing"]]]

BARE_HORNS = [["food", 0], ["body", 0], ["population", 1], ["traits", ["horns"]]]
SMALLEST_WITH_HORNS = [
    [BARE_HORNS, BOARD, False, False],
    [BOARD, BARE_HORNS, False, False],
    [BOARD, BOARD, BARE_HORNS, False],
    [BOARD, BOARD, False, BARE_HORNS],
]

YES = ("echo true",)


def data(ended: Ended) -> dict[str, Any]:
    assert ended.err == ""
    value = json.loads(ended.out)
    assert isinstance(value, dict)
    return value


def unless(word: str, *does: str) -> tuple[str, ...]:
    """A program that says true, unless this word is in its input: then it does this."""
    return (f"if grep -qe '{word}'; then", *does, "else", "echo true", "fi")


# A rule of ours changed.


CHANGES = {
    "a shell withstands 3 and not 4": (
        "traits.py",
        "HARD_SHELL_MARGIN: Final = 4",
        "HARD_SHELL_MARGIN: Final = 3",
        {"carnivore", "hard-shell"},
    ),
    "horns do not kill": (
        "rules/feeding.py",
        "if horned and not kill(",
        "if horned and not horned and not kill(",
        {"carnivore", "horns"},
    ),
    "cooperation feeds only once": (
        "rules/feeding.py",
        "due += [at + 1] * tokens",
        "due += [at + 1] * min(1, tokens)",
        {"cooperation", "foraging"},
    ),
}


CHANGED = """\
import json, socketserver
from wateringhole.conformance.harness import run_harness
from wateringhole.wire.json_codec import ShapeError
from wateringhole.wire.framing import parse

class Harness(socketserver.StreamRequestHandler):
    def handle(self):
        try:
            self.wfile.write(json.dumps(run_harness("xstep4", parse(self.rfile.readline()))).encode() + b"\\n")
        except ShapeError:
            pass

class Server(socketserver.TCPServer):
    request_queue_size = 100

with Server(("127.0.0.1", 0), Harness) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
"""
"""Our xstep4 with the rules that it finds: one process that has loaded them, for programs that start without them."""

ASKS = """\
read -r given
exec 3<>/dev/tcp/127.0.0.1/{port}
printf '%s\\n' "$given" >&3
read -r answer <&3 && printf '%s\\n' "$answer"
"""
"""Starts in a quarter of the time that Python takes."""


@contextmanager
def harness_of(folder: Path) -> Iterator[str]:
    """A program that is our xstep4 with the package in this folder; it is run a hundred times."""
    words = [sys.executable, "-c", CHANGED]
    environment = surroundings(PYTHONPATH=str(folder))
    with ending(subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment)) as server:
        assert server.stdout is not None
        yield script(folder / "theirs", ASKS.format(port=int(server.stdout.readline())), first="#!/bin/bash")


@pytest.mark.parametrize("name", CHANGES)
def test_one_changed_line_of_the_rules_is_found_and_shown_with_three_boards_at_most(name: str, tmp_path: Path) -> None:
    path, line, changed, matters = CHANGES[name]
    package = tmp_path / "wateringhole"
    shutil.copytree(Path(wateringhole.__file__).parent, package, ignore=shutil.ignore_patterns("static"))
    source = (package / path).read_text()
    assert source.count(line) == 1
    (package / path).write_text(source.replace(line, changed))
    with harness_of(tmp_path) as theirs:
        ended = command("diff", "xstep4", theirs, "--json", "--sandbox", "off")
    assert ended.code == 1
    difference = data(ended)["differences"][0]
    assert difference["smallest"]
    assert difference["runs"] <= 200
    given = difference["input"]
    assert difference["ours"]["value"] == run_harness("xstep4", given) != difference["theirs"]["value"]
    first = difference["first_difference"]
    assert first["place"] != []
    assert first["expected"] != first["got"]
    situation = situation_in("xstep4", given)
    boards = [board for side in situation.sides for board in side.boards]
    new = sum(len(play[3]) for play in given[1])
    assert len(boards) + new <= 3
    assert {trait for board in boards for trait in board.traits} >= matters
    assert sum(len(board.traits) for board in boards) <= len(matters) + 1


# Programs that show what happens on the way.


def test_the_input_is_as_small_as_it_can_be(tmp_path: Path) -> None:
    theirs, ours = script(tmp_path / "theirs", *unless("horns", "echo false")), script(tmp_path / "ours", *YES)
    ended = command("diff", "xattack", theirs, ours)
    assert (ended.code, ended.err) == (1, "")
    said, where, given, first, second = ended.out.splitlines()
    assert "a difference in situation " in said
    assert where == "first difference: expected true, got false"
    assert " of 1000 random situations with seed 0" in said
    assert json.loads(given.removeprefix("input: ")) in SMALLEST_WITH_HORNS
    assert (first, second) == (f"{theirs}: false", f"{ours}: true")


@pytest.mark.parametrize("harness", HARNESSES)
def test_two_programs_that_never_agree_differ_on_the_smallest_input_of_all(harness: str, tmp_path: Path) -> None:
    theirs, ours = script(tmp_path / "theirs", "echo false"), script(tmp_path / "ours", *YES)
    value = data(command("diff", harness, theirs, ours, "--json"))
    assert value["compared"] == 1
    situation = situation_in(harness, value["differences"][0]["input"])
    assert len(situation.sides) == (2 if harness == "xattack" else 1)
    assert sum(len(side.boards) for side in situation.sides) == (2 if harness == "xattack" else 0)
    assert len(situation.sides[0].hand) == {"xsilly": 3, "xstep4": 1}.get(harness, 0)
    assert situation.deck == ()


def test_a_wrong_answer_does_not_turn_into_a_crash_on_the_way(tmp_path: Path) -> None:
    # It answers wrongly where there are horns, but it cannot do without a carnivore.
    lines = ["input=$(cat)", 'case "$input" in *carnivore*) ;; *) exit 1;; esac']
    lines += ['case "$input" in *horns*) echo false;; *) echo true;; esac']
    theirs, ours = script(tmp_path / "theirs", *lines), script(tmp_path / "ours", *lines[:2], "echo true")
    difference = data(command("diff", "xattack", theirs, ours, "--json"))["differences"][0]
    assert (difference["theirs"]["value"], difference["ours"]["value"]) == (False, True)
    situation = situation_in("xattack", difference["input"])
    assert {trait for side in situation.sides for board in side.boards for trait in board.traits} == {
        "carnivore",
        "horns",
    }


@pytest.mark.parametrize(
    ("does", "failure", "says"),
    [
        ("echo 'no horns, please' >&2; exit 3", "crashed", "exits with code 3"),
        ("kill -SEGV $$", "crashed", "dies of signal 11"),
        ("echo rubbish", "no JSON", "not JSON"),
        ("yes", "too much output", "1000000"),
    ],
)
def test_a_failure_is_a_difference_and_is_made_smaller_too(does: str, failure: str, says: str, tmp_path: Path) -> None:
    theirs, ours = script(tmp_path / "theirs", *unless("horns", does)), script(tmp_path / "ours", *YES)
    ended = command("diff", "xattack", theirs, ours, "--json")
    assert ended.code == 1
    difference = data(ended)["differences"][0]
    assert difference["theirs"]["failure"] == failure
    assert says in difference["theirs"]["value"]["error"]
    assert difference["ours"] == {"value": True, "failure": None, "stderr": ""}
    assert json.dumps(difference["input"]).count("horns") == 1


def test_what_a_program_complains_of_is_shown(tmp_path: Path) -> None:
    theirs = script(tmp_path / "theirs", "echo 'first words' >&2", "echo more >&2", "echo 'last words' >&2", "exit 3")
    out = command("diff", "xattack", theirs).out.splitlines()
    assert out[3:5] == [f'{theirs}: {{"error": "exits with code 3"}}', '  stderr: "first words" ... "last words"']
    assert out[5] in {"wateringhole: true", "wateringhole: false"}


def test_a_program_that_hangs_is_not_waited_for_all_night(tmp_path: Path) -> None:
    theirs = script(tmp_path / "theirs", "sleep 1000")
    difference = data(command("diff", "xstep", theirs, "--json", "--seconds", "0.05"))["differences"][0]
    assert difference["theirs"]["failure"] == "time-out"
    assert difference["runs"] <= 2_050


def test_two_programs_that_fail_alike_do_not_differ(tmp_path: Path) -> None:
    one, other = script(tmp_path / "one", "exit 1"), script(tmp_path / "other", "exit 2")
    assert command("diff", "xattack", one, other, "--random", "5").code == 0


def test_a_program_that_never_says_the_same_comes_to_an_end(tmp_path: Path) -> None:
    theirs = script(tmp_path / "theirs", "cat > /dev/null", "od -An -N2 -tu2 /dev/urandom")
    ended = command("diff", "xstep4", theirs, theirs, "--json")
    assert ended.code == 1
    assert data(ended)["differences"][0]["runs"] < 2_010


# More than the first difference.


def test_all_shows_a_smallest_input_for_each_kind_of_difference(tmp_path: Path) -> None:
    def table(*traits: str) -> Json:
        board: list[Json] = [["food", 0], ["body", 1], ["population", 1], ["traits", [*traits]]]
        return [[[["id", 1], ["species", [board]], ["bag", 0]]], 3, []]

    given = [table("horns"), table(), table("horns", "foraging"), table("ambush", "horns"), table("climbing")]
    path = suite(tmp_path, "xstep.jsonl", *given)
    lines = ["given=$(cat)", 'case "$given" in']
    lines += ["*ambush*) echo '[[], 0, [[1, \"horns\"]]]';;", "*horns*) echo '[[], 1, []]';;", "*climbing*) exit 3;;"]
    theirs = script(tmp_path / "theirs", *lines, "*) echo '[[], 0, []]';;", "esac")
    ours = script(tmp_path / "ours", "echo '[[], 0, []]'")
    words = ["diff", "xstep", theirs, ours, "--suite", path, "--all", "--sandbox", "off"]
    value = data(command(*words, "--json"))
    assert value["compared"] == len(given)
    found = [(row["found"], row["first_difference"]["place"], row["theirs"]["failure"]) for row in value["differences"]]
    assert found == [
        ("case number 1", ["watering hole"], None),
        ("case number 4", ["number of deck cards"], None),
        ("case number 5", [], "crashed"),
    ]
    left = [
        [word for word in ("horns", "ambush", "climbing") if word in json.dumps(row["input"])]
        for row in value["differences"]
    ]
    assert left == [["horns"], ["ambush"], ["climbing"]], "each is made as small as its kind allows"
    out = command(*words).out.splitlines()
    assert [line for line in out if line.startswith("first difference: ")] == [
        "first difference: watering hole: expected 0, got 1",
        "first difference: number of deck cards: expected 0, got 1",
        'first difference: expected [[], 0, []], got {"error": "exits with code 3"}',
    ]
    assert out[-1] == "3 kinds of difference in 5 cases of the suite"


def test_players_holds_for_the_situations_and_for_what_is_made_of_them(tmp_path: Path) -> None:
    theirs, ours = script(tmp_path / "theirs", "echo false"), script(tmp_path / "ours", "echo true")
    for harness, players, fewest in (("xfeed", "6", 6), ("xsilly", "4-5", 4), ("xstep", "8", 8)):
        with case(harness, players):
            words = ["diff", harness, theirs, ours, "--sandbox", "off", "--json"]
            [difference] = data(command(*words, "--players", players))["differences"]
            assert len(situation_in(harness, difference["input"]).sides) == fewest


def test_growth_is_spelt_as_the_programs_want_it(tmp_path: Path) -> None:
    seen, yes = tmp_path / "seen", script(tmp_path / "yes", *YES)
    reader = script(tmp_path / "reader", f"cat > {seen}.$$", "echo true")
    words = ["diff", "xstep4", reader, yes, "--random", "5", "--sandbox", "off"]
    for growth, tagged in ((["--growth", "tagged"], True), ([], True), (["--growth", "bare"], False)):
        with case(growth):
            assert well(command(*words, *growth)).startswith("xstep4: no difference in 5 ")
            read = [file.read_text() for file in tmp_path.glob("seen.*")]
            assert len(read) == 5
            assert any(re.search(r'\["(population|body)", \d, \d\]', given) for given in read) == tagged
            for file in tmp_path.glob("seen.*"):
                file.unlink()
    # What ours prints follows the option, too.
    hand: Json = [[0, "horns"], [1, "horns"], [2, "horns"], [3, "horns"]]
    path = suite(tmp_path, "xsilly.jsonl", [[["id", 1], ["species", [BOARD]], ["bag", 0], ["cards", hand]], [], []])
    silly = script(tmp_path / "silly", "echo '[0, [[1, 3]], [], [[1, 2]], []]'")
    words = ["diff", "xsilly", silly, "--suite", path, "--sandbox", "off"]
    assert command(*words).code == 1
    assert well(command(*words, "--growth", "bare")) == "xsilly: no difference in 1 cases of the suite\n"


# What is compared.


def test_no_difference_is_said_with_the_number_of_situations(tmp_path: Path) -> None:
    yes = script(tmp_path / "yes", *YES)
    assert well(command("diff", "xstep4", yes, yes, "--random", "7", "--seed", "a b")) == (
        "xstep4: no difference in 7 random situations with seed a b\n"
    )
    assert data(command("diff", "xstep4", yes, yes, "--random", "7", "--json")) == {
        "harness": "xstep4",
        "theirs": yes,
        "ours": yes,
        "compared": 7,
        "left_out": 0,
        "differences": [],
    }


@pytest.mark.parametrize("harness", HARNESSES)
def test_our_harness_as_a_program_agrees_with_ours(harness: str) -> None:
    theirs = shlex.join([sys.executable, "-m", "wateringhole", harness])
    assert well(command("diff", harness, theirs, "--random", "2")).startswith(f"{harness}: no difference in 2 ")


def test_the_seed_decides_on_the_situations_and_the_jobs_on_nothing(tmp_path: Path) -> None:
    theirs, ours = script(tmp_path / "theirs", *unless("horns", "echo false")), script(tmp_path / "ours", *YES)
    words = ["diff", "xfeed", theirs, ours, "--json"]
    one, many, other = (command(*words, *more) for more in (["--jobs", "1"], ["--jobs", "7"], ["--seed", "other"]))
    assert one == many
    assert data(one)["differences"][0]["input"] != data(other)["differences"][0]["input"]


def suite(folder: Path, name: str, *inputs: object) -> str:
    lines = [json.dumps({"id": f"number {at}", "in": value, "out": "whatever"}) for at, value in enumerate(inputs, 1)]
    (folder / name).write_text("\n".join(lines))
    return str(folder / name)


def test_a_suite_gives_the_inputs_and_only_those(tmp_path: Path) -> None:
    path = suite(tmp_path, "xattack.jsonl", [BOARD, HUNTER, False, False], [HORNED, HUNTER, BOARD, HORNED])
    theirs, yes = script(tmp_path / "theirs", *unless("horns", "echo false")), script(tmp_path / "yes", *YES)
    assert well(command("diff", "xattack", yes, yes, "--suite", path)) == (
        "xattack: no difference in 2 cases of the suite\n"
    )
    ended = command("diff", "xattack", theirs, yes, "--suite", str(tmp_path), "--json")
    value = data(ended)
    assert (ended.code, value["compared"], value["differences"][0]["found"]) == (1, 2, "case number 2")
    assert value["differences"][0]["input"] in SMALLEST_WITH_HORNS


def test_what_ours_refuses_is_left_out(tmp_path: Path) -> None:
    path = suite(tmp_path, "xattack.jsonl", [BOARD, 3, False, False], [BOARD, HUNTER, False, False], "rubbish")
    theirs = script(tmp_path / "theirs", "exit 1")
    out = command("diff", "xattack", theirs, "--suite", path).out.splitlines()
    assert out[0] == "2 cases left out: our xattack refuses their input"
    assert "a difference in case number 2 of 1 cases of the suite" in out[1]


def test_whoever_stumbles_over_a_spelling_gets_the_input_as_it_came(tmp_path: Path) -> None:
    spelt = [[[["id", 1], ["species", [BOARD, BOARD]], ["bag", 0], ["cards", []]]], 5, []]
    path = suite(tmp_path, "xstep.jsonl", spelt)
    theirs, ours = script(tmp_path / "theirs", *unless('"cards", \\[\\]', "echo 1")), script(tmp_path / "ours", *YES)
    difference = data(command("diff", "xstep", theirs, ours, "--suite", path, "--json"))["differences"][0]
    assert difference["input"] == spelt


FOOD_ONLY: Json = [0, [], [], [], []]
MISSHAPEN: Json = {"no": "play"}
ILLEGAL: Json = [0, [["population", 9, 9]], [], [], []]


@pytest.mark.parametrize(
    ("play", "word", "boards", "cards"),
    [(MISSHAPEN, '"no"', [], []), (ILLEGAL, "9, 9", [BOARD], [["cards", [[0, "ambush"]]]])],
    ids=["misshapen", "illegal"],
)
def test_a_bad_play_in_a_suite_is_compared_and_the_rest_made_smaller(
    play: Json, word: str, boards: list[Json], cards: list[Json], tmp_path: Path
) -> None:
    players: list[object] = [
        [["id", at], ["species", [HORNED]], ["bag", 3], ["cards", [[at, "horns"]]]] for at in (1, 2, 3)
    ]
    path = suite(tmp_path, "xstep4.jsonl", [[players, 5, []], [FOOD_ONLY, play, FOOD_ONLY]])
    theirs, ours = script(tmp_path / "theirs", *unless(word, "echo false")), script(tmp_path / "ours", *YES)
    difference = data(command("diff", "xstep4", theirs, ours, "--suite", path, "--json"))["differences"][0]
    [[[[number, species, bag, *hand]], hole, deck], plays] = difference["input"]
    assert (number, species, bag, hand) == (["id", 2], ["species", boards], ["bag", 0], cards)
    assert (hole, deck, plays) == (0, [], [play])


# The end.


def test_ctrl_c_ends_it_and_both_programs(tmp_path: Path) -> None:
    hangs = script(tmp_path / "hangs", f"echo $$ >> {tmp_path}/pids", "sleep 1000")
    words = [sys.executable, "-m", "wateringhole", "diff", "xattack", hangs, hangs, "--sandbox", "off"]
    with ending(subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings())) as running:
        written(tmp_path / "pids")
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=HANG)
    assert (running.returncode, out, err.strip()) == (130, b"", b"")
    for pid in written(tmp_path / "pids").split():
        assert gone(pid)


def test_the_help_teaches() -> None:
    out = " ".join(well(process("diff", "--help")).split())
    assert "wateringhole diff xstep4 ./theirs" in out
    assert "xattack, xfeed, xsilly, xstep or xstep4" in out


def test_a_mistake_is_one_sentence(tmp_path: Path) -> None:
    yes = script(tmp_path / "yes", *YES)
    path = suite(tmp_path, "xattack.jsonl", [BOARD, HUNTER, False, False])
    mistakes: list[tuple[list[str], str]] = [
        ([], "HARNESS"),
        (["xattack"], "THEIRS"),
        (["xwing", yes], "xwing"),
        (["xattack", "./there-is-none"], "./there-is-none"),
        (["xattack", yes, "./there-is-none"], "./there-is-none"),
        (["xattack", "'open"], "quotation"),
        (["xattack", ""], "no command"),
        (["xattack", yes, yes, yes], "unexpected"),
        (["xattack", yes, "--random", "0"], "--random"),
        (["xattack", yes, "--random", "5", "--suite", path], "--suite and --random"),
        (["xattack", yes, "--seed", "5", "--suite", path], "--suite and --seed"),
        (["xattack", yes, "--players", "5"], "xattack has boards and no players"),
        (["xstep", yes, "--players", "2"], "--players 2: not a number or MIN-MAX within 3-8"),
        (["xstep", yes, "--players", "8-3"], "8-3"),
        (["xstep", yes, "--players", "many"], "many"),
        (["xstep", yes, "--players", "3", "--suite", path], "--suite and --players"),
        (["xstep", yes, "--growth", "long"], "long"),
        (["xattack", yes, "--suite", str(tmp_path / "missing")], "No such file"),
        (["xfeed", yes, "--suite", path], "xfeed.jsonl"),
        (["xfeed", yes, "--suite", str(tmp_path)], "xfeed.jsonl"),
        (["xattack", yes, "--seconds", "0"], "--seconds"),
        (["xattack", yes, "--jobs", "0"], "--jobs"),
        (["xattack", yes, "--seed", "x" * 2_000], "2000"),
    ]
    for arguments, value in mistakes:
        assert complained(command("diff", *arguments), value), arguments
