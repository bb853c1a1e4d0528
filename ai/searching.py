"""Run a tree search until a limit, for the agents that have one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Protocol

import looot_core as lc
from ai.agent import SearchAborted
from ai.analysis import Analysis, Candidate
from ai.limits import InvalidLimitsError, Limits
from ai.stop_flag import StopFlag

_DEFAULT_MEMORY_MB = 256
_MEBIBYTE = 1 << 20
_UPDATE_S = 0.1
_ONLY_MOVE_SIMULATIONS = 100
_CHECKED_EVERY = 128  # simulations between two looks whether the search may end early

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
    def memory_bytes(self) -> int:
        """Bytes of the tree."""

    @property
    def depth(self) -> int:
        """Length of the longest line in the tree."""

    def is_settled(self, left: float) -> bool:
        """Tell whether the best turn will not change in so many simulations."""

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


def memory_of(limits: Limits) -> int:
    """Give the bytes that a tree may take."""
    return _MEBIBYTE * (_DEFAULT_MEMORY_MB if limits.memory_mb is None else limits.memory_mb)


def begin(limits: Limits) -> float:
    """Give the time by the clock that the limits count with.

    Raises
    ------
    InvalidLimitsError
        If with these limits a search would never end.
    """
    if limits.time_s is None and limits.simulations is None and limits.stop is None:
        raise InvalidLimitsError(
            "limits: time_s, simulations and stop are all None; the search would never end"
        )
    return time.thread_time() if limits.processor_time else time.perf_counter()


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
        When the analysis began: what `begin` gave.
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
    update_s = began + _UPDATE_S
    reason = ""
    while not reason:
        now_s = clock()
        left_s = None if limits.time_s is None else limits.time_s - (now_s - began)
        slice_s = max(update_s - now_s, 0.0)
        goal = simulations
        if limits.early_end:
            # At the same numbers however slices of time fall, so that a seed repeats.
            goal = (search.simulations // _CHECKED_EVERY + 1) * _CHECKED_EVERY
            goal = goal if simulations is None else min(goal, simulations)
        reason = search.run(goal, left_s, slice_s, limits.stop, limits.processor_time)
        if reason == "simulations" and goal != simulations:
            settled = search.is_settled(_simulations_left(search, limits, clock() - began))
            reason = "early_end" if settled else ""
        if not reason and clock() >= update_s:
            update_s = clock() + _UPDATE_S
            if on_update is not None:
                on_update(_analysis(search, clock() - began, ""))
    if reason == "abort":
        raise SearchAborted
    if only_move and reason == "simulations":
        reason = "only_move"
    return _analysis(search, clock() - began, reason)


def _simulations_left(search: TreeSearch, limits: Limits, spent_s: float) -> float:
    """Give how many simulations the limits leave, by those run so far."""
    left = math.inf if limits.simulations is None else limits.simulations - search.simulations
    if limits.time_s is not None:
        left = min(left, search.simulations * max(limits.time_s / spent_s - 1, 0.0))
    return left


def _analysis(search: TreeSearch, time_s: float, reason: str) -> Analysis:
    return Analysis(
        turn=search.turn(),
        candidates=[Candidate(*values) for values in search.candidates()],
        simulations=search.simulations,
        nodes=search.nodes,
        memory_bytes=search.memory_bytes,
        depth=search.depth,
        time_s=time_s,
        expected_scores=search.expected_scores(),
        stopped_by=reason,
        score_spreads=search.score_spreads(),
    )
