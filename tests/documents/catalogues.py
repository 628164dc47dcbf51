"""The catalogues of the page's texts in the one order and form that makes their changes easy to read."""

import json
from pathlib import Path
from typing import Final

import wateringhole.web
from wateringhole.web.page_text import LANGUAGES

FOLDER: Final = Path(wateringhole.web.__file__).parent / "static" / "text"
CATALOGUES: Final = {language: FOLDER / f"{language}.json" for language in LANGUAGES}


def in_order(catalogue: str) -> str:
    """The same catalogue with one line for each key, sorted by key."""
    entries = sorted(json.loads(catalogue).items())
    lines = (f"  {json.dumps(key)}: {json.dumps(entry, ensure_ascii=False)}" for key, entry in entries)
    return "{\n" + ",\n".join(lines) + "\n}\n"
