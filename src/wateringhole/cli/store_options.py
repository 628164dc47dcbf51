"""Options that name a store and choose games in it, for the commands that read it."""

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Final, Literal, TypeVar, get_args

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from wateringhole.cli import Complaint, given_place
from wateringhole.dealer import MAX_PLAYERS, MIN_PLAYERS
from wateringhole.fault import Reason, shown
from wateringhole.store.error import StoreError
from wateringhole.store.finished_game import Status
from wateringhole.store.games import Store, opened
from wateringhole.store.queries import Filter, utc_moment

F = TypeVar("F", bound=Callable[..., object])
T = TypeVar("T")

DATA: Final = "wateringhole-data"
SHOWN_ID: Final = 10
"""So much of an id is enough for people."""
MAX_LISTED: Final = 10_000_000


def data_option(command: F) -> F:
    """The option --data: where the store is."""
    return click.option(
        "--data",
        type=given_place,
        envvar="WATERINGHOLE_DATA",
        default=DATA,
        show_default=True,
        show_envvar=True,
        metavar="DIR|URL",
        help="The store: a folder, or postgresql://USER@HOST/NAME.",
    )(command)


def limit_option(help_text: str) -> Callable[[F], F]:
    """The option --limit: how many lines a list has at most."""
    return click.option(
        "--limit",
        type=click.IntRange(1, MAX_LISTED),
        metavar="N",
        default=50,
        show_default=True,
        help=help_text,
    )


@contextlib.contextmanager
def store_at(data: str, create: bool = False) -> Iterator[Store]:
    """Open the store; an error of it is a Complaint."""
    with complaining(), opened(data, create) as store:
        yield store


@contextlib.contextmanager
def complaining() -> Iterator[None]:
    """Turn errors of a store into Complaints."""
    try:
        yield
    except StoreError as error:
        raise Complaint(str(error)) from None


def _since(text: str) -> datetime:
    try:
        return utc_moment(text)
    except ValueError:
        raise Complaint(f"{shown(text)} is not a time like 2026-11-16 or 2026-11-16T18:30") from None


def _until(text: str) -> datetime:
    """The moment that this is, or the end of the day."""
    moment = _since(text)
    with contextlib.suppress(ValueError, OverflowError):
        date.fromisoformat(text)
        return moment + timedelta(days=1)
    return moment


def filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say which games; the command gets them as `where`."""

    @functools.wraps(command)
    def filtered(
        player: str | None,
        since: datetime | None,
        until: datetime | None,
        status: Status | None,
        players: int | None,
        expelled: str | None,
        tournament: str | None,
        title: str,
        private: bool,
        **others: object,
    ) -> None:
        reason: Reason | Literal["any"] | None = None
        if expelled is not None:
            reason = "any" if expelled == "any" else Reason(expelled)
        command(where=Filter(player, since, until, status, players, reason, tournament, title, private), **others)

    with_options: Callable[..., None] = filtered
    for option in (
        click.option("--private", is_flag=True, help="Private games, too."),
        click.option("--title", default="", metavar="PART", help="With this in the title; capitals count."),
        click.option("--tournament", metavar="ID", help="Of this tournament."),
        click.option(
            "--expelled",
            type=click.Choice(["any", *(reason.value for reason in Reason)]),
            metavar="REASON|any",
            help="In which a seat was expelled for this: timeout, illegal, ...",
        ),
        click.option(
            "--players", type=click.IntRange(MIN_PLAYERS, MAX_PLAYERS), metavar="N", help="With so many players."
        ),
        click.option("--status", type=click.Choice(get_args(Status)), help="That ended like this."),
        click.option("--until", type=_until, metavar="TIME", help="That ended until then, or on that day."),
        click.option("--since", type=_since, metavar="TIME", help="That ended since then: 2026-11-16[T18:30]."),
        click.option("--player", metavar="NAME", help="Of this player; a house bot is bot:greedy, say."),
    ):
        with_options = option(with_options)
    return with_options


def terminal() -> Console:
    """Where tables go. A file or a pipe has no width: lines stay whole there, for grep."""
    wide = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(highlight=False, width=1_000 if wide else None)


@contextlib.contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on the terminal; the yielded function takes what is done, and all."""
    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def with_bar(what: str, things: list[T]) -> Iterator[T]:
    """These, one after the other, with a bar on the terminal."""
    with bar(what) as progress:
        for done, thing in enumerate(things):
            progress(done, len(things))
            yield thing
