"""Hears from PostgreSQL what other servers have written."""

from __future__ import annotations

import asyncio
import logging

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy.engine import URL

from server.games.database import PATIENCE_S, cause
from server.games.hub import Hub
from server.games.store import NOTICES

_AGAIN_S = 0.5
_LOOK_S = 10.0
_log = logging.getLogger(__name__)


class Listener:
    """Passes notices on to the hub, also over breaks of the connection.

    Parameters
    ----------
    url : URL
        Of the database.
    replica : str
        This server, which needs not hear of itself.
    hub : Hub
    """

    def __init__(self, url: URL, replica: str, hub: Hub) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._replica = replica
        self._hub = hub

    async def run(self) -> None:
        """Listen until cancelled."""
        while True:
            try:
                await self._listen()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                _log.warning("cannot listen to the database: %s", cause(error))
            await asyncio.sleep(_AGAIN_S)

    async def _listen(self) -> None:
        connection = await asyncpg.connect(
            self._address, timeout=PATIENCE_S, command_timeout=PATIENCE_S
        )
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
