"""Matches: the same result however many games are played at once and however often the match is interrupted."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli import command, surroundings
from wateringhole.outside.anyone import Treatment
from wateringhole.record import read
from wateringhole.tournament.journal import JOURNAL, PLAN, RECORDS, Plan, RunError
from wateringhole.tournament.run import run
from wateringhole.tournament.schedule import rotations
from wateringhole.tournament.tally import Outcome

USUAL = Treatment("10", False, 1_024)
AGENTS = ("silly", "rash", "rash")


def truth(outcomes: list[Outcome]) -> list[object]:
    return [ended.truth for ended in outcomes]


def match(
    out: Path | None, games: int = 12, jobs: int = 1, seed: str = "m", agents: tuple[str, ...] = AGENTS
) -> list[Outcome]:
    return run(Plan(agents, seed, USUAL), rotations(range(len(agents)), games), jobs, out, lambda _: None)


def test_any_number_of_jobs_gives_the_same_result_and_the_same_records(tmp_path: Path) -> None:
    one, three = match(tmp_path / "one"), match(tmp_path / "three", jobs=3)
    assert truth(one) == truth(three) == truth(match(None))
    for number in range(12):
        name = f"game-{number:06}.jsonl"
        record = read(tmp_path / "one" / RECORDS / name)
        assert record == read(tmp_path / "three" / RECORDS / name)
        assert record.deck == read(tmp_path / "one" / RECORDS / f"game-{number - number % 3:06}.jsonl").deck


def test_a_folder_goes_on_where_it_was_and_may_go_further(tmp_path: Path) -> None:
    match(tmp_path, games=5)
    journal = tmp_path / JOURNAL
    kept = journal.read_bytes()
    heard: list[int] = []
    more = run(Plan(AGENTS, "m", USUAL), rotations(range(3), 12), 1, tmp_path, lambda ended: heard.append(ended.number))
    assert heard == list(range(12))
    assert truth(more) == truth(match(None))
    assert journal.read_bytes().startswith(kept)
    assert truth(match(tmp_path, games=6)) == truth(match(None, games=6))


@pytest.mark.parametrize("jobs", [1, 3])
def test_games_that_are_missing_in_the_middle_are_played(tmp_path: Path, jobs: int) -> None:
    match(tmp_path)
    journal = tmp_path / JOURNAL
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:2] + lines[5:7] + lines[8:]))
    assert truth(match(tmp_path, jobs=jobs)) == truth(match(None))
    assert len(journal.read_bytes().splitlines()) == 12


@pytest.mark.parametrize("cut", [1, 20, 100])
def test_a_line_that_was_cut_off_by_a_power_failure_is_played_again(tmp_path: Path, cut: int) -> None:
    match(tmp_path, games=4)
    journal = tmp_path / JOURNAL
    journal.write_bytes(journal.read_bytes()[:-cut])
    assert truth(match(tmp_path, games=4)) == truth(match(None, games=4))
    assert len(journal.read_bytes().splitlines()) == 4


def test_another_match_is_not_mixed_into_a_folder(tmp_path: Path) -> None:
    match(tmp_path, games=1)
    with pytest.raises(RunError, match="holds another run: what differs is seed;"):
        match(tmp_path, games=1, seed="other")
    with pytest.raises(RunError, match="holds another run: what differs is agents;"):
        match(tmp_path, games=1, agents=("rash", "rash", "silly"))


def test_a_damaged_folder_is_a_sentence(tmp_path: Path) -> None:
    match(tmp_path, games=2)
    (tmp_path / JOURNAL).write_bytes(b'{"number": 0}\n')
    with pytest.raises(RunError, match=JOURNAL):
        match(tmp_path, games=2)
    (tmp_path / PLAN).write_bytes(b"nonsense")
    with pytest.raises(RunError, match=PLAN):
        match(tmp_path, games=2)


def test_a_bot_that_always_fails_does_not_stop_the_match(tmp_path: Path) -> None:
    outcomes = match(tmp_path, games=6, jobs=2, agents=("silly", "cmd:false", "rash"))
    assert [place.expelled for ended in outcomes for place in ended.places if place.agent == 1] == ["exited"] * 6
    assert all(place.expelled is None for ended in outcomes for place in ended.places if place.agent != 1)


def test_an_interrupted_match_goes_on_and_ends_as_if_nothing_had_been(tmp_path: Path) -> None:
    words = ["match", "silly", "rash", "rash", "--games", "400", "--jobs", "2", "--seed", "7", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "wateringhole", *words, "--out", str(tmp_path)],
        env=surroundings(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as interrupted:
        journal = tmp_path / JOURNAL
        while not journal.exists() or not journal.read_bytes():
            assert interrupted.poll() is None
            time.sleep(0.01)
        interrupted.send_signal(signal.SIGINT)
        _, said = interrupted.communicate(timeout=60)
    assert interrupted.returncode == 130
    assert "Traceback" not in said
    played = len(journal.read_bytes().splitlines())
    assert 0 < played < 400
    resumed, straight = command(*words, "--out", str(tmp_path)), command(*words)
    assert (resumed.code, straight.code) == (0, 0)
    assert without_times(resumed.out) == without_times(straight.out)


def without_times(text: str) -> object:
    told = json.loads(text)
    return [{**agent, "reply_seconds": None} for agent in told["agents"]], told["games"], told["seed"]


def test_the_table_shows_everybody() -> None:
    shown = command(
        "match", "silly", "bad:card-twice?name=Bad", "rash?name=Rosa", "--games", "6", "--seed", "1", "--jobs", "1"
    )
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[0].split() == ["agent", "games", "wins", "%", "rank", "score", "ms/reply", "expelled"]
    assert {line.split()[0] for line in lines[1:4]} == {"silly", "Bad", "Rosa"}
    assert any("illegal 6" in line for line in lines)
    assert shown.err == ""


def test_a_terminal_shows_a_bar_that_counts_the_games() -> None:
    ours, theirs = os.openpty()
    words = ["match", *AGENTS, "--games", "6", "--jobs", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "wateringhole", *words],
        env=surroundings(TERM="xterm"),
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    ) as shown:
        os.close(theirs)
        seen = b""
        with contextlib.suppress(OSError):  # what a terminal says when nobody is left
            while piece := os.read(ours, 4_096):
                seen += piece
    os.close(ours)
    assert shown.returncode == 0
    assert b"6/6" in seen


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["silly", "silly"], "2 agents, but a game takes 3 to 8"),
        (["silly"] * 9, "9 agents, but a game takes 3 to 8"),
        ([*AGENTS, "--games", "0"], "--games 0: not a number from 1 to"),
        ([*AGENTS, "--jobs", "0"], "--jobs 0: not a number from 1 to 256"),
        (["human", "silly", "silly", "--jobs", "2"], "can play only one game at a time"),
        (["silly", "silly", "nobody"], "unknown agent 'nobody'"),
        ([*AGENTS, "--out", "/dev/null/x"], "/dev/null/x: Not a directory"),
    ],
)
def test_a_mistake_in_the_arguments_is_a_sentence(words: list[str], says: str) -> None:
    ended = command("match", *words)
    assert ended.code == 2
    assert says in ended.err
