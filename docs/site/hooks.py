"""Hooks of MkDocs: pages from outside docs/, links between them, parts of other pages, the moving picture of a turn.

Laws: a page has one source, which a code host shows as well. A link is written for the source; here it becomes a link
of the site. A link that leads out of the site stays as it is, and MkDocs refuses it.
"""

import posixpath
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from wateringhole.web.page_text import DEFAULT_LANGUAGE, text
from wateringhole.web.pages import spoken_bundle
from wateringhole.web.static_files import static_files

ROOT: Final = Path(__file__).parents[2]
KITS: Final = {"c": "bot.c", "java": "Bot.java", "javascript": "bot.mjs", "python": "bot.py"}
"""The starter kits and the file of each, in src/wateringhole/kits."""
SOURCES: Final = {
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
    **{f"kits/{kit}.md": f"src/wateringhole/kits/{kit}/README.md" for kit in KITS},
}
"""Pages of the site that are not in docs/, each with its source."""
PICTURE: Final = "turn_picture.html"
LINK: Final = re.compile(r"(?<=\]\()([^)#:\s]+)(?=[)#])")
FENCED: Final = re.compile(r"^(```+)\w*\n.*?^\1$", re.MULTILINE | re.DOTALL)
SECTION: Final = re.compile(r"^<!-- section: ([\w.]+)#([\w-]+) -->$", re.MULTILINE)
PICTURE_HERE: Final = "<!-- moving picture of a turn -->"

PICTURE_STYLES: Final = ("shared/base.css", "pieces/pieces.css", "pieces/drawings.css", "lobby/turn_picture.css")
PICTURE_LOOK: Final = """
html, body { margin: 0; min-height: 0; overflow: hidden; background: none; }
#turn-picture { width: 25rem; max-width: 100vw; box-sizing: border-box; margin: 0 auto; }
"""
PICTURE_SCRIPT: Final = """
document.getElementById("turn-picture").append(...$lobby_turn_picture.turnPicture());
addEventListener("message", (event) => {
  if (event.data === "light" || event.data === "dark") document.documentElement.dataset.theme = event.data;
});
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside docs/, the icon, and the moving picture as a page for a frame."""
    for path, source in SOURCES.items():
        files.append(File.generated(config, path, content=(ROOT / source).read_text(encoding="utf-8")))
    static = {path: file.data for path, file in static_files().items()}
    files.append(File.generated(config, "icon.svg", content=static["icon.svg"]))
    files.append(File.generated(config, PICTURE, content=turn_picture(static)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """The text of a page with its included parts, its links for the site and, on that of a kit, the kit's file."""
    path = page.file.src_uri
    markdown = SECTION.sub(lambda found: section(found[1], found[2]), markdown)
    markdown = markdown.replace(PICTURE_HERE, frame(path))
    markdown = outside_fences(markdown, lambda prose: LINK.sub(lambda found: site_link(found[1], path), prose))
    folder, _, name = path.rpartition("/")
    return kit_page(markdown, name.removesuffix(".md")) if folder == "kits" else markdown


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001
    """The finished page; the theme gives its search dialog no name, which screen readers need."""
    return output.replace('role="dialog">', 'role="dialog" aria-label="Search">', 1)


def outside_fences(markdown: str, change: Callable[[str], str]) -> str:
    """The text with its prose changed; what stands in fences is code, and stays."""
    parts, at = [], 0
    for fence in FENCED.finditer(markdown):
        parts += [change(markdown[at : fence.start()]), fence[0]]
        at = fence.end()
    return "".join([*parts, change(markdown[at:])])


def site_link(link: str, path: str) -> str:
    """The link of a page's source, which may lead to any file of the repository, as a link of the site."""
    source = SOURCES.get(path, f"docs/{path}")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
    pages = {source: page for page, source in SOURCES.items()}
    if target not in pages and not target.startswith("docs/"):
        return link
    return posixpath.relpath(pages.get(target, target.removeprefix("docs/")), posixpath.dirname(path) or ".")


def section(page: str, anchor: str) -> str:
    """What stands below the heading with this anchor in a page of docs/, up to the next heading of its level."""
    source = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for part in re.split(r"^## ", source, flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        if re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") == anchor:
            return body.strip().replace("](#", f"]({page}#")
    raise PluginError(f"docs/{page} has no heading ## with the anchor {anchor}")


def kit_page(markdown: str, kit: str) -> str:
    """The README of a kit with the command that writes the kit, and with the source of its bot."""
    heading, _, rest = markdown.partition("\n")
    source = (ROOT / "src/wateringhole/kits" / kit / KITS[kit]).read_text(encoding="utf-8")
    command = f"```sh\nwateringhole kit {kit} my-bot\n```\n\nThis writes `{KITS[kit]}` and, as `README.md`, this page."
    return f"{heading}\n\n{command}\n{rest}\n\n## The whole of {KITS[kit]}\n\n```{kit}\n{source}```\n"


def frame(path: str) -> str:
    """The element that shows the moving picture on this page; its look follows that of the site."""
    address = posixpath.relpath(PICTURE, posixpath.dirname(path) or ".")
    title = text(DEFAULT_LANGUAGE, "lobby.picture")
    return f'<iframe class="turn-picture" src="{address}" title="{title}" scrolling="no"></iframe>'


def turn_picture(static: Mapping[str, bytes]) -> str:
    """The moving picture of the lobby as a page that loads nothing; `static` has the files of the page by path."""
    style = "".join(static[path].decode() for path in PICTURE_STYLES) + PICTURE_LOOK
    script = spoken_bundle(static, DEFAULT_LANGUAGE, "lobby/turn_picture.js", switch=False) + PICTURE_SCRIPT
    title = text(DEFAULT_LANGUAGE, "lobby.picture")
    return (
        f'<!doctype html>\n<html lang="{DEFAULT_LANGUAGE}">\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f'<style>\n{style}</style>\n<div id="turn-picture" role="img" aria-label="{title}"></div>\n'
        f'<script>\n"use strict";\n(() => {{\n{script}}})();\n</script>\n</html>\n'
    )
