"""The manual page wateringhole(1), written from the help texts of all commands.

`python -m tests.documents.man_page FILE` writes it; `make build` does, and setuptools takes it along.
"""

import sys
from collections.abc import Iterator
from importlib.metadata import version
from inspect import cleandoc
from pathlib import Path

import click

from wateringhole.cli import cli

ESCAPES = str.maketrans({"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti", '"': r"\(dq"})

END = """\
.SH ENVIRONMENT
.TP
.B WATERINGHOLE_DATA
The store of
.BR games " and " ladder
where no \\-\\-data is given.
.TP
.B WATERINGHOLE_PURE
1: run the core in plain Python, also where it is compiled.
.SH EXIT STATUS
.TP
.B 0
It went well.
.TP
.B 1
What was examined or compared is not as it should be, or a server had to stop.
.TP
.B 2
A mistake in what was given, told in one sentence on standard error.
.TP
.B 130
Ended by Ctrl\\-C.
"""


def man_page() -> str:
    """The whole page."""
    top = click.Context(cli, info_name="wateringhole", **cli.context_settings)
    return "\n".join(
        [
            f'.TH WATERINGHOLE 1 "" "wateringhole {version("wateringhole")}" "User Commands"',
            ".SH NAME",
            r"wateringhole \- a card\-and\-board game of species around a watering hole",
            ".SH SYNOPSIS",
            *_usage(cli, top),
            ".SH DESCRIPTION",
            *list(_text(cli))[1:],  # a heading begins a paragraph by itself
            ".SH OPTIONS",
            *_options(cli, top),
            ".SH COMMANDS",
            *(line for command, context in _below(cli, top) for line in _section(command, context)),
            END,
        ]
    )


def _below(group: click.Group, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    """Each command of a group, and those of the groups in it."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context, **command.context_settings)
        yield command, inner
        if isinstance(command, click.Group):
            yield from _below(command, inner)


def _section(command: click.Command, context: click.Context) -> Iterator[str]:
    yield f".SS {_escaped(context.command_path.removeprefix('wateringhole '))}"
    yield from _usage(command, context)
    yield from _text(command)
    yield from _options(command, context)


def _usage(command: click.Command, context: click.Context) -> Iterator[str]:
    yield f".B {_escaped(context.command_path)}"
    yield _escaped(" ".join(command.collect_usage_pieces(context)))


def _text(command: click.Command) -> Iterator[str]:
    """What --help says above the options; click marks with \\b the paragraphs whose lines must stay as they are."""
    for paragraph in cleandoc(command.help or "").split("\n\n"):
        if paragraph.startswith("\b\n"):
            yield from (".PP", ".RS 2", ".nf", *map(_escaped, paragraph.splitlines()[1:]), ".fi", ".RE")
        else:
            yield from (".PP", *map(_escaped, paragraph.splitlines()))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    """All options; --help, which every command has, only at the top."""
    for parameter in command.params if context.parent else command.get_params(context):
        if isinstance(parameter, click.Option) and (record := parameter.get_help_record(context)):
            names, says = record
            yield from (".TP", f".B {_escaped(names)}", _escaped(says))


def _escaped(line: str) -> str:
    """This line as roff text that is printed as it is."""
    plain = line.translate(ESCAPES)
    ascii_only = "".join(letter if letter.isascii() else rf"\[u{ord(letter):04X}]" for letter in plain)
    return rf"\&{ascii_only}" if ascii_only.startswith(".") else ascii_only


if __name__ == "__main__":
    [target] = map(Path, sys.argv[1:])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(man_page(), encoding="ascii")
