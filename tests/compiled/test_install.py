"""Without a C compiler the installation succeeds all the same, and what it installs plays by the rules."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]

HALF_A_COMPILER = """#!/bin/sh
case "$*" in *__native_wateringhole*) exit 1 ;; esac
exec cc "$@"
"""


@pytest.fixture(scope="module", params=["none works", "one fails in the middle"])
def environment(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the game installed in spite of the compiler."""
    folder: Path = tmp_path_factory.mktemp("plain")
    sources = folder / "sources"
    sources.mkdir()  # only what it takes: no build folder, no compiled file of this tree
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    shutil.copytree(ROOT / "src", sources / "src", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__", "*.so"))
    subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
    compiler = "/bin/false"
    if request.param == "one fails in the middle":
        compiler = str(folder / "cc")
        Path(compiler).write_text(HALF_A_COMPILER)
        Path(compiler).chmod(0o755)
    # What the game and its tests need is taken from the environment of this test, behind what is installed here.
    [own] = (folder / "env" / "lib").glob("python*/site-packages")
    (own / "needed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    bin_folder = folder / "env" / "bin"
    pip = [str(bin_folder / "pip"), "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("WATERINGHOLE_")}
    subprocess.run([*pip, "--force-reinstall", str(sources)], env=env | {"CC": compiler}, check=True)
    return bin_folder


def test_the_plain_core_is_installed_and_says_so(environment: Path) -> None:
    said = subprocess.run(
        [str(environment / "wateringhole"), "--version"], stdout=subprocess.PIPE, text=True, check=True
    )
    assert said.stdout.strip().endswith(", core in plain Python")


def test_it_passes_the_tests_of_the_core(environment: Path) -> None:
    core = ["tests/rules", "tests/golden", "tests/agents", "tests/test_dealer.py", "tests/test_table.py"]
    tests = subprocess.run(
        [str(environment / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider", *core],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert tests.returncode == 0, tests.stdout[-2_000:]
