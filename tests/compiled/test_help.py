"""help() of the compiled core says what the source says."""

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path

from tests.cases import case

ROOT = Path(__file__).parents[2]


def compiled_modules() -> list[str]:
    """As setup.py lists them."""
    for node in ast.parse((ROOT / "setup.py").read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CORE":
            names: list[str] = ast.literal_eval(node.value)
            return names
    raise AssertionError("setup.py has no CORE")


def public(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node


def test_everything_public_has_the_docstring_of_its_source() -> None:
    count = 0
    for module in compiled_modules():
        loaded = importlib.import_module(f"wateringhole.{module.replace('/', '.')}")
        for node in public(ast.parse((ROOT / "src" / "wateringhole" / f"{module}.py").read_text()).body):
            thing = getattr(loaded, node.name)
            text = ast.get_docstring(node)
            if text is not None:
                with case(module, node.name):
                    assert inspect.getdoc(thing) == text
                    count += 1
            for part in public(node.body) if isinstance(node, ast.ClassDef) else ():
                text = ast.get_docstring(part)
                if text is not None:
                    with case(module, node.name, part.name):
                        assert inspect.getdoc(getattr(thing, part.name)) == text
                        count += 1
    assert count > 50
