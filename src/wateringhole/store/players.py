"""Queries for players: their games, their results, their opponents.

Laws: they count only games that count for the ladder, and only rated seats.
"""

from typing import Final

from msgspec import Struct
from sqlalchemy import Connection, Double, case, cast, desc, func, literal, select, tuple_

from wateringhole.store.ladder import SURELY, Known, Rung, rung
from wateringhole.store.queries import Filter, StoredGame, listed
from wateringhole.store.tables import GAMES, RATINGS, SEATS, UNRATED, Words

MAX_OPPONENTS: Final = 10
LAST_GAMES: Final = 10

_ORDINAL: Final = RATINGS.c.mu - SURELY * RATINGS.c.sigma


class Opponent(Struct, frozen=True):
    """A player that this one has met: how many times, and how many times this one was ahead. An expelled seat is
    behind.
    """

    identity: str
    meetings: int
    ahead: int


class Profile(Struct, frozen=True):
    """What is known of a player. A shared win is a share of one; the score of an expelled seat is 0."""

    identity: str
    place: int
    rating: Rung
    wins: float
    mean_score: float
    opponents: tuple[Opponent, ...]
    games: tuple[StoredGame, ...]


def rungs(connection: Connection, limit: int | None) -> list[Rung]:
    """The ladder, from the top."""
    rows = connection.execute(select(RATINGS).order_by(_ORDINAL.desc(), RATINGS.c.identity).limit(limit))
    return [rung(identity, Known(*known)) for identity, *known in rows]


def profile(connection: Connection, identity: str) -> Profile | None:
    """All that is known of this player; None if no game of theirs counts."""
    row = connection.execute(select(RATINGS).where(RATINGS.c.identity == identity)).first()
    if row is None:
        return None
    stands = rung(identity, Known(*row[1:]))
    above = tuple_(-_ORDINAL, RATINGS.c.identity) < tuple_(literal(-stands.ordinal), literal(identity, Words))
    place = 1 + connection.execute(select(func.count()).where(above)).scalar_one()
    points = cast(func.coalesce(SEATS.c.score, 0), Double)
    mine = (SEATS.c.identity == identity) & SEATS.c.rated & (GAMES.c.rated != UNRATED)
    wins, score = connection.execute(
        select(func.sum(SEATS.c.won), func.avg(points)).join_from(SEATS, GAMES).where(mine)
    ).one()
    last = listed(connection, Filter(player=identity), LAST_GAMES, None)
    return Profile(identity, place, stands, wins, score, _opponents(connection, identity), tuple(last))


def _opponents(connection: Connection, identity: str) -> tuple[Opponent, ...]:
    """The players that this one met most often; one on two seats of a table was met twice."""
    me, other = SEATS.alias(), SEATS.alias()
    ahead = func.coalesce(me.c.rank, GAMES.c.players) < func.coalesce(other.c.rank, GAMES.c.players)
    meetings = func.count().label("meetings")
    found = (
        select(other.c.identity, meetings, func.sum(case((ahead, 1), else_=0)))
        .select_from(me.join(GAMES, GAMES.c.id == me.c.game).join(other, other.c.game == me.c.game))
        .where(me.c.identity == identity, other.c.identity != identity, GAMES.c.rated != UNRATED)
        .where(me.c.rated, other.c.rated)
        .group_by(other.c.identity)
        .order_by(desc(meetings), other.c.identity)
        .limit(MAX_OPPONENTS)
    )
    return tuple(Opponent(*row) for row in connection.execute(found))
