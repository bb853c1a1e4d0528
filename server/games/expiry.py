"""Deletes games in which nothing has happened for long."""

from __future__ import annotations

import logging

from server.games.keeper import Keeper
from server.games.repeating import repeat
from server.games.sources import Sources
from server.games.store import Store

_LOOK_S = 60.0
_AT_ONCE = 100
_DAY_US = 86_400_000_000
_log = logging.getLogger(__name__)


class Expiry:
    """Deletes games, finished or abandoned, in which nothing has happened for some days.

    Parameters
    ----------
    store : Store
    keeper : Keeper
    sources : Sources
    keep_days : float
    """

    def __init__(self, store: Store, keeper: Keeper, sources: Sources, keep_days: float) -> None:
        self._store = store
        self._keeper = keeper
        self._sources = sources
        self._keep_us = round(keep_days * _DAY_US)

    async def run(self) -> None:
        """Look for such games at intervals, until cancelled."""
        await repeat(self._delete_old, _LOOK_S, _log, "delete old games")

    async def _delete_old(self) -> None:
        before = self._sources.now() - self._keep_us
        while True:
            old = await self._store.untouched_since(before, _AT_ONCE)
            for game_id in old:
                await self._keeper.delete(game_id, before)
            if old:
                _log.info("old games deleted", extra={"count": len(old)})
            if len(old) < _AT_ONCE:
                return
