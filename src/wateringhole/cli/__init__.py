"""The command: one module for each subcommand, imported only when it is called.

Laws: a mistake of the user is one sentence on standard error and exit code 2, never a traceback.
"""

import importlib
import io
import os
import re
import signal
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NoReturn

import click

from wateringhole.dealer import MAX_PLAYERS, MIN_PLAYERS
from wateringhole.fault import did_you_mean, shown
from wateringhole.value import COMPILED

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# Subcommand -> the module that defines it, and its line in the overview.
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "play": ("play", "Play in your browser, against bots or with friends."),
    "game": ("game", "Play one game and show it."),
    "replay": ("replay", "Replay a record, check it, show it, or play on from any step."),
    "verify": ("verify", "Check that a game was dealt fairly."),
    "serve": ("serve", "Deal games to clients over TCP."),
    "connect": ("connect", "Let an agent play at another server."),
    "kit": ("kit", "Write a starter bot in Python, JavaScript, Java or C."),
    "check": ("check", "Examine a bot: rules, rare situations, reply times."),
    "match": ("match", "Let agents play many games, and show how they did."),
    "tournament": ("tournament", "Many agents, many tables: who is best?"),
    "games": ("games", "Every finished game: list, show, export, import, back up."),
    "ladder": ("ladder", "The ratings of all players, by the games in the store."),
    "rogue": ("rogue", "Bad clients against a server: do its games still end well?"),
    "grade": ("grade", "Run a suite of test cases and count the passes."),
    "suite": ("suite", "Make a suite of test cases, with a hidden half."),
    "course": ("course", "Grade a class: gradebook, and feedback for each student."),
    "diff": ("diff", "Where do two harness programs differ? The smallest case."),
    "xmain": ("xmain", "Silly players, the sorted deck, the ranking."),
    "xattack": ("harness", "Harness: may this board attack that one?"),
    "xfeed": ("harness", "Harness: what does the silly player feed?"),
    "xstep": ("harness", "Harness: one feeding step."),
    "xstep4": ("harness", "Harness: a turn's card plays and its feeding."),
    "xsilly": ("harness", "Harness: which cards does the silly player play?"),
}


MAX_WAIT_SECONDS: Final = 86_400
CORE: Final = "compiled core" if COMPILED else "core in plain Python"


class Complaint(click.ClickException):
    """What the user did wrong, in one sentence."""

    def __init__(self, sentence: str, code: int = 2) -> None:
        super().__init__(sentence)
        self.code = code


class Lazy(click.Group):
    """Knows its subcommands by name; imports one only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"wateringhole.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise Complaint(
                f"no command {shown(args[0])}{did_you_mean(args[0], COMMANDS)}; wateringhole --help lists all"
            )
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """What a shell offers behind `wateringhole`: names and their lines, without the import of any command."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415

        names = [CompletionItem(name, help=says) for name, (_, says) in COMMANDS.items() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, says) in COMMANDS.items()])


@click.group(cls=Lazy, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="wateringhole", message=f"wateringhole %(version)s, {CORE}")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """A card-and-board game of species around a watering hole.

    \b
    wateringhole play                        in your browser, against three bots
    wateringhole game 5                      five silly players
    wateringhole game silly rash rash        three agents by name
    wateringhole game 4 --seed 7 --record g  keep the game in the file g
    wateringhole replay g                    and see it again

    'wateringhole COMMAND --help' explains each command.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def one_of(**given: bool) -> None:
    """Complain if more than one of these options was given: each chooses the same thing."""
    options = [f"--{name}" for name, set_ in given.items() if set_]
    if len(options) > 1:
        raise Complaint(f"{' and '.join(options)} contradict each other; give one of them")


def checked_wait(option: str, seconds: float) -> float:
    """A time to wait, up to a day; Complaint otherwise, also for NaN."""
    if not 0 <= seconds <= MAX_WAIT_SECONDS:
        raise Complaint(f"{option} is {seconds}, not a number of seconds from 0 to {MAX_WAIT_SECONDS}")
    return seconds


def range_of_players(text: str) -> tuple[int, int]:
    """What --players says, a number or a range; Complaint if no game takes that many."""
    form = re.fullmatch(r"(\d)(?:-(\d))?", text, re.ASCII)
    fewest, most = (int(form[1]), int(form[2] or form[1])) if form else (0, 0)
    if not MIN_PLAYERS <= fewest <= most <= MAX_PLAYERS:
        raise Complaint(f"--players {text:.40}: not a number or MIN-MAX within {MIN_PLAYERS}-{MAX_PLAYERS}")
    return fewest, most


def given_place(text: str) -> str:
    """Where a store is; Complaint for an empty text, which would be the current folder."""
    if not text.strip():
        raise Complaint(f"--data {shown(text)} is empty; it is a folder, or the URL of a database")
    return text


def stopped(error: OSError) -> Complaint:
    """The complaint about a system error in a running server, such as a full disk; it is no mistake of the user."""
    where = f"{error.filename}: " if error.filename else ""
    return Complaint(f"the server had to stop: {where}{error.strerror or error}", 1)


def number_of_players(digits: str) -> int:
    """A number of players that a game takes; Complaint otherwise."""
    if not (digits.isascii() and digits.isdigit()):
        raise Complaint(f"{shown(digits)} is not a number of players")
    number = int(digits[-2:]) if not digits[:-2].strip("0") else MAX_PLAYERS + 1
    if not MIN_PLAYERS <= number <= MAX_PLAYERS:
        raise Complaint(f"{digits:.40} players, but a game takes {MIN_PLAYERS} to {MAX_PLAYERS}")
    return number


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and leave the process with its exit code."""
    _open_standard_streams()
    if os.name != "posix":
        sys.exit(_complain("the command needs Linux or macOS; on Windows, install it in WSL", 2))
    _end_like_ctrl_c()
    try:
        code = cli.main(arguments, prog_name="wateringhole", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as complaint:
        code = _complain(complaint.format_message(), complaint.code if isinstance(complaint, Complaint) else 2)
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:
        _drop_output()  # the reader has left (`... | head`)
        code = 0
    except OSError as error:
        if error.filename is None:
            _drop_output()
            code = _complain(f"cannot write the output: {error.strerror}", 2)
        else:
            code = _complain(f"{error.filename}: {error.strerror}", 2)
    sys.exit(code if isinstance(code, int) else 0)


def _open_standard_streams() -> None:
    """Replace closed streams by empty ones; characters that the terminal cannot show become escapes."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _end_like_ctrl_c() -> None:
    """Turn SIGTERM and SIGHUP into KeyboardInterrupt, so that the command ends the processes that it has started."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if threading.current_thread() is threading.main_thread() and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def _complain(sentence: str, code: int) -> int:
    print(f"wateringhole: {' '.join(sentence.split())}", file=sys.stderr)
    return code


def _drop_output() -> None:
    """Drop buffered output, which would fail again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
