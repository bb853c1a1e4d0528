"""The load generator plays whole games, and counts refusals and errors apart."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from click.testing import CliRunner

from bench.soak import free_ports
from bench.soak_players import call_options
from bench.soak_server import Replica
from looot.v1 import analysis_pb2
from server.command_line import main
from server.hosted_load import HostedLoad
from server.load import EngineLoad, Tally, percentile
from server.settings import Settings
from tests.server.recorder import PATIENCE_S
from tests.server.service import Service, running_service

RANDOM = ("--agent", "random")


def _figures(service: Service, *arguments: str) -> dict[str, object]:
    result = CliRunner().invoke(main, ["load", "--target", service.address, "--json", *arguments])
    assert result.exit_code == 0, result.output
    figures: dict[str, object] = json.loads(result.stdout)
    return figures


def test_games_are_played_to_their_end() -> None:
    with running_service(Settings(database_url="", max_waiting=4)) as service:
        figures = _figures(service, "--games", "4", "--total", "2", "--seconds", "300", *RANDOM)
    assert figures["games"] in (2, 3, 4)  # others may end with the second
    assert figures["refusals"] == figures["errors"] == {}
    methods = figures["methods"]
    assert isinstance(methods, dict)
    turns = methods["PlayTurn"]
    assert turns["calls"] >= 26
    assert 0 < turns["p50_ms"] <= turns["p99_ms"] <= turns["most_ms"]


async def _tally(address: str, agent: str, happened: Callable[[Tally], object]) -> Tally:
    """Load a server until something happened."""
    options = analysis_pb2.SearchOptions(agent=agent)
    options.limits.simulations = 100
    async with grpc.aio.insecure_channel(address) as channel:
        load = EngineLoad(channel, options)
        running = asyncio.create_task(load.run(8, seconds=300))
        end = time.monotonic() + 6 * PATIENCE_S
        while not happened(load.tally):
            assert time.monotonic() < end, load.tally
            await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.wait([running])
        return load.tally


def test_refusals_and_errors_are_told_apart() -> None:
    with running_service(Settings(database_url="", max_searches=1, max_waiting=0)) as service:
        busy = asyncio.run(
            _tally(service.address, "ismcts", lambda tally: tally.refusals and tally.turns)
        )
    # Another server, for on the busy one the last searches may not have ended yet.
    with running_service(Settings(database_url="")) as service:
        wrong = asyncio.run(_tally(service.address, "nobody", lambda tally: tally.errors))
    assert set(busy.refusals) == {"PlayTurn: OVERLOADED"}
    assert not busy.errors
    assert set(wrong.errors) == {"PlayTurn: UNKNOWN_AGENT"}
    assert not wrong.refusals
    assert "nobody" in wrong.last_failure


def test_why_no_turn_was_played_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(load: EngineLoad, *_: object) -> None:
        load.tally.last_failure = "Connection refused"

    monkeypatch.setattr(EngineLoad, "run", fail)
    result = CliRunner().invoke(main, ["load"])
    assert result.exit_code == 1
    assert "no turn was played; the last failure: Connection refused" in result.stderr


def test_percentiles() -> None:
    values = [float(n) for n in range(100)]
    assert [percentile(values, share) for share in (0, 0.5, 0.99, 1)] == [0, 50, 99, 99]


HOSTED = ("--hosted", *RANDOM, "--simulations", "1", "--seconds", "300")


@pytest.mark.parametrize(("players", "bots"), [(2, 1), (3, 3), (2, 0)])
def test_hosted_games_are_played_to_their_end(tmp_path: Path, players: int, bots: int) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path}/games.db")
    seats = ("--players", str(players), "--bots", str(bots))
    with running_service(settings) as service:
        figures = _figures(service, *HOSTED, *seats, "--games", "3", "--total", "2")
    assert figures["games"] in (2, 3)
    assert figures["refusals"] == figures["errors"] == {}
    methods: Any = figures["methods"]
    calls = {method: methods[method]["calls"] for method in methods}
    assert calls["CreateGame"] >= 3
    if bots == players:
        assert set(calls) == {"CreateGame"}
    else:
        told = {"WatchGame", "bots"} if bots else {"WatchGame"}
        assert set(calls) == {"CreateGame", "GetGame", "SubmitActions"} | told
        assert calls["SubmitActions"] >= 26 * (players - bots) // players
        assert calls["WatchGame"] <= calls["SubmitActions"]
        for figure in methods.values():
            assert 0 < figure["p50_ms"] <= figure["p99_ms"] <= figure["most_ms"]
    turns: Any = figures["turns_per_s"]
    seconds: Any = figures["seconds"]
    assert turns * seconds > 2 * 13 * players - 1  # every turn of every seat is told


def test_hosted_games_go_on_when_the_server_is_killed_and_are_deleted(tmp_path: Path) -> None:
    most = 2
    server = Replica(f"sqlite:///{tmp_path}/games.db", free_ports(1)[0], {"max_games": most})

    async def load() -> Tally:
        options = analysis_pb2.SearchOptions(agent="random")
        await server.start()
        async with grpc.aio.insecure_channel(server.address, call_options()) as channel:
            load = HostedLoad(channel, options, bots=1)
            running = asyncio.create_task(load.run(most + 1, seconds=300, total=most + 1))
            while load.tally.turns < 10:
                assert not running.done(), load.tally
                await asyncio.sleep(0.01)
            server.kill()
            await server.start()
            await running
            return load.tally

    try:
        tally = asyncio.run(load())
    finally:
        server.kill()
    assert tally.games > most  # there was room for another when one was over
    assert tally.refusals["CreateGame: TOO_MANY_GAMES"]
    assert tally.refusals["WatchGame: UNAVAILABLE"]
    assert not tally.errors


def test_options_of_hosted_games_are_checked() -> None:
    for arguments in (["--bots", "1"], ["--hosted", "--bots", "3"], ["--hosted", "--bulk"]):
        result = CliRunner().invoke(main, ["load", *arguments])
        assert result.exit_code == 2
        assert arguments[-2 if arguments[-1].isdigit() else -1] in result.stderr
