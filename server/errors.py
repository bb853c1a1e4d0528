"""Refusals: errors that a client can act on, as ``google.rpc.Status``."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from looot.v1.errors_pb2 import ErrorReason
from server.conversion import FieldError, duration_to_message

DOMAIN = "looot"
FAULT = "the server failed; its log says why"
_CODES = {
    ErrorReason.ERROR_REASON_GAME_OVER: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_OVERLOADED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    ErrorReason.ERROR_REASON_DEADLINE_TOO_NEAR: grpc.StatusCode.DEADLINE_EXCEEDED,
    ErrorReason.ERROR_REASON_SERVER_STOPPING: grpc.StatusCode.UNAVAILABLE,
    ErrorReason.ERROR_REASON_KEY_REQUIRED: grpc.StatusCode.UNAUTHENTICATED,
    ErrorReason.ERROR_REASON_KEY_EXHAUSTED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    ErrorReason.ERROR_REASON_GAME_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    ErrorReason.ERROR_REASON_PERMISSION_DENIED: grpc.StatusCode.PERMISSION_DENIED,
    ErrorReason.ERROR_REASON_VERSION_MISMATCH: grpc.StatusCode.ABORTED,
    ErrorReason.ERROR_REASON_NOT_YOUR_TURN: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_UNDO_NOT_POSSIBLE: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
    ErrorReason.ERROR_REASON_TOO_MANY_GAMES: grpc.StatusCode.RESOURCE_EXHAUSTED,
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
    retry_after_s : float, optional
        Seconds after which the call may be repeated.
    """

    def __init__(
        self,
        reason: ErrorReason.ValueType,
        message: str,
        field: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.reason = reason
        self.code = _CODES.get(reason, grpc.StatusCode.INVALID_ARGUMENT)
        self.field = field
        self.description = message
        self.retry_after_s = retry_after_s

    def status(self) -> status_pb2.Status:
        """Give the status, with one ErrorInfo and what else there is to tell."""
        reason = ErrorReason.Name(self.reason).removeprefix("ERROR_REASON_")
        details = [_packed(error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN))]
        if self.field:
            violation = error_details_pb2.BadRequest.FieldViolation(
                field=self.field, description=self.description
            )
            details.append(_packed(error_details_pb2.BadRequest(field_violations=[violation])))
        if self.retry_after_s is not None:
            delay = duration_to_message(self.retry_after_s)
            details.append(_packed(error_details_pb2.RetryInfo(retry_delay=delay)))
        number, _ = self.code.value
        return status_pb2.Status(code=number, message=str(self), details=details)


class Unreadable(Exception):
    """A request that is no message of its method."""

    def __init__(self, message: str = "the request is no message of this method") -> None:
        super().__init__(message)


def _packed(message: Message) -> AnyMessage:
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

    What another error says is logged, and not told to the client. A call that cannot be answered
    any more is cancelled: gRPC would log each as an error.
    """
    try:
        try:
            yield
        except grpc.aio.BaseError:
            raise  # gRPC's own
        except Refusal as refusal:
            details = (_DETAILS_KEY, refusal.status().SerializeToString())
            trailing = (*(context.trailing_metadata() or ()), details)
            await context.abort(refusal.code, str(refusal), trailing)
        except Unreadable as error:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        except Exception:
            _log.exception("a call failed")
            await context.abort(grpc.StatusCode.INTERNAL, FAULT)
    except grpc.aio.InternalError as error:
        raise asyncio.CancelledError from error
