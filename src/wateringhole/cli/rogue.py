"""`rogue`: the gallery of bad clients against a server."""

import ipaddress
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from wateringhole.cli import Complaint
from wateringhole.cli.connect import SEPARATORS, server_address
from wateringhole.cli.growth_option import growth_option
from wateringhole.dealer import MAX_PLAYERS, MIN_PLAYERS
from wateringhole.fault import shown
from wateringhole.wire.growth import Spelling

if TYPE_CHECKING:
    from rich.console import Console

    from wateringhole.conformance.rogue import RogueVerdict
    from wateringhole.conformance.rogue_clients import RogueCase

MAX_JOBS: Final = 16
MAX_TIMEOUT_SECONDS: Final = 3_600


@click.command()
@click.argument("address", required=False, metavar="tcp:HOST:PORT")
@click.option("--case", "names", multiple=True, metavar="NAME", help="Run only this case; repeatable.")
@click.option("--list", "as_list", is_flag=True, help="Say what each case does and why, and stop.")
@click.option(
    "--players",
    type=click.IntRange(MIN_PLAYERS, MAX_PLAYERS),
    default=3,
    show_default=True,
    help="The number of players at a table of the server, the rogue included.",
)
@click.option("--timeout", type=float, default=60.0, show_default=True, help="Seconds that a game may take.")
@click.option(
    "--jobs", type=click.IntRange(1, MAX_JOBS), default=1, show_default=True, help="Cases at once, a table each."
)
@click.option(
    "--separator",
    type=click.Choice([*SEPARATORS]),
    default="newline",
    show_default=True,
    help="What follows each value of a good client.",
)
@growth_option("good clients spell", "bare")
@click.option("--json", "as_json", is_flag=True, help="One JSON object with every verdict.")
@click.option("--yes-this-is-my-server", "mine", is_flag=True, help="Needed for any server but one on this machine.")
def rogue(
    address: str | None,
    names: tuple[str, ...],
    as_list: bool,
    players: int,
    timeout: float,
    jobs: int,
    separator: str,
    growth: Spelling,
    as_json: bool,
    mine: bool,
) -> None:
    """Run the gallery of bad clients against a server and see whether its games still end well for the good ones.

    \b
    wateringhole rogue tcp:localhost:45678
    wateringhole rogue tcp:localhost:45678 --case utf16 --case silent-at-choose
    wateringhole rogue tcp:localhost:45678 --players 5 --timeout 120
    wateringhole rogue tcp:localhost:45678 --json > verdicts.json
    wateringhole rogue --list

    Each case is a game of silly players and one rogue, in the dialect s16. It passes when the server closes the good
    clients' connections at the end of a whole game. What becomes of the rogue is told, but does not count. After every
    ten cases, and at the end, a plain game shows whether the server is still well.

    The server must deal a table of --players again and again, as 'wateringhole serve --players 3-3' does. One that
    stops after a game can be started in a loop: clients that it drops before their game begins sign up again, for two
    seconds. Cases of silence take as long as the server waits for an answer.

    Each verdict is printed when it is known. Ctrl-C or SIGTERM ends with the summary of those that are.

    Exit code 0: all pass. 1: a case fails. 2: a mistake in the arguments. 130: Ctrl-C or SIGTERM.
    """
    from wateringhole.conformance.rogue_clients import CASES  # noqa: PLC0415  # asyncio takes 50 ms that --help need not spend

    cases = _chosen(names, CASES)
    if as_list:
        _list(cases, as_json)
        return
    if address is None:
        raise Complaint("against which server? Try: wateringhole rogue tcp:localhost:45678")
    host, port = server_address(address)
    if not (mine or _on_this_machine(host)):
        raise Complaint(f"{host} is not this machine; if the server is yours, add --yes-this-is-my-server")
    if not 0 < timeout <= MAX_TIMEOUT_SECONDS:
        raise Complaint(f"--timeout is {timeout:g}, not a number of seconds up to {MAX_TIMEOUT_SECONDS}")

    from wateringhole.conformance.rogue import PLAIN, RogueTerms, run  # noqa: PLC0415
    from wateringhole.conformance.scripted_client import Target  # noqa: PLC0415
    from wateringhole.server import event_loop  # noqa: PLC0415

    target = Target(host, port, SEPARATORS[separator], growth == "tagged")
    verdicts: list[RogueVerdict] = []
    interrupted = False
    with _told([PLAIN, *[case.name for case in cases]], verdicts, quiet=as_json) as told:
        try:
            verdicts = event_loop.run(run(target, cases, RogueTerms(players, timeout, jobs), told))
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        print(json.dumps(_data(address, verdicts, interrupted)))
    else:
        print(_summary(verdicts, interrupted))
    if interrupted:
        raise KeyboardInterrupt
    if not all(verdict.passed for verdict in verdicts):
        raise SystemExit(1)


