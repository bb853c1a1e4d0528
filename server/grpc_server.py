"""The engine over gRPC, with health checking and reflection."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
from typing import Any, TypeAlias

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from looot.v1 import engine_service_pb2 as pb
from looot.v1 import engine_service_pb2_grpc
from server.engine import Engine
from server.errors import RefuseUnreadable, answering_errors
from server.settings import Settings

SERVICE_NAME: str = pb.DESCRIPTOR.services_by_name["EngineService"].full_name
GRACE_S = 5.0

_Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]
_log = logging.getLogger(__name__)


class EngineServicer(engine_service_pb2_grpc.EngineServiceServicer):
    """The service of ``engine_service.proto``: hands each call to the engine.

    A call that is cancelled, or whose deadline passes, cancels the handler, and with it the search.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def Suggest(self, request: pb.SuggestRequest, context: _Context) -> pb.SuggestResponse:
        """Search a position."""
        async with answering_errors(context):
            return await self._engine.suggest(request, context.time_remaining())

    async def PlayTurn(self, request: pb.PlayTurnRequest, context: _Context) -> pb.PlayTurnResponse:
        """Play the rest of a turn."""
        async with answering_errors(context):
            return await self._engine.play_turn(request, context.time_remaining())

    async def ListLegalActions(
        self, request: pb.ListLegalActionsRequest, context: _Context
    ) -> pb.ListLegalActionsResponse:
        """List the legal actions."""
        async with answering_errors(context):
            return await self._engine.list_legal_actions(request)

    async def ApplyActions(
        self, request: pb.ApplyActionsRequest, context: _Context
    ) -> pb.ApplyActionsResponse:
        """Apply events."""
        async with answering_errors(context):
            return await self._engine.apply_actions(request)

    async def GetScore(self, request: pb.GetScoreRequest, context: _Context) -> pb.GetScoreResponse:
        """Count the points."""
        async with answering_errors(context):
            return await self._engine.get_score(request)

    async def GetEngineInfo(
        self, request: pb.GetEngineInfoRequest, context: _Context
    ) -> pb.GetEngineInfoResponse:
        """Describe the server."""
        async with answering_errors(context):
            return await self._engine.get_engine_info(request)


class Server:
    """A gRPC server of the engine.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self.engine = Engine(settings)
        self._health = health.aio.HealthServicer()  # type: ignore[attr-defined]
        self._server = grpc.aio.server(
            interceptors=[RefuseUnreadable()],
            options=[
                ("grpc.max_receive_message_length", settings.max_request_bytes),
                ("grpc.so_reuseport", 0),
            ],
        )
        engine_service_pb2_grpc.add_EngineServiceServicer_to_server(
            EngineServicer(self.engine), self._server
        )
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (SERVICE_NAME, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)

    async def start(self, host: str, port: int) -> int:
        """Listen.

        Parameters
        ----------
        host : str
            A name or an address of this machine.
        port : int
            0 is any free one.

        Returns
        -------
        int
            The port.

        Raises
        ------
        OSError
            If the address cannot be listened on; it says why.
        """
        _try_to_listen(host, port)
        try:
            port = self._server.add_insecure_port(_address(host, port))
        except RuntimeError as error:
            raise OSError(f"cannot listen on {_address(host, port)}") from error
        await self._server.start()
        for name in ("", SERVICE_NAME):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        return port

    async def stop(self, grace_s: float = GRACE_S) -> None:
        """Take no new calls, let running searches answer with the best so far, and end."""
        await self._health.enter_graceful_shutdown()
        self.engine.searches.stop_all()
        await self._server.stop(grace_s)
        self.engine.close()


async def serve(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT.

    Parameters
    ----------
    settings : Settings

    Raises
    ------
    OSError
        If the address cannot be listened on; it says why.
    """
    server = Server(settings)
    port = await server.start(settings.host, settings.port)
    _log.info("serving %s on %s", SERVICE_NAME, _address(settings.host, port))
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    await ended.wait()
    _log.info("stopping")
    await server.stop()
    _log.info("stopped")


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _try_to_listen(host: str, port: int) -> None:
    """Listen for a moment: unlike gRPC, the system tells why it refuses."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise OSError(f"port {port} is in use; choose another with --port") from error
        why, _, _ = str(error.strerror).partition(" (")
        raise OSError(f"cannot listen on {_address(host, port)}: {why}; see --host") from error
