"""The agent of the plain information set Monte Carlo tree search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import looot_core as lc
from ai import searching
from ai.agent import Limits, start
from ai.analysis import Analysis
from ai.ismcts import Search

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
        state = start(position, limits, on_update)
        began = searching.begin(limits)
        searching.check_bounded(limits)
        only_move = len(state.legal_actions()) == 1 and state.phase == lc.Phase.END_OF_TURN
        if only_move:
            simulations = limits.simulations or _ONLY_MOVE_SIMULATIONS
            limits = replace(limits, simulations=min(simulations, _ONLY_MOVE_SIMULATIONS))
        search = Search(state, searching.seed_of(self._seed, state), searching.memory_of(limits))
        analysis = searching.run(search, limits, on_update, began)
        if only_move and analysis.stopped_by == "simulations":
            return replace(analysis, stopped_by="only_move")
        return analysis
