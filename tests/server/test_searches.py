"""Searches stop when nobody waits for them any more, and are bounded in number.

The searches ask for 30 s, more than a test waits for anything: what ends, was stopped.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

import ai
from looot.v1 import analysis_pb2
from looot.v1 import engine_service_pb2 as pb
from server.conversion import position_to_message
from server.searches import budget
from tests.positions import random_positions
from tests.server.conftest import LIMITS
from tests.server.recorder import PATIENCE_S, Recorder
from tests.server.service import Service, cancel, refused, running_service


@pytest.fixture
def service() -> Iterator[Service]:
    with running_service(LIMITS) as running:
        yield running


def _request() -> pb.SuggestRequest:
    request = pb.SuggestRequest(position=position_to_message(random_positions(2, "printed", 1)[0]))
    request.options.limits.time.CopyFrom(Duration(seconds=30))
    return request


def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.002)


def test_cancelling_a_call_stops_its_search(service: Service, recorder: Recorder) -> None:
    call = service.engine.Suggest.future(_request())
    recorder.wait_for_begin()
    cancel(call)
    assert recorder.wait_for_end() == ai.SearchAborted.__name__
    _until(lambda: service.running_searches == 0)


CLIENT = """
import sys, grpc
channel = grpc.insecure_channel(sys.argv[1])
channel.unary_unary("/looot.v1.EngineService/PlayTurn")(sys.stdin.buffer.read())
"""


def test_a_client_that_is_killed_stops_its_search(service: Service, recorder: Recorder) -> None:
    command = [sys.executable, "-c", CLIENT, service.address]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as client:
        assert client.stdin is not None
        client.stdin.write(_request().SerializeToString())  # of the same form as a PlayTurnRequest
        client.stdin.close()
        recorder.wait_for_begin()
        client.kill()
    assert recorder.wait_for_end() == ai.SearchAborted.__name__


def test_the_deadline_reaches_the_search(service: Service, recorder: Recorder) -> None:
    request = _request()
    request.options.limits.simulations = 5
    service.engine.Suggest(request, timeout=20)
    service.engine.Suggest(request)
    near, none = recorder.times_s
    assert near is not None
    assert 0 < near < 20
    assert none == 30


def test_a_search_ends_before_the_deadline() -> None:
    for left_s in (0.0, 0.001, 0.01, 0.1, 1.0, 10.0):
        assert 0 < budget(30, left_s) <= max(left_s, 0.001)
        assert budget(30, left_s) >= 0.5 * left_s - 0.01
    assert budget(30, 60) == 30
    assert budget(30, None) == 30


def test_a_search_still_waiting_at_its_deadline_is_not_begun(
    service: Service, recorder: Recorder
) -> None:
    running = [service.engine.Suggest.future(_request()) for _ in range(LIMITS.max_searches)]
    for _ in running:
        recorder.wait_for_begin()
    answer = refused(lambda: service.engine.Suggest(_request(), timeout=0.3))
    assert answer.code is grpc.StatusCode.DEADLINE_EXCEEDED
    for call in running:
        cancel(call)
        recorder.wait_for_end()
    assert recorder.outcomes == [ai.SearchAborted.__name__] * len(running)


def test_too_many_searches_are_refused(service: Service, recorder: Recorder) -> None:
    most = LIMITS.max_searches + LIMITS.max_waiting
    calls = [service.engine.Suggest.future(_request()) for _ in range(most)]
    for _ in range(LIMITS.max_searches):
        recorder.wait_for_begin()
    _until(lambda: service.server.engine.searches.waiting == LIMITS.max_waiting)
    answer = refused(lambda: service.engine.Suggest(_request(), timeout=PATIENCE_S))
    assert answer.reason == "OVERLOADED"
    assert answer.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    for call in calls:
        cancel(call)
    _until(lambda: service.running_searches == 0)
    quick = _request()
    quick.options.limits.simulations = 5
    assert service.engine.Suggest(quick, timeout=PATIENCE_S).analysis.simulations >= 1


def test_far_too_many_calls_are_refused_at_once_and_leave_nothing_behind(
    service: Service, recorder: Recorder
) -> None:
    most = LIMITS.max_searches + LIMITS.max_waiting
    accepted = [service.engine.Suggest.future(_request()) for _ in range(most)]
    for _ in range(LIMITS.max_searches):
        recorder.wait_for_begin()
    _until(lambda: service.server.engine.searches.waiting == LIMITS.max_waiting)
    flood = [service.engine.Suggest.future(_request()) for _ in range(50 * most)]
    for call in flood:
        answer = refused(lambda call=call: call.result(timeout=PATIENCE_S))  # type: ignore[misc]
        assert answer.reason == "OVERLOADED"
        assert answer.retry_after_s > 0
    assert service.is_healthy()
    assert not any(call.done() for call in accepted)
    for call in accepted:
        cancel(call)
    _until(lambda: service.running_searches == 0)
    assert service.server.engine.searches.waiting == 0
    quick = _request()
    quick.options.limits.simulations = 5
    assert service.engine.Suggest(quick, timeout=PATIENCE_S).analysis.simulations >= 1


def test_cheap_calls_are_answered_while_every_place_searches(
    service: Service, recorder: Recorder
) -> None:
    calls = [service.engine.Suggest.future(_request()) for _ in range(LIMITS.max_searches)]
    for _ in calls:
        recorder.wait_for_begin()
    assert service.is_healthy()
    score = pb.GetScoreRequest(position=_request().position)
    assert len(service.engine.GetScore(score, timeout=PATIENCE_S).score.seats) == 2
    assert service.running_searches == LIMITS.max_searches
    for call in calls:
        cancel(call)
    _until(lambda: service.running_searches == 0)


def test_a_server_that_stops_answers_with_the_best_so_far(
    service: Service, recorder: Recorder
) -> None:
    call = service.engine.Suggest.future(_request())
    recorder.wait_for_begin()
    service.stop(grace_s=PATIENCE_S)
    analysis = call.result(timeout=PATIENCE_S).analysis
    assert analysis.stop_reason == analysis_pb2.STOP_REASON_STOPPED
    assert analysis.turn[-1].HasField("end_turn")
