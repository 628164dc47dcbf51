"""The texts of the page in each language: for its templates, and as a module in front of its scripts.

Laws: a catalogue has the same keys and parameters in every language. A language that is not known is English.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

import msgspec

LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "de": "Deutsch", "es": "Español", "fr": "Français"}
"""What the page speaks: the code of each language and its own name."""
DEFAULT_LANGUAGE: Final = "en"
LANGUAGE_COOKIE: Final = "language"
MAX_ACCEPTED: Final = 20
"""How many languages of a browser's list are looked at."""
_PARAMETER: Final = re.compile(r"\{(\w+)\}")


@cache
def catalogue(language: str) -> Mapping[str, str | dict[str, str]]:
    """All texts of this language by key; a text with plural forms has one for each form."""
    file = resources.files("wateringhole.web").joinpath("static", "text", f"{language}.json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, str | dict[str, str]])


def text(language: str, key: str, **parameters: str | int) -> str:
    """The text of this key with its parameters; `count` chooses among plural forms."""
    entry = catalogue(language)[key]
    form = entry if isinstance(entry, str) else entry[_plural_form(language, int(parameters["count"]))]
    return _PARAMETER.sub(lambda found: str(parameters[found[1]]), form)


def _plural_form(language: str, count: int) -> str:
    return "one" if count == 1 or (language == "fr" and count == 0) else "other"


def text_module(language: str) -> bytes:
    """The module that gives the page its texts; it must run before all that shows any."""
    texts = json.dumps(catalogue(language), ensure_ascii=False, separators=(",", ":"))
    return f'import {{ useTexts }} from "../shared/text.js";\nuseTexts("{language}", {texts});\n'.encode()


def preferred_language(chosen: str | None, accepted: str) -> str:
    """The language of a visitor: the one chosen on the page, else the first of the browser's list that is known."""
    if chosen in LANGUAGES:
        return chosen
    offered = sorted(map(_with_weight, accepted.split(",")[:MAX_ACCEPTED]), key=lambda pair: -pair[1])
    return next((code for code, weight in offered if weight > 0 and code in LANGUAGES), DEFAULT_LANGUAGE)


def _with_weight(offer: str) -> tuple[str, float]:
    """A language of an Accept-Language header without its region, and how much it is wanted."""
    tag, _, weight = offer.partition(";q=")
    code = tag.strip().partition("-")[0].lower()
    try:
        return code, float(weight or 1)
    except ValueError:
        return code, 0.0
