"""The entries of a game's log: what happened, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Entry(NamedTuple):
    """Something that happened in a game.

    Attributes
    ----------
    version : int
        Its number in the game, from 1.
    time : int
        When it was stored, in microseconds since 1970 in UTC.
    seat : int
        The seat that did it.
    text : str
        An action or a draw in the notation (``viking 3,-2``, ``draw 2 castle+4 GGA``),
        ``undo 17`` (the table is again that of this version), or ``resign`` with the new bot in
        JSON.
    """

    version: int
    time: int
    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class RepeatKey:
    """By what a repeated request is recognized.

    Attributes
    ----------
    seat : int
        Whose request it is.
    key : str
        What the client calls it.
    digest : bytes
        A hash of the request.
    """

    seat: int
    key: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class CreationKey:
    """By what a repeated creation of a game is recognized, and answered with the same tokens.

    Attributes
    ----------
    key_hash : bytes
        A hash of what the client calls it: its key is a secret.
    digest : bytes
        A hash of the request.
    salt : str
        What the tokens are made of beside the key.
    """

    key_hash: bytes
    digest: bytes
    salt: str
