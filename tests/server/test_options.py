"""Search options out of their range are refused, those left out are filled in."""

from collections.abc import Callable

import pytest
from google.protobuf.duration_pb2 import Duration

import ai
from looot.v1 import analysis_pb2
from looot.v1 import engine_service_pb2 as pb
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from server.conversion import position_to_message
from server.limits import ServiceLimits
from server.options import DEFAULT_AGENT, SearchRequest, read_options
from tests.positions import position_in
from tests.server.service import refused

Change = Callable[[analysis_pb2.SearchOptions], object]

CHANGES: dict[str, tuple[Change, str, str]] = {
    "level": (lambda o: setattr(o, "level", 0), "options.level", "0 is not from 1 to 10"),
    "high level": (
        lambda o: setattr(o, "level", 99),
        "options.level",
        "99 is not from 1 to 10",
    ),
    "level of another agent": (
        lambda o: o.MergeFrom(analysis_pb2.SearchOptions(agent="random", level=9)),
        "options.level",
        "9 is not 10",
    ),
    "threads": (lambda o: setattr(o, "threads", 3), "options.threads", "3 is not from 1 to 2"),
    "no threads": (lambda o: setattr(o, "threads", 0), "options.threads", "0 is not from 1 to 2"),
    "candidates": (
        lambda o: setattr(o, "max_candidates", 6),
        "options.max_candidates",
        "6 is not from 1 to 5",
    ),
    "no candidates": (
        lambda o: setattr(o, "max_candidates", 0),
        "options.max_candidates",
        "0 is not from 1 to 5",
    ),
    "no simulations": (
        lambda o: setattr(o.limits, "simulations", 0),
        "options.limits.simulations",
        "0 is not from 1 to",
    ),
    "simulations": (
        lambda o: setattr(o.limits, "simulations", 2**63 - 1),
        "options.limits.simulations",
        "9223372036854775807",
    ),
    "memory": (
        lambda o: setattr(o.limits, "memory_bytes", 1),
        "options.limits.memory_bytes",
        "1 is not from 1048576 to",
    ),
    "no time": (
        lambda o: o.limits.time.CopyFrom(Duration()),
        "options.limits.time",
        "0 s is not more than 0",
    ),
    "negative time": (
        lambda o: o.limits.time.CopyFrom(Duration(seconds=-(2**63))),
        "options.limits.time",
        "-9.22337e+18 s is not more than 0",
    ),
    "long time": (
        lambda o: o.limits.time.CopyFrom(Duration(seconds=31)),
        "options.limits.time",
        "31 s is not more than 0 and up to 30 s",
    ),
    "nanoseconds": (
        lambda o: o.limits.time.CopyFrom(Duration(nanos=-1)),
        "options.limits.time.nanos",
        "-1 nanoseconds are not from 0",
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
    request.options.agent = ""
    answer = refused(lambda: engine.PlayTurn(request, timeout=10))
    assert (answer.reason, answer.field) == ("UNKNOWN_AGENT", "options.agent")


class Levelled(ai.RandomAgent):
    levels = range(3, 8)
    max_threads = 8


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [("level", 2, "from 3 to 7"), ("level", 8, "from 3 to 7"), ("threads", 3, "from 1 to 2")],
)
def test_levels_and_threads_are_those_of_the_agent(
    engine: EngineServiceStub,
    monkeypatch: pytest.MonkeyPatch,
    field: str,
    value: int,
    allowed: str,
) -> None:
    monkeypatch.setattr("ai.agent._factories", {"levelled": Levelled, DEFAULT_AGENT: Levelled})
    request = pb.SuggestRequest(position=position_to_message(position_in("viking")))
    request.options.agent = "levelled"
    request.options.level = 3
    request.options.threads = 2
    assert engine.Suggest(request, timeout=10).analysis.level == 3
    request.options.ClearField("level")
    assert engine.Suggest(request, timeout=10).analysis.level == 7
    setattr(request.options, field, value)
    answer = refused(lambda: engine.Suggest(request, timeout=10))
    assert (answer.reason, answer.field) == ("INVALID_LIMITS", f"options.{field}")
    assert f"{value} is not {allowed}" in answer.message


def test_game_over(engine: EngineServiceStub) -> None:
    request = pb.SuggestRequest(position=position_to_message(position_in("over")))
    answer = refused(lambda: engine.Suggest(request, timeout=10))
    assert answer.reason == "GAME_OVER"
    assert answer.code.name == "FAILED_PRECONDITION"


def test_what_is_left_out() -> None:
    limits = ServiceLimits(
        default_time_s=2.5, max_time_s=9.0, max_candidates=7, max_memory_bytes=3 << 20
    )
    assert read_options(analysis_pb2.SearchOptions(), limits, "options") == SearchRequest(
        agent=DEFAULT_AGENT,
        level=10,
        time_s=2.5,
        simulations=None,
        memory_mb=3,
        seed=None,
        threads=1,
        max_candidates=7,
    )


def test_memory_is_rounded_down_to_mebibytes() -> None:
    wanted = analysis_pb2.SearchLimits(memory_bytes=(3 << 20) - 1)
    options = analysis_pb2.SearchOptions(limits=wanted)
    assert read_options(options, ServiceLimits(), "options").memory_mb == 2


def test_simulations_alone_may_take_the_longest_time() -> None:
    limits = ServiceLimits(default_time_s=2.5, max_time_s=9.0)
    wanted = analysis_pb2.SearchLimits(simulations=5)
    search = read_options(analysis_pb2.SearchOptions(limits=wanted), limits, "options")
    assert (search.time_s, search.simulations) == (9.0, 5)
