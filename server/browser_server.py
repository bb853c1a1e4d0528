"""The services for browsers, Connect and gRPC-Web over HTTP, beside the gRPC server."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
import socket
import ssl
from collections.abc import Generator, Iterable
from typing import Any

import h11
import uvicorn
from connectrpc.server import ConnectASGIApplication
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from looot.v1.engine_service_connect import EngineServiceASGIApplication
from looot.v1.game_service_connect import GameServiceASGIApplication
from server.browser_services import EngineCalls, GameCalls, ObserveBrowserCalls
from server.calls import Calls
from server.engine import Engine
from server.games import HostedGames
from server.settings import Settings

# What clients of the two protocols send and read, beside what every page may.
REQUEST_HEADERS = (
    "Authorization",
    "Content-Type",
    "Connect-Protocol-Version",
    "Connect-Timeout-Ms",
    "Grpc-Timeout",
    "X-Api-Key",
    "X-Grpc-Web",
    "X-Request-Id",
    "X-User-Agent",
)
ANSWER_HEADERS = ("Grpc-Status", "Grpc-Message", "Grpc-Status-Details-Bin", "X-Request-Id")
_PREFLIGHT_KEPT_S = 7200
# A client whose machine has vanished is noticed after a minute, as it is over gRPC.
_KEEPALIVE = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}


class BrowserServer:
    """An HTTP server of the services, for browsers and for whoever speaks JSON.

    Parameters
    ----------
    engine : Engine
    games : HostedGames, optional
        None: there are no hosted games.
    calls : Calls
    settings : Settings
    """

    def __init__(
        self, engine: Engine, games: HostedGames | None, calls: Calls, settings: Settings
    ) -> None:
        self._settings = settings
        observers = [ObserveBrowserCalls(calls)]
        most = settings.max_request_bytes
        services: list[ConnectASGIApplication[Any]] = [
            EngineServiceASGIApplication(
                EngineCalls(engine), interceptors=observers, read_max_bytes=most
            )
        ]
        if games is not None:
            services.append(
                GameServiceASGIApplication(
                    GameCalls(games), interceptors=observers, read_max_bytes=most
                )
            )
        sharing = Middleware(
            CORSMiddleware,
            allow_origins=settings.allowed_origins,
            allow_methods=("GET", "POST"),
            allow_headers=REQUEST_HEADERS,
            expose_headers=ANSWER_HEADERS,
            max_age=_PREFLIGHT_KEPT_S,
        )
        self._application = Starlette(
            routes=[
                Route("/healthz", self._health),
                *(Mount(service.path, service) for service in services),
            ],
            middleware=[sharing, Middleware(_RefuseForeign)],
        )
        self._server: _EmbeddedServer | None = None
        self._serving: asyncio.Task[None] | None = None

    async def start(self, listener: socket.socket) -> None:
        """Serve on a socket that listens."""
        _look_after_clients(listener)
        client_ca = self._settings.tls_client_ca
        config = uvicorn.Config(
            self._application,
            http=functools.partial(  # type: ignore[arg-type]  # it is called as a class would be
                _PunctualProtocol, request_time_s=self._settings.max_request_time_s
            ),
            log_config=None,
            log_level="error",  # it warns of what is the clients' fault
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            ssl_certfile=self._settings.tls_certificate,
            ssl_keyfile=self._settings.tls_key,
            ssl_ca_certs=str(client_ca) if client_ca else None,
            ssl_cert_reqs=ssl.CERT_REQUIRED if client_ca else ssl.CERT_NONE,
        )
        self._server = _EmbeddedServer(config)
        self._serving = asyncio.create_task(self._server.serve([listener]))
        await self._server.listening.wait()

    async def stop(self, grace_s: float) -> None:
        """Take no new calls, let those that run end within `grace_s`, and end."""
        if self._server is None or self._serving is None:
            return
        self._server.config.timeout_graceful_shutdown = max(1, math.ceil(grace_s))
        self._server.should_exit = True
        await self._serving

    async def _health(self, request: Request) -> Response:
        if self._server is None or self._server.should_exit:
            return PlainTextResponse("stopping\n", 503)
        return PlainTextResponse("serving\n")


def _look_after_clients(listener: socket.socket) -> None:
    """Let the system ask clients that are silent whether they are still there.

    What is set of a socket that listens is set of all connections that it takes.
    """
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):  # not on every system
            listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class _RefuseForeign:
    """Answers what is none of the protocols: native gRPC, which has a port of its own, with 415."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        application: ASGIApp = self._application
        kind = Headers(scope=scope).get("content-type", "")
        if kind == "application/grpc" or kind.startswith("application/grpc+"):
            application = PlainTextResponse("native gRPC is served on another port\n", 415)
        elif not _are_text(scope["headers"]):
            application = PlainTextResponse("the headers are no UTF-8\n", 400)
        await application(scope, receive, send)


def _are_text(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Tell whether headers can be read, as those who answer do without asking."""
    try:
        for name, value in headers:
            (name + value).decode()
    except UnicodeDecodeError:
        return False
    return True


class _PunctualProtocol(H11Protocol):
    """Closes a connection whose request does not come whole in time: uvicorn waits for ever.

    Between two requests uvicorn's own time applies; answers may take as long as they need.
    """

    def __init__(self, *arguments: Any, request_time_s: float, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._request_time_s = request_time_s
        self._deadline: asyncio.TimerHandle | None = None
        self._unfinished: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._mind_deadline()

    def handle_events(self) -> None:
        super().handle_events()
        self._mind_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear_deadline()
        super().connection_lost(exc)

    def _mind_deadline(self) -> None:
        state = self.conn.their_state
        # What was answered before it was whole may end, and the next begin, in one go.
        unfinished = self.cycle if state is h11.SEND_BODY else None
        if self._unfinished not in (None, unfinished):
            self._clear_deadline()
        self._unfinished = unfinished
        is_between = self.timeout_keep_alive_task is not None
        if is_between or state not in (h11.IDLE, h11.SEND_BODY):
            self._clear_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self._request_time_s, self.transport.abort)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class _EmbeddedServer(uvicorn.Server):
    """One server of several in a process: it says when it listens, and leaves signals alone."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield
