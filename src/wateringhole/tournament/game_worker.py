"""Plays the fixtures of a run one after the other and packs their outcomes and records.

Laws: the outcome of a game depends on the job and the fixture, not on the process, the time or the machine. An agent
that cannot be started loses its seat, and the others play. A game of a class that is not ours, played in our own
process, counts only if its record leads to the same ranking: such a class can reach the state of the game.
"""

import contextlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from wateringhole.cards import Card, shuffled
from wateringhole.external.agent_log import Watch
from wateringhole.external.play_specs import Players, Treatment
from wateringhole.external.spec import Spec
from wateringhole.fault import Fault, Reason
from wateringhole.record import RecordError, Result, replay
from wateringhole.rules.turn import ranking
from wateringhole.seeds import agent_seed, deal_seed
from wateringhole.table import Paces
from wateringhole.tournament.outcomes import GameOutcome, SeatOutcome, outcome
from wateringhole.tournament.runfile import framed, packed
from wateringhole.tournament.schedule import Fixture


class Job(Struct, frozen=True):
    """What every process that plays games of a run must know. `folder`: where the agents' files are looked for;
    `records`: whether they are kept; `watch`: what the user sees of the agents.
    """

    agents: tuple[Spec, ...]
    secret: str
    treatment: Treatment
    folder: str = "."
    records: bool = True
    watch: Watch | None = None


def play_lot(job: Job, fixtures: Iterable[Fixture], players: Players) -> bytes:
    """Play these games; the frame that holds them."""
    return framed_lot(job, [play_game(job, fixture, players) for fixture in fixtures])


class Played(NamedTuple):
    """A game that has just been played. `void`: why it does not count."""

    fixture: Fixture
    result: Result
    paces: Paces
    void: str


def play_game(job: Job, fixture: Fixture, players: Players) -> Played:
    """Play one game."""
    specs = [job.agents[agent] for agent in fixture.seats]
    deck = _deck(job.secret, fixture.deal)
    result, paces = players.play(specs, deck, _seeds(job, fixture, specs), fixture.deal, _watch(job, fixture))
    strange = job.treatment.in_process and any(found.kind == "py" for found in specs)
    return Played(fixture, result, paces, _forged(result, deck) if strange else "")


def framed_lot(job: Job, lot: Sequence[Played]) -> bytes:
    """The frame of these games. To pack them together takes two thirds of the time of packing each after its game, when
    the code for it has left the processor's cache.
    """
    ended = [outcome(game.fixture, game.result.ranking, game.paces, game.void) for game in lot]
    if not job.records:
        return framed([(each, b"") for each in ended])
    games = []
    before = None
    for each, game in zip(ended, lot, strict=True):
        games.append((each, packed(each, game.result.record, before)))
        before = game.result.record
    return framed(games)


def settle(job: Job, fixture: Fixture, why: str) -> bytes:
    """The frame of a game that cannot be played to its end: each process that tries ends as `why` says.

    The one suspect loses its seat, and the others play: an outside agent, and one without a sandbox rather than one in
    it. With several, one could have ended the process at the turn of another: the game is void and names them all.
    """
    foreign = sorted({agent for agent in fixture.seats if job.agents[agent].foreign})
    suspects = [agent for agent in foreign if not _confined(job, agent)] or foreign
    if len(suspects) > 1:
        named = ", ".join(job.agents[agent].text for agent in suspects)
        places = tuple(SeatOutcome(agent, len(fixture.seats), 0.0, 0) for agent in fixture.seats)
        return framed(
            [(GameOutcome(fixture.number, fixture.deal, places, f"{why}; outside agents in it: {named}"), b"")]
        )
    fault = Fault(Reason.EXITED, f"is the only suspect in a game whose process {why}")
    agents = [replace(found, absent=fault) if at in suspects else found for at, found in enumerate(job.agents)]
    with contextlib.chdir(job.folder), Players(job.treatment) as players:
        return play_lot(replace(job, agents=tuple(agents)), [fixture], players)


def _confined(job: Job, agent: int) -> bool:
    """Whether this agent is in a sandbox."""
    return job.treatment.sandbox == "on" and job.agents[agent].sandboxed(job.treatment.in_process)


@lru_cache(maxsize=8)
def _deck(secret: str, deal: int) -> tuple[Card, ...]:
    """The deck of this deal, which is played once for every seat."""
    return shuffled(deal_seed(secret, deal))


def _seeds(job: Job, fixture: Fixture, specs: Sequence[Spec]) -> list[str]:
    # To derive a seed takes a fiftieth of the time of a whole game.
    return [agent_seed(job.secret, fixture.number, seat) if of.seeded else "" for seat, of in enumerate(specs, 1)]


def _watch(job: Job, fixture: Fixture) -> Watch | None:
    return None if job.watch is None else replace(job.watch, game=fixture.number)


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
