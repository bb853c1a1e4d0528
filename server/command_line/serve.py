"""``looot serve``."""

from __future__ import annotations

import asyncio
import logging

import click

from server import grpc_server
from server.command_line.parameters import Seconds
from server.errors import is_worth_logging
from server.limits import ServiceLimits

_DEFAULTS = ServiceLimits()
_LONGEST_S = 86_400


@click.command(context_settings={"show_default": True})
@click.option("--host", default="127.0.0.1", help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=50051, help="0: any free one.")
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=_DEFAULTS.max_threads,
    help="The most threads of one search, if its agent can use them.",
)
@click.option(
    "--searches",
    type=click.IntRange(1, 256),
    default=_DEFAULTS.max_searches,
    show_default="as many as processors",
    help="How many searches run at the same time; more wait.",
)
@click.option(
    "--max-time",
    type=Seconds(_LONGEST_S),
    default=_DEFAULTS.max_time_s,
    help="The longest time of a search.",
)
def serve(host: str, port: int, threads: int, searches: int, max_time: float) -> None:
    """Serve the engine over gRPC until SIGTERM or Ctrl-C.

    Example: looot serve --port 50077 --searches 4
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("grpc._cython.cygrpc").addFilter(is_worth_logging)
    limits = ServiceLimits(
        max_threads=threads,
        max_searches=searches,
        max_time_s=max_time,
        default_time_s=min(_DEFAULTS.default_time_s, max_time),
    )
    asyncio.run(grpc_server.serve(host, port, limits))
