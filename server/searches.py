"""Searches off the event loop: bounded in number, in order of priority, stopped when unwanted."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import ai
import looot_core as lc
from looot.v1.analysis_pb2 import Priority
from looot.v1.errors_pb2 import ErrorReason
from server.comebacks import Comebacks
from server.errors import Refusal
from server.limits import ServiceLimits
from server.options import SearchRequest

INTERACTIVE, BULK = Priority.PRIORITY_INTERACTIVE, Priority.PRIORITY_BULK
PRIORITIES = (INTERACTIVE, BULK)
BULK_EVERY = 8
"""Of so many searches that are begun while both kinds wait, one is of priority bulk."""

_SPARE_SHARE = 0.1
_LEAST_SPARE_S = 0.025
_MOST_SPARE_S = 0.25
_LEAST_BUDGET_S = 0.001
_NICENESS = 5


@dataclass(eq=False, slots=True)
class _Waiter:
    """A call that waits until its search may begin."""

    threads: int
    since: float
    begin: asyncio.Future[None]


@dataclass(eq=False, slots=True)
class _Queue:
    """The searches of one priority."""

    most: int
    most_waiting: int
    waiters: deque[_Waiter] = field(default_factory=deque)
    threads: int = 0

    @property
    def is_full(self) -> bool:
        """Whether as many run and wait as may; those of another priority take no places."""
        return self.threads + len(self.waiters) >= self.most + self.most_waiting

    def fits(self, threads: int) -> bool:
        return self.threads == 0 or self.threads + threads <= self.most


class Searches:
    """Runs searches in threads of their own.

    Safe to use from one event loop only. At most `max_searches` threads search; further calls wait,
    at most `max_waiting` interactive ones and `max_bulk_waiting` of priority bulk. Among those of
    one priority the first is begun first. Interactive searches go before bulk ones, but of every
    `BULK_EVERY` that are begun while both wait one is bulk: so the n-th bulk search that waits is
    begun after at most n * `BULK_EVERY` others. Bulk searches leave a thread to interactive ones:
    see `ServiceLimits.bulk_searches`. A search that needs several threads is not overtaken while it
    waits for them.

    Under more load than they can bear the queue is always full. An interactive search then takes
    1 + `max_waiting` / `max_searches` times as long as alone, whatever the load: one and a half
    times, as the limits are by default. The others are refused at once, with the time after which
    to come back.

    The searching threads yield to the event loop, so that it answers while every core searches.

    Parameters
    ----------
    limits : ServiceLimits
    """

    def __init__(self, limits: ServiceLimits) -> None:
        self._limits = limits
        self._executor = ThreadPoolExecutor(
            limits.max_searches, thread_name_prefix="search", initializer=_yield_to_others
        )
        self._queues = {
            INTERACTIVE: _Queue(limits.max_searches, limits.max_waiting),
            BULK: _Queue(limits.bulk_searches, limits.max_bulk_waiting),
        }
        self._begun_since_bulk = 0
        self._flags: set[ai.StopFlag] = set()
        self.stopping = False
        """Whether no more searches are begun."""
        self._comebacks = Comebacks(limits.max_searches)
        self.simulations = 0
        """Simulations of all searches that have ended."""

    @property
    def running(self) -> int:
        """How many searches run now."""
        return len(self._flags)

    @property
    def threads(self) -> int:
        """How many threads search now."""
        return sum(queue.threads for queue in self._queues.values())

    @property
    def waiting(self) -> int:
        """How many searches wait for a place."""
        return sum(map(self.waiting_of, PRIORITIES))

    def waiting_of(self, priority: Priority.ValueType) -> int:
        """Tell how many searches of a priority wait for a place."""
        return len(self._queues[priority].waiters)

    def oldest_s(self, priority: Priority.ValueType) -> float:
        """Tell for how many seconds the first of a priority has waited; 0 if none waits.

        Safe to call from any thread.
        """
        first = next(iter(tuple(self._queues[priority].waiters)), None)
        return time.monotonic() - first.since if first else 0.0

    def check_room(self, priority: int) -> None:
        """Refuse a search that could neither begin nor wait, before any work is done for it.

        Parameters
        ----------
        priority : int
            One that is not known counts as interactive.

        Raises
        ------
        Refusal
            If too many wait already, or the server stops.
        """
        if self.stopping:
            raise stopping()
        queue = self._queues[BULK if priority == BULK else INTERACTIVE]
        if queue.is_full:
            raise Refusal(
                ErrorReason.ERROR_REASON_OVERLOADED,
                "as many searches run and wait as may; try again later",
                retry_after_s=self._comebacks.next_s(),
            )

    async def run(
        self,
        agent: ai.Agent,
        position: lc.Position,
        search: SearchRequest,
        deadline: float | None,
        on_update: Callable[[ai.Analysis], object] | None = None,
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
        on_update : callable, optional
            Called in the searching thread with the analysis so far, about every 0.1 s.

        Returns
        -------
        ai.Analysis

        Raises
        ------
        Refusal
            If too many searches wait already, too little time is left when its turn comes, or the
            server stops.
        """
        self.check_room(search.priority)
        queue = self._queues[search.priority]
        await self._wait(search.priority, search.threads)
        try:
            loop = asyncio.get_running_loop()
            began = loop.time()
            left_s = None if deadline is None else deadline - began
            if left_s is not None and left_s < _LEAST_SPARE_S:
                raise Refusal(
                    ErrorReason.ERROR_REASON_DEADLINE_TOO_NEAR,
                    f"{max(left_s, 0):.3f} s are left until the deadline when the search could"
                    " begin",
                )
            analysis = await self._run(
                agent, position, search, budget(search.time_s, left_s), on_update
            )
            self.simulations += analysis.simulations
            self._comebacks.note_search(loop.time() - began)
            return analysis
        finally:
            queue.threads -= search.threads
            self._begin_waiting()

    def stop_all(self) -> None:
        """Let every search answer with the best so far, and begin no more."""
        self.stopping = True
        for flag in self._flags:
            flag.stop()
        for queue in self._queues.values():
            for waiter in queue.waiters:
                if not waiter.begin.done():
                    waiter.begin.set_exception(stopping())
            queue.waiters.clear()

    def close(self) -> None:
        """Abort every running search and let go of the threads."""
        for flag in self._flags:
            flag.abort()
        self._executor.shutdown(wait=False)

    async def _wait(self, priority: Priority.ValueType, threads: int) -> None:
        """Take places for a search, as soon as it is its turn."""
        queue = self._queues[priority]
        begin = asyncio.get_running_loop().create_future()
        waiter = _Waiter(threads, time.monotonic(), begin)
        queue.waiters.append(waiter)
        self._begin_waiting()
        try:
            await waiter.begin
        except BaseException:
            if waiter in queue.waiters:
                queue.waiters.remove(waiter)
            elif not waiter.begin.cancelled() and waiter.begin.exception() is None:
                queue.threads -= threads  # it was begun and cancelled at the same moment
            self._begin_waiting()
            raise

    def _begin_waiting(self) -> None:
        """Begin as many of those that wait as there are places for."""
        while (priority := self._next()) is not None:
            queue = self._queues[priority]
            if not self._is_free(priority, queue.waiters[0].threads):
                return
            waiter = queue.waiters.popleft()
            if waiter.begin.done():  # cancelled, and about to say so
                continue
            queue.threads += waiter.threads
            if priority == BULK or not self._queues[BULK].waiters:
                self._begun_since_bulk = 0
            else:
                self._begun_since_bulk += 1
            waiter.begin.set_result(None)

    def _next(self) -> Priority.ValueType | None:
        """Tell which priority is next; None: nothing waits that may be begun."""
        bulk = self._queues[BULK]
        ready = bool(bulk.waiters) and bulk.fits(bulk.waiters[0].threads)
        if ready and self._begun_since_bulk >= BULK_EVERY - 1:
            return BULK
        if self._queues[INTERACTIVE].waiters:
            return INTERACTIVE
        return BULK if ready else None

    def _is_free(self, priority: Priority.ValueType, threads: int) -> bool:
        return self.threads + threads <= self._limits.max_searches and self._queues[priority].fits(
            threads
        )

    async def _run(
        self,
        agent: ai.Agent,
        position: lc.Position,
        search: SearchRequest,
        time_s: float,
        on_update: Callable[[ai.Analysis], object] | None,
    ) -> ai.Analysis:
        flag = ai.StopFlag()
        limits = search.limits(time_s, flag)
        updates = () if on_update is None else (on_update,)
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._executor, agent.analyze, position, limits, *updates)
        self._flags.add(flag)
        try:
            return await asyncio.shield(future)
        except ai.InvalidLimitsError as error:
            raise Refusal(
                ErrorReason.ERROR_REASON_INVALID_LIMITS, str(error), "options.limits"
            ) from error
        except asyncio.CancelledError:
            flag.abort()
            await asyncio.wait([future])
            future.exception()  # it is expected, and nobody is left to be told
            raise
        finally:
            self._flags.discard(flag)


def budget(time_s: float, left_s: float | None) -> float:
    """Give the time to search so that the answer leaves before the deadline."""
    if left_s is None:
        return time_s
    spare = min(max(_SPARE_SHARE * left_s, _LEAST_SPARE_S), _MOST_SPARE_S)
    return min(time_s, max(left_s - spare, _LEAST_BUDGET_S))


def stopping() -> Refusal:
    """Give what a call is refused with when the server stops."""
    return Refusal(
        ErrorReason.ERROR_REASON_SERVER_STOPPING, "the server stops; another one will answer"
    )


def _yield_to_others() -> None:
    """Let other threads of this process go before this one (a thread has a niceness on Linux)."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        niceness = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, niceness + _NICENESS)
