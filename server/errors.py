"""Refusals: errors that a client can act on, as ``google.rpc.Status``."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import error_details_pb2, status_pb2

from looot.v1.errors_pb2 import ErrorReason
from server.conversion import FieldError

DOMAIN = "looot"
_CODES = {
    ErrorReason.ERROR_REASON_GAME_OVER: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_OVERLOADED: grpc.StatusCode.RESOURCE_EXHAUSTED,
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
        await context.abort(grpc.StatusCode.INTERNAL, "the server failed; its log says why")
