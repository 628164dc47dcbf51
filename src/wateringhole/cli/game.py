"""`game`: play one game and show it."""

import json
import os
import sys
from pathlib import Path

import click

from wateringhole.cards import DECK, Card, shuffled
from wateringhole.cli import Complaint, number_of_players, one_of
from wateringhole.cli.agent_options import (
    checked_seed,
    house_names,
    named_agents,
    not_had,
    settled,
    treatment_options,
    watch_options,
    watched,
)
from wateringhole.conformance.harness import trace
from wateringhole.events import Standing
from wateringhole.external.play_specs import Treatment, played
from wateringhole.fault import shown
from wateringhole.record import Record, replay, write
from wateringhole.rules.turn import ranking
from wateringhole.seeds import agent_seeds, drawn_secret
from wateringhole.wire.framing import Json, JsonError, parse
from wateringhole.wire.json_codec import ShapeError, card_in, card_out, each


@click.command()
@click.argument("agents", nargs=-1, metavar="AGENT... | NUMBER", shell_complete=house_names)
@click.option("--seed", help="A text or number that fixes the deck and every agent's dice.")
@click.option("--sorted", "sorted_deck", is_flag=True, help="The sorted deck instead of a shuffled one.")
@click.option("--deck", "deck_file", type=click.Path(path_type=Path), help="A JSON array of [food, trait], top first.")
@click.option("--record", "record_file", type=click.Path(path_type=Path), help="Keep the game in this file.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object: seed, deck, ranking.")
@click.option("--trace", "as_trace", is_flag=True, help="One JSON line a turn: the state at its end; then the scores.")
@click.option("--story", is_flag=True, help="Show every event, also each meal and each deal.")
@click.option("--quiet", is_flag=True, help="Show only the ranking.")
@watch_options
@treatment_options
def game(
    agents: tuple[str, ...],
    seed: str | None,
    sorted_deck: bool,
    deck_file: Path | None,
    record_file: Path | None,
    as_json: bool,
    as_trace: bool,
    story: bool,
    quiet: bool,
    treated: Treatment,
    show_stderr: bool,
    log_folder: Path | None,
) -> None:
    """Play one game of 3 to 8 AGENTs, or of NUMBER silly players, and show it.

    \b
    wateringhole game 5                        five silly players
    wateringhole game silly silly rash         agents by name, in sign-up order
    wateringhole game 3 --seed 7               the same game every time
    wateringhole game 4 --record game.jsonl    see it again with 'replay'
    wateringhole game silly silly bad:card-twice
    wateringhole game human rash rash          play yourself, at this terminal
    wateringhole game py:bot.py:Bot 'cmd:./bot --fast?time=2' tcp:localhost:45678 silly
    wateringhole game py:bot.py:Bot silly silly --show-stderr --log logs

    Agents: easy, normal, hard; by name silly, rash (random legal moves), greedy, hunter, shepherd, sage (thinks ahead;
    sage?iterations=1000 or sage?ms=200 for longer), champion (has learned); rl:FOLDER (a network of examples/train.py),
    bad:MISDEED (breaks one rule; 'bad:?' lists the misdeeds), py:FILE.py:CLASS(ARGUMENTS), py:MODULE:CLASS, cmd:PROGRAM
    (spoken to on its standard input and output), tcp:HOST:PORT (waits there for a client), human. Options follow a
    question mark: ?name=Ann&time=2&dialect=s16.
    """
    one_of(json=as_json, trace=as_trace, story=story, quiet=quiet)
    one_of(sorted=sorted_deck, deck=deck_file is not None)
    specs = named_agents(_names(agents))
    treated = settled(treated, specs, [record_file, log_folder])
    drawn = seed is None
    seed = checked_seed(drawn_secret() if seed is None else seed)
    deck = DECK if sorted_deck else shuffled(seed) if deck_file is None else read_deck(deck_file)
    if record_file is not None:
        check_place(record_file)
    watch = watched(show_stderr, log_folder)
    try:
        seeds = agent_seeds(seed, 0, range(1, len(specs) + 1))
        result = played(specs, deck, seeds, treated, [{"seed": seed}], watch=watch)
    except ValueError as error:
        raise not_had(error) from None
    record = result.record
    if record_file is not None:
        keep(record, record_file)
    if as_json:
        print(json.dumps({"seed": seed, "deck": [card_out(card) for card in deck], "ranking": rows(result.ranking)}))
        return
    if as_trace:
        for line in trace(record):
            print(json.dumps(line))
        return
    display(record, story, quiet)
    if not show_stderr:
        show_errors(record)
    if not record.replies:
        print(f"A deck of {len(deck)} cards is too small for a first turn.")
    if drawn:
        print(f"seed: {seed}")


def show_errors(record: Record) -> None:
    """Print the standard error of expelled programs."""
    from wateringhole.cli.terminal import plain  # noqa: PLC0415

    for note in record.notes:
        if note.get("stderr"):
            print(
                f"--- standard error of seat {note['expelled']} ---",
                plain(str(note["stderr"])).plain.rstrip(),
                sep="\n",
            )


def _names(agents: tuple[str, ...]) -> tuple[str, ...]:
    """The agents' names; a number stands for so many silly players."""
    if not agents:
        raise Complaint("who plays? Try: wateringhole game 5")
    if len(agents) == 1 and agents[0].isascii() and agents[0].isdigit():
        return ("silly",) * number_of_players(agents[0])
    return agents


def read_deck(path: Path) -> tuple[Card, ...]:
    """The deck in a file: 1 to 122 different cards."""
    try:
        deck = each(parse(path.read_bytes()), "the deck", card_in)
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror}") from None
    except (JsonError, ShapeError) as error:
        raise Complaint(f"{path}: {error}") from None
    if not deck:
        raise Complaint(f"{path}: the deck is empty; it takes 1 to {len(DECK)} cards")
    for at, card in enumerate(deck):
        if card in deck[:at]:
            raise Complaint(f"{path}: the deck holds {shown(card_out(card))} twice")
    return tuple(deck)


def check_place(path: Path) -> None:
    """Complain if no record can be kept here: before the game, because afterwards the game would be lost."""
    from tempfile import TemporaryFile  # noqa: PLC0415  # only for a record

    try:
        if not path.exists():
            TemporaryFile(dir=path.parent).close()  # an interrupted game must not leave an empty file
        elif not path.is_fifo():  # a reader of the pipe would take this for the end
            path.open("ab").close()
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror}") from None


def keep(record: Record, path: Path) -> None:
    """Write a record for the user."""
    try:
        write(record, path)
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror}") from None


def rows(standings: tuple[Standing, ...]) -> Json:
    """A ranking as data."""
    return [
        {
            "id": row.seat,
            "name": row.name,
            "score": row.score,
            "rank": row.rank,
            "expelled": {"reason": row.fault.reason.value, "text": row.fault.text, "rule": row.fault.rule}
            if row.fault
            else None,
        }
        for row in standings
    ]


def display(record: Record, story: bool, quiet: bool, steps: int | None = None) -> None:
    """Show a record, or only its ranking."""
    from rich.console import Console  # noqa: PLC0415  # rich takes 100 ms that --json and --trace need not spend

    from wateringhole.cli.terminal import show, standings  # noqa: PLC0415

    # A file or a pipe has no width: sentences stay whole there, for grep.
    wide = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    console = Console(highlight=False, width=1_000 if wide else None)
    if quiet:
        console.print(standings(ranking(replay(record, steps))))
    else:
        show(record, console, story, steps)
