"""Without a C compiler the installation succeeds all the same, and what it installs plays by the rules."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.left_behind import OWN_HOME

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]

HALF_A_COMPILER = """#!/bin/sh
case "$*" in *__native_wateringhole*) exit 1 ;; esac
exec cc "$@"
"""


def installed(folder: Path, compiler: str) -> Path:
    """The programs of a fresh environment in which the game was installed, with this for a C compiler: nothing but the
    sources is there.
    """
    sources = folder / "sources"
    sources.mkdir()  # only what it takes: no build folder, no compiled file of this tree
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    shutil.copytree(ROOT / "src", sources / "src", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__", "*.so"))
    subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
    # What the game and its tests need is taken from the environment of this test, behind what is installed here.
    (packages(folder / "env") / "needed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    programs = folder / "env" / "bin"
    pip = [str(programs / "pip"), "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("WATERINGHOLE_")}
    env |= {"CC": compiler, "HOME": env[OWN_HOME]}  # their pip may be told to take packages from elsewhere
    subprocess.run([*pip, "--force-reinstall", str(sources)], env=env, check=True)
    said = subprocess.run([str(programs / "wateringhole"), "--version"], stdout=subprocess.PIPE, text=True, check=True)
    assert said.stdout.strip().endswith(", core in plain Python")
    site = packages(folder / "env")
    assert list(site.glob("*wateringhole*.so")) == []
    assert modules(site / "wateringhole") == modules(sources / "src" / "wateringhole")
    return programs


def packages(environment: Path) -> Path:
    [found] = (environment / "lib").glob("python*/site-packages")
    return found


def test_without_a_compiler_the_plain_core_is_installed_and_passes_its_tests(tmp_path: Path) -> None:
    programs = installed(tmp_path, "/bin/false")
    core = ["tests/rules", "tests/golden", "tests/test_dealer.py", "tests/test_table.py"]
    tests = subprocess.run(
        [str(programs / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider", *core],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert tests.returncode == 0, tests.stdout[-2_000:]


def test_with_a_compiler_that_fails_in_the_middle_the_plain_core_is_installed_too(tmp_path: Path) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text(HALF_A_COMPILER)
    compiler.chmod(0o755)
    installed(tmp_path, str(compiler))


def modules(package: Path) -> dict[str, bytes]:
    """All Python of a package, by path; and whatever is compiled in it."""
    found = [*package.rglob("*.py"), *package.rglob("*.so")]
    return {str(path.relative_to(package)): path.read_bytes() for path in found}
