"""A whole tournament: the same whoever plays it, and however often it is interrupted."""

import json
import multiprocessing
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cases import case
from tests.cli.programs import PYTHON
from tests.tournament.paper import by_number, config, ended
from wateringhole.external.spec import spec
from wateringhole.tournament.config import Entry, Format, Stop, TournamentConfig
from wateringhole.tournament.contest import TournamentProgress, contest, job, plan, progress_of
from wateringhole.tournament.outcomes import GameOutcome
from wateringhole.tournament.run_journal import PLAN, RunError, RunJournal, open_journal
from wateringhole.tournament.runfile import GAMES, RunFile, framed
from wateringhole.tournament.schedule import Fixture
from wateringhole.tournament.standings import as_csv, as_json, standings
from wateringhole.tournament.worker_processes import GameEngine, processes

FORMATS: list[Format] = ["round-robin", "gauntlet", "swiss", "knock-out"]


class Paper:
    """Plays at once, the last game first."""

    def __init__(self, strengths: list[float]) -> None:
        self._strengths = strengths

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[bytes]:
        for fixture in reversed(list(fixtures)):
            yield framed([(ended(fixture, self._strengths), b"")])


class InOrder(Paper):
    """Plays one after the other."""

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[bytes]:
        return (framed([(ended(fixture, self._strengths), b"")]) for fixture in fixtures)


def ignore(_: GameOutcome) -> None:
    pass


def on_paper(of: TournamentConfig, engine: GameEngine, book: RunJournal | None = None) -> TournamentProgress:
    return contest(of, engine, book or RunJournal("7"), ignore)


def real(agents: list[str], kind: Format = "round-robin", **changes: object) -> TournamentConfig:
    """A tournament of real agents at tables of three."""
    of = config(kind, len(agents), 3)
    entries = tuple(Entry(f"e{number}", agent) for number, agent in enumerate(agents))
    return replace(of, entries=entries, specs=tuple(map(spec, agents)), **changes)


def run(
    of: TournamentConfig, out: Path, jobs: int = 1, heard: Callable[[GameOutcome], None] = ignore
) -> TournamentProgress:
    with open_journal(plan(of), out) as book, processes(job(of, ".", out), jobs) as engine:
        return contest(of, engine, book, heard)


@pytest.mark.parametrize("kind", FORMATS)
def test_the_strongest_wins_in_every_format_and_the_order_of_games_does_not_matter(kind: Format) -> None:
    of = config(kind, 9, 4, deals=2)
    told = standings(of, on_paper(of, Paper(by_number(9))))
    assert told.over
    assert told.standings[0].name == "e0"
    assert as_json(told) == as_json(standings(of, on_paper(of, InOrder(by_number(9)))))


def test_round_robin_standings_are_in_the_order_of_strength() -> None:
    of = config("round-robin", 7, 3)
    told = standings(of, on_paper(of, Paper(by_number(7))))
    assert [(line.place, line.name) for line in told.standings] == [(at + 1, f"e{at}") for at in range(7)]
    assert [line.elo for line in told.standings] == sorted((line.elo for line in told.standings), reverse=True)


def test_a_knock_out_goes_by_how_far_everybody_came() -> None:
    of = config("knock-out", 12, 3)
    told = standings(of, on_paper(of, Paper(by_number(12))))
    assert [line.rounds for line in told.standings] == sorted((line.rounds for line in told.standings), reverse=True)
    assert told.standings[0].rounds == 3


@pytest.mark.parametrize("kind", FORMATS)
def test_whatever_is_in_the_journal_the_rest_is_played_and_the_standings_are_the_same(kind: Format) -> None:
    of = config(kind, 9, 3, deals=2)
    whole = on_paper(of, Paper(by_number(9)))
    for kept in (0, 1, 17, 30):
        book = RunJournal("7", {outcome.number: outcome for outcome in whole.outcomes[:kept]})
        fresh: list[GameOutcome] = []
        with case(kept):
            again = contest(of, Paper(by_number(9)), book, fresh.append)
            assert again == whole
            assert sorted(outcome.number for outcome in fresh) == [outcome.number for outcome in whole.outcomes[kept:]]


