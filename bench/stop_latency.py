"""How long after a stop does a search go on? ``python -m bench.stop_latency``.

A thread searches a position; after some milliseconds the flag is set. What is measured is processor
time of the searching thread, from the flag to the end of the search, and then to the analysis, so
that other work on the machine does not count. (Where the thread ran on while the flag was being set
by more than 0.05 ms, as on a busy machine, the sample is left out and taken again.) The positions
are starts of turns of games between greedy agents with 2, 3 and 4 players, with every width that
turns are looked for with at the root; most stops of the wide ones fall into that look. ``agent`` is
`ismcts` as it is, from `analyze` on, after longer searches. The result goes to
``bench/results/stop-latency.json``.
"""

import argparse
import sys
import threading
import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from typing import Any

import ai
import looot_core as lc
from ai.greedy import ranked_turns
from ai.last_turn import is_last
from ai.turn_search import TurnSearch
from ai.weights import learned_evaluation
from bench.games import EDITION, PLAYER_COUNTS
from bench.stored import RESULTS, save

NAME = "stop-latency"
MEMORY = 1 << 26
TURNS_APART = 4
ROOT_LEVELS = range(7)
MOST_WAIT_S = 0.02
AGENT_WAIT_S = 0.3
MOST_DOUBT_S = 50e-6
PATIENCE = 20
MILLISECONDS = 1000


def turn_starts(players: int, games: int) -> list[lc.Position]:
    """Give the starts of turns that are searched."""
    found = []
    for seed in range(games):
        setup = lc.GameSetup.random(players=players, edition=EDITION, seed=seed)
        state = lc.State(setup)
        turn = 0
        while not state.is_over and not is_last(state):
            if turn % TURNS_APART == 0:
                found.append(state.position())
            turn += 1
            for action in ranked_turns(state, learned_evaluation(), 0)[0][0]:
                state.apply(action)
    return found


def seconds_after_stop(
    search: Callable[[ai.StopFlag, Callable[[], None]], object], wait_s: float
) -> float | None:
    """Stop a search in another thread; give its processor time from there to its end.

    None if the flag was not set at a time that is known well.
    """
    flag, begun = ai.StopFlag(), threading.Event()
    ends: list[float] = []

    def run() -> None:
        search(flag, begun.set)
        ends.append(time.thread_time())

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    assert thread.ident is not None
    clock = time.pthread_getcpuclockid(thread.ident)
    time.sleep(wait_s)
    before = time.clock_gettime(clock)
    flag.stop()
    after = time.clock_gettime(clock)
    thread.join()
    return None if after - before > MOST_DOUBT_S else max(ends[0] - before, 0.0)


def of_search(
    position: lc.Position, level: int
) -> Callable[[ai.StopFlag, Callable[[], None]], object]:
    """Give a search that looks so widely at the root."""

    def search(flag: ai.StopFlag, begin: Callable[[], None]) -> None:
        state = lc.State.from_position(position, seed=0)
        running = TurnSearch(state, learned_evaluation(), 1, MEMORY, root_level=level)
        begin()
        running.run(None, None, 60.0, flag)

    return search


def of_agent(position: lc.Position) -> Callable[[ai.StopFlag, Callable[[], None]], object]:
    """Give an analysis by the agent."""

    def search(flag: ai.StopFlag, begin: Callable[[], None]) -> None:
        agent = ai.create_agent("ismcts", seed=1)
        begin()
        agent.analyze(position, ai.Limits(stop=flag))

    return search


def summary(seconds: Sequence[float]) -> dict[str, Any]:
    """Sum up the samples, in milliseconds."""
    ranked = sorted(seconds)
    return {
        "stops": len(ranked),
        "median_ms": round(MILLISECONDS * median(ranked), 4),
        "p99_ms": round(MILLISECONDS * ranked[int(0.99 * (len(ranked) - 1))], 4),
        "worst_ms": round(MILLISECONDS * ranked[-1], 4),
        "above_1_ms": sum(value > 1 / MILLISECONDS for value in ranked),
    }


def measure(
    searches: Sequence[Callable[[ai.StopFlag, Callable[[], None]], object]],
    most_wait_s: float,
    random: Random,
) -> dict[str, Any]:
    """Stop each search once."""
    seconds = []
    for search in searches:
        for _ in range(PATIENCE):
            value = seconds_after_stop(search, most_wait_s * random.random())
            if value is not None:
                seconds.append(value)
                break
    return summary(seconds)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Measure how long a search goes on after a stop.")
    parser.add_argument("--games", type=int, default=4, help="a player count (default: 4)")
    options = parser.parse_args()
    if options.games < 1:
        parser.error("--games must be 1 or more")
    random = Random(1)
    results = []
    for players in PLAYER_COUNTS:
        positions = turn_starts(players, options.games)
        for level in ROOT_LEVELS:
            searches = [of_search(position, level) for position in positions]
            result = measure(searches, MOST_WAIT_S, random)
            results.append({"players": players, "root_level": level, **result})
            print(results[-1], flush=True)
        searches = [of_agent(position) for position in positions]
        result = measure(searches, AGENT_WAIT_S, random)
        results.append({"players": players, "root_level": "agent", **result})
        print(results[-1], flush=True)
    path = RESULTS / f"{NAME}.json"
    save(path, {"edition": EDITION, "clock": "processor time", "results": results})
    print(f"written to {path}", file=sys.stderr)


if __name__ == "__main__":
    main()
