"""Which searches begin, wait and are refused, on agents that search until they are let go."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TypeVar

import pytest

import ai
import looot_core as lc
from looot.v1 import analysis_pb2
from looot.v1.errors_pb2 import ErrorReason
from server.errors import Refusal
from server.limits import ServiceLimits
from server.options import SearchRequest, read_options
from server.searches import BULK, BULK_EVERY, INTERACTIVE, Searches
from tests.positions import position_in
from tests.server.recorder import PATIENCE_S

_Answer = TypeVar("_Answer")


class Held:
    """Agents that note the order in which they begin, and search until they are let go."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self._gate = threading.Event()
        self._quick = ai.create_agent("random")

    def agent(self, name: str) -> ai.Agent:
        return _HeldAgent(self, name)

    def let_go(self) -> None:
        self._gate.set()

    def analyze(self, name: str, position: lc.Position) -> ai.Analysis:
        self.begun.append(name)
        assert self._gate.wait(PATIENCE_S)
        return self._quick.analyze(position, ai.Limits())


class _HeldAgent:
    def __init__(self, held: Held, name: str) -> None:
        self._held, self._name = held, name

    def analyze(
        self,
        position: lc.Position,
        limits: ai.Limits,
        on_update: Callable[[ai.Analysis], object] | None = None,
    ) -> ai.Analysis:
        return self._held.analyze(self._name, position)


class Bench:
    """Searches with held agents."""

    def __init__(self, **limits: int) -> None:
        self.limits = ServiceLimits.model_validate(limits)
        self.searches = Searches(self.limits)
        self.held = Held()
        self._default = read_options(analysis_pb2.SearchOptions(), self.limits, "options")

    def request(self, bulk: bool = False, threads: int = 1) -> SearchRequest:
        return replace(self._default, priority=BULK if bulk else INTERACTIVE, threads=threads)

    async def ask(
        self, name: str, bulk: bool = False, threads: int = 1, deadline: float | None = None
    ) -> asyncio.Task[ai.Analysis]:
        """Ask for a search, and let it begin or wait."""
        search = self.request(bulk, threads)
        position = position_in("viking")
        task = asyncio.create_task(
            self.searches.run(self.held.agent(name), position, search, deadline)
        )
        await asyncio.sleep(0)
        return task

    async def begun(self, count: int) -> list[str]:
        """Wait until so many have begun."""
        end = time.monotonic() + PATIENCE_S
        while len(self.held.begun) < count:
            assert time.monotonic() < end, self.held.begun
            await asyncio.sleep(0.001)
        return self.held.begun


@asynccontextmanager
async def bench(**limits: int) -> AsyncIterator[Bench]:
    made = Bench(**limits)
    try:
        yield made
    finally:
        made.held.let_go()
        made.searches.close()


