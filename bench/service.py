"""Measure the service: ``python -m bench.service``; the result goes to ``bench/results/``.

A server runs as a process on one processor, this process and its calls on another (on a machine
with one, on the same). It has its default limits: so it searches in one thread, for it may use one
processor.

- Overhead: the same search of one simulation by ``Suggest`` over the loopback address, and by
  ``ai`` in Python, in turn.
- Saturation: searches a second and per second of processor time that a server gives to several
  callers, and that the library gives to one caller on the server's processor, in turn. Of short
  searches, and of those that users run, of about 0.2 s.
- Overload: calls for searches of about 0.2 s at a rate 50 times what the server can answer. How
  long accepted and refused calls take, whether health answers meanwhile, and when a call is as fast
  as before again.
- Cancels: from the cancel of a running search to its end, in the server's event loop.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any, cast

import grpc
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

import ai
import looot_core as lc
from bench.games import EDITION
from bench.stored import RESULTS, save
from looot.v1 import analysis_pb2
from looot.v1 import engine_service_pb2 as pb
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from server.conversion import duration_to_message, position_to_message
from server.limits import ServiceLimits
from server.load import explain, percentile
from server.options import read_options
from server.searches import Searches

PROCESSORS = sorted(os.sched_getaffinity(0))
SERVER_PROCESSOR, OUR_PROCESSOR = PROCESSORS[0], PROCESSORS[-1]
CALLERS = 4
POSITIONS = 12
SHORT, USUAL = 200, 1_500
"""Simulations of a short search and of one of about 0.2 s, with the processor of the results."""
OVERLOAD = 50
UNLOADED = 40
RETRY_INFO = error_details_pb2.RetryInfo.DESCRIPTOR


def positions() -> list[lc.Position]:
    """Give starts of turns from games that `greedy` plays, of two players."""
    agent = ai.create_agent("greedy", seed=1)
    found: list[lc.Position] = []
    state = lc.State(lc.GameSetup.random(players=2, edition=EDITION, seed=1))
    while len(found) < POSITIONS:
        found.append(state.position())
        for action in agent.analyze(state.position(), ai.Limits()).turn:
            state.apply(action)
    return found


def spread_ms(seconds: list[float]) -> dict[str, float]:
    """Give percentiles in milliseconds."""
    return {
        "calls": len(seconds),
        "p50_ms": 1e3 * percentile(seconds, 0.5),
        "p99_ms": 1e3 * percentile(seconds, 0.99),
    }


@contextmanager
def server(*flags: str) -> Iterator[tuple[str, int]]:
    """Run a server on its processor; give its address and the number of its process."""
    command = [sys.executable, "-m", "server.command_line", "serve", "--port", "0"]
    command += ["--database-url", "", *flags]
    with (
        tempfile.NamedTemporaryFile("w+") as log,
        subprocess.Popen(
            command,
            stderr=log,
            preexec_fn=lambda: os.sched_setaffinity(0, {SERVER_PROCESSOR}),
        ) as process,
    ):
        try:
            while not (told := re.search(r" on (127\.0\.0\.1:\d+)", Path(log.name).read_text())):
                assert process.poll() is None, Path(log.name).read_text()
                time.sleep(0.05)
            yield told[1], process.pid
        finally:
            process.terminate()


def processor_seconds(process: int) -> float:
    """Give the processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def request(position: lc.Position, **limits: Any) -> pb.SuggestRequest:
    """Ask for a search with a seed."""
    options = analysis_pb2.SearchOptions(seed=1, limits=analysis_pb2.SearchLimits(**limits))
    return pb.SuggestRequest(position=position_to_message(position), options=options)


def overhead(calls: int) -> dict[str, Any]:
    """Measure one simulation over gRPC and in Python, in turn."""
    over_grpc, in_python = [], []
    asked = positions()
    limits = ai.Limits(simulations=1)
    requests = [request(position, simulations=1) for position in asked]
    pairs = cycle(zip(asked, requests, strict=True))
    used = in_process = 0.0
    with server() as (address, process), grpc.insecure_channel(address) as channel:
        suggest = EngineServiceStub(channel).Suggest
        for at in range(POSITIONS + calls):
            if at == POSITIONS:  # the first ones warm up
                used = processor_seconds(process)
            position, message = next(pairs)
            began = time.perf_counter()
            suggest(message)
            middle, before = time.perf_counter(), time.thread_time()
            ai.create_agent("ismcts", seed=1).analyze(position, limits)
            if at >= POSITIONS:
                over_grpc.append(middle - began)
                in_python.append(time.perf_counter() - middle)
                in_process += time.thread_time() - before
        used = processor_seconds(process) - used
    return {
        "over_grpc": {**spread_ms(over_grpc), "server_processor_ms": 1e3 * used / calls},
        "in_python": {**spread_ms(in_python), "processor_ms": 1e3 * in_process / calls},
    }


