"""The store and its database."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.ext.asyncio import AsyncConnection

from looot.v1 import game_service_pb2 as pb
from server.games.database import Database, DatabaseError
from server.games.entries import Entry, RepeatKey
from server.games.leases import Leases
from server.games.schema import metadata
from server.games.store import Store
from server.games.stored import Standing, StoredGame, StoredSeat, VersionConflictError
from tests.server.games.hosting import (
    Guest,
    hosting,
    new_game,
    reason,
    refused,
    until_available,
)
from tests.server.postgresql import PostgreSQL

GAME = StoredGame(
    game_id="G" * 22,
    setup="{}",
    owner_token_hash=b"o",
    undo_allowed=False,
    listed=True,
    create_time=1,
    update_time=1,
    seats=(StoredSeat(b"s", None), StoredSeat(None, "{}")),
    standing=Standing(0, False, 0, False),
)
MOST = 100


def entries(first: int, *texts: str) -> list[Entry]:
    return [Entry(number, 5, 0, text) for number, text in enumerate(texts, start=first)]


async def test_the_migrations_make_the_tables(database_url: str) -> None:
    database = Database(database_url)
    await database.open()
    await database.open()  # nothing is left to do

    def differences(connection: sa.Connection) -> Sequence[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    async with database.reading() as connection:
        assert await connection.run_sync(differences) == []
    await database.close()


async def test_a_log_is_appended_to_at_its_end_only(database_url: str) -> None:
    database = Database(database_url)
    await database.open()
    store = Store(database, "one")
    await store.create(GAME, ["a", "b"], MOST)
    assert await store.load(GAME.game_id) == GAME
    log = entries(1, "x", "y")
    await store.append(GAME.game_id, log, Standing(2, False, 1, True), RepeatKey(0, "k", b"d"))
    for first, key in ((1, "k1"), (2, "k2"), (4, "k3"), (3, "k")):
        with pytest.raises(VersionConflictError):
            await store.append(
                GAME.game_id,
                entries(first, "z"),
                Standing(first, False, 0, False),
                RepeatKey(0, key, b"d"),
            )
    with pytest.raises(VersionConflictError):
        await store.append("N" * 22, entries(1, "z"), Standing(1, False, 0, False))
    assert await store.entries(GAME.game_id, after=0) == log
    assert await store.entries(GAME.game_id, after=1) == log[1:]
    assert await store.entries(GAME.game_id, after=0, last=1) == log[:1]
    assert await store.answered(GAME.game_id, 0, "k") == (b"d", 1, 2)
    assert await store.answered(GAME.game_id, 1, "k") is None
    assert await store.answered(GAME.game_id, 0, "k1") is None
    stored = await store.load(GAME.game_id)
    assert stored == replace(GAME, update_time=5, standing=Standing(2, False, 1, True))
    await database.close()


async def test_a_bag_is_read_whole_only_of_a_game_that_is_over(database_url: str) -> None:
    database = Database(database_url)
    await database.open()
    store = Store(database, "one")
    await store.create(GAME, ["a", "b"], MOST)
    assert await store.longship(GAME.game_id, 1) == "b"
    assert await store.longship("N" * 22, 1) is None
    assert await store.bag(GAME.game_id) == []
    await store.append(GAME.game_id, entries(1, "x"), Standing(1, True, 0, False))
    assert await store.bag(GAME.game_id) == ["a", "b"]
    await database.close()


async def test_nothing_is_left_of_a_deleted_game(database_url: str) -> None:
    database = Database(database_url)
    await database.open()
    store = Store(database, "one")
    await store.create(GAME, ["a", "b"], MOST)
    await store.append(
        GAME.game_id, entries(1, "x"), Standing(1, False, 0, False), RepeatKey(0, "k", b"d")
    )
    assert await store.delete(GAME.game_id)
    assert not await store.delete(GAME.game_id)
    async with database.reading() as connection:
        for name in ("games", "seats", "events", "bags", "requests"):
            assert await _count(connection, name) == 0
    await database.close()


async def _count(connection: AsyncConnection, name: str) -> int:
    found = await connection.scalar(sa.select(sa.func.count()).select_from(metadata.tables[name]))
    assert isinstance(found, int)
    return found


async def test_a_bots_turn_belongs_to_a_living_server(postgresql_url: str) -> None:
    database = Database(postgresql_url)
    await database.open()
    store, one, other = Store(database, "one"), Leases(database, "one"), Leases(database, "other")
    await store.create(replace(GAME, standing=Standing(0, False, 1, True)), ["a"], MOST)
    await one.stay_alive(60)
    assert await other.waiting_for_bots() == []
    assert await one.waiting_for_bots() == [GAME.game_id]
    assert not await other.claim(GAME.game_id)
    assert await one.claim(GAME.game_id)
    await one.leave()
    assert await other.waiting_for_bots() == [GAME.game_id]
    await other.stay_alive(60)
    assert await other.claim(GAME.game_id)
    assert not await one.claim(GAME.game_id)
    await other.stay_alive(-1)  # its time is over
    assert await one.waiting_for_bots() == [GAME.game_id]
    assert await one.claim(GAME.game_id)
    await store.append(GAME.game_id, entries(1, "x"), Standing(1, False, 0, False))
    assert not await one.claim(GAME.game_id)  # nobody's turn is a bot's
    await database.close()


async def test_the_server_of_a_file_has_every_bots_turn_and_says_nothing(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    await database.open()
    store, before, now = Store(database, "one"), Leases(database, "one"), Leases(database, "other")
    await store.create(replace(GAME, standing=Standing(0, False, 1, True)), ["a"], MOST)
    await before.stay_alive(60)  # it is killed, and another one is started on its file
    await now.stay_alive(60)
    assert await now.waiting_for_bots() == [GAME.game_id]
    assert await now.claim(GAME.game_id)
    async with database.reading() as connection:
        assert await _count(connection, "replicas") == 0
    await database.close()


async def test_writes_at_the_same_time_fail_each_for_itself(database_url: str) -> None:
    database = Database(database_url)
    await database.open()
    store = Store(database, "one")
    await store.create(GAME, ["a"], MOST)
    outcomes = await asyncio.gather(
        *(
            store.append(GAME.game_id, entries(1, str(n)), Standing(1, False, 0, False))
            for n in range(8)
        ),
        *(store.create(replace(GAME, game_id=f"{n:022}"), ["a"], MOST) for n in range(8)),
        return_exceptions=True,
    )
    conflicts = [o for o in outcomes if isinstance(o, VersionConflictError)]
    assert len(conflicts) == 7
    assert outcomes.count(None) == 9
    await database.close()


async def test_nobody_else_may_look_into_the_folder_of_the_games(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/own/games.db")
    await database.open()
    await database.close()
    assert (tmp_path / "own").stat().st_mode & 0o077 == 0


async def test_a_file_is_one_servers_at_a_time(sqlite_url: str) -> None:
    one, other = Database(sqlite_url), Database(sqlite_url)
    await one.open()
    with pytest.raises(DatabaseError, match=r"^sqlite:///.*games\.db: another server has this"):
        await other.open()
    await one.close()
    await other.open()
    with pytest.raises(DatabaseError):
        await one.open()
    await other.close()


async def test_sqlite_is_durable(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/deep/games.db")
    await database.open()
    async with database.reading() as connection:
        pragmas = ("journal_mode", "synchronous", "foreign_keys")
        values = [await connection.scalar(sa.text(f"PRAGMA {name}")) for name in pragmas]
    assert values == ["wal", 2, 1]  # 2 is FULL
    await database.close()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "x",
        "mysql://localhost/x",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///games.db?timeout=soon",
        "postgresql://somebody:secret@localhost:port/games",
        "postgresql://somebody:secret@localhost:65536/games",
    ],
)
def test_urls_that_are_none(url: str) -> None:
    with pytest.raises(DatabaseError) as caught:
        Database(url)
    assert "secret" not in str(caught.value)


async def test_a_database_that_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "text.db"
    path.write_text("This is no database, but it is long enough to be taken for one. " * 20)
    with pytest.raises(DatabaseError, match="not a database"):
        await Database(f"sqlite:///{path}").open()
    with pytest.raises(DatabaseError) as caught:
        await Database("postgresql://somebody:secret@127.0.0.1:1/games").open()
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("sslmode=require", "rejected SSL upgrade"),
        ("sslmode=sometimes", "sslmode"),
        ("nonsense=1", 'unrecognized configuration parameter "nonsense"'),
    ],
)
async def test_the_parameters_in_a_url_are_heeded(
    postgresql_url: str, query: str, why: str
) -> None:
    with pytest.raises(DatabaseError, match=why):
        await Database(f"{postgresql_url}?{query}").open()


@pytest.mark.parametrize("kind", [sa.exc.InternalError, sa.exc.InterfaceError])
async def test_a_connection_that_went_wrong_is_no_fault_of_ours(
    database_url: str, kind: type[sa.exc.DBAPIError]
) -> None:
    database = Database(database_url)
    await database.open()

    async def work(_: AsyncConnection) -> None:
        raise kind("", {}, Exception("another operation is in progress"))

    assert reason(await refused(database.write(work))) == "UNAVAILABLE"
    await database.close()


async def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    database = Database(f"sqlite:///{path}")
    await database.open()
    await database.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(DatabaseError, match="9999"):
        await Database(f"sqlite:///{path}").open()


async def test_calls_fail_while_the_database_is_away_and_then_work_again(
    postgresql: PostgreSQL,
) -> None:
    url = postgresql.new_database()
    chance = random.Random(1)
    async with hosting(url) as games:
        guest = await Guest.of(games, new_game("hh"))
        await guest.play_turn(0, chance)
        watch = asyncio.create_task(_watch_over_faults(guest))
        await asyncio.to_thread(postgresql.stop)
        try:
            assert reason(await refused(guest.game())) == "UNAVAILABLE"
            lists = games.list_games(pb.ListGamesRequest())
            assert reason(await refused(lists)) == "UNAVAILABLE"
        finally:
            await asyncio.to_thread(postgresql.start)
        # What is left of lost connections is noticed when it is used.
        game = await until_available(guest.game)
        while game.status == pb.GAME_STATUS_OPEN:
            await guest.play_turn(game.position.current_player, chance)
            game = await guest.game()
        events = await watch
        assert [event.version for event in events] == list(range(1, game.version + 1))


async def _watch_over_faults(guest: Guest) -> list[pb.GameEvent]:
    events: list[pb.GameEvent] = []

    async def watch() -> None:
        after = events[-1].version if events else 0
        request = pb.WatchGameRequest(game_id=guest.game_id, after_version=after)
        async for update in guest.games.watch_game(request):
            events.extend(update.events)

    await until_available(watch)
    return events
