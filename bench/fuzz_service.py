"""Send hostile requests at length: ``python -m bench.fuzz_service --requests 100000``.

Of every five requests one is made up from the descriptors of the messages, one is a mutated valid
one about a hosted game, and three are mutated valid ones to the engine. The server is a process of
its own, and some requests are under way at the same time. Ends with an error at the first answer
that is neither one nor a refusal that says why, or that does not come; a stream of a game that
nobody plays has to begin, and to end in the server when it is cancelled. The counts by method and
code go to ``bench/results/``, also when it is interrupted.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import tempfile
import time
import urllib.request
from collections import Counter, deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import grpc
from google.protobuf.message import Message
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from rich.progress import track

from bench.soak import free_ports
from bench.soak_server import Replica
from bench.stored import RESULTS, save
from looot.v1.game_service_pb2_grpc import GameServiceStub
from tests.server.hostile import PATIENCE_S, Games, Target, made_up, methods, mutate, valid_request

MOST_CHANGES = 6
AT_ONCE = 8
PART = 500
CALLS = st.sampled_from(methods(with_games=True)).flatmap(
    lambda method: st.tuples(st.just(method[0]), made_up(method[1]))
)


class Hostile:
    """Sends requests to a server in a process of its own, some at the same time.

    Parameters
    ----------
    server : Replica
    codes : Counter of str
        Of methods and the codes that they were answered with.
    """

    def __init__(self, server: Replica, codes: Counter[str]) -> None:
        self._server = server
        self._codes = codes
        self._channel = grpc.insecure_channel(server.address)
        self._target = Target(self._channel)
        self._threads = ThreadPoolExecutor(AT_ONCE)
        self._sent: deque[tuple[str, Future[str]]] = deque()
        self.games = Games(GameServiceStub(self._channel))

    def send(self, method: str, request: Message) -> None:
        """Send a request, when the answers to all but a few of those before have been seen."""
        while len(self._sent) >= 2 * AT_ONCE:
            self._see_one()
        self._sent.append((method, self._threads.submit(self._target.check, method, request)))

    def see_all(self) -> None:
        """Wait for all answers; then no call may go on in the server, not even a cancelled one."""
        while self._sent:
            self._see_one()
        process, end = self._server.process, time.monotonic() + PATIENCE_S
        assert process is not None
        assert process.is_alive()
        while self._running():
            assert time.monotonic() < end, "calls go on that nobody waits for"
            time.sleep(0.01)

    def close(self) -> None:
        """Let go of the threads and the channel."""
        self._threads.shutdown(cancel_futures=True)
        self._channel.close()

    def _see_one(self) -> None:
        method, answer = self._sent.popleft()
        self._codes[f"{method} {answer.result()}"] += 1

    def _running(self) -> bool:
        address = f"http://127.0.0.1:{self._server.settings['metrics_port']}/metrics"
        with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
            return b"\nlooot_calls_running 0.0\n" not in answer.read()


def fuzz(requests: int, start: int, codes: Counter[str]) -> None:
    """Send so many, and count how often each method was answered with each code."""
    chance = random.Random(start)
    port, metrics_port = free_ports(2)
    limits = {
        "max_time_s": 0.005,
        "max_searches": 1,
        "max_waiting": AT_ONCE,
        "metrics_port": metrics_port,
    }
    with tempfile.TemporaryDirectory() as folder:
        server = Replica(f"sqlite:///{folder}/games.db", port, limits)
        asyncio.run(server.start())
        hostile = Hostile(server, codes)

        def send_made_up(number: int) -> None:
            @seed(start + number)
            @given(CALLS)
            @settings(
                max_examples=PART // 5,
                phases=[Phase.generate],
                database=None,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            )
            def send_each(call: tuple[str, Message]) -> None:
                hostile.send(*call)

            send_each()

        try:
            for number in track(range(requests // PART), "parts"):
                send_made_up(number)
                for at in range(PART - PART // 5):
                    method, request = (
                        hostile.games.valid_request(chance)
                        if at % 4 == 0
                        else valid_request(chance)
                    )
                    for _ in range(chance.randint(0, MOST_CHANGES)):
                        mutate(request, chance)
                    hostile.send(method, request)
                hostile.see_all()
        finally:
            hostile.close()
            server.kill()


def main() -> None:
    """Send, and store the counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=RESULTS / "fuzz_service.json")
    asked = parser.parse_args()
    began = time.perf_counter()
    codes: Counter[str] = Counter()
    for number in (signal.SIGINT, signal.SIGTERM):  # also in the background, where they are ignored
        signal.signal(number, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        fuzz(asked.requests, asked.seed, codes)
    seconds = round(time.perf_counter() - began)
    counts = dict(sorted(codes.items()))
    print(f"{codes.total()} requests in {seconds} s: {counts}")
    save(asked.out, {"requests": codes.total(), "seconds": seconds, "answers": counts})


if __name__ == "__main__":
    main()
