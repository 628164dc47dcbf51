"""Builds the report of a tournament as one HTML file, from the template report.html.jinja.

Laws: a text is escaped unless it is Markup, and only the template and svg.py make Markup; so no name can become
anything but text. The same games give the same bytes, all but the reply times, which have a section of their own.
"""

from functools import cache
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from wateringhole.tournament.interval import MIN_DEALS
from wateringhole.tournament.report import charts
from wateringhole.tournament.report.data import ReportData
from wateringhole.tournament.report.figures import ends, number
from wateringhole.tournament.standings import only, percent, too_few
from wateringhole.traits import Trait
from wateringhole.wire.names import printable

MAX_LOST: Final = 20
"""So many of the records that are left out are named."""


def html(of: ReportData) -> str:
    """The file."""
    shown = of.shown
    return _template().render(
        of=of,
        told=of.told,
        study=of.study,
        only=only(of.told),
        too_few=too_few(of.told),
        most_liked=max((value for entry in of.entries for value in entry.likings or ()), default=0.0),
        strengths=charts.strengths([entry.row for entry in shown]),
        scores=charts.scores([entry.row.name for entry in shown], [entry.scores for entry in shown]),
        traits=charts.traits(of.traits),
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("wateringhole.tournament", "report"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(number=number, ends=ends, percent=percent)
    environment.globals.update(MIN_DEALS=MIN_DEALS, MAX_LOST=MAX_LOST, TRAITS=[trait.value for trait in Trait])
    return environment.get_template("report.html.jinja")


def _shown(value: object) -> object:
    """What the page writes for a value; what is Markup already is made of such values."""
    return printable(value, kept="\n") if isinstance(value, str) and not isinstance(value, Markup) else value
