"""The load generator plays whole games, and counts refusals and errors apart."""

from __future__ import annotations

import json

from click.testing import CliRunner

from server.command_line import main
from server.load import percentile
from server.settings import Settings
from tests.server.service import Service, running_service

RANDOM = ("--agent", "random")


def _figures(service: Service, *arguments: str) -> dict[str, object]:
    result = CliRunner().invoke(main, ["load", "--target", service.address, "--json", *arguments])
    assert result.exit_code in (0, 1), result.output
    figures: dict[str, object] = json.loads(result.stdout)
    return figures


def test_games_are_played_to_their_end() -> None:
    with running_service(Settings(database_url="")) as service:
        figures = _figures(service, "--games", "4", "--total", "2", "--seconds", "300", *RANDOM)
    assert figures["games"] == 2
    assert figures["refusals"] == figures["errors"] == {}
    methods = figures["methods"]
    assert isinstance(methods, dict)
    turns = methods["PlayTurn"]
    assert turns["calls"] >= 26
    assert 0 < turns["p50_ms"] <= turns["p99_ms"] <= turns["most_ms"]


def test_refusals_and_errors_are_told() -> None:
    with running_service(Settings(database_url="", max_searches=1, max_waiting=0)) as service:
        busy = _figures(service, "--games", "8", "--seconds", "3", "--simulations", "300")
        wrong = _figures(service, "--games", "1", "--seconds", "1", "--agent", "nobody")
    refusals = busy["refusals"]
    assert isinstance(refusals, dict)
    assert set(refusals) == {"PlayTurn: OVERLOADED"}
    assert busy["errors"] == {}
    errors = wrong["errors"]
    assert isinstance(errors, dict)
    assert set(errors) == {"PlayTurn: UNKNOWN_AGENT"}


def test_percentiles() -> None:
    values = [float(n) for n in range(100)]
    assert [percentile(values, share) for share in (0, 0.5, 0.99, 1)] == [0, 50, 99, 99]
