"""What Alembic runs; the connection, with its transaction, is ours."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], version_table=context.config.attributes["table"])
context.run_migrations()
