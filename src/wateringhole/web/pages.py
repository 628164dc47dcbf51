"""The HTML pages, rendered from the folder templates.

Laws: a template escapes every value that it is given, but for the script and the style of our own that replay_file.html
marks as safe. The pages of the server are rendered once, when it starts.
"""

from collections.abc import Mapping
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import Struct

from wateringhole.web.static_files import StaticFile, static_file

_TEMPLATES: Final = Environment(
    loader=PackageLoader("wateringhole.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    auto_reload=False,
)
_TEMPLATES.policies["json.dumps_kwargs"] = {"separators": (",", ":")}


class PageFiles(Struct, frozen=True):
    """What a page loads, by path below the folder static; a later style sheet overrides an earlier one."""

    script: str
    styles: tuple[str, ...]


_BASE: Final = "shared/base.css"
_PIECES: Final = (_BASE, "pieces/pieces.css", "pieces/drawings.css")
_LISTS: Final = ("lobby/lobby.css", "archive/lists.css")
_TABLE: Final = (
    "table/table.css",
    "table/own_side.css",
    "table/motions.css",
    "table/tour.css",
    "table/small_screens.css",
)
_GAME_END: Final = "shared/game_end.css"

PAGES: Final[Mapping[str, PageFiles]] = {
    "lobby.html": PageFiles("lobby/lobby.js", (*_PIECES, *_LISTS)),
    "table.html": PageFiles("table/table.js", (*_PIECES, _GAME_END, *_TABLE)),
    "replay.html": PageFiles("replay/replay.js", (*_PIECES, _GAME_END, "replay/chronicle.css", "replay/replay.css")),
    "games.html": PageFiles("archive/games.js", (_BASE, *_LISTS)),
    "ladder.html": PageFiles("archive/ladder.js", (_BASE, *_LISTS)),
    "player.html": PageFiles("archive/player.js", (_BASE, *_LISTS)),
    "tournaments.html": PageFiles("archive/tournaments.js", (_BASE, *_LISTS)),
    "tournament.html": PageFiles("archive/tournament.js", (_BASE, *_LISTS)),
    "rules.html": PageFiles("shared/apply_settings.js", (_BASE, "rules/rules.css")),
    "not_found.html": PageFiles("shared/apply_settings.js", (_BASE, *_LISTS)),
}
"""The pages of the server, by template."""


def rendered(template: str, **values: object) -> str:
    """The HTML that this template makes of these values."""
    return _TEMPLATES.get_template(template).render(values)


def pages() -> Mapping[str, StaticFile]:
    """All pages of the server, by template."""
    return {
        template: static_file(rendered(template, script=files.script, styles=files.styles).encode(), "text/html")
        for template, files in PAGES.items()
    }
