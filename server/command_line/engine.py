"""``looot engine``."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import click

from server.command_line.setting_options import gather_settings, setting_options
from server.engine import Engine
from server.json_lines import JsonLines
from server.limits import ServiceLimits
from server.settings import Settings

_LINES_AHEAD = 64
_CHUNK = 1 << 16


@click.command(params=setting_options([*ServiceLimits.model_fields, "log_format", "log_level"]))
def engine(config: Path | None, **flags: Any) -> None:
    """Answer the engine's methods as JSON lines on standard input and output.

    For tools that start an engine as a process. Ends when all that was asked before the end of the
    standard input is answered, or when nobody reads the answers any more. docs/json_lines.md tells
    the form of the lines.

    Example: looot engine --searches 1
    """
    if sys.stdin is None or sys.stdout is None:
        raise click.UsageError("the standard input or output is closed")
    settings = gather_settings(config, flags)
    if "max_waiting" not in settings.model_fields_set:
        # There is one client: it keeps nobody but itself waiting.
        settings = settings.model_copy(update={"max_waiting": settings.max_calls})
    asyncio.run(_answer_lines(settings))


async def _answer_lines(settings: Settings) -> None:
    loop = asyncio.get_running_loop()
    engine = Engine(settings)
    lines: asyncio.Queue[bytes | None] = asyncio.Queue(_LINES_AHEAD)
    ended, unread = asyncio.Event(), asyncio.Event()

    def write(line: str) -> None:
        try:
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        except OSError:
            leave()

    def leave() -> None:
        unread.set()
        ended.set()

    def stop() -> None:
        engine.searches.stop_all()
        ended.set()

    protocol = JsonLines(engine, settings.max_request_bytes, settings.max_calls, write)

    async def take() -> None:
        while (line := await lines.get()) is not None:
            if line.strip():
                protocol.take(line)
        await protocol.finish()
        ended.set()

    def put(line: bytes | None) -> None:
        asyncio.run_coroutine_threadsafe(lines.put(line), loop).result()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    source = sys.stdin.fileno()
    _in_background(lambda: _read_lines(source, protocol.longest_line, put))
    _in_background(lambda: _wait_for_reader_to_leave(lambda: loop.call_soon_threadsafe(leave)))
    taking = asyncio.create_task(take())
    await ended.wait()
    taking.cancel()
    if unread.is_set():
        protocol.cancel()
    await protocol.finish()
    engine.close()
    if unread.is_set():
        # What is still buffered cannot be written either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _read_lines(source: int, longest: int, put: Callable[[bytes | None], None]) -> None:
    """Pass on the lines of a file, and None at its end; of too long a line just enough to tell.

    No object of the standard input is used: its lock would be held when the interpreter ends.
    """
    begun = b""
    while chunk := _read(source):
        *lines, begun = (begun + chunk).split(b"\n")
        for line in lines:
            put(line)
        begun = begun[: longest + 1]
    put(begun)
    put(None)


def _read(source: int) -> bytes:
    """Wait for what comes; nothing is the end, as which a terminal counts that has gone."""
    try:
        return os.read(source, _CHUNK)
    except OSError:
        return b""


def _wait_for_reader_to_leave(tell: Callable[[], object]) -> None:
    """Tell when the other end of the standard output is closed."""
    watched = select.poll()
    watched.register(sys.stdout.fileno(), 0)
    watched.poll()
    tell()


def _in_background(work: Callable[[], None]) -> None:
    def run() -> None:
        with contextlib.suppress(RuntimeError, CancelledError):  # the event loop is gone
            work()

    threading.Thread(target=run, daemon=True).start()
