"""A server of hosted games in a process of its own, which can be killed and started again."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from typing import Any

import grpc
from grpc_health.v1 import health_pb2

from bench.soak_players import call_options
from server import grpc_server, logs
from server.settings import Settings

LEASE_S = 1.0
_PATIENCE_S = 120.0
# Processes that find everything imported, so that a server is soon back.
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    [
        "bench.soak_server",
        "sqlalchemy.dialects.postgresql.asyncpg",
        "sqlalchemy.dialects.sqlite.aiosqlite",
    ]
)


@dataclass
class Replica:
    """One server process on a port of its own, which can be killed and started again.

    Its `settings` are those that differ from the soak's.
    """

    database_url: str
    port: int
    settings: dict[str, Any] = field(default_factory=dict)
    process: BaseProcess | None = None
    starts_s: list[float] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start, and wait until it serves."""
        began = time.monotonic()
        self.process = _PROCESSES.Process(
            target=_serve, args=(self.database_url, self.port, self.settings), daemon=True
        )
        self.process.start()
        async with grpc.aio.insecure_channel(self.address, call_options()) as channel:
            check = channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                health_pb2.HealthCheckRequest.SerializeToString,
                health_pb2.HealthCheckResponse.FromString,
            )
            while time.monotonic() < began + _PATIENCE_S:
                try:
                    await check(health_pb2.HealthCheckRequest(), wait_for_ready=True, timeout=5)
                    break
                except grpc.aio.AioRpcError:
                    await asyncio.sleep(0.05)
            else:
                raise RuntimeError(f"the server on port {self.port} does not start")
        self.starts_s.append(time.monotonic() - began)

    def kill(self) -> None:
        """Kill it at once, by SIGKILL."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None


def _serve(database_url: str, port: int, settings: dict[str, Any]) -> None:
    logs.configure("text", "error")
    chosen = {"bot_lease_s": LEASE_S, "max_searches": 1, **settings}
    asyncio.run(grpc_server.serve(Settings(port=port, database_url=database_url, **chosen)))
