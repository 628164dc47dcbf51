"""Matches: the same result however many games are played at once and however often the match is interrupted."""

import contextlib
import json
import os
import shlex
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases import case
from tests.cli import HANG, command, ending, surroundings, well
from tests.external import living
from tests.tournament.paper import gatekeeper
from wateringhole.external.play_specs import Players, Treatment
from wateringhole.external.spec import spec
from wateringhole.tournament.game_worker import Job, play_lot
from wateringhole.tournament.outcomes import GameOutcome
from wateringhole.tournament.ratings import ratings
from wateringhole.tournament.run import run
from wateringhole.tournament.run_journal import PLAN, SECRET_FILE, RunError, RunPlan
from wateringhole.tournament.runfile import GAMES, RunFile
from wateringhole.tournament.schedule import Fixture, rotations
from wateringhole.tournament.worker_processes import processes

USUAL = Treatment("10", False, 1_024)
PLAYERS = Players(USUAL)
AGENTS = ("silly", "rash", "rash")


def truth(outcomes: list[GameOutcome]) -> list[object]:
    return [ended.truth for ended in outcomes]


def match(
    out: Path | None, games: int = 12, jobs: int = 1, seed: str | None = "m", agents: tuple[str, ...] = AGENTS
) -> list[GameOutcome]:
    return run(RunPlan(agents, seed, USUAL), rotations(range(len(agents)), games), jobs, out, lambda _: None)


def test_any_number_of_jobs_gives_the_same_result_and_the_same_records(tmp_path: Path) -> None:
    one, three = match(tmp_path / "one"), match(tmp_path / "three", jobs=3)
    assert truth(one) == truth(three) == truth(match(None))
    here, there = RunFile(tmp_path / "one" / GAMES), RunFile(tmp_path / "three" / GAMES)
    for number in range(12):
        record = here.record(number)
        assert record == there.record(number)
        assert record.deck == here.record(number - number % 3).deck


def test_a_folder_goes_on_where_it_was_and_may_go_further(tmp_path: Path) -> None:
    match(tmp_path, games=5)
    journal = tmp_path / GAMES
    kept = journal.read_bytes()
    heard: list[int] = []
    more = run(
        RunPlan(AGENTS, "m", USUAL), rotations(range(3), 12), 1, tmp_path, lambda ended: heard.append(ended.number)
    )
    assert heard == list(range(12))
    assert truth(more) == truth(match(None))
    assert journal.read_bytes().startswith(kept)
    assert truth(match(tmp_path, games=6)) == truth(match(None, games=6))


@pytest.mark.parametrize("jobs", [1, 3])
def test_games_that_are_missing_in_the_middle_are_played(tmp_path: Path, jobs: int) -> None:
    job = Job(tuple(map(spec, AGENTS)), "m", USUAL)
    fixtures = rotations(range(3), 12)
    match(tmp_path, games=1)
    with (tmp_path / GAMES).open("ab") as file:
        file.write(play_lot(job, [fixtures[7], fixtures[3]], PLAYERS) + play_lot(job, [fixtures[10]], PLAYERS))
    heard: list[int] = []
    told = run(RunPlan(AGENTS, "m", USUAL), fixtures, jobs, tmp_path, lambda ended: heard.append(ended.number))
    assert heard[:4] == [0, 7, 3, 10]
    assert sorted(heard) == list(range(12))
    assert truth(told) == truth(match(None))


def test_a_frame_that_was_cut_off_by_a_power_failure_is_played_again(tmp_path: Path) -> None:
    match(tmp_path, games=4)
    journal = tmp_path / GAMES
    for cut in (1, 20, 100, journal.stat().st_size):
        with case(cut):
            journal.write_bytes(journal.read_bytes()[:-cut])
            assert truth(match(tmp_path, games=4)) == truth(match(None, games=4))
            assert RunFile(journal).end == journal.stat().st_size


def test_another_match_is_not_mixed_into_a_folder(tmp_path: Path) -> None:
    match(tmp_path, games=1)
    with pytest.raises(RunError, match="holds another run: what differs is seed;"):
        match(tmp_path, games=1, seed="other")
    with pytest.raises(RunError, match="holds another run: what differs is agents;"):
        match(tmp_path, games=1, agents=("rash", "rash", "silly"))


def test_a_damaged_folder_is_a_sentence(tmp_path: Path) -> None:
    match(tmp_path, games=2)
    (tmp_path / GAMES).write_bytes(b'{"number": 0}\n')
    with pytest.raises(RunError, match=f"{GAMES}: not a file of a run's games"):
        match(tmp_path, games=2)
    (tmp_path / PLAN).write_bytes(b"nonsense")
    with pytest.raises(RunError, match=PLAN):
        match(tmp_path, games=2)


def test_a_bot_that_always_fails_does_not_stop_the_match(tmp_path: Path) -> None:
    outcomes = match(tmp_path, games=6, jobs=2, agents=("silly", "cmd:false", "rash"))
    assert [place.expelled for ended in outcomes for place in ended.places if place.agent == 1] == ["exited"] * 6
    assert all(place.expelled is None for ended in outcomes for place in ended.places if place.agent != 1)


