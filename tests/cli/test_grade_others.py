"""`grade --exe` and `grade --submissions`: programs of others, and nothing that they do stops the grading."""

import contextlib
import csv
import json
import os
import pty
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli import HANG, Ended, command, complained, ending, process, surroundings, well
from tests.cli.programs import PYTHON, gone, script, until_written, written
from wateringhole.conformance import proctor

BOARD = [["food", 0], ["body", 0], ["population", 1], ["traits", []]]
HUNTER = [["food", 0], ["body", 0], ["population", 1], ["traits", ["carnivore"]]]
PLAYER = [["id", 1], ["species", [BOARD]], ["bag", 0]]

ATTACKS = [{"id": f"attack {n}", "in": [BOARD, HUNTER, False, False], "out": True} for n in (1, 2)]
FEEDINGS = [{"id": "feed 1", "in": [PLAYER, 1, []], "out": 0}]

GOOD = ("cat > /dev/null", "echo true")
PATIENCE = "1"
"""Seconds for programs of which some are good, and must not be late on a busy machine, and some never end."""
NO_FAILURES: dict[str, object] = {"reason": None, "timeouts": 0, "crashes": 0, "not_run": 0, "differences": []}
BAD: dict[str, tuple[tuple[str, ...], str | None, str]] = {
    # What a program does, how it fails, and what is said of it.
    "wrong": (("echo false",), None, "false"),
    "one and not true": (("echo 1",), None, "1"),
    "slow": (("sleep 1000",), "time-out", "not done after 0.3 s"),
    "deaf": (("trap '' TERM INT HUP", "while :; do sleep 1; done"), "time-out", "not done"),
    "closes its output and hangs": (("exec >&- 2>&-", "sleep 1000"), "time-out", "not done"),
    "answers and hangs": (("echo true", "sleep 1000"), "time-out", "not done"),
    "endless complaints": (("yes >&2",), "time-out", "not done"),
    "crash": (("echo true", "echo 'it went wrong' >&2", "exit 3"), "crashed", "exits with code 3"),
    "killed": (("kill -SEGV $$",), "crashed", "dies of signal 11"),
    "endless output": (("yes",), "too much output", "prints more than 1000000 bytes"),
    "rubbish": (("echo hello",), "no JSON", "not JSON"),
    "two values": (("echo true true",), "no JSON", "not JSON"),
    "no text": (("printf '\\377'",), "no JSON", "not UTF-8"),
    "deep": (("yes [ | head -n 500",), "no JSON", "64 deep"),
    "nothing": (("exit 0",), "no JSON", "prints nothing"),
}


def suite(folder: Path, **files: object) -> str:
    """A folder with these cases in files named after their harnesses."""
    folder.mkdir()
    for name, cases in files.items():
        assert isinstance(cases, list)
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    return str(folder)


def data(ended: Ended) -> dict[str, Any]:
    assert ended.err == ""
    value = json.loads(ended.out)
    assert isinstance(value, dict)
    return value


def hand_in(folder: Path, name: str, harness: str, *lines: str) -> Path:
    """A submission with one program."""
    (folder / name).mkdir(parents=True, exist_ok=True)
    script(folder / name / harness, *lines)
    return folder / name


@pytest.fixture
def attacks(tmp_path: Path) -> str:
    return suite(tmp_path / "suite", xattack=ATTACKS)


# Programs by name.


def test_a_program_that_answers_like_the_suite_passes(tmp_path: Path, attacks: str) -> None:
    good = script(tmp_path / "good", *GOOD)
    out = well(command("grade", "--suite", attacks, "--exe", f"xattack={good}"))
    assert out == "xattack  2 of 2\n2 passed, 0 failed\n"


def test_our_own_harness_is_a_program_like_any_other(tmp_path: Path) -> None:
    cases = suite(tmp_path / "suite", xattack=ATTACKS, xfeed=FEEDINGS)
    words = [f"{name}={shlex.quote(sys.executable)} -m wateringhole {name}" for name in ("xattack", "xfeed")]
    assert well(process("grade", "--suite", cases, "--exe", words[0], "--exe", words[1])).splitlines() == [
        "xattack  2 of 2",
        "xfeed    1 of 1",
        "3 passed, 0 failed",
    ]


