"""`xmain N`: silly players, sorted deck, ranking."""

import click

from wateringhole.agents.silly import Silly
from wateringhole.cards import DECK
from wateringhole.cli import number_of_players
from wateringhole.table import play


@click.command()
@click.argument("players")
def xmain(players: str) -> None:
    """Let PLAYERS silly players (3 to 8) play on the sorted deck and print the ranking.

    \b
    wateringhole xmain 5
    """
    result = play([Silly() for _ in range(number_of_players(players))], DECK)
    for row in result.ranking:
        print(f"{row.rank} player id: {row.seat} score: {row.score}")
