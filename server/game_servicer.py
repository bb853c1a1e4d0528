"""Hosted games over gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc

from looot.v1 import game_service_pb2 as pb
from looot.v1 import game_service_pb2_grpc
from server.games import HostedGames

GAME_SERVICE_NAME: str = pb.DESCRIPTOR.services_by_name["GameService"].full_name

_Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]


class GameServicer(game_service_pb2_grpc.GameServiceServicer):
    """The service of ``game_service.proto``: hands each call to the hosted games."""

    def __init__(self, games: HostedGames) -> None:
        self._games = games

    async def CreateGame(
        self, request: pb.CreateGameRequest, context: _Context
    ) -> pb.CreateGameResponse:
        """Create a game."""
        return await self._games.create_game(request)

    async def GetGame(self, request: pb.GetGameRequest, context: _Context) -> pb.GetGameResponse:
        """Tell how a game stands."""
        return await self._games.get_game(request)

    async def ListGames(
        self, request: pb.ListGamesRequest, context: _Context
    ) -> pb.ListGamesResponse:
        """List games."""
        return await self._games.list_games(request)

    async def SubmitActions(
        self, request: pb.SubmitActionsRequest, context: _Context
    ) -> pb.SubmitActionsResponse:
        """Play actions."""
        return await self._games.submit_actions(request)

    async def WatchGame(
        self, request: pb.WatchGameRequest, context: _Context
    ) -> AsyncIterator[pb.WatchGameResponse]:
        """Stream the events of a game."""
        async with aclosing(self._games.watch_game(request)) as updates:
            async for update in updates:
                yield update

    async def GetHint(self, request: pb.GetHintRequest, context: _Context) -> pb.GetHintResponse:
        """Search the position of a game."""
        return await self._games.get_hint(request, context.time_remaining())

    async def UndoTurn(self, request: pb.UndoTurnRequest, context: _Context) -> pb.UndoTurnResponse:
        """Take back a turn."""
        return await self._games.undo_turn(request)

    async def ResignSeat(
        self, request: pb.ResignSeatRequest, context: _Context
    ) -> pb.ResignSeatResponse:
        """Hand a seat to a bot."""
        return await self._games.resign_seat(request)

    async def ExportRecord(
        self, request: pb.ExportRecordRequest, context: _Context
    ) -> pb.ExportRecordResponse:
        """Give the record of a game."""
        return await self._games.export_record(request)

    async def DeleteGame(
        self, request: pb.DeleteGameRequest, context: _Context
    ) -> pb.DeleteGameResponse:
        """Delete a game."""
        return await self._games.delete_game(request)