def library_rate(simulations: int, searches: int) -> tuple[float, float]:
    """Search on the server's processor; give searches a second, and a processor's second."""
    asked = cycle(positions())
    os.sched_setaffinity(0, {SERVER_PROCESSOR})
    limits = ai.Limits(simulations=simulations)
    began, used = time.perf_counter(), time.process_time()
    for _ in range(searches):
        ai.create_agent("ismcts", seed=1).analyze(next(asked), limits)
    taken, used = time.perf_counter() - began, time.process_time() - used
    os.sched_setaffinity(0, {OUR_PROCESSOR})
    return searches / taken, searches / used


async def server_rate(
    address: str, process: int, simulations: int, searches: int
) -> tuple[float, float]:
    """Let several callers search; give searches a second, and a processor's second."""
    asked = cycle([request(position, simulations=simulations) for position in positions()])
    left = searches
    async with grpc.aio.insecure_channel(address) as channel:
        suggest: Any = EngineServiceStub(channel).Suggest

        async def call_on() -> None:
            nonlocal left
            while left:
                left -= 1
                await suggest(next(asked))

        for _ in range(POSITIONS):  # the first ones warm up
            await suggest(next(asked))
        began, used = time.perf_counter(), processor_seconds(process)
        await asyncio.gather(*(call_on() for _ in range(CALLERS)))
        taken, used = time.perf_counter() - began, processor_seconds(process) - used
    return searches / taken, searches / used


def saturation(simulations: int, rounds: int, searches: int) -> dict[str, Any]:
    """Measure both in turn."""
    ours, theirs = [], []
    with server("--max-waiting", str(CALLERS)) as (address, process):
        for _ in range(rounds):
            theirs.append(library_rate(simulations, searches))
            ours.append(asyncio.run(server_rate(address, process, simulations, searches)))
    return {
        "simulations": simulations,
        "searches": rounds * searches,
        "server_searches_per_s": median(rate for rate, _ in ours),
        "library_searches_per_s": median(rate for rate, _ in theirs),
        "ratio": median(a / b for (a, _), (b, _) in zip(ours, theirs, strict=True)),
        "ratio_by_processor_time": median(
            a / b for (_, a), (_, b) in zip(ours, theirs, strict=True)
        ),
    }


class Overload:
    """Calls a server far more often than it can answer, and notes how each call ends.

    Parameters
    ----------
    channel : grpc.aio.Channel
    asked : pb.SuggestRequest
        The same search each time.
    """

    def __init__(self, channel: grpc.aio.Channel, asked: pb.SuggestRequest) -> None:
        self._suggest: Any = EngineServiceStub(channel).Suggest
        self._health: Any = health_pb2_grpc.HealthStub(channel)
        self._asked = asked
        self.taken: defaultdict[str, list[float]] = defaultdict(list)
        self.refusals: Counter[str] = Counter()
        self.without_retry_info = 0
        self.states: Counter[str] = Counter()

    async def call(self, kind: str = "accepted") -> bool:
        """Call once; tell whether it was answered."""
        began = time.perf_counter()
        try:
            await self._suggest(self._asked, timeout=30)
        except grpc.aio.AioRpcError as error:
            spent = time.perf_counter() - began
            self.refusals[explain(error)[0]] += 1
            status = rpc_status.from_call(cast("Any", error))
            details = status.details if status else ()
            self.without_retry_info += not any(detail.Is(RETRY_INFO) for detail in details)
            self.taken["refused"].append(spent)
            return False
        self.taken[kind].append(time.perf_counter() - began)
        return True

    async def flood(self, rate: float, seconds: float) -> int:
        """Call so often a second, whatever becomes of the calls; give how often that was."""
        watch = asyncio.create_task(self._look_after_health())
        calls: list[asyncio.Task[bool]] = []
        began = time.perf_counter()
        while (now := time.perf_counter() - began) < seconds:
            while len(calls) < now * rate:
                calls.append(asyncio.create_task(self.call()))
            await asyncio.sleep(0.001)
        watch.cancel()
        await asyncio.gather(*calls)
        return len(calls)

    async def _look_after_health(self) -> None:
        while True:
            began = time.perf_counter()
            answer = await self._health.Check(health_pb2.HealthCheckRequest(), timeout=30)
            self.taken["health"].append(time.perf_counter() - began)
            self.states[health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)] += 1
            await asyncio.sleep(0.05)


