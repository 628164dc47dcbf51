"""Figures of a report as text: numbers with a true minus sign, means with their intervals."""

from typing import Final

from wateringhole.tournament.interval import Mean
from wateringhole.tournament.standings import between

MINUS: Final = "\N{MINUS SIGN}"


def number(value: float | None, form: str) -> str:
    """A number in this format; nothing for None."""
    return "" if value is None else f"{value:{form}}".replace("-", MINUS)


def ends(mean: Mean, form: str) -> str:
    """The ends of an interval, each in this format; nothing if there is none, or if both are the same."""
    return between(mean, form).replace("-", MINUS)


def estimated(mean: Mean, form: str) -> str:
    """A mean with its interval in brackets, if there is one."""
    found = ends(mean, form)
    return number(mean.value, form) + (f" ({found})" if found else "")
