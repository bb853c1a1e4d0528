"""The store of hosted games: what is asked of the database, and nothing of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from server.games.database import Database
from server.games.entries import CreationKey, Entry, RepeatKey
from server.games.schema import bags, events, games, requests, seats
from server.games.stored import (
    KeyTakenError,
    Standing,
    StoredGame,
    StoredSeat,
    TooManyGamesError,
    VersionConflictError,
)

NOTICES = "looot_games"
"""The channel on which PostgreSQL tells all servers of new versions."""

_CREATION_LOCK = 0x6C6F6F6F75


class Store:
    """Reads and writes games.

    Every method raises `Refusal` with UNAVAILABLE when the database cannot be reached. What a
    writing method did is on the disk when it returns.

    Parameters
    ----------
    database : Database
    replica : str
        What this server is called among those on the database.
    """

    def __init__(self, database: Database, replica: str) -> None:
        self._database = database
        self._replica = replica

    async def create(self, game: StoredGame, bag: Sequence[str], most: int) -> None:
        """Store a new game, with its bag in the order of drawing, if fewer than `most` are stored.

        Raises
        ------
        KeyTakenError
            If a game was created with its key before; nothing is stored.
        TooManyGamesError
            If there are so many already; nothing is stored.
        """
        rows = [
            {"game_id": game.game_id, "seat": at, "token_hash": seat.token_hash, "bot": seat.bot}
            for at, seat in enumerate(game.seats)
        ]
        drawn = [
            {"game_id": game.game_id, "place": place, "longship": longship}
            for place, longship in enumerate(bag)
        ]

        async def work(connection: AsyncConnection) -> None:
            if self._database.is_postgresql:  # who creates waits for who counts
                lock = sa.func.pg_advisory_xact_lock(_CREATION_LOCK)
                await connection.execute(sa.select(lock))
            count = sa.select(sa.func.count()).select_from(games)
            if (await connection.scalar(count) or 0) >= most:
                raise TooManyGamesError
            await connection.execute(
                sa.insert(games).values(
                    game_id=game.game_id,
                    setup=game.setup,
                    owner_token_hash=game.owner_token_hash,
                    undo_allowed=game.undo_allowed,
                    listed=game.listed,
                    create_time=game.create_time,
                    update_time=game.update_time,
                    **self._standing_values(game.standing),
                    **_creation_values(game.creation),
                )
            )
            await connection.execute(sa.insert(seats), rows)
            await connection.execute(sa.insert(bags), drawn)

        try:
            await self._database.write(work)
        except sa.exc.IntegrityError as error:
            if game.creation is None:
                raise
            raise KeyTakenError from error

    async def created(self, key_hash: bytes) -> StoredGame | None:
        """Read the game that was created with a key, or None if there is none."""
        return await self._load(games.c.creation_key_hash == key_hash)

    async def load(self, game_id: str) -> StoredGame | None:
        """Read a game, or None if there is none."""
        return await self._load(games.c.game_id == game_id)

    async def _load(self, which: sa.ColumnElement[bool]) -> StoredGame | None:
        async with self._database.reading() as connection:
            row = (await connection.execute(sa.select(games).where(which))).one_or_none()
            if row is None:
                return None
            (found,) = await _with_seats(connection, [row])
            return found if found.seats else None  # without seats it was deleted meanwhile

    async def version(self, game_id: str) -> int | None:
        """Read the version of a game, or None if there is none."""
        async with self._database.reading() as connection:
            version: int | None = await connection.scalar(
                sa.select(games.c.version).where(games.c.game_id == game_id)
            )
            return version

    async def entries(
        self, game_id: str, after: int, last: int | None = None, most: int | None = None
    ) -> list[Entry]:
        """Read the log behind a version, to `last` or to its end, or `most` entries of it."""
        wanted = (
            sa.select(events.c.version, events.c.time, events.c.seat, events.c.text)
            .where(events.c.game_id == game_id, events.c.version > after)
            .order_by(events.c.version)
            .limit(most)
        )
        if last is not None:
            wanted = wanted.where(events.c.version <= last)
        async with self._database.reading() as connection:
            return [Entry(*row) for row in await connection.execute(wanted)]

    async def append(
        self,
        game_id: str,
        entries: Sequence[Entry],
        standing: Standing,
        repeat: RepeatKey | None = None,
        resigned_to: str | None = None,
    ) -> None:
        """Add entries to the log of a game that still has the version before them.

        Parameters
        ----------
        game_id : str
        entries : sequence of Entry
            At least one.
        standing : Standing
            How the game stands with them. A bot's turn is this server's to play.
        repeat : RepeatKey, optional
            The request that they answer.
        resigned_to : str, optional
            The bot, in JSON, that plays the seat of the first entry from now on.

        Raises
        ------
        VersionConflictError
            If the game has another version or the request was done before; nothing is added.
        """
        first = entries[0]
        rows = [{"game_id": game_id, **entry._asdict()} for entry in entries]

        async def work(connection: AsyncConnection) -> None:
            moved = await connection.execute(
                sa.update(games)
                .where(games.c.game_id == game_id, games.c.version == first.version - 1)
                .values(update_time=entries[-1].time, **self._standing_values(standing))
            )
            if moved.rowcount != 1:
                raise VersionConflictError
            await connection.execute(sa.insert(events), rows)
            if repeat is not None:
                await connection.execute(
                    sa.insert(requests).values(
                        game_id=game_id,
                        seat=repeat.seat,
                        key=repeat.key,
                        digest=repeat.digest,
                        first_version=first.version,
                        last_version=standing.version,
                    )
                )
            if resigned_to is not None:
                await connection.execute(
                    sa.update(seats)
                    .where(seats.c.game_id == game_id, seats.c.seat == first.seat)
                    .values(bot=resigned_to)
                )
            await self._notify(connection, f"{self._replica} {game_id} {standing.version}")

        try:
            await self._database.write(work)
        except sa.exc.IntegrityError as error:
            raise VersionConflictError from error

    async def answered(self, game_id: str, seat: int, key: str) -> tuple[bytes, int, int] | None:
        """Read the digest, first and last version of a request that was done, or None."""
        async with self._database.reading() as connection:
            found = await connection.execute(
                sa.select(
                    requests.c.digest, requests.c.first_version, requests.c.last_version
                ).where(
                    requests.c.game_id == game_id,
                    requests.c.seat == seat,
                    requests.c.key == key,
                )
            )
            row = found.one_or_none()
            return None if row is None else (row[0], row[1], row[2])

    async def longship(self, game_id: str, place: int) -> str | None:
        """Read the longship at one place of the bag; None if the game is gone."""
        async with self._database.reading() as connection:
            longship: str | None = await connection.scalar(
                sa.select(bags.c.longship).where(bags.c.game_id == game_id, bags.c.place == place)
            )
            return longship

    async def bag(self, game_id: str) -> list[str]:
        """Read a whole bag: of a game that is over."""
        async with self._database.reading() as connection:
            found = await connection.scalars(
                sa.select(bags.c.longship)
                .join(games, games.c.game_id == bags.c.game_id)
                .where(bags.c.game_id == game_id, games.c.is_over)
                .order_by(bags.c.place)
            )
            return list(found)

    async def listed(
        self, most: int, before: tuple[int, str] | None, is_over: bool | None
    ) -> list[StoredGame]:
        """Read listed games, the newest first, from behind a time of creation and id."""
        wanted = (
            sa.select(games)
            .where(games.c.listed)
            .order_by(games.c.create_time.desc(), games.c.game_id.desc())
            .limit(most)
        )
        if before is not None:
            wanted = wanted.where(
                sa.tuple_(games.c.create_time, games.c.game_id) < sa.tuple_(*before)
            )
        if is_over is not None:
            wanted = wanted.where(games.c.is_over == is_over)
        async with self._database.reading() as connection:
            rows = (await connection.execute(wanted)).all()
            return await _with_seats(connection, rows)

    async def delete(self, game_id: str, before: int | None = None) -> bool:
        """Delete a game with all that belongs to it; tell whether there was one.

        With `before` it is deleted only if its last event happened before that time.
        """
        which = games.c.game_id == game_id
        if before is not None:
            which &= games.c.update_time < before

        async def work(connection: AsyncConnection) -> bool:
            done = await connection.execute(sa.delete(games).where(which))
            if done.rowcount:
                await self._notify(connection, f"{self._replica} {game_id} -1")
            return done.rowcount == 1

        return await self._database.write(work)

    async def untouched_since(self, before: int, most: int) -> list[str]:
        """Read the ids of games whose last event happened before a time, the oldest first."""
        async with self._database.reading() as connection:
            found = await connection.scalars(
                sa.select(games.c.game_id)
                .where(games.c.update_time < before)
                .order_by(games.c.update_time)
                .limit(most)
            )
            return list(found)

    def _standing_values(self, standing: Standing) -> dict[str, Any]:
        return {
            "version": standing.version,
            "is_over": standing.is_over,
            "current_player": standing.current_player,
            "bot_to_move": standing.bot_to_move,
            "bot_replica": self._replica if standing.bot_to_move else None,
        }

    async def _notify(self, connection: AsyncConnection, notice: str) -> None:
        if self._database.is_postgresql:
            await connection.execute(sa.select(sa.func.pg_notify(NOTICES, notice)))


def _creation_values(key: CreationKey | None) -> dict[str, Any]:
    if key is None:
        return {}
    return {
        "creation_key_hash": key.key_hash,
        "creation_digest": key.digest,
        "creation_salt": key.salt,
    }


async def _with_seats(connection: AsyncConnection, rows: Sequence[Any]) -> list[StoredGame]:
    found = await connection.execute(
        sa.select(seats)
        .where(seats.c.game_id.in_([row.game_id for row in rows]))
        .order_by(seats.c.seat)
    )
    by_game: dict[str, list[StoredSeat]] = {row.game_id: [] for row in rows}
    for seat in found:
        by_game[seat.game_id].append(StoredSeat(seat.token_hash, seat.bot))
    return [
        StoredGame(
            game_id=row.game_id,
            setup=row.setup,
            owner_token_hash=row.owner_token_hash,
            undo_allowed=row.undo_allowed,
            listed=row.listed,
            create_time=row.create_time,
            update_time=row.update_time,
            seats=tuple(by_game[row.game_id]),
            standing=Standing(row.version, row.is_over, row.current_player, row.bot_to_move),
            creation=CreationKey(row.creation_key_hash, row.creation_digest, row.creation_salt)
            if row.creation_key_hash is not None
            else None,
        )
        for row in rows
    ]
