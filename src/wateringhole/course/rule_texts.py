"""The text of each rule, from the rule book that the page shows."""

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from wateringhole import rulebook

RULE_BOOK: Final = Path(__file__).parent.parent / "web" / "templates" / "rules_text.html"
SILLY: Final = "The silly player"
"""The heading of the part about the silly player, which is no rule and has no id."""


@cache
def rule_texts() -> dict[str, str]:
    """The text of each rule as Markdown, by its id; and that about the silly player."""
    reader = _RuleReader()
    reader.feed(RULE_BOOK.read_text(encoding="utf-8"))
    reader.close()
    return {name: "".join(lines).replace("; \n", "\n").strip() for name, lines in reader.found.items()}


class _RuleReader(HTMLParser):
    """Collects what stands under the heading of each rule."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, list[str]] = {name: [] for name in (*rulebook.ALL, SILLY)}
        self._under: str | None = None
        self._heading = ""
        self._items: list[int | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  # of the parser
        if tag in {"h1", "h2", "h3"}:
            self._under, self._heading = None, tag
        elif tag in {"ol", "ul"}:
            self._items.append(0 if tag == "ol" else None)
        elif tag == "li":
            number = self._items[-1]
            if number is not None:
                self._items[-1] = number + 1
            self._write("\n* " if number is None else f"\n{number + 1}. ")
        elif tag in {"p", "pre", "table"} and not self._items:
            self._write("\n\n")
        elif tag == "tr":
            self._write("\n* ")
        elif tag in MARKS:
            self._write(MARKS[tag])

    def handle_endtag(self, tag: str) -> None:
        if tag == self._heading:
            self._heading = ""
        elif tag in {"ol", "ul"}:
            self._items.pop()
        elif tag in {"td", "th"}:
            self._write("; ")
        elif tag in MARKS:
            self._write(MARKS[tag])

    def handle_data(self, data: str) -> None:
        if self._heading:
            name = data.strip()
            self._under = name if name in self.found else self._under
        elif data.strip():
            self._write(data.replace("\n", " "))

    def _write(self, text: str) -> None:
        if self._under is not None:
            self.found[self._under].append(text)


MARKS: Final = {"strong": "**", "em": "*", "code": "`"}
