"""The command: one module for each subcommand, imported only when it is called.

Laws: a mistake of the user's is one sentence on standard error and exit code 2, never a traceback.
"""

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

import click

from wateringhole import __version__

# Subcommand -> the module that defines it, and what the overview says of it.
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "game": ("game", "Play one game and show it."),
    "replay": ("replay", "Replay a record, check it, show it, or play on from any step."),
    "grade": ("grade", "Run a suite of test cases and count the passes."),
    "xmain": ("xmain", "Silly players, the sorted deck, the ranking."),
    "xattack": ("harness", "Harness: may this board attack that one?"),
    "xfeed": ("harness", "Harness: what does the silly player feed?"),
    "xstep": ("harness", "Harness: one feeding step."),
    "xstep4": ("harness", "Harness: a turn's card plays and its feeding."),
    "xsilly": ("harness", "Harness: which cards does the silly player play?"),
}


class Complaint(click.ClickException):
    """What the user did wrong, in one sentence."""

    def __init__(self, sentence: str, code: int = 2) -> None:
        super().__init__(sentence)
        self.code = code


class Lazy(click.Group):
    """Knows its subcommands by name; imports one only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"wateringhole.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, says) in COMMANDS.items()])


@click.group(cls=Lazy, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="wateringhole %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """A card-and-board game of species around a watering hole.

    \b
    wateringhole game 5                      five silly players
    wateringhole game silly rash rash        three agents by name
    wateringhole game 4 --seed 7 --record g  keep the game in the file g
    wateringhole replay g                    and see it again

    'wateringhole COMMAND --help' explains each command.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and leave the process with its exit code."""
    try:
        code = cli.main(arguments, prog_name="wateringhole", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as complaint:
        print(f"wateringhole: {' '.join(complaint.format_message().split())}", file=sys.stderr)
        code = complaint.code if isinstance(complaint, Complaint) else 2
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:
        # The reader has left (`... | head`); whatever is still buffered must not be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code if isinstance(code, int) else 0)
