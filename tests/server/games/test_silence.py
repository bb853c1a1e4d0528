"""The network to PostgreSQL is lost without a word: connections stay open, and nothing comes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url

from looot.v1 import game_service_pb2 as pb
from server.errors import Refusal
from server.games import database
from tests.server.games.hosting import Guest, hosting, new_game, reason, refused, until_available

PATIENCE_S = 0.3


class Network:
    """What lies between a server and its database."""

    def __init__(self, host: str, port: int) -> None:
        self._place = host, port
        self._lost: set[int] = set()
        self._connections = 0
        self.is_silent = False

    def lose(self) -> None:
        """Lose what there is of connections, and answer new ones with silence."""
        self.is_silent = True
        self._lost.update(range(self._connections))

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = self._connections
        self._connections += 1
        if self.is_silent:
            self._lost.add(number)
        to_reader, to_writer = await asyncio.open_connection(*self._place)
        try:
            await asyncio.gather(
                self._pass_on(number, reader, to_writer), self._pass_on(number, to_reader, writer)
            )
        finally:
            to_writer.close()
            writer.close()

    async def _pass_on(
        self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(ConnectionError):
            while content := await reader.read(1 << 16):
                if number not in self._lost:
                    writer.write(content)
                    await writer.drain()
            writer.close()


@asynccontextmanager
async def network(url: str) -> AsyncIterator[tuple[Network, str]]:
    """Give a network to a database, and its URL over it."""
    place = make_url(url)
    assert place.host is not None
    assert place.port is not None
    between = Network(place.host, place.port)
    async with await asyncio.start_server(between.carry, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        yield between, place.set(port=port).render_as_string(hide_password=False)


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.games.database.PATIENCE_S", PATIENCE_S)
    monkeypatch.setattr("server.games.listener.PATIENCE_S", PATIENCE_S)
    monkeypatch.setattr("server.games.listener._LOOK_S", PATIENCE_S)


async def test_calls_are_refused_while_the_database_is_silent(postgresql_url: str) -> None:
    async with network(postgresql_url) as (between, url), hosting(url) as games:
        guest = await Guest.of(games, new_game("hh"))
        between.lose()
        assert reason(await refused(guest.game())) == "UNAVAILABLE"
        assert reason(await refused(games.create_game(new_game("hh")))) == "UNAVAILABLE"
        between.is_silent = False
        # A lost connection is noticed when it is used.
        assert (await until_available(guest.game)).version == 0


async def test_a_server_stops_while_the_database_is_silent(postgresql_url: str) -> None:
    async with network(postgresql_url) as (between, url), hosting(url) as games:
        await Guest.of(games, new_game("bb"))
        between.lose()
        await games.stop()


async def test_a_watcher_is_told_what_happened_elsewhere_during_the_silence(
    postgresql_url: str,
) -> None:
    chance = random.Random(1)
    async with (
        network(postgresql_url) as (between, url),
        hosting(url) as games,
        hosting(postgresql_url) as other,
    ):
        guest = await Guest.of(other, new_game("hh"))
        request = pb.WatchGameRequest(game_id=guest.game_id, after_version=0)
        stream = games.watch_game(request)
        assert not (await anext(stream)).events
        following = asyncio.ensure_future(anext(stream))
        (watcher,) = games._hub._watchers[guest.game_id]
        while not watcher._told._waiters:  # else it is still reading
            await asyncio.sleep(0)
        between.lose()
        played = await guest.play_turn(0, chance)
        between.is_silent = False

        async def told() -> list[pb.GameEvent]:
            nonlocal following
            try:
                return list((await following).events)
            except Refusal:  # what it would read by is lost, too; a client watches again
                following = asyncio.ensure_future(anext(games.watch_game(request)))
                raise

        assert await until_available(told) == list(played.events)
        await stream.aclose()


async def test_an_upgrade_takes_as_long_as_it_takes(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def upgrade_slowly(connection: sa.Connection) -> None:
        connection.execute(sa.select(sa.func.pg_sleep(2 * PATIENCE_S)))
        upgrade(connection)

    upgrade = database._upgrade
    monkeypatch.setattr(database, "_upgrade", upgrade_slowly)
    async with hosting(postgresql_url) as games:
        await Guest.of(games, new_game("hh"))