def test_a_command_may_have_arguments_with_blanks(tmp_path: Path, attacks: str) -> None:
    says = script(tmp_path / "it says", 'test "$1" = "two words" && echo "$2"')
    ended = command("grade", "--suite", attacks, "--exe", f"xattack={says} 'two words' true")
    assert well(ended).endswith("2 passed, 0 failed\n")


def test_a_program_gets_the_input_of_its_case_and_need_not_read_it(tmp_path: Path) -> None:
    long = [{"id": "long", "in": ["x" * 500_000], "out": True}, {"id": "short", "in": "it", "out": "it"}]
    cases = suite(tmp_path / "suite", xattack=long)
    deaf, echo = script(tmp_path / "deaf", "echo true"), script(tmp_path / "echo", "cat")
    assert data(command("grade", "--suite", cases, "--exe", f"xattack={deaf}", "--json"))["passed"] == 1
    [row] = data(command("grade", "--suite", cases, "--exe", f"xattack={echo}", "--json"))["harnesses"]
    assert [difference["id"] for difference in row["differences"]] == ["long"]
    assert len(json.dumps(row)) < 1_000, "a value that is too long is not kept"


def test_growth_is_spelt_as_the_programs_want_it(tmp_path: Path) -> None:
    hand = [[1, "horns"], [0, "horns"], [2, "horns"], [3, "horns"]]
    player = [["id", 1], ["species", [BOARD]], ["bag", 0], ["cards", hand]]
    silly = {"id": "silly", "in": [player, [], []], "out": [1, [["population", 1, 3]], [], [[0, 2]], []]}
    play = [1, [["population", 0, 0]], [], [], []]
    misspelt = [1, [["body", 0, 0]], [], [], []]
    turns = [
        {"id": name, "in": [[[player], 0, []], [given]], "out": out}
        for name, given, out in (("play", play, "bare"), ("misspelt", misspelt, "tagged"))
    ]
    cases = suite(tmp_path / "suite", xsilly=[silly], xstep4=turns)
    says = script(tmp_path / "says", "cat > /dev/null", "echo '[1, [[1, 3]], [], [[0, 2]], []]'")
    tagged = r"""grep -qE '\["(population|body)", 0, 0\]' && echo '"tagged"' || echo '"bare"'"""
    reads = script(tmp_path / "reads", tagged)
    words = ["grade", "--suite", cases, "--exe", f"xsilly={says}", "--exe", f"xstep4={reads}"]
    assert well(command(*words, "--growth", "bare")).endswith("3 passed, 0 failed\n")
    for more in ([], ["--growth", "tagged"]):
        ended = command(*words, *more)
        assert ended.code == 1
        assert 'population growth 0: expected ["population", 1, 3], got [1, 3]' in ended.out
        assert ended.out.endswith("1 passed, 2 failed\n")
    # Our own harness follows the option, whatever the suite has.
    bare = suite(tmp_path / "bare", xsilly=[silly | {"out": [1, [[1, 3]], [], [[0, 2]], []]}])
    for path, options, passes in ((cases, [], True), (bare, [], False), (bare, ["--growth", "bare"], True)):
        ended = command("grade", "--suite", f"{path}/xsilly.jsonl", *options)
        assert (ended.code == 0) == passes


def test_harnesses_without_a_program_are_left_out_and_named(tmp_path: Path) -> None:
    cases = suite(tmp_path / "suite", xattack=ATTACKS, xfeed=FEEDINGS, xsilly=FEEDINGS)
    good = script(tmp_path / "good", "echo 0")
    ended = command("grade", "--suite", cases, "--exe", f"xfeed={good}")
    assert well(ended).splitlines() == [
        "xfeed    1 of 1",
        "xattack  left out: there is no --exe for it",
        "xsilly   left out: there is no --exe for it",
        "1 passed, 0 failed",
    ]
    assert data(command("grade", "--suite", cases, "--exe", f"xfeed={good}", "--json")) == {
        "passed": 1,
        "total": 1,
        "harnesses": [
            {"harness": "xfeed", "passed": 1, "total": 1} | NO_FAILURES,
        ],
        "left_out": ["xattack", "xsilly"],
    }


