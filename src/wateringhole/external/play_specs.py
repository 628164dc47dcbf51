"""Plays games of agents that are given by spec: in this process if all are in it, else through a game session.

Laws: no asyncio is loaded for agents of this process.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from wateringhole.agents import Agent
from wateringhole.cards import Card
from wateringhole.external.agent_log import AgentLog, Watch, observer_of
from wateringhole.external.spec import Spec
from wateringhole.external.tracebacks import errors_of, traced, traced_or_unavailable
from wateringhole.fault import shown
from wateringhole.record import Note, Result, expulsion, reason
from wateringhole.server.clock import TimeControl, time_control
from wateringhole.table import Paces, play

if TYPE_CHECKING:
    from wateringhole.external.seating import GameRunner, SeatingTerms


MIN_MEMORY_MB: Final = 16
MAX_MEMORY_MB: Final = 1_048_576
"""Megabytes that an agent in a process of its own may use."""


Mode = Literal["auto", "on", "off"]
"""Whether programs are sandboxed; `auto`: if this machine can do that."""


class Treatment(Struct, frozen=True):
    """The user's settings for agents. A sandbox shows what is in `share`, besides the agent's own
    folder, but never what is in `hide`. `fresh`: each game of a Python agent has a new process.
    """

    time: str
    in_process: bool
    memory: int
    sandbox: Mode = "auto"
    share: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    fresh: bool = False

    @property
    def control(self) -> TimeControl:
        return time_control(self.time)

    @property
    def terms(self) -> "SeatingTerms":
        """The same for `seating`; this loads asyncio."""
        from wateringhole.external.program import Bounds  # noqa: PLC0415
        from wateringhole.external.sandbox import Sandbox, unavailable  # noqa: PLC0415
        from wateringhole.external.seating import SeatingTerms  # noqa: PLC0415

        without = self.sandbox == "off" or (self.sandbox == "auto" and unavailable())
        sandbox = None if without else Sandbox(share=self.share, hide=self.hide)
        return SeatingTerms(self.control, Bounds(memory=self.memory << 20), in_process=self.in_process, sandbox=sandbox)


def shareable(path: str) -> str:
    """This path, if a sandbox can show it; else a ValueError."""
    try:
        place = Path(path).resolve(strict=True)
    except (OSError, ValueError) as error:
        raise ValueError(f"{shown(path)}: {getattr(error, 'strerror', None) or error}") from None
    if {*map(str, (place, *place.parents))} & {"/proc", "/sys", "/dev"} or place == place.parent:
        raise ValueError(f"{shown(path)} is more than a sandbox can show")
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


class Players:
    """Plays games one after the other. While it is open, it keeps the processes of Python agents between games."""

    def __init__(self, treated: Treatment) -> None:
        self._treated = treated
        self._runner: GameRunner | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._runner is not None:
            self._runner.end()

    def play(
        self,
        specs: Sequence[Spec],
        deck: Sequence[Card],
        seeds: Sequence[str],
        deal: int = 0,
        watch: Watch | None = None,
    ) -> tuple[Result, Paces]:
        """One game of this deal, each agent with its seed, and how long each seat took; an agent that cannot be
        started loses its seat. `watch`: what the author of an agent sees.
        """
        if all(found.at_hand(self._treated.in_process) for found in specs):
            paces = Paces(len(specs))
            return _play_here(traced_or_unavailable, specs, deck, seeds, paces, watch), paces
        return _paces_apart(self.play_session(specs, deck, seeds, (), deal, watch))

    def play_session(
        self,
        specs: Sequence[Spec],
        deck: Sequence[Card],
        seeds: Sequence[str],
        notes: Sequence[Note],
        deal: int = 0,
        watch: Watch | None = None,
    ) -> Result:
        """One game in a game session; it adds notes to these, also on how long each seat took."""
        if self._runner is None:
            # asyncio takes 50 ms that a game of house bots need not spend
            from wateringhole.external.seating import GameRunner  # noqa: PLC0415

            self._runner = GameRunner(self._treated.terms, self._treated.fresh)
        return self._runner.play(specs, deck, seeds, notes, deal, watch)


def played(
    specs: Sequence[Spec],
    deck: Sequence[Card],
    seeds: Sequence[str],
    treated: Treatment,
    notes: Sequence[Note] = (),
    watch: Watch | None = None,
) -> Result:
    """A single game; agents of this process are not timed. ValueError when one of them cannot be made."""
    if all(found.at_hand(treated.in_process) for found in specs):
        result = _play_here(traced, specs, deck, seeds, Paces(len(specs)), watch)
        return _with_notes(result, (*notes, *result.record.notes))
    with Players(treated) as players:
        return players.play_session(specs, deck, seeds, notes, watch=watch)


def _play_here(
    make: Callable[[Spec, str, AgentLog | None], Agent],
    specs: Sequence[Spec],
    deck: Sequence[Card],
    seeds: Sequence[str],
    paces: Paces,
    watch: Watch | None,
) -> Result:
    """One game of agents in this process; the notes have the agents' reasons, and tracebacks of expelled ones."""
    observers: list[AgentLog | None] = [None] * len(specs)
    if watch is not None:
        observers = [observer_of(watch, found, seat) for seat, found in enumerate(specs, 1)]
    agents = [make(*each) for each in zip(specs, seeds, observers, strict=True)]
    result = play(agents, deck, [found.label(seat) for seat, found in enumerate(specs, 1)], paces=paces)
    for observer in observers:
        if observer is not None:
            observer.close()
    told = [reason(*why) for why in sorted(paces.whys)]
    told += [
        expulsion(row.seat, row.fault) | {"stderr": errors}
        for row in result.ranking
        if row.fault is not None and (errors := errors_of(agents[row.seat - 1]))
    ]
    return _with_notes(result, told) if told else result


def _with_notes(result: Result, notes: Iterable[Note]) -> Result:
    return Result(result.ranking, replace(result.record, notes=tuple(notes)))


def _paces_apart(result: Result) -> tuple[Result, Paces]:
    """How long each seat took, according to the notes, and the result without them."""
    paces = Paces(len(result.record.names))
    others = []
    for note in result.record.notes:
        if "replies" in note:
            seat, replies, seconds = note["seat"], note["replies"], note["seconds"]
            assert isinstance(seat, int)
            assert isinstance(replies, int)
            assert isinstance(seconds, float)
            pace = paces.seats[seat - 1]
            pace.replies, pace.seconds = replies, seconds
        else:
            others.append(note)
    return _with_notes(result, others), paces


@contextmanager
def agents_of(
    specs: Sequence[Spec], seeds: Sequence[str], treated: Treatment, first_seat: int = 1
) -> Iterator[list[Agent]]:
    """The agents themselves, on seats from the first on, to be asked one after the other; ValueError when the spec of
    one cannot be used.
    """
    if all(found.at_hand(treated.in_process) for found in specs):
        yield [traced(found, seed) for found, seed in zip(specs, seeds, strict=True)]
        return

    from wateringhole.external.sync_bridge import SyncBridge  # noqa: PLC0415

    with SyncBridge(treated.terms) as bridge:
        named = enumerate(zip(specs, seeds, strict=True), first_seat)
        yield [bridge.agent(found, seat, seed) for seat, (found, seed) in named]
