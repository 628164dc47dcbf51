"""Compiles the kernel into a folder: as it is, or with one text of its source replaced by another."""

import importlib.util
import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

SOURCE = Path(__file__).parents[2] / "src" / "wateringhole" / "kernel"
PARTS = ("kernel", "positions", "policies", "drafts", "draft_move", "network", "network_binding", "binding")
FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off")


def compiler() -> list[str]:
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")


def compile_part(part: str, source: Path, folder: Path, *flags: str) -> Path:
    """An object file of one C file."""
    target = folder / f"{part}.o"
    includes = [f"-I{SOURCE}", f"-I{sysconfig.get_path('include')}"]
    command = [*compiler(), *FLAGS, *flags, *includes, "-c", str(source), "-o", str(target)]
    subprocess.run(command, check=True)
    return target


def link(objects: list[Path], folder: Path, *flags: str) -> Path:
    """The extension module."""
    target = folder / "_kernel.so"
    subprocess.run([*compiler(), "-shared", *flags, *map(str, objects), "-o", str(target)], check=True)
    return target


def build(folder: Path, *flags: str) -> Path:
    """The kernel as it is. KERNEL_FLAGS has more flags, such as those of the sanitizers."""
    more = (*flags, *shlex.split(os.environ.get("KERNEL_FLAGS", "")))
    return link([compile_part(part, SOURCE / f"{part}.c", folder, *more) for part in PARTS], folder, *more)


def mutated(folder: Path, objects: list[Path], part: str, old: str, new: str) -> Path:
    """The kernel with another text in this part; `objects` are those of the other parts."""
    text = (SOURCE / f"{part}.c").read_text()
    assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {part}.c"
    folder.mkdir()
    source = folder / f"{part}.c"
    source.write_text(text.replace(old, new))
    return link([compile_part(part, source, folder, "-O0", "-Wno-error", "-w"), *objects], folder)


def loaded(path: Path) -> ModuleType:
    """The module of this file; one of each file may be loaded beside the others."""
    spec = importlib.util.spec_from_file_location("_kernel", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.stdout.write(f"{build(Path(sys.argv[1]))}\n")
