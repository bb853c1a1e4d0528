"""Searches off the event loop: bounded in number, and stopped when nobody waits for them."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import ai
import looot_core as lc
from looot.v1.errors_pb2 import ErrorReason
from server.errors import Refusal
from server.options import SearchRequest

_SPARE_SHARE = 0.1
_LEAST_SPARE_S = 0.025
_MOST_SPARE_S = 0.25
_LEAST_BUDGET_S = 0.001


class Searches:
    """Runs searches in threads of their own.

    Safe to use from one event loop only. At most `running` searches run; further calls wait in
    order, at most `waiting` of them.

    Parameters
    ----------
    running, waiting : int
        How many may, at most.
    """

    def __init__(self, running: int, waiting: int) -> None:
        self._executor = ThreadPoolExecutor(running, thread_name_prefix="search")
        self._places = asyncio.Semaphore(running)
        self._most_waiting = waiting
        self._waiting = 0
        self._flags: set[ai.StopFlag] = set()
        self._stopping = False

    @property
    def running(self) -> int:
        """How many searches run now."""
        return len(self._flags)

    @property
    def waiting(self) -> int:
        """How many searches wait for a place."""
        return self._waiting

    async def run(
        self,
        agent: ai.Agent,
        position: lc.Position,
        search: SearchRequest,
        deadline: float | None,
    ) -> ai.Analysis:
        """Search a position.

        A cancelled call aborts its search, and ends when the search has ended.

        Parameters
        ----------
        agent : ai.Agent
        position : lc.Position
        search : SearchRequest
        deadline : float, optional
            On the event loop's clock: the search ends a little earlier.

        Returns
        -------
        ai.Analysis

        Raises
        ------
        Refusal
            If too many searches wait already.
        """
        if self._places.locked() and self._waiting >= self._most_waiting:
            raise Refusal(
                ErrorReason.ERROR_REASON_OVERLOADED,
                f"{self._waiting} searches wait already, as many as may; try again later",
            )
        self._waiting += 1
        try:
            await self._places.acquire()
        finally:
            self._waiting -= 1
        try:
            loop = asyncio.get_running_loop()
            left_s = None if deadline is None else deadline - loop.time()
            return await self._run(agent, position, search, budget(search.time_s, left_s))
        finally:
            self._places.release()

    async def _run(
        self, agent: ai.Agent, position: lc.Position, search: SearchRequest, time_s: float
    ) -> ai.Analysis:
        flag = ai.StopFlag()
        limits = ai.Limits(
            time_s=time_s,
            simulations=search.simulations,
            memory_mb=search.memory_mb,
            stop=flag,
        )
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._executor, agent.analyze, position, limits)
        self._flags.add(flag)
        if self._stopping:
            flag.stop()
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            flag.abort()
            await asyncio.wait([future])
            future.exception()  # it is expected, and nobody is left to be told
            raise
        finally:
            self._flags.discard(flag)

    def stop_all(self) -> None:
        """Let every search answer with the best so far, now and from now on."""
        self._stopping = True
        for flag in self._flags:
            flag.stop()

    def close(self) -> None:
        """Abort every running search and let go of the threads."""
        for flag in self._flags:
            flag.abort()
        self._executor.shutdown(wait=False)


def budget(time_s: float, left_s: float | None) -> float:
    """Give the time to search so that the answer leaves before the deadline."""
    if left_s is None:
        return time_s
    spare = min(max(_SPARE_SHARE * left_s, _LEAST_SPARE_S), _MOST_SPARE_S)
    return min(time_s, max(left_s - spare, _LEAST_BUDGET_S))
