"""The rule book for the browser: docs/rules.md as a page, and its rules as texts for tooltips.

Laws: nothing is said here that docs/rules.md does not say. Raw HTML stays text; a link that leaves the page becomes
text, because the page is also read where nothing else is.
"""

import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

import wateringhole
from wateringhole import rulebook
from wateringhole.traits import Trait
from wateringhole.wire.framing import Json

SOURCE: Final = Path(__file__).parents[2] / "docs" / "rules.md"
_WEB: Final = Path(wateringhole.__file__).parent / "web"
RULES_TEXT: Final = _WEB / "templates" / "rules_text.html"
RULES_CONTENTS: Final = _WEB / "templates" / "rules_contents.html"
RULEBOOK: Final = _WEB / "static" / "rules" / "rulebook.json"

MAX_TEXT_CHARS: Final = 300
"""Characters of a tooltip; it ends with the last sentence that fits."""

_PARSER: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


# The page.


def rules_text() -> str:
    """All of rules_text.html."""
    return _included(_rendered(_parsed()))


def rules_contents() -> str:
    """All of rules_contents.html."""
    return _included(_contents(_parsed()))


def _included(html: str) -> str:
    """HTML that templates/rules.html takes as it is, whatever braces are in it."""
    return f"{{% raw %}}{html}{{% endraw %}}\n"


def anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _parsed() -> list[Token]:
    """The text of the rules with anchors on its headings and on the rows of its traits."""
    tokens = _PARSER.parse(SOURCE.read_text(encoding="utf-8"))
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor(tokens[at + 1].content))
        elif token.type == "tr_open" and tokens[at + 2].content in set(Trait):
            token.attrSet("id", f"trait-{tokens[at + 2].content}")
        elif token.type == "fence":
            token.info = ""  # the tag of an example is for the tests
        elif token.children:
            token.children = list(_without_ways_out(token.children))
    return tokens


def _without_ways_out(tokens: Sequence[Token]) -> Iterator[Token]:
    """A line without the links to other pages; their text stays."""
    inside = True
    for token in tokens:
        if token.type == "link_open":
            inside = str(token.attrGet("href")).startswith("#")
        if inside or token.type not in {"link_open", "link_close"}:
            yield token


def _rendered(tokens: list[Token]) -> str:
    """The text as HTML."""
    html = RendererHTML().render(list(_boxed(tokens)), _PARSER.options, {})
    return html.replace("<pre>", '<pre tabindex="0">')


def _boxed(tokens: list[Token]) -> Iterator[Token]:
    """Each table in a box of its own, which scrolls where the table is too wide, and which a keyboard can reach."""
    heading = ""
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = tokens[at + 1].content
        if token.type == "table_open":
            label = escape(f"Table: {heading}")
            yield _markup(f'<div class="rules-wide" role="region" aria-label="{label}" tabindex="0">\n')
        yield token
        if token.type == "table_close":
            yield _markup("</div>\n")


def _markup(html: str) -> Token:
    return Token("html_block", "", 0, content=html)


def _contents(tokens: list[Token]) -> str:
    """A list of all headings, those of rules below those of their part."""
    lines: list[str] = []
    depth = 1
    for at, token in enumerate(tokens):
        if token.type != "heading_open" or token.tag == "h1":
            continue
        level, title = int(token.tag[1]), tokens[at + 1].content
        if level > depth:
            lines.append("<ul>")
        else:
            lines.append("</li>" + "</ul></li>" * (depth - level))
        lines.append(f'<li><a href="#{token.attrGet("id")}">{escape(title)}</a>')
        depth = level
    return "\n".join([*lines, "</li></ul>" * (depth - 1)]) + "\n"


# The texts.


def rulebook_text() -> str:
    """All of rulebook.json."""
    tokens = _PARSER.parse(SOURCE.read_text(encoding="utf-8"))
    value: dict[str, Json] = {"rules": _rules(tokens)}
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _rules(tokens: list[Token]) -> dict[str, Json]:
    """Each rule by its id: the heading, and what its first paragraph says."""
    rules: dict[str, Json] = {}
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and tokens[at + 1].content in rulebook.ALL:
            heading = tokens[at + 1].content
            rules[heading] = {"title": heading, "text": shortened(_first_paragraph(tokens[at + 3 :]))}
    return rules


def _first_paragraph(tokens: list[Token]) -> str:
    """What the first paragraph says; one that ends with a colon goes on with the list or table behind it."""
    text = plain(tokens[1])
    if not text.endswith(":"):
        return text
    behind = tokens[3:]
    if behind[0].type != "table_open":
        return f"{text} {' '.join(_inside(behind, 'list_item_open', 2))}"
    return f"{text} {', '.join(_inside(behind, 'tr_open', 2)[1:])}."


def _inside(tokens: list[Token], opening: str, line: int) -> list[str]:
    """In the block that begins here: the line that lies so far behind each of these openings."""
    closing = tokens[0].type.replace("open", "close")
    end = next(at for at, token in enumerate(tokens) if token.type == closing)
    return [plain(tokens[at + line]) for at in range(end) if tokens[at].type == opening]


def plain(line: Token) -> str:
    """What this line says, without marks and links."""
    return "".join(" " if part.type == "softbreak" else part.content for part in line.children or ())


def shortened(text: str) -> str:
    """As many sentences from the beginning as fit, one at least."""
    kept, *rest = re.split(r"(?<=[.:]) (?=[A-Z0-9`])", text)
    for sentence in rest:
        if len(kept) + 1 + len(sentence) > MAX_TEXT_CHARS:
            break
        kept += f" {sentence}"
    return kept
