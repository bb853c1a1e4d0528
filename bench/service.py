"""Measure the service: ``python -m bench.service``; the result goes to ``bench/results/``.

A server of one search at a time runs as a process on one processor, this process and its calls on
another (on a machine with one, on the same).

- Overhead: the same search of one simulation by ``Suggest`` over the loopback address, and by
  ``ai`` in Python, in turn.
- Saturation: searches a second and per second of processor time that a server gives to several
  callers, and that the library gives to one caller on the server's processor, in turn.
- Overload: calls with a fixed time of search, at a rate many times what the server can answer. How
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
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

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
OVERLOAD = 50
ACCEPTED_MS = 50.0


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
    command = [
        sys.executable,
        "-m",
        "server.command_line",
        "serve",
        "--port",
        "0",
        "--searches",
        "1",
    ]
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
    with server() as (address, process):
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


async def _overload(address: str, seconds: float) -> dict[str, Any]:
    asked = request(positions()[5], time=duration_to_message(ACCEPTED_MS / 1e3))
    rate = OVERLOAD * 1e3 / ACCEPTED_MS
    taken: dict[str, list[float]] = {"accepted": [], "refused": [], "health": []}
    reasons: Counter[str] = Counter()
    states: Counter[str] = Counter()
    async with grpc.aio.insecure_channel(address) as channel:
        suggest: Any = EngineServiceStub(channel).Suggest
        health: Any = health_pb2_grpc.HealthStub(channel)

        async def call(kind: str | None = None) -> float:
            began = time.perf_counter()
            try:
                await suggest(asked, timeout=30)
                outcome = "accepted"
            except grpc.aio.AioRpcError as error:
                reasons[explain(error)[0]] += 1
                outcome = "refused"
            spent = time.perf_counter() - began
            taken.setdefault(kind or outcome, []).append(spent)
            return spent

        async def look_after_health() -> None:
            while True:
                began = time.perf_counter()
                answer = await health.Check(health_pb2.HealthCheckRequest(), timeout=30)
                taken["health"].append(time.perf_counter() - began)
                states[health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)] += 1
                await asyncio.sleep(0.05)

        for _ in range(40):
            await call("unloaded")
        watch = asyncio.create_task(look_after_health())
        calls: set[asyncio.Task[float]] = set()
        began = time.perf_counter()
        sent = 0
        while (now := time.perf_counter() - began) < seconds:
            while sent < now * rate:
                calls.add(asyncio.create_task(call()))
                sent += 1
            await asyncio.sleep(0.001)
        watch.cancel()
        await asyncio.gather(*calls)
        ended = time.perf_counter()
        normal_s = 2 * percentile(taken["unloaded"], 0.5)
        while await call("after") > normal_s:
            pass
        recovered_s = time.perf_counter() - ended
    return {
        "search_ms": ACCEPTED_MS,
        "times_the_capacity": sent / seconds * ACCEPTED_MS / 1e3,
        "asked_per_s": sent / seconds,
        **{kind: spread_ms(values) for kind, values in taken.items()},
        "refusals": dict(reasons),
        "health": {**spread_ms(taken["health"]), "most_ms": 1e3 * max(taken["health"]), **states},
        "recovered_s": recovered_s,
    }


def overload(seconds: float) -> dict[str, Any]:
    """Measure far more calls than can be answered; nothing waits but for one search."""
    with server("--max-waiting", "0") as (address, _):
        return asyncio.run(_overload(address, seconds))


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
    parser.add_argument("--searches", type=int, default=50, help="of a round, ten times short ones")
    parser.add_argument("--seconds", type=float, default=10.0, help="of the overload")
    parser.add_argument("--only", help="measure this alone, and keep the rest of the file")
    parser.add_argument("--out", type=Path, default=RESULTS / "service.json")
    asked = parser.parse_args()
    os.sched_setaffinity(0, {OUR_PROCESSOR})
    measures: dict[str, Callable[[], Any]] = {
        "cancels": lambda: cancels(100),
        "overhead": lambda: overhead(asked.calls),
        "saturation_200": lambda: saturation(200, asked.rounds, 10 * asked.searches),
        "saturation_2000": lambda: saturation(2_000, asked.rounds, asked.searches),
        "overload": lambda: overload(asked.seconds),
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
