"""Who may call: the keys of clients, hashed, and what each of them may do."""

from __future__ import annotations

import hashlib
import re
import secrets
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from looot.v1.errors_pb2 import ErrorReason
from server.errors import Refusal
from server.settings import SettingsError, describe

Headers = Callable[[str], str | None]
"""Gives a header of a call by its name in lower case."""

_PREFIX = "looot_"
_BEARER = re.compile(r"bearer +(\S+)", re.IGNORECASE)
_BUSY_S = 1.0


class KeyEntry(BaseModel):
    """A key in a keys file; the fields say what they mean."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", description="What logs call its owner."
    )
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="The SHA-256 of the key, in hex.")
    calls_per_second: float | None = Field(
        default=None, gt=0, le=1e6, description="Calls a second, with bursts of as many."
    )
    max_searches: int | None = Field(
        default=None, ge=1, le=100_000, description="Searches at once, those that wait included."
    )
    max_time_s: float | None = Field(
        default=None, gt=0, le=86_400, description="Seconds of its longest search."
    )


class Caller:
    """Somebody who calls, and what of the limits is used up.

    Parameters
    ----------
    entry : KeyEntry, optional
        The key that was shown; None: nobody had to show one.
    clock : callable
        Gives the time in seconds.
    """

    def __init__(
        self, entry: KeyEntry | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = entry.name if entry else ""
        self.max_time_s = entry.max_time_s if entry else None
        self._max_searches = entry.max_searches if entry else None
        self._rate = entry.calls_per_second if entry else None
        self._burst = max(self._rate or 0.0, 1.0)
        self._left = self._burst
        self._clock = clock
        self._counted_at = clock()
        self._searches = 0

    def count_call(self) -> None:
        """Count a call.

        Raises
        ------
        Refusal
            If there were too many in the last second.
        """
        if self._rate is None:
            return
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._counted_at) * self._rate)
        self._counted_at = now
        if self._left < 1:
            raise Refusal(
                ErrorReason.ERROR_REASON_KEY_EXHAUSTED,
                f"the key allows {self._rate:g} calls a second",
                retry_after_s=(1 - self._left) / self._rate,
            )
        self._left -= 1

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Count a search while it waits and runs.

        Raises
        ------
        Refusal
            If there are as many as the key allows.
        """
        if self._max_searches is not None and self._searches >= self._max_searches:
            raise Refusal(
                ErrorReason.ERROR_REASON_KEY_EXHAUSTED,
                f"the key allows {self._max_searches} searches at once",
                retry_after_s=_BUSY_S,
            )
        self._searches += 1
        try:
            yield
        finally:
            self._searches -= 1


class Keys:
    """The keys that the server knows.

    Parameters
    ----------
    entries : list of KeyEntry or None
        None: nobody has to show a key.
    """

    def __init__(self, entries: list[KeyEntry] | None) -> None:
        self._callers = None if entries is None else {e.sha256: Caller(e) for e in entries}

    @classmethod
    def load(cls, file: Path | None) -> Keys:
        """Read a keys file: TOML with a table ``[[keys]]`` for each.

        Raises
        ------
        SettingsError
            If it is no such file.
        OSError
            If it cannot be read.
        """
        if file is None:
            return cls(None)
        try:
            with file.open("rb") as stream:
                found = _KeysFile.model_validate(tomllib.load(stream))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError(f"{file}: it is not TOML: {error}") from error
        except ValidationError as error:
            raise SettingsError(f"{file}: {describe(error)}") from None
        for field in ("name", "sha256"):
            values = [getattr(entry, field) for entry in found.keys]
            twice = {value for value in values if values.count(value) > 1}
            if twice:
                raise SettingsError(f"{file}: keys: {field} {min(twice)} is there twice")
        return cls(found.keys)

    def caller(self, headers: Headers) -> Caller:
        """Tell who calls, by ``authorization: Bearer KEY`` or ``x-api-key: KEY``.

        Raises
        ------
        Refusal
            If a key is asked for and none is shown that is known.
        """
        if self._callers is None:
            return ANYBODY
        bearer = _BEARER.fullmatch(headers("authorization") or "")
        key = bearer[1] if bearer else headers("x-api-key")
        caller = self._callers.get(hash_key(key)) if key else None
        if caller is None:
            raise Refusal(
                ErrorReason.ERROR_REASON_KEY_REQUIRED,
                "this server asks for a key that it knows, as 'authorization: Bearer KEY' or"
                " 'x-api-key: KEY'",
            )
        return caller


class _KeysFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    keys: list[KeyEntry]


ANYBODY = Caller()
CALLER: ContextVar[Caller] = ContextVar("caller", default=ANYBODY)
"""Who the call comes from that is being answered."""


def new_key() -> str:
    """Make a key of 256 random bits."""
    return _PREFIX + secrets.token_urlsafe(32)


def hash_key(key: str) -> str:
    """Give what is stored of a key: its bits are too many to be guessed from a plain SHA-256."""
    return hashlib.sha256(key.encode()).hexdigest()
