"""Python agents in a process of their own: they play as they would play here, and fail like everybody else."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.external import DECK, PATIENT, QUICK, SEED, fault_of, hosting, nobody_expelled, note_on, nothing_left
from wateringhole.agents.bad import Bad
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.external.program import Bounds
from wateringhole.external.seating import SeatingTerms
from wateringhole.fault import Reason
from wateringhole.seeds import agent_seed
from wateringhole.table import play

SILLY = "py:wateringhole.agents.silly:Silly"
AGENT = """\
import os, sys, time
from wateringhole import CardPlay, Fault, Reason, Silly

class Bot(Silly):
    def {method}(self, request):
        {body}
        return super().{method}(request)
"""


@pytest.fixture(autouse=True)
def tidy(tmp_path: Path) -> Iterator[None]:
    with nothing_left(tmp_path):
        yield


def agent(folder: Path, body: str, method: str = "choose") -> str:
    """The name of a silly player that does this before it answers."""
    path = folder / "mine.py"
    path.write_text(AGENT.format(method=method, body=body))
    return f"py:{path}:Bot"


# As here.


def test_a_worker_plays_like_the_agent_in_this_process() -> None:
    agents = [f"{SILLY}?name=one", "py:wateringhole.agents.rash:Rash?name=two", "rash?name=three"]
    local = play([Silly(), Rash(agent_seed(SEED, 0, 2)), Rash(agent_seed(SEED, 0, 3))], DECK, ["one", "two", "three"])
    result = hosting(*agents)
    assert result.record == local.record
    assert result.ranking == local.ranking


def test_it_plays_the_same_in_this_process_if_that_is_wanted(tmp_path: Path) -> None:
    name = agent(tmp_path, "print('my hand is', request.me.hand)")
    here = SeatingTerms(PATIENT.control, in_process=True)
    assert hosting(name, SILLY, "silly", terms=here).record == hosting(name, SILLY, "silly").record


@pytest.mark.parametrize(
    "misdeeds",
    [
        ["raises-in-choose", "raises-in-feed", "exits-in-choose", "card-twice"],
        ["no-play", "negative-card", "no-feeding"],
    ],
)
def test_a_misdeed_is_the_same_in_a_worker_as_here(misdeeds: list[str]) -> None:
    names = [*misdeeds, "one", "two"]
    away = [f'py:wateringhole.agents.bad:Bad("{misdeed}")?name={misdeed}' for misdeed in misdeeds]
    result = hosting(*away, "silly?name=one", "silly?name=two")
    assert sum(row.fault is not None for row in result.ranking) == len(misdeeds)
    assert result.record == play([*map(Bad, misdeeds), Silly(), Silly()], DECK, names).record


def test_what_an_agent_prints_is_not_taken_for_its_answers(tmp_path: Path) -> None:
    words = "print('[1, 2'); sys.stdout.write('?'); os.write(1, b'{}'); os.system('echo hello')"
    result = hosting(agent(tmp_path, words), "silly", "silly")
    assert nobody_expelled(result)
    assert result.record.names == ("Bot 1", "silly 2", "silly 3")


def test_an_agent_that_decides_by_the_eleven_questions_plays_too() -> None:
    gardener = Path(__file__).parents[2] / "examples" / "requests_agent.py"
    assert nobody_expelled(hosting(f"py:{gardener}:Gardener", "silly", "rash"))


@pytest.mark.parametrize("method", ["start", "choose", "feed", "over"])
def test_an_agent_hears_everything_that_an_agent_hears(method: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    lines = f"def {method}(self, told):\n        open({str(tmp_path / 'heard')!r}, 'w').close()\n"
    more = f"        return super().{method}(told)\n" if method in {"choose", "feed"} else ""
    path.write_text(f"from wateringhole import Silly\nclass Bot(Silly):\n    {lines}{more}")
    unhurried = SeatingTerms(PATIENT.control, Bounds(start_seconds=60, end_seconds=60))
    assert nobody_expelled(hosting(f"py:{path}:Bot", "silly", "silly", terms=unhurried))
    assert (tmp_path / "heard").exists()


# How it fails.


@pytest.mark.parametrize(
    ("body", "reason", "text"),
    [
        ("while True: pass", Reason.TIMEOUT, "is silent for 0.5 s"),
        ("raise KeyError('my key')", Reason.EXCEPTION, "raised in choose: KeyError: 'my key'"),
        ("raise ValueError('one\\ntwo \\x1b[2J')", Reason.EXCEPTION, r"raised in choose: ValueError: one two \[2J"),
        ("return 'all my cards'", Reason.SHAPE, 'answers choose with "all my cards": not a move'),
        ("return None", Reason.SHAPE, "answers choose with null: not a move"),
        (
            "return CardPlay(-1)",
            Reason.EXCEPTION,
            r"raised in choose: ValueError: CardPlay\.food is -1, not from 0 to 2147483647",
        ),
        ("return CardPlay(99)", Reason.ILLEGAL, "plays card 99, counted from 0, but holds only 4"),
        ("return Fault(Reason.SERVER_ERROR, 'not my fault')", Reason.EXCEPTION, "not my fault"),
        ("sys.exit(4)", Reason.EXCEPTION, "raised in choose: SystemExit: 4"),
        ("os._exit(4)", Reason.EXITED, "exited with code 4"),
        ("os.kill(os.getpid(), 9)", Reason.EXITED, "was ended by SIGKILL"),
        ("raise KeyboardInterrupt", Reason.EXITED, "was ended by SIGINT: KeyboardInterrupt"),
        ("return b'x' * 2**31", Reason.MEMORY, "ran out of its 128 MB of memory"),
        ("return self.choose(request)", Reason.EXCEPTION, "raised in choose: RecursionError: .*"),
    ],
)
def test_an_agent_that_fails_is_expelled(body: str, reason: Reason, text: str, tmp_path: Path) -> None:
    terms = QUICK if reason is Reason.TIMEOUT else PATIENT
    fault = fault_of(hosting(agent(tmp_path, body), "silly", "silly", terms=terms))
    assert fault.reason == reason
    assert re.fullmatch(text, fault.text)


def test_its_author_is_shown_where_it_failed(tmp_path: Path) -> None:
    name = agent(tmp_path, "raise KeyError('my key')")
    shown = str(note_on(hosting(name, "silly", "silly"))["stderr"])
    assert f'File "{tmp_path / "mine.py"}", line 6, in choose' in shown
    assert "KeyError: 'my key'" in shown


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("import nonsense\nclass Bot: pass", "ModuleNotFoundError: No module named 'nonsense'"),
        ("class Bot:\n    def __init__(self): raise OSError('no book')", "OSError: no book"),
        ("class Bot:\n    def __init__(self): raise SystemExit(3)", "SystemExit: 3"),
        ("class Bot: pass", "Bot has neither choose and feed nor the eleven questions"),
    ],
)
def test_an_agent_that_cannot_be_made_loses_its_seat(source: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(source)
    name = f"py:{tmp_path / 'mine.py'}:Bot"
    fault = fault_of(hosting(name, "silly", "silly"))
    assert fault.reason == Reason.EXCEPTION
    assert fault.text == f"cannot be made: {name[:83]}: {text}"


def test_an_agent_that_takes_for_ever_to_be_made_loses_its_seat(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import time\ntime.sleep(1_000)\nclass Bot: pass")
    hasty = SeatingTerms(PATIENT.control, Bounds(start_seconds=0.5, end_seconds=0.05))
    fault = fault_of(hosting(f"py:{tmp_path / 'mine.py'}:Bot", "silly", "silly", terms=hasty))
    assert (fault.reason, fault.text) == (Reason.TIMEOUT, "does not sign up within 0.5 s")


def test_an_agent_that_asks_at_the_terminal_is_told_that_there_is_none(tmp_path: Path) -> None:
    fault = fault_of(hosting(agent(tmp_path, "input('? ')"), "silly", "silly"))
    assert fault.reason == Reason.EXCEPTION
