"""constraints.txt names one version of each package that pyproject.toml asks for."""

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.cases import case

ROOT = Path(__file__).parent.parent


def test_every_package_of_the_project_has_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    wanted = [Requirement(line) for lines in (project["dependencies"], *extras) for line in lines]
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    versions = {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}
    assert len(versions) == len(lines)
    for requirement in wanted:
        if requirement.name != "wateringhole":
            with case(requirement):
                assert versions[canonicalize_name(requirement.name)] in requirement.specifier
