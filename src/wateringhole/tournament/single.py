"""One game of a run.

Laws: what a game comes to depends on the job and the fixture, not on who plays it, when or where. An agent that cannot
be had loses its seat, and the others play.
"""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from wateringhole.cards import shuffled
from wateringhole.outside.anyone import Treatment, timed
from wateringhole.outside.spec import Spec
from wateringhole.record import Result, replay, text
from wateringhole.seeds import agent_seeds, deal_seed
from wateringhole.tournament.journal import keep
from wateringhole.tournament.schedule import Fixture
from wateringhole.tournament.tally import Outcome, outcome


class Job(Struct, frozen=True):
    """What everybody who plays games of a run must know. `folder`: where the agents' files are looked for."""

    agents: tuple[Spec, ...]
    secret: str
    treatment: Treatment
    folder: str = "."


def kept(job: Job, fixture: Fixture, out: Path | None) -> Outcome:
    """Play one game and put its record into the folder, if there is one."""
    result = _played(job, fixture)
    if out is not None:
        keep(text(result.record, replay(result.record)), fixture.number, out)
    return outcome(fixture, result.ranking, result.record)


def sent(job: Job, fixture: Fixture) -> tuple[Outcome, bytes]:
    """Play one game; what came of it and its record, for whoever has the folder."""
    result = _played(job, fixture)
    return outcome(fixture, result.ranking, result.record), text(result.record, replay(result.record))


def _played(job: Job, fixture: Fixture) -> Result:
    specs = [job.agents[agent] for agent in fixture.seats]
    try:
        return _timed(job, fixture, specs, job.treatment)
    except ValueError:
        if not job.treatment.in_process:
            raise
        # One cannot be had in this process; in a process of its own it loses its seat, and the others play.
        return _timed(job, fixture, specs, replace(job.treatment, in_process=False))


def _timed(job: Job, fixture: Fixture, specs: Sequence[Spec], treatment: Treatment) -> Result:
    deck = shuffled(deal_seed(job.secret, fixture.deal))
    seeds = agent_seeds(job.secret, fixture.number, range(1, len(specs) + 1))
    return timed(specs, deck, seeds, treatment, [{"game": fixture.number}])
