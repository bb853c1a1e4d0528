"""A server stops well whatever its drivers do when they are cancelled."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy.pool import QueuePool

from server.games.database import Database
from tests.server.games.hosting import Guest, hosting, new_game
from tests.server.recorder import PATIENCE_S


class _Driver:
    """Stands for an operation that waits, and swallows its cancellation."""

    def __init__(self) -> None:
        self.waits = asyncio.Event()

    async def __call__(self, *_: object, **__: object) -> NoReturn:
        self.waits.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise OSError("the connection is lost") from None
        raise AssertionError("nothing ends this but a cancellation")


@pytest.mark.parametrize(
    "operation",
    [
        "server.games.leases.Leases.stay_alive",
        "server.games.bots.BotRunner._play_turn",
        "server.games.listener.Listener._listen",
        "server.games.expiry.Expiry._delete_old",
    ],
)
async def test_a_server_stops_when_cancellations_are_swallowed(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    driver = _Driver()
    monkeypatch.setattr(operation, driver)
    async with hosting(postgresql_url, keep_games_days=1, bot_lease_s=4000) as games:
        await Guest.of(games, new_game("bb"))
        await driver.waits.wait()
        await asyncio.wait_for(games.stop(), PATIENCE_S)


def test_no_thread_opens_a_file_after_a_server_has_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", failed.append)

    async def stop_early(steps: int) -> None:
        async with hosting(f"sqlite:///{tmp_path}/{steps}.db"):
            for _ in range(steps):
                await asyncio.sleep(0)

    for steps in range(20):
        before = set(threading.enumerate())
        asyncio.run(stop_early(steps))
        for thread in set(threading.enumerate()) - before:
            thread.join(PATIENCE_S)
    assert not failed


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("is_open", [False, True])
async def test_a_file_is_closed_however_often_a_call_is_cancelled(
    sqlite_url: str, times: int, is_open: bool
) -> None:
    database = Database(sqlite_url)
    await database.open()

    async def read() -> None:
        async with database.reading() as connection:
            await connection.exec_driver_sql("SELECT 1")

    for steps in range(20):
        await database._engine.dispose()
        if is_open:
            await read()
        reading = asyncio.create_task(read())
        for _ in range(steps):
            await asyncio.sleep(0)
        for _ in range(times):
            reading.cancel()
            await asyncio.sleep(0)
        await asyncio.wait([reading])
        pool = database._engine.pool
        assert isinstance(pool, QueuePool)
        assert pool.checkedout() == 0
    await database.close()


async def test_a_file_that_is_told_to_stop_while_it_is_closed_is_closed(sqlite_url: str) -> None:
    """SQLAlchemy does so when a call is cancelled twice; the driver itself would wait for ever."""
    database = Database(sqlite_url)
    await database.open()
    for steps in range(6):
        connection = await database._connect_to_file()
        closing = asyncio.create_task(connection.close())
        for _ in range(steps):
            await asyncio.sleep(0)
        connection.stop()
        await asyncio.wait([closing], timeout=PATIENCE_S)
        assert closing.done()
        connection._thread.join(PATIENCE_S)
        assert not connection._thread.is_alive()
    await database.close()
