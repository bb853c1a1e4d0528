"""A server takes no connections before it can answer."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from bench.soak import free_ports
from server.games import HostedGames
from server.grpc_server import Server
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
