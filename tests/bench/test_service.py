"""`bench.service` in short: what is asked of a server under load, apart from the times."""

from __future__ import annotations

from bench import service


def test_under_far_too_much_load_calls_are_answered_or_refused_and_health_serves() -> None:
    measured = service.overload(simulations=1_000, seconds=1.0, unloaded=3)
    assert measured["accepted"]["calls"] > 0
    assert set(measured["refusals"]) == {"OVERLOADED"}
    assert measured["refusals"]["OVERLOADED"] == measured["refused"]["calls"]
    assert measured["refusals_without_retry_info"] == 0
    states = measured["health"].keys() - {"calls", "p50_ms", "p99_ms", "most_ms"}
    assert states == {"SERVING"}


def test_every_search_of_a_measured_round_is_answered() -> None:
    measured = service.saturation(simulations=5, rounds=1, searches=20)
    assert measured["searches"] == 20
    assert measured["server_searches_per_s"] > 0
    assert measured["library_searches_per_s"] > 0
    assert service.overhead(calls=5)["over_grpc"]["calls"] == 5
