"""What the commands share that name agents: who that is, and the options for their treatment."""

import os
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import click

from wateringhole.cli import Complaint
from wateringhole.outside.anyone import LEAST_MEMORY, MOST_MEMORY, Treatment
from wateringhole.outside.spec import Spec, spec
from wateringhole.server.clock import time_control

F = TypeVar("F", bound=Callable[..., object])

MOST_JOBS: Final = 256


def checked_jobs(jobs: int | None, alone: bool) -> int:
    """How many games at once; `alone`: somebody among the players can play only one."""
    if jobs is None:
        return 1 if alone else os.cpu_count() or 1
    if not 1 <= jobs <= MOST_JOBS:
        raise Complaint(f"--jobs {jobs}: not a number from 1 to {MOST_JOBS}")
    if alone and jobs > 1:
        raise Complaint(f"--jobs {jobs}: a person, or a client at one port, can play only one game at a time")
    return jobs


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
            help="The time for a reply.",
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
