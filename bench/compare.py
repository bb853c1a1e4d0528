"""Time the core beside plain C++ in one run: ``python -m bench.compare``.

Both play complete uniform random games on the same set-ups, in one thread, a hundred games in a row
on each set-up. They take turns (C++, core, C++, core, …), so that what else the machine does falls
on both. The ratio of a round is the core's playouts a second over the C++ program's; shown are the
median of the rounds and its 95 % bootstrap interval. The result goes to ``bench/results/`` as JSON.
"""

import argparse
import json
import platform
import shlex
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from bench.games import EDITION, PLAYER_COUNTS, ROOT, SETUPS, build_kind, setups
from bench.plain_cpp.export_setups import export
from looot_core import State

BATCH = 100  # as in plain_cpp/measure.hpp
SLICES = 9
RESAMPLES = 2000
RESULTS = ROOT / "bench" / "results"


@dataclass(frozen=True)
class Run:
    """One run of one program."""

    playouts_per_s: float
    mean_scores: list[float]


@dataclass(frozen=True)
class Comparison:
    """All rounds of one player count; ``ratio`` is core over C++."""

    players: int
    cpp_playouts_per_s: float
    cpp_by_number_playouts_per_s: float
    core_playouts_per_s: float
    ratio: float
    ratio_low: float
    ratio_high: float
    round_ratios: list[float]
    cpp_mean_scores: list[float]
    core_mean_scores: list[float]


def run_core(states: list[State], seconds: float, seed: int) -> Run:
    """Play in slices like the C++ program, and take the median slice."""
    rates = []
    scores: list[np.ndarray[Any, Any]] = []
    batch = 0
    for _ in range(SLICES):
        first_batch = batch
        start = perf_counter()
        elapsed = 0.0
        while elapsed < seconds / SLICES:
            scores.append(states[batch % len(states)].random_playouts(BATCH, seed + batch))
            batch += 1
            elapsed = perf_counter() - start
        rates.append((batch - first_batch) * BATCH / elapsed)
    return Run(median(rates), np.concatenate(scores).mean(axis=0).tolist())


def run_cpp(program: Path, flat: Path, seconds: float) -> tuple[Run, Run]:
    """Give the two C++ figures: a choice applied at once, and a choice that goes by its number."""
    command = [str(program), "playouts", str(seconds), str(flat)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    direct, by_number = (json.loads(line) for line in output.splitlines())
    if direct["by_number"] or not by_number["by_number"]:
        raise RuntimeError(f"the C++ program's lines are not in the expected order: {output}")
    return (
        Run(direct["playouts_per_s"], direct["mean_scores"]),
        Run(by_number["playouts_per_s"], by_number["mean_scores"]),
    )


def bootstrap_interval(values: list[float]) -> tuple[float, float]:
    """Give the 95 % interval of the median."""
    random = Random(0)
    medians = sorted(median(random.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return medians[int(0.025 * RESAMPLES)], medians[int(0.975 * RESAMPLES) - 1]


def compare(program: Path, players: int, rounds: int, seconds: float) -> Comparison:
    """Run both in turn for one player count."""
    drawn = setups(players)
    states = [State(setup) for setup in drawn]
    cpp, by_number, core = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        flat = Path(folder, "setups.txt")
        flat.write_text(export(setup.to_dict() for setup in drawn), encoding="utf-8")
        for number in range(rounds):
            direct_run, by_number_run = run_cpp(program, flat, seconds)
            cpp.append(direct_run)
            by_number.append(by_number_run)
            core.append(run_core(states, seconds, seed=number << 32))
    ratios = [c.playouts_per_s / p.playouts_per_s for c, p in zip(core, cpp, strict=True)]
    low, high = bootstrap_interval(ratios)
    return Comparison(
        players=players,
        cpp_playouts_per_s=median(run.playouts_per_s for run in cpp),
        cpp_by_number_playouts_per_s=median(run.playouts_per_s for run in by_number),
        core_playouts_per_s=median(run.playouts_per_s for run in core),
        ratio=median(ratios),
        ratio_low=low,
        ratio_high=high,
        round_ratios=ratios,
        cpp_mean_scores=_mean_scores(cpp),
        core_mean_scores=_mean_scores(core),
    )


def _mean_scores(runs: list[Run]) -> list[float]:
    means: list[float] = np.mean([run.mean_scores for run in runs], axis=0).round(3).tolist()
    return means


def build_cpp() -> Path:
    """Compile the C++ program for this machine."""
    program = ROOT / "build" / "plain_cpp"
    command = ["sh", str(ROOT / "bench" / "plain_cpp" / "build.sh"), str(program)]
    if subprocess.run(command, check=False).returncode != 0:
        raise SystemExit(f"a C++17 compiler is needed (g++, or CXX): {shlex.join(command)} failed")
    return program


def processor() -> str:
    """Name the processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def row(result: Comparison) -> str:
    """Write one line of the table."""
    difference = max(
        abs(a - b) for a, b in zip(result.cpp_mean_scores, result.core_mean_scores, strict=True)
    )
    return (
        f"{result.players:>7} {result.cpp_playouts_per_s:>11,.0f} "
        f"{result.core_playouts_per_s:>11,.0f} {result.ratio:>8.3f} "
        f"[{result.ratio_low:.3f}, {result.ratio_high:.3f}] {difference:>12.2f}"
    )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Time the core beside plain C++, in turn.")
    parser.add_argument("--rounds", type=int, default=21, help="runs of each (default: 21)")
    parser.add_argument("--seconds", type=float, default=0.1, help="of one run (default: 0.1)")
    parser.add_argument("--output", type=Path, help="default: bench/results/compare-BUILD.json")
    options = parser.parse_args()
    if options.rounds < 1 or not options.seconds > 0:
        parser.error("--rounds must be 1 or more, and --seconds above 0")
    kind = build_kind()
    program = build_cpp()
    print(f"complete random playouts a second, {EDITION} edition, one thread, {kind} core build")
    print(f"{'players':>7} {'C++':>11} {'core':>11} {'ratio':>8} {'95 %':<14} score differs")
    results = []
    for players in PLAYER_COUNTS:
        results.append(compare(program, players, options.rounds, options.seconds))
        print(row(results[-1]), flush=True)
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
