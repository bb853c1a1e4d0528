"""Run a tree search until a limit, for the agents that have one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

import looot_core as lc
from ai.agent import InvalidLimitsError, Limits, SearchAborted
from ai.analysis import Analysis, Candidate
from ai.stop_flag import StopFlag
from looot_core.generator import check_seed, fresh_seed

_DEFAULT_MEMORY_MB = 256
_MEBIBYTE = 1 << 20
_UPDATE_S = 0.1
_ONLY_MOVE_SIMULATIONS = 100

CandidateValues = tuple[
    lc.Action, list[lc.Action], int, float, float, float, float, list[lc.Action]
]


class TreeSearch(Protocol):
    """A search of one position that can be run on and asked what it has found."""

    @property
    def simulations(self) -> int:
        """Simulations so far."""

    @property
    def nodes(self) -> int:
        """Nodes of the tree."""

    @property
    def depth(self) -> int:
        """Length of the longest line in the tree."""

    def run(
        self,
        simulations: int | None,
        seconds: float | None,
        slice_seconds: float,
        stop: StopFlag | None,
        processor_time: bool = False,
    ) -> str:
        """Search until a limit or the end of a slice of time."""

    def turn(self) -> list[lc.Action]:
        """Give the best rest of the turn."""

    def candidates(self) -> list[CandidateValues]:
        """Give the values of `Candidate`, best first."""

    def expected_scores(self) -> list[float]:
        """Give the expected final score of each seat."""

    def score_spreads(self) -> list[float]:
        """Give the standard deviation of each seat's final score about it."""


def seed_of(seed: int | None, state: lc.State) -> int:
    """Give the seed of a search: of an agent's seed and the position, or a fresh one."""
    return (fresh_seed() if seed is None else check_seed(seed)) ^ state.hash()


def memory_of(limits: Limits) -> int:
    """Give the bytes that a tree may take."""
    return _MEBIBYTE * (_DEFAULT_MEMORY_MB if limits.memory_mb is None else limits.memory_mb)


def check_bounded(limits: Limits) -> None:
    """Refuse limits with which a search would never end."""
    if limits.time_s is None and limits.simulations is None and limits.stop is None:
        raise InvalidLimitsError(
            "limits: time_s, simulations and stop are all None; the search would never end"
        )


def run(
    search: TreeSearch,
    limits: Limits,
    on_update: Callable[[Analysis], object] | None,
    began: float,
    only_move: bool = False,
) -> Analysis:
    """Search until a limit.

    Parameters
    ----------
    search : TreeSearch
    limits : Limits
    on_update : callable or None
        Called about every 0.1 s with the analysis so far.
    began : float
        When the analysis began: ``time.perf_counter()``, or ``time.thread_time()`` where the limits
        count processor time.
    only_move : bool, optional
        Whether there is nothing to choose: then at most a hundred simulations are run.

    Returns
    -------
    Analysis

    Raises
    ------
    SearchAborted
        If the stop flag said so.
    """
    clock = time.thread_time if limits.processor_time else time.perf_counter
    simulations = limits.simulations
    if only_move:
        simulations = min(simulations or _ONLY_MOVE_SIMULATIONS, _ONLY_MOVE_SIMULATIONS)
    reason = ""
    while not reason:
        left_s = None if limits.time_s is None else limits.time_s - (clock() - began)
        reason = search.run(simulations, left_s, _UPDATE_S, limits.stop, limits.processor_time)
        if not reason and on_update is not None:
            on_update(_analysis(search, clock() - began, ""))
    if reason == "abort":
        raise SearchAborted
    if only_move and reason == "simulations":
        reason = "only_move"
    return _analysis(search, clock() - began, reason)


def begin(limits: Limits) -> float:
    """Give the time by the clock that the limits count with."""
    return time.thread_time() if limits.processor_time else time.perf_counter()


def _analysis(search: TreeSearch, time_s: float, reason: str) -> Analysis:
    return Analysis(
        turn=search.turn(),
        candidates=[Candidate(*values) for values in search.candidates()],
        simulations=search.simulations,
        nodes=search.nodes,
        depth=search.depth,
        time_s=time_s,
        expected_scores=search.expected_scores(),
        stopped_by=reason,
        score_spreads=search.score_spreads(),
    )
