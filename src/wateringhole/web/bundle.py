"""Joins the ES modules of a page into one script, so that a slow line does not wait for import after import.

Each module becomes a function that returns its exports, behind the modules that it imports; names of one module are
unknown to the others, as before. Comments on lines of their own are left out: a third of our modules is types. Modules
must keep to the forms of import and export that are known here; any other is a ValueError.
"""

import posixpath
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

_IMPORT: Final = re.compile(r'^import \{([\w,\s]+)\} from "(\.\.?/[\w./-]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
_COMMENT: Final = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


def bundle(files: Mapping[str, bytes], *entries: str) -> str:
    """The modules `entries` and all that they need as one script; `files` are those of the folder static, by path."""
    done: dict[str, str] = {}
    for entry in entries:
        _gather(entry, files, done, ())
    return "".join(done.values())


def _gather(path: str, files: Mapping[str, bytes], done: dict[str, str], above: tuple[str, ...]) -> None:
    if path in above:
        raise ValueError(f"modules import each other in a circle: {', '.join((*above, path))}")
    if path in done:
        return
    module = _joined(path, files[path])
    for imported in module.imports:
        _gather(imported, files, done, (*above, path))
    done[path] = module.script


class _Module(Struct, frozen=True):
    """A module as a part of a script, and the paths of those that it imports."""

    imports: tuple[str, ...]
    script: str


@lru_cache(512)  # most modules are part of several pages, in each language
def _joined(path: str, source: bytes) -> _Module:
    text = source.decode()
    imports = tuple(_imported(path, found) for found in _IMPORT.finditer(text))
    exports = ", ".join(_EXPORT.findall(text))
    text = _IMPORT.sub(lambda found: f"const {{{found[1]}}} = {_variable(_imported(path, found))};\n", text)
    text = _COMMENT.sub("", _EXPORT.sub("", text))
    if left := _LEFT.search(text):
        raise ValueError(f"{path} has a line that cannot go into one script: {left[0]}")
    return _Module(imports, f"const {_variable(path)} = (() => {{\n{text}return {{ {exports} }};\n}})();\n")


def _imported(path: str, found: re.Match[str]) -> str:
    """The path of the module that an import in the module at `path` names."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), found[2]))


def _variable(path: str) -> str:
    """The variable with the exports of a module; no name in our modules begins with a dollar sign."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))
