"""Hosted games."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "games",
        sa.Column("game_id", sa.String(64), primary_key=True),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("owner_token_hash", sa.LargeBinary, nullable=False),
        sa.Column("undo_allowed", sa.Boolean, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("create_time", sa.BigInteger, nullable=False),
        sa.Column("update_time", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("is_over", sa.Boolean, nullable=False),
        sa.Column("current_player", sa.Integer, nullable=False),
        sa.Column("bot_to_move", sa.Boolean, nullable=False),
        sa.Column("bot_replica", sa.String(64)),
    )
    op.create_index("games_listed", "games", ["listed", "create_time", "game_id"])
    op.create_index("games_bot_to_move", "games", ["bot_to_move", "bot_replica"])
    op.create_table(
        "seats",
        _game_id(),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("token_hash", sa.LargeBinary),
        sa.Column("bot", sa.Text),
        sa.PrimaryKeyConstraint("game_id", "seat"),
    )
    op.create_table(
        "events",
        _game_id(),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("time", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "version"),
    )
    op.create_table(
        "bags",
        _game_id(),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("longship", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "place"),
    )
    op.create_table(
        "requests",
        _game_id(),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("first_version", sa.Integer, nullable=False),
        sa.Column("last_version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", "key"),
    )
    op.create_table(
        "replicas",
        sa.Column("replica", sa.String(64), primary_key=True),
        sa.Column("alive_until", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    for name in ("replicas", "requests", "bags", "events", "seats", "games"):
        op.drop_table(name)


def _game_id() -> sa.Column[str]:
    return sa.Column(
        "game_id",
        sa.String(64),
        sa.ForeignKey("games.game_id", ondelete="CASCADE"),
        nullable=False,
    )
