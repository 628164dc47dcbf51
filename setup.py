"""Compiles the core with mypyc where that is possible; anywhere else the same source runs as plain Python.

No failure to compile makes an installation fail, except in CI, where it must not go unnoticed. WATERINGHOLE_PURE=1
builds without any attempt.
"""

import os
import sys

from setuptools import Extension, setup

CORE = [
    "value",
    "cards",
    "species",
    "player",
    "rulebook",
    "moves",
    "game",
    "rules/attack",
    "rules/deal",
    "rules/feeding",
    "rules/cardplay",
    "rules/turn",
    "view",
    "dealer",
    "playout",
    "agents/silly",
    "agents/rash",
    "table",
]
"""What a game runs through. Modules that define Structs are not among them: mypyc drops `frozen` and `tag` silently."""


def core() -> list[Extension]:
    if os.environ.get("WATERINGHOLE_PURE") == "1":
        return []
    strict = "CI" in os.environ
    try:
        from mypyc.build import mypycify

        sources = [f"src/wateringhole/{module}.py" for module in CORE]
        extensions: list[Extension] = mypycify(sources, opt_level="3", debug_level="0", group_name="wateringhole")
    except (Exception, SystemExit) as error:  # mypycify exits on a type error
        if strict:
            raise
        print(f"wateringhole: the core stays plain Python: {type(error).__name__}: {error}", file=sys.stderr)
        return []
    for extension in extensions:
        extension.optional = not strict
    return extensions


setup(ext_modules=core())
