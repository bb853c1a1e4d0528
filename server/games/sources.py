"""Where identifiers, tokens, time and chance come from; tests put their own in their place."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import SystemRandom


@dataclass(frozen=True, slots=True)
class Sources:
    """What is different each time.

    Attributes
    ----------
    identifier : callable
        Gives the id of a new game: 128 random bits in 22 characters.
    token : callable
        Gives a secret of 192 random bits in 32 characters.
    shuffle : callable
        Puts the longships of a bag in order, in place. Straight from the operating system's
        entropy: every order is equally likely, and no seed of a client goes into it.
    seed : callable
        Gives the seed of a bot's search, or of a set-up for which the client gave none.
    now : callable
        Gives the microseconds since 1970 in UTC.
    """

    identifier: Callable[[], str] = lambda: secrets.token_urlsafe(16)
    token: Callable[[], str] = lambda: secrets.token_urlsafe(24)
    shuffle: Callable[[list[str]], None] = SystemRandom().shuffle
    seed: Callable[[], int] = lambda: secrets.randbits(64)
    now: Callable[[], int] = lambda: time.time_ns() // 1000