@pytest.mark.parametrize("name", BAD)
def test_a_bad_program_fails_its_cases_and_the_reason_is_told(name: str, tmp_path: Path, attacks: str) -> None:
    does, failure, says = BAD[name]
    bad = script(tmp_path / "bad", *does)
    seconds = "0.3" if failure == "time-out" else "30"
    ended = command("grade", "--suite", attacks, "--exe", f"xattack={bad}", "--seconds", seconds, "--json")
    assert ended.code == 1
    [row] = data(ended)["harnesses"]
    assert (row["passed"], row["total"]) == (0, 2)
    assert (row["timeouts"], row["crashes"]) == (2 * (failure == "time-out"), 2 * (failure == "crashed"))
    assert [difference["id"] for difference in row["differences"]] == ["attack 1", "attack 2"]
    for difference in row["differences"]:
        assert difference.get("failure") == failure
        assert says in json.dumps(difference["got"])


def test_the_report_shows_the_first_differences_and_what_the_program_complained_of(
    tmp_path: Path, attacks: str
) -> None:
    does, _, _ = BAD["crash"]
    ended = command("grade", "--suite", attacks, "--exe", f"xattack={script(tmp_path / 'bad', *does)}")
    assert (ended.code, ended.err) == (1, "")
    assert ended.out.splitlines() == [
        "xattack  0 of 2, 2 crashed",
        "  attack 1",
        '    expected true, got {"error": "exits with code 3"}',
        '    stderr: "it went wrong"',
        "  attack 2",
        '    expected true, got {"error": "exits with code 3"}',
        '    stderr: "it went wrong"',
        "0 passed, 2 failed",
    ]


def test_complaints_are_kept_up_to_a_length_and_cannot_write_on_the_screen(tmp_path: Path, attacks: str) -> None:
    bad = script(tmp_path / "bad", "printf '\\033[31mred\\n' >&2", "yes more | head -n 100000 >&2", "exit 1")
    words = ["grade", "--suite", attacks, "--exe", f"xattack={bad}"]
    [row] = data(command(*words, "--json"))["harnesses"]
    assert [len(difference["stderr"]) for difference in row["differences"]] == [2_000, 2_000]
    out = command(*words).out
    assert "\x1b" not in out
    assert '"\\u001b[31mred" ... "' in out


def test_results_do_not_depend_on_the_number_of_jobs(tmp_path: Path) -> None:
    cases = suite(tmp_path / "suite", xattack=ATTACKS[:1])
    names = [name for name, (_, failure, _) in BAD.items() if failure != "time-out" or name == "slow"]
    for name in names:
        hand_in(tmp_path / "class", name, "xattack", *BAD[name][0])
    words = ["grade", "--suite", cases, "--submissions", str(tmp_path / "class"), "--seconds", PATIENCE, "--json"]
    one, many = (data(command(*words, "--jobs", jobs)) for jobs in ("1", "8"))
    assert one == many
    assert [row["submission"] for row in one["submissions"]] == sorted(names)


# Nothing is left running.


STAYERS = {
    "a child in the background": (["sleep 1000 &", "echo $! > pid", "echo true"], "passes"),
    "a child that holds no output": (["sleep 1000 > /dev/null 2>&1 &", "echo $! > pid", "echo true"], "passes"),
    "a child that is deaf": (
        ["(trap '' TERM HUP; while :; do sleep 1; done) &", "echo $! > pid", "echo true"],
        "passes",
    ),
    "a parent that hangs as well": (["sleep 1000 &", "echo $! > pid", "sleep 1000"], "hangs"),
    "a parent that crashes": (["sleep 1000 &", "echo $! > pid", "exit 1"], "fails"),
    "a parent that floods": (["sleep 1000 &", "echo $! > pid", "yes"], "fails"),
}


