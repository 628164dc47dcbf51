"""The source archive has all that it takes. Without a C compiler it installs all the same, and plays by the rules."""

import os
import shutil
import subprocess
import sys
import tarfile
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
case "$*" in *__native_wateringhole*) exit 1 ;; esac
exec cc "$@"
"""


class Environment:
    """A fresh one; what the game and its tests need is taken from the environment of this test, as a second choice."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        self.programs = folder / "bin"
        [self.packages] = (folder / "lib").glob("python*/site-packages")
        needed = [path for path in sys.path if path.endswith("site-packages")]
        (self.packages / "needed.pth").write_text("\n".join(needed) + "\n")

    def run(self, program: str, *words: str, cwd: Path = ROOT, compiler: str = "cc") -> str:
        """What a program of it prints; it must go well."""
        env = {
            name: value for name, value in os.environ.items() if not name.startswith(("WATERINGHOLE_", "PYTHONPATH"))
        }
        env |= {"HOME": env[OWN_HOME], "CC": compiler}  # their pip may be told to take packages from elsewhere
        command = [str(self.programs / program), *words]
        done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2_000:]
        return done.stdout

    def pip(self, *words: str, compiler: str = "cc") -> None:
        self.run("pip", "install", "--quiet", "--disable-pip-version-check", *words, compiler=compiler)

    def has_the_plain_core(self) -> None:
        assert self.run("wateringhole", "--version") == f"wateringhole {VERSION}, core in plain Python\n"
        assert list(self.packages.glob("*wateringhole*.so")) == []
        assert files(self.packages / "wateringhole") == files(ROOT / "src" / "wateringhole")


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with a setuptools that is new enough."""
    environment = Environment(tmp_path_factory.mktemp("builder") / "env")
    environment.pip("setuptools>=77")
    return environment


@pytest.fixture(scope="module")
def archive(builder: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, made from a copy of this tree."""
    folder = tmp_path_factory.mktemp("tree")
    for name in ARCHIVED:
        shutil.copy(ROOT / name, folder)
    for name in ("src", "docs", "examples", "tests/rules"):
        ignored = shutil.ignore_patterns("*.egg-info", "__pycache__", "*.so")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    builder.run("python", "-c", "from setuptools import build_meta; build_meta.build_sdist('dist')", cwd=folder)
    [made] = (folder / "dist").glob("*.tar.gz")
    return made


def test_the_source_archive_has_the_sources_and_the_documents_and_no_other_file(archive: Path, tmp_path: Path) -> None:
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    [top] = tmp_path.iterdir()
    assert top.name == f"wateringhole-{VERSION}"
    assert {path.name for path in top.iterdir()} == {*ARCHIVED, "PKG-INFO", "docs", "examples", "setup.cfg", "src"}
    for folder in ("docs", "examples", "src/wateringhole"):
        assert files(top / folder) == files(ROOT / folder)


def test_offline_and_without_a_compiler_it_installs_plays_and_passes_the_tests_of_the_core(
    builder: Environment, archive: Path, tmp_path: Path
) -> None:
    builder.pip(
        "--no-build-isolation", "--no-index", "--no-deps", "--force-reinstall", str(archive), compiler="/bin/false"
    )
    builder.has_the_plain_core()
    assert len(list(tried(builder.programs, tmp_path))) > 5
    core = ["tests/rules", "tests/golden", "tests/test_dealer.py", "tests/test_table.py"]
    assert " passed" in builder.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *core)


def test_with_a_compiler_that_fails_in_the_middle_the_plain_core_is_installed_too(
    archive: Path, tmp_path: Path
) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text(HALF_A_COMPILER)
    compiler.chmod(0o755)
    environment = Environment(tmp_path / "env")
    environment.pip("--no-deps", "--force-reinstall", str(archive), compiler=str(compiler))
    environment.has_the_plain_core()


def files(package: Path) -> dict[str, bytes]:
    """All files of a folder, by path, but what Python and its compilers put there."""
    made = (".pyc", ".so") if package.is_relative_to(ROOT) else (".pyc",)
    found = [path for path in package.rglob("*") if path.is_file() and not path.name.endswith(made)]
    by_path = {path.relative_to(package).as_posix(): path.read_bytes() for path in found}
    return {path: content for path, content in by_path.items() if path != NOT_SHIPPED}
