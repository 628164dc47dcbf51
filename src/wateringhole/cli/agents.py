"""What the commands share that name agents: the options for their treatment, and how their games are played."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

import click
from msgspec import Struct

from wateringhole.cards import Card
from wateringhole.cli import Complaint
from wateringhole.outside.spec import Spec, made, spec
from wateringhole.record import Note, Record
from wateringhole.server.clock import TimeControl, time_control
from wateringhole.table import Result, play

if TYPE_CHECKING:
    from wateringhole.outside.seating import Terms

F = TypeVar("F", bound=Callable[..., object])

LEAST_MEMORY: Final = 16
MOST_MEMORY: Final = 1_048_576


class Treatment(Struct, frozen=True):
    """How agents are treated, as far as the user has a say."""

    time: str
    in_process: bool
    memory: int

    @property
    def control(self) -> TimeControl:
        return time_control(self.time)

    @property
    def terms(self) -> "Terms":
        """The same for those who seat agents from outside; this loads asyncio."""
        from wateringhole.outside.program import Bounds  # noqa: PLC0415
        from wateringhole.outside.seating import Terms  # noqa: PLC0415

        return Terms(self.control, Bounds(memory=self.memory << 20), in_process=self.in_process)


def treatment_options(command: F) -> F:
    """The options --time, --in-process and --limit-memory."""
    for option in (
        click.option(
            "--limit-memory",
            type=int,
            default=1_024,
            show_default=True,
            metavar="MB",
            help="The memory of each agent in a process of its own.",
        ),
        click.option(
            "--in-process",
            is_flag=True,
            help="Run py: agents here: quicker, but one that hangs or crashes takes the command with it.",
        ),
        click.option(
            "--time",
            "time_text",
            default="10",
            show_default=True,
            metavar="SECONDS|BANK+INC|none",
            help="The time for a reply, of agents that are not in this process.",
        ),
    ):
        command = option(command)
    return command


def treatment(time_text: str, in_process: bool, limit_memory: int) -> Treatment:
    """The treatment; Complaint when there is no such one."""
    try:
        time_control(time_text)
    except ValueError as error:
        raise Complaint(f"--time: {error}") from None
    if not LEAST_MEMORY <= limit_memory <= MOST_MEMORY:
        raise Complaint(
            f"--limit-memory {limit_memory}: not a number of megabytes from {LEAST_MEMORY} to {MOST_MEMORY}"
        )
    return Treatment(time_text, in_process, limit_memory)


def named_agents(texts: Sequence[str]) -> list[Spec]:
    """The agents that these texts name; Complaint when one names nothing."""
    try:
        return [spec(text) for text in texts]
    except ValueError as error:
        raise Complaint(str(error)) from None


def played(
    specs: Sequence[Spec], deck: Sequence[Card], seed: str, treated: Treatment, notes: Sequence[Note] = ()
) -> Result:
    """One game; by the quick driver if all agents are in this process. ValueError when one cannot be had."""
    if all(found.at_hand(treated.in_process) for found in specs):
        agents = [made(found, f"{seed}:{seat}") for seat, found in enumerate(specs, 1)]
        result = play(agents, deck, [found.label(seat) for seat, found in enumerate(specs, 1)])
        record = result.record
        return Result(result.ranking, Record(record.names, record.deck, record.replies, notes=tuple(notes)))

    import asyncio  # noqa: PLC0415  # it takes 50 ms that a game of house bots need not spend

    from wateringhole.outside.seating import hosted  # noqa: PLC0415

    return asyncio.run(hosted(specs, deck, seed, treated.terms, notes))