async def _overload(
    address: str, simulations: int, seconds: float, unloaded: int
) -> dict[str, Any]:
    asked = request(positions()[5], simulations=simulations)
    async with grpc.aio.insecure_channel(address) as channel:
        load = Overload(channel, asked)
        await load.call("first")
        for _ in range(unloaded):
            await load.call("unloaded")
        alone_s = percentile(load.taken["unloaded"], 0.5)
        sent = await load.flood(OVERLOAD / alone_s, seconds)
        ended = time.perf_counter()
        slowest_s = max(load.taken["unloaded"])
        while not (await load.call("after") and load.taken["after"][-1] <= slowest_s):
            pass
        recovered_s = time.perf_counter() - ended
    accepted, health = load.taken["accepted"], load.taken["health"]
    return {
        "simulations": simulations,
        "asked_per_s": sent / seconds,
        "times_the_capacity": sent / seconds * alone_s,
        **{kind: spread_ms(load.taken[kind]) for kind in ("unloaded", "accepted", "refused")},
        "accepted_to_unloaded": {
            "p50": percentile(accepted, 0.5) / alone_s,
            "p99": percentile(accepted, 0.99) / percentile(load.taken["unloaded"], 0.99),
        },
        "refusals": dict(load.refusals),
        "refusals_without_retry_info": load.without_retry_info,
        "health": {**spread_ms(health), "most_ms": 1e3 * max(health), **load.states},
        "recovered_s": recovered_s,
    }


def overload(simulations: int, seconds: float, unloaded: int = UNLOADED) -> dict[str, Any]:
    """Measure far more calls than can be answered, after some one after the other."""
    with server() as (address, _):
        return asyncio.run(_overload(address, simulations, seconds, unloaded))


def cancels(count: int) -> dict[str, float]:
    """Measure from the cancel of a search to its end."""
    taken = asyncio.run(_cancels(count))
    return {**spread_ms(taken), "most_ms": 1e3 * max(taken)}


async def _cancels(count: int) -> list[float]:
    limits = ServiceLimits(max_searches=1)
    searches = Searches(limits)
    asked = cycle(positions())
    wanted = analysis_pb2.SearchLimits(time=duration_to_message(60))
    search = read_options(analysis_pb2.SearchOptions(seed=1, limits=wanted), limits, "options")
    taken = []
    loop = asyncio.get_running_loop()
    for at in range(count):
        updated = asyncio.Event()

        def tell(_: ai.Analysis, event: asyncio.Event = updated) -> None:
            loop.call_soon_threadsafe(event.set)

        task = asyncio.create_task(
            searches.run(search.create_agent(), next(asked), search, None, tell)
        )
        await updated.wait()
        await asyncio.sleep(0.0001 * at)  # somewhere between two updates
        began = time.perf_counter()
        task.cancel()
        await asyncio.wait([task])
        taken.append(time.perf_counter() - began)
    searches.close()
    return taken


def main() -> None:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=2_000, help="of the overhead")
    parser.add_argument("--rounds", type=int, default=5, help="of the saturation")
    parser.add_argument(
        "--searches", type=int, default=25, help="of a round, four times short ones"
    )
    parser.add_argument("--seconds", type=float, default=10.0, help="of the overload")
    parser.add_argument("--only", help="measure this alone, and keep the rest of the file")
    parser.add_argument("--out", type=Path, default=RESULTS / "service.json")
    asked = parser.parse_args()
    os.sched_setaffinity(0, {OUR_PROCESSOR})
    measures: dict[str, Callable[[], Any]] = {
        "cancels": lambda: cancels(100),
        "overhead": lambda: overhead(asked.calls),
        "saturation_short": lambda: saturation(SHORT, asked.rounds, 4 * asked.searches),
        "saturation_usual": lambda: saturation(USUAL, asked.rounds, asked.searches),
        "overload": lambda: overload(USUAL, asked.seconds),
    }
    measured: dict[str, Any] = {}
    if asked.only:
        measures = {asked.only: measures[asked.only]}
        measured = json.loads(asked.out.read_text()) if asked.out.exists() else {}
    for name, measure in measures.items():
        measured[name] = {**measure(), "load_average": os.getloadavg()[0]}
        print(name, json.dumps(measured[name]), flush=True)
        save(asked.out, measured)


if __name__ == "__main__":
    main()