async def refusal_of(task: Awaitable[object]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await task
    return caught.value


def test_interactive_searches_go_first_but_bulk_ones_are_not_forgotten() -> None:
    async def main() -> list[str]:
        async with bench(max_searches=1, max_waiting=20) as b:
            tasks = [await b.ask("first")]
            tasks += [await b.ask(f"bulk {n}", bulk=True) for n in range(3)]
            tasks += [await b.ask(f"person {n}") for n in range(20)]
            b.held.let_go()
            await asyncio.gather(*tasks)
            return b.held.begun

    order = asyncio.run(main())
    assert [name for name in order if name.startswith("person")] == [
        f"person {n}" for n in range(20)
    ]
    places = [at for at, name in enumerate(order) if name.startswith("bulk")]
    assert [order[at] for at in places] == ["bulk 0", "bulk 1", "bulk 2"]
    # "first" began when nothing of priority bulk waited.
    assert places == [BULK_EVERY, 2 * BULK_EVERY, 20 + 3]


def test_bulk_searches_leave_a_thread_to_interactive_ones() -> None:
    async def main() -> None:
        async with bench(max_searches=2) as b:
            tasks = [await b.ask(f"bulk {n}", bulk=True) for n in range(2)]
            tasks.append(await b.ask("person"))
            assert sorted(await b.begun(2)) == ["bulk 0", "person"]
            assert b.searches.waiting_of(BULK) == 1
            b.held.let_go()
            await asyncio.gather(*tasks)

    asyncio.run(main())


def test_a_search_in_several_threads_takes_as_many_places_and_is_not_overtaken() -> None:
    async def main() -> None:
        async with bench(max_searches=2, max_threads=2) as b:
            tasks = [await b.ask("one"), await b.ask("two threads", threads=2)]
            tasks.append(await b.ask("three"))
            assert await b.begun(1) == ["one"]
            assert (b.searches.threads, b.searches.waiting_of(INTERACTIVE)) == (1, 2)
            b.held.let_go()
            await asyncio.gather(*tasks)
            assert b.held.begun == ["one", "two threads", "three"]
            assert (b.searches.threads, b.searches.running) == (0, 0)

    asyncio.run(main())


def test_each_priority_has_a_bounded_queue_of_its_own() -> None:
    async def main() -> None:
        async with bench(max_searches=1, max_waiting=2, max_bulk_waiting=3) as b:
            tasks = [await b.ask("first")]
            for bulk, waiting in ((False, 2), (True, 1 + 3)):  # one bulk search may search at once
                tasks += [await b.ask("waits", bulk) for _ in range(waiting)]
                refusal = await refusal_of(await b.ask("too many", bulk))
                assert refusal.reason == ErrorReason.ERROR_REASON_OVERLOADED
                assert refusal.retry_after_s is not None
                assert refusal.retry_after_s > 0
            assert b.searches.waiting == 6
            assert b.searches.oldest_s(INTERACTIVE) >= b.searches.oldest_s(BULK) > 0
            b.held.let_go()
            await asyncio.gather(*tasks)
            assert b.searches.oldest_s(BULK) == 0

    asyncio.run(main())


def test_half_as_many_wait_as_search_if_no_limit_is_given() -> None:
    for searches, waiting in ((1, 0), (2, 1), (7, 3), (8, 4)):
        limits = ServiceLimits(max_searches=searches)
        assert (limits.max_waiting, limits.max_bulk_waiting) == (waiting, 100)
        told = limits.message(max_threads=1)
        assert (told.max_waiting, told.max_bulk_waiting) == (waiting, 100)


def test_as_many_search_as_the_process_may_use_processors() -> None:
    code = "from server.limits import ServiceLimits as S; print(S().max_searches, S().max_waiting)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["1", "0"]


def test_an_interactive_search_waits_for_a_bulk_one_where_no_other_may_wait() -> None:
    async def main() -> None:
        async with bench(max_searches=1, max_waiting=0) as b:
            bulk, person = await b.ask("bulk", bulk=True), await b.ask("person")
            assert (b.searches.threads, b.searches.waiting_of(INTERACTIVE)) == (1, 1)
            refusal = await refusal_of(await b.ask("another"))
            assert refusal.reason == ErrorReason.ERROR_REASON_OVERLOADED
            b.held.let_go()
            await asyncio.gather(bulk, person)
            assert b.held.begun == ["bulk", "person"]

    asyncio.run(main())


def test_who_cancels_while_waiting_leaves_the_queue() -> None:
    async def main() -> None:
        async with bench(max_searches=1, max_waiting=2) as b:
            first, waiting, last = [await b.ask(name) for name in ("first", "waiting", "last")]
            waiting.cancel()
            await asyncio.wait([waiting])
            assert b.searches.waiting == 1
            b.held.let_go()
            await asyncio.gather(first, last)
            assert b.held.begun == ["first", "last"]

    asyncio.run(main())


def test_a_cancel_at_the_moment_of_the_beginning_gives_the_place_back() -> None:
    async def main() -> None:
        async with bench(max_searches=1, max_waiting=1) as b:
            first, second = await b.ask("first"), await b.ask("second")
            await b.begun(1)
            b.held.let_go()
            await first  # its place has gone to the second, which has not yet run
            second.cancel()
            await asyncio.wait([second])
            assert b.searches.threads == 0
            await (await b.ask("third"))

    asyncio.run(main())


def test_a_deadline_that_cannot_be_met_begins_nothing() -> None:
    async def main() -> Refusal:
        async with bench(max_searches=1, max_waiting=1) as b:
            past = asyncio.get_running_loop().time() - 1
            refusal = await refusal_of(await b.ask("late", deadline=past))
            assert b.held.begun == []
            assert b.searches.threads == 0
            return refusal

    assert asyncio.run(main()).reason == ErrorReason.ERROR_REASON_DEADLINE_TOO_NEAR


def test_a_server_that_stops_begins_nothing_more() -> None:
    async def main() -> None:
        async with bench(max_searches=1, max_waiting=1) as b:
            first, waiting = await b.ask("first"), await b.ask("waiting")
            await b.begun(1)
            b.searches.stop_all()
            for task in (waiting, await b.ask("new")):
                refusal = await refusal_of(task)
                assert refusal.reason == ErrorReason.ERROR_REASON_SERVER_STOPPING
            b.held.let_go()
            await first
            assert b.held.begun == ["first"]

    asyncio.run(main())


class Watched:
    """The agent that searches, and the clock of the processor time of its thread."""

    def __init__(self) -> None:
        self._agent = ai.create_agent("ismcts", seed=1)
        self.begun = threading.Event()

    def analyze(
        self,
        position: lc.Position,
        limits: ai.Limits,
        on_update: Callable[[ai.Analysis], object] | None = None,
    ) -> ai.Analysis:
        self.clock = time.pthread_getcpuclockid(threading.get_ident())
        self.begun.set()
        return self._agent.analyze(position, limits)


def test_a_cancelled_search_takes_less_than_10_ms_of_a_processor_more() -> None:
    async def main() -> list[float]:
        searches = Searches(ServiceLimits(max_searches=1))
        search = read_options(analysis_pb2.SearchOptions(), ServiceLimits(), "options")
        taken = []
        for at in range(5):
            agent = Watched()
            position = position_in("viking", players=2 + at % 3)
            task = asyncio.create_task(
                searches.run(agent, position, replace(search, time_s=PATIENCE_S * 2), None)
            )
            assert await asyncio.to_thread(agent.begun.wait, PATIENCE_S)
            cancelled = time.clock_gettime(agent.clock)
            task.cancel()
            await asyncio.wait([task])
            taken.append(time.clock_gettime(agent.clock) - cancelled)
            assert task.cancelled()
            assert searches.running == 0
        searches.close()
        return taken

    assert max(asyncio.run(main())) < 0.010
