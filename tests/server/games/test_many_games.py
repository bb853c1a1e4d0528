"""Watchers of many games at once are told everything: `bench.many_games` in short."""

from __future__ import annotations

from bench.many_games import SETTINGS, play
from bench.soak import free_ports
from bench.soak_server import Replica

GAMES = 40


async def test_every_event_of_every_game_is_told_in_order(sqlite_url: str) -> None:
    server = Replica(sqlite_url, free_ports(1)[0], SETTINGS)
    report = await play(server, GAMES, agent="random", simulations=1)
    assert report.faults == []
    figures = report.figures()
    assert figures["games"] == GAMES
    assert figures["turns"] >= GAMES * 2
    assert figures["server_memory_mib"]["highest"] >= figures["server_memory_mib"]["idle"]
