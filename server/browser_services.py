"""The services over Connect and gRPC-Web: what a browser can call.

The same objects answer as over gRPC; here is only what carries a call to them and back.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias, TypeVar

from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.request import RequestContext
from protobuf.wkt import Any as AnyDetail

from looot.v1 import engine_service_connect
from looot.v1 import engine_service_pb2 as pb
from server.engine import Engine
from server.errors import FAULT, Refusal

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")
_Context: TypeAlias = RequestContext[Any, Any]
_log = logging.getLogger(__name__)


class EngineCalls(engine_service_connect.EngineService):
    """The service of ``engine_service.proto``: hands each call to the engine.

    A client that goes away, or whose deadline passes, cancels the call, and with it the search.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def suggest(self, request: pb.SuggestRequest, ctx: _Context) -> pb.SuggestResponse:
        """Search a position."""
        return await self._engine.suggest(request, remaining_s(ctx))

    async def play_turn(self, request: pb.PlayTurnRequest, ctx: _Context) -> pb.PlayTurnResponse:
        """Play the rest of a turn."""
        return await self._engine.play_turn(request, remaining_s(ctx))

    async def list_legal_actions(
        self, request: pb.ListLegalActionsRequest, ctx: _Context
    ) -> pb.ListLegalActionsResponse:
        """List the legal actions."""
        return await self._engine.list_legal_actions(request)

    async def apply_actions(
        self, request: pb.ApplyActionsRequest, ctx: _Context
    ) -> pb.ApplyActionsResponse:
        """Apply events."""
        return await self._engine.apply_actions(request)

    async def get_score(self, request: pb.GetScoreRequest, ctx: _Context) -> pb.GetScoreResponse:
        """Count the points."""
        return await self._engine.get_score(request)

    async def get_engine_info(
        self, request: pb.GetEngineInfoRequest, ctx: _Context
    ) -> pb.GetEngineInfoResponse:
        """Describe the server."""
        return await self._engine.get_engine_info(request)


class AnsweringErrors:
    """Answers a refusal with the same status and details as over gRPC, and a fault with INTERNAL.

    What a fault says is logged, and not told to the client.
    """

    async def intercept_unary(
        self,
        call_next: Callable[[_Request, _Context], Awaitable[_Response]],
        request: _Request,
        ctx: _Context,
    ) -> _Response:
        """Answer the errors of a call with one answer."""
        try:
            return await call_next(request, ctx)
        except Exception as error:
            raise _answer(error) from error

    async def intercept_server_stream(
        self,
        call_next: Callable[[_Request, _Context], AsyncIterator[_Response]],
        request: _Request,
        ctx: _Context,
    ) -> AsyncGenerator[_Response]:
        """Answer the errors of a stream."""
        answers = call_next(request, ctx)
        try:
            async for answer in answers:
                yield answer
        except Exception as error:
            raise _answer(error) from error
        finally:
            if isinstance(answers, AsyncGenerator):
                await answers.aclose()


def remaining_s(ctx: _Context) -> float | None:
    """Give the seconds until a call's deadline, if it has one."""
    return None if ctx.timeout_ms is None else ctx.timeout_ms / 1000


def _answer(error: Exception) -> ConnectError:
    if isinstance(error, ConnectError):
        return error
    if isinstance(error, Refusal):
        status = error.status()
        details = [
            ErrorDetail(AnyDetail(type_url=detail.type_url, value=detail.value))
            for detail in status.details
        ]
        return ConnectError(Code[error.code.name], status.message, details)
    _log.error("a call failed", exc_info=error)
    return ConnectError(Code.INTERNAL, FAULT)
