"""Compiles the core with mypyc, and the kernel, where that is possible; anywhere else the source runs as plain Python.

No failure to compile makes an installation fail, unless WATERINGHOLE_COMPILED=1 asks for that. WATERINGHOLE_PURE=1
builds without any attempt.
"""

import ast
import os
import re
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
    "kernel/policy",
    "kernel/positions",
    "kernel/playouts",
    "agents/playout",
    "agents/silly",
    "agents/rash",
    "agents/greedy",
    "agents/styles",
    "table",
]
"""What a game runs through. Modules that define Structs are not among them: mypyc drops `frozen` and `tag` silently."""

KERNEL = Path("src/wateringhole/kernel")
KERNEL_FLAGS = ["-std=c11", "-O3", "-fvisibility=hidden", "-ffp-contract=off"]
"""With the last one a product and a sum are rounded one by one, as in Python, on every machine."""

PURE = os.environ.get("WATERINGHOLE_PURE") == "1"
STRICT = os.environ.get("WATERINGHOLE_COMPILED") == "1"
BUILDS = not {"egg_info", "dist_info", "sdist"} & {*sys.argv}
"""pip runs this file three times: for the requirements of the build, for the metadata, and to build."""


def core() -> list[Extension]:
    """The core in C and the kernel, or nothing."""
    if PURE or not BUILDS:
        return []
    try:
        if os.name == "posix":  # mypycify takes half a minute before the first file is compiled
            compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
            subprocess.run([*compiler, "--version"], check=True, capture_output=True)  # noqa: S603
        from mypyc.build import mypycify

        sources = [f"src/wateringhole/{module}.py" for module in CORE]
        # What the core imports may use libraries that are not there: no error of it counts here.
        arguments = ["--follow-imports=silent", *sources]
        extensions: list[Extension] = mypycify(arguments, opt_level="3", debug_level="0", group_name="wateringhole")
        generated = Path("build/__native_wateringhole.c")
        document(generated)
        name_fields(generated)
        extensions.append(kernel())
    except (Exception, SystemExit) as error:  # mypycify exits on a type error
        give_up(error)
        return []
    return extensions


def kernel() -> Extension:
    """The rules in C."""
    return Extension(
        "wateringhole.kernel._kernel",
        sorted(str(path) for path in KERNEL.glob("*.c")),
        depends=sorted(str(path) for path in KERNEL.glob("*.h")),
        extra_compile_args=KERNEL_FLAGS if os.name == "posix" else ["/std:c11"],
    )


def document(generated: Path) -> None:
    """Put the docstrings of the core into the C code, which has only signatures, so that help() shows them."""
    texts = docstrings()
    code = generated.read_text()
    code = re.sub(
        r'(\(PyCFunction\)CPyPy_(\w+),\s*[A-Z_ |]+,\s*PyDoc_STR\()("(?:[^"\\]|\\.)*"|NULL)',
        lambda found: found[1] + joined(found[3], texts.get(found[2])),
        code,
    )
    code = re.sub(
        r'(CPyType_(\w+)_template_ = \{[^}]*?\.tp_doc = PyDoc_STR\()("(?:[^"\\]|\\.)*"|NULL)',
        lambda found: found[1] + joined(found[3], texts.get(found[2])),
        code,
    )
    code = re.sub(
        r"(\(getter\)(\w+?)_get_(\w+),\s*(?:\(setter\)\w+|NULL),\s*)NULL(, NULL\})",
        lambda found: found[1] + joined("NULL", texts.get(f"{found[2]}___{found[3]}")) + found[4],
        code,
    )
    generated.write_text(code)


def name_fields(generated: Path) -> None:
    """Let the check of the arguments of a class say what `moves.py` says in plain Python, with the class, the field and
    the value, which mypyc leaves out.
    """
    code, changed = re.subn(
        r"^ *PyObject \*CPyPy_(\w+?)___(\w+?)_____init__\(PyObject \*self, PyObject \*args, .*?^ *\}\n *\n",
        lambda found: with_names(found[0], found[1], found[2]),
        generated.read_text(),
        flags=re.DOTALL | re.MULTILINE,
    )
    if not changed:
        raise RuntimeError("the C code that mypyc writes for __init__ is not the one that is known")
    generated.write_text(code)


def with_names(code: str, module: str, kind: str) -> str:
    """The C function that checks the arguments of this class, with these words."""
    code = code.replace('"__init__"', f'"{kind}"', 1)
    if module == "moves":  # where True is not 1
        code = code.replace("PyLong_Check(", "PyLong_CheckExact(")
    return re.sub(
        r'CPy_TypeError\("(?:\w+\.)*(\w+)", obj_(\w+)\)',
        rf'PyErr_Format(PyExc_TypeError, "{kind}.\2 is %.80R, not of the type \1", obj_\2)',
        code,
    )


def docstrings() -> dict[str, str]:
    """Of everything in the core, by its name in C."""
    texts = {}
    for module in CORE:
        last = module.rpartition("/")[2]
        for node in ast.parse(Path(f"src/wateringhole/{module}.py").read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                texts[f"{last}___{node.name}"] = ast.get_docstring(node)
            if isinstance(node, ast.ClassDef):
                for part in node.body:
                    if isinstance(part, ast.FunctionDef):
                        texts[f"{last}___{node.name}___{part.name}"] = ast.get_docstring(part)
    return {name: text for name, text in texts.items() if text}


def joined(literal: str, text: str | None) -> str:
    """This C string with a text behind it."""
    if text is None:
        return literal
    plain = "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:03o}" for byte in text.encode())
    return f'"{plain}"' if literal == "NULL" else f'{literal[:-1]}{plain}"'


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
