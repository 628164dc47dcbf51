"""A person at the terminal: hears of everything, answers line by line, and may leave."""

import io
import os
import subprocess
import sys
from pathlib import Path

from tests.cli import HANG, ending, process, surroundings
from tests.scenario import board
from tests.server.strangers import run
from tests.wire.requesting import choosing, feeding
from wateringhole.events import Declined
from wateringhole.external.terminal_player import TerminalParticipant
from wateringhole.fault import Fault, Reason
from wateringhole.moves import CardPlay, Graze
from wateringhole.view import Choose, Feed

CHOICE = choosing(board())
MEAL = feeding(board(population=4), board(population=3))


def at_terminal(given: bytes, *requests: Choose | Feed) -> tuple[list[object], str]:
    """What a person who types this answers to these requests, and all that it was shown."""
    reads, writes = os.pipe()
    shown = io.StringIO()
    person = TerminalParticipant("me", reads, shown)
    person.names = ["Ann", "me", "Cyd"]

    async def answers() -> list[object]:
        person.told([Declined(3)])
        return [await person.reply(request) for request in requests]

    try:
        os.write(writes, given)
        os.close(writes)
        return run(answers()), shown.getvalue()
    finally:
        os.close(reads)


def test_a_person_answers_one_request_after_the_other() -> None:
    answers, shown = at_terminal(b"food 4\nwhat\xff?\ndone\n1\n", CHOICE, MEAL)
    assert answers == [CardPlay(4), Graze(0)]
    assert shown.startswith("Cyd feeds no more this turn.\nTurn 1. Watering hole: 9.")
    assert "Ann (4 cards):" in shown
    assert shown.endswith("feed> ")


def test_a_person_who_leaves_loses_the_seat() -> None:
    answers, _ = at_terminal(b"food 4\n", CHOICE)
    assert answers == [Fault(Reason.DISCONNECTED, "left the table")]


def test_what_is_typed_ahead_is_not_lost() -> None:
    answers, _ = at_terminal(b"food 4\ndone\nfood 3\ndone\n2\n1\n", CHOICE, CHOICE, MEAL, MEAL)
    assert answers == [CardPlay(4), CardPlay(3), Graze(1), Graze(0)]


def test_who_is_expelled_is_told_why() -> None:
    shown = io.StringIO()
    TerminalParticipant("me", 0, shown).expel(Fault(Reason.ILLEGAL, "plays card 9, counted from 0, but holds only 4"))
    assert shown.getvalue() == "You are expelled (illegal): this seat plays card 9, counted from 0, but holds only 4.\n"


def test_a_person_may_leave_a_game_that_goes_on_without_it() -> None:
    ended = process("game", "human?name=Ann", "silly", "silly", "--seed", "8", given=b"food 1\nhelp\n")
    assert (ended.code, ended.err) == (0, "")
    assert "Your hand:" in ended.out
    assert "-     Ann      -      expelled (disconnected): left the table" in ended.out.splitlines()[-1]


def test_commands_may_come_from_a_file(tmp_path: Path) -> None:
    commands = tmp_path / "commands"
    commands.write_text("food 0\ndone\nno\n" * 200)
    words = [sys.executable, "-m", "wateringhole", "game", "human", "silly", "silly", "--seed", "8"]
    with commands.open() as given:
        out = subprocess.run(
            words, stdin=given, capture_output=True, timeout=HANG, check=True, env=surroundings()
        ).stdout
    assert b"Ranking" in out
    assert b"expelled" not in out


def test_two_people_at_one_terminal_come_to_an_end() -> None:
    words = [sys.executable, "-m", "wateringhole", "game", "human", "human", "silly", "--seed", "8"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with ending(subprocess.Popen(words, env=surroundings(), **pipes)) as game:  # type: ignore[call-overload]
        game.communicate(b"food 0\ndone\nno\n" * 200, timeout=HANG)
