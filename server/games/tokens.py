"""Secret tokens: only their hashes are kept."""

from __future__ import annotations

import base64
import hashlib
import hmac

_TOKEN_BYTES = 24


class Tokens:
    """The tokens of a game, which are not stored, but can be made again of a secret and a salt.

    Parameters
    ----------
    secret : str
        The client's idempotency key, of which only a hash is stored, or random.
    salt : str
        Random, and stored: a key alone tells nothing, however easy it is to guess.
    """

    def __init__(self, secret: str, salt: str = "") -> None:
        self._secret = secret.encode()
        self._salt = salt

    def of_owner(self) -> str:
        """Give the owner's token."""
        return self._of("owner")

    def of_seat(self, seat: int) -> str:
        """Give the token of a seat."""
        return self._of(f"seat {seat}")

    def _of(self, holder: str) -> str:
        made = hmac.digest(self._secret, f"{self._salt} {holder}".encode(), "sha256")
        return base64.urlsafe_b64encode(made[:_TOKEN_BYTES]).decode()


def hash_token(token: str) -> bytes:
    """Give the SHA-256 of a token. It is random and long, so that a plain hash does."""
    return hashlib.sha256(token.encode()).digest()


def is_token(token: str, hashed: bytes | None) -> bool:
    """Tell whether a hash is that of a token, in a time that says nothing of it."""
    return hashed is not None and hmac.compare_digest(hash_token(token), hashed)
