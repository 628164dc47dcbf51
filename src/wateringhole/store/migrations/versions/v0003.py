"""Seals of native clients' tokens, for clients that come back after the end of their game.

Laws: what a released version made is never made otherwise; a change is another file.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """A table more."""
    text = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
    op.create_table(
        "seals",
        sa.Column("seal", text, primary_key=True),
        sa.Column("game", text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=False),
        sa.Index("seals_by_time", "ended"),
        sa.Index("seals_by_game", "game"),
    )