def test_an_interrupted_match_goes_on_and_ends_as_if_nothing_had_been(tmp_path: Path) -> None:
    agents = [gatekeeper(tmp_path, 59, 59), "rash", "rash"]
    words = ["match", *agents, "--in-process", "--games", "60", "--jobs", "2", "--seed", "7", "--json"]
    out = tmp_path / "out"
    with ending(
        subprocess.Popen(
            [sys.executable, "-m", "wateringhole", *words, "--out", str(out)],
            env=surroundings(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    ) as interrupted:
        journal = out / GAMES
        while not journal.exists() or not RunFile(journal).outcomes:
            assert interrupted.poll() is None
            time.sleep(0.01)
        interrupted.send_signal(signal.SIGINT)
        _, said = interrupted.communicate(timeout=HANG)
    assert interrupted.returncode == 130
    assert "Traceback" not in said
    assert f"what was played is kept in {out}; the same command goes on" in said
    assert 0 < len(RunFile(journal).outcomes) < 60
    (tmp_path / "gate").unlink()
    resumed, straight = command(*words, "--out", str(out)), command(*words)
    assert (resumed.code, straight.code) == (0, 0)
    assert without_times(resumed.out) == without_times(straight.out)


STUBBORN = """\
import json, signal, sys, time
for number in (1, 2, 13, 15):
    signal.signal(number, signal.SIG_IGN)
print(json.dumps({"wateringhole": 1, "name": "Stubborn"}), flush=True)
with open(sys.argv[1], "a") as started:
    started.write("here\\n")
time.sleep(1_000)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_match_that_ends_takes_its_workers_and_their_programs_along(number: signal.Signals, tmp_path: Path) -> None:
    """Also where SIGINT is ignored, as a shell does for what it starts in the background."""
    bot, started = tmp_path / "bot.py", tmp_path / "started"
    bot.write_text(STUBBORN)
    agent = f"cmd:{shlex.join([sys.executable, '-IS', str(bot), str(started)])}?sandbox=off"
    words = ["match", agent, "silly", "silly", "--games", "4", "--jobs", "2", "--time", "none"]
    line = f"trap '' INT; exec {shlex.join([sys.executable, '-m', 'wateringhole', *words])}"
    with ending(
        subprocess.Popen(
            ["sh", "-c", line],
            env=surroundings(WATERINGHOLE_TEST=str(tmp_path)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    ) as playing:
        while not started.exists() or started.read_text().count("here") < 2:
            assert playing.poll() is None
            time.sleep(0.01)
        playing.send_signal(number)
        assert playing.wait(HANG) == (130 if number == signal.SIGTERM else -number)
    assert nothing_lives(tmp_path)


def test_workers_that_are_given_up_while_they_still_start_leave_no_program(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(STUBBORN)
    agents = (f"cmd:{shlex.join([sys.executable, '-IS', str(bot), str(tmp_path / 'started')])}", "silly", "silly")
    patient = Treatment("none", False, 1_024)

    def fixtures() -> Iterator[Fixture]:
        yield from rotations(range(3), 2)
        raise ZeroDivisionError  # both workers have a game by now, and neither has read it

    job = Job(tuple(map(spec, agents)), "m", patient)
    with pytest.raises(ZeroDivisionError), processes(job, 2) as engine:
        next(iter(engine.play(fixtures())))
    assert nothing_lives(tmp_path, seconds=0)


def nothing_lives(folder: Path, seconds: float = HANG) -> bool:
    """Whether everything that bears the name of this folder ends in this time; what does not is killed."""
    deadline = time.monotonic() + seconds
    while left := living(str(folder).encode()):
        if time.monotonic() > deadline:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            return False
        time.sleep(0.01)
    return True


def without_times(text: str) -> object:
    told = json.loads(text)
    return [{**agent, "reply_seconds": None} for agent in told["agents"]], told["games"], told["seed"]


def test_the_table_shows_everybody() -> None:
    shown = command(
        "match", "silly", "bad:card-twice?name=Bad", "rash?name=Rosa", "--games", "6", "--seed", "1", "--jobs", "1"
    )
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[0].split() == ["agent", "Elo", "wins", "%", "rank", "score", "ms/reply"]
    assert {line.split()[0] for line in lines[1:4]} == {"silly", "Bad", "Rosa"}
    assert lines[3].split()[0] == "Bad", "the strongest is on top"
    assert lines[4] == "expelled: Bad: illegal 6"
    assert lines[5:] == [
        "too few deals for an interval: 2; play at least 9 games",
        "games: 6, deals: 2",
        "seed: 1",
    ]
    assert shown.err == ""


def test_every_figure_has_an_interval_within_its_range_and_the_elo_of_a_tournament() -> None:
    words = (
        "match",
        "silly?name=Sam",
        "rash?name=Rosa",
        "rash?name=Rolf",
        "--games",
        "12",
        "--seed",
        "1",
        "--jobs",
        "1",
    )
    told = json.loads(command(*words, "--json").out)["agents"]
    for agent in told:
        for figure, floor, ceiling in (("wins", 0, 1), ("rank", 1, 3), ("score", 0, 1_000)):
            with case(agent["agent"], figure):
                found = agent[figure]
                assert floor <= found["low"] <= found["value"] <= found["high"] <= ceiling
                assert found["margin"] == pytest.approx((found["high"] - found["low"]) / 2)
    rated = ratings(match(None, seed="1"), 3)
    assert [agent["elo"] for agent in told] == pytest.approx([rating.elo for rating in rated])
    assert all(agent["low"] < agent["elo"] < agent["high"] for agent in told)
    lines = command(*words).out.splitlines()
    best = max(told, key=lambda agent: agent["elo"])
    wins = [100 * best["wins"][end] for end in ("value", "low", "high")]
    assert f"{best['elo']:.0f} ({best['low']:.0f} to {best['high']:.0f})" in lines[1]
    assert f"{wins[0]:.1f} ({wins[1]:.1f} to {wins[2]:.1f})" in lines[1]
    assert lines[4:] == ["games: 12, deals: 4", "seed: 1"]


def test_a_terminal_shows_a_bar_that_counts_the_games() -> None:
    ours, theirs = os.openpty()
    words = ["match", *AGENTS, "--games", "6", "--jobs", "1"]
    with ending(
        subprocess.Popen(
            [sys.executable, "-m", "wateringhole", *words],
            env=surroundings(TERM="xterm"),
            stdout=subprocess.DEVNULL,
            stderr=theirs,
        )
    ) as shown:
        os.close(theirs)
        seen = b""
        with contextlib.suppress(OSError):  # what a terminal says when nobody is left
            while piece := os.read(ours, 4_096):
                seen += piece
        assert shown.wait(HANG) == 0
    os.close(ours)
    assert b"6/6" in seen


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["silly", "silly"], "2 agents, but a game takes 3 to 8"),
        (["silly"] * 9, "9 agents, but a game takes 3 to 8"),
        ([*AGENTS, "--games", "0"], "--games 0: not a number from 1 to"),
        ([*AGENTS, "--jobs", "0"], "--jobs 0: not a number from 1 to 256"),
        (["human", "silly", "silly", "--jobs", "2"], "can play only one game at a time"),
        (["silly", "silly", "nobody"], 'unknown agent "nobody"'),
        ([*AGENTS, "--out", "/dev/null/x"], "/dev/null/x: Not a directory"),
    ],
)
def test_a_mistake_in_the_arguments_is_a_sentence(words: list[str], says: str) -> None:
    ended = command("match", *words)
    assert ended.code == 2
    assert says in ended.err


def test_without_a_seed_a_run_draws_a_secret_that_its_owner_alone_can_read_and_goes_on_with_it(tmp_path: Path) -> None:
    straight = match(tmp_path / "straight", games=12, seed=None)
    secret = (tmp_path / "straight" / SECRET_FILE).read_text().strip()
    assert stat.S_IMODE((tmp_path / "straight" / SECRET_FILE).stat().st_mode) == 0o600
    assert secret not in (tmp_path / "straight" / PLAN).read_text()
    assert truth(match(None, games=12, seed=secret)) == truth(straight)
    match(tmp_path / "resumed", games=5, seed=None)
    kept = (tmp_path / "resumed" / SECRET_FILE).read_text()
    resumed = match(tmp_path / "resumed", games=12, seed=None, jobs=2)
    assert (tmp_path / "resumed" / SECRET_FILE).read_text() == kept
    assert truth(match(None, games=12, seed=kept.strip())) == truth(resumed)
    (tmp_path / "resumed" / SECRET_FILE).unlink()
    with pytest.raises(RunError, match="without it the games of this run cannot go on"):
        match(tmp_path / "resumed", games=12, seed=None)


def test_a_run_of_an_earlier_version_is_refused_with_a_sentence(tmp_path: Path) -> None:
    match(tmp_path, games=2)
    plan = json.loads((tmp_path / PLAN).read_text())
    for version, which in ((None, "an earlier"), (1, "an earlier"), (99, "a later")):
        told = {key: value for key, value in plan.items() if key != "version"}
        told |= {} if version is None else {"version": version}
        (tmp_path / PLAN).write_text(json.dumps(told))
        with pytest.raises(RunError, match=f"holds a run of {which} version of wateringhole; take another folder"):
            match(tmp_path, games=2)


def test_a_match_shows_the_secret_at_its_end_and_the_same_command_goes_on_without_a_seed(tmp_path: Path) -> None:
    words = ["match", "silly", "rash", "rash", "--games", "6", "--jobs", "1", "--json"]
    kept = json.loads(well(command(*words, "--out", str(tmp_path / "out"))))
    assert json.loads(well(command(*words, "--out", str(tmp_path / "out"))))["seed"] == kept["seed"]
    again = json.loads(well(command(*words, "--seed", kept["seed"])))
    wins = [[agent["wins"] for agent in told["agents"]] for told in (kept, again)]
    assert wins[0] == wins[1]
    assert json.loads(well(command(*words)))["seed"] != kept["seed"]
