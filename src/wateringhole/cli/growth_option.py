"""The option --growth, for commands that talk to foreign servers and programs."""

from collections.abc import Callable
from typing import get_args

import click

from wateringhole.wire.growth import Spelling


def growth_option(who: str, default: Spelling | None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """How these spell growth; without a default it stays as it is."""
    otherwise = default or "as the suite has it, or tagged"
    return click.option(
        "--growth",
        type=click.Choice(get_args(Spelling)),
        default=default,
        help=f'How {who} growth: ["population",0,1] or [0,1].  [default: {otherwise}]',
    )
