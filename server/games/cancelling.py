"""Tasks that run until cancelled, although a database's driver may swallow a cancellation."""

from __future__ import annotations

import asyncio


def end_if_cancelled() -> None:
    """End a task that is being cancelled.

    To be called once in each round of a task that catches all errors: where a cancellation meets an
    answer that is overdue, the driver raises its own error instead of it.

    Raises
    ------
    asyncio.CancelledError
        If the task is being cancelled.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
