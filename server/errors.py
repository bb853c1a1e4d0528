"""Refusals: errors that a client can act on, as ``google.rpc.Status``."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, cast

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from looot.v1.errors_pb2 import ErrorReason
from server.conversion import FieldError

DOMAIN = "looot"
FAULT = "the server failed; its log says why"
_CODES = {
    ErrorReason.ERROR_REASON_GAME_OVER: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_OVERLOADED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    ErrorReason.ERROR_REASON_GAME_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    ErrorReason.ERROR_REASON_PERMISSION_DENIED: grpc.StatusCode.PERMISSION_DENIED,
    ErrorReason.ERROR_REASON_VERSION_MISMATCH: grpc.StatusCode.ABORTED,
    ErrorReason.ERROR_REASON_NOT_YOUR_TURN: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_UNDO_NOT_POSSIBLE: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
}
_DETAILS_KEY = "grpc-status-details-bin"
_log = logging.getLogger(__name__)


class Refusal(Exception):
    """A request that is refused.

    Parameters
    ----------
    reason : ErrorReason
        Why; it decides the status code.
    message : str
        What a person reads.
    field : str, optional
        The path of the field to blame.
    """

    def __init__(
        self, reason: ErrorReason.ValueType, message: str, field: str | None = None
    ) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.reason = reason
        self.code = _CODES.get(reason, grpc.StatusCode.INVALID_ARGUMENT)
        self.field = field
        self.description = message

    def status(self) -> status_pb2.Status:
        """Give the status with its one ErrorInfo and, for a field, one BadRequest."""
        reason = ErrorReason.Name(self.reason).removeprefix("ERROR_REASON_")
        details = [_packed(error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN))]
        if self.field:
            violation = error_details_pb2.BadRequest.FieldViolation(
                field=self.field, description=self.description
            )
            details.append(_packed(error_details_pb2.BadRequest(field_violations=[violation])))
        number, _ = self.code.value
        return status_pb2.Status(code=number, message=str(self), details=details)


def _packed(message: error_details_pb2.ErrorInfo | error_details_pb2.BadRequest) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(message)
    return packed


@contextmanager
def refusing_fields(reason: ErrorReason.ValueType) -> Iterator[None]:
    """Refuse with a reason what the conversion of a message refuses."""
    try:
        yield
    except FieldError as error:
        raise Refusal(reason, error.description, error.field) from error


@asynccontextmanager
async def answering_errors(context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[None]:
    """Answer a refusal inside with its status, and any other error with INTERNAL.

    What another error says is logged, and not told to the client.
    """
    try:
        yield
    except Refusal as refusal:
        details = refusal.status().SerializeToString()
        await context.abort(refusal.code, str(refusal), ((_DETAILS_KEY, details),))
    except Exception:
        _log.exception("a call failed")
        await context.abort(grpc.StatusCode.INTERNAL, FAULT)


class RefuseUnreadable(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]
    """Answers a request that is no message of its method with INVALID_ARGUMENT.

    By itself gRPC would answer UNKNOWN, and log each.
    """

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any]]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """Read the requests of unary methods more gently."""
        handler: Any = await continuation(handler_call_details)
        if handler is None or handler.unary_unary is None:
            return cast("grpc.RpcMethodHandler[Any, Any]", handler)

        def read(content: bytes) -> Any:
            try:
                return handler.request_deserializer(content)
            except DecodeError:
                return None

        async def answer(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
            if request is None:
                await context.abort(
                    grpc.StatusCode.INVALID_ARGUMENT, "the request is no message of this method"
                )
            return await handler.unary_unary(request, context)

        return grpc.unary_unary_rpc_method_handler(
            answer, request_deserializer=read, response_serializer=handler.response_serializer
        )


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Tell whether a record of gRPC's own log is more than that somebody sent no message."""
    return not (record.exc_info and isinstance(record.exc_info[1], DecodeError))
