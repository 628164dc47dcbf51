"""The source archive has all that it takes. Without a C compiler it installs all the same, and plays by the rules."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.compiled.tryout import tried
from tests.left_behind import OWN_HOME

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
ARCHIVED = {
    "CHANGELOG.md",
    "CITATION.cff",
    "LICENSE",
    "MANIFEST.in",
    "README.md",
    "SECURITY.md",
    "pyproject.toml",
    "setup.py",
}
NOT_SHIPPED = "web/package.json"
"""Tells the tests' node and tsc what the scripts of the page are."""
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

HALF_A_COMPILER = """#!/bin/sh
case "$*" in *__native_wateringhole*) touch "$0.failed"; exit 1 ;; esac
exec cc "$@"
"""
FEW_MODULES = 'CORE = ["value", "traits", "cards", "species"]\n'
"""The core for a compiler that fails in the middle: of all modules mypyc would make C for a quarter of a minute, and
what they import, which is read as well, is most of the package.
"""


class Environment:
    """A fresh one; what the game and its tests need is taken from the environment of this test, as a second choice."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        self.programs = folder / "bin"
        [self.packages] = (folder / "lib").glob("python*/site-packages")
        needed = [path for path in sys.path if path.endswith("site-packages")]
        (self.packages / "needed.pth").write_text("\n".join(needed) + "\n")

    def run(self, program: Path | str, *words: str, cwd: Path = ROOT, compiler: str = "cc") -> str:
        """What a program, as a rule one of it, prints; it must go well."""
        env = {
            name: value for name, value in os.environ.items() if not name.startswith(("WATERINGHOLE_", "PYTHONPATH"))
        }
        env |= {"HOME": env[OWN_HOME], "CC": compiler}  # their pip may be told to take packages from elsewhere
        env["PIP_NO_COMPILE"] = "1"  # most modules that it installs are never imported
        command = [str(self.programs / program), *words]
        done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2_000:]
        return done.stdout

    def pip(self, *words: str, compiler: str = "cc") -> None:
        """Install something by the pip of this test's environment, since to install one into each takes 5 s."""
        into = ["-m", "pip", "--python", str(self.programs / "python"), "--quiet", "--disable-pip-version-check"]
        self.run(Path(sys.executable), *into, "install", *words, compiler=compiler)

    def has_the_plain_core(self) -> None:
        assert self.run("wateringhole", "--version") == f"wateringhole {VERSION}, core in plain Python\n"
        assert list(self.packages.glob("*wateringhole*.so")) == []
        assert files(self.packages / "wateringhole") == files(ROOT / "src" / "wateringhole")


def test_the_source_archive_is_whole_and_installs_where_the_compiler_fails_and_where_there_is_none(
    tmp_path: Path,
) -> None:
    """One test, so that the archive is made once and not by each worker."""
    builder = Environment(tmp_path / "env")
    builder.pip(*tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"])
    archive = made_archive(builder, tmp_path / "tree")
    source = check_archive(archive, tmp_path / "unpacked")
    check_half_a_compiler(builder, source, tmp_path)
    check_offline_without_a_compiler(builder, archive, tmp_path)


def made_archive(builder: Environment, folder: Path) -> Path:
    """The source archive, made from a copy of this tree."""
    folder.mkdir()
    for name in ARCHIVED:
        shutil.copy(ROOT / name, folder)
    for name in ("src", "docs", "examples", "tests/rules"):
        ignored = shutil.ignore_patterns("*.egg-info", "__pycache__", "*.so")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    builder.run("python", "-c", "from setuptools import build_meta; build_meta.build_sdist('dist')", cwd=folder)
    [made] = (folder / "dist").glob("*.tar.gz")
    return made


def check_archive(archive: Path, folder: Path) -> Path:
    """It has the sources and the documents and no other file; where it is unpacked."""
    folder.mkdir()
    subprocess.run(["tar", "-xzf", archive], cwd=folder, check=True)
    [top] = folder.iterdir()
    assert top.name == f"wateringhole-{VERSION}"
    assert {path.name for path in top.iterdir()} == {*ARCHIVED, "PKG-INFO", "docs", "examples", "setup.cfg", "src"}
    for name in ("docs", "examples", "src/wateringhole"):
        assert files(top / name) == files(ROOT / name)
    return top


def check_offline_without_a_compiler(builder: Environment, archive: Path, folder: Path) -> None:
    """It installs, plays, and passes the tests of the core."""
    builder.pip(
        "--no-build-isolation", "--no-index", "--no-deps", "--force-reinstall", str(archive), compiler="/bin/false"
    )
    builder.has_the_plain_core()
    assert len(list(tried(builder.programs, folder))) > 5
    core = ["tests/rules", "tests/golden", "tests/test_dealer.py"]
    assert " passed" in builder.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *core)


def check_half_a_compiler(builder: Environment, source: Path, folder: Path) -> None:
    """With one that fails in the middle the plain core is installed."""
    compiler = folder / "cc"
    compiler.write_text(HALF_A_COMPILER)
    compiler.chmod(0o755)
    script = (source / "setup.py").read_text()
    for old, new in ((r"^CORE = \[\n.*?^\]\n", FEW_MODULES), ("--follow-imports=silent", "--follow-imports=skip")):
        script, changed = re.subn(old, new, script, flags=re.DOTALL | re.MULTILINE)
        assert changed == 1
    (source / "setup.py").write_text(script)
    builder.pip("--no-build-isolation", "--no-deps", "--force-reinstall", str(source), compiler=str(compiler))
    assert compiler.with_name("cc.failed").exists()
    builder.has_the_plain_core()


def files(package: Path) -> dict[str, bytes]:
    """All files of a folder, by path, but what Python and its compilers put there."""
    made = (".pyc", ".so") if package.is_relative_to(ROOT) else (".pyc",)
    found = [path for path in package.rglob("*") if path.is_file() and not path.name.endswith(made)]
    by_path = {path.relative_to(package).as_posix(): path.read_bytes() for path in found}
    return {path: content for path, content in by_path.items() if path != NOT_SHIPPED}
