"""`check`: the doctor for bots."""

import json
import shlex
import sys
from collections import Counter
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from wateringhole.cli import Complaint
from wateringhole.cli.agent_options import (
    checked_seed,
    house_names,
    named_agents,
    not_had,
    settled,
    treatment_options,
    watch_options,
    watched,
)
from wateringhole.cli.terminal import plain, show_stderr
from wateringhole.conformance.doctor import MAX_ALIKE, Finding, Report, asked_again, examined
from wateringhole.conformance.doctor_scenes import SCENES
from wateringhole.external.play_specs import Treatment, sandbox_told
from wateringhole.external.seating import SeatingTerms
from wateringhole.external.spec import Spec
from wateringhole.fault import Fault
from wateringhole.move_json import written
from wateringhole.rulebook import ALL
from wateringhole.seeds import drawn_secret
from wateringhole.server import event_loop
from wateringhole.wire.framing import JsonError, parse
from wateringhole.wire.json_codec import ShapeError

MAX_GAMES: Final = 100_000
SHOWN_FINDINGS: Final = 5


@click.command()
@click.argument("agent", shell_complete=house_names)
@click.option("--games", type=int, default=24, show_default=True, help="Whole games, beside the scripted turns.")
@click.option("--seed", help="For experiments: a text or number that fixes decks and dice.")
@click.option("--all", "whole", is_flag=True, help="Go on when the agent fails in the same way again and again.")
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    default="failed-request.json",
    show_default=True,
    help="Where the first request goes that the agent failed at.",
)
@click.option("--request", "request_file", type=click.Path(path_type=Path), help="Send just the request in this file.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of the tables.")
@watch_options
@treatment_options
def check(
    agent: str,
    games: int,
    seed: str | None,
    whole: bool,
    save: Path,
    request_file: Path | None,
    as_json: bool,
    treated: Treatment,
    show_stderr: bool,
    log_folder: Path | None,
) -> None:
    """Examine AGENT: does it keep every rule, also when something rare happens, and in time?

    \b
    wateringhole check 'cmd:./bot'
    wateringhole check py:bot.py:Bot --time 2
    wateringhole check 'cmd:node bot.mjs' --request failed-request.json

    It plays scripted turns that force fat-tissue, attacks through each defence, chains of cooperation, full boards,
    boards that die out, and whole games at tables of 3 to 8. The first request that it fails at is written to a file,
    and --request sends just that one again. After 3 failures of the same kind in a row it stops; --all goes on.

    Exit code 0: nothing found. 1: something is wrong. 2: a mistake in the arguments.
    """
    [found] = named_agents([agent])
    if found.kind == "human":
        raise Complaint("a person cannot be checked like this; try: wateringhole game human silly silly")
    if not 0 <= games <= MAX_GAMES:
        raise Complaint(f"--games {games}: not a number from 0 to {MAX_GAMES}")
    treated = settled(treated, [found], [log_folder])
    terms = replace(treated.terms, watch=watched(show_stderr, log_folder))
    sandbox = sandbox_told(treated, [found])
    if request_file is not None:
        _again(found, terms, request_file, as_json)
        return
    seed = checked_seed(drawn_secret() if seed is None else seed)
    report = _report(found, terms, games, seed, whole)
    saved = _saved(report, save)
    if as_json:
        print(json.dumps(_data(agent, report, saved) | {"sandbox": sandbox, "seed": seed}))
    else:
        _show(agent, report, terms, sandbox, saved)
        if not report.healthy:
            print(f"The same examination again: --seed {shlex.quote(seed)}")
    if not report.healthy:
        raise SystemExit(1)


def _report(found: Spec, terms: SeatingTerms, games: int, seed: str, whole: bool) -> Report:
    report = Report()
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("", total=len(SCENES) + games)

        def step(name: str) -> None:
            progress.update(bar, description=name, completed=report.games)

        try:
            event_loop.run(examined(found, terms, games, seed, report, step, whole))
        except ValueError as error:
            raise not_had(error) from None
    return report


def _saved(report: Report, path: Path) -> Path | None:
    """The path of the first failed request, if there is one."""
    failed = next((finding.request for finding in report.findings if finding.request), None)
    if failed is None:
        return None
    try:
        path.write_text(json.dumps(failed, indent=1) + "\n")
    except OSError as error:
        print(f"wateringhole: cannot save the failed request: {path}: {error.strerror}", file=sys.stderr)
        return None
    return path


