"""Idempotency keys of creations."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; games that were created before have no key."""
    op.add_column("games", sa.Column("creation_key_hash", sa.LargeBinary))
    op.add_column("games", sa.Column("creation_digest", sa.LargeBinary))
    op.add_column("games", sa.Column("creation_salt", sa.String(64)))
    op.create_index("games_creation_key", "games", ["creation_key_hash"], unique=True)


def downgrade() -> None:
    """Drop the columns."""
    op.drop_index("games_creation_key", "games")
    for name in ("creation_salt", "creation_digest", "creation_key_hash"):
        op.drop_column("games", name)
