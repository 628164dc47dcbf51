"""Tournaments on paper: configs of any size, games that go by strength and a throw of the dice, games that wait."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from wateringhole.external.play_specs import Treatment
from wateringhole.external.spec import spec
from wateringhole.seeds import agent_seed
from wateringhole.tournament.config import Entry, Format, Stop, TournamentConfig
from wateringhole.tournament.formats import rounds
from wateringhole.tournament.outcomes import GameOutcome, SeatOutcome
from wateringhole.tournament.schedule import Fixture

USUAL = Treatment("10", False, 1_024)


def config(
    kind: Format,
    entries: int,
    table: int,
    deals: int = 1,
    turns: int = 4,
    stop: Stop | None = None,
    challenger: int = 0,
) -> TournamentConfig:
    """A tournament of so many; entry 0 is `e0`."""
    names = tuple(Entry(f"e{number}", "silly") for number in range(entries))
    of_swiss = turns if kind == "swiss" else 0
    return TournamentConfig(
        "paper", "7", names, (spec("silly"),) * entries, USUAL, kind, table, deals, of_swiss, challenger, stop
    )


GATEKEEPER = """\
import time
from pathlib import Path
from wateringhole import Silly

class Gatekeeper(Silly):
    def __init__(self, seed):
        here = Path(__file__)
        while seed in here.with_name("held").read_text() and here.with_name("gate").exists():
            time.sleep(0.01)
"""


def gatekeeper(folder: Path, first: int, last: int, seed: str = "7") -> str:
    """A silly player in a file of this folder; its games of these numbers do not begin while there is a file `gate`.
    It knows them by the seeds that a run with this seed gives it.

    A run that is to be broken off in the middle must not come to its end before, however slow the test is.
    """
    (folder / "gatekeeper.py").write_text(GATEKEEPER)
    numbers = range(first, last + 1)
    (folder / "held").write_text("\n".join(agent_seed(seed, game, seat) for game in numbers for seat in range(1, 9)))
    (folder / "gate").touch()
    return f"py:{folder / 'gatekeeper.py'}:Gatekeeper"


def ended(fixture: Fixture, strengths: Sequence[float], seed: str = "") -> GameOutcome:
    """How this game ends: who is stronger has the better chances, and a game has no tie."""
    dice = Random(f"{seed}:{fixture.number}")
    luck = [round(10 * strengths[agent] + 100 * dice.random()) for agent in fixture.seats]
    scores = [10 * points + seat for seat, points in enumerate(luck)]
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    places = (
        SeatOutcome(agent, rank, float(rank == 1), score)
        for agent, rank, score in zip(fixture.seats, ranks, scores, strict=True)
    )
    return GameOutcome(fixture.number, fixture.deal, tuple(places))


def by_number(strengths: int) -> list[float]:
    """Strengths far apart: the entry with the lower number wins."""
    return [100.0 * (strengths - number) for number in range(strengths)]


def played(of: TournamentConfig, strengths: Sequence[float], shuffle: int | None = None) -> list[list[GameOutcome]]:
    """The whole tournament, round by round; the outcomes of each come in this order."""
    coming = rounds(of)
    fixtures: Sequence[Fixture] = next(coming)
    all_of_it = []
    while True:
        outcomes = [ended(fixture, strengths) for fixture in fixtures]
        all_of_it.append(outcomes)
        given = list(outcomes)
        if shuffle is not None:
            Random(shuffle).shuffle(given)
        try:
            fixtures = coming.send(given)
        except StopIteration:
            return all_of_it
