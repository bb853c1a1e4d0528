"""What is measured of the core and of the plain C++ program, each by its own loops.

Both take the same set-ups, are given the same processor time and seeds, and give medians of slices
of it. A playout is a complete uniform random game by the fastest way a side has. An action is
chosen uniformly and then applied by its number, as an agent does it. An apply is one of the actions
of games that were played beforehand, so that no choice is in it.
"""

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from bench.core_loops import RecordedGames, copy_states, play, state_bytes
from bench.games import SETUPS, setups
from bench.plain_cpp.export_setups import export
from looot_core import State

# As in plain_cpp/measure.hpp.
BATCH = 100
SLICES = 9
COPIED = 16
ROUNDS_OF_COPIES = 2000
NANOSECONDS = 1e9


@dataclass(frozen=True)
class Figures:
    """One run of one side, on one player count."""

    playouts_per_s: float
    ns_per_action: float
    ns_per_apply: float
    ns_per_copy: float
    state_bytes: int
    mean_scores: list[float]


class Core:
    """The core, called from Python once for many games."""

    def __init__(self, players: int) -> None:
        self.states = [State(setup) for setup in setups(players)]

    def run(self, seconds: float, seed: int) -> Figures:
        scores: list[np.ndarray[Any, Any]] = []
        numbers = count()
        recorded = [RecordedGames(state, BATCH, seed + n) for n, state in enumerate(self.states)]

        def playouts() -> int:
            number = next(numbers)
            scores.append(self.states[number % SETUPS].random_playouts(BATCH, seed + number))
            return BATCH

        def actions() -> int:
            number = next(numbers)
            return play(self.states[number % SETUPS], BATCH, seed + number)

        def applies() -> int:
            for games in recorded:
                games.apply_all()
            return sum(games.actions for games in recorded)

        def copies() -> int:
            copy_states(self.states, ROUNDS_OF_COPIES)
            return COPIED * ROUNDS_OF_COPIES

        return Figures(
            playouts_per_s=1 / seconds_each(playouts, seconds),
            ns_per_action=NANOSECONDS * seconds_each(actions, seconds),
            ns_per_apply=NANOSECONDS * seconds_each(applies, seconds),
            ns_per_copy=NANOSECONDS * seconds_each(copies, seconds),
            state_bytes=state_bytes(self.states[0]),
            mean_scores=np.concatenate(scores).mean(axis=0).tolist(),
        )


def seconds_each(step: Callable[[], int], seconds: float) -> float:
    """Give the median over slices of the processor time of one of what a step does many of."""
    times = []
    for _ in range(SLICES):
        done = 0
        start = process_time()
        elapsed = 0.0
        while elapsed < seconds / SLICES:
            done += step()
            elapsed = process_time() - start
        times.append(elapsed / done)
    return median(times)


class PlainCpp:
    """The C++ program; `folder` is where it finds its set-ups."""

    def __init__(self, program: Path, players: int, folder: Path) -> None:
        self.program = program
        self.flat = folder / f"setups-{players}.txt"
        drawn = (setup.to_dict() for setup in setups(players))
        self.flat.write_text(export(drawn), encoding="utf-8")

    def run(self, seconds: float, seed: int) -> Figures:
        direct, by_number = self._measure("playouts", seconds, seed)
        if direct["by_number"] or not by_number["by_number"]:
            raise RuntimeError("the C++ program's lines are not in the expected order")
        (apply,) = self._measure("apply", seconds, seed)
        (copy,) = self._measure("copy", seconds, seed)
        return Figures(
            playouts_per_s=direct["playouts_per_s"],
            ns_per_action=by_number["ns_per_action"],
            ns_per_apply=apply["ns_per_apply"],
            ns_per_copy=copy["ns_per_copy"],
            state_bytes=copy["state_bytes"],
            mean_scores=direct["mean_scores"],
        )

    def _measure(self, mode: str, seconds: float, seed: int) -> list[dict[str, Any]]:
        command = [str(self.program), mode, str(seconds), str(self.flat), str(seed)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return [json.loads(line) for line in output.splitlines()]
