"""Names of players and other text of users: cleaned for any screen and for Markdown, and told apart.

Laws: pure.
"""

import unicodedata
from collections.abc import Collection
from typing import Final

MAX_NAME_CHARS: Final = 64
MARKUP: Final = str.maketrans({char: f"\\{char}" for char in "\\`*_[]<>|~&#!$"})
"""What Markdown takes for more than a character."""


def cleaned(name: str) -> str:
    """A name that can be shown anywhere: printable, on one line, of a limited length; it may be empty."""
    kept = "".join(char if char.isprintable() else " " for char in unicodedata.normalize("NFC", name))
    return " ".join(kept.split())[:MAX_NAME_CHARS].rstrip()


def printable(text: str, kept: str = "") -> str:
    """The text with a question mark for each character that no screen can show, but for those that are kept."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in kept else "?" for char in text)


def markdown_text(text: str) -> str:
    """The text on one line of Markdown, where it means nothing but itself."""
    line = " ".join(printable(text).split())
    return line.translate(MARKUP).replace("://", "\\://")  # or some viewers would make a link of it


def numbered(name: str, taken: Collection[str]) -> str:
    """This name, or the first of "NAME 2", "NAME 3" and so on that is not taken."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name[: MAX_NAME_CHARS - len(f' {number}')]} {number}"
    return found
