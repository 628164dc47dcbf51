"""Compiles the core with mypyc where that is possible; anywhere else the same source runs as plain Python.

No failure to compile makes an installation fail, unless WATERINGHOLE_COMPILED=1 asks for that. WATERINGHOLE_PURE=1
builds without any attempt.
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CORE = [
    "value",
    "traits",
    "cards",
    "species",
    "player",
    "rulebook",
    "moves",
    "packed",
    "game",
    "rules/attack",
    "rules/deal",
    "rules/feeding",
    "rules/cardplay",
    "rules/turn",
    "worlds",
    "view",
    "dealer",
    "playout",
    "agents/silly",
    "agents/rash",
    "agents/greedy",
    "agents/styles",
    "table",
]
"""What a game runs through. Modules that define Structs are not among them: mypyc drops `frozen` and `tag` silently."""

PURE = os.environ.get("WATERINGHOLE_PURE") == "1"
STRICT = os.environ.get("WATERINGHOLE_COMPILED") == "1"


def core() -> list[Extension]:
    """The core in C, or nothing."""
    if PURE:
        return []
    try:
        if os.name == "posix":  # mypycify takes half a minute before the first file is compiled
            compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
            subprocess.run([*compiler, "--version"], check=True, capture_output=True)  # noqa: S603
        from mypyc.build import mypycify

        sources = [f"src/wateringhole/{module}.py" for module in CORE]
        extensions: list[Extension] = mypycify(sources, opt_level="3", debug_level="0", group_name="wateringhole")
    except (Exception, SystemExit) as error:  # mypycify exits on a type error
        give_up(error)
        return []
    return extensions


class AllOrNothing(build_ext):
    """Half a compiled core could not be imported: if a part of it fails, none of it is installed."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:
            give_up(error)
            for output in self.get_outputs():
                Path(output).unlink(missing_ok=True)


def give_up(error: BaseException) -> None:
    if STRICT:
        raise error
    print(f"wateringhole: the core stays plain Python: {type(error).__name__}: {error}", file=sys.stderr)


for left_over in Path("build").glob("lib*"):  # what an earlier build has made would be shipped again
    shutil.rmtree(left_over)
setup(ext_modules=core(), cmdclass={"build_ext": AllOrNothing})
