"""The server beside its rules: information, health, reflection, calls at once, sizes."""

import logging
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from google.protobuf.message import DecodeError
from grpc_reflection.v1alpha import reflection_pb2

import ai
import looot_core as lc
from looot.v1 import analysis_pb2, game_pb2
from looot.v1 import engine_service_pb2 as pb
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from server.conversion import (
    action_from_message,
    position_from_message,
    position_to_message,
)
from server.engine_servicer import SERVICE_NAME
from server.logs import is_worth_logging
from server.options import DEFAULT_AGENT
from tests.positions import position_in, random_positions
from tests.server.conftest import LIMITS
from tests.server.recorder import PATIENCE_S
from tests.server.service import Service, refused


def test_engine_info(engine: EngineServiceStub) -> None:
    info = engine.GetEngineInfo(pb.GetEngineInfoRequest(), timeout=10)
    assert info.engine_version == lc.__version__
    assert info.protocol_version == "looot.v1"
    assert [agent.name for agent in info.agents] == list(ai.agent_names())
    assert info.default_agent in ai.agent_names()
    assert set(info.editions) == {game_pb2.EDITION_RULEBOOK, game_pb2.EDITION_PRINTED}
    assert info.limits == LIMITS.message(max(agent.max_threads for agent in info.agents))
    for agent in info.agents:
        levels = ai.agent_info(agent.name).levels
        assert (agent.min_level, agent.max_level) == (levels[0], levels[-1])
        assert 1 <= agent.max_threads <= LIMITS.max_threads
        assert agent.description
    assert pb.CAPABILITY_SEARCH in info.capabilities


def test_health(service: Service) -> None:
    assert service.is_healthy()
    assert service.is_healthy(SERVICE_NAME)


def test_reflection(service: Service) -> None:
    call = service.channel.stream_stream(
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        reflection_pb2.ServerReflectionRequest.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    (answer,) = call(iter([request]), timeout=10)
    names = {entry.name for entry in answer.list_services_response.service}
    assert {SERVICE_NAME, "grpc.health.v1.Health"} <= names


def test_suggestion(engine: EngineServiceStub) -> None:
    position = position_in("viking", players=3)
    request = pb.SuggestRequest(position=position_to_message(position))
    request.options.limits.simulations = 200
    request.options.seed = 1
    request.options.max_candidates = 3
    analysis = engine.Suggest(request, timeout=30).analysis
    assert analysis.mover == position.current_player
    assert 1 <= len(analysis.candidates) <= 3
    assert len(analysis.expected_scores) == 3
    assert analysis.turn[0] == analysis.candidates[0].action
    assert analysis.turn[-1].HasField("end_turn")
    assert analysis.engine_version == lc.__version__
    state = lc.State.from_position(position, seed=1)
    for action in analysis.turn:
        state.apply(action_from_message(action, state, "turn"))
    for candidate in analysis.candidates:
        assert candidate.HasField("mover_win_probability")
        assert candidate.HasField("mover_score_lead")
        assert 0 <= candidate.mover_win_probability <= 1
        assert candidate.turn[0] == candidate.action


def test_what_an_agent_does_not_estimate_is_absent(engine: EngineServiceStub) -> None:
    request = pb.SuggestRequest(position=position_to_message(position_in("viking")))
    request.options.agent = "random"
    (candidate,) = engine.Suggest(request, timeout=30).analysis.candidates
    assert candidate.turn
    for field in ("mover_win_probability", "mover_score_lead", "standard_error"):
        assert not candidate.HasField(field)


def test_a_played_turn_says_who_played_it(engine: EngineServiceStub) -> None:
    request = pb.PlayTurnRequest(position=position_to_message(position_in("viking")))
    request.options.limits.simulations = 20
    answer = engine.PlayTurn(request, timeout=30)
    assert answer.stop_reason == analysis_pb2.STOP_REASON_SIMULATIONS
    assert (answer.agent, answer.level) == (DEFAULT_AGENT, 10)
    assert answer.engine_version == lc.__version__
    assert re.fullmatch(r"[0-9a-f]{16}", answer.weights_hash)
    request.options.agent = "random"
    assert engine.PlayTurn(request, timeout=30).weights_hash == ""


def test_a_fault_is_answered_without_its_text(
    engine: EngineServiceStub, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(state: lc.State) -> None:
        raise KeyError("secret")

    monkeypatch.setattr("server.engine.score_to_message", fail)
    request = pb.GetScoreRequest(position=position_to_message(position_in("viking")))
    answer = refused(lambda: engine.GetScore(request, timeout=10))
    assert answer.code is grpc.StatusCode.INTERNAL
    assert "secret" not in answer.message
    assert not answer.infos
    assert "secret" in caplog.text


def test_equal_seeds_suggest_the_same(engine: EngineServiceStub) -> None:
    request = pb.SuggestRequest(position=position_to_message(position_in("end_of_turn")))
    request.options.limits.simulations = 100
    request.options.seed = 7
    first, second = (engine.Suggest(request, timeout=30).analysis for _ in range(2))
    first.ClearField("time")
    second.ClearField("time")
    assert first == second


def test_a_bot_plays_a_whole_turn_from_anywhere(engine: EngineServiceStub) -> None:
    for position in random_positions(2, "printed", 3)[:-1:5]:
        request = pb.PlayTurnRequest(position=position_to_message(position))
        request.options.limits.simulations = 20
        state = lc.State.from_position(position, seed=1)
        for action in engine.PlayTurn(request, timeout=30).actions:
            state.apply(action_from_message(action, state, "turn"))
        assert state.turn_number == position.turn_number + 1 or state.is_over


def test_calls_at_once(engine: EngineServiceStub) -> None:
    positions = random_positions(4, "rulebook", 2)[:-1]
    requests = [pb.ListLegalActionsRequest(position=position_to_message(p)) for p in positions]
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda r: engine.ListLegalActions(r, timeout=30), requests))
    for position, answer in zip(positions, answers, strict=True):
        assert len(answer.actions) == len(lc.State.from_position(position).legal_actions())


