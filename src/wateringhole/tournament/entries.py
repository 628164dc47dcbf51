"""The entries of a tournament before its first game: which cannot be had, and a short game with each.

Laws: nothing here ends a run; an entry that is told of loses its games when they are played. Agents' files are looked
for in the brief's folder.
"""

import contextlib
import traceback
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from msgspec import Struct

from wateringhole.cards import shuffled
from wateringhole.outside.anyone import Treatment, played
from wateringhole.outside.spec import Spec, lacking, spec, trouble
from wateringhole.record import Result
from wateringhole.seeds import agent_seeds, deal_seed, drawn_secret
from wateringhole.tournament.brief import Brief, Entry


class Trial(Struct, frozen=True):
    """What came of a short game with an entry: how long it took, why the entry would lose its games, if it would, and
    what it wrote to standard error. `seconds` is None if there was no game.
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


def missing(brief: Brief, folder: Path) -> list[tuple[Entry, str]]:
    """The entries whose file, class or program is not there, and why; none of them is run."""
    with contextlib.chdir(folder):
        whys = [trouble(found) for found in brief.specs]
    return [(entry, why) for entry, why in zip(brief.entries, whys, strict=True) if why is not None]


def trials(brief: Brief, folder: Path) -> Iterator[Trial]:
    """One game with each entry, treated as in the tournament, against two silly players. A person is not bothered."""
    secret = drawn_secret()
    for number, (entry, found) in enumerate(zip(brief.entries, brief.specs, strict=True)):
        with contextlib.chdir(folder):
            tried = _trial(entry, found, brief.treatment, secret, number)
        yield tried


def _trial(entry: Entry, found: Spec, treated: Treatment, secret: str, number: int) -> Trial:
    if found.kind == "human":
        return Trial(entry.name, entry.agent)
    if (fault := lacking(found)) is not None:
        return Trial(entry.name, entry.agent, None, fault.reason.value, fault.text)
    seeds = agent_seeds(secret, number, range(1, 4))
    begun = perf_counter()
    try:
        result = played([found, spec("silly"), spec("silly")], shuffled(deal_seed(secret, number)), seeds, treated)
    except ValueError as error:
        raised = "".join(traceback.format_exception(error.__cause__)) if error.__cause__ else ""
        return Trial(entry.name, entry.agent, None, "exception", f"cannot be made: {error}", raised)
    seconds = perf_counter() - begun
    fault = next(row.fault for row in result.ranking if row.seat == 1)
    if fault is None:
        return Trial(entry.name, entry.agent, seconds)
    return Trial(entry.name, entry.agent, seconds, fault.reason.value, fault.text, _written(result))


def _written(result: Result) -> str:
    """What the agent on the first seat wrote to its standard error, if it is a program that was expelled."""
    return next((str(note.get("stderr", "")) for note in result.record.notes if note.get("expelled") == 1), "")
