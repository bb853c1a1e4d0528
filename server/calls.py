"""What is done around every call, whatever carries it: admitted, counted, timed and logged."""

from __future__ import annotations

import asyncio
import logging
import re
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import Any, cast

import grpc
import structlog
from google.protobuf.message import DecodeError

from looot.v1.errors_pb2 import ErrorReason
from server.access import CALLER, Headers, Keys
from server.errors import Refusal, Unreadable, answering_errors
from server.metrics import Metrics
from server.tracing import NoTracing

REQUEST_ID = "x-request-id"
OUR_METHODS = "/looot.v1."

_SANE_ID = re.compile(r"[A-Za-z0-9._:/+=-]{1,64}")
_BUSY_S = 1.0
_log = logging.getLogger(__name__)


class Calls:
    """Admits calls, counts them and logs them.

    Parameters
    ----------
    metrics : Metrics
    keys : Keys
    most : int
        How many may run at once.
    tracing : NoTracing, optional
        Takes note of each, or does not.
    """

    def __init__(
        self, metrics: Metrics, keys: Keys, most: int, tracing: NoTracing | None = None
    ) -> None:
        self._tracing = tracing or NoTracing()
        self._metrics = metrics
        self._keys = keys
        self._most = most
        self._running = 0

    @contextmanager
    def call(self, method: str, headers: Headers, request_id: str) -> Iterator[None]:
        """Answer a call inside; what is logged inside carries the id.

        Parameters
        ----------
        method : str
            As ``EngineService/Suggest``.
        headers : callable
        request_id : str
            From `request_id_of`.

        Raises
        ------
        Refusal
            If the caller has no key, or calls too often, or too many calls run.
        """
        began = time.perf_counter()
        code = grpc.StatusCode.OK
        self._running += 1
        self._metrics.calls_running.inc()
        structlog.contextvars.bind_contextvars(request_id=request_id, method=method)
        with self._tracing.call(method, headers, request_id) as end_trace:
            try:
                self._admit(headers)
                yield
            except Refusal as refusal:
                code = refusal.code
                raise
            except Unreadable:
                code = grpc.StatusCode.INVALID_ARGUMENT
                raise
            except (asyncio.CancelledError, GeneratorExit):
                code = grpc.StatusCode.CANCELLED
                raise
            except BaseException:
                code = grpc.StatusCode.INTERNAL
                raise
            finally:
                self._running -= 1
                self._metrics.calls_running.dec()
                seconds = time.perf_counter() - began
                self._metrics.count_call(method, code.name, seconds)
                end_trace(code)
                _log.info("call", extra={"code": code.name, "seconds": round(seconds, 6)})

    def _admit(self, headers: Headers) -> None:
        if self._running > self._most:
            raise Refusal(
                ErrorReason.ERROR_REASON_OVERLOADED,
                f"{self._most} calls run already, as many as may; try again later",
                retry_after_s=_BUSY_S,
            )
        caller = self._keys.caller(headers)
        caller.count_call()
        CALLER.set(caller)
        if caller.name:
            structlog.contextvars.bind_contextvars(key=caller.name)


class ObserveCalls(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]
    """Does so around the calls of our own services over gRPC, and answers what they refuse.

    A request that is no message of its method is refused: by itself gRPC would answer UNKNOWN, and
    log each. Every answer has the request's id in its trailing metadata.

    Parameters
    ----------
    calls : Calls
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any]]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """Wrap the handler of a method of ours."""
        handler: Any = await continuation(handler_call_details)
        method = handler_call_details.method
        if handler is None or not method.startswith(OUR_METHODS):
            return cast("grpc.RpcMethodHandler[Any, Any]", handler)
        name = method.removeprefix(OUR_METHODS)

        def read(content: bytes) -> Any:
            try:
                return handler.request_deserializer(content)
            except DecodeError:
                return None

        @contextmanager
        def call(context: Any) -> Iterator[None]:
            headers = dict(context.invocation_metadata() or ()).get
            request_id = request_id_of(headers)
            context.set_trailing_metadata(((REQUEST_ID, request_id),))
            with self._calls.call(name, headers, request_id):
                yield

        async def answer(request: Any, context: Any) -> Any:
            async with answering_errors(context):
                with call(context):
                    _check(request)
                    return await handler.unary_unary(request, context)

        async def stream(request: Any, context: Any) -> None:
            async with answering_errors(context):
                with call(context):
                    _check(request)
                    # Closed at once when the client leaves, and not when it is collected.
                    async with aclosing(handler.unary_stream(request, context)) as answers:
                        async for message in answers:
                            await context.write(message)

        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(stream, read, handler.response_serializer)
        return grpc.unary_unary_rpc_method_handler(answer, read, handler.response_serializer)


def request_id_of(headers: Headers) -> str:
    """Give the id that the client has given its call, if it is a sane one, or a new one."""
    given = headers(REQUEST_ID)
    return given if given and _SANE_ID.fullmatch(given) else uuid.uuid4().hex


def _check(request: object) -> None:
    if request is None:
        raise Unreadable
