"""Options and arguments for agents, their seeds, limits and sandbox, for the commands that let agents play."""

import os
import sys
from collections.abc import Callable, Sequence
from functools import reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

import click
from msgspec.structs import replace

from wateringhole.agents.house import HOUSE
from wateringhole.cli import Complaint
from wateringhole.external.agent_log import Watch
from wateringhole.external.play_specs import MAX_MEMORY_MB, MIN_MEMORY_MB, Mode, Treatment, shareable
from wateringhole.external.spec import Spec, spec, trouble
from wateringhole.external.tracebacks import traceback_of
from wateringhole.server.clock import time_control
from wateringhole.wire.names import printable

if TYPE_CHECKING:
    from wateringhole.external.sandbox import Sandbox

MAX_JOBS: Final = 256
MAX_SEED_CHARS: Final = 1_000


def checked_jobs(jobs: int | None, alone: bool) -> int:
    """How many games at once; `alone`: one of the players can play only one."""
    if jobs is None:
        return 1 if alone else os.cpu_count() or 1
    if not 1 <= jobs <= MAX_JOBS:
        raise Complaint(f"--jobs {jobs}: not a number from 1 to {MAX_JOBS}")
    if alone and jobs > 1:
        raise Complaint(f"--jobs {jobs}: a person, or a client at one port, can play only one game at a time")
    return jobs


def checked_seed(seed: str) -> str:
    """A seed that can be written down; Complaint otherwise."""
    if len(seed) > MAX_SEED_CHARS:
        raise Complaint(f"the seed has {len(seed)} characters, above {MAX_SEED_CHARS}")
    try:
        seed.encode()
    except UnicodeEncodeError:
        raise Complaint("the seed is not valid UTF-8") from None
    return seed


def house_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """The house bots that a shell offers where an agent is named."""
    return [name for name in HOUSE if name.startswith(incomplete)]


def treatment_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options --time, --in-process, --limit-memory, --sandbox and --share, as one argument `treated`."""

    @wraps(command)
    def with_treatment(
        *, time_text: str, in_process: bool, limit_memory: int, sandbox: Mode, share: tuple[str, ...], **rest: object
    ) -> None:
        command(treated=_treatment(time_text, in_process, limit_memory, sandbox, share), **rest)

    options = (
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
            help="Run py: agents in this process: quicker, but one that hangs or crashes ends the command.",
        ),
        click.option(
            "--time",
            "time_text",
            default="10",
            show_default=True,
            metavar="SECONDS|BANK+INC|none",
            help="The time for a reply.",
        ),
    )
    return reduce(lambda made, option: option(made), options, sandbox_options(with_treatment))


def sandbox_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options --sandbox and --share."""
    mode = click.option(
        "--sandbox",
        type=click.Choice(get_args(Mode)),
        default="auto",
        show_default=True,
        help="Programs without network, other processes and files but their own; auto: where bubblewrap works.",
    )
    return mode(share_option(command))


share_option: Final = click.option(
    "--share", multiple=True, metavar="PATH", help="A file or folder that sandboxed programs may read; repeatable."
)


def watch_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options --show-stderr and --log, for the authors of agents."""
    show = click.option(
        "--show-stderr", is_flag=True, help="Show what agents write to standard error, and their tracebacks."
    )
    log = click.option(
        "--log",
        "log_folder",
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        help="Write there a file for each agent and game: messages, times, standard error.",
    )
    return show(log(command))


def watched(show_stderr: bool, log_folder: Path | None) -> Watch | None:
    """What the user sees of the agents; Complaint when the folder is missing and cannot be made."""
    if log_folder is not None:
        from tempfile import TemporaryFile  # noqa: PLC0415  # only logs need it

        try:
            log_folder.mkdir(parents=True, exist_ok=True)
            TemporaryFile(dir=log_folder).close()
        except OSError as error:
            raise Complaint(f"--log {log_folder}: {error.strerror}") from None
        return Watch(show_stderr, str(log_folder.absolute()))
    return Watch(show_stderr) if show_stderr else None


def not_had(error: ValueError) -> Complaint:
    """The complaint about an agent that cannot be made. If its own code raised, the traceback is shown before."""
    if error.__cause__ is not None:
        text = traceback_of(error.__cause__)
        sys.stderr.write(printable(text, kept="\n"))
    return Complaint(str(error))


def _treatment(time_text: str, in_process: bool, limit_memory: int, sandbox: Mode, share: tuple[str, ...]) -> Treatment:
    """The treatment; Complaint for a value outside its limits."""
    try:
        time_control(time_text)
    except ValueError as error:
        raise Complaint(f"--time: {error}") from None
    if not MIN_MEMORY_MB <= limit_memory <= MAX_MEMORY_MB:
        raise Complaint(
            f"--limit-memory {limit_memory}: not a number of megabytes from {MIN_MEMORY_MB} to {MAX_MEMORY_MB}"
        )
    if in_process and sandbox == "on":
        raise Complaint("--in-process and --sandbox on contradict each other; give one of them")
    return Treatment(time_text, in_process, limit_memory, sandbox, checked_share(share))


def checked_share(share: Sequence[str]) -> tuple[str, ...]:
    """These paths; Complaint if one of them cannot be shared."""
    try:
        return tuple(shareable(path) for path in share)
    except ValueError as error:
        raise Complaint(f"--share {error}") from None


def sandbox_works(mode: Mode) -> bool:
    """Whether programs are sandboxed from now on; if that is impossible, a Complaint or a line on standard error."""
    if mode == "off":
        return False
    from wateringhole.external.sandbox import unavailable  # noqa: PLC0415  # only programs need it

    why = unavailable()
    if why and mode == "on":
        raise Complaint(f"--sandbox on: {why}")
    if why:
        print(f"wateringhole: programs are not sandboxed: {why}", file=sys.stderr)
    return not why


def sandbox_for(
    mode: Mode, share: Sequence[str], hide: Sequence[Path], *, submissions: bool = False
) -> "Sandbox | None":
    """The sandbox of programs that are no agents, if one is wanted. Submissions do not see this package, whose
    harnesses would answer for them.
    """
    shared = checked_share(share)
    if not sandbox_works(mode):
        return None
    from wateringhole.external.sandbox import Sandbox, package_files  # noqa: PLC0415

    return Sandbox(share=shared, hide=(*map(str, hide), *(package_files() if submissions else ())))


def settled(treated: Treatment, specs: Sequence[Spec], hide: Sequence[Path | None] = ()) -> Treatment:
    """The treatment with the sandbox on or off, if there are programs among these agents; it hides these paths."""
    hidden = tuple(str(path.absolute()) for path in hide if path is not None)
    if treated.sandbox == "on" or any(found.sandboxed(treated.in_process) for found in specs):
        return replace(treated, sandbox="on" if sandbox_works(treated.sandbox) else "off", hide=hidden)
    return replace(treated, hide=hidden)


def named_agents(texts: Sequence[str]) -> list[Spec]:
    """The agents of these specs; Complaint when one is malformed, or its file or program is missing."""
    try:
        specs = [spec(text) for text in texts]
    except ValueError as error:
        raise Complaint(str(error)) from None
    for found in specs:
        if (why := trouble(found)) is not None:
            raise Complaint(f"{found.text:.80}: {why}")
    return specs
