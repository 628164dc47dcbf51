"""Completion in a shell: what click offers, and that a real bash takes it over."""

import re
import subprocess
import sys
from pathlib import Path

from click.shell_completion import ShellComplete

from tests.cases import case
from tests.cli import HANG, process, surroundings, well
from wateringhole.cli import COMMANDS, cli

PAGE = Path(__file__).parents[2] / "docs" / "install.md"
COMPLETE = "_WATERINGHOLE_COMPLETE"


def offered(line: str) -> list[str]:
    """What is offered for the last word of this line."""
    *arguments, incomplete = line.split(" ")[1:]
    found = ShellComplete(cli, {}, "wateringhole", COMPLETE).get_completions(arguments, incomplete)
    return [item.value for item in found]


def test_commands_options_choices_and_house_bots_are_offered() -> None:
    for line, expected in (
        ("wateringhole ", list(COMMANDS)),
        ("wateringhole ga", ["game", "games"]),
        ("wateringhole games ex", ["export"]),
        ("wateringhole game --js", ["--json"]),
        ("wateringhole serve --on-restart ", ["expel", "bot"]),
        ("wateringhole game silly r", ["rash"]),
        ("wateringhole serve --fill gr", ["greedy"]),
    ):
        with case(line):
            assert offered(line) == expected


def test_the_names_of_the_commands_are_offered_without_the_import_of_any() -> None:
    spy = "import atexit, sys; from wateringhole.cli import main; atexit.register(lambda: print(*sys.modules)); main()"
    done = subprocess.run(
        [sys.executable, "-c", spy],
        env=surroundings(COMP_WORDS="wateringhole ", COMP_CWORD="1", **{COMPLETE: "bash_complete"}),
        capture_output=True,
        text=True,
        timeout=HANG,
        check=True,
    )
    *lines, modules = done.stdout.splitlines()
    assert len(lines) == len(COMMANDS)
    assert [module for module in modules.split() if module.startswith("wateringhole.cli.")] == []


def test_each_shell_gets_a_script_and_bash_completes_by_the_line_of_the_page(tmp_path: Path) -> None:
    lines = dict(re.findall(r"^\| (bash|zsh|fish).* \| `(.+)` \|$", PAGE.read_text(), re.MULTILINE))
    for shell in ("bash", "zsh", "fish"):
        with case(shell):
            assert f"{COMPLETE}={shell}_source wateringhole" in lines[shell]
            assert "_wateringhole_completion" in well(process(_WATERINGHOLE_COMPLETE=f"{shell}_source"))
    program = tmp_path / "wateringhole"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m wateringhole "$@"\n')
    program.chmod(0o755)
    script = f"""
        {lines["bash"]}
        complete -p wateringhole
        COMP_WORDS=(wateringhole tour) COMP_CWORD=1
        _wateringhole_completion wateringhole tour wateringhole
        echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "-c", script],
        env=surroundings(PATH=f"{tmp_path}:{surroundings()['PATH']}"),
        capture_output=True,
        text=True,
        timeout=HANG,
        check=True,
    )
    registered, completed = done.stdout.splitlines()
    assert registered == "complete -o nosort -F _wateringhole_completion wateringhole"
    assert completed == "tournament"
