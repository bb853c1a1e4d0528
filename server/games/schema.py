"""The tables of the store. How they came to be is in ``migrations``; a test compares the two."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

metadata = MetaData()


def _game_id() -> Column[str]:
    return Column("game_id", ForeignKey("games.game_id", ondelete="CASCADE"), nullable=False)


# What never changes of a game, and, for lists and bots, how it stands.
games = Table(
    "games",
    metadata,
    Column("game_id", String(64), primary_key=True),
    Column("setup", Text, nullable=False),  # as everybody sees it, in the record format
    Column("owner_token_hash", LargeBinary, nullable=False),
    Column("undo_allowed", Boolean, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("create_time", BigInteger, nullable=False),
    Column("update_time", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("is_over", Boolean, nullable=False),
    Column("current_player", Integer, nullable=False),
    Column("bot_to_move", Boolean, nullable=False),
    Column("bot_replica", String(64)),  # the server that plays the bot's turn
    # By what a repeated creation is recognized, and what its tokens are made of beside the key.
    Column("creation_key_hash", LargeBinary),
    Column("creation_digest", LargeBinary),
    Column("creation_salt", String(64)),
    Index("games_listed", "listed", "create_time", "game_id"),
    Index("games_update_time", "update_time"),
    Index("games_creation_key", "creation_key_hash", unique=True),
    Index("games_bot_to_move", "bot_to_move", "bot_replica"),
)

seats = Table(
    "seats",
    metadata,
    _game_id(),
    Column("seat", Integer, nullable=False),
    Column("token_hash", LargeBinary),  # of a seat that a human plays, or played at first
    Column("bot", Text),  # who plays it, in JSON; a human if there is none
    PrimaryKeyConstraint("game_id", "seat"),
)

# The log. Rows are only ever added.
events = Table(
    "events",
    metadata,
    _game_id(),
    Column("version", Integer, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("text", Text, nullable=False),
    PrimaryKeyConstraint("game_id", "version"),
)

# The order of the bag: a row a longship, so that no more than the next one is ever read while a
# game goes on.
bags = Table(
    "bags",
    metadata,
    _game_id(),
    Column("place", Integer, nullable=False),
    Column("longship", Text, nullable=False),
    PrimaryKeyConstraint("game_id", "place"),
)

# Requests that were done, and the versions that they made: their answers.
requests = Table(
    "requests",
    metadata,
    _game_id(),
    Column("seat", Integer, nullable=False),
    Column("key", String(64), nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("first_version", Integer, nullable=False),
    Column("last_version", Integer, nullable=False),
    PrimaryKeyConstraint("game_id", "seat", "key"),
)

# The servers on this database, and until when each is taken to live.
replicas = Table(
    "replicas",
    metadata,
    Column("replica", String(64), primary_key=True),
    Column("alive_until", BigInteger, nullable=False),
)
