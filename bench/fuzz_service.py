"""Send hostile requests at length: ``python -m bench.fuzz_service --requests 100000``.

Of every five requests one is made up from the descriptors of the messages, one is a mutated valid
one about a hosted game, and three are mutated valid ones to the engine. Ends with an error at the
first that is neither an answer nor a refusal that says why, or that does not come. The counts
by method and code go to ``bench/results/``, also when it is interrupted.
"""

from __future__ import annotations

import argparse
import random
import signal
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from google.protobuf.message import Message
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from rich.progress import track

from bench.stored import RESULTS, save
from looot.v1.game_service_pb2_grpc import GameServiceStub
from server.settings import Settings
from tests.server.hostile import Games, Target, made_up, methods, mutate, valid_request
from tests.server.service import running_service

MOST_CHANGES = 6
PART = 500
CALLS = st.sampled_from(methods(with_games=True)).flatmap(
    lambda method: st.tuples(st.just(method[0]), made_up(method[1]))
)


def fuzz(requests: int, start: int, codes: Counter[str]) -> None:
    """Send so many, and count how often each method was answered with each code."""
    chance = random.Random(start)
    with tempfile.TemporaryDirectory() as folder:
        chosen = Settings(
            max_time_s=0.005, max_searches=1, database_url=f"sqlite:///{folder}/games.db"
        )
        with running_service(chosen) as service:
            target, games = Target(service.channel), Games(GameServiceStub(service.channel))

            def send(method: str, request: Message) -> None:
                codes[f"{method} {target.check(method, request)}"] += 1

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
                    send(*call)

                send_each()

            for number in track(range(requests // PART), "parts"):
                send_made_up(number)
                for at in range(PART - PART // 5):
                    method, request = (
                        games.valid_request(chance) if at % 4 == 0 else valid_request(chance)
                    )
                    for _ in range(chance.randint(0, MOST_CHANGES)):
                        mutate(request, chance)
                    send(method, request)
                assert service.is_healthy()


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
