"""The measure of how long a search goes on after a stop; what it finds is not judged here."""

from __future__ import annotations

import looot_core as lc
from ai.last_turn import is_last
from bench import stop_latency


def test_positions_are_starts_of_turns_that_are_searched() -> None:
    for players in (2, 4):
        positions = stop_latency.turn_starts(players, 1)
        assert len(positions) > 4
        for position in positions:
            assert position.players == players
            assert position.phase == lc.Phase.VIKING
            assert not is_last(lc.State.from_position(position))


def test_a_search_and_an_agent_end_after_the_stop() -> None:
    position = stop_latency.turn_starts(2, 1)[0]
    for search in (stop_latency.of_search(position, 1), stop_latency.of_agent(position)):
        taken = [stop_latency.seconds_after_stop(search, 0.0) for _ in range(3)]
        assert all(seconds is None or seconds >= 0 for seconds in taken)


def test_figures_are_milliseconds() -> None:
    found = stop_latency.summary([0.0001] * 98 + [0.0009, 0.002])
    assert found == {
        "stops": 100,
        "median_ms": 0.1,
        "p99_ms": 0.9,
        "worst_ms": 2.0,
        "above_1_ms": 1,
    }
