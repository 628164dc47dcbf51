"""From the tables of any earlier version to this one's, by Alembic."""
