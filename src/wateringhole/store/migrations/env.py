"""Run by Alembic; the caller passes the connection, with its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], version_table=context.config.attributes["table"])
context.run_migrations()
