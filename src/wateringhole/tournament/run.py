"""Plays many games at once, keeps them in a folder, and resumes after any interruption.

Laws: the outcome of a game depends on the plan and its number, not on how many are played at once nor in which order.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from wateringhole.external.agent_log import Watch
from wateringhole.external.spec import spec
from wateringhole.tournament.game_worker import Job
from wateringhole.tournament.outcomes import GameOutcome
from wateringhole.tournament.run_journal import RunError, RunJournal, RunPlan, open_journal
from wateringhole.tournament.schedule import Fixture
from wateringhole.tournament.worker_processes import GameEngine, processes


def run(
    plan: RunPlan,
    fixtures: Sequence[Fixture],
    jobs: int,
    out: Path | None,
    finished: Callable[[GameOutcome], None],
    watch: Watch | None = None,
) -> list[GameOutcome]:
    """Play what has not been played; all outcomes, in the order of their numbers. `finished` also gets the old ones."""
    with open_journal(plan, out) as book:
        hidden = (None if out is None else str(out.resolve()), None if watch is None else watch.folder)
        treatment = replace(plan.treatment, hide=tuple(path for path in hidden if path is not None))
        agents = tuple(spec(text) for text in plan.agents)
        job = Job(agents, book.secret, treatment, records=out is not None, watch=watch)
        numbers = range(len(fixtures))
        for number, ended in book.outcomes.items():
            if number in numbers:
                finished(ended)

        def heard(ended: GameOutcome) -> bool:
            finished(ended)
            return False

        with processes(job, jobs) as engine:
            return play(engine, book, fixtures, heard)


def play(
    engine: GameEngine, book: RunJournal, fixtures: Sequence[Fixture], enough: Callable[[GameOutcome], bool]
) -> list[GameOutcome]:
    """Play what is not in the journal, until it is enough; the outcomes of these fixtures, as they are numbered."""
    todo = (fixture for fixture in fixtures if not _known(book, fixture))
    for frame in engine.play(todo):
        told = [enough(ended) for ended in book.add(frame)]  # all of them: they are in the journal
        if any(told):
            break
    return [book.outcomes[fixture.number] for fixture in fixtures if fixture.number in book.outcomes]


def _known(book: RunJournal, fixture: Fixture) -> bool:
    """Whether this game is in the journal; RunError if another one is there under its number."""
    ended = book.outcomes.get(fixture.number)
    if ended is None:
        return False
    if ended.deal != fixture.deal or tuple(place.agent for place in ended.places) != fixture.seats:
        raise RunError(f"game {fixture.number} in the journal is not the one of this schedule")
    return True
