"""A progress bar for runs of external programs; rich is loaded only on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(total: int | None, first: str) -> Iterator[Callable[[str], None]]:
    """A bar on the terminal; the yielded function takes the name of each finished step."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415  # rich takes 100 ms that a pipe need not spend
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    left = () if total is None else (TextColumn("left"), TimeRemainingColumn())
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), *left)
    says = TextColumn("{task.description}", markup=False)
    # What is printed meanwhile goes above the bar; a pipe gets it as it is.
    above = sys.stdout.isatty()
    with Progress(*columns, says, console=Console(stderr=True), transient=True, redirect_stdout=above) as bar:
        task = bar.add_task(first, total=total)
        yield lambda done: bar.update(task, advance=1, description=done)