def _chosen(names: Sequence[str], cases: "Sequence[RogueCase]") -> "list[RogueCase]":
    """The cases of these names, in the gallery's order; all of them, if none is named."""
    unknown = [name for name in names if name not in {case.name for case in cases}]
    if unknown:
        raise Complaint(f"no case {shown(unknown[0])}; 'wateringhole rogue --list' names all {len(cases)}")
    return [case for case in cases if not names or case.name in names]


def _on_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _console() -> "Console":
    from rich.console import Console  # noqa: PLC0415  # rich takes 100 ms that --json need not spend

    # A file or a pipe has no width: sentences stay whole there, for grep.
    wide = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(highlight=False, width=1_000 if wide else None)


def _list(cases: "Sequence[RogueCase]", as_json: bool) -> None:
    if as_json:
        print(json.dumps([_about(case) for case in cases]))
        return
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = _console()
    for threat in dict.fromkeys(case.threat for case in cases):
        console.print(Text(threat, style="bold"))
        table = Table.grid(padding=(0, 2, 0, 2))
        for case in cases:
            if case.threat == threat:
                table.add_row(case.name, Text(f"{case.does} ({case.moment.value})"))
        console.print(table)


def _about(case: "RogueCase") -> dict[str, object]:
    return {"case": case.name, "does": case.does, "when": case.moment.value, "threat": case.threat}


@contextmanager
def _told(
    names: Sequence[str], verdicts: "list[RogueVerdict]", quiet: bool
) -> "Iterator[Callable[[RogueVerdict], None]]":
    """Adds each verdict to these and prints it, unless `quiet`; a terminal is also shown how far it is.

    The first of the names is that of plain games, which are not counted.
    """
    width = max(map(len, names))

    def row(case: str, good: str, rogue: str, seconds: str, detail: str = "") -> str:
        return f"{case:{width}}  {good:12}  {rogue:17}  {seconds:>5}  {detail}".rstrip()

    def told(verdict: "RogueVerdict", shown: Callable[[str, bool], None]) -> None:
        verdicts.append(verdict)
        fate = verdict.rogue.value if verdict.rogue else "-"
        if not quiet:
            if len(verdicts) == 1:
                shown(row("case", "good clients", "the rogue", "s"), True)
            line = row(verdict.case, verdict.outcome.value, fate, f"{verdict.seconds:.1f}", verdict.detail)
            shown(line, verdict.passed)

    rows = sys.stdout.isatty() and not quiet  # where the bar is under the rows
    if not (rows or sys.stderr.isatty()):
        yield lambda verdict: told(verdict, _print)
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    console = Console(stderr=not rows, highlight=False)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as progress:
        task = progress.add_task("the first case", total=len(names) - 1)

        def above(line: str, passed: bool) -> None:
            console.print(Text(line, "" if passed else "bold red"), soft_wrap=True)

        def advance(verdict: "RogueVerdict") -> None:
            told(verdict, above if rows else _print)
            done = f"{verdict.case}: {verdict.outcome}"
            progress.update(task, advance=0 if verdict.rogue is None else 1, description=done)

        yield advance


def _print(line: str, _: bool) -> None:
    print(line, flush=True)


def _summary(verdicts: "Sequence[RogueVerdict]", interrupted: bool) -> str:
    passed = sum(verdict.passed for verdict in verdicts)
    idle = sum(verdict.idle for verdict in verdicts)
    note = f"; {idle} of the rogues found no occasion for a misdeed" if idle else ""
    return f"{passed} passed, {len(verdicts) - passed} failed{note}{'; interrupted' if interrupted else ''}"


def _data(address: str, verdicts: "Sequence[RogueVerdict]", interrupted: bool) -> dict[str, object]:
    passed = sum(verdict.passed for verdict in verdicts)
    return {
        "server": address,
        "passed": passed,
        "failed": len(verdicts) - passed,
        "interrupted": interrupted,
        "verdicts": [
            {
                "case": verdict.case,
                "passed": verdict.passed,
                "outcome": verdict.outcome.value,
                "detail": verdict.detail or None,
                "rogue": verdict.rogue.value if verdict.rogue else None,
                "seconds": round(verdict.seconds, 3),
            }
            for verdict in verdicts
        ],
    }