def test_standings_in_the_middle_say_that_it_is_not_over() -> None:
    of = config("swiss", 9, 3, deals=2)
    whole = on_paper(of, Paper(by_number(9)))
    some = progress_of(of, {outcome.number: outcome for outcome in whole.outcomes[:25]})
    assert (some.over, len(some.outcomes), some.planned) == (False, 25, 72)
    assert [len(part) for part in some.rounds] == [18, 7]
    nothing = standings(of, progress_of(of, {}))
    assert (nothing.games, {line.games for line in nothing.standings}) == (0, {0})


def test_a_game_of_another_schedule_is_not_taken_for_one_of_this() -> None:
    of = config("round-robin", 5, 3)
    strange = replace(on_paper(of, Paper(by_number(5))).outcomes[1], number=0)
    with pytest.raises(RunError, match="game 0 in the journal is not the one of this schedule"):
        on_paper(of, Paper(by_number(5)), RunJournal("7", {0: strange}))


def test_it_stops_when_enough_is_known_and_games_beyond_do_not_count() -> None:
    of = config("round-robin", 4, 3, deals=100, stop=Stop(0, 3, 0.95))
    book = RunJournal("7")
    stopped = on_paper(of, InOrder(by_number(4)), book)
    assert stopped.over
    assert stopped.verdict is not None
    assert (stopped.verdict.better, stopped.verdict.games) == (0, len(stopped.outcomes))
    assert len(book.outcomes) == len(stopped.outcomes) < stopped.planned
    assert on_paper(of, Paper(by_number(4))) == stopped
    told = standings(of, stopped)
    assert told.stop is not None
    assert (told.stop.better, told.over) == ("e0", True)
    heard: list[GameOutcome] = []
    assert contest(of, InOrder(by_number(4)), book, heard.append) == stopped
    assert heard == []


def test_a_question_may_stay_open_to_the_end() -> None:
    of = config("round-robin", 4, 3, deals=3, stop=Stop(0, 1, 0.999))
    told = standings(of, on_paper(of, InOrder([5.0] * 4)))
    assert told.stop is not None
    assert (told.stop.better, told.over, told.games) == (None, True, told.planned)


def test_csv_has_a_line_for_everybody() -> None:
    of = config("round-robin", 5, 3)
    lines = as_csv(standings(of, on_paper(of, Paper(by_number(5))))).splitlines()
    assert lines[0].startswith(
        "place,name,agent,author,games,rounds,elo,low,high,ahead,wins,wins_margin,wins_low,wins_high,rank,"
    )
    assert [line.split(",")[1] for line in lines[1:]] == [f"e{at}" for at in range(5)]


def test_no_name_or_author_is_a_formula_in_the_csv() -> None:
    of = config("round-robin", 5, 3)
    entries = tuple(replace(entry, name=f"={entry.name}", author="@author") for entry in of.entries)
    lines = as_csv(standings(replace(of, entries=entries), on_paper(of, Paper(by_number(5))))).splitlines()
    assert [line.split(",")[1] for line in lines[1:]] == [f"'=e{at}" for at in range(5)]
    assert {line.split(",")[3] for line in lines[1:]} == {"'@author"}


def test_more_deals_go_on_from_the_games_that_are_there(tmp_path: Path) -> None:
    of = real(["silly", "rash", "rash", "silly"])
    run(of, tmp_path)
    heard: list[GameOutcome] = []
    more = run(replace(of, deals=2), tmp_path, heard=heard.append)
    assert [outcome.number for outcome in heard] == list(range(12, 24))
    assert more.over


def test_what_was_played_in_another_format_is_another_run(tmp_path: Path) -> None:
    of = real(["silly", "rash", "rash", "silly"])
    run(of, tmp_path)
    assert json.loads((tmp_path / PLAN).read_bytes())["course"] == "round-robin of 3", "as version 1.0 has written it"
    with pytest.raises(RunError, match="what differs is schedule"):
        run(replace(of, format="gauntlet"), tmp_path)
    with pytest.raises(RunError, match="what differs is treatment"):
        run(replace(of, treatment=replace(of.treatment, time="1")), tmp_path)


OCCUPIER = """
import sys
from pathlib import Path
from wateringhole.store.folder_lock import locked
with locked(Path(sys.argv[1])):
    print("here", flush=True)
    sys.stdin.read()
"""


