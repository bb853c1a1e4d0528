"""The load generator plays whole games, and counts refusals and errors apart."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable

import grpc
from click.testing import CliRunner

from looot.v1 import analysis_pb2
from server.command_line import main
from server.load import Load, Tally, percentile
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
    with running_service(Settings(database_url="")) as service:
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
        load = Load(channel, options)
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


def test_percentiles() -> None:
    values = [float(n) for n in range(100)]
    assert [percentile(values, share) for share in (0, 0.5, 0.99, 1)] == [0, 50, 99, 99]
