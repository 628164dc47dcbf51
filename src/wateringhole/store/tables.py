"""The tables of the store, as this version knows them.

Laws: times are UTC. Text is ordered by code points in every database. `migrations` leads from any earlier version to
this one; a test holds the two together.
"""

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    true,
)
from sqlalchemy.dialects import postgresql

REVISIONS: Final = ("0001", "0002", "0003")
"""The versions of the tables, the first one first."""
VERSION_TABLE: Final = "wateringhole_version"

UNRATED: Final = "no"
WAITING: Final = "waiting"
COUNTED: Final = "counted"
"""Whether a game counts for the ladder: not at all, waiting until the ladder is read, or counted."""


class Words(TypeDecorator[str]):
    """Text from outside: what no database takes, NUL and lone surrogates, is replaced."""

    impl = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        if value is None or (value.isascii() and "\0" not in value):
            return value
        return value.replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace").decode()


class Utc(TypeDecorator[datetime]):
    """A time; SQLite does not keep time zones, so it is stored there without one."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


METADATA: Final = MetaData()

GAMES: Final = Table(
    "games",
    METADATA,
    Column("id", Words, primary_key=True),
    Column("began", Utc, nullable=False),
    Column("ended", Utc, nullable=False),
    Column("server", Words, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("title", Words, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("status", Words, nullable=False),
    Column("players", Integer, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("rules", Words, nullable=False),
    Column("tournament", Words),
    Column("rated", Words, nullable=False),
    Column("record", LargeBinary, nullable=False),  # JSON lines, compressed; last, as rows are read in order
    Index("games_by_time", "ended", "id"),
    Index("public_games_by_time", "private", "ended", "id"),
    Index("games_for_the_ladder", "rated", "ended", "id"),
    Index("games_by_tournament", "tournament"),
)

SEATS: Final = Table(
    "seats",
    METADATA,
    Column("game", Words, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("name", Words, nullable=False),
    Column("kind", Words),  # person | bot | client, if known
    Column("agent", Words, nullable=False),
    Column("identity", Words, nullable=False),
    Column("rank", Integer),
    Column("score", Integer),
    Column("won", Double, nullable=False),
    Column("expelled", Words),
    Column("stood_in", Boolean, nullable=False),
    Column("rated", Boolean, nullable=False, server_default=true()),  # if its game is
    Index("seats_by_name", "name"),
    Index("seats_by_identity", "identity"),
    Index("seats_by_expulsion", "expelled"),
)

FAULTS: Final = Table(
    "faults",
    METADATA,
    Column("game", Words, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("reason", Words, nullable=False),
    Column("rule", Words, nullable=False),
    Column("text", Words, nullable=False),
)

SEALS: Final = Table(
    "seals",
    METADATA,
    Column("seal", Words, primary_key=True),  # SHA-256 of a native client's token
    Column("game", Words, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("ended", Utc, nullable=False),
    Index("seals_by_time", "ended"),
    Index("seals_by_game", "game"),
)

RATINGS: Final = Table(
    "ratings",
    METADATA,
    Column("identity", Words, primary_key=True),
    Column("games", Integer, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
)

TOURNAMENTS: Final = Table(
    "tournaments",
    METADATA,
    Column("id", Words, primary_key=True),
    Column("title", Words, nullable=False),
    Column("seed", Words, nullable=False),
    Column("format", Words, nullable=False),
    Column("table", Integer, nullable=False),
    Column("ended", Utc, nullable=False),
    Column("standings", Words, nullable=False),  # JSON
    Column("brief", Words, nullable=False),  # TOML
    Index("tournaments_by_time", "ended", "id"),
)
