"""`game`: play one game and show it."""

import json
import os
import secrets
import sys
from pathlib import Path

import click

from wateringhole.agents.house import named
from wateringhole.cards import DECK, Card, shuffled
from wateringhole.cli import Complaint, number_of_players, one_of
from wateringhole.events import Standing
from wateringhole.record import Record, replay, write
from wateringhole.rules.turn import ranking
from wateringhole.table import play
from wateringhole.wire.harness import trace
from wateringhole.wire.shapes import ShapeError, card_in, card_out, each, shown
from wateringhole.wire.stream import Json, JsonError, parse

LONGEST_SEED = 1_000


@click.command()
@click.argument("agents", nargs=-1, metavar="AGENT... | NUMBER")
@click.option("--seed", help="A text or number that fixes the deck and every agent's dice.")
@click.option("--sorted", "sorted_deck", is_flag=True, help="The sorted deck instead of a shuffled one.")
@click.option("--deck", "deck_file", type=click.Path(path_type=Path), help="A JSON array of [food, trait], top first.")
@click.option("--record", "record_file", type=click.Path(path_type=Path), help="Keep the game in this file.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object: seed, deck, ranking.")
@click.option("--trace", "as_trace", is_flag=True, help="One JSON line a turn: the state at its end; then the scores.")
@click.option("--story", is_flag=True, help="Show every event, also each meal and each deal.")
@click.option("--quiet", is_flag=True, help="Show only the ranking.")
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
) -> None:
    """Play one game of 3 to 8 AGENTs, or of NUMBER silly players, and show it.

    \b
    wateringhole game 5                        five silly players
    wateringhole game silly silly rash         agents by name, in sign-up order
    wateringhole game 3 --seed 7               the same game every time
    wateringhole game 4 --record game.jsonl    see it again with 'replay'
    wateringhole game silly silly bad:card-twice

    Agents: silly, rash (random legal moves), bad:MISDEED (breaks one rule; 'bad:?' lists the misdeeds).
    """
    one_of(json=as_json, trace=as_trace, story=story, quiet=quiet)
    one_of(sorted=sorted_deck, deck=deck_file is not None)
    names = _names(agents)
    drawn = seed is None
    seed = checked_seed(secrets.token_hex(16) if seed is None else seed)
    deck = DECK if sorted_deck else shuffled(seed) if deck_file is None else read_deck(deck_file)
    try:
        players = [named(name, f"{seed}:{seat}") for seat, name in enumerate(names, 1)]
        result = play(players, deck, [f"{name} {seat}" for seat, name in enumerate(names, 1)])
    except ValueError as error:
        raise Complaint(str(error)) from None
    record = Record(result.record.names, result.record.deck, result.record.replies, notes=({"seed": seed},))
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
    if not record.replies:
        print(f"A deck of {len(deck)} cards is too small for a first turn.")
    if drawn:
        print(f"seed: {seed}")


def _names(agents: tuple[str, ...]) -> tuple[str, ...]:
    """The agents' names; a number stands for so many silly players."""
    if not agents:
        raise Complaint("who plays? Try: wateringhole game 5")
    if len(agents) == 1 and agents[0].isascii() and agents[0].isdigit():
        return ("silly",) * number_of_players(agents[0])
    return agents


def checked_seed(seed: str) -> str:
    """A seed that can be written down; Complaint otherwise."""
    if len(seed) > LONGEST_SEED:
        raise Complaint(f"the seed has {len(seed)} characters, above {LONGEST_SEED}")
    try:
        seed.encode()
    except UnicodeEncodeError:
        raise Complaint("the seed is not valid UTF-8") from None
    return seed


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

    from wateringhole.cli.show import show, standings  # noqa: PLC0415

    # A file or a pipe has no width: sentences stay whole there, for grep.
    wide = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    console = Console(highlight=False, width=1_000 if wide else None)
    if quiet:
        console.print(standings(ranking(replay(record, steps))))
    else:
        show(record, console, story, steps)
