"""What is stored of a game, and why it may not be."""

from __future__ import annotations

from dataclasses import dataclass

from server.games.entries import CreationKey


class VersionConflictError(Exception):
    """The game has another version by now, or is gone."""


class KeyTakenError(Exception):
    """A game was created with this key before."""


class TooManyGamesError(Exception):
    """As many games are stored as may be."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands, for lists and for whoever plays its bots.

    Attributes
    ----------
    version : int
    is_over : bool
    current_player : int
    bot_to_move : bool
    """

    version: int
    is_over: bool
    current_player: int
    bot_to_move: bool


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """Who plays a seat.

    Attributes
    ----------
    token_hash : bytes or None
        Of the human who plays it or resigned it. None: it always was a bot's.
    bot : str or None
        The bot in JSON. None: a human plays.
    """

    token_hash: bytes | None
    bot: str | None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """What is stored of a game beside its log and its bag.

    Attributes
    ----------
    game_id : str
    setup : str
        As everybody sees it, in JSON.
    owner_token_hash : bytes
    undo_allowed, listed : bool
    create_time, update_time : int
        Microseconds since 1970 in UTC.
    seats : tuple of StoredSeat
    standing : Standing
    creation : CreationKey, optional
        None: the request of its creation cannot be repeated.
    """

    game_id: str
    setup: str
    owner_token_hash: bytes
    undo_allowed: bool
    listed: bool
    create_time: int
    update_time: int
    seats: tuple[StoredSeat, ...]
    standing: Standing
    creation: CreationKey | None = None