@pytest.mark.parametrize("name", STAYERS)
def test_a_child_that_stays_is_killed_with_its_group(name: str, tmp_path: Path) -> None:
    lines, outcome = STAYERS[name]
    cases = suite(tmp_path / "suite", xattack=ATTACKS[:1])
    home = hand_in(tmp_path / "class", "forks", "xattack", *lines)
    words = ["grade", "--sandbox", "off", "--suite", cases, "--submissions", str(tmp_path / "class")]
    seconds = PATIENCE if outcome == "hangs" else "30"
    assert command(*words, "--seconds", seconds).code == (0 if outcome == "passes" else 1)
    assert gone(written(home / "pid"))


def test_a_child_that_leaves_the_group_is_found_all_the_same(tmp_path: Path) -> None:
    cases = suite(tmp_path / "suite", xattack=ATTACKS[:1])
    lines = [
        "import os, time",
        "if os.fork() == 0:",
        "    os.setsid()",
        "    if os.fork() == 0:",
        f"        print(os.getpid(), file=open({str(tmp_path / 'pid')!r}, 'w'), flush=True)",
        "        time.sleep(1000)",
        "    os._exit(0)",
        "os.wait()",
        until_written(tmp_path / "pid"),
        "print('true')",
    ]
    forks = script(tmp_path / "forks", *lines, first=PYTHON)
    assert command("grade", "--sandbox", "off", "--suite", cases, "--exe", f"xattack={forks}").code == 0
    assert gone(written(tmp_path / "pid"))


def test_even_a_child_that_throws_away_its_environment_is_found_and_buried(tmp_path: Path) -> None:
    cases = suite(tmp_path / "suite", xattack=ATTACKS[:1])
    lines = [
        "import os, time",
        "if os.fork() == 0:",
        "    os.setsid()",
        f"    print(os.getpid(), file=open({str(tmp_path / 'pid')!r}, 'w'), flush=True)",
        "    os.execve('/bin/sleep', ['sleep', '1000'], {})",
        until_written(tmp_path / "pid"),
        "print('true')",
    ]
    forks = script(tmp_path / "forks", *lines, first=PYTHON)
    assert command("grade", "--sandbox", "off", "--suite", cases, "--exe", f"xattack={forks}").code == 0
    pid = written(tmp_path / "pid")
    assert gone(pid)
    assert not Path("/proc", pid).exists()


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_it_and_all_that_it_runs(end: signal.Signals, tmp_path: Path, attacks: str) -> None:
    lines = ["trap '' INT TERM HUP", "sleep 1000 &", f"echo $! >> {tmp_path}/children", "sleep 1000"]
    hangs = script(tmp_path / "hangs", *lines)
    words = ["grade", "--sandbox", "off", "--suite", attacks, "--exe", f"xattack={hangs}"]
    words = [sys.executable, "-m", "wateringhole", *words]
    with ending(subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings())) as running:
        written(tmp_path / "children")
        running.send_signal(end)
        out, err = running.communicate(timeout=HANG)
    assert (running.returncode, out, err.strip()) == (130, b"", b"")
    for child in written(tmp_path / "children").split():
        assert gone(child)


# Submissions.


def test_each_folder_is_a_submission_and_a_broken_one_does_not_stop_the_others(tmp_path: Path) -> None:
    cases = suite(tmp_path / "suite", xattack=ATTACKS, xfeed=FEEDINGS)
    homes = tmp_path / "class"
    hand_in(homes, "zoe", "xattack", *GOOD)
    hand_in(homes, "zoe", "xfeed", "echo 0")
    hand_in(homes, "ann", "xattack", "exit 3")  # and no xfeed
    hand_in(homes, "bob", "xattack", *GOOD).joinpath("xattack").chmod(0o644)
    (homes / "bob" / "xfeed").mkdir()
    (homes / "eve").mkdir()
    script(homes / "eve" / "xattack", "exit 0", first="nothing that a system could start")
    (homes / ".git").mkdir()
    (homes / "README").write_text("not a submission")
    ended = command("grade", "--suite", cases, "--submissions", str(homes))
    assert (ended.code, ended.err) == (1, "")
    assert ended.out.splitlines() == [
        "ann",
        "  xattack  0 of 2, 2 crashed",
        "    attack 1",
        '      expected true, got {"error": "exits with code 3"}',
        "    attack 2",
        '      expected true, got {"error": "exits with code 3"}',
        "  xfeed    0 of 1",
        '    {"error": "there is no file xfeed"}',
        "bob",
        "  xattack  0 of 2",
        '    {"error": "xattack is not executable"}',
        "  xfeed    0 of 1",
        '    {"error": "there is no file xfeed"}',
        "eve",
        "  xattack  0 of 2",
        '    {"error": "cannot be started: Exec format error"}',
        "  xfeed    0 of 1",
        '    {"error": "there is no file xfeed"}',
        "zoe",
        "  xattack  2 of 2",
        "  xfeed    1 of 1",
        "3 passed, 9 failed",
    ]


