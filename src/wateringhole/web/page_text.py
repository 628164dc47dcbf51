"""The texts of the page in each language: for its templates, and as a module in front of its scripts.

Laws: a catalogue has the same keys and parameters in every language. A language that is not known is English. A key
stands in the source as it is, or begins a template literal; so a script can be given the texts that it may show, and no
others.
"""

import json
import re
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Final

import msgspec
from starlette.requests import HTTPConnection

LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "de": "Deutsch", "es": "Español", "fr": "Français"}
"""What the page speaks: the code of each language and its own name."""
DEFAULT_LANGUAGE: Final = "en"
LANGUAGE_COOKIE: Final = "language"
MAX_ACCEPTED: Final = 20
"""How many languages of a browser's list are looked at."""
_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_OFFER: Final = re.compile(r"([a-z]{1,8})(?:-[a-z0-9]{1,8})*(?:;q=([01](?:\.[0-9]{0,3})?))?")
_NAMED: Final = re.compile(r"[\"`]([\w-]+(?:\.[\w-]+)*)(?:\"|(\.)\$\{(?!string\}))")
"""What may be a key in a script, or the beginning of one; in a type, `string` stands for any rest."""
_OF_TEXT_MODULE: Final = frozenset({"ordinal"})
"""Keys that shared/text.js uses by itself."""


@cache
def catalogue(language: str) -> Mapping[str, str | dict[str, str]]:
    """All texts of this language by key; a text with plural forms has one for each form."""
    file = resources.files("wateringhole.web").joinpath("static", "text", f"{language}.json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, str | dict[str, str]])


def text(language: str, key: str, **parameters: str | int) -> str:
    """The text of this key with its parameters; `count` chooses among plural forms."""
    entry = catalogue(language)[key]
    form = entry if isinstance(entry, str) else entry[plural_form(language, int(parameters["count"]))]
    return _PARAMETER.sub(lambda found: str(parameters[found[1]]), form)


def plural_form(language: str, count: int) -> str:
    """The form for so many, below a million."""
    return "one" if count == 1 or (language == "fr" and count == 0) else "other"


def text_module(language: str, script: str, switch: bool = True) -> bytes:
    """The module that gives this script its texts, and with `switch` the languages to offer; it runs before all that
    shows any text.
    """
    keys, texts = keys_in(script), catalogue(language)
    shown = _json({key: texts[key] for key in texts if key in keys})
    names = _json(LANGUAGES if switch else {})
    return f'import {{ useTexts }} from "../shared/text.js";\nuseTexts("{language}", {shown}, {names});\n'.encode()


@lru_cache(32)
def keys_in(source: str) -> frozenset[str]:
    """The keys that a script or a template may use."""
    named = {*_NAMED.findall(source)}
    beginnings = tuple(f"{word}." for word, begins in named if begins)
    words = {word for word, begins in named if not begins}
    known = catalogue(DEFAULT_LANGUAGE)
    return _OF_TEXT_MODULE | {key for key in known if key in words or key.startswith(beginnings)}


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def language_of(connection: HTTPConnection, spoken: Collection[str] = LANGUAGES) -> str:
    """The language of this visitor, of those that are `spoken`."""
    accepted = connection.headers.get("accept-language", "")
    wanted = preferred_language(connection.cookies.get(LANGUAGE_COOKIE), accepted)
    return wanted if wanted in spoken else DEFAULT_LANGUAGE


def preferred_language(chosen: str | None, accepted: str) -> str:
    """The language of a visitor: the one chosen on the page, else the first of the browser's list that is known."""
    if chosen is not None and chosen in LANGUAGES:
        return chosen
    offers = accepted.lower().replace(" ", "").split(",")[:MAX_ACCEPTED]
    offered = sorted(map(_with_weight, offers), key=lambda pair: -pair[1])
    return next((code for code, weight in offered if weight > 0 and code in LANGUAGES), DEFAULT_LANGUAGE)


def _with_weight(offer: str) -> tuple[str, float]:
    """A language of an Accept-Language header without its region, and how much it is wanted."""
    found = _OFFER.fullmatch(offer)
    return (found[1], float(found[2] or 1)) if found else ("", 0.0)
