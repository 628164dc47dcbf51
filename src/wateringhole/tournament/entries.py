"""Checks the entries of a tournament before its first game: which cannot be loaded, and a short game with each.

Laws: nothing here ends a run; an entry that is reported loses its games when they are played. Agents' files are looked
for in the config's folder.
"""

import asyncio
import contextlib
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

from msgspec import Struct

from wateringhole.cards import shuffled
from wateringhole.external.play_specs import Treatment, played
from wateringhole.external.seating import unready
from wateringhole.external.spec import Spec, lacking, spec, trouble
from wateringhole.fault import Fault
from wateringhole.record import Result
from wateringhole.seeds import agent_seed, agent_seeds, deal_seed, drawn_secret
from wateringhole.server import event_loop
from wateringhole.tournament.config import Entry, TournamentConfig

AT_ONCE: Final = 4
"""Programs that are tried at the same time."""


class EntryTrial(Struct, frozen=True):
    """The result of a short game with an entry: how long it took, why the entry would lose its games, if it would, and
    its standard error. `seconds` is None if there was no game.
    """

    name: str
    agent: str
    seconds: float | None = None
    reason: str | None = None
    text: str = ""
    stderr: str = ""

    @property
    def fine(self) -> bool:
        return self.reason is None


def missing(config: TournamentConfig, folder: Path) -> list[tuple[Entry, str]]:
    """The entries that cannot be loaded, and why: their file, class or program is missing, cannot be imported, or does
    not sign up. Each agent is started once in a process of its own, also if it will play in this one.
    """
    with contextlib.chdir(folder):
        whys = [trouble(found) for found in config.specs]
        started = [at for at, found in enumerate(config.specs) if whys[at] is None and found.kind in {"py", "cmd"}]
        if started:
            specs = [config.specs[at] for at in started]
            for at, fault in zip(started, event_loop.run(_unready(specs, config.treatment)), strict=True):
                whys[at] = None if fault is None else fault.text
    return [(entry, why) for entry, why in zip(config.entries, whys, strict=True) if why is not None]


async def _unready(specs: Sequence[Spec], treated: Treatment) -> list[Fault | None]:
    some, terms, secret = asyncio.Semaphore(AT_ONCE), treated.terms, drawn_secret()

    async def tried(found: Spec) -> Fault | None:
        async with some:
            return await unready(found, agent_seed(secret, 0, 1), terms)

    return await asyncio.gather(*map(tried, specs))


def trials(config: TournamentConfig, folder: Path) -> Iterator[EntryTrial]:
    """One game with each entry, treated as in the tournament, against two silly players. A human entry is left out."""
    secret = drawn_secret()
    for number, (entry, found) in enumerate(zip(config.entries, config.specs, strict=True)):
        with contextlib.chdir(folder):
            tried = _trial(entry, found, config.treatment, secret, number)
        yield tried


def _trial(entry: Entry, found: Spec, treated: Treatment, secret: str, number: int) -> EntryTrial:
    if found.kind == "human":
        return EntryTrial(entry.name, entry.agent)
    if (fault := lacking(found)) is not None:
        return EntryTrial(entry.name, entry.agent, None, fault.reason.value, fault.text)
    seeds = agent_seeds(secret, number, range(1, 4))
    begun = perf_counter()
    try:
        result = played([found, spec("silly"), spec("silly")], shuffled(deal_seed(secret, number)), seeds, treated)
    except ValueError as error:
        raised = "".join(traceback.format_exception(error.__cause__)) if error.__cause__ else ""
        return EntryTrial(entry.name, entry.agent, None, "exception", f"cannot be made: {error}", raised)
    seconds = perf_counter() - begun
    fault = next(row.fault for row in result.ranking if row.seat == 1)
    if fault is None:
        return EntryTrial(entry.name, entry.agent, seconds)
    return EntryTrial(entry.name, entry.agent, seconds, fault.reason.value, fault.text, _written(result))


def _written(result: Result) -> str:
    """The standard error of the agent on the first seat, if it is a program that was expelled."""
    return next((str(note.get("stderr", "")) for note in result.record.notes if note.get("expelled") == 1), "")
