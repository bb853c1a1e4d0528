"""Hostile requests: whatever is sent, the answer is an answer or a refusal that says why.

``python -m bench.fuzz_service`` does the same at length.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from looot.v1 import engine_service_pb2 as pb
from looot.v1.game_service_pb2 import WatchGameRequest
from looot.v1.game_service_pb2_grpc import GameServiceStub
from server.games import HostedGames
from server.settings import Settings
from tests.server.hostile import (
    EXPECTED,
    Games,
    Target,
    made_up,
    methods,
    mutate,
    valid_request,
)
from tests.server.service import Refused, Service, running_service

LIMITS = {"max_time_s": 0.02, "max_searches": 1, "max_request_bytes": 64 * 1024, "max_events": 50}


@pytest.fixture(scope="module")
def hosting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    file: Path = tmp_path_factory.mktemp("fuzz") / "games.db"
    values: dict[str, Any] = {**LIMITS, "database_url": f"sqlite:///{file}"}
    with running_service(Settings(**values)) as running:
        yield running


@pytest.fixture(scope="module")
def target(hosting: Service) -> Target:
    return Target(hosting.channel)


@pytest.fixture(scope="module")
def games(hosting: Service) -> Games:
    return Games(GameServiceStub(hosting.channel))


@given(st.integers(0, 2**64 - 1), st.integers(0, 6))
@settings(max_examples=300)
def test_mutated_requests(target: Target, seed: int, changes: int) -> None:
    chance = random.Random(seed)
    method, request = valid_request(chance)
    for _ in range(changes):
        mutate(request, chance)
    target.check(method, request)


@given(st.integers(0, 2**64 - 1), st.integers(0, 3))
@settings(max_examples=150)
def test_mutated_requests_about_games(
    target: Target, games: Games, seed: int, changes: int
) -> None:
    chance = random.Random(seed)
    method, request = games.valid_request(chance)
    for _ in range(changes):
        mutate(request, chance)
    target.check(method, request)


@given(
    st.sampled_from(methods(with_games=True)).flatmap(
        lambda method: st.tuples(st.just(method[0]), made_up(method[1]))
    )
)
@settings(max_examples=200)
def test_made_up_requests(target: Target, call: tuple[str, Any]) -> None:
    target.check(*call)


def test_a_watch_that_hangs_is_noticed(hosting: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang(*_: object) -> AsyncIterator[object]:
        yield await asyncio.Event().wait()

    games = Games(GameServiceStub(hosting.channel))
    request = WatchGameRequest(game_id=games.game_id, after_version=0)
    assert Target(hosting.channel).check("WatchGame", request) == "OK"
    monkeypatch.setattr(HostedGames, "watch_game", hang)
    with pytest.raises(AssertionError, match="DEADLINE_EXCEEDED"):
        Target(hosting.channel, patience_s=0.2).check("WatchGame", request)


@given(st.sampled_from(["Suggest", "ApplyActions"]), st.binary(max_size=200))
@settings(max_examples=200)
def test_bytes(service: Service, method: str, junk: bytes) -> None:
    call = service.channel.unary_unary(f"/looot.v1.EngineService/{method}", bytes, bytes)
    try:
        call(junk, timeout=30)
    except grpc.RpcError as error:
        answer = Refused(error)
        try:
            getattr(pb, f"{method}Request").FromString(junk)
        except DecodeError:
            assert answer.code is grpc.StatusCode.INVALID_ARGUMENT
            assert answer.message == "the request is no message of this method"
            assert not answer.infos
        else:
            assert answer.code in EXPECTED
