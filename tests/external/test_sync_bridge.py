"""Agents from outside for whoever asks one after the other."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.cli import command, well
from tests.external import DECK, PATIENT, SEED, bot, nothing_left
from wateringhole.agents import Agent
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.external.seating import SeatingTerms
from wateringhole.external.spec import spec
from wateringhole.external.sync_bridge import SyncBridge
from wateringhole.fault import Reason
from wateringhole.record import Result
from wateringhole.table import play

SILLY = "py:wateringhole.agents.silly:Silly"
RASH = "py:wateringhole.agents.rash:Rash"
NAMES = ["one", "two", "three"]


def played(aside: SyncBridge, *agents: str) -> Result:
    """A game of these, asked one after the other."""
    sitting: list[Agent] = [aside.agent(spec(text), seat, f"{SEED}:{seat}") for seat, text in enumerate(agents, 1)]
    return play(sitting, DECK, NAMES)


@pytest.mark.parametrize("in_process", [False, True])
def test_an_agent_aside_plays_like_the_agent_itself(in_process: bool, tmp_path: Path) -> None:
    with (
        nothing_left(tmp_path),
        SyncBridge(SeatingTerms(PATIENT.control, PATIENT.bounds, in_process=in_process)) as aside,
    ):
        result = played(aside, SILLY, RASH, "rash")
    itself = play([Silly(), Rash(f"{SEED}:2"), Rash(f"{SEED}:3")], DECK, NAMES)
    assert result.record == itself.record
    assert result.ranking == itself.ranking


def test_one_game_follows_another(tmp_path: Path) -> None:
    with nothing_left(tmp_path), SyncBridge(PATIENT) as aside:
        first, second = (played(aside, SILLY, "silly", RASH) for _ in range(2))
    assert first.record == second.record


def test_a_program_aside_plays_a_whole_game(tmp_path: Path) -> None:
    well(command("kit", "python", str(tmp_path / "kit")))
    kit = f"cmd:{shlex.join([sys.executable, str(tmp_path / 'kit' / 'bot.py')])}"
    with nothing_left(tmp_path), SyncBridge(PATIENT) as aside:
        result = played(aside, kit, "silly", bot(tmp_path, "while True: answer(asked())"))
    assert [row.fault for row in result.ranking] == [None] * 3


def test_a_program_that_fails_is_expelled_and_the_others_finish(tmp_path: Path) -> None:
    with nothing_left(tmp_path), SyncBridge(PATIENT) as aside:
        result = played(aside, bot(tmp_path, "asked()\nsys.exit('I give up')"), "silly", "silly")
    faults = [row.fault for row in result.ranking]
    assert faults[:2] == [None, None]
    assert faults[2] is not None
    assert (faults[2].reason, faults[2].text) == (Reason.EXITED, "exited with code 1: I give up")


def test_a_program_that_never_signs_up_is_expelled_when_it_is_asked(tmp_path: Path) -> None:
    with nothing_left(tmp_path), SyncBridge(PATIENT) as aside:
        result = played(aside, "silly", bot(tmp_path, "", sign_up=False), "silly")
    assert [row.seat for row in result.ranking if row.fault is not None] == [2]


def test_agents_that_are_never_asked_end_as_well(tmp_path: Path) -> None:
    with nothing_left(tmp_path), SyncBridge(PATIENT) as aside:
        for seat in (1, 2):
            aside.agent(spec(bot(tmp_path, "sleep()")), seat, SEED)


def test_whoever_is_named_wrongly_is_a_complaint_and_the_rest_ends_well(tmp_path: Path) -> None:
    with nothing_left(tmp_path), SyncBridge(PATIENT) as aside:
        aside.agent(spec(bot(tmp_path, "sleep()")), 1, SEED)
        with pytest.raises(ValueError, match=r"^tcp:nowhere\.invalid:1: cannot listen: "):
            aside.agent(spec("tcp:nowhere.invalid:1"), 2, SEED)


def test_a_failure_meanwhile_is_passed_on_and_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with SyncBridge(PATIENT) as aside:
            aside.agent(spec(bot(tmp_path, "sleep()")), 1, SEED)
            raise ZeroDivisionError

    with nothing_left(tmp_path), pytest.raises(ZeroDivisionError):
        fail()
