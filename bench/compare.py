"""Time the core beside plain C++ in one run: ``python -m bench.compare`` (after ``make bench``).

Both are measured on the same set-ups, in one thread, by processor time; `bench.sides` says what.
They take turns (C++, core, C++, core, …), each round with another seed, so that what else the
machine does falls on both. The speed of a round is the core's over the C++ program's, above 1 where
the core is faster; shown are the median of the rounds and its 95 % bootstrap interval. The result
goes to ``bench/results/`` as JSON.
"""

import argparse
import json
import platform
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median

import numpy as np

from bench.games import EDITION, PLAYER_COUNTS, ROOT, SETUPS, build_kind
from bench.sides import Core, Figures, PlainCpp
from bench.stored import RESULTS, processor

RESAMPLES = 2000
MEASURES = ("playouts_per_s", "ns_per_action", "ns_per_apply", "ns_per_copy")


@dataclass(frozen=True)
class Comparison:
    """One figure over all rounds; `speed` is the core's over that of C++."""

    measure: str
    cpp: float
    core: float
    speed: float
    speed_low: float
    speed_high: float
    round_speeds: list[float]


@dataclass(frozen=True)
class Result:
    """All rounds of one player count."""

    players: int
    cpp_state_bytes: int
    core_state_bytes: int
    comparisons: list[Comparison]
    cpp_mean_scores: list[float]
    core_mean_scores: list[float]


def bootstrap_interval(values: Sequence[float]) -> tuple[float, float]:
    """Give the 95 % interval of the median."""
    random = Random(0)
    medians = sorted(median(random.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return medians[int(0.025 * RESAMPLES)], medians[int(0.975 * RESAMPLES) - 1]


def compare(measure: str, cpp: Sequence[Figures], core: Sequence[Figures]) -> Comparison:
    """Compare one figure round by round."""
    ours = [getattr(figures, measure) for figures in core]
    theirs = [getattr(figures, measure) for figures in cpp]
    speeds = [a / b for a, b in zip(ours, theirs, strict=True)]
    if measure.startswith("ns_"):
        speeds = [1 / speed for speed in speeds]
    low, high = bootstrap_interval(speeds)
    return Comparison(measure, median(theirs), median(ours), median(speeds), low, high, speeds)


def run(program: Path, players: int, rounds: int, seconds: float) -> Result:
    """Run both in turn for one player count."""
    with tempfile.TemporaryDirectory() as folder:
        sides = PlainCpp(program, players, Path(folder)), Core(players)
        turns = [[side.run(seconds, number << 32) for side in sides] for number in range(rounds)]
    cpp, core = zip(*turns, strict=True)
    return Result(
        players=players,
        cpp_state_bytes=cpp[0].state_bytes,
        core_state_bytes=core[0].state_bytes,
        comparisons=[compare(measure, cpp, core) for measure in MEASURES],
        cpp_mean_scores=_mean_scores(cpp),
        core_mean_scores=_mean_scores(core),
    )


def _mean_scores(runs: Sequence[Figures]) -> list[float]:
    means: list[float] = (
        np.mean([figures.mean_scores for figures in runs], axis=0).round(3).tolist()
    )
    return means


def build_cpp() -> Path:
    """Compile the C++ program for this machine."""
    program = ROOT / "build" / "plain_cpp"
    command = ["sh", str(ROOT / "bench" / "plain_cpp" / "build.sh"), str(program)]
    if subprocess.run(command, check=False).returncode != 0:
        raise SystemExit(f"a C++17 compiler is needed (g++, or CXX): {shlex.join(command)} failed")
    return program


def rows(result: Result) -> list[str]:
    """Write the lines of the table for one player count."""
    difference = max(
        abs(a - b) for a, b in zip(result.cpp_mean_scores, result.core_mean_scores, strict=True)
    )
    return [
        *(
            f"{result.players:>7} {comparison.measure:<15} {_number(comparison.cpp):>9}"
            f" {_number(comparison.core):>9} {comparison.speed:>7.3f}"
            f" [{comparison.speed_low:.3f}, {comparison.speed_high:.3f}]"
            for comparison in result.comparisons
        ),
        f"{result.players:>7} {'state_bytes':<15} {result.cpp_state_bytes:>9}"
        f" {result.core_state_bytes:>9}   (mean scores differ by {difference:.2f} at most)",
    ]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Time the core beside plain C++, in turn.")
    parser.add_argument("--rounds", type=int, default=21, help="runs of each (default: 21)")
    parser.add_argument(
        "--seconds", type=float, default=0.1, help="of each figure of a run (default: 0.1)"
    )
    parser.add_argument("--output", type=Path, help="default: bench/results/compare-BUILD.json")
    options = parser.parse_args()
    if options.rounds < 1 or not options.seconds > 0:
        parser.error("--rounds must be 1 or more, and --seconds above 0")
    kind = build_kind()
    program = build_cpp()
    print(f"{EDITION} edition, one thread, processor time, {kind} core build")
    print(f"{'players':>7} {'figure':<15} {'C++':>9} {'core':>9} {'speed':>7} 95 %")
    results = []
    for players in PLAYER_COUNTS:
        results.append(run(program, players, options.rounds, options.seconds))
        print(*rows(results[-1]), sep="\n", flush=True)
    output = options.output or RESULTS / f"compare-{kind}.json"
    output.parent.mkdir(parents=True, exist_ok=True)
    summary = {
        "build": kind,
        "edition": EDITION,
        "processor": processor(),
        "python": platform.python_version(),
        "setups": SETUPS,
        "rounds": options.rounds,
        "seconds": options.seconds,
        "results": [asdict(result) for result in results],
    }
    output.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    print(f"written to {output}", file=sys.stderr)


if __name__ == "__main__":
    main()
