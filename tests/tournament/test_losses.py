"""Workers that are killed, stopped or end by themselves: the run goes on, and every game is accounted for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases import case
from tests.external import living
from wateringhole.external.play_specs import Treatment
from wateringhole.external.spec import spec
from wateringhole.tournament.game_worker import Job
from wateringhole.tournament.outcomes import GameOutcome
from wateringhole.tournament.run_journal import RunError
from wateringhole.tournament.runfile import outcomes_in
from wateringhole.tournament.schedule import rotations
from wateringhole.tournament.worker_processes import processes

USUAL = Treatment("60", False, 1_024, sandbox="off")
BOT = """\
import os, signal, subprocess, sys, time
from pathlib import Path
from wateringhole import Silly

HERE = Path(__file__).parent

class Bot(Silly):
    def choose(self, request):
        {does}
        return super().choose(request)

    def first_time(self):
        there = (HERE / "struck").exists()
        (HERE / "struck").touch()
        return not there
"""
LINGERS = (
    "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1_000)', str(HERE)], start_new_session=True)"
)


def bot(folder: Path, does: str, name: str = "Bot") -> str:
    (folder / f"{name.lower()}.py").write_text(BOT.format(does=does))
    return f"py:{folder / name.lower()}.py:Bot?name={name}"


@pytest.fixture(autouse=True)
def nothing_lingers(tmp_path: Path) -> Iterator[None]:
    yield
    assert living(str(tmp_path).encode()) == {}


def played(agents: list[str], games: int, jobs: int = 1, silence: float = 5.0) -> list[GameOutcome]:
    job = Job(tuple(map(spec, agents)), "losses", USUAL)
    with processes(job, jobs, silence) as engine:
        frames = list(engine.play(rotations(range(len(agents)), games)))
    outcomes = [ended for frame in frames for ended in outcomes_in(frame)]
    assert sorted(ended.number for ended in outcomes) == list(range(games))
    return outcomes


def expelled(outcomes: list[GameOutcome], agent: int) -> list[str | None]:
    return [place.expelled for ended in outcomes for place in ended.places if place.agent == agent]


STRIKES = {"killed": "os.kill(os.getppid(), signal.SIGKILL)", "stopped": "os.kill(os.getppid(), signal.SIGSTOP)"}


def test_the_only_outside_agent_loses_a_game_whose_process_is_lost_twice(tmp_path: Path) -> None:
    for how, games in {"killed": 2, "stopped": 1}.items():  # a process that is stopped is lost after seconds of silence
        with case(how):
            does = f"{LINGERS}; {STRIKES[how]}; time.sleep(1_000)"
            outcomes = played([bot(tmp_path, does), "silly", "rash"], games, jobs=2)
            assert expelled(outcomes, 0) == ["exited"] * games
            assert {place.expelled for ended in outcomes for place in ended.places if place.agent} == {None}
            assert not any(ended.void for ended in outcomes)


def test_a_game_whose_process_is_lost_once_is_played_again_and_counts(tmp_path: Path) -> None:
    does = f"self.first_time() and ({STRIKES['killed']}, time.sleep(1_000))"
    outcomes = played([bot(tmp_path, does), "silly", "rash"], 3, jobs=2)
    straight = played([bot(tmp_path, "pass"), "silly", "rash"], 3)
    assert sorted(ended.truth for ended in outcomes) == sorted(ended.truth for ended in straight)


def test_with_several_outside_agents_the_game_is_void_and_names_them(tmp_path: Path) -> None:
    """A vandal could strike at the turn of a rival, which would be blamed for it."""
    vandal, rival = bot(tmp_path, f"{STRIKES['killed']}; time.sleep(1_000)", "Vandal"), bot(tmp_path, "pass", "Rival")
    outcomes = played([vandal, rival, "silly"], 2)
    for ended in outcomes:
        assert ended.void == f"was ended by SIGKILL, twice; outside agents in it: {vandal}, {rival}"
        assert [place.expelled for place in ended.places] == [None] * 3


def test_a_process_that_is_lost_with_no_outside_agent_in_it_is_an_error_of_ours(tmp_path: Path) -> None:
    job = Job(tuple(map(spec, ["silly", "silly", "rash"])), "losses", USUAL, folder=str(tmp_path / "nowhere"))
    with (
        pytest.raises(RunError, match=r"the process that played game \d+ ended with code 1, twice"),
        processes(job, 2) as engine,
    ):
        list(engine.play(rotations(range(3), 3)))
