"""HTML of a report: one file without scripts that loads nothing from outside.

Laws: a text is escaped unless it is Markup, and only this module and the charts make Markup; so no name can become
anything but text. The page has a light look and a dark one, fits a phone, and can be printed.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from msgspec import Struct

from wateringhole.tournament.interval import Mean
from wateringhole.tournament.standings import between, percent
from wateringhole.wire.names import printable

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

MINUS: Final = "\N{MINUS SIGN}"
VOID: Final = frozenset({"br", "meta"})

STYLE: Final = """
:root {
  color-scheme: light dark;
  --paper: light-dark(#f7efdd, #1e1822);
  --panel: light-dark(#fffaf0, #2a222e);
  --sand: light-dark(#efe2c6, #372c38);
  --ink: light-dark(#2e2418, #f6ead8);
  --ink-soft: light-dark(#665640, #c9b8a8);
  --line: light-dark(#d9c7a2, #4d404e);
  --accent: light-dark(#9c4318, #f2a65e);
  --info: light-dark(#1f627a, #86cbe0);
  --high: light-dark(#8fc3d4, #2f6f8a);
  --low: light-dark(#edb58c, #8f4a26);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", "URW Palladio L", Georgia, serif;
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.5 var(--sans); color: var(--ink); background: var(--paper); text-size-adjust: 100%; }
body { margin: 0; overflow-wrap: anywhere; }
header, main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 2rem; }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.2; text-wrap: balance; }
h1 { margin: 0 0 0.4rem; font-size: 2.1rem; letter-spacing: -0.01em; }
h2 { margin: 0 0 0.6rem; font-size: 1.4rem; }
h3 { margin: 1.6rem 0 0.4rem; font-size: 1.05rem; }
p { margin: 0 0 0.75rem; max-width: 46rem; text-wrap: pretty; }
a { color: var(--info); }
code { font: 0.9em ui-monospace, "Liberation Mono", Consolas, monospace; }
.soft, footer { color: var(--ink-soft); }
.soft, figcaption, footer { font-size: 0.9rem; }
dl { display: flex; flex-wrap: wrap; gap: 0.4rem 1.75rem; margin: 0.75rem 0 0; }
dt { font-size: 0.8rem; color: var(--ink-soft); }
dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
nav { margin: 1.1rem 0 1.25rem; font-size: 0.9rem; }
nav a { display: inline-block; padding: 0.2rem 0; margin-right: 1rem; }
section {
  margin: 0 0 1.25rem; padding: 1.25rem 1.25rem 1rem;
  background: var(--panel); border: 1px solid var(--line); border-radius: 0.6rem;
}
.wide { overflow-x: auto; margin: 0 -0.5rem 0.75rem; padding: 0 0.5rem; }
.wide:focus-visible { outline: 2px solid var(--info); outline-offset: 2px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; line-height: 1.35; }
table.full { width: 100%; }
th, td { padding: 0.35rem 0.6rem; text-align: right; vertical-align: baseline; }
th, td { white-space: nowrap; overflow-wrap: normal; }
th { font-size: 0.82rem; font-weight: 600; color: var(--ink-soft); }
thead th { border-bottom: 2px solid var(--line); vertical-align: bottom; white-space: normal; }
tbody tr + tr > * { border-top: 1px solid var(--line); }
.name { min-width: 6rem; max-width: 18rem; text-align: left; }
.name, .text { white-space: normal; overflow-wrap: anywhere; }
tbody .name, tbody .trait { font-size: 1rem; color: var(--ink); }
.trait { text-align: left; white-space: nowrap; }
.text { text-align: left; }
td.text { min-width: 8rem; }
.name small, td small { color: var(--ink-soft); font-weight: 400; font-size: 0.82rem; }
.name small { display: block; }
td small { margin-left: 0.25em; }
sup { line-height: 0; color: var(--ink-soft); }
.fixed { position: sticky; left: -0.5rem; background: var(--panel) padding-box; z-index: 1; }
.cells .tint, .cells .self { text-align: center; border-left: 1px solid var(--line); min-width: 4.6rem; }
.cells td small { display: block; margin: 0; font-size: 0.75rem; }
.cells thead th:not(.name) { text-align: center; }
.cells .self { color: var(--ink-soft); }
.cells .name { min-width: 9rem; }
.tint { --by: 0; }
.high { background: color-mix(in srgb, var(--high) calc(var(--by) * 1%), transparent); }
.low { background: color-mix(in srgb, var(--low) calc(var(--by) * 1%), transparent); }
.high small, .low small { color: inherit; }
.upright th.turned { padding: 0.35rem 0.2rem; text-align: left; }
.turned span { writing-mode: vertical-rl; transform: rotate(180deg); }
.upright td { min-width: 2.6rem; padding: 0.35rem 0.3rem; text-align: center; }
figure {
  display: grid; grid-template-columns: minmax(0, 36rem) minmax(10rem, 1fr); gap: 1.75rem; align-items: center;
  margin: 0.5rem 0 1rem;
}
figcaption { color: var(--ink-soft); }
.chart {
  display: grid; grid-template-columns: fit-content(min(11rem, 40%)) minmax(0, 1fr); gap: 0.75rem;
  margin-right: 1rem; font-size: 0.875rem;
}
.chart ol { min-width: 0; margin: 0; padding: 0; list-style: none; text-align: right; }
.chart li { height: var(--row); line-height: var(--row); }
.chart li { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.chart svg { overflow: visible; }
.chart > svg { display: block; width: 100%; }
.chart text { fill: var(--ink-soft); font-size: 0.8rem; text-anchor: middle; }
.chart .unit { text-anchor: end; }
.chart path { fill: var(--info); fill-opacity: 0.45; }
.chart line { stroke-width: 2px; }
.chart .grid, .chart .base { stroke: var(--line); stroke-width: 1px; }
.chart .mark { stroke: var(--ink-soft); stroke-width: 1px; stroke-dasharray: 4 4; }
.chart .hit { fill: none; pointer-events: all; }
.chart .info { stroke: var(--info); fill: var(--info); }
.chart .accent { stroke: var(--accent); fill: var(--accent); }
.chart .ink { stroke: var(--ink); fill: var(--ink); }
.chart line.ink { stroke-width: 4px; }
.chart circle { stroke-width: 1.5px; }
.chart .hollow { fill: var(--panel); }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 0 2.5rem; }
.share { display: flex; height: 1.6rem; margin: 0.75rem 0; border-radius: 0.3rem; overflow: hidden; gap: 2px; }
.share i { min-width: 1px; }
.part-1 { background: var(--info); }
.part-2 { background: var(--accent); }
.part-3 { background: var(--ink-soft); }
.part-4 { background: var(--line); }
.key { display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.5em; border-radius: 0.15em; }
details { margin-bottom: 0.75rem; }
summary { cursor: pointer; color: var(--info); }
details .wide { margin-top: 0.5rem; }
footer { padding-bottom: 2.5rem; }
@media (max-width: 40rem) {
  header, main, footer { padding-left: 0.6rem; padding-right: 0.6rem; }
  h1 { font-size: 1.6rem; }
  section { padding: 1rem 0.8rem 0.6rem; }
  th, td { padding: 0.35rem 0.45rem; }
  .name { min-width: 6.5rem; max-width: 10rem; }
  .cells .name { min-width: 6.5rem; }
  .cells .tint, .cells .self { min-width: 3.6rem; }
  td small { display: block; margin: 0; }
  figure { display: block; }
  figcaption { margin-top: 0.5rem; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --panel: #fff; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  html { font-size: 75%; }
  header, main, footer { max-width: none; padding: 0; }
  nav { display: none; }
  section { border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: 0.8rem 0 0; }
  h2, h3 { break-after: avoid; }
  figure, tr { break-inside: avoid; }
  .wide { overflow: visible; margin: 0 0 0.75rem; padding: 0; }
}
"""


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


class Column(Struct, frozen=True):
    """What stands above a column, and the class of its cells."""

    heading: str | Markup
    kind: str = ""

    @property
    def heads(self) -> bool:
        """Whether its cells say what their rows are about."""
        return bool({"name", "trait"} & set(self.kind.split()))


def tag(element: str, /, *content: str, **attributes: str) -> Markup:
    """An element; a trailing underscore keeps an attribute apart from Python's words."""
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items())
    inside = "" if element in VOID else f"{together(*content)}</{element}>"
    return Markup(f"<{element}{given}>{inside}")


def together(*content: str) -> Markup:
    """One after the other, escaped where it is text; what no browser could show is shown as a question mark."""
    return Markup("".join(part if isinstance(part, Markup) else escape(printable(part, kept="\n")) for part in content))


def name(text: str) -> Markup:
    """Somebody's name, which keeps its own direction."""
    return tag("bdi", text)


def table(columns: Sequence[Column], lines: Iterable[Sequence[str]], label: str, kind: str = "") -> Markup:
    """A table that scrolls by itself where it is too wide. A cell that is no `td` already becomes one."""
    head = tag("tr", *(_cell("th", column.heading, column.kind, scope="col") for column in columns))
    body = together(*(tag("tr", *_cells(columns, cells)) for cells in lines))
    whole = tag("table", tag("thead", head), tag("tbody", body), **({"class_": kind} if kind else {}))
    return tag("div", whole, class_="wide", role="region", aria_label=label, tabindex="0")


def interval(mean: Mean, digits: int) -> Markup:
    """A mean with its interval, if there is one."""
    return _estimated(mean, f".{digits}f")


def signed(share: Mean) -> Markup:
    """A share in percentage points, with its sign."""
    return _estimated(percent(share), "+.1f")


def tinted(content: str, by: float, high: bool) -> Markup:
    """A cell with the more colour, the more there is to it."""
    return tag("td", content, class_=f"tint {'high' if high else 'low'}", style=f"--by:{by:.0f}")


def document(title: str, header: Markup, main: Markup, footer: Markup) -> str:
    """The whole file."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Markup(STYLE)),
    )
    body = tag("body", tag("header", header), tag("main", main), tag("footer", footer))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _estimated(mean: Mean, form: str) -> Markup:
    value, ends = (text.replace("-", MINUS) for text in (f"{mean.value:{form}}", between(mean, form)))
    return together(value, tag("small", f"({ends})")) if ends else together(value)


def _cells(columns: Sequence[Column], cells: Sequence[str]) -> Iterable[Markup]:
    for column, cell in zip(columns, cells, strict=True):
        if isinstance(cell, Markup) and cell.startswith("<td"):
            yield cell
        elif column.heads:
            yield _cell("th", cell, column.kind, scope="row")
        else:
            yield _cell("td", cell, column.kind)


def _cell(element: str, content: str, kind: str, **attributes: str) -> Markup:
    return tag(element, content, **({"class_": kind} if kind else {}), **attributes)
