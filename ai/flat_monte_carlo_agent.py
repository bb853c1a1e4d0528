"""The agent of flat Monte Carlo: a yardstick between the greedy ones and the tree searches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import looot_core as lc
from ai import searching
from ai.agent import SeededAgent, start
from ai.analysis import Analysis
from ai.flat_monte_carlo import FlatMonteCarlo
from ai.limits import Limits
from ai.weights import hand_evaluation


class FlatMonteCarloAgent(SeededAgent):
    """Plays turns out at random and takes the one that did best; see `ai.flat_monte_carlo`.

    The turns are found with the evaluation written by hand. It plays at one strength and searches
    in one thread. It has no tree, so `Limits.memory_mb` changes nothing.
    """

    description = "Plays the likeliest turns out at random, and takes the one that did best."

    def analyze(
        self,
        position: lc.Position,
        limits: Limits,
        on_update: Callable[[Analysis], object] | None = None,
    ) -> Analysis:
        """Find the best rest of the turn; see `Agent.analyze`.

        Where there is one turn only, at most a hundred simulations are run.

        Returns
        -------
        Analysis
            Its candidates are whole turns.

        Raises
        ------
        InvalidLimitsError
            If the limits have neither a time nor simulations nor a stop flag.
        """
        state, limits = start(position, limits, on_update)
        began = searching.begin(limits)
        evaluation = hand_evaluation()
        search = FlatMonteCarlo(
            state, evaluation, self._seed_for(state), limits.first_actions(state)
        )
        only_move = search.nodes == 2
        analysis = searching.run(search, limits, on_update, began, only_move)
        return replace(analysis, weights_hash=evaluation.hash)
