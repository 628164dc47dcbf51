"""Turns a finished game into rows of the tables.

Laws: the record is not read. The leader of a game that was not finished has no rank and has won nothing.
"""

import zlib
from typing import Final

from sqlalchemy import Table

from wateringhole.events import Standing
from wateringhole.store.counting import Contender, contenders_of, uncounted
from wateringhole.store.finished_game import FinishedGame
from wateringhole.store.tables import FAULTS, GAMES, SEALS, SEATS, UNRATED, WAITING

MAX_TEXT_CHARS: Final = 256
"""A limit of database indexes. Names are much shorter, except in imported records."""
SPEED: Final = 4
"""How hard zlib tries; harder takes longer and saves a few percent."""

Row = dict[str, object]


def entry(known: str, game: FinishedGame) -> dict[Table, list[Row]]:
    """The rows of the game with this id."""
    over = game.status == "finished"
    standings = {row.seat: row for row in game.ranking}
    share = 1 / max(1, sum(row.rank == 1 for row in game.ranking))
    seats: list[Row] = []
    faults: list[Row] = []
    contenders = contenders_of(game)
    for seat, contender in enumerate(contenders, 1):
        stands = standings.get(seat) or Standing(seat, contender.name, None, None)
        seats.append(_who(game, seat, contender) | _how(stands, over, share) | {"game": known})
        if stands.fault is not None:
            fault = stands.fault
            faults.append({"game": known, "seat": seat, "reason": fault.reason, "rule": fault.rule, "text": fault.text})
    row: Row = {
        "id": known,
        "began": game.began,
        "ended": game.ended,
        "server": game.server[:MAX_TEXT_CHARS],
        "number": game.number,
        "title": game.title[:MAX_TEXT_CHARS],
        "private": game.private,
        "status": game.status,
        "players": len(game.names),
        "turns": game.turns,
        "rules": game.rules[:MAX_TEXT_CHARS],
        "tournament": game.tournament and game.tournament[:MAX_TEXT_CHARS],
        "rated": UNRATED if uncounted(game.private, game.status, contenders) else WAITING,
        "record": zlib.compress(game.data, SPEED),
    }
    seals: list[Row] = [
        {"seal": token_hash, "game": known, "ended": game.ended} for token_hash in sorted(game.token_hashes)
    ]
    return {GAMES: [row], SEATS: seats, FAULTS: faults, SEALS: seals}


def _who(game: FinishedGame, seat: int, contender: Contender) -> Row:
    """The columns of a seat that say which player had it."""
    return {
        "seat": seat,
        "name": contender.name[:MAX_TEXT_CHARS],
        "kind": contender.kind,
        "agent": game.agents[seat - 1][:MAX_TEXT_CHARS] if game.agents else "",
        "identity": contender.identity[:MAX_TEXT_CHARS],
        "stood_in": seat in game.stood_in,
        "rated": not contender.unrated,
    }


def _how(stands: Standing, over: bool, share: float) -> Row:
    """The columns of a seat that say how the game ended for it."""
    rank = stands.rank if over else None
    return {
        "rank": rank,
        "score": stands.score,
        "won": share if rank == 1 else 0.0,
        "expelled": None if stands.fault is None else stands.fault.reason,
    }
