"""The charts of a report, as SVG.

Laws: matplotlib is loaded only here, and only when something is drawn; without it there are no plots. The same figures
give the same bytes. Colours are those of the page, so that a plot is light and dark as the page is. matplotlib never
sees a name: it would take some for formulas and has no letters for others.
"""

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape
from statistics import quantiles
from typing import TYPE_CHECKING, Final

from wateringhole.tournament.interval import Mean
from wateringhole.tournament.record_stats import TraitRow
from wateringhole.tournament.standings import StandingsRow, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK: Final = "#000001"
SOFT: Final = "#000002"
LINE: Final = "#000003"
INFO: Final = "#000004"
ACCENT: Final = "#000005"
PANEL: Final = "#000006"
COLOURS: Final = {INK: "ink", SOFT: "ink-soft", LINE: "line", INFO: "info", ACCENT: "accent", PANEL: "panel"}
"""Stand-ins for the colours of the page, whatever those are."""

WIDTH: Final = 440
ROW: Final = 24
BELOW: Final = 44
LETTER: Final = 7
MAX_LABEL_CHARS: Final = 16
FLOOR, HILL = 0.3, 0.82
"""How far below its name a hill stands, and how high it is, in rows."""


def ratings(lines: Sequence[StandingsRow]) -> str | None:
    """Everybody's strength with its interval, in their order."""

    def draw(axes: "Axes") -> None:
        axes.axvline(1500, color=SOFT, linewidth=1, linestyle=(0, (3, 3)), zorder=1)
        for at, line in enumerate(lines):
            _whisker(axes, line.strength, at, INFO)
        axes.set_xlabel("Elo")

    return _drawn("ratings", [line.name for line in lines], draw)


def scores(names: Sequence[str], of: Sequence[Sequence[int]]) -> str | None:
    """How each entry's scores are spread: a hill of how often, the middle half as a bar, the median as a dot."""

    def draw(axes: "Axes") -> None:
        most = max(max(values, default=0) for values in of)
        width = max(1, round(most / 40))
        hills = [Counter(value // width for value in values) for values in of]
        edges = range(0, most + 2 * width, width)
        for at, (hill, values) in enumerate(zip(hills, of, strict=True)):
            if len(values) < 2:
                continue
            tops = [at + FLOOR - HILL * hill[step] / max(hill.values()) for step in range(len(edges) - 1)]
            axes.stairs(tops, edges, baseline=at + FLOOR, fill=True, color=INFO, alpha=0.45)
            low, middle, high = quantiles(values, n=4, method="inclusive")
            axes.plot([low, high], [at + FLOOR] * 2, color=INK, linewidth=3, solid_capstyle="butt", zorder=3)
            axes.plot([middle], [at + FLOOR], "o", color=INK, markerfacecolor=PANEL, markersize=5, zorder=4)
        axes.set_xlim(left=-width)
        axes.set_xlabel("score")

    return _drawn("scores", names, draw, row=38)


def traits(of: Sequence[TraitRow]) -> str | None:
    """How much more often those win who played a trait: than their turn, and than the same entry on average."""

    def draw(axes: "Axes") -> None:
        axes.axvline(0, color=SOFT, linewidth=1, linestyle=(0, (3, 3)), zorder=1)
        for at, row in enumerate(of):
            _whisker(axes, percent(row.above), at - 0.16, ACCENT, hollow=True)
            _whisker(axes, percent(row.own), at + 0.16, INFO)
        axes.set_xlabel("wins more often by, percentage points")

    return _drawn("traits", [row.trait.value for row in of], draw)


def _whisker(axes: "Axes", mean: Mean, at: float, colour: str, hollow: bool = False) -> None:
    if mean.low is not None and mean.high is not None:
        axes.plot([mean.low, mean.high], [at, at], color=colour, linewidth=2, solid_capstyle="butt", zorder=2)
    axes.plot(
        [mean.value], [at], "o", color=colour, markerfacecolor=PANEL if hollow else colour, markersize=5, zorder=3
    )


def _drawn(kind: str, names: Sequence[str], draw: Callable[["Axes"], None], row: int = ROW) -> str | None:
    """A plot with a row for each of these names, the first on top; None without matplotlib."""
    try:
        from matplotlib import rc_context  # noqa: PLC0415  # takes half a second, which only plots should cost
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        return None
    text = io.StringIO()
    height = row * len(names) + BELOW
    left = 16 + LETTER * min(MAX_LABEL_CHARS, max(sum(map(_width, label)) for label in names))
    with rc_context(
        {
            "svg.hashsalt": "wateringhole",
            "svg.fonttype": "none",
            "font.size": 12.0,
            "text.color": INK,
            "axes.labelcolor": SOFT,
            "axes.edgecolor": LINE,
            "xtick.color": LINE,
            "xtick.labelcolor": SOFT,
            "ytick.color": LINE,
            "ytick.labelcolor": INK,
            "figure.facecolor": "none",
            "axes.facecolor": "none",
        }
    ):
        figure = Figure(figsize=(WIDTH / 72, height / 72))
        axes = figure.add_axes((left / WIDTH, BELOW / height, (WIDTH - left - 14) / WIDTH, 1 - (BELOW + 4) / height))
        draw(axes)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_yticks(range(len(names)), [_stand_in(at) for at in range(len(names))])
        axes.tick_params(length=0)
        axes.grid(axis="x", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        for side in ("left", "right", "top"):
            axes.spines[side].set_visible(False)
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return _fitted(kind, text.getvalue(), names)


def _stand_in(at: int) -> str:
    return f"name {at}"


def _fitted(kind: str, svg: str, names: Sequence[str]) -> str:
    """The drawing as it may stand in a page with others: ids of its own, the page's colours, and the names."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)  # it would hold for the whole page
    svg = re.sub(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', r'<svg viewBox="\1" aria-hidden="true">', svg, count=1)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("xlink:href", "href")
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{kind}-", svg)
    for stand_in, colour in COLOURS.items():
        svg = svg.replace(stand_in, f"var(--{colour})")
    svg = "\n".join(line.strip() for line in svg.splitlines() if line.strip())
    return re.sub(r">name (\d+)<", lambda found: f">{_label(names[int(found[1])])}<", svg)


def _label(text: str) -> str:
    """A name that fits beside its row; all of it is told to whoever points at it."""
    width, short = 0.0, ""
    for char in text:
        width += _width(char)
        if width > MAX_LABEL_CHARS:
            return f"{escape(short)}…<title>{escape(text)}</title>"
        short += char
    return escape(text)


def _width(char: str) -> float:
    """How wide it is, about, in small letters."""
    if unicodedata.combining(char):
        return 0.0
    if char in "MW@%" or unicodedata.east_asian_width(char) in "WF":
        return 2.0
    return 1.5 if char.isupper() else 1.0
