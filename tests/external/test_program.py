"""Programs that misbehave in every way: each is shown out for the right reason, and nothing of it is left."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from tests.cli import process
from tests.external import PATIENT, QUICK, bot, fault_of, hosting, nobody_expelled, note_on, nothing_left
from wateringhole.external.program import Bounds
from wateringhole.external.seating import SeatingTerms
from wateringhole.fault import Reason


@pytest.fixture(autouse=True)
def tidy(tmp_path: Path) -> Iterator[None]:
    with nothing_left(tmp_path):
        yield


class Misdeed(NamedTuple):
    """What a bot does after its sign-up, and the end of it."""

    script: str
    reason: Reason
    text: str


GONE = SeatingTerms(PATIENT.control, replace(PATIENT.bounds, last_moment=0.05))
"""For those who close their line and stay: how they end is waited for in vain."""

UNASKED = "sends .* although nothing is asked|answers .* badly: it is for request 1, but request 2 is asked"

MISDEEDS = {
    "ignores that it should end": Misdeed(
        "for number in (1, 2, 13, 15): signal.signal(number, signal.SIG_IGN)\nasked()\nsay([])\nsleep()",
        Reason.SHAPE,
        r"answers choose badly: \[\]: .*",
    ),
    "wants 2 GB at once": Misdeed("asked()\nb'x' * 2**31", Reason.MEMORY, "ran out of its 128 MB of memory"),
    "wants 2 GB piece by piece": Misdeed(
        "asked()\npieces = []\nwhile len(pieces) < 2_048: pieces.append(b'x' * 2**20)",
        Reason.MEMORY,
        "ran out of its 128 MB of memory|uses 1[0-9][0-9] MB of memory, above 128 MB",
    ),
    "takes memory that it shares": Misdeed(
        "import mmap\nasked()\nshared = mmap.mmap(-1, 2**28)\n"
        "for at in range(0, 2**28, 2**20): shared[at : at + 2**20] = b'x' * 2**20\nsleep()",
        Reason.MEMORY,
        r"uses [12]\d\d MB of memory, above 128 MB",
    ),
    "takes memory through children": Misdeed(
        "asked()\nfor _ in range(4):\n  if not os.fork():\n    held = b'x' * (60 << 20)\n    sleep()\nsleep()",
        Reason.MEMORY,
        r"uses [12]\d\d MB of memory, above 128 MB",
    ),
    "opens brackets for ever": Misdeed(
        "asked()\nwhile True: os.write(1, b'[' * 4_096)", Reason.BAD_JSON, "sends JSON nested more than 8 deep"
    ),
    "writes one text for ever": Misdeed(
        "asked()\nos.write(1, b'\"')\nwhile True: os.write(1, b'x' * 4_096)",
        Reason.TOO_BIG,
        "sends a value of more than 65536 bytes",
    ),
    "repeats its answer for ever": Misdeed(
        "message = asked()\nwhile True: answer(message)", Reason.UNSOLICITED, UNASKED
    ),
    "writes errors for ever": Misdeed(
        "asked()\nwhile True: os.write(2, b'e' * 4_096)", Reason.TIMEOUT, "is silent for 0.5 s"
    ),
    "loops for ever": Misdeed("asked()\nwhile True: pass", Reason.TIMEOUT, "is silent for 0.5 s"),
    "reads nothing": Misdeed("sleep()", Reason.TIMEOUT, "is silent for 0.5 s"),
    "answers late": Misdeed(
        "message = asked()\ntime.sleep(10)\nanswer(message)", Reason.TIMEOUT, "is silent for 0.5 s"
    ),
    "dies in the middle of a message": Misdeed(
        """asked()\nos.write(1, b'{"id": 1, "ans')""", Reason.EXITED, "exited with code 0"
    ),
    "prints rubbish": Misdeed("asked()\nprint('let me see')", Reason.BAD_JSON, "sends not JSON: .*"),
    "prints no text": Misdeed("asked()\nos.write(1, b'\"\\xff\"')", Reason.BAD_UTF8, "sends not UTF-8: .* 0xff"),
    "answers twice": Misdeed(
        "message = asked()\nanswer(message)\nanswer(message)\nasked()", Reason.UNSOLICITED, UNASKED
    ),
    "exits with a last word": Misdeed(
        "asked()\nos.write(2, b'one\\ntwo\\n\\n')\nsys.exit(3)", Reason.EXITED, "exited with code 3: two"
    ),
    "kills itself": Misdeed("asked()\nos.kill(os.getpid(), 9)", Reason.EXITED, "was ended by SIGKILL"),
    "crashes": Misdeed("asked()\nos.kill(os.getpid(), 11)", Reason.EXITED, "was ended by SIGSEGV"),
    "closes its output and stays": Misdeed("asked()\nos.close(1)\nsleep()", Reason.TIMEOUT, "is silent for 0.5 s"),
    "closes its input and output and stays": Misdeed(
        "asked()\nos.close(0)\nos.close(1)\nsleep()", Reason.DISCONNECTED, "closed the connection"
    ),
    "breaks a rule": Misdeed(
        "say({'id': asked()['id'], 'answer': {'move': 'play', 'food': 99}})\nasked()",
        Reason.ILLEGAL,
        "plays card 99, counted from 0, but holds only 4",
    ),
}

# What a program may do.


def test_a_program_that_plays_well_ends_with_the_game(tmp_path: Path) -> None:
    result = hosting(bot(tmp_path, "while True: answer(asked())"), "silly", "silly")
    assert nobody_expelled(result)
    assert result.record.names == ("Bea", "silly 2", "silly 3")


def test_a_program_may_be_left_some_time_to_end_by_itself(tmp_path: Path) -> None:
    after = "import atexit, pathlib\natexit.register(pathlib.Path(__file__).with_suffix('.end').touch)"
    terms = SeatingTerms(PATIENT.control, Bounds(start_seconds=60, end_seconds=60))
    hosting(bot(tmp_path, f"{after}\nwhile True: answer(asked())"), "silly", "silly", terms=terms)
    assert (tmp_path / "bot.end").exists()


@pytest.mark.parametrize("misdeed", MISDEEDS.values(), ids=MISDEEDS)
def test_a_program_that_misbehaves_is_expelled_and_the_others_finish(misdeed: Misdeed, tmp_path: Path) -> None:
    terms = {Reason.TIMEOUT: QUICK, Reason.DISCONNECTED: GONE}.get(misdeed.reason, PATIENT)
    result = hosting(bot(tmp_path, misdeed.script), "silly", "silly", terms=terms)
    fault = fault_of(result)
    assert fault.reason == misdeed.reason
    assert re.fullmatch(misdeed.text, fault.text)


def test_a_signal_that_has_no_name_is_told_by_its_number(tmp_path: Path) -> None:
    fault = fault_of(hosting(bot(tmp_path, "asked()\nos.kill(os.getpid(), 40)"), "silly", "silly"))
    assert fault.reason == Reason.EXITED
    assert "40" in fault.text


def test_a_table_of_nothing_but_bad_programs_comes_to_an_end(tmp_path: Path) -> None:
    agents = []
    names = [name for name, misdeed in MISDEEDS.items() if misdeed.reason not in {Reason.TIMEOUT, Reason.MEMORY}]
    for name in names[:8]:
        (tmp_path / name).mkdir()
        agents.append(bot(tmp_path / name, MISDEEDS[name].script))
    result = hosting(*agents)
    assert {row.seat: row.fault.reason for row in result.ranking if row.fault} == {
        seat: MISDEEDS[name].reason for seat, name in enumerate(names[:8], 1)
    }
    assert {"ended": "abandoned"} in result.record.notes


# Before the game.


@pytest.mark.parametrize(
    ("script", "reason", "text"),
    [
        ("", Reason.EXITED, "exited with code 0"),
        ("print('no config', file=sys.stderr)\nsys.exit(3)", Reason.EXITED, "exited with code 3: no config"),
        ("import nonsense", Reason.EXITED, "exited with code 1: ModuleNotFoundError: No module named 'nonsense'"),
        ("sleep()", Reason.TIMEOUT, "does not sign up within 0.5 s"),
        ("print('hello', flush=True)\nsleep()", Reason.BAD_JSON, "sends not JSON: .*"),
        ("say([1])\nsleep()", Reason.SHAPE, r"signs up badly: \[1\] is no sign-up"),
        ("say({'wateringhole': 2, 'name': 'Bea'})", Reason.SHAPE, "signs up badly: version 2 is not spoken here"),
        ("say({'wateringhole': 1, 'name': 'x' * 2_000})\nsleep()", Reason.TOO_BIG, ".* more than 1024 bytes"),
        ("b'x' * 2**31", Reason.MEMORY, r"ran out of its 128 MB of memory|uses \d+ MB of memory, above 128 MB"),
    ],
)
def test_a_program_that_does_not_sign_up_loses_its_seat(script: str, reason: Reason, text: str, tmp_path: Path) -> None:
    hasty = SeatingTerms(PATIENT.control, Bounds(start_seconds=0.5, end_seconds=0.05))
    agent = bot(tmp_path, script, sign_up=False)
    result = hosting(agent, "silly", "silly", terms=hasty if reason is Reason.TIMEOUT else PATIENT)
    fault = fault_of(result)
    assert fault.reason == reason
    assert re.fullmatch(text, fault.text)
    assert result.record.names[0] == f"{Path(sys.executable).name} 1"


def test_a_program_that_the_machine_cannot_run_loses_its_seat(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_bytes(b"\x7fELF nonsense")
    path.chmod(0o755)
    fault = fault_of(hosting(f"cmd:{path}", "silly", "silly"))
    assert (fault.reason, fault.text) == (Reason.EXITED, "cannot be started: Exec format error")


# Its last words.


def test_the_end_of_what_it_writes_to_its_standard_error_is_kept(tmp_path: Path) -> None:
    talkative = "asked()\nfor number in range(10_000): print(number, file=sys.stderr)\nos._exit(3)"
    note = note_on(hosting(bot(tmp_path, talkative), "silly", "silly"))
    words = "".join(f"{number}\n" for number in range(10_000))
    assert note["stderr"] == words[-10_240:]
    assert (note["reason"], note["text"]) == ("exited", "exited with code 3: 9999")


def test_of_an_endless_stream_of_errors_10_kilobytes_are_kept(tmp_path: Path) -> None:
    script = f"os.write(2, b'e' * 20_000)\nsign_up()\n{MISDEEDS['writes errors for ever'].script}"
    note = note_on(hosting(bot(tmp_path, script, sign_up=False), "silly", "silly", terms=QUICK))
    assert note["stderr"] == "e" * 10_240


def test_the_errors_of_a_program_that_never_signed_up_are_kept_too(tmp_path: Path) -> None:
    note = note_on(hosting(bot(tmp_path, "import nonsense", sign_up=False), "silly", "silly"))
    assert str(note["stderr"]).startswith("Traceback")


def test_the_command_shows_the_errors_of_a_program_and_they_move_no_cursor(tmp_path: Path) -> None:
    rude = "asked()\nos.write(2, b'first\\n\\x1b[2J\\xff last\\n')\nsys.exit(3)"
    ended = process("game", bot(tmp_path, rude), "silly", "silly", "--quiet", "--seed", "7")
    assert (ended.code, ended.err) == (0, "")
    *ranking, title, first, last = ended.out.splitlines()
    assert "expelled (exited): exited with code 3: [2J� last" in ranking[-1]
    assert (title, first, last) == ("--- standard error of seat 1 ---", "first", "?[2J� last")
