"""The manual page that `make build` writes: groff has no complaint, and it says what --help says."""

import re
import subprocess
from inspect import cleandoc

import click

from tests.cases import case
from tests.documents.man_page import man_page
from wateringhole.cli import COMMANDS, cli


def test_groff_renders_every_command_option_and_example_without_a_warning() -> None:
    wide = ["-rLL=300n", "-P-cbou"]  # no line is broken, nothing is bold
    groff = ["groff", "-man", "-ww", "-Tutf8", *wide]
    done = subprocess.run(groff, input=man_page(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    top = click.Context(cli)
    for name in COMMANDS:
        with case(name):
            command = cli.get_command(top, name)
            assert command is not None
            [section] = re.findall(rf"^   {name}\n(.*?)(?=^ {{0,3}}\S|\Z)", done.stdout, re.DOTALL | re.MULTILINE)
            for option in (word for parameter in command.params for word in parameter.opts if word.startswith("-")):
                assert re.search(rf"^ +(.*, )?{option}\b", section, re.MULTILINE)
            for line in cleandoc(command.help or "").partition("\b\n")[2].partition("\n\n")[0].splitlines():
                assert f"         {line}\n" in section
