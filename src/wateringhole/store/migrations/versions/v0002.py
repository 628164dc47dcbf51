"""Which seats are rated; games of one person against house bots do not count any more.

Laws: what a released version made is never made otherwise; a change is another file.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_GAMES = sa.table("games", sa.column("id"), sa.column("rated"))
_SEATS = sa.table(
    "seats", sa.column("game"), sa.column("kind"), sa.column("stood_in", sa.Boolean), sa.column("rated", sa.Boolean)
)


def upgrade() -> None:
    """A column of the seats, and a ladder without the games that do not count any more."""
    op.add_column("seats", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.true()))
    op.execute(sa.update(_SEATS).where(_SEATS.c.stood_in).values(rated=False))
    people = sa.func.sum(sa.case((_SEATS.c.kind == "person", 1), else_=0))
    bots = sa.func.sum(sa.case((_SEATS.c.kind == "bot", 1), else_=0))
    alone = sa.select(_SEATS.c.game).group_by(_SEATS.c.game).having(people == 1, bots == sa.func.count() - 1)
    gone = sa.update(_GAMES).where(_GAMES.c.rated != "no", _GAMES.c.id.in_(alone)).values(rated="no")
    if op.get_bind().execute(gone).rowcount:
        op.execute(sa.delete(sa.table("ratings")))
        op.execute(sa.update(_GAMES).where(_GAMES.c.rated == "counted").values(rated="waiting"))
