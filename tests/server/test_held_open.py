"""What a client can hold open is bounded, in number or in time."""

from __future__ import annotations

import functools
import logging
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import grpc
import pytest
from connectrpc.protocol import ProtocolType
from google.protobuf.duration_pb2 import Duration
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from looot.v1 import engine_service_pb2 as pb
from looot.v1.analysis_pb2 import SearchLimits, SearchOptions
from looot.v1.engine_service_connect import EngineServiceClientSync
from server.calls import OUR_METHODS
from server.conversion import position_to_message
from server.settings import Settings
from tests.positions import position_in
from tests.server.browsers import Browsers, running_browsers
from tests.server.recorder import PATIENCE_S
from tests.server.service import Refused, Service, refused, running_service

INFO = pb.GetEngineInfoRequest()
REQUEST_TIME_S = 0.2
_MOST_TRIES = 10_000


@pytest.fixture
def small() -> Iterator[Service]:
    """A server of which one client can have one call and one other stream."""
    settings = Settings(
        database_url="", max_calls=1, max_searches=1, max_request_time_s=REQUEST_TIME_S
    )
    with running_service(settings) as running:
        yield running


@pytest.fixture
def never() -> Iterator[Callable[[], Iterator[bytes]]]:
    """Gives requests of which none ever comes."""
    ended = threading.Event()

    def wait() -> Iterator[bytes]:
        ended.wait()
        yield from ()

    yield wait
    ended.set()


def watch_health(service: Service, name: str = "") -> Any:
    return service.channel.unary_stream(
        "/grpc.health.v1.Health/Watch",
        health_pb2.HealthCheckRequest.SerializeToString,
        health_pb2.HealthCheckResponse.FromString,
    )(health_pb2.HealthCheckRequest(service=name))


def watch_unknown_health(service: Service) -> Any:
    return watch_health(service, "unknown")


def reflect(service: Service) -> Any:
    ended = threading.Event()

    def requests() -> Iterator[reflection_pb2.ServerReflectionRequest]:
        yield reflection_pb2.ServerReflectionRequest(list_services="")
        ended.wait()

    call: Any = service.channel.stream_stream(
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        reflection_pb2.ServerReflectionRequest.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )(requests())
    if not call.add_callback(ended.set):
        ended.set()
    return call


def send(service: Service, method: str, requests: Iterator[bytes]) -> Any:
    """Call a method with any number of requests, which are as they are on the wire."""
    return service.channel.stream_stream(method, bytes, bytes)(requests, timeout=PATIENCE_S)


STREAMS = [watch_health, watch_unknown_health, reflect]


@pytest.mark.parametrize("second", STREAMS)
@pytest.mark.parametrize("first", STREAMS)
def test_streams_of_health_and_reflection_are_bounded(
    small: Service, first: Callable[[Service], Any], second: Callable[[Service], Any]
) -> None:
    held = first(small)
    next(held)
    answer = refused(lambda: next(second(small)))
    assert answer.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert answer.reason == "OVERLOADED"
    assert answer.retry_after_s > 0
    assert small.is_healthy()
    assert small.engine.GetEngineInfo(INFO, timeout=PATIENCE_S).engine_version
    held.cancel()
    _open_again(lambda: second(small))


def test_calls_and_other_streams_do_not_keep_out_each_other(small: Service) -> None:
    request = pb.AnalyzeRequest(position=position_to_message(position_in("viking")))
    request.options.limits.time.seconds = 30
    analysis: Any = small.engine.Analyze(request)
    next(analysis)
    assert refused(lambda: small.engine.GetEngineInfo(INFO)).reason == "OVERLOADED"
    _open_again(lambda: watch_health(small))
    assert small.is_healthy()
    analysis.cancel()


ENGINE = pb.DESCRIPTOR.services_by_name["EngineService"]
SINGLE = [
    *(f"{OUR_METHODS}EngineService/{name}" for name in ENGINE.methods_by_name),
    "/grpc.health.v1.Health/Check",
]


@pytest.mark.parametrize("method", SINGLE)
def test_a_call_without_a_request_ends(
    small: Service, never: Callable[[], Iterator[bytes]], method: str
) -> None:
    call = send(small, method, never())
    answer = refused(lambda: next(call))
    assert answer.code is grpc.StatusCode.INVALID_ARGUMENT
    assert answer.message == "no request came within 0.2 s"


@pytest.mark.parametrize("method", SINGLE)
def test_a_call_that_ends_before_its_request_is_refused(small: Service, method: str) -> None:
    call = send(small, method, iter(()))
    assert refused(lambda: next(call)).code is grpc.StatusCode.INVALID_ARGUMENT


def running_calls(service: Service) -> float | None:
    return service.server.metrics.registry.get_sample_value("looot_calls_running")


