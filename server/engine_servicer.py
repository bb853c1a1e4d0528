"""The engine over gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc

from looot.v1 import engine_service_pb2 as pb
from looot.v1 import engine_service_pb2_grpc
from server.engine import Engine

SERVICE_NAME: str = pb.DESCRIPTOR.services_by_name["EngineService"].full_name

_Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]


class EngineServicer(engine_service_pb2_grpc.EngineServiceServicer):
    """The service of ``engine_service.proto``: hands each call to the engine.

    A call that is cancelled, or whose deadline passes, cancels the handler, and with it the search.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def Suggest(self, request: pb.SuggestRequest, context: _Context) -> pb.SuggestResponse:
        """Search a position."""
        return await self._engine.suggest(request, context.time_remaining())

    async def Analyze(
        self, request: pb.AnalyzeRequest, context: _Context
    ) -> AsyncIterator[pb.AnalyzeResponse]:
        """Search a position, and tell what is found on the way."""
        async with aclosing(self._engine.analyze(request, context.time_remaining())) as answers:
            async for answer in answers:
                yield answer

    async def PlayTurn(self, request: pb.PlayTurnRequest, context: _Context) -> pb.PlayTurnResponse:
        """Play the rest of a turn."""
        return await self._engine.play_turn(request, context.time_remaining())

    async def ListLegalActions(
        self, request: pb.ListLegalActionsRequest, context: _Context
    ) -> pb.ListLegalActionsResponse:
        """List the legal actions."""
        return await self._engine.list_legal_actions(request)

    async def ApplyActions(
        self, request: pb.ApplyActionsRequest, context: _Context
    ) -> pb.ApplyActionsResponse:
        """Apply events."""
        return await self._engine.apply_actions(request)

    async def GetScore(self, request: pb.GetScoreRequest, context: _Context) -> pb.GetScoreResponse:
        """Count the points."""
        return await self._engine.get_score(request)

    async def GetEngineInfo(
        self, request: pb.GetEngineInfoRequest, context: _Context
    ) -> pb.GetEngineInfoResponse:
        """Describe the server."""
        return await self._engine.get_engine_info(request)