def _again(found: Spec, terms: SeatingTerms, path: Path, as_json: bool) -> None:
    """Send one request and print the reply and its verdict."""
    try:
        answered = event_loop.run(asked_again(found, terms, parse(path.read_bytes())))
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror}") from None
    except (JsonError, ShapeError) as error:
        raise Complaint(f"{path}: {error}") from None
    except ValueError as error:
        raise not_had(error) from None
    if as_json:
        refused = None if answered.fault is None else written(answered.fault)
        print(json.dumps({"reply": written(answered.reply), "fault": refused, "stderr": answered.stderr}))
    else:
        fault = answered.fault
        if not isinstance(answered.reply, Fault):
            print(f"reply: {json.dumps(written(answered.reply))}")
        print("legal" if fault is None else f"{fault.reason} ({fault.rule}): it {fault.text}")
        show_stderr(Console(highlight=False), answered.stderr)
    if answered.fault is not None:
        raise SystemExit(1)


def _show(agent: str, report: Report, terms: SeatingTerms, sandbox: str | None, saved: Path | None) -> None:
    console = Console(highlight=False)
    console.print(plain(f"{agent}: {report.games} games, {len(report.seconds)} replies"), style="bold")
    rules = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("rule", "kept", "broken"):
        rules.add_column(column, justify="left" if column == "rule" else "right")
    for rule in ALL:
        kept, broken = report.kept.get(rule, 0), report.broken.get(rule, 0)
        if kept or broken:
            rules.add_row(rule, str(kept), str(broken or ""), style="red" if broken else "")
    console.print(rules)
    limit = terms.control.seconds
    times = ", ".join(f"{name} {1_000 * value:.1f} ms" for name, value in _times(report).items())
    console.print(f"reply time: {times}; the limit is {'none' if limit is None else f'{limit:g} s'}")
    if sandbox is not None:
        console.print(f"sandbox: {sandbox}")
    if report.findings:
        console.print(f"expelled: {', '.join(f'{reason} {count}' for reason, count in _reasons(report).items())}")
    shown = ""
    for finding in report.findings[:SHOWN_FINDINGS]:
        console.print(plain(f"{_where(finding)}: {finding.reason} ({finding.rule}): it {finding.text}", "red"))
        show_stderr(console, "the same standard error as above" if finding.stderr == shown != "" else finding.stderr)
        shown = finding.stderr
    if len(report.findings) > SHOWN_FINDINGS:
        console.print(f"and {len(report.findings) - SHOWN_FINDINGS} more")
    if report.stopped:
        console.print(f"stopped after {MAX_ALIKE} failures of the same kind; --all goes on")
    if saved is not None:
        console.print(plain(f"The first failed request is in {saved}; to send just that one:"))
        again = shlex.join(["wateringhole", "check", agent, "--request", str(saved)])
        console.print(plain(f"  {again}"), soft_wrap=True)  # one line, to be copied
    if report.healthy:
        console.print("healthy", style="bold green")


def _reasons(report: Report) -> dict[str, int]:
    """How often it was expelled, by reason: crashes are exception, exited, memory and disconnected."""
    return dict(sorted(Counter(finding.reason for finding in report.findings).items()))


def _where(finding: Finding) -> str:
    return f"{finding.scene}, {finding.players} players"


def _times(report: Report) -> dict[str, float]:
    spent = sorted(report.seconds) or [0.0]
    return {"p50": spent[len(spent) // 2], "p95": spent[len(spent) * 95 // 100], "max": spent[-1]}


def _data(agent: str, report: Report, saved: Path | None) -> dict[str, object]:
    return {
        "agent": agent,
        "healthy": report.healthy,
        "games": report.games,
        "stopped": report.stopped,
        "replies": len(report.seconds),
        "rules": {
            rule: {"kept": report.kept.get(rule, 0), "broken": report.broken.get(rule, 0)}
            for rule in ALL
            if rule in report.kept or rule in report.broken
        },
        "reply_seconds": _times(report),
        "expelled": _reasons(report),
        "findings": msgspec.to_builtins(report.findings),
        "saved": None if saved is None else str(saved),
    }
