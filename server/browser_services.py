"""The services over Connect and gRPC-Web: what a browser can call.

The same objects answer as over gRPC; here is only what carries a call to them and back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import AbstractContextManager, aclosing
from typing import Any, TypeAlias

from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.interceptor import MetadataInterceptor
from connectrpc.request import RequestContext
from protobuf.wkt import Any as AnyDetail

from looot.v1 import engine_service_connect, game_service_connect
from looot.v1 import engine_service_pb2 as pb
from looot.v1 import game_service_pb2 as game_pb
from server.calls import OUR_METHODS, REQUEST_ID, Calls, request_id_of
from server.engine import Engine
from server.errors import FAULT, Refusal, Unreadable
from server.games import HostedGames

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
        return await self._engine.suggest(request, _remaining_s(ctx))

    async def analyze(
        self, request: pb.AnalyzeRequest, ctx: _Context
    ) -> AsyncGenerator[pb.AnalyzeResponse]:
        """Search a position, and tell what is found on the way."""
        async with aclosing(self._engine.analyze(request, _remaining_s(ctx))) as answers:
            async for answer in answers:
                yield answer

    async def play_turn(self, request: pb.PlayTurnRequest, ctx: _Context) -> pb.PlayTurnResponse:
        """Play the rest of a turn."""
        return await self._engine.play_turn(request, _remaining_s(ctx))

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


class GameCalls(game_service_connect.GameService):
    """The service of ``game_service.proto``: hands each call to the hosted games."""

    def __init__(self, games: HostedGames) -> None:
        self._games = games

    async def create_game(
        self, request: game_pb.CreateGameRequest, ctx: _Context
    ) -> game_pb.CreateGameResponse:
        """Create a game."""
        return await self._games.create_game(request)

    async def get_game(
        self, request: game_pb.GetGameRequest, ctx: _Context
    ) -> game_pb.GetGameResponse:
        """Tell how a game stands."""
        return await self._games.get_game(request)

    async def list_games(
        self, request: game_pb.ListGamesRequest, ctx: _Context
    ) -> game_pb.ListGamesResponse:
        """List games."""
        return await self._games.list_games(request)

    async def submit_actions(
        self, request: game_pb.SubmitActionsRequest, ctx: _Context
    ) -> game_pb.SubmitActionsResponse:
        """Play actions."""
        return await self._games.submit_actions(request)

    async def watch_game(
        self, request: game_pb.WatchGameRequest, ctx: _Context
    ) -> AsyncGenerator[game_pb.WatchGameResponse]:
        """Stream the events of a game."""
        async with aclosing(self._games.watch_game(request)) as updates:
            async for update in updates:
                yield update

    async def get_hint(
        self, request: game_pb.GetHintRequest, ctx: _Context
    ) -> game_pb.GetHintResponse:
        """Search the position of a game."""
        return await self._games.get_hint(request, _remaining_s(ctx))

    async def undo_turn(
        self, request: game_pb.UndoTurnRequest, ctx: _Context
    ) -> game_pb.UndoTurnResponse:
        """Take back a turn."""
        return await self._games.undo_turn(request)

    async def resign_seat(
        self, request: game_pb.ResignSeatRequest, ctx: _Context
    ) -> game_pb.ResignSeatResponse:
        """Hand a seat to a bot."""
        return await self._games.resign_seat(request)

    async def export_record(
        self, request: game_pb.ExportRecordRequest, ctx: _Context
    ) -> game_pb.ExportRecordResponse:
        """Give the record of a game."""
        return await self._games.export_record(request)

    async def delete_game(
        self, request: game_pb.DeleteGameRequest, ctx: _Context
    ) -> game_pb.DeleteGameResponse:
        """Delete a game."""
        return await self._games.delete_game(request)


class ObserveBrowserCalls(MetadataInterceptor[AbstractContextManager[None]]):
    """Does around calls from browsers what is done around those over gRPC.

    A refusal is answered with the same status and details, a fault with INTERNAL. Who may not call
    is refused before anything of the request is read. Every answer has the request's id in a
    header.

    Parameters
    ----------
    calls : Calls
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def on_start(self, ctx: _Context) -> AbstractContextManager[None]:
        """Admit a call."""
        headers = ctx.request_headers.get
        request_id = request_id_of(headers)
        ctx.response_headers[REQUEST_ID] = request_id
        method = f"/{ctx.method.service_name}/{ctx.method.name}".removeprefix(OUR_METHODS)
        call = self._calls.call(method, headers, request_id)
        try:
            call.__enter__()
        except Refusal as refusal:
            raise _answer(refusal) from refusal
        return call

    async def on_end(
        self, token: AbstractContextManager[None], ctx: _Context, error: Exception | None
    ) -> None:
        """Count and log a call, and answer what went wrong."""
        if error is None:
            token.__exit__(None, None, None)
            return
        seen = _seen(error)
        token.__exit__(type(seen), seen, seen.__traceback__)
        raise _answer(error) from error


def _remaining_s(ctx: _Context) -> float | None:
    """Give the seconds until a call's deadline, if it has one."""
    return None if ctx.timeout_ms is None else ctx.timeout_ms / 1000


def _seen(error: Exception) -> BaseException:
    """Give the error as `Calls` knows it."""
    if not isinstance(error, ConnectError):
        return error
    if error.code in (Code.CANCELED, Code.DEADLINE_EXCEEDED):
        return asyncio.CancelledError()
    return Unreadable()


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
