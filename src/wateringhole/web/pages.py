"""The HTML pages, rendered from the folder templates, and the one script and the one style sheet of each.

Laws: a template escapes every value that it is given, but for the script and the style of our own that replay_file.html
marks as safe. A page is rendered once for each language, when the server starts; one with a link preview, once for each
preview.
"""

from collections.abc import Collection, Mapping
from functools import lru_cache, partial
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import Struct

from wateringhole.web.bundle import bundle
from wateringhole.web.page_text import DEFAULT_LANGUAGE, LANGUAGES, text, text_module
from wateringhole.web.static_files import StaticFile, lasting_name, static_files

MAX_PREVIEWED: Final = 256
"""How many pages with a link preview are kept; more are rendered again."""

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
    """What a page is made of, by path below the folder static; a later style sheet overrides an earlier one."""

    script: str
    styles: tuple[str, ...]


_BASE: Final = "shared/base.css"
_PRINT: Final = "shared/print.css"
"""Overrides all others on paper."""
_PIECES: Final = (_BASE, "pieces/pieces.css", "pieces/drawings.css")
_LISTS: Final = ("lobby/lobby.css", "archive/lists.css", _PRINT)
_TABLE: Final = (
    "table/table.css",
    "table/story.css",
    "table/own_side.css",
    "table/dock.css",
    "table/hint_line.css",
    "table/motions.css",
    "table/tour.css",
    "table/small_screens.css",
    _PRINT,
)
_REPLAY: Final = ("table/story.css", "table/motions.css", "replay/chronicle.css", "replay/replay.css", _PRINT)
_GAME_END: Final = "shared/game_end.css"
HEADER: Final = "shared/header.js"
"""Runs on every page, behind the page's own script."""

PAGES: Final[Mapping[str, PageFiles]] = {
    "lobby.html": PageFiles("lobby/lobby.js", (*_PIECES, "lobby/turn_picture.css", *_LISTS)),
    "learn.html": PageFiles("learn/learn.js", (*_PIECES, "learn/learn.css", *_TABLE)),
    "table.html": PageFiles("table/table.js", (*_PIECES, _GAME_END, *_TABLE)),
    "replay.html": PageFiles("replay/replay.js", (*_PIECES, _GAME_END, *_REPLAY)),
    "games.html": PageFiles("archive/games.js", (_BASE, *_LISTS)),
    "ladder.html": PageFiles("archive/ladder.js", (_BASE, *_LISTS)),
    "player.html": PageFiles("archive/player.js", (_BASE, *_LISTS)),
    "tournaments.html": PageFiles("archive/tournaments.js", (_BASE, *_LISTS)),
    "tournament.html": PageFiles("archive/tournament.js", (_BASE, *_LISTS)),
    "rules.html": PageFiles("shared/apply_settings.js", (_BASE, "rules/rules.css", _PRINT)),
    "not_found.html": PageFiles("shared/apply_settings.js", (_BASE, *_LISTS)),
}
"""The pages of the server, by template."""
PAGE_FILES: Final = "pages"
"""The folder, below static in addresses, of the joined files."""


def rendered(template: str, **values: object) -> str:
    """The HTML that this template makes of these values."""
    return _TEMPLATES.get_template(template).render(values)


class Preview(Struct, frozen=True):
    """What a chat shows of a link to a page; `origin` is the scheme and the host of the link."""

    origin: str
    title: str
    text: str


MISSING: Final = ("page", "table", "game", "player", "tournament")
"""What an address can lead to that does not exist."""
ENGLISH: Final = frozenset({"rules.html"})
"""The pages that there are in no other language."""


class Site:
    """All that is served from memory: the pages, and the files that they load by path and by lasting name."""

    def __init__(self) -> None:
        sources = static_files()
        self.sources: Final = {path: file.data for path, file in sources.items()}
        self.files: Final = {**sources, **_joined(self.sources)}
        self.lasting: Final = {lasting_name(path, file): file for path, file in self.files.items()}
        self._addresses: Final = {path: f"/static/{lasting_name(path, file)}" for path, file in self.files.items()}
        self.pages: Final = {
            (language, template): self._page(language, template)
            for template in PAGES
            for language in languages_of(template)
            if template != "not_found.html"
        }
        self.missing: Final = {
            (language, what): self._page(
                language,
                "not_found.html",
                heading=text(language, f"missing.{what}.heading"),
                sentence=text(language, f"missing.{what}.text"),
            )
            for what in MISSING
            for language in LANGUAGES
        }
        self.previewed: Final = lru_cache(MAX_PREVIEWED)(self._previewed)

    def _previewed(self, language: str, template: str, preview: Preview) -> StaticFile:
        """This page with this link preview."""
        return self._page(language, template, preview=preview)

    def _page(self, language: str, template: str, **values: object) -> StaticFile:
        name = template.removesuffix(".html")
        html = rendered(
            template,
            address=self._addresses,
            language=language,
            text=partial(text, language),
            script=script_path(language, name),
            style=f"{PAGE_FILES}/{name}.css",
            **values,
        )
        return StaticFile(html.encode(errors="replace"), "text/html")


def languages_of(template: str) -> Collection[str]:
    """The languages that this page can be had in."""
    return {DEFAULT_LANGUAGE} if template in ENGLISH else LANGUAGES.keys()


def script_path(language: str, page: str) -> str:
    """Where the script of this page is in this language, below static."""
    return f"{PAGE_FILES}/{language}/{page}.js"


def _joined(sources: Mapping[str, bytes]) -> dict[str, StaticFile]:
    """The script of each page in each language, and the style sheet of each page, each as one file."""
    found = {}
    for template, files in PAGES.items():
        name = template.removesuffix(".html")
        for language in languages_of(template):
            script = spoken_bundle(sources, language, files.script, HEADER)
            found[script_path(language, name)] = StaticFile(script.encode(), "text/javascript")
        found[f"{PAGE_FILES}/{name}.css"] = StaticFile(b"".join(sources[style] for style in files.styles), "text/css")
    return found


def spoken_bundle(sources: Mapping[str, bytes], language: str, *entries: str, switch: bool = True) -> str:
    """The modules `entries` as one script, behind their texts in this language; `switch`: it can offer the others."""
    texts = f"text/{language}.js"
    module = text_module(language, bundle(sources, *entries), switch)
    return bundle({**sources, texts: module}, texts, *entries)
