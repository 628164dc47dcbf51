"""Runs a tournament round by round, until it is over or the stopping rule says that enough is known.

Laws: what counts depends on the config and on which games have ended, not on when or where. Games that were played
beyond the end, because several are played at once, do not count.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from wateringhole.tournament.config import TournamentConfig
from wateringhole.tournament.formats import Rounds, lap, planned, rounds
from wateringhole.tournament.game_worker import Job
from wateringhole.tournament.outcomes import GameOutcome, counted, voided
from wateringhole.tournament.run import play
from wateringhole.tournament.run_journal import PLAN, RunJournal, RunPlan
from wateringhole.tournament.schedule import Fixture
from wateringhole.tournament.stopping import LeadVerdict, Race
from wateringhole.tournament.worker_processes import GameEngine


class TournamentProgress(Struct, frozen=True):
    """A tournament so far: its games by rounds, and the verdict of the stopping rule."""

    rounds: tuple[tuple[GameOutcome, ...], ...]
    planned: int
    over: bool
    verdict: LeadVerdict | None = None

    @property
    def outcomes(self) -> list[GameOutcome]:
        """The games that count, by number."""
        return [ended for outcomes in self.rounds for ended in counted(outcomes)]

    @property
    def void(self) -> dict[str, int]:
        """How many games do not count, by the reason."""
        return voided(ended for outcomes in self.rounds for ended in outcomes)


def plan(config: TournamentConfig) -> RunPlan:
    """The plan by which a run of this config is known again."""
    return RunPlan(
        tuple(entry.agent for entry in config.entries), config.seed, config.treatment, schedule=config.schedule
    )


def begun(config: TournamentConfig, book: RunJournal) -> TournamentConfig:
    """The config, once its run has a secret."""
    return replace(config, secret=book.secret)


def as_played(config: TournamentConfig, out: Path) -> TournamentConfig:
    """The config with the sandbox of its run in this folder, unless it sets one itself."""
    try:
        known = msgspec.json.decode((out / PLAN).read_bytes(), type=RunPlan).treatment
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return config  # the reader of the run reports what is wrong with it
    if config.treatment.sandbox not in {"auto", known.sandbox}:
        return config
    return replace(config, treatment=replace(config.treatment, sandbox=known.sandbox, share=known.share))


def job(config: TournamentConfig, folder: str, out: Path) -> Job:
    """The job for all processes that play its games: where the agents' files are, and the results, which are hidden."""
    return Job(config.specs, config.secret, replace(config.treatment, hide=(str(out),)), folder)


def contest(
    config: TournamentConfig, engine: GameEngine, book: RunJournal, heard: Callable[[GameOutcome], None]
) -> TournamentProgress:
    """Play the games that are missing, and return the progress; `heard` gets every new game."""
    race = _race(config, book.outcomes)
    if race is None or race.verdict is None:

        def enough(ended: GameOutcome) -> bool:
            heard(ended)
            return race is not None and race.heard(ended)

        for _ in _walked(rounds(config), lambda fixtures: play(engine, book, fixtures, enough)):
            pass
    return progress_of(config, book.outcomes)


def progress_of(config: TournamentConfig, outcomes: Mapping[int, GameOutcome]) -> TournamentProgress:
    """The progress, by all games that have ended."""

    def known(fixtures: Sequence[Fixture]) -> list[GameOutcome]:
        return [outcomes[fixture.number] for fixture in fixtures if fixture.number in outcomes]

    race = _race(config, outcomes)
    games = race.verdict.games if race and race.verdict else planned(config)
    played = [[ended for ended in part if ended.number < games] for part in _walked(rounds(config), known)]
    over = sum(map(len, played)) == games
    return TournamentProgress(tuple(map(tuple, played)), planned(config), over, race.so_far if race else None)


def _race(config: TournamentConfig, outcomes: Mapping[int, GameOutcome]) -> Race | None:
    """The race of the stopping rule, with all games that have ended."""
    if config.stop is None:
        return None
    race = Race(config.stop, sum(map(len, lap(config))))
    for number in range(planned(config)):
        if number in outcomes and race.heard(outcomes[number]):
            break
    return race


def _walked(
    coming: Rounds, play_round: Callable[[Sequence[Fixture]], Sequence[GameOutcome]]
) -> Iterator[Sequence[GameOutcome]]:
    """Round after round, as long as all the games of each are played."""
    fixtures = next(coming)
    while True:
        ended = play_round(fixtures)
        yield ended
        if len(ended) < len(fixtures):
            return
        try:
            fixtures = coming.send(ended)
        except StopIteration:
            return
