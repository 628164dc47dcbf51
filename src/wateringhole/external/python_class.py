"""Python classes that specs name: their files and modules, the names in them, and literal arguments."""

import ast
import importlib
import importlib.util
import stat
import sys
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Final, cast

MAX_SOURCE_BYTES: Final = 1_000_000
"""The size of a file that is read for the names in it; a larger file is checked when it is run."""


def module_trouble(name: str) -> str | None:
    """Only the outermost package is looked for: to look into it would run it."""
    outermost = name.partition(".")[0]
    _look_here()
    importlib.invalidate_caches()
    try:
        there = importlib.util.find_spec(outermost) is not None
    except ValueError:  # it is loaded, but not from a file
        there = True
    return None if there else f"no module {outermost}"


def top_level(path: Path) -> set[str] | None:
    """The top-level names of this file, without running it; None if they cannot be told by reading."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise ValueError(f"{path} is not a file")  # reading a pipe or a device might never end
        if about.st_size > MAX_SOURCE_BYTES:
            return None
        source = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    try:
        tree = ast.parse(source, str(path))
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"{path} is not Python: {error}") from None
    except (RecursionError, MemoryError):  # nested too deep for ast; it is checked when it is run
        return None
    found = set()
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {alias.asname or alias.name for alias in names}
            case ast.Assign() | ast.AnnAssign() | ast.Expr():
                found |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            case _:
                return None
    return None if "*" in found else found


def literal_arguments(call: str) -> tuple[list[object], dict[str, object]]:
    """The literals between the brackets."""
    try:
        parsed = ast.parse(f"f{call}", mode="eval").body
        assert isinstance(parsed, ast.Call)
        assert isinstance(parsed.func, ast.Name)
        assert all(item.arg is not None for item in parsed.keywords)
        positional = [cast(object, ast.literal_eval(item)) for item in parsed.args]
        keywords = {str(item.arg): cast(object, ast.literal_eval(item.value)) for item in parsed.keywords}
    except (SyntaxError, ValueError, TypeError, AssertionError, MemoryError, RecursionError):
        raise ValueError(f"the arguments {call:.80} are not Python literals, as in (3, name='Ann')") from None
    return positional, keywords


def module_of(where: str) -> ModuleType:
    """The module of a file, which may import what lies beside it, or the module of this name."""
    if not where.endswith(".py"):
        _look_here()
        return importlib.import_module(where)
    path = Path(where).resolve()
    name = f"_agent_{sha256(str(path).encode()).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    loader = importlib.util.spec_from_file_location(name, path)
    assert loader is not None
    assert loader.loader is not None
    module = importlib.util.module_from_spec(loader)
    sys.modules[name] = module
    try:
        loader.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _look_here() -> None:
    """Put the current folder on the import path."""
    if "" not in sys.path:
        sys.path.insert(0, "")
