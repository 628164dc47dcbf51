"""One game of anyone: by the quick driver if all are in this process, else as at a server.

Laws: no asyncio is loaded for agents of this process.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from wateringhole.agents import Agent
from wateringhole.cards import Card
from wateringhole.outside.spec import Spec, made
from wateringhole.record import Note, Result, pace, reason
from wateringhole.server.clock import TimeControl, time_control
from wateringhole.table import Paces, play

if TYPE_CHECKING:
    from wateringhole.outside.seating import Terms


LEAST_MEMORY: Final = 16
MOST_MEMORY: Final = 1_048_576
"""Megabytes that an agent in a process of its own may be given."""


Mode = Literal["auto", "on", "off"]
"""Whether programs are sandboxed; `auto`: if this machine can do that."""


class Treatment(Struct, frozen=True):
    """How agents are treated, as far as the user has a say. A sandbox shows what is in `share`, besides the agent's own
    folder, but never what is in `hide`.
    """

    time: str
    in_process: bool
    memory: int
    sandbox: Mode = "auto"
    share: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()

    @property
    def control(self) -> TimeControl:
        return time_control(self.time)

    @property
    def terms(self) -> "Terms":
        """The same for those who seat agents from outside; this loads asyncio."""
        from wateringhole.outside.program import Bounds  # noqa: PLC0415
        from wateringhole.outside.sandbox import Sandbox, unavailable  # noqa: PLC0415
        from wateringhole.outside.seating import Terms  # noqa: PLC0415

        without = self.sandbox == "off" or (self.sandbox == "auto" and unavailable())
        sandbox = None if without else Sandbox(share=self.share, hide=self.hide)
        return Terms(self.control, Bounds(memory=self.memory << 20), in_process=self.in_process, sandbox=sandbox)


def shareable(path: str) -> str:
    """This path, if a sandbox can show it; else a ValueError."""
    try:
        place = Path(path).resolve(strict=True)
    except (OSError, ValueError) as error:
        raise ValueError(f"{path!r:.200}: {getattr(error, 'strerror', None) or error}") from None
    if {*map(str, (place, *place.parents))} & {"/proc", "/sys", "/dev"} or place == place.parent:
        raise ValueError(f"{path!r:.200} is more than a sandbox can show")
    return path


def sandbox_told(treated: Treatment, specs: Sequence[Spec]) -> str | None:
    """Whether the programs among these agents are sandboxed, in words; None if there are none."""
    programs = [(found.label(seat), found) for seat, found in enumerate(specs, 1) if found.kind in {"py", "cmd"}]
    without = [name for name, found in programs if treated.sandbox != "on" or not found.sandboxed(treated.in_process)]
    if not programs:
        return None
    if not without:
        return "on"
    return "off" if len(without) == len(programs) else f"on, except {', '.join(without)}"


def played(
    specs: Sequence[Spec],
    deck: Sequence[Card],
    seeds: Sequence[str],
    treated: Treatment,
    notes: Sequence[Note] = (),
    timed: bool = False,
) -> Result:
    """One game, each agent with its seed; ValueError when one cannot be had as it is named. Only if it is `timed` are
    there notes on how long agents of this process took.
    """
    if not all(found.at_hand(treated.in_process) for found in specs):
        # asyncio takes 50 ms that a game of house bots need not spend
        from wateringhole.outside.seating import hosted  # noqa: PLC0415
        from wateringhole.server import loop  # noqa: PLC0415

        return loop.run(hosted(specs, deck, seeds, treated.terms, notes))
    agents = [made(found, seed) for found, seed in zip(specs, seeds, strict=True)]
    paces = Paces(len(agents))
    result = play(agents, deck, [found.label(seat) for seat, found in enumerate(specs, 1)], paces=paces)
    told = [*notes]
    if timed:
        told += [pace(seat, *spent) for seat, spent in enumerate(zip(paces.replies, paces.seconds, strict=True), 1)]
    told += [reason(*why) for why in sorted(paces.whys)]
    return Result(result.ranking, replace(result.record, notes=tuple(told)))


@contextmanager
def agents_of(specs: Sequence[Spec], seeds: Sequence[str], treated: Treatment) -> Iterator[list[Agent]]:
    """The agents themselves, for whoever asks one after the other; ValueError when one cannot be had as it is named."""
    if all(found.at_hand(treated.in_process) for found in specs):
        yield [made(found, seed) for found, seed in zip(specs, seeds, strict=True)]
        return

    from wateringhole.outside.aside import Aside  # noqa: PLC0415

    with Aside(treated.terms) as aside:
        yield [aside.agent(found, seat, seed) for seat, (found, seed) in enumerate(zip(specs, seeds, strict=True), 1)]
