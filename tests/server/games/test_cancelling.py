"""A driver may raise its own error where a call is cancelled; a server stops all the same."""

from __future__ import annotations

import asyncio
from typing import NoReturn

import pytest

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