def leave(service: Service, never: Iterator[bytes]) -> Any:
    call = send(service, SINGLE[0], never)
    while running_calls(service) == 0:
        assert call.is_active()
    call.cancel()
    return call


def let_the_deadline_pass(service: Service, never: Iterator[bytes]) -> Any:
    return service.channel.stream_stream(SINGLE[0], bytes, bytes)(never, timeout=REQUEST_TIME_S)


def send_too_much(service: Service, _: Iterator[bytes]) -> Any:
    return send(service, SINGLE[0], iter([bytes(1 << 20)]))


def pack_too_much(service: Service, _: Iterator[bytes]) -> Any:
    call = service.channel.stream_stream(SINGLE[0], bytes, bytes)
    return call(iter([bytes(1 << 20)]), PATIENCE_S, compression=grpc.Compression.Gzip)


@pytest.mark.parametrize("end", [leave, let_the_deadline_pass, send_too_much, pack_too_much])
def test_a_call_that_ends_while_its_request_is_read_is_a_cancelled_one(
    never: Callable[[], Iterator[bytes]],
    caplog: pytest.LogCaptureFixture,
    end: Callable[[Service, Iterator[bytes]], Any],
) -> None:
    caplog.set_level(logging.INFO)
    with running_service(Settings(database_url="")) as service:
        for _ in range(10):
            call = end(service, never())
            refused(lambda call=call: next(call))  # type: ignore[misc]
        while running_calls(service):
            assert service.is_healthy()
        assert service.is_healthy()
    assert not [record for record in caplog.records if record.levelno > logging.INFO]
    assert {vars(record)["code"] for record in caplog.records if "code" in vars(record)} == {
        "CANCELLED"
    }


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


@contextmanager
def begun_connection(service: Service, begun: bytes) -> Iterator[socket.socket]:
    host, port = service.address.split(":")
    with socket.create_connection((host, int(port)), PATIENCE_S) as client:
        client.sendall(begun)
        yield client


@pytest.mark.parametrize("begun", [b"", PREFACE], ids=["nothing", "preface"])
def test_a_connection_without_settings_of_http2_is_closed(small: Service, begun: bytes) -> None:
    with begun_connection(small, begun) as client:
        read_to_the_end(client)


def test_a_call_that_waits_for_its_request_is_counted(
    never: Callable[[], Iterator[bytes]],
) -> None:
    with running_service(Settings(database_url="", max_calls=1)) as service:
        ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        calls = [send(service, f"{OUR_METHODS}EngineService/Suggest", never()) for _ in range(2)]
        for call in calls:
            if not call.add_callback(functools.partial(ended.put, call)):
                ended.put(call)
        second = ended.get(timeout=PATIENCE_S)
        assert refused(lambda: next(second)).reason == "OVERLOADED"
        assert service.is_healthy()
        (first,) = (call for call in calls if call is not second)
        assert first.is_active()
        first.cancel()


SUGGEST = (
    b"POST /looot.v1.EngineService/Suggest HTTP/1.1\r\nHost: x\r\n"
    b"Content-Type: application/json\r\nContent-Length: 9999\r\n\r\n"
)
ASK_HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture(scope="module")
def browsers() -> Iterator[Browsers]:
    settings = Settings(database_url="", max_searches=1, max_request_time_s=REQUEST_TIME_S)
    with running_browsers(settings) as running:
        yield running


@contextmanager
def connected(browsers: Browsers) -> Iterator[socket.socket]:
    address = urlsplit(browsers.url)
    with socket.create_connection((address.hostname, address.port), PATIENCE_S) as client:
        yield client


def ask_health(client: socket.socket) -> None:
    client.sendall(ASK_HEALTH)
    answer = b""
    while not answer.endswith(b"serving\n"):
        answer += client.recv(4096)


def read_to_the_end(client: socket.socket) -> bytes:
    answer = b""
    with suppress(ConnectionResetError):
        while received := client.recv(4096):
            answer += received
    return answer


BEGUN = {
    "no line": b"PO",
    "headers": ASK_HEALTH[:-2],
    "no body": SUGGEST,
    "half a body": SUGGEST + b"{",
}


@pytest.mark.parametrize("begun", [b"", *BEGUN.values()], ids=["nothing", *BEGUN])
def test_a_connection_on_which_no_request_comes_whole_is_closed(
    browsers: Browsers, caplog: pytest.LogCaptureFixture, begun: bytes
) -> None:
    with connected(browsers) as client:
        client.sendall(begun)
        assert read_to_the_end(client) == b""
    assert browsers.curl("healthz").code == 200
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


