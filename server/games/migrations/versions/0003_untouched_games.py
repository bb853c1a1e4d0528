"""Games by when something last happened in them."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the index."""
    op.create_index("games_update_time", "games", ["update_time"])


def downgrade() -> None:
    """Drop the index."""
    op.drop_index("games_update_time", "games")
