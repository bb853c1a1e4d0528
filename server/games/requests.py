"""What requests have in common: ids, tokens, keys and pages, checked."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import TypeAlias

from looot.v1 import game_service_pb2 as pb
from looot.v1.errors_pb2 import ErrorReason
from server.errors import Refusal
from server.games.entries import CreationKey, RepeatKey
from server.games.keeper import Game, not_found
from server.games.tokens import hash_token, is_token

DoneOnce: TypeAlias = pb.SubmitActionsRequest | pb.UndoTurnRequest | pb.ResignSeatRequest
"""A request that is done once, however often it comes."""

_LEAST_SEATS, _MOST_SEATS = 2, 4
_LONGEST_KEY = 64
_SHORTEST_SECRET = 22  # as many as 128 bits need in base64
_DEFAULT_PAGE = 50
_LARGEST_PAGE = 100
_GAME_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_LATEST = 2**63 - 1


def refuse(message: str, field: str) -> Refusal:
    """Give the refusal of a field."""
    return Refusal(ErrorReason.ERROR_REASON_INVALID_REQUEST, message, field)


def read_game_id(game_id: str) -> str:
    """Refuse what can be no id of a game."""
    if not game_id:
        raise refuse("missing: it is required", "game_id")
    if not _GAME_ID.fullmatch(game_id):
        raise not_found()
    return game_id


def read_seats(count: int) -> None:
    """Refuse a number of seats that no game has."""
    if not _LEAST_SEATS <= count <= _MOST_SEATS:
        raise refuse(f"{count} seats are not from {_LEAST_SEATS} to {_MOST_SEATS} (R1)", "seats")


def seat_of(game: Game, token: str) -> int:
    """Give the seat that a token is of."""
    for seat, stored in enumerate(game.stored.seats):
        if is_token(token, stored.token_hash):
            return seat
    raise denied("it is the token of no seat of this game" if token else "missing: a seat's token")


def denied(message: str) -> Refusal:
    """Give the refusal of a token."""
    return Refusal(ErrorReason.ERROR_REASON_PERMISSION_DENIED, message, "token")


def read_repeat(request: DoneOnce, seat: int) -> RepeatKey:
    """Read by what a request is recognized when it comes again."""
    return RepeatKey(seat, _read_key(request, 1), _digest(request))


def read_creation_key(request: pb.CreateGameRequest, salt: str) -> CreationKey:
    """Read by what the creation of a game is recognized when it comes again."""
    return CreationKey(hash_token(_read_key(request, _SHORTEST_SECRET)), _digest(request), salt)


def key_reused() -> Refusal:
    """Give the refusal of a key that came before."""
    return Refusal(
        ErrorReason.ERROR_REASON_IDEMPOTENCY_KEY_REUSED,
        "it came with another request before",
        "idempotency_key",
    )


def _read_key(request: DoneOnce | pb.CreateGameRequest, shortest: int) -> str:
    key = request.idempotency_key
    if not shortest <= len(key) <= _LONGEST_KEY or not key.isprintable():
        raise refuse(
            f"it is not {shortest} to {_LONGEST_KEY} printable characters long", "idempotency_key"
        )
    return key


def _digest(request: DoneOnce | pb.CreateGameRequest) -> bytes:
    content = request.DESCRIPTOR.name.encode() + request.SerializeToString(deterministic=True)
    return hashlib.sha256(content).digest()


def read_page(request: pb.ListGamesRequest) -> tuple[int, tuple[int, str] | None]:
    """Read the size of a page, and behind which time of creation and id it begins."""
    size = request.page_size or _DEFAULT_PAGE
    if not 1 <= size <= _LARGEST_PAGE:
        raise refuse(f"{size} is not from 0 to {_LARGEST_PAGE}", "page_size")
    if request.status not in pb.GameStatus.values():
        raise refuse(f"{request.status} is no status", "status")
    if not request.page_token:
        return size, None
    try:
        text = base64.urlsafe_b64decode(request.page_token.encode()).decode()
        time, game_id = text.split()
        before = int(time), game_id
    except (ValueError, binascii.Error):
        before = -1, ""
    if not 0 <= before[0] <= _LATEST or not _GAME_ID.fullmatch(before[1]):
        raise refuse("it is no token that came with a page", "page_token")
    return size, before


def page_token(create_time: int, game_id: str) -> str:
    """Give the token of the page behind a game."""
    return base64.urlsafe_b64encode(f"{create_time} {game_id}".encode()).decode()
