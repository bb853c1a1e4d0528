"""The engine over gRPC, with health checking and reflection."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import signal
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from looot.v1 import engine_service_pb2_grpc, game_service_pb2_grpc
from server.access import Keys
from server.browser_server import BrowserServer
from server.calls import Calls, ObserveCalls
from server.engine import Engine
from server.engine_servicer import SERVICE_NAME, EngineServicer
from server.game_servicer import GAME_SERVICE_NAME, GameServicer
from server.games import HostedGames
from server.metrics import Metrics
from server.settings import Settings, SettingsError
from server.tracing import NoTracing, Tracing

_KEEPALIVE = (
    # A client whose machine has vanished is noticed, and its search ends.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
)
_log = logging.getLogger(__name__)


class Server:
    """A gRPC server of the engine.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._credentials = _credentials(settings)
        self.engine = Engine(settings)
        self.metrics = Metrics(self.engine.searches)
        self._tracing = Tracing() if settings.traces else NoTracing()
        self.calls = Calls(
            self.metrics, Keys.load(settings.keys_file), settings.max_calls, self._tracing
        )
        self.metrics_port = 0
        self._stop_metrics: Callable[[], None] | None = None
        self.games = (
            HostedGames(settings, self.engine.searches, metrics=self.metrics)
            if settings.database_url
            else None
        )
        self._health = health.aio.HealthServicer()  # type: ignore[attr-defined]
        self._server = grpc.aio.server(
            interceptors=[
                ObserveCalls(self.calls, settings.max_calls, settings.max_request_time_s)
            ],
            options=[
                ("grpc.max_receive_message_length", settings.max_request_bytes),
                ("grpc.server_handshake_timeout_ms", round(1000 * settings.max_request_time_s)),
                ("grpc.so_reuseport", 0),
                *_KEEPALIVE,
            ],
        )
        engine_service_pb2_grpc.add_EngineServiceServicer_to_server(
            EngineServicer(self.engine), self._server
        )
        self._services = [SERVICE_NAME]
        if self.games is not None:
            self.engine.game_limits = self.games.limits()
            game_service_pb2_grpc.add_GameServiceServicer_to_server(
                GameServicer(self.games), self._server
            )
            self._services.append(GAME_SERVICE_NAME)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (*self._services, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        self._browsers = BrowserServer(self.engine, self.games, self.calls, settings)

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
        DatabaseError
            If the games' database cannot be used.
        """
        _listen(host, port, "--port").close()  # unlike gRPC, the system tells why it refuses
        if self.games is not None:
            await self.games.open()
        # Not before it can answer: from here on the system takes connections, and a balancer would
        # send calls that then wait for the database.
        try:
            port = self._add_port(_address(host, port))
        except RuntimeError as error:
            raise OSError(f"cannot listen on {_address(host, port)}") from error
        await self._server.start()
        if self._settings.metrics_port is not None:
            metrics_address = self._settings.metrics_host, self._settings.metrics_port
            with _naming(*metrics_address, "--metrics-port", "--metrics-host"):
                self.metrics_port, self._stop_metrics = self.metrics.serve(*metrics_address)
        for name in ("", *self._services):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        return port

    async def start_browsers(self, host: str, port: int) -> int:
        """Listen for browsers; the arguments, the answer and the error are those of `start`."""
        listener = _listen(host, port, "--web-port")
        port = listener.getsockname()[1]
        await self._browsers.start(listener)
        return port

    async def stop(self, grace_s: float | None = None) -> None:
        """Take no new calls, let running searches answer with the best so far, and end.

        Streams end with UNAVAILABLE and the reason SERVER_STOPPING, so that clients turn to another
        server.

        Parameters
        ----------
        grace_s : float, optional
            Seconds that running calls get; those of the settings if not given.
        """
        if grace_s is None:
            grace_s = self._settings.grace_s
        await self._health.enter_graceful_shutdown()
        self.engine.searches.stop_all()
        if self.games is not None:
            await self.games.stop()
        await asyncio.gather(self._server.stop(grace_s), self._browsers.stop(grace_s))
        if self.games is not None:
            await self.games.close()
        self.engine.close()
        await asyncio.to_thread(self._tracing.close)
        if self._stop_metrics is not None:
            await asyncio.to_thread(self._stop_metrics)

    def _add_port(self, address: str) -> int:
        if self._credentials is None:
            return self._server.add_insecure_port(address)
        return self._server.add_secure_port(address, self._credentials)


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
    try:
        await _start(server, settings)
        # What was loaded stays: to look through it for garbage would hold up all calls.
        gc.collect()
        gc.freeze()
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, ended.set)
        await ended.wait()
        _log.info("stopping")
    finally:
        await server.stop()
    _log.info("stopped")


async def _start(server: Server, settings: Settings) -> None:
    """Start all that the settings ask for, and tell where it listens."""
    port = await server.start(settings.host, settings.port)
    _log.info("serving on %s", _address(settings.host, port))
    if server.metrics_port:
        _log.info("metrics on http://%s", _address(settings.metrics_host, server.metrics_port))
    if not settings.is_loopback:
        if settings.tls_certificate is None:
            _log.warning("other machines may call, without encryption")
        if settings.keys_file is None and settings.tls_client_ca is None:
            _log.warning("whoever reaches this address may call: there is no keys file")
    if settings.web_port is not None:
        port = await server.start_browsers(settings.host, settings.web_port)
        _log.info("serving browsers on %s", _address(settings.host, port))


def _credentials(settings: Settings) -> grpc.ServerCredentials | None:
    """Read the certificates; None: there is no TLS."""
    if settings.tls_certificate is None or settings.tls_key is None:
        return None
    certificate, key = settings.tls_certificate.read_bytes(), settings.tls_key.read_bytes()
    clients = settings.tls_client_ca
    client_ca = clients.read_bytes() if clients else None
    try:
        # gRPC itself only logs what is wrong with them.
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=clients).load_cert_chain(
            settings.tls_certificate, settings.tls_key, password=""
        )
    except ssl.SSLError as error:
        raise SettingsError(f"tls_certificate: with its key or clients' CA: {error}") from error
    return grpc.ssl_server_credentials(
        [(key, certificate)],
        root_certificates=client_ca,
        require_client_auth=clients is not None,
    )


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _listen(host: str, port: int, flag: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with _naming(host, port, flag, "--host"):
        return socket.create_server((host, port), family=family)


@contextmanager
def _naming(host: str, port: int, port_flag: str, host_flag: str) -> Iterator[None]:
    """Say which address the system refuses, and the flags that choose another."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise OSError(f"port {port} is in use; choose another with {port_flag}") from error
        why, _, _ = str(error.strerror).partition(" (")
        raise OSError(f"cannot listen on {_address(host, port)}: {why}; see {host_flag}") from error
