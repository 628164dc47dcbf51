"""SVG of charts that have one row for each name: a horizontal axis, points with intervals, bars, histograms.

Laws: pure; the same figures give the same bytes. Text is an argument of Markup.format, which escapes it. Lengths are
per cents of the width and heights in em, so a chart fits any width and its letters stay as large as those of the page;
colours are in the page's stylesheet, so a chart is light or dark as the page is.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from wateringhole.tournament.interval import Mean
from wateringhole.tournament.report.figures import number
from wateringhole.wire.names import printable

MAX_STEPS: Final = 5
"""On a phone there is no room for more numbers below an axis."""
MARGIN: Final = 0.05
"""This part of an axis stays free at each end."""
TICKS_Y, UNIT_Y, BELOW = 1.4, 2.8, 3.0
"""How far below the rows the numbers of the axis, its unit and the end of the drawing are, in em of their letters."""
NOTHING: Final = Markup()


class Axis(Struct, frozen=True):
    """A horizontal axis between two different numbers."""

    low: float
    high: float

    def at(self, value: float) -> str:
        """Where a value is, in per cent from the left."""
        return f"{100 * (value - self.low) / (self.high - self.low):.2f}"

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """The multiples of a round step on this axis, each with its text."""
        least = (self.high - self.low) / MAX_STEPS
        power = 10.0 ** floor(log10(least))
        step = next(step for factor in (1, 2, 5, 10) if (step := factor * power) >= least)
        digits = max(0, -floor(log10(step)))
        multiples = range(ceil(self.low / step), floor(self.high / step) + 1)
        return [(count * step, number(count * step, f".{digits}f")) for count in multiples]


def axis_for(values: Iterable[float]) -> Axis:
    """An axis on which all these values have room."""
    found = list(values)
    low, high = min(found), max(found)
    room = MARGIN * (high - low) or 1.0
    return Axis(low - room, high + room)


def drawing(axis: Axis, unit: str, rows: Sequence[Markup], row_height: float, mark: float | None = None) -> Markup:
    """The whole SVG element: the rows from above, the axis below them, and a dashed line at the mark."""
    bottom = row_height * len(rows)
    return Markup('<svg height="{:.2f}em" aria-hidden="true">\n{}{}{}\n{}</svg>').format(
        bottom + BELOW,
        NOTHING.join(_vertical(axis, value, bottom, "grid") for value, _ in axis.ticks),
        NOTHING if mark is None else _vertical(axis, mark, bottom, "mark"),
        _below(axis, unit, bottom),
        NOTHING.join(
            Markup('<svg y="{:.2f}em" height="{:.2f}em">{}</svg>\n').format(at * row_height, row_height, row)
            for at, row in enumerate(rows)
        ),
    )


def row(about: str, *marks: Markup) -> Markup:
    """The marks of one row; what they are about is shown to a reader who points at the row."""
    text = Markup("<title>{}</title>").format(printable(about))
    return text + Markup('<rect class="hit" width="100%" height="100%"/>') + NOTHING.join(marks)


def whisker(axis: Axis, mean: Mean, y: float, kind: str) -> Markup:
    """A dot at the mean and a line along its interval, if it has one; `y` is in per cent of the row."""
    line = NOTHING if mean.low is None or mean.high is None else bar(axis, mean.low, mean.high, y, kind)
    return line + dot(axis, mean.value, y, kind)


def bar(axis: Axis, low: float, high: float, y: float, kind: str) -> Markup:
    """A thick line between two values."""
    return Markup('<line class="{0}" x1="{1}%" x2="{2}%" y1="{3}%" y2="{3}%"/>').format(
        kind, axis.at(low), axis.at(high), y
    )


def dot(axis: Axis, value: float, y: float, kind: str) -> Markup:
    return Markup('<circle class="{}" cx="{}%" cy="{}%" r="0.25em"/>').format(kind, axis.at(value), y)


def histogram(axis: Axis, edges: Sequence[float], counts: Sequence[int], base: float) -> Markup:
    """How many values are between each two edges; the highest fills the row above its base, in per cent of the row."""
    most = max(counts)
    steps = "".join(
        f"V{100 - 100 * count / most:.1f}H{axis.at(right)}"
        for count, (_, right) in zip(counts, pairwise(edges), strict=True)
    )
    return Markup(
        '<svg height="{}%" viewBox="0 0 100 100" preserveAspectRatio="none"><path d="M{} 100{}V100Z"/></svg>'
    ).format(base, axis.at(edges[0]), steps)


def _below(axis: Axis, unit: str, bottom: float) -> Markup:
    """The line below the rows, the numbers of the ticks and the unit."""
    numbers = NOTHING.join(
        Markup('<text x="{}%" y="{}em">{}</text>').format(axis.at(value), TICKS_Y, text) for value, text in axis.ticks
    )
    return Markup(
        '<svg y="{:.2f}em"><line class="base" x2="100%"/>{}<text class="unit" x="100%" y="{}em">{}</text></svg>'
    ).format(bottom, numbers, UNIT_Y, unit)


def _vertical(axis: Axis, value: float, bottom: float, kind: str) -> Markup:
    return Markup('<line class="{0}" x1="{1}%" x2="{1}%" y2="{2:.2f}em"/>\n').format(kind, axis.at(value), bottom)
