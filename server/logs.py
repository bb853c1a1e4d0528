"""Structured logs: of our own code, and of the libraries', in one form."""

from __future__ import annotations

import asyncio
import logging
import sys

import structlog
from google.protobuf.message import DecodeError


def configure(form: str, level: str) -> None:
    """Write log lines to the standard error.

    Parameters
    ----------
    form : str
        ``"text"``, or ``"json"`` for an object a line.
    level : str
        The least of what is written, as ``"info"``.
    """
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso"),
    ]
    # Plain tracebacks only: by default both forms show the values of local variables, tokens and
    # the order of a bag among them, and take seconds to write them.
    last: list[structlog.typing.Processor] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
        if form == "json"
        else [
            structlog.dev.ConsoleRenderer(
                colors=False,
                pad_event_to=0,
                exception_formatter=structlog.dev.plain_traceback,
            )
        ]
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells how it goes about its work
    for name in ("grpc._cython.cygrpc", "uvicorn.error"):
        logging.getLogger(name).addFilter(is_worth_logging)


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Tell whether a record of a library's log is more than what its clients do.

    That is a request that is no message, or one that is cancelled, as by a stop that cannot wait
    for the rest of it.
    """
    quiet = (DecodeError, asyncio.CancelledError)
    return not (record.exc_info and isinstance(record.exc_info[1], quiet))