def test_a_request_that_is_too_large(engine: EngineServiceStub) -> None:
    request = pb.GetScoreRequest()
    request.position.arrangement.ocean.board = "A" * (LIMITS.max_request_bytes + 1)
    answer = refused(lambda: engine.GetScore(request, timeout=10))
    assert answer.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert not answer.infos


METHODS = pb.DESCRIPTOR.services_by_name["EngineService"].methods_by_name


@pytest.mark.parametrize("method", [f"{SERVICE_NAME}/{name}" for name in METHODS])
def test_what_is_no_message_is_refused_and_not_logged(
    service: Service, caplog: pytest.LogCaptureFixture, method: str
) -> None:
    call = service.channel.unary_unary(f"/{method}", bytes, bytes)
    answer = refused(lambda: call(b"\xff\xff\xff", timeout=10))
    assert answer.code is grpc.StatusCode.INVALID_ARGUMENT
    assert not answer.infos
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


def test_an_unreadable_message_of_other_services_is_not_logged() -> None:
    def record(error: Exception) -> logging.LogRecord:
        information = (type(error), error, None)
        return logging.LogRecord("grpc", logging.ERROR, "", 0, "", None, information)

    assert not is_worth_logging(record(DecodeError()))
    assert is_worth_logging(record(ValueError()))


def test_health_is_answered_while_a_position_is_read(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go = threading.Event(), threading.Event()

    def read_slowly(message: game_pb2.Position, field: str) -> lc.Position:
        begun.set()
        assert go.wait(PATIENCE_S)
        return position_from_message(message, field)

    monkeypatch.setattr("server.engine.position_from_message", read_slowly)
    request = pb.GetScoreRequest(position=position_to_message(position_in("viking")))
    call = service.engine.GetScore.future(request, timeout=PATIENCE_S)
    assert begun.wait(PATIENCE_S)
    assert service.is_healthy()
    go.set()
    assert len(call.result(timeout=PATIENCE_S).score.seats) == 2


def test_order_of_the_bag_never_leaves(engine: EngineServiceStub) -> None:
    setup = lc.GameSetup.random(players=2, edition="printed", seed=4).to_dict()
    answers = []
    for bag in (setup["bag"], setup["bag"][::-1]):
        state = lc.State(lc.GameSetup.from_dict({**setup, "bag": bag}))
        position = position_to_message(state.position())
        play = pb.PlayTurnRequest(position=position)
        play.options.limits.simulations = 50
        play.options.seed = 3
        answers.append(
            (
                position.SerializeToString(deterministic=True),
                engine.PlayTurn(play, timeout=30).SerializeToString(deterministic=True),
            )
        )
    assert answers[0] == answers[1]
