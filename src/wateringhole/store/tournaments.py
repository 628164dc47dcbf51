"""Tournaments in the store: what is kept of them, and their standings as a list shows them.

Laws: a tournament is known by its id and may be kept again, with more games. Standings are kept as the report of their
version wrote them; standings that this version does not understand have no entrants.
"""

import contextlib
from datetime import datetime

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, delete, func, insert, select

from wateringhole.store.tables import TOURNAMENTS
from wateringhole.wire.framing import Json


class Tournament(Struct, frozen=True):
    """A tournament that is over; its games bear its id. `standings` is the JSON of its report, `brief` the TOML
    file that it was played by.
    """

    id: str
    title: str
    seed: str
    format: str
    table: int
    ended: datetime
    standings: Json
    brief: str

    @property
    def entrants(self) -> "list[Entrant]":
        """The entries, the best first."""
        with contextlib.suppress(msgspec.ValidationError):
            return msgspec.convert(self.standings, _Told).standings
        return []


class Average(Struct, frozen=True):
    """A mean of an entry's games."""

    value: float


class Entrant(Struct, frozen=True):
    """An entry in the standings: its place, its Elo number, and its means; `wins` is a share, from 0 to 1."""

    place: int
    name: str
    agent: str
    games: int
    elo: float
    wins: Average
    rank: Average
    score: Average


class _Told(Struct, frozen=True):
    standings: list[Entrant]


def keep(connection: Connection, tournament: Tournament) -> None:
    """Add this tournament, in the place of an earlier one with its id."""
    standings = msgspec.json.encode(tournament.standings).decode()
    row = {**msgspec.structs.asdict(tournament), "standings": standings}
    connection.execute(delete(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament.id))
    connection.execute(insert(TOURNAMENTS), [row])


def listed(connection: Connection, beginning: str, limit: int | None) -> list[Tournament]:
    """Those whose ids begin like this, the last one first."""
    order = TOURNAMENTS.c.ended.desc(), TOURNAMENTS.c.id.desc()
    found = select(TOURNAMENTS).where(func.substr(TOURNAMENTS.c.id, 1, len(beginning)) == beginning)
    rows = connection.execute(found.order_by(*order).limit(limit)).mappings()
    return [Tournament(**{**row, "standings": msgspec.json.decode(row["standings"])}) for row in rows]
