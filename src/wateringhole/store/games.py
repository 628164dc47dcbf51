"""The store: adds, finds, exports and deletes finished games in a database.

Laws: a game is known by the fingerprint of its record and never changes; it may only be deleted. Adding one reads
nothing of its record.
"""

import contextlib
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import Table, delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from wateringhole.record import MAX_RECORD_BYTES
from wateringhole.store import ladder_update, players, queries, tournaments
from wateringhole.store.database import Database, database
from wateringhole.store.error import StoreError
from wateringhole.store.finished_game import RETURN_SECONDS, FinishedGame, game_id
from wateringhole.store.inflate import inflated
from wateringhole.store.ladder import Rung
from wateringhole.store.players import Profile
from wateringhole.store.queries import ALL, Cursor, Filter, StoredGame
from wateringhole.store.rows import Row, entry
from wateringhole.store.tables import COUNTED, FAULTS, GAMES, SEALS, SEATS
from wateringhole.store.tournaments import Tournament


class Store:
    """The games in a database; threads may share it."""

    def __init__(self, base: Database) -> None:
        self._base: Final = base
        new = sqlite.insert(GAMES) if base.in_a_file else postgresql.insert(GAMES)
        self._new: Final = new.on_conflict_do_nothing().returning(GAMES.c.id)

    def add(self, games: Iterable[FinishedGame]) -> list[str]:
        """Add these games, all of them or none, and return their ids. A game that is there already stays as it is."""
        ids: list[str] = []
        entries: dict[str, dict[Table, list[Row]]] = {}
        for game in games:
            ids.append(known := game_id(game.data))
            if known not in entries:
                entries[known] = entry(known, game)
        if not entries:
            return []
        with self._base.writing() as connection:
            # In one order, so that two writers of the same games do not deadlock.
            rows = [row for known in sorted(entries) for row in entries[known][GAMES]]
            new = connection.execute(self._new, rows).scalars().all()
            for table in (SEATS, FAULTS, SEALS):
                if rows := [row for known in new for row in entries[known][table]]:
                    connection.execute(insert(table), rows)
            if any(entries[known][SEALS] for known in new):
                latest = connection.execute(select(func.max(SEALS.c.ended))).scalar_one()
                connection.execute(delete(SEALS).where(SEALS.c.ended < latest - timedelta(seconds=RETURN_SECONDS)))
        return ids

    def __contains__(self, game: str) -> bool:
        with self._base.reading() as connection:
            return connection.execute(select(GAMES.c.id).where(GAMES.c.id == game)).first() is not None

    def data(self, game: str) -> bytes:
        """The record of the game with this id, as a file has it: `wateringhole.record.parsed` reads it. KeyError when
        there is no such game, StoreError when its record is damaged.
        """
        with self._base.reading() as connection:
            record = connection.execute(select(GAMES.c.record).where(GAMES.c.id == game)).scalar()
        if record is None:
            raise KeyError(game)
        return _unpacked(game, record)

    def game_of_token(self, token_hash: str) -> bytes | None:
        """The record of the last game that a client played with the token of this hash, unless it ended long ago."""
        found = select(GAMES.c.id, GAMES.c.record).join(SEALS).where(SEALS.c.seal == token_hash)
        with self._base.reading() as connection:
            last = connection.execute(found.order_by(SEALS.c.ended.desc())).first()
        return None if last is None else _unpacked(*last)

    def kept(self, game: str) -> StoredGame:
        """What is known of the game with this id; KeyError when there is none."""
        with self._base.reading() as connection:
            found = queries.kept(connection, game)
        if found is None:
            raise KeyError(game)
        return found

    def listed(self, where: Filter = ALL, limit: int | None = 50, before: Cursor | None = None) -> list[StoredGame]:
        """The latest of these games, the last one first. `before`, the cursor of a game, goes on behind that game."""
        with self._base.reading() as connection:
            return queries.listed(connection, where, limit, before)

    def count(self, where: Filter = ALL) -> int:
        """How many games these are."""
        with self._base.reading() as connection:
            return queries.counted(connection, where)

    def last_number(self) -> int:
        """The highest number that a server gave to a game; 0 if there is none."""
        with self._base.reading() as connection:
            return connection.execute(select(func.max(GAMES.c.number))).scalar() or 0

    def ids(self, beginning: str, limit: int = 2) -> list[str]:
        """The first of the ids that begin like this."""
        with self._base.reading() as connection:
            return queries.ids(connection, beginning, limit)

    def delete(self, games: Iterable[str]) -> int:
        """Remove these games with all their rows, and return how many there were. The ladder forgets them, too."""
        gone = 0
        with self._base.writing(alone=True) as connection:
            for some in queries.batches(games):
                these = GAMES.c.id.in_(some)
                if connection.execute(select(GAMES.c.id).where(these, GAMES.c.rated == COUNTED)).first() is not None:
                    ladder_update.forget(connection)
                gone += connection.execute(delete(GAMES).where(these)).rowcount
        return gone

    def ladder(self, limit: int | None = None) -> list[Rung]:
        """The ladder from the top, all games counted."""
        ladder_update.count_games(self._base)
        with self._base.reading() as connection:
            return players.rungs(connection, limit)

    def player(self, identity: str) -> Profile:
        """What is known of this player; KeyError when no game of theirs counts for the ladder."""
        ladder_update.count_games(self._base)
        with self._base.reading() as connection:
            found = players.profile(connection, identity)
        if found is None:
            raise KeyError(identity)
        return found

    def add_tournament(self, tournament: Tournament) -> None:
        """Add this tournament, in the place of an earlier one with its id."""
        with self._base.writing() as connection:
            tournaments.keep(connection, tournament)

    def tournaments(self, beginning: str = "", limit: int | None = None) -> list[Tournament]:
        """The tournaments whose ids begin like this, the last one first."""
        with self._base.reading() as connection:
            return tournaments.listed(connection, beginning, limit)


@contextlib.contextmanager
def opened(place: str | Path, create: bool = True) -> Iterator[Store]:
    """The store in this data folder or at this URL of PostgreSQL, as a context manager.

    StoreError if there is something else, or nothing and `create` is False.
    """
    with database(place, create) as base:
        yield Store(base)


def _unpacked(game: str, record: bytes) -> bytes:
    try:
        return inflated(record, MAX_RECORD_BYTES)
    except ValueError as error:
        raise StoreError(f"the record of game {game} cannot be read: {error}") from None
