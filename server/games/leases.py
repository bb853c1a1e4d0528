"""Which server plays the bots of a game, as the database says."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from server.games.database import Database
from server.games.schema import games, replicas


class Leases:
    """Says that this server lives, and takes the turns of bots that no living server has.

    SQLite's file has one server, which has every turn: nothing is written there.

    Every method raises `Refusal` with UNAVAILABLE when the database cannot be reached.

    Parameters
    ----------
    database : Database
    replica : str
        What this server is called among those on the database.
    """

    def __init__(self, database: Database, replica: str) -> None:
        self._database = database
        self._replica = replica

    async def stay_alive(self, lease_s: float) -> None:
        """Let this server be taken to live for some seconds from now, on the database's clock."""
        if not self._database.is_postgresql:
            return
        until = self._now() + round(lease_s * 1e6)

        async def work(connection: AsyncConnection) -> None:
            moved = await connection.execute(
                sa.update(replicas)
                .where(replicas.c.replica == self._replica)
                .values(alive_until=until)
            )
            if moved.rowcount == 0:
                await connection.execute(
                    sa.insert(replicas).values(replica=self._replica, alive_until=until)
                )
            await connection.execute(sa.delete(replicas).where(self._is_dead()))

        await self._database.write(work)

    async def leave(self) -> None:
        """Leave the bots of this server to whoever takes them."""
        if not self._database.is_postgresql:
            return

        async def work(connection: AsyncConnection) -> None:
            mine = replicas.c.replica == self._replica
            await connection.execute(sa.delete(replicas).where(mine))

        await self._database.write(work)

    async def waiting_for_bots(self) -> list[str]:
        """Read the ids of games with a bot to move that is this server's, or no living one's."""
        async with self._database.reading() as connection:
            found = await connection.scalars(
                sa.select(games.c.game_id)
                .where(games.c.bot_to_move, self._is_mine_or_orphaned())
                .order_by(games.c.update_time)
            )
            return list(found)

    async def claim(self, game_id: str) -> bool:
        """Take a bot's turn to play unless another living server has it; tell whether it is had."""

        async def work(connection: AsyncConnection) -> bool:
            done = await connection.execute(
                sa.update(games)
                .where(
                    games.c.game_id == game_id,
                    games.c.bot_to_move,
                    self._is_mine_or_orphaned(),
                )
                .values(bot_replica=self._replica)
            )
            return done.rowcount == 1

        return await self._database.write(work)

    def _is_mine_or_orphaned(self) -> sa.ColumnElement[bool]:
        if not self._database.is_postgresql:
            return sa.true()
        living = sa.select(replicas.c.replica).where(~self._is_dead())
        mine = games.c.bot_replica == self._replica
        return sa.or_(mine, games.c.bot_replica.not_in(living))

    def _is_dead(self) -> sa.ColumnElement[bool]:
        return replicas.c.alive_until < self._now()

    def _now(self) -> sa.ColumnElement[int]:
        """Give the database's own time: servers' clocks may differ."""
        seconds: Any = sa.func.extract("epoch", sa.func.clock_timestamp())
        return sa.cast(seconds * 1_000_000, sa.BigInteger)
