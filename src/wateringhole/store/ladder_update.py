"""Brings the ladder up to date with the games in the store.

Laws: the ladder is a function of the rated games that are there, in the order in which they ended (then by id). It is
brought up to date when it is read: by the new games alone if all of them ended later than those that are
counted, from the beginning otherwise. Every step on the way is a ladder of some of the games, and can be kept.
"""

from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from wateringhole.store.database import Database
from wateringhole.store.error import StoreError
from wateringhole.store.ladder import Known, Ladder
from wateringhole.store.tables import COUNTED, GAMES, RATINGS, SEATS, WAITING

GAMES_AT_ONCE: Final = 200
"""How many games are counted until other writers have their turn."""

_TIME: Final = (GAMES.c.ended, GAMES.c.id)
_LATEST: Final = (GAMES.c.ended.desc(), GAMES.c.id.desc())


def count_games(base: Database) -> None:
    """Bring the ladder up to date."""
    with base.reading() as connection:
        waiting = connection.execute(select(GAMES.c.id).where(GAMES.c.rated == WAITING).limit(1)).first() is not None
    if waiting and base.read_only:
        raise StoreError(f"{base.shown}: there are games to count for the ladder, and the store is read-only")
    while waiting:
        with base.writing(alone=True) as connection:
            page = select(*_TIME).where(GAMES.c.rated == WAITING).order_by(*_TIME).limit(GAMES_AT_ONCE)
            games = [tuple(row) for row in connection.execute(page)]
            waiting = bool(games)
            latest = select(*_TIME).where(GAMES.c.rated == COUNTED).order_by(*_LATEST).limit(1)
            last = connection.execute(latest).first()
            if games and last is not None and games[0] < tuple(last):
                forget(connection)
            elif games:
                _count(connection, [game for _, game in games])


def forget(connection: Connection) -> None:
    """Mark all games as uncounted: the next reader of the ladder counts them anew."""
    connection.execute(delete(RATINGS))
    connection.execute(update(GAMES).where(GAMES.c.rated == COUNTED).values(rated=WAITING))


def _count(connection: Connection, games: list[str]) -> None:
    """Let these games, in this order, change the ladder."""
    tables: dict[str, list[tuple[str, int]]] = {game: [] for game in games}
    seats = select(SEATS.c.game, SEATS.c.identity, SEATS.c.rank, GAMES.c.players).join(GAMES)
    for game, identity, rank, players in connection.execute(seats.where(SEATS.c.game.in_(games), SEATS.c.rated)):
        tables[game].append((identity, rank or players))  # an expelled player is last
    them = {identity for table in tables.values() for identity, _ in table}
    before = connection.execute(select(RATINGS).where(RATINGS.c.identity.in_(them)))
    ladder = Ladder({identity: Known(*known) for identity, *known in before})
    for table in tables.values():
        ladder.played([identity for identity, _ in table], [rank for _, rank in table])
    rows = [
        {"identity": identity, "games": known.games, "mu": known.mu, "sigma": known.sigma}
        for identity, known in sorted(ladder.known.items())
    ]
    connection.execute(delete(RATINGS).where(RATINGS.c.identity.in_(them)))
    connection.execute(insert(RATINGS), rows)
    connection.execute(update(GAMES).where(GAMES.c.id.in_(games)).values(rated=COUNTED))
