"""What do threads bring? ``python -m bench.threads``.

The full player searches the starts of turns of greedy games in one and in two threads, in turn,
with as many simulations. Given are simulations for each second of the wall, and for each second of
processor time of all threads together: the second tells what sharing one tree costs, whatever else
the machine does; the first only what it is on a machine with as many free processors. The result
goes to ``bench/results/threads.json``.
"""

import argparse
import os
import sys
import time
from statistics import median
from typing import Any

import ai
from bench.games import EDITION, PLAYER_COUNTS
from bench.stop_latency import turn_starts
from bench.stored import RESULTS, save

NAME = "threads"
THREADS = (1, 2)
SIMULATIONS = 2000


def measure(players: int, games: int) -> dict[str, Any]:
    """Search all positions in each number of threads; give medians over the positions."""
    wall: dict[int, list[float]] = {threads: [] for threads in THREADS}
    processor: dict[int, list[float]] = {threads: [] for threads in THREADS}
    positions = turn_starts(players, games)
    for position in positions:
        for threads in THREADS:
            agent = ai.create_agent("ismcts", threads=threads, seed=1)
            began, used = time.perf_counter(), time.process_time()
            agent.analyze(position, ai.Limits(simulations=SIMULATIONS))
            wall[threads].append(SIMULATIONS / (time.perf_counter() - began))
            processor[threads].append(SIMULATIONS / (time.process_time() - used))
    return {
        "players": players,
        "positions": len(positions),
        "per_wall_s": {threads: round(median(wall[threads])) for threads in THREADS},
        "per_processor_s": {threads: round(median(processor[threads])) for threads in THREADS},
    }


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Measure what a second thread brings.")
    parser.add_argument("--games", type=int, default=2, help="a player count (default: 2)")
    options = parser.parse_args()
    if options.games < 1:
        parser.error("--games must be 1 or more")
    load = os.getloadavg()[0]
    results = []
    for players in PLAYER_COUNTS:
        results.append(measure(players, options.games))
        print(results[-1], flush=True)
    path = RESULTS / f"{NAME}.json"
    save(
        path,
        {
            "edition": EDITION,
            "simulations": SIMULATIONS,
            "processors": os.cpu_count(),
            "load_before": round(load, 1),
            "results": results,
        },
    )
    print(f"written to {path}", file=sys.stderr)


if __name__ == "__main__":
    main()
