"""Search options out of their range are refused, those left out are filled in."""

from collections.abc import Callable

import pytest
from google.protobuf.duration_pb2 import Duration

from looot.v1 import analysis_pb2
from looot.v1 import engine_service_pb2 as pb
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from server.conversion import position_to_message
from server.limits import Limits
from server.options import DEFAULT_AGENT, MAX_LEVEL, Search, read_options
from tests.server.positions import position_in
from tests.server.service import refused

Change = Callable[[analysis_pb2.SearchOptions], object]

CHANGES: dict[str, tuple[Change, str, str]] = {
    "level": (lambda o: setattr(o, "level", 0), "options.level", "0"),
    "high level": (lambda o: setattr(o, "level", 99), "options.level", "99"),
    "threads": (lambda o: setattr(o, "threads", 3), "options.threads", "3"),
    "no threads": (lambda o: setattr(o, "threads", -1), "options.threads", "-1"),
    "candidates": (lambda o: setattr(o, "max_candidates", 6), "options.max_candidates", "6"),
    "no simulations": (
        lambda o: setattr(o.limits, "simulations", 0),
        "options.limits.simulations",
        "0",
    ),
    "simulations": (
        lambda o: setattr(o.limits, "simulations", 2**63 - 1),
        "options.limits.simulations",
        "9223372036854775807",
    ),
    "memory": (
        lambda o: setattr(o.limits, "memory_bytes", 1),
        "options.limits.memory_bytes",
        "1",
    ),
    "no time": (
        lambda o: o.limits.time.CopyFrom(Duration()),
        "options.limits.time",
        "0",
    ),
    "negative time": (
        lambda o: o.limits.time.CopyFrom(Duration(seconds=-(2**63))),
        "options.limits.time",
        "-",
    ),
    "long time": (
        lambda o: o.limits.time.CopyFrom(Duration(seconds=31)),
        "options.limits.time",
        "31",
    ),
    "nanoseconds": (
        lambda o: o.limits.time.CopyFrom(Duration(nanos=-1)),
        "options.limits.time.nanos",
        "-1",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_refused(engine: EngineServiceStub, name: str) -> None:
    change, field, value = CHANGES[name]
    request = pb.SuggestRequest(position=position_to_message(position_in("viking")))
    change(request.options)
    answer = refused(lambda: engine.Suggest(request, timeout=10))
    assert (answer.reason, answer.field) == ("INVALID_LIMITS", field)
    assert value in answer.message


def test_unknown_agent(engine: EngineServiceStub) -> None:
    request = pb.PlayTurnRequest(position=position_to_message(position_in("viking")))
    request.options.agent = "nobody" * 1000
    answer = refused(lambda: engine.PlayTurn(request, timeout=10))
    assert (answer.reason, answer.field) == ("UNKNOWN_AGENT", "options.agent")
    assert DEFAULT_AGENT in answer.message
    assert len(answer.message) < 300


def test_more_threads_than_the_agent_can_use(engine: EngineServiceStub) -> None:
    request = pb.SuggestRequest(position=position_to_message(position_in("viking")))
    request.options.agent = "random"
    request.options.threads = 2
    answer = refused(lambda: engine.Suggest(request, timeout=10))
    assert (answer.reason, answer.field) == ("INVALID_LIMITS", "options")
    assert "threads: 2" in answer.message


def test_game_over(engine: EngineServiceStub) -> None:
    request = pb.SuggestRequest(position=position_to_message(position_in("over")))
    answer = refused(lambda: engine.Suggest(request, timeout=10))
    assert answer.reason == "GAME_OVER"
    assert answer.code.name == "FAILED_PRECONDITION"


def test_what_is_left_out() -> None:
    limits = Limits(default_time_s=2.5, max_time_s=9.0, max_candidates=7, max_memory_bytes=3 << 20)
    assert read_options(analysis_pb2.SearchOptions(), limits, "options") == Search(
        agent=DEFAULT_AGENT,
        level=MAX_LEVEL,
        time_s=2.5,
        simulations=None,
        memory_mb=3,
        seed=None,
        threads=1,
        max_candidates=7,
    )


def test_simulations_alone_may_take_the_longest_time() -> None:
    limits = Limits(default_time_s=2.5, max_time_s=9.0)
    wanted = analysis_pb2.SearchLimits(simulations=5)
    search = read_options(analysis_pb2.SearchOptions(limits=wanted), limits, "options")
    assert (search.time_s, search.simulations) == (9.0, 5)
