"""Games that do not count: they are accounted for, and nothing else depends on them."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cases import case
from tests.cli import command, well
from tests.tournament.paper import by_number, config, ended
from wateringhole.tournament.config import Format, Stop
from wateringhole.tournament.contest import TournamentProgress, contest
from wateringhole.tournament.run_journal import RunJournal
from wateringhole.tournament.runfile import GAMES, RunFile, framed
from wateringhole.tournament.schedule import Fixture
from wateringhole.tournament.standings import standings, summary

CHEAT = """
import gc
from wateringhole import Silly
from wateringhole.game import Game

class {name}(Silly):
    def choose(self, request):
        for game in gc.get_objects():
            if type(game) is Game and request.me.seat in game.players:
                {does}
        return super().choose(request)
"""
SCORES = "game.players[request.me.seat].bag = 1_000"
STACKS = "game.deck = game.deck[:game.dealt] + game.deck[:game.dealt - 1:-1]"


def test_a_class_that_changes_the_game_in_our_process_makes_it_void(tmp_path: Path) -> None:
    for name, does, why in (
        ("Scores", SCORES, "its replies do not lead to its result"),
        ("Stacks", STACKS, "the deck was changed while it was played"),
    ):
        bot = tmp_path / f"{name}.py"
        bot.write_text(CHEAT.format(name=name, does=does))
        for jobs in ("1", "2"):
            out = tmp_path / f"{name}-{jobs}"
            words = ["match", f"py:{bot}:{name}", "rash", "rash", "--in-process", "--games", "6", "--jobs", jobs]
            with case(name, jobs):
                told = json.loads(well(command(*words, "--json", "--out", str(out))))
                assert (told["games"], told["void"]) == (6, {why: 6})
                assert [agent["games"] for agent in told["agents"]] == [0, 0, 0]
                kept = RunFile(out / GAMES)
                assert {game.void for game in kept.outcomes.values()} == {why}
                assert kept.record(3).notes[0] == {"game": 3}
                imported = well(command("games", "import", str(out), "--data", str(tmp_path / "data")))
                assert imported.startswith("0 games added")
        assert f"6 void ({why})" in well(command(*words))


def test_a_class_that_only_plays_is_not_suspected(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("from wateringhole import Silly\nclass Bot(Silly):\n    pass\n")
    words = [
        "match",
        f"py:{bot}:Bot",
        "rash",
        "bad:card-twice",
        "--in-process",
        "--games",
        "9",
        "--jobs",
        "1",
        "--json",
    ]
    told = json.loads(well(command(*words)))
    assert told["void"] == {}
    assert [agent["games"] for agent in told["agents"]] == [9, 9, 9]


class Partial:
    """Plays at once; of every so many games the last is void."""

    def __init__(self, entries: int, every: int) -> None:
        self._strengths = by_number(entries)
        self._every = every

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[bytes]:
        for fixture in fixtures:
            game = ended(fixture, self._strengths)
            void = fixture.number % self._every == self._every - 1
            yield framed([(replace(game, void="the lights went out") if void else game, b"")])


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "swiss", "knock-out"])
def test_every_format_goes_on_whatever_is_void(kind: Format) -> None:
    of = config(kind, 9, 3, deals=2)
    for every in (1, 2, 5):
        with case(every):
            whole = contest(of, Partial(9, every), RunJournal("7"), lambda _: None)
            games = sum(map(len, whole.rounds))
            void = games // every
            assert whole.over
            assert games == whole.planned
            assert whole.void == {"the lights went out": void}
            told = standings(of, whole)
            assert (told.games, told.void) == (games - void, whole.void)
            assert sum(line.games for line in told.standings) == sum(len(game.places) for game in whole.outcomes)
            assert f"{void} void (the lights went out)" in summary(told)
            if every > 1:
                assert told.standings[0].name == "e0"


def test_void_games_are_left_out_of_the_question_who_is_better() -> None:
    of = config("round-robin", 4, 3, deals=40, stop=Stop(0, 3, 0.95))

    def stopped(every: int) -> TournamentProgress:
        return contest(of, Partial(4, every), RunJournal("7"), lambda _: None)

    sure, open_ = stopped(5).verdict, stopped(1).verdict
    assert sure is not None
    assert open_ is not None
    assert sure.better == 0
    assert (open_.better, open_.deals) == (None, 0)
