"""The pages of docs/ that are for the site: their code runs, their commands are commands, their includes are there."""

import importlib.util
import re
import shlex
from pathlib import Path
from types import ModuleType
from typing import Final

import click
import pytest

from tests.cases import case
from tests.documents.shell import run_as_printed
from wateringhole.cli import cli

DOCS: Final = Path(__file__).parents[2] / "docs"
API: Final = sorted((DOCS / "api").glob("*.md"))
GUIDES: Final = [DOCS / f"{name}.md" for name in ("index", "languages", "learn", "operate", "play", "students")]


def fenced(language: str, page: Path) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def test_the_code_on_the_pages_of_the_api_runs_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(API) >= 9
    for page in API:
        programs = fenced("python", page)
        with case(page.name):
            assert programs
            for code in programs:
                exec(compile(code, str(page), "exec"), {"__name__": "__main__"})  # noqa: S102
                assert capsys.readouterr().out


def test_every_command_on_the_guides_is_one_that_the_program_takes() -> None:
    commands = [
        line.replace("HOST:PORT", "localhost:45678")
        for page in GUIDES
        for block in [*fenced("sh", page), *re.findall(r"`(wateringhole [^`]+)`", page.read_text(encoding="utf-8"))]
        for line in block.splitlines()
        if line.startswith("wateringhole ")
    ]
    assert len(commands) >= 15
    for line in commands:
        with case(line):
            _, name, *words = shlex.split(line, comments=True)
            taken_by(cli, [name, *words])


def taken_by(command: click.Command, words: list[str]) -> None:
    """Parse these words as the program would, without looking for the files that they name."""
    context = click.Context(command)
    if isinstance(command, click.Group) and words:
        found = command.get_command(context, words[0])
        assert found is not None, f"no command {words[0]}"
        taken_by(found, words[1:])
        return
    _, rest, _ = command.make_parser(context).parse_args(words)
    assert rest == []


def test_the_first_steps_in_another_language_run_as_printed(tmp_path: Path) -> None:
    [steps] = fenced("sh", DOCS / "languages.md")
    told = run_as_printed(steps, tmp_path)
    assert "python starter" in told
    assert "expelled" not in told


# The hooks of the site.


def hooks() -> ModuleType:
    found = importlib.util.spec_from_file_location("hooks", DOCS / "site" / "hooks.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_a_link_of_a_source_becomes_a_link_of_the_site() -> None:
    table = {
        ("index.md", "../CHANGELOG.md"): "changelog.md",
        ("contributing.md", "docs/map.md"): "map.md",
        ("contributing.md", "CHANGELOG.md"): "changelog.md",
        ("languages.md", "../src/wateringhole/kits/c/README.md"): "kits/c.md",
        ("api/games.md", "../performance.md"): "../performance.md",
        ("rules.md", "wire.md"): "wire.md",
        ("map.md", "../src/wateringhole/game.py"): "../src/wateringhole/game.py",
    }
    for (page, link), due in table.items():
        with case(page, link):
            assert hooks().site_link(link, page) == due


def test_code_in_fences_keeps_what_looks_like_a_link() -> None:
    text = "[a](b.md)\n```text\n[a](b.md)\n```\n[a](b.md)"
    assert hooks().outside_fences(text, str.upper) == "[A](B.MD)\n```text\n[a](b.md)\n```\n[A](B.MD)"


def test_a_section_that_is_not_there_stops_the_build() -> None:
    module = hooks()
    assert module.section("rules.md", "the-game-in-two-minutes").startswith("You keep a row of species.")
    assert "](rules.md#attackhorns)" in module.section("rules.md", "traits")
    with pytest.raises(module.PluginError, match=r"docs/rules\.md has no heading ## with the anchor no-such"):
        module.section("rules.md", "no-such")
