"""Growing analyses, first actions, clocks, early ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

import ai
import looot_core as lc
from looot.v1 import analysis_pb2, game_pb2
from looot.v1 import engine_service_pb2 as pb
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from server.conversion import action_from_message, action_to_message, position_to_message
from tests.positions import position_in, random_positions
from tests.server.conftest import LIMITS
from tests.server.recorder import PATIENCE_S, Recorder
from tests.server.service import Service, refused, running_service

POSITION = position_in("viking", players=3)


def _request(**limits: object) -> pb.AnalyzeRequest:
    request = pb.AnalyzeRequest(
        position=position_to_message(POSITION), interval=Duration(nanos=100_000_000)
    )
    request.options.limits.MergeFrom(analysis_pb2.SearchLimits(**limits))  # type: ignore[arg-type]
    return request


@pytest.fixture
def own_service() -> Iterator[Service]:
    with running_service(LIMITS) as running:
        yield running


def test_an_analysis_grows_and_ends(engine: EngineServiceStub) -> None:
    answers = list(engine.Analyze(_request(time=Duration(seconds=1)), timeout=PATIENCE_S))
    assert [answer.final for answer in answers] == [False] * (len(answers) - 1) + [True]
    assert len(answers) >= 2
    simulations = [answer.analysis.simulations for answer in answers]
    assert simulations == sorted(simulations)
    assert simulations[0] < simulations[-1]
    for answer in answers:
        analysis = answer.analysis
        assert analysis.mover == POSITION.current_player
        assert analysis.depth >= 1
        assert analysis.nodes >= 1
        assert analysis.memory_bytes > 0
        assert answer.simulations_per_second > 0
        state = lc.State.from_position(POSITION, seed=1)
        for action in analysis.turn:
            state.apply(action_from_message(action, state, "turn"))
        for candidate in analysis.candidates:
            assert candidate.visits > 0
            assert 0 <= candidate.mover_win_probability <= 1
            assert candidate.HasField("mover_score_lead")
            assert candidate.HasField("prior")
            assert candidate.HasField("standard_error")
            assert candidate.principal_variation[0] == candidate.action
    reasons = {answer.analysis.stop_reason for answer in answers[:-1]}
    assert reasons == {analysis_pb2.STOP_REASON_UNSPECIFIED}
    assert answers[-1].analysis.stop_reason == analysis_pb2.STOP_REASON_TIME


def test_the_final_answer_is_that_of_suggest(engine: EngineServiceStub) -> None:
    request = _request(simulations=50)
    request.options.seed = 3
    *_, last = engine.Analyze(request, timeout=PATIENCE_S)
    suggest = pb.SuggestRequest(position=request.position, options=request.options)
    analysis = engine.Suggest(suggest, timeout=PATIENCE_S).analysis
    for found in (last.analysis, analysis):
        found.ClearField("time")
    assert last.analysis == analysis


def test_who_cancels_a_stream_ends_its_search(own_service: Service, recorder: Recorder) -> None:
    call: Any = own_service.engine.Analyze(_request(time=Duration(seconds=30)))
    assert not next(call).final
    call.cancel()
    assert recorder.wait_for_end() == ai.SearchAborted.__name__


def test_who_cancels_before_the_first_answer_ends_its_search(
    own_service: Service, recorder: Recorder
) -> None:
    request = _request(time=Duration(seconds=30))
    request.interval.CopyFrom(Duration(seconds=20))
    call: Any = own_service.engine.Analyze(request)
    recorder.wait_for_begin()
    call.cancel()
    assert recorder.wait_for_end() == ai.SearchAborted.__name__


def test_a_server_that_stops_sends_streams_elsewhere(own_service: Service) -> None:
    call: Any = own_service.engine.Analyze(_request(time=Duration(seconds=30)))
    assert not next(call).final
    own_service.stop(grace_s=PATIENCE_S)
    answers: list[pb.AnalyzeResponse] = []
    answer = refused(lambda: answers.extend(call))
    assert answer.code is grpc.StatusCode.UNAVAILABLE
    assert answer.reason == "SERVER_STOPPING"
    assert not any(update.final for update in answers)


@pytest.mark.parametrize(
    ("interval", "field"),
    [
        (Duration(nanos=99_000_000), "interval"),
        (Duration(seconds=61), "interval"),
        (Duration(nanos=-1), "interval.nanos"),
    ],
)
def test_intervals_out_of_range(engine: EngineServiceStub, interval: Duration, field: str) -> None:
    request = _request(simulations=5)
    request.interval.CopyFrom(interval)
    answer = refused(lambda: list(engine.Analyze(request, timeout=PATIENCE_S)))
    assert (answer.reason, answer.field) == ("INVALID_LIMITS", field)


def _suggest(
    engine: EngineServiceStub, options: analysis_pb2.SearchOptions
) -> analysis_pb2.Analysis:
    request = pb.SuggestRequest(position=position_to_message(POSITION), options=options)
    request.options.seed = 1
    if not request.options.HasField("limits"):
        request.options.limits.simulations = 60
    return engine.Suggest(request, timeout=PATIENCE_S).analysis


@pytest.mark.parametrize("agent", ai.agent_names())
def test_first_actions_are_kept_to(engine: EngineServiceStub, agent: str) -> None:
    legal = [action_to_message(a) for a in lc.State.from_position(POSITION).legal_actions()]
    allowed = legal[1:4]
    options = analysis_pb2.SearchOptions(agent=agent, allowed_actions=allowed)
    analysis = _suggest(engine, options)
    assert analysis.turn[0] in allowed
    assert all(candidate.action in allowed for candidate in analysis.candidates)
    options.excluded_actions.append(analysis.turn[0])
    again = _suggest(engine, options)
    assert again.turn[0] in allowed
    assert again.turn[0] != analysis.turn[0]


def test_first_actions_are_checked(engine: EngineServiceStub) -> None:
    legal = [action_to_message(a) for a in lc.State.from_position(POSITION).legal_actions()]
    end = game_pb2.Action(end_turn=game_pb2.EndTurn())
    cases = [
        (analysis_pb2.SearchOptions(allowed_actions=[legal[0], end]), "ILLEGAL_ACTION",
         "options.allowed_actions[1]"),
        (analysis_pb2.SearchOptions(excluded_actions=[game_pb2.Action()]), "INVALID_LIMITS",
         "options.excluded_actions[0]"),
        (analysis_pb2.SearchOptions(excluded_actions=legal), "INVALID_LIMITS",
         "options.excluded_actions"),
        (analysis_pb2.SearchOptions(allowed_actions=legal[:1] * 502), "INVALID_LIMITS",
         "options.allowed_actions"),
    ]  # fmt: skip
    for options, reason, field in cases:
        answer = refused(lambda options=options: _suggest(engine, options))  # type: ignore[misc]
        assert (answer.reason, answer.field) == (reason, field)


def test_a_clock_is_shared_out_over_the_turns_left(
    own_service: Service, recorder: Recorder
) -> None:
    wanted = analysis_pb2.SearchLimits(clock=Duration(seconds=1))
    analysis = _suggest(own_service.engine, analysis_pb2.SearchOptions(limits=wanted))
    assert analysis.stop_reason == analysis_pb2.STOP_REASON_TIME
    assert recorder.limits[-1].clock_s == 1
    wanted.clock.CopyFrom(Duration(seconds=1_000_001))
    answer = refused(
        lambda: _suggest(own_service.engine, analysis_pb2.SearchOptions(limits=wanted))
    )
    assert (answer.reason, answer.field) == ("INVALID_LIMITS", "options.limits.clock")


def test_a_search_may_end_when_it_is_decided(engine: EngineServiceStub) -> None:
    request = pb.SuggestRequest()
    request.options.agent = "flat_mc"
    request.options.seed = 1
    request.options.limits.simulations = 1500
    request.options.limits.end_when_decided = True
    reasons = set()
    for position in random_positions(2, "printed", 5)[:-1:3]:
        request.position.CopyFrom(position_to_message(position))
        reasons.add(engine.Suggest(request, timeout=PATIENCE_S).analysis.stop_reason)
    assert analysis_pb2.STOP_REASON_DECIDED in reasons


def test_an_unknown_priority_is_refused(engine: EngineServiceStub) -> None:
    options = analysis_pb2.SearchOptions(priority=7)  # type: ignore[arg-type]
    answer = refused(lambda: _suggest(engine, options))
    assert (answer.reason, answer.field) == ("INVALID_LIMITS", "options.priority")
