"""`grade`, on small suites."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cases import case
from tests.cli import command, complained, process, well

BOARD = [["food", 0], ["body", 0], ["population", 1], ["traits", []]]
HUNTER = [["food", 0], ["body", 0], ["population", 1], ["traits", ["carnivore"]]]

MAY = {"id": "hunter", "in": [BOARD, HUNTER, False, False], "out": True}
MAY_NOT = {"id": "grazer", "in": [BOARD, BOARD, False, False], "out": False}
WRONG = {"id": "mistaken", "in": [BOARD, BOARD, False, False], "out": True}
GRAZE = {"id": "graze", "in": [[["id", 1], ["species", [BOARD]], ["bag", 0]], 1, []], "out": 0}


def suite(folder: Path, name: str, *cases: object) -> str:
    path = folder / name
    path.write_text("".join(json.dumps(case) + "\n" for case in cases))
    return str(path)


def graded(path: str) -> tuple[int, dict[str, Any]]:
    ended = command("grade", "--suite", path, "--json")
    assert ended.err == ""
    value = json.loads(ended.out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert isinstance(value, dict)
    return ended.code, value


def test_a_suite_that_passes_is_counted_and_gives_exit_code_0(tmp_path: Path) -> None:
    path = suite(tmp_path, "xattack.jsonl", MAY, MAY_NOT)
    assert well(command("grade", "--suite", path)) == "xattack  2 of 2\n2 passed, 0 failed\n"
    assert graded(path) == (
        0,
        {
            "passed": 2,
            "total": 2,
            "harnesses": [{"harness": "xattack", "passed": 2, "total": 2, "differences": []}],
        },
    )


def test_a_difference_is_shown_and_gives_exit_code_1(tmp_path: Path) -> None:
    path = suite(tmp_path, "xattack.jsonl", MAY, WRONG)
    for run in (command, process):
        ended = run("grade", "--suite", path)
        assert (ended.code, ended.err) == (1, "")
        assert ended.out.splitlines() == [
            "xattack  1 of 2",
            "  mistaken",
            "    expected true, got false",
            "1 passed, 1 failed",
        ]
    code, value = graded(path)
    assert code == 1
    first = {"place": [], "expected": True, "got": False}
    assert value["harnesses"][0]["differences"] == [
        {"id": "mistaken", "expected": True, "got": False, "first_difference": first}
    ]


def test_a_difference_in_a_long_value_is_told_by_its_place(tmp_path: Path) -> None:
    players = [[["id", number], ["species", [BOARD, HUNTER]], ["bag", 0]] for number in (1, 2)]
    fed = [[["food", 2], *BOARD[1:]], HUNTER]
    out = [[[["id", 1], ["species", fed], ["bag", 0]], players[1]], 0, []]
    path = suite(tmp_path, "xstep.jsonl", {"id": "greedy", "in": [players, 1, []], "out": out})
    ended = command("grade", "--suite", path)
    assert ended.out.splitlines()[1:3] == ["  greedy", "    player 1, board 0, food: expected 2, got 1"]
    [difference] = graded(path)[1]["harnesses"][0]["differences"]
    assert difference["first_difference"] == {"place": ["player 1", "board 0", "food"], "expected": 2, "got": 1}


def test_a_folder_is_graded_file_by_file(tmp_path: Path) -> None:
    suite(tmp_path, "xfeed.jsonl", GRAZE)
    suite(tmp_path, "xattack.jsonl", MAY)
    (tmp_path / "README").write_text("not a case")
    assert well(command("grade", "--suite", str(tmp_path))).splitlines() == [
        "xattack  1 of 1",
        "xfeed    1 of 1",
        "2 passed, 0 failed",
    ]


@pytest.mark.parametrize(("out", "passes"), [(0, True), (False, False), (0.0, False), ("0", False), ([0], False)])
def test_0_is_not_false_and_not_0_0(out: object, passes: bool, tmp_path: Path) -> None:
    code, value = graded(suite(tmp_path, "xfeed.jsonl", GRAZE | {"out": out}))
    assert (code, value["passed"]) == ((0, 1) if passes else (1, 0))


def test_bad_input_in_a_case_is_a_difference_and_not_the_end(tmp_path: Path) -> None:
    code, value = graded(suite(tmp_path, "xattack.jsonl", MAY | {"in": [BOARD, 3, False, False]}, MAY))
    assert code == 1
    assert (value["passed"], value["total"]) == (1, 2)
    [difference] = value["harnesses"][0]["differences"]
    assert difference["got"] == {"error": "a species is 3, not an array"}


def test_only_the_first_differences_are_shown_but_all_are_in_the_data(tmp_path: Path) -> None:
    path = suite(tmp_path, "xattack.jsonl", *[WRONG | {"id": f"case {number}"} for number in range(9)])
    out = command("grade", "--suite", path).out
    assert "0 of 9" in out
    assert out.count("expected") < 9
    assert [row["id"] for row in graded(path)[1]["harnesses"][0]["differences"]] == [f"case {n}" for n in range(9)]


def test_an_id_cannot_write_on_the_screen(tmp_path: Path) -> None:
    ended = command("grade", "--suite", suite(tmp_path, "xattack.jsonl", WRONG | {"id": "\x1b[31mred\nnext"}))
    assert ended.code == 1
    assert "\x1b" not in ended.out
    assert len(ended.out.splitlines()) == 4


@pytest.mark.parametrize("name", ["é", "\U0001f600", "\ud800"])
def test_an_id_that_cannot_be_printed_does_not_stop_the_grading(name: str, tmp_path: Path) -> None:
    path = suite(tmp_path, "xattack.jsonl", WRONG | {"id": name})
    ended = process("grade", "--suite", path, PYTHONIOENCODING="ascii")
    assert "Traceback" not in ended.err
    assert ended.code in {1, 2}


# Mistakes.


NO_CASES = [
    ("hello", "not JSON"),
    ("[1,", "not JSON"),
    ('{"id": "a", "in": NaN, "out": 1}', "NaN"),
    ('{"id": "a", "in": 1, "out": 1e400}', "line 2"),
    ('{"id": "a", "in": 1}', '{"id": "a", "in": 1}'),
    ('{"in": 1, "out": 1}', '{"in": 1, "out": 1}'),
    ('{"id": "a", "out": 1}', '{"id": "a", "out": 1}'),
    ("[]", "[]"),
    ("3", "3"),
    ("null", "null"),
    ("[" * 100_000, "64"),
]


def test_a_line_that_is_no_case_is_one_sentence_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "xattack.jsonl"
    for line, value in NO_CASES:
        with case(line, value):
            path.write_text(f"{json.dumps(MAY)}\n{line}\n")
            assert complained(command("grade", "--suite", str(path)), str(path), "line 2", value)
            assert complained(command("grade", "--suite", str(path), "--json"), str(path), "line 2", value)


def test_bytes_that_are_no_text_are_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "xattack.jsonl"
    path.write_bytes(b"\xff\xfe")
    assert complained(command("grade", "--suite", str(path)), str(path), "line 1", "0xff")


def test_a_file_without_cases_is_one_sentence(tmp_path: Path) -> None:
    path = suite(tmp_path, "xattack.jsonl")
    assert complained(command("grade", "--suite", path), path, "no cases")


def test_a_file_named_after_no_harness_is_one_sentence(tmp_path: Path) -> None:
    path = suite(tmp_path, "xwing.jsonl", MAY)
    assert complained(command("grade", "--suite", path), path, "xattack")
    assert complained(command("grade", "--suite", str(tmp_path)), path, "xattack")


def test_missing_files_and_empty_folders_are_one_sentence(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    assert complained(command("grade", "--suite", missing), missing, "No such file")
    assert complained(command("grade", "--suite", str(tmp_path)), str(tmp_path), ".jsonl")
    (tmp_path / "xattack.jsonl").mkdir()
    assert complained(command("grade", "--suite", str(tmp_path)), "xattack.jsonl", "directory")


def test_a_path_too_long_for_the_system_is_one_sentence() -> None:
    assert complained(process("grade", "--suite", "x" * 5_000), "xxx")


@pytest.mark.parametrize(
    ("arguments", "value"),
    [([], "--suite"), (["--suite"], "--suite"), (["cases"], "--suite"), (["--suite", ".", "more"], "more")],
    ids=str,
)
def test_a_mistake_is_one_sentence(arguments: list[str], value: str) -> None:
    assert complained(command("grade", *arguments), value)
