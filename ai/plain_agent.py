"""The agent of the plain information set Monte Carlo tree search."""

from __future__ import annotations

import time
from collections.abc import Callable

import looot_core as lc
from ai.agent import Analysis, Candidate, InvalidLimitsError, Limits, SearchAborted, start
from ai.ismcts import Search
from looot_core.generator import fresh_seed

_DEFAULT_MEMORY_MB = 256
_MEBIBYTE = 1 << 20
_UPDATE_S = 0.1
_ONLY_MOVE_SIMULATIONS = 100


class PlainIsmctsAgent:
    """Searches with uniform playouts and no knowledge of the game; see `ai.ismcts`.

    Every analysis starts a new tree. It plays at one strength and searches in one thread.
    """

    description = "A tree search with playouts at random, without knowledge of the game."

    def __init__(self, *, level: int = 10, threads: int = 1, seed: int | None = None) -> None:
        self._seed = seed

    def analyze(
        self,
        position: lc.Position,
        limits: Limits,
        on_update: Callable[[Analysis], object] | None = None,
    ) -> Analysis:
        """Find the best rest of the turn; see `Agent.analyze`.

        Where ``end`` is all that is legal, at most a hundred simulations are run.

        Returns
        -------
        Analysis

        Raises
        ------
        InvalidLimitsError
            If the limits have neither a time nor simulations nor a stop flag.
        """
        began = time.perf_counter()
        state = start(position, limits)
        if limits.time_s is None and limits.simulations is None and limits.stop is None:
            raise InvalidLimitsError(
                "limits: time_s, simulations and stop are all None; the search would never end"
            )
        seed = fresh_seed() if self._seed is None else self._seed
        memory_mb = _DEFAULT_MEMORY_MB if limits.memory_mb is None else limits.memory_mb
        search = Search(state, seed ^ state.hash(), memory_mb * _MEBIBYTE)
        simulations = limits.simulations
        only_move = len(state.legal_actions()) == 1 and state.phase == lc.Phase.END_OF_TURN
        if only_move:
            simulations = min(simulations or _ONLY_MOVE_SIMULATIONS, _ONLY_MOVE_SIMULATIONS)
        reason = ""
        while not reason:
            elapsed = time.perf_counter() - began
            left_s = None if limits.time_s is None else limits.time_s - elapsed
            reason = search.run(simulations, left_s, _UPDATE_S, limits.stop)
            if not reason and on_update is not None:
                on_update(_analysis(search, began, ""))
        if reason == "abort":
            raise SearchAborted
        if only_move and reason == "simulations":
            reason = "only_move"
        return _analysis(search, began, reason)


def _analysis(search: Search, began: float, reason: str) -> Analysis:
    candidates = [Candidate(*values) for values in search.candidates()]
    return Analysis(
        turn=search.turn(),
        candidates=candidates,
        simulations=search.simulations,
        nodes=search.nodes,
        depth=search.depth,
        time_s=time.perf_counter() - began,
        expected_scores=search.expected_scores(),
        stopped_by=reason,
    )
