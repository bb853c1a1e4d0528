"""What a search finds on its way, from its thread to the event loop."""

from __future__ import annotations

import asyncio

import ai

_TOLERANCE_S = 0.05  # half of what lies between two updates of an agent


class Updates:
    """The newest update of a search, to be iterated over until the search ends.

    An update that was not taken is replaced by the next, so that a slow reader holds nothing up
    and takes no memory.

    Parameters
    ----------
    interval_s : float
        Seconds between two updates.
    """

    def __init__(self, interval_s: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._interval_s = interval_s - _TOLERANCE_S
        self._last_s = 0.0
        self._newest: ai.Analysis | None = None
        self._changed = asyncio.Event()
        self._ended = False

    def put(self, analysis: ai.Analysis) -> None:
        """Take an update from the searching thread."""
        if analysis.time_s - self._last_s >= self._interval_s:
            self._last_s = analysis.time_s
            self._loop.call_soon_threadsafe(self._replace, analysis)

    def end(self, search: asyncio.Task[ai.Analysis]) -> None:
        """Take note in the event loop that the search has ended."""
        self._ended = True
        self._changed.set()

    def _replace(self, analysis: ai.Analysis) -> None:
        self._newest = analysis
        self._changed.set()

    def __aiter__(self) -> Updates:
        return self

    async def __anext__(self) -> ai.Analysis:
        await self._changed.wait()
        self._changed.clear()
        if self._ended or self._newest is None:
            raise StopAsyncIteration
        update, self._newest = self._newest, None
        return update
