"""A server takes no connections before it can answer, and then nothing holds up its answers."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
from pathlib import Path

import pytest

from bench.soak import free_ports
from server.games import HostedGames
from server.grpc_server import Server, serve
from server.settings import Settings


def test_connections_are_refused_until_the_database_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a balancer takes a server that starts for one that serves, and its calls wait there."""
    (port,) = free_ports(1)
    open_database = HostedGames.open
    tried: list[int] = []

    def connect() -> int:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port))

    async def open_and_try(games: HostedGames) -> None:
        await open_database(games)
        tried.append(connect())

    monkeypatch.setattr(HostedGames, "open", open_and_try)

    async def main() -> None:
        server = Server(Settings(database_url=f"sqlite:///{tmp_path}/games.db"))
        assert await server.start("127.0.0.1", port) == port
        tried.append(connect())
        await server.stop(0)

    asyncio.run(main())
    refused, taken = tried
    assert refused != 0
    assert taken == 0


def test_the_search_for_garbage_leaves_out_what_was_loaded(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It would look through all modules, and hold up every call for some 70 ms."""
    looked_through: list[int] = []

    async def main() -> None:
        caplog.set_level(logging.INFO)
        running = asyncio.create_task(serve(Settings(port=0, database_url="")))
        while "serving on" not in caplog.text:
            await asyncio.sleep(0.01)
            assert not running.done()
        looked_through.append(len(gc.get_objects()))
        running.cancel()
        await asyncio.wait([running])

    before = len(gc.get_objects())
    try:
        asyncio.run(main())
    finally:
        gc.unfreeze()
    assert looked_through[0] < before / 10
