"""What an operator sees: request ids, logs, metrics."""

from __future__ import annotations

import json
import logging
import re
import secrets
import socket
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import grpc
import pytest
import structlog

from looot.v1 import engine_service_pb2 as pb
from server import logs
from server.access import Keys
from server.calls import Calls
from server.conversion import position_to_message
from server.limits import ServiceLimits
from server.metrics import Metrics
from server.searches import Searches
from server.settings import Settings
from server.tracing import Tracing
from tests.positions import position_in
from tests.server.browsers import running_browsers
from tests.server.recorder import PATIENCE_S
from tests.server.service import Service, refused, running_service

INFO = pb.GetEngineInfoRequest()


@pytest.fixture(scope="module")
def observed() -> Iterator[Service]:
    with running_service(Settings(database_url="", metrics_port=0, max_searches=2)) as running:
        yield running


def _request_id(service: Service, *given: tuple[str, str]) -> str:
    _, call = service.engine.GetEngineInfo.with_call(INFO, metadata=given)
    (value,) = [value for key, value in call.trailing_metadata() if key == "x-request-id"]
    return str(value)


def test_an_answer_has_the_id_of_its_request(observed: Service) -> None:
    assert _request_id(observed, ("x-request-id", "a-1.b:2")) == "a-1.b:2"
    made = _request_id(observed)
    assert re.fullmatch(r"[0-9a-f]{32}", made)
    assert _request_id(observed) != made
    for insane in ("", "x" * 65, "two words", 'a"b'):
        assert _request_id(observed, ("x-request-id", insane)) not in ("", insane)


def test_a_refusal_has_the_id_of_its_request(observed: Service) -> None:
    for call in (
        lambda: observed.engine.Suggest(pb.SuggestRequest(), metadata=(("x-request-id", "r1"),)),
        lambda: list(
            observed.engine.Analyze(pb.AnalyzeRequest(), metadata=(("x-request-id", "r1"),))
        ),
    ):
        answer = refused(call)
        assert answer.reason == "INVALID_POSITION"
        assert ("x-request-id", "r1") in answer.trailing


def _figures(service: Service) -> dict[str, float]:
    address = f"http://127.0.0.1:{service.server.metrics_port}/metrics"
    with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
        text = answer.read().decode()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def test_metrics(observed: Service) -> None:
    request = pb.SuggestRequest(position=position_to_message(position_in("viking")))
    request.options.limits.simulations = 30
    observed.engine.Suggest(request, timeout=PATIENCE_S)
    refused(lambda: observed.engine.PlayTurn(pb.PlayTurnRequest()))
    metrics = observed.server.metrics
    metrics.games.set(3)
    metrics.bot_turns.inc()
    with metrics.timing_store("append"):
        pass
    figures = _figures(observed)
    assert figures['looot_calls_total{code="OK",method="EngineService/Suggest"}'] == 1
    refusals = 'looot_calls_total{code="INVALID_ARGUMENT",method="EngineService/PlayTurn"}'
    assert figures[refusals] == 1
    assert figures['looot_call_seconds_count{method="EngineService/PlayTurn"}'] == 1
    assert figures["looot_simulations_total"] >= 30
    assert figures["looot_searches_running"] == 0
    assert figures['looot_search_queue_length{priority="bulk"}'] == 0
    assert figures['looot_search_queue_oldest_seconds{priority="interactive"}'] == 0
    assert figures["looot_games_in_memory"] == 3
    assert figures["looot_bot_turns_total"] == 1
    assert figures['looot_store_seconds_count{operation="append"}'] == 1


def test_too_many_calls_at_once_are_refused_but_health_answers() -> None:
    request = pb.AnalyzeRequest(position=position_to_message(position_in("viking")))
    request.options.limits.time.seconds = 30
    with running_service(Settings(database_url="", max_calls=1, max_searches=1)) as service:
        call: Any = service.engine.Analyze(request)
        next(call)
        answer = refused(lambda: service.engine.GetEngineInfo(INFO, timeout=PATIENCE_S))
        assert answer.reason == "OVERLOADED"
        assert answer.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert answer.retry_after_s > 0
        assert service.is_healthy()
        call.cancel()