def test_a_submission_runs_in_its_own_folder(tmp_path: Path, attacks: str) -> None:
    home = hand_in(tmp_path / "class", "ann", "xattack", "cat answer")
    (home / "answer").write_text("true\n")
    assert command("grade", "--suite", attacks, "--submissions", str(tmp_path / "class")).code == 0


def test_json_has_each_submission_with_its_marks(tmp_path: Path, attacks: str) -> None:
    hand_in(tmp_path / "class", "ann", "xattack", *GOOD)
    hand_in(tmp_path / "class", "bob", "xattack", "sleep 1000")
    words = ["grade", "--suite", attacks, "--submissions", str(tmp_path / "class"), "--seconds", PATIENCE, "--json"]
    ended = command(*words)
    assert ended.code == 1
    value = data(ended)
    assert (value["passed"], value["total"]) == (2, 4)
    ann, bob = value["submissions"]
    assert ann == {
        "submission": "ann",
        "passed": 2,
        "total": 2,
        "harnesses": [
            {"harness": "xattack", "passed": 2, "total": 2} | NO_FAILURES,
        ],
    }
    assert (bob["submission"], bob["passed"], bob["harnesses"][0]["timeouts"]) == ("bob", 0, 2)


def test_marks_go_into_a_table_whose_cells_are_no_formulas(tmp_path: Path) -> None:
    cases = suite(tmp_path / "suite", xattack=[ATTACKS[0] | {"id": "=1+1"}, ATTACKS[1]], xfeed=FEEDINGS)
    names = ["=cmd()", "+plus", "-minus", "@at", 'a "name", with a comma', "plain", "été"]
    for name in names:
        hand_in(tmp_path / "class", name, "xattack", *(GOOD if name == "plain" else ["exit 1"]))
        hand_in(tmp_path / "class", name, "xfeed", "echo 0" if name != "@at" else "sleep 1000")
    table = tmp_path / "marks.csv"
    words = ["grade", "--suite", cases, "--submissions", str(tmp_path / "class"), "--csv", str(table)]
    assert command(*words, "--seconds", PATIENCE).code == 1
    with table.open(newline="", encoding="utf-8") as file:
        heading, *rows = list(csv.reader(file))
    counts = ["wrong", "crashed", "time-outs", "no JSON", "not run"]
    assert heading == ["submission", "harness", "passed", "total", "reason", *counts, "first difference id"]
    safe = {name: f"'{name}" if name[0] in "=+-@" else name for name in names}
    assert [row[0] for row in rows] == [safe[name] for name in sorted(names) for _ in ("xattack", "xfeed")]
    assert [row[1:] for row in rows if row[0] == "plain"] == [
        ["xattack", "2", "2", "", "0", "0", "0", "0", "0", ""],
        ["xfeed", "1", "1", "", "0", "0", "0", "0", "0", ""],
    ]
    assert [row[1:] for row in rows if row[0] == "'@at"] == [
        ["xattack", "0", "2", "crashed", "0", "2", "0", "0", "0", "'=1+1"],
        ["xfeed", "0", "1", "time-out", "0", "0", "1", "0", "0", "feed 1"],
    ]


def test_a_name_that_is_no_text_is_graded_like_any_other(tmp_path: Path, attacks: str) -> None:
    name = os.fsdecode(b"\xff\x1b[31m\n")
    hand_in(tmp_path / "class", name, "xattack", *GOOD)
    table = tmp_path / "marks.csv"
    words = ["grade", "--suite", attacks, "--submissions", str(tmp_path / "class"), "--csv", str(table)]
    assert "\x1b" not in well(process(*words))
    assert data(process(*words, "--json"))["submissions"][0]["submission"] == name
    assert "xattack,2,2,,0,0,0,0,0," in table.read_text(encoding="utf-8")


