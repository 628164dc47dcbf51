"""`xmain N`: silly players, sorted deck, ranking."""

import click

from wateringhole.agents.silly import Silly
from wateringhole.cards import DECK
from wateringhole.cli import Complaint
from wateringhole.table import play


@click.command()
@click.argument("players", type=int)
def xmain(players: int) -> None:
    """Let PLAYERS silly players (3 to 8) play on the sorted deck and print the ranking.

    \b
    wateringhole xmain 5
    """
    try:
        result = play([Silly() for _ in range(players)], DECK)
    except ValueError as error:
        raise Complaint(str(error)) from None
    for row in result.ranking:
        print(f"{row.rank} player id: {row.seat} score: {row.score}")