def test_two_cannot_play_the_same_run_at_once(tmp_path: Path) -> None:
    of = real(["silly", "rash", "rash"])
    words = [sys.executable, "-c", OCCUPIER, str(tmp_path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"here\n"
        with pytest.raises(RunError, match="another process is playing this run right now"):
            run(of, tmp_path)
        other.kill()
    assert run(of, tmp_path).over


BREAKS = {
    "raises when made": "class Bot:\n    def __init__(self):\n        raise OSError('no model')\n",
    "cannot be imported": "import nothing_of_that_name\nclass Bot:\n    pass\n",
    "leaves": "import os\nclass Bot:\n    def __init__(self):\n        os._exit(3)\n",
    "hangs": "import time\nclass Bot:\n    def choose(self, request):\n        time.sleep(60)\n    feed = choose\n",
    "raises": "class Bot:\n    def choose(self, request):\n        raise KeyError(3)\n    feed = choose\n",
}
HANGS = [*BREAKS].index("hangs")
REASONS = {"hangs": {"timeout"}, "leaves": {"exited"}}
UNDER_LOAD = {"disconnected"}
"""What is said of a program that has closed its line and takes its time to go."""


def test_entries_that_break_lose_their_games_and_nobody_else_does(tmp_path: Path) -> None:
    agents = ["silly"]
    for number, text in enumerate(BREAKS.values()):
        (tmp_path / f"bot{number}.py").write_text(text)
        seconds = 1 if number == HANGS else 60
        agents.append(f"py:{tmp_path}/bot{number}.py:Bot?time={seconds}")
    of = real(agents, "swiss", rounds=1)
    told = standings(of, run(of, tmp_path / "out", jobs=2))
    assert told.over
    expelled = {line.name: line.expelled for line in told.standings}
    assert expelled.pop("e0") == {}
    for how, reasons in zip(BREAKS, (expelled[f"e{number}"] for number in range(1, 6)), strict=True):
        assert sum(reasons.values()) == 3
        assert set(reasons) <= REASONS.get(how, {"exception"}) | UNDER_LOAD


def test_one_that_cannot_be_made_in_our_own_process_loses_its_games_too(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BREAKS["raises when made"])
    of = real(["silly", f"py:{bot}:Bot", "rash"])
    told = standings(of, run(replace(of, treatment=replace(of.treatment, in_process=True)), tmp_path / "out"))
    assert {line.name: sum(line.expelled.values()) for line in told.standings} == {"e0": 0, "e1": 3, "e2": 0}


def test_a_program_that_vanishes_in_the_middle_loses_the_rest(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_text(f"{PYTHON}\n")
    program.chmod(0o755)
    of = real(["silly", f"cmd:{program}", "rash"], deals=2)

    def vanish(outcome: GameOutcome) -> None:
        if outcome.number == 2:
            program.unlink()

    told = standings(of, run(of, tmp_path / "out", heard=vanish))
    assert (told.over, sum(told.standings[-1].expelled.values())) == (True, 6)


def test_a_worker_that_is_killed_costs_only_its_game(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import os, signal\n"
        "class Bot:\n"
        "    def choose(self, request):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    feed = choose\n"
    )
    of = real(["silly", "rash", f"py:{bot}:Bot"])
    at_risk = replace(of, treatment=replace(of.treatment, in_process=True))
    ended = run(at_risk, tmp_path / "out", jobs=2)
    assert ended.over
    assert {line.name: line.expelled for line in standings(of, ended).standings} == {
        "e0": {},
        "e1": {},
        "e2": {"exited": 3},
    }


def test_workers_end_when_nobody_listens_any_more(tmp_path: Path) -> None:
    of = real(["silly", "rash", "rash"], deals=200)
    with open_journal(plan(of), tmp_path) as book, processes(job(of, ".", tmp_path), 2) as engine:
        for frame in engine.play(Fixture(number, number, (0, 1, 2)) for number in range(1_000)):
            book.add(frame)
            break
    assert 1 <= len(RunFile(tmp_path / GAMES).outcomes) < 1_000
    assert multiprocessing.active_children() == []
