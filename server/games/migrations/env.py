"""Lets alembic work on the connection that it is given."""

from alembic import context

from server.games.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transaction_per_migration=False,
)
context.run_migrations()
