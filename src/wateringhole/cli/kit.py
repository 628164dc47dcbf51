"""`kit`: a starter bot in the language of your choice."""

import shlex
from importlib.resources import files
from pathlib import Path
from typing import Final

import click
from msgspec import Struct

from wateringhole.cli import Complaint

README: Final = "README.md"


class Kit(Struct, frozen=True):
    """A bot's file, and the lines that build it, if it must be built, and run it."""

    bot: str
    run: str
    build: str = ""


KITS: Final = {
    "python": Kit("bot.py", "python3 bot.py"),
    "javascript": Kit("bot.mjs", "node bot.mjs"),
    "java": Kit("Bot.java", "java Bot", build="javac Bot.java"),
    "c": Kit("bot.c", "./bot", build="cc -std=c11 -Wall -Wextra -O2 -o bot bot.c"),
}


@click.command()
@click.argument("language", type=click.Choice([*KITS]))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def kit(language: str, folder: Path) -> None:
    """Write a complete starter bot into the folder DIR, and say what to do next.

    \b
    wateringhole kit python my-bot
    wateringhole kit javascript my-bot
    wateringhole kit java my-bot
    wateringhole kit c my-bot

    Each is one file that needs nothing but its language, plays a whole game at a server, and keeps its strategy in two
    small functions at the top. The README.md beside it has all that a server says and what may be answered.

    Files that are there already are never written over: then nothing is written, and the exit code is 2.
    """
    chosen = KITS[language]
    source = files("wateringhole") / "kits" / language
    wanted = {folder / name: source / name for name in (chosen.bot, README)}
    try:
        if folder.exists() and not folder.is_dir():
            raise Complaint(f"{folder}: not a folder")
        for file in wanted:
            if file.exists():
                raise Complaint(f"{file} is there already; a kit writes over nothing")
        folder.mkdir(parents=True, exist_ok=True)
        for file, original in wanted.items():
            with file.open("xb") as fresh:
                fresh.write(original.read_bytes())
    except OSError as error:
        raise Complaint(f"cannot write into {folder}: {error.strerror}") from None
    print(_what_next(chosen, folder))


def _what_next(chosen: Kit, folder: Path) -> str:
    build = [f"  {chosen.build}"] if chosen.build else []
    return "\n".join(
        [
            f"{chosen.bot} and {README} are in {folder}. Begin with the functions choose and feed.",
            "",
            f"  cd {shlex.quote(str(folder))}",
            *build,
            f"  wateringhole check 'cmd:{chosen.run}'",
            f"  wateringhole match 'cmd:{chosen.run}' silly rash --games 6",
            "",
            "At a server, in two terminals:",
            "",
            "  wateringhole serve --fill silly --wait 1",
            f"  {chosen.run} localhost 45678 Ann",
        ]
    )
