"""A replay as one HTML file that needs no server and no network.

Laws: the file refers to nothing outside itself, and its policy forbids it to. Whatever players are called stays data:
no name can become markup or script.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import partial
from typing import Final

from wateringhole.web.page_text import text
from wateringhole.web.pages import PAGES, rendered, spoken_bundle
from wateringhole.wire.framing import Json

SERVED: Final = PAGES["replay.html"]
"""The page of the server that the file is made of."""


def replay_file(replay: Mapping[str, Json], files: Mapping[str, bytes], language: str) -> bytes:
    """The whole file in this language; `files` are those of the folder static, by path."""
    style = "".join(files[path].decode() for path in SERVED.styles)
    script = f'"use strict";\n(() => {{\n{spoken_bundle(files, language, SERVED.script, switch=False)}}})();\n'
    html = rendered(
        "replay_file.html",
        language=language,
        text=partial(text, language),
        policy=_policy(script, style),
        icon=f"data:image/svg+xml;base64,{base64.b64encode(files['icon.svg']).decode()}",
        style=_inside("style", style),
        script=_inside("script", script),
        replay=replay,
        rulebook=json.loads(files["rules/rulebook.json"]),
    )
    return html.encode(errors="replace")


def _inside(element: str, text: str) -> str:
    """Text of our own files that can stand in this element as it is."""
    if f"</{element}" in text.lower():
        raise ValueError(f"a file for the page holds </{element}, which would end it")
    return text


def _policy(script: str, style: str) -> str:
    """Only this script and this style run; nothing is fetched, sent or framed."""
    rules = [
        "default-src 'none'",
        f"script-src '{_hash(script)}'",
        f"style-src '{_hash(style)}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join(rules)


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
