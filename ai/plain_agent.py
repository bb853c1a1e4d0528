"""The agent of the plain information set Monte Carlo tree search."""

from __future__ import annotations

from collections.abc import Callable

import looot_core as lc
from ai import searching
from ai.agent import SeededAgent, start
from ai.analysis import Analysis
from ai.ismcts import Search
from ai.limits import Limits


class PlainIsmctsAgent(SeededAgent):
    """Searches with uniform playouts and no knowledge of the game; see `ai.ismcts`.

    Every analysis starts a new tree. It plays at one strength and searches in one thread.
    """

    description = "A tree search with playouts at random, without knowledge of the game."

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
        state, limits = start(position, limits, on_update)
        began = searching.begin(limits)
        only_move = len(state.legal_actions()) == 1 and state.phase == lc.Phase.END_OF_TURN
        search = Search(
            state,
            self._seed_for(state),
            searching.memory_of(limits),
            limits.first_actions(state),
        )
        return searching.run(search, limits, on_update, began, only_move)
