"""A server behind the balancer is killed while clients play: `bench.balanced` in short."""

from __future__ import annotations

import pytest

from bench.balanced import find_haproxy, play

KILLS = 3


async def test_no_call_fails_when_a_server_behind_the_balancer_is_killed(
    postgresql_url: str,
) -> None:
    program = find_haproxy()
    if program is None:
        pytest.skip("haproxy is not installed")
    ledger, counted = await play(postgresql_url, program, KILLS, tables=3, seed=2)
    assert ledger.faults == []
    assert ledger.kills == KILLS
    assert ledger.acknowledged > 0
    assert ledger.repeated == 0, "calls failed although gRPC had repeated them"
    assert counted.keys() == {"calls_cut", "calls_redispatched"}