@pytest.mark.parametrize("begun", BEGUN.values(), ids=BEGUN)
def test_a_second_request_must_come_whole_too(browsers: Browsers, begun: bytes) -> None:
    with connected(browsers) as client:
        ask_health(client)
        client.sendall(begun)
        assert read_to_the_end(client) == b""


@pytest.mark.parametrize("slow", [ASK_HEALTH[:-4] + b"\r\nX: ", SUGGEST], ids=["headers", "body"])
def test_a_slow_request_gets_no_more_time(browsers: Browsers, slow: bytes) -> None:
    began = time.monotonic()
    with connected(browsers) as client, suppress(ConnectionError):
        client.settimeout(REQUEST_TIME_S / 10)
        client.sendall(slow)
        while True:
            client.sendall(b" ")
            with suppress(TimeoutError):
                assert client.recv(1) == b""
                break
            assert time.monotonic() < began + PATIENCE_S


def test_a_connection_between_two_requests_is_left_alone(browsers: Browsers) -> None:
    with connected(browsers) as client:
        ask_health(client)
        with connected(browsers) as other:
            assert read_to_the_end(other) == b""
        ask_health(client)


EARLY = b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1234"


@pytest.mark.parametrize("second", [ASK_HEALTH[:-2], SUGGEST], ids=["headers", "no body"])
def test_a_request_behind_one_that_was_answered_early_has_its_own_time(
    browsers: Browsers, second: bytes
) -> None:
    for _ in range(_MOST_TRIES):
        first_at = time.monotonic()
        with connected(browsers) as client:
            client.sendall(EARLY)
            assert client.recv(4096).startswith(b"HTTP/1.1 404")
            time.sleep(REQUEST_TIME_S / 2)
            second_at = time.monotonic()
            with suppress(ConnectionError):
                client.sendall(b"56789" + second)
            read_to_the_end(client)
        if second_at < first_at + REQUEST_TIME_S:
            assert time.monotonic() >= second_at + REQUEST_TIME_S
            return
    raise AssertionError("this machine is too slow")


UPGRADE = ASK_HEALTH[:-2] + b"Connection: Upgrade\r\nUpgrade: "


@pytest.mark.parametrize(
    "request_line",
    [UPGRADE + b"websocket\r\n\r\n", UPGRADE + b"h2c\r\n\r\n", PREFACE, b"no request\r\n\r\n"],
    ids=["websocket", "h2c", "HTTP/2", "none"],
)
def test_a_strange_request_is_answered_and_not_warned_of(
    browsers: Browsers, caplog: pytest.LogCaptureFixture, request_line: bytes
) -> None:
    with connected(browsers) as client:
        client.sendall(request_line)
        assert client.recv(4096).startswith(b"HTTP/1.1 ")
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


def keepalive_s(client: socket.socket) -> float | None:
    """Tell when the system asks whether a client is there; None: not, or something is under way."""
    ends = [f":{port:04X}" for _, port in (client.getpeername(), client.getsockname())]
    lines = map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:])
    (timer,) = (at[5] for at in lines if [at[1][-5:], at[2][-5:]] == ends)
    kind, hundredths = (int(number, 16) for number in timer.split(":"))
    return hundredths / 100 if kind == 2 else None


def test_the_system_looks_after_clients_that_are_silent(browsers: Browsers) -> None:
    with connected(browsers) as client:
        ask_health(client)
        found = (keepalive_s(client) for _ in range(_MOST_TRIES))
        after_s = next((after_s for after_s in found if after_s is not None), None)
    assert after_s is not None
    assert after_s <= 30


@pytest.mark.parametrize("protocol", [ProtocolType.CONNECT, ProtocolType.GRPC_WEB])
def test_an_answer_may_take_longer_than_a_request(
    browsers: Browsers, protocol: ProtocolType
) -> None:
    limits = SearchLimits(time=Duration(nanos=round(4e9 * REQUEST_TIME_S)))
    options = SearchOptions(limits=limits)
    position = position_to_message(position_in("viking"))
    with EngineServiceClientSync(browsers.url, protocol=protocol) as client:
        answer = client.suggest(pb.SuggestRequest(position=position, options=options))
        assert answer.analysis.turn
        request = pb.AnalyzeRequest(position=position, options=options)
        *_, last = client.analyze(request)
        assert last.final


def _refusal(call: Callable[[], object]) -> grpc.StatusCode | None:
    """Give the code of a call, None if it is answered."""
    try:
        call()
    except grpc.RpcError as error:
        return Refused(error).code
    return None


def _open_again(call: Callable[[], Any]) -> None:
    """Open a stream as soon as the end of another one is known, and end it."""
    for _ in range(_MOST_TRIES):
        stream = call()
        if (code := _refusal(stream.__next__)) is None:
            stream.cancel()
            return
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    raise AssertionError("it is never opened")
