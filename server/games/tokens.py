"""Secret tokens: only their hashes are kept."""

from __future__ import annotations

import hashlib
import hmac


def hash_token(token: str) -> bytes:
    """Give the SHA-256 of a token. It is random and long, so that a plain hash does."""
    return hashlib.sha256(token.encode()).digest()


def is_token(token: str, hashed: bytes | None) -> bool:
    """Tell whether a hash is that of a token, in a time that says nothing of it."""
    return hashed is not None and hmac.compare_digest(hash_token(token), hashed)
