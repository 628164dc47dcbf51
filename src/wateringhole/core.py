"""Tells which core runs: the compiled one where it has been built, plain Python if WATERINGHOLE_PURE is 1.

This is imported before everything else: from then on Python finds only sources in the folders of the core.
"""

import os
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path


def breathe() -> None:
    """Does nothing, in plain Python: on the way, Python hears a Ctrl-C and lets other threads run. Compiled code that
    is busy for long has to call it now and then, or it would do neither."""


if os.environ.get("WATERINGHOLE_PURE") == "1":
    package = Path(__file__).parent
    for folder in (package, package / "rules", package / "agents", package / "kernel"):
        sys.path_importer_cache[str(folder)] = FileFinder(str(folder), (SourceFileLoader, SOURCE_SUFFIXES))