@pytest.fixture
def root_logger() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


@pytest.mark.usefixtures("root_logger")
def test_logs_are_lines_of_json_with_the_id_of_the_request(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure("json", "info")
    structlog.contextvars.bind_contextvars(request_id="r7")
    try:
        raise KeyError("two\nlines")
    except KeyError:
        logging.getLogger("server.calls").exception("a call failed", extra={"code": "OK"})
    finally:
        structlog.contextvars.clear_contextvars()
    logging.getLogger("server").debug("too little")
    (line,) = capsys.readouterr().err.splitlines()
    entry = json.loads(line)
    assert entry["event"] == "a call failed"
    assert (entry["request_id"], entry["code"], entry["level"]) == ("r7", "OK", "error")
    assert "KeyError" in entry["exception"]
    assert entry["timestamp"]


@pytest.mark.usefixtures("root_logger")
def test_logs_are_text_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("text", "warning")
    logging.getLogger("server").warning("careful: %s", "a port", extra={"port": 5})
    line = capsys.readouterr().err.strip()  # a library may give records fields of its own
    assert re.search(r"warning +\] careful: a port .*\bport=5$", line)


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.usefixtures("root_logger")
def test_a_logged_fault_does_not_show_the_values_of_variables(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure(form, "info")

    secret = secrets.token_urlsafe()  # not in the source, of which a traceback shows lines

    def fail(token: str) -> None:
        raise KeyError(len(token))

    try:
        fail(secret)
    except KeyError:
        logging.getLogger("server").exception("a call failed")
    written = capsys.readouterr().err
    assert "in fail" in written
    assert "KeyError" in written
    assert secret[:10] not in written


@pytest.mark.usefixtures("root_logger")
def test_a_stop_logs_no_traceback_for_a_request_that_never_came_whole(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure("text", "info")
    # as a proxy that waits for its client: a stop cannot wait for it
    with running_browsers(Settings(database_url="", grace_s=0)) as running:
        port = urlsplit(running.url).port
        with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as client:
            client.sendall(
                b"POST /looot.v1.EngineService/Suggest HTTP/1.1\r\nHost: x\r\n"
                b"Content-Type: application/json\r\nContent-Length: 9\r\n"
                b"Expect: 100-continue\r\n\r\n"
            )
            assert client.recv(12) == b"HTTP/1.1 100"  # it reads the request
            running.service.run(running.service.server.stop(0))
    written = capsys.readouterr().err
    assert "timeout graceful shutdown exceeded" in written
    assert "Traceback" not in written


def test_a_call_is_logged_once(observed: Service, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "server.calls"):
        _request_id(observed)
        refused(lambda: observed.engine.GetScore(pb.GetScoreRequest()))
    codes = [getattr(record, "code", None) for record in caplog.records]
    assert codes == ["OK", "INVALID_ARGUMENT"]


def test_calls_are_traced_below_the_span_of_the_caller() -> None:
    pytest.importorskip("opentelemetry.sdk.trace", reason="the extra 'traces' is not installed")
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    kept = InMemorySpanExporter()
    tracing = Tracing(SimpleSpanProcessor(kept))
    calls = Calls(Metrics(Searches(ServiceLimits())), Keys(None), 10, tracing)
    parent = {"traceparent": f"00-{'a' * 32}-{'b' * 16}-01"}
    with calls.call("EngineService/Suggest", parent.get, "r1"):
        pass
    with (
        pytest.raises(KeyError),
        calls.call("EngineService/GetScore", lambda name: None, "r2"),
    ):
        raise KeyError
    tracing.close()
    suggest, score = kept.get_finished_spans()
    assert suggest.name == "looot.v1.EngineService/Suggest"
    assert suggest.parent is not None
    assert f"{suggest.parent.trace_id:x}" == "a" * 32
    assert suggest.attributes is not None
    assert suggest.attributes["request_id"] == "r1"
    assert suggest.attributes["rpc.grpc.status_code"] == 0
    assert score.parent is None
    assert score.status.status_code.name == "ERROR"