def test_a_terminal_is_shown_how_far_it_is(tmp_path: Path, attacks: str) -> None:
    hand_in(tmp_path / "class", "[bold]ann", "xattack", *GOOD)
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as screen:
        words = [sys.executable, "-m", "wateringhole", "grade", "--suite", attacks]
        words += ["--submissions", str(tmp_path / "class")]
        with ending(
            subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs, env=surroundings(TERM="xterm"))
        ) as running:
            os.close(theirs)
            shown = b""
            with contextlib.suppress(OSError):  # which is how a terminal says that nobody writes to it any more
                while piece := screen.read(4_096):
                    shown += piece
            assert running.stdout is not None
            out = running.stdout.read().decode()
            assert running.wait(HANG) == 0
    assert b"2/2" in shown
    assert b"[bold]ann" in shown
    assert out == "[bold]ann\n  xattack  2 of 2\n2 passed, 0 failed\n"


# Mistakes.


def test_the_mistakes_of_the_user_are_one_sentence_each(tmp_path: Path) -> None:
    cases = suite(tmp_path / "suite", xattack=ATTACKS)
    good = script(tmp_path / "good", *GOOD)
    plain = tmp_path / "plain"
    plain.write_text("no program")
    empty = tmp_path / "empty"
    empty.mkdir()
    fine = ["--exe", f"xattack={good}"]
    mistakes: list[tuple[list[str], str]] = [
        (["--exe", good], "NAME=COMMAND"),
        (["--exe", f"xwing={good}"], "xwing"),
        (["--exe", f"xfeed={good}"], "no xfeed.jsonl"),
        (["--exe", "xattack="], "no command"),
        (["--exe", "xattack=  "], "no command"),
        (["--exe", "xattack='open"], "quotation"),
        (["--exe", "xattack=./there-is-none"], "./there-is-none"),
        (["--exe", f"xattack={plain}"], "not executable"),
        ([*fine, *fine], "two programs"),
        ([*fine, "--submissions", str(empty)], "--exe and --submissions"),
        ([*fine, "--jobs", "0"], "--jobs"),
        ([*fine, "--jobs", "many"], "--jobs"),
        ([*fine, "--seconds", "0"], "--seconds"),
        ([*fine, "--seconds", "nan"], "--seconds"),
        ([*fine, "--seconds", "inf"], "--seconds"),
        ([*fine, "--give-up", "0"], "--give-up"),
        ([*fine, "--keep", str(tmp_path / "kept")], "--submissions"),
        ([*fine, "--csv", str(tmp_path)], "directory"),
        ([*fine, "--csv", str(tmp_path / "missing" / "marks.csv")], "No such file"),
        (["--submissions", str(tmp_path / "missing")], "No such file"),
        (["--submissions", str(plain)], "Not a directory"),
        (["--submissions", str(empty)], "no submission"),
        (["--jobs", "2"], "--exe"),
        (["--seconds", "2"], "--exe"),
        (["--give-up", "2"], "--exe"),
        (["--keep", "kept"], "--exe"),
        (["--csv", "marks.csv"], "--exe"),
    ]
    for arguments, value in mistakes:
        assert complained(command("grade", "--suite", cases, *arguments), value), arguments
    assert complained(command("grade", "--suite", str(tmp_path / "missing"), *fine), "No such file")


def test_the_help_teaches() -> None:
    out = " ".join(well(command("grade", "--help")).split())
    assert '--exe "xstep=./xstep"' in out
    assert "--submissions class/ --csv marks.csv" in out


def test_an_interrupt_waits_until_a_thread_has_been_started() -> None:
    done = []

    def start() -> None:
        with proctor._undisturbed():
            signal.raise_signal(signal.SIGINT)
            done.append("started")

    with pytest.raises(KeyboardInterrupt):
        start()
    assert done == ["started"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
