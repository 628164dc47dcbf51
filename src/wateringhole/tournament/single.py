"""The games of a run, one after the other.

Laws: what a game comes to depends on the job and the fixture, not on who plays it, when or where. An agent that cannot
be had loses its seat, and the others play. A game of a class that is not ours, played in our own process, counts only
if its record leads to the same ranking: such a class can reach the state of the game.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from wateringhole.cards import Card, shuffled
from wateringhole.outside.anyone import Treatment, played
from wateringhole.outside.spec import Spec
from wateringhole.record import Note, RecordError, Result, replay
from wateringhole.rules.turn import ranking
from wateringhole.seeds import agent_seed, deal_seed
from wateringhole.tournament.runfile import framed, packed
from wateringhole.tournament.schedule import Fixture
from wateringhole.tournament.tally import Outcome, outcome


class Job(Struct, frozen=True):
    """What every process that plays games of a run must know. `folder`: where the agents' files are looked for;
    `records`: whether they are kept.
    """

    agents: tuple[Spec, ...]
    secret: str
    treatment: Treatment
    folder: str = "."
    records: bool = True


def play_lot(job: Job, fixtures: Iterable[Fixture]) -> bytes:
    """Play these games; the frame that holds them."""
    return framed([play_game(job, fixture) for fixture in fixtures])


def play_game(job: Job, fixture: Fixture) -> tuple[Outcome, bytes]:
    """Play one game; what came of it, and its packed record, which is empty if it is not to be kept."""
    specs = [job.agents[agent] for agent in fixture.seats]
    deck = _deck(job.secret, fixture.deal)
    result = _result(job, fixture, specs, deck)
    strange = job.treatment.in_process and any(found.kind == "py" for found in specs)
    void = _forged(result, deck) if strange else ""
    ended = outcome(fixture, result.ranking, result.record, void)
    return ended, packed(ended, result.record) if job.records else b""


@lru_cache(maxsize=8)
def _deck(secret: str, deal: int) -> tuple[Card, ...]:
    """The deck of this deal, which is played once for every seat."""
    return shuffled(deal_seed(secret, deal))


def _result(job: Job, fixture: Fixture, specs: Sequence[Spec], deck: Sequence[Card]) -> Result:
    # To derive a seed takes a fiftieth of the time of a whole game.
    seeds = [agent_seed(job.secret, fixture.number, seat) if of.seeded else "" for seat, of in enumerate(specs, 1)]
    notes: list[Note] = [{"game": fixture.number}]
    try:
        return played(specs, deck, seeds, job.treatment, notes, timed=True)
    except ValueError:
        if not job.treatment.in_process:
            raise
        # One cannot be had in this process; in a process of its own it loses its seat, and the others play.
        return played(specs, deck, seeds, replace(job.treatment, in_process=False), notes)


def _forged(result: Result, deck: Sequence[Card]) -> str:
    """Why this result is not that of its record; empty if it is."""
    if result.record.deck != deck:
        return "the deck was changed while it was played"
    try:
        if ranking(replay(result.record)) == result.ranking:
            return ""
    except RecordError:
        return "its replies are not those of a game"
    return "its replies do not lead to its result"
