"""A server in a thread of its own, so that tests are plain calls."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2
from grpc_status import rpc_status

from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from server.grpc_server import Server
from server.settings import Settings

_Answer = TypeVar("_Answer")


class Service:
    """A running server with a channel to it."""

    def __init__(
        self,
        server: Server,
        loop: asyncio.AbstractEventLoop,
        channel: grpc.Channel,
        address: str,
    ) -> None:
        self.server = server
        self._loop = loop
        self.channel = channel
        self.address = address
        self.engine = EngineServiceStub(channel)

    def is_healthy(self, name: str = "") -> bool:
        """Ask for the health of a service, or of the whole server."""
        call = self.channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            health_pb2.HealthCheckRequest.SerializeToString,
            health_pb2.HealthCheckResponse.FromString,
        )
        answer: health_pb2.HealthCheckResponse = call(
            health_pb2.HealthCheckRequest(service=name), timeout=10
        )
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    @property
    def running_searches(self) -> int:
        return self.server.engine.searches.running

    def run(self, work: Coroutine[Any, Any, _Answer]) -> _Answer:
        """Await in the server's event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def stop(self, grace_s: float) -> None:
        self.run(self.server.stop(grace_s))


@contextmanager
def running_service(settings: Settings) -> Iterator[Service]:
    runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
    loop = runner.get_loop()

    def run() -> None:
        with runner:  # which ends what is left when the loop stops, as it does in `looot serve`
            loop.run_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()

    async def start() -> tuple[Server, int]:
        server = Server(settings)
        return server, await server.start("127.0.0.1", 0)

    server, port = asyncio.run_coroutine_threadsafe(start(), loop).result()
    address = f"127.0.0.1:{port}"
    with grpc.insecure_channel(address) as channel:
        service = Service(server, loop, channel, address)
        yield service
        service.stop(grace_s=0)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


def cancel(call: grpc.Future[Any]) -> None:
    """Cancel a call that is not yet answered."""
    assert call.cancel()


class Refused:
    """What a refused call was answered with."""

    def __init__(self, error: grpc.RpcError) -> None:
        call = cast(grpc.Call, error)
        self.code: grpc.StatusCode = call.code()
        self.message: str = call.details() or ""
        status: status_pb2.Status | None = rpc_status.from_call(call)
        details = status.details if status else []
        self.infos = _unpacked(details, error_details_pb2.ErrorInfo)
        self.trailing = [(key, value) for key, value in call.trailing_metadata() or ()]
        self._retries = _unpacked(details, error_details_pb2.RetryInfo)
        self.violations = [
            violation
            for request in _unpacked(details, error_details_pb2.BadRequest)
            for violation in request.field_violations
        ]

    @property
    def reason(self) -> str:
        """The reason of its one ErrorInfo."""
        (info,) = self.infos
        assert info.domain == "looot"
        return info.reason

    @property
    def retry_after_s(self) -> float:
        """The delay of its one RetryInfo."""
        (retry,) = self._retries
        return retry.retry_delay.ToTimedelta().total_seconds()

    @property
    def field(self) -> str:
        """The field of its one violation."""
        (violation,) = self.violations
        return violation.field


_Detail = TypeVar("_Detail", bound=Message)


def _unpacked(details: Iterable[AnyMessage], kind: type[_Detail]) -> list[_Detail]:
    found = []
    for detail in details:
        message = kind()
        if detail.Unpack(message):
            found.append(message)
    return found


def refused(call: Callable[[], object]) -> Refused:
    """Give the error of a call that must fail."""
    try:
        call()
    except grpc.RpcError as error:
        return Refused(error)
    raise AssertionError("the call was not refused")
