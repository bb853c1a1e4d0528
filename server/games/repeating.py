"""Work that a server does again and again, beside its calls, until it stops."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from server.errors import Refusal


async def repeat(
    work: Callable[[], Awaitable[object]], pause_s: float, log: logging.Logger, what: str
) -> None:
    """Do some work at intervals until cancelled, whatever comes of it.

    Parameters
    ----------
    work : callable
    pause_s : float
        Seconds between the end and the next beginning.
    log : logging.Logger
        Is told of failures.
    what : str
        What the work is, as in "cannot delete old games".
    """
    while True:
        try:
            await work()
        except Refusal as refusal:
            log.warning("cannot %s: %s", what, refusal)
        except Exception:
            log.exception("cannot %s", what)
        end_if_cancelled()
        await asyncio.sleep(pause_s)


def end_if_cancelled() -> None:
    """End a task that is being cancelled.

    To be called once in each round of a task that catches all errors: where a cancellation meets an
    answer that is overdue, the database's driver raises its own error instead of it.

    Raises
    ------
    asyncio.CancelledError
        If the task is being cancelled.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
