"""Servers are killed while clients play: `make soak` in short."""

from __future__ import annotations

import pytest

from bench.soak import soak

KILLS = 4


@pytest.mark.parametrize("replicas", [1, 2])
async def test_nothing_is_lost_when_a_server_is_killed(
    request: pytest.FixtureRequest, replicas: int
) -> None:
    url = request.getfixturevalue("sqlite_url" if replicas == 1 else "postgresql_url")
    ledger = await soak(url, replicas, KILLS, tables=3, seed=5)
    assert ledger.faults == []
    assert ledger.kills == KILLS
    assert ledger.games >= 3
    assert ledger.acknowledged > 0
    assert ledger.resumed_streams > 0
