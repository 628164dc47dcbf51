"""Games, seats, faults, ratings, tournaments.

Laws: what a released version made is never made otherwise; a change is another file.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None


def upgrade() -> None:
    """The first tables."""
    text = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
    time = sa.DateTime(timezone=True)
    op.create_table(
        "games",
        sa.Column("id", text, primary_key=True),
        sa.Column("began", time, nullable=False),
        sa.Column("ended", time, nullable=False),
        sa.Column("server", text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("title", text, nullable=False),
        sa.Column("private", sa.Boolean, nullable=False),
        sa.Column("status", text, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("rules", text, nullable=False),
        sa.Column("tournament", text),
        sa.Column("rated", text, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sa.Index("games_by_time", "ended", "id"),
        sa.Index("public_games_by_time", "private", "ended", "id"),
        sa.Index("games_for_the_ladder", "rated", "ended", "id"),
        sa.Index("games_by_tournament", "tournament"),
    )
    op.create_table(
        "seats",
        sa.Column("game", text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", text, nullable=False),
        sa.Column("kind", text),
        sa.Column("agent", text, nullable=False),
        sa.Column("identity", text, nullable=False),
        sa.Column("rank", sa.Integer),
        sa.Column("score", sa.Integer),
        sa.Column("won", sa.Double, nullable=False),
        sa.Column("expelled", text),
        sa.Column("stood_in", sa.Boolean, nullable=False),
        sa.Index("seats_by_name", "name"),
        sa.Index("seats_by_identity", "identity"),
        sa.Index("seats_by_expulsion", "expelled"),
    )
    op.create_table(
        "faults",
        sa.Column("game", text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("reason", text, nullable=False),
        sa.Column("rule", text, nullable=False),
        sa.Column("text", text, nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("identity", text, primary_key=True),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", text, primary_key=True),
        sa.Column("title", text, nullable=False),
        sa.Column("seed", text, nullable=False),
        sa.Column("format", text, nullable=False),
        sa.Column("table", sa.Integer, nullable=False),
        sa.Column("ended", time, nullable=False),
        sa.Column("standings", text, nullable=False),
        sa.Column("brief", text, nullable=False),
        sa.Index("tournaments_by_time", "ended", "id"),
    )
