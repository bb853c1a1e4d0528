"""What is done around every call, whatever carries it: admitted, counted, timed and logged."""

from __future__ import annotations

import asyncio
import logging
import re
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
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
            except (asyncio.CancelledError, GeneratorExit, grpc.aio.InternalError):
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
            raise _overloaded(f"{self._most} calls run")
        caller = self._keys.caller(headers)
        caller.count_call()
        CALLER.set(caller)
        if caller.name:
            structlog.contextvars.bind_contextvars(key=caller.name)


class ObserveCalls(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]
    """Does so around the calls of our own services over gRPC, and answers what they refuse.

    A request that is no message of its method is refused: by itself gRPC would answer UNKNOWN, and
    log each. So is one that does not come in time: the call is counted while it waits for it. Every
    answer has the request's id in its trailing metadata.

    Of other services, which are health and reflection, the streams are bounded, apart from our own
    calls, so that none of both can keep out the other. Their only single answer, to whether the
    server is healthy, is always given.

    Parameters
    ----------
    calls : Calls
    most_streams : int
        How many streams of other services may be open at once.
    request_time_s : float
        Seconds within which a request must come.
    """

    def __init__(self, calls: Calls, most_streams: int, request_time_s: float) -> None:
        self._calls = calls
        self._most_streams = most_streams
        self._request_time_s = request_time_s
        self._streams: set[asyncio.Task[Any]] = set()

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any]]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """Wrap the handler of a method of ours, bound a stream of others."""
        handler: Any = await continuation(handler_call_details)
        method = handler_call_details.method
        if handler is None:
            return cast("grpc.RpcMethodHandler[Any, Any]", handler)
        is_ours = method.startswith(OUR_METHODS)
        if handler.response_streaming and not is_ours:
            return self._bounded(handler)
        name = method.removeprefix(OUR_METHODS)

        def decode(content: bytes) -> Any:
            try:
                return handler.request_deserializer(content)
            except DecodeError:
                return None

        @contextmanager
        def call(context: Any) -> Iterator[None]:
            if not is_ours:
                yield
                return
            headers = dict(context.invocation_metadata() or ()).get
            request_id = request_id_of(headers)
            context.set_trailing_metadata(((REQUEST_ID, request_id),))
            with self._calls.call(name, headers, request_id):
                yield

        # These read the request themselves: gRPC would wait for it for ever, before it calls them.
        async def answer(requests: AsyncIterator[Any], context: Any) -> Any:
            async with answering_errors(context):
                with call(context):
                    return await handler.unary_unary(await self._only(requests, context), context)

        async def stream(requests: AsyncIterator[Any], context: Any) -> None:
            async with answering_errors(context):
                with call(context):
                    request = await self._only(requests, context)
                    # Closed at once when the client leaves, and not when it is collected.
                    async with aclosing(handler.unary_stream(request, context)) as answers:
                        async for message in answers:
                            await context.write(message)

        if handler.response_streaming:
            return grpc.stream_stream_rpc_method_handler(
                stream, decode, handler.response_serializer
            )
        return grpc.stream_unary_rpc_method_handler(answer, decode, handler.response_serializer)

    async def _only(self, requests: AsyncIterator[Any], context: Any) -> Any:
        """Read the request of a call that has one."""
        try:
            async with asyncio.timeout(self._request_time_s):
                request = await anext(requests, None)
        except TimeoutError:
            raise Unreadable(f"no request came within {self._request_time_s:g} s") from None
        if request is None:
            # Requests end in the same way when the call has: then this fails.
            await context.send_initial_metadata(())
            raise Unreadable
        return request

    def _bounded(self, handler: Any) -> grpc.RpcMethodHandler[Any, Any]:
        """Count the stream for which gRPC asks in its task, or refuse it."""

        async def refuse(requests: object, context: Any) -> None:
            async with answering_errors(context):
                raise _overloaded(f"{self._most_streams} streams are open")

        if len(self._streams) >= self._most_streams:
            return grpc.stream_stream_rpc_method_handler(refuse)
        task = asyncio.current_task()
        assert task is not None
        self._streams.add(task)
        task.add_done_callback(self._streams.discard)
        return cast("grpc.RpcMethodHandler[Any, Any]", handler)


def request_id_of(headers: Headers) -> str:
    """Give the id that the client has given its call, if it is a sane one, or a new one."""
    given = headers(REQUEST_ID)
    return given if given and _SANE_ID.fullmatch(given) else uuid.uuid4().hex


def _overloaded(what: str) -> Refusal:
    return Refusal(
        ErrorReason.ERROR_REASON_OVERLOADED,
        f"{what} already, as many as may; try again later",
        retry_after_s=_BUSY_S,
    )
