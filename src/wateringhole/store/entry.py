"""A finished game as rows of the tables.

Laws: nothing of its record is read. Who leads in a game that was not finished has no rank and has won nothing. A game
is for the ladder if it is public, finished, and between at least two whom the ladder tells apart; a seat that a
stand-in played for is nobody.
"""

import zlib
from typing import Final

from sqlalchemy import Table

from wateringhole.events import Standing
from wateringhole.store.finished import Finished, identity
from wateringhole.store.tables import FAULTS, GAMES, SEATS, UNRATED, WAITING

LONGEST_TEXT: Final = 256
"""Names are much shorter, except in the records of others; an index takes no longer ones."""
FEWEST_RATED: Final = 2
SPEED: Final = 4
"""How hard zlib tries; harder takes longer and saves a few percent."""

Row = dict[str, object]


def entry(known: str, game: Finished) -> dict[Table, list[Row]]:
    """What is written down of the game with this id."""
    over = game.status == "finished"
    standings = {row.seat: row for row in game.ranking}
    share = 1 / max(1, sum(row.rank == 1 for row in game.ranking))
    seats: list[Row] = []
    faults: list[Row] = []
    for seat, name in enumerate(game.names, 1):
        stands = standings.get(seat) or Standing(seat, name, None, None)
        seats.append(_who(game, seat, name) | _how(stands, over, share) | {"game": known})
        if stands.fault is not None:
            fault = stands.fault
            faults.append({"game": known, "seat": seat, "reason": fault.reason, "rule": fault.rule, "text": fault.text})
    rated = {row["identity"] for row in seats if not row["stood_in"]}
    row: Row = {
        "id": known,
        "began": game.began,
        "ended": game.ended,
        "server": game.server[:LONGEST_TEXT],
        "number": game.number,
        "title": game.title[:LONGEST_TEXT],
        "private": game.private,
        "status": game.status,
        "players": len(game.names),
        "turns": game.turns,
        "rules": game.rules[:LONGEST_TEXT],
        "tournament": game.tournament and game.tournament[:LONGEST_TEXT],
        "rated": WAITING if over and not game.private and len(rated) >= FEWEST_RATED else UNRATED,
        "record": zlib.compress(game.data, SPEED),
    }
    return {GAMES: [row], SEATS: seats, FAULTS: faults}


def _who(game: Finished, seat: int, name: str) -> Row:
    """Who sat there."""
    kind = game.kinds[seat - 1] if game.kinds else None
    agent = game.agents[seat - 1] if game.agents else ""
    return {
        "seat": seat,
        "name": name[:LONGEST_TEXT],
        "kind": kind,
        "agent": agent[:LONGEST_TEXT],
        "identity": identity(name, kind, agent)[:LONGEST_TEXT],
        "stood_in": seat in game.stood_in,
    }


def _how(stands: Standing, over: bool, share: float) -> Row:
    """And how they came off."""
    rank = stands.rank if over else None
    return {
        "rank": rank,
        "score": stands.score,
        "won": share if rank == 1 else 0.0,
        "expelled": None if stands.fault is None else stands.fault.reason,
    }
