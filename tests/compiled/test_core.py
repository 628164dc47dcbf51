"""Which core runs, and that compilation has taken nothing away."""

import ast
import importlib
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest

import wateringhole
from wateringhole.events import Event
from wateringhole.fault import Fault
from wateringhole.record import Record, Result
from wateringhole.value import COMPILED

ROOT = Path(__file__).parents[2]
CONFIG = ("frozen", "tag", "tag_field", "eq", "order", "forbid_unknown_fields", "omit_defaults", "array_like", "gc")


def names() -> Iterator[str]:
    for module in pkgutil.walk_packages(wateringhole.__path__, "wateringhole."):
        # A database's upgrades run only while one is upgraded; plain Python has no kernel; the others are programs.
        if not any(part in module.name for part in ("__main__", ".kits", ".migrations", "._kernel")):
            yield module.name


def structs() -> dict[str, str]:
    """Every Struct of ours by name, with all that was said of it where it was defined."""
    found = {}
    for name in names():
        for kind in vars(importlib.import_module(name)).values():
            if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == name:
                config = kind.__struct_config__
                said = [(word, getattr(config, word)) for word in CONFIG]
                found[f"{name}.{kind.__qualname__}"] = repr(said)
    return found


def python(source: str, pure: str) -> str:
    command = [sys.executable, "-c", source]
    env = os.environ | {"WATERINGHOLE_PURE": pure}
    return subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout


def core_modules() -> list[str]:
    """What setup.py compiles."""
    source = (ROOT / "setup.py").read_text()
    said = source[source.index("CORE = [") + len("CORE = [") : source.index("]\n")]
    return [f"wateringhole.{name.strip().strip(chr(34)).replace('/', '.')}" for name in said.split(",") if name.strip()]


def test_every_module_of_the_core_is_compiled() -> None:
    assert COMPILED
    assert len(core_modules()) == 26
    for name in core_modules():
        assert not str(importlib.import_module(name).__file__).endswith(".py"), name


def test_plain_python_can_be_had_beside_it() -> None:
    source = f"import importlib\nprint([importlib.import_module(name).__file__[-3:] for name in {core_modules()}])"
    assert python(source, "1").strip() == str([".py"] * len(core_modules()))


@pytest.mark.parametrize(("pure", "core"), [("0", "compiled core"), ("1", "core in plain Python")])
def test_the_version_says_which_core_runs(pure: str, core: str) -> None:
    command = "import wateringhole.cli as cli; cli.cli(['--version'])"
    assert python(command, pure).strip() == f"wateringhole {wateringhole.__version__}, {core}"


def test_every_struct_is_what_it_is_in_plain_python() -> None:
    """Compiled, a Struct would lose `frozen` and `tag`, and nothing would warn."""
    ours = structs()
    theirs = ast.literal_eval(python("from tests.compiled.test_core import structs; print(structs())", "1"))
    assert len(ours) > 80
    assert {name: theirs[name] for name in ours} == ours


def test_what_is_told_and_kept_is_still_frozen_and_tagged() -> None:
    for kind in (*get_args(Event), Fault):
        assert kind.__struct_config__.frozen
        assert kind.__struct_config__.tag
    for kind in (Record, Result):
        assert kind.__struct_config__.frozen
