"""Tells watchers of a game that something has happened."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from server.games.entries import Entry
from server.searches import stopping

_MOST_KEPT = 256


class Watcher:
    """What one watcher has been told and not yet looked at.

    It is a help only: whoever reads the store behind the version it has seen misses nothing. What
    is kept is bounded; a watcher that is slow reads the store.
    """

    def __init__(self) -> None:
        self._told = asyncio.Event()
        self._kept: list[Entry] = []
        self._must_read = True
        self._closed = False

    def tell(self, entries: Sequence[Entry]) -> None:
        """Tell of entries, or with none that the store has some."""
        if not entries or len(self._kept) + len(entries) > _MOST_KEPT:
            self._must_read = True
        else:
            self._kept.extend(entries)
        self._told.set()

    def close(self) -> None:
        """Let the watcher end."""
        self._closed = True
        self._told.set()

    def take(self, seen: int) -> list[Entry] | None:
        """Give the entries behind a version, or None if the store is to be read."""
        kept = [entry for entry in self._kept if entry.version > seen]
        self._kept.clear()
        if self._must_read or (kept and kept[0].version != seen + 1):
            self._must_read = False
            return None
        return kept

    async def wait(self) -> None:
        """Wait until there is something to take.

        Raises
        ------
        Refusal
            If the server stops.
        """
        await self._told.wait()
        self._told.clear()
        if self._closed:
            raise stopping()


class Hub:
    """All watchers of this server, by game. Safe to use from one event loop only."""

    def __init__(self) -> None:
        self._watchers: dict[str, set[Watcher]] = {}
        self._closed = False

    @contextmanager
    def watching(self, game_id: str) -> Iterator[Watcher]:
        """Give a watcher of a game that is told from now on."""
        watcher = Watcher()
        if self._closed:
            watcher.close()
        self._watchers.setdefault(game_id, set()).add(watcher)
        try:
            yield watcher
        finally:
            watchers = self._watchers[game_id]
            watchers.discard(watcher)
            if not watchers:
                del self._watchers[game_id]

    def tell(self, game_id: str, entries: Sequence[Entry] = ()) -> None:
        """Tell the watchers of a game of new entries, or that the store has some."""
        for watcher in self._watchers.get(game_id, ()):
            watcher.tell(entries)

    def tell_all(self) -> None:
        """Let all watchers read the store: something may have been missed."""
        for game_id in self._watchers:
            self.tell(game_id)

    def close(self) -> None:
        """Let all watchers end."""
        self._closed = True
        for watchers in self._watchers.values():
            for watcher in watchers:
                watcher.close()
