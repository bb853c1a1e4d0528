"""Hears from PostgreSQL what other servers have written."""

from __future__ import annotations

import asyncio
import logging

from server.games.database import PATIENCE_S, Database, cause
from server.games.hub import Hub
from server.games.repeating import end_if_cancelled
from server.games.store import NOTICES

_AGAIN_S = 0.5
_LOOK_S = 10.0
_log = logging.getLogger(__name__)


class Listener:
    """Passes notices on to the hub, also over breaks of the connection.

    Parameters
    ----------
    database : Database
        On PostgreSQL.
    replica : str
        This server, which needs not hear of itself.
    hub : Hub
    """

    def __init__(self, database: Database, replica: str, hub: Hub) -> None:
        self._database = database
        self._replica = replica
        self._hub = hub

    async def run(self) -> None:
        """Listen until cancelled."""
        while True:
            try:
                await self._listen()
            except Exception as error:  # the driver raises whatever it likes for a lost connection
                _log.warning("cannot listen to the database: %s", cause(error))
            end_if_cancelled()
            await asyncio.sleep(_AGAIN_S)

    async def _listen(self) -> None:
        connection = await self._database.connect(PATIENCE_S)
        ended = asyncio.Event()
        connection.add_termination_listener(lambda _: ended.set())
        try:
            await connection.add_listener(NOTICES, self._hear)
            self._hub.tell_all()  # what happened before this
            while not ended.is_set():
                try:
                    await asyncio.wait_for(ended.wait(), _LOOK_S)
                except TimeoutError:
                    await connection.execute("SELECT 1")  # it may be lost without a word
        finally:
            connection.terminate()

    def _hear(self, _connection: object, _process: int, _channel: str, notice: object) -> None:
        replica, game_id, _ = str(notice).split()
        if replica != self._replica:
            self._hub.tell(game_id)
