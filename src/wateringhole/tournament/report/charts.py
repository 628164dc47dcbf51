"""The charts of a report: strengths, scores and traits, each with one row for each name.

Laws: the same figures give the same bytes. The names are no part of a drawing: the page writes them beside it and cuts
those that are too long.
"""

from collections import Counter
from collections.abc import Sequence
from statistics import quantiles
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from wateringhole.tournament.interval import Mean
from wateringhole.tournament.record_stats import TraitRow
from wateringhole.tournament.report.figures import estimated, number
from wateringhole.tournament.report.svg import Axis, axis_for, bar, dot, drawing, histogram, row, whisker
from wateringhole.tournament.standings import StandingsRow, percent

ROW: Final = 1.8
HISTOGRAM_ROW: Final = 2.8
"""The heights of rows, in em."""
BASE: Final = 84
"""Where a histogram stands, in per cent of its row."""
MAX_BINS: Final = 40
MEAN_ELO: Final = 1500


class Chart(Struct, frozen=True):
    """A drawing, the names of its rows, and the height of a row in em."""

    names: tuple[str, ...]
    drawing: Markup
    row: float


def strengths(lines: Sequence[StandingsRow]) -> Chart:
    """The strength of each entry with its interval, in their order."""
    axis = axis_for([MEAN_ELO, *_extent([line.strength for line in lines])])
    rows = [
        row(f"{line.name}: {estimated(line.strength, '.0f')}", whisker(axis, line.strength, 50, "info"))
        for line in lines
    ]
    return Chart(tuple(line.name for line in lines), drawing(axis, "Elo", rows, ROW, MEAN_ELO), ROW)


def scores(names: Sequence[str], of: Sequence[Sequence[int]]) -> Chart:
    """How the scores of each entry are spread: a histogram, the middle half as a bar, the median as a dot."""
    most = max((max(values, default=0) for values in of), default=0)
    width = max(1, round(most / MAX_BINS))
    edges = range(0, most + 2 * width, width)
    axis = Axis(-width, edges[-1] + width)
    rows = [_spread(axis, edges, name, values) for name, values in zip(names, of, strict=True)]
    return Chart(tuple(names), drawing(axis, "score", rows, HISTOGRAM_ROW), HISTOGRAM_ROW)


def _spread(axis: Axis, edges: range, name: str, values: Sequence[int]) -> Markup:
    if len(values) < 2:
        return row(name)
    bins = Counter(value // edges.step for value in values)
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return row(
        f"{name}: median {number(middle, '.0f')}, middle half {number(low, '.0f')} to {number(high, '.0f')}",
        histogram(axis, edges, [bins[at] for at in range(len(edges) - 1)], BASE),
        bar(axis, low, high, BASE, "ink"),
        dot(axis, middle, BASE, "ink hollow"),
    )


def traits(of: Sequence[TraitRow]) -> Chart:
    """How much more often seats win that played a trait: than their turn, and than the same entry on average."""
    both = [(trait.trait.value, percent(trait.above), percent(trait.own)) for trait in of]
    axis = axis_for([0, *_extent([mean for _, *means in both for mean in means])])
    rows = [
        row(
            f"{name}: {estimated(above, '+.1f')} above its turn, {estimated(own, '+.1f')} above its entry's mean",
            whisker(axis, above, 34, "accent hollow"),
            whisker(axis, own, 66, "info"),
        )
        for name, above, own in both
    ]
    names = tuple(name for name, _, _ in both)
    return Chart(names, drawing(axis, "wins more often by, percentage points", rows, ROW, 0), ROW)


def _extent(means: Sequence[Mean]) -> list[float]:
    """All that has to have room on an axis: the means and the ends of their intervals."""
    return [part for mean in means for part in (mean.value, mean.low, mean.high) if part is not None]
