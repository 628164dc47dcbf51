"""A replay as one HTML file that needs no server and no network.

Laws: the file refers to nothing outside itself, and its policy forbids it to. Whatever players are called stays data:
no name can become markup or script. The modules are put behind each other as they are, so they must keep to the forms
of import and export that are known here; any other is a ValueError.
"""

import base64
import hashlib
import json
import posixpath
import re
from collections.abc import Mapping
from html import escape
from typing import Final

from wateringhole.wire.framing import Json

ENTRY: Final = "replay/replay.js"
TEMPLATE: Final = "replay.html"

_IMPORT: Final = re.compile(r'^import \{ [\w, ]+ \} from "(\.\.?/[\w./-]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async function|function|class|const) )", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_STYLESHEET: Final = re.compile(r'<link rel="stylesheet" href="/static/([\w./-]+)">\n')
_ICON: Final = '<link rel="icon" href="/static/icon.svg">\n'
_CHARSET: Final = '<meta charset="utf-8">\n'
_ENTRY_SCRIPT: Final = f'<script type="module" src="/static/{ENTRY}"></script>\n'


def page(replay: Mapping[str, Json], files: Mapping[str, bytes]) -> bytes:
    """The whole file; `files` are those of the folder static, by path."""
    html = files[TEMPLATE].decode()
    style = "".join(files[name].decode() for name in _STYLESHEET.findall(html))
    script = f'"use strict";\n(() => {{\n{bundle(files)}}})();\n'
    for text, end in ((style, "</style"), (script, "</script")):
        if end in text.lower():
            raise ValueError(f"a file for the page holds {end}, which would end it")
    data = _data("replay-data", replay) + _data("rulebook-data", json.loads(files["rules/rulebook.json"]))
    html = _STYLESHEET.sub("", html)
    html = _put(html, _CHARSET, f"{_CHARSET}{_policy(script, style)}")
    html = _put(html, _ICON, f"{_icon(files['icon.svg'])}<style>{style}</style>\n")
    html = _put(html, _ENTRY_SCRIPT, f"{data}<script>{script}</script>\n")
    return _titled(html, replay["names"]).encode(errors="replace")


def bundle(files: Mapping[str, bytes]) -> str:
    """The entry module and all that it needs as one script, each module behind those that it imports."""
    done: dict[str, str] = {}
    _gather(ENTRY, files, done, ())
    return "".join(done.values())


def _gather(name: str, files: Mapping[str, bytes], done: dict[str, str], above: tuple[str, ...]) -> None:
    if name in above:
        raise ValueError(f"modules import each other in a circle: {', '.join((*above, name))}")
    if name in done:
        return
    text = files[name].decode()
    for needed in _IMPORT.findall(text):
        _gather(posixpath.normpath(posixpath.join(posixpath.dirname(name), needed)), files, done, (*above, name))
    text = _EXPORT.sub("", _IMPORT.sub("", text))
    if left := _LEFT.search(text):
        raise ValueError(f"{name} has a line that cannot go into one script: {left[0]}")
    done[name] = text


def _data(name: str, value: object) -> str:
    """Data in the page. JSON in ASCII, and without a `<`, ends no element and no line of script."""
    text = json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>\n'


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
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(rules)}">\n'


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _icon(svg: bytes) -> str:
    return f'<link rel="icon" href="data:image/svg+xml;base64,{base64.b64encode(svg).decode()}">\n'


def _titled(html: str, names: Json) -> str:
    listed = ", ".join(map(str, names)) if isinstance(names, list) else ""
    title = f"<title>{escape(listed)} - wateringhole</title>"
    return re.sub(r"<title>.*?</title>", lambda _: title, html, count=1)


def _put(html: str, place: str, text: str) -> str:
    """The page with this text in the one place for it."""
    if html.count(place) != 1:
        raise ValueError(f"{TEMPLATE} does not have exactly one {place.strip()}")
    return html.replace(place, text)
