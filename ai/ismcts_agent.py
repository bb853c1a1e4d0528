"""The strongest agent: a tree search on whole turns, led by the learned evaluation."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import looot_core as lc
from ai import searching
from ai.agent import Limits, SearchAborted, start
from ai.analysis import Analysis
from ai.greedy_agent import solved
from ai.last_turn import is_last
from ai.turn_search import TurnSearch
from ai.weights import learned_evaluation


class IsmctsAgent:
    """Searches whole turns with the learned evaluation; see `ai.turn_search`.

    The last turn of a game is solved.
    """

    description = "A tree search on whole turns, led by the learned evaluation."
    max_threads = 64

    def __init__(self, *, level: int = 10, threads: int = 1, seed: int | None = None) -> None:
        self._seed = seed
        self._threads = threads
        self._evaluation = learned_evaluation()

    def analyze(
        self,
        position: lc.Position,
        limits: Limits,
        on_update: Callable[[Analysis], object] | None = None,
    ) -> Analysis:
        """Find the best rest of the turn; see `Agent.analyze`.

        Returns
        -------
        Analysis
            Its candidates are whole turns.

        Raises
        ------
        InvalidLimitsError
            If the limits have neither a time nor simulations nor a stop flag.
        """
        state = start(position, limits, on_update)
        began = searching.begin(limits)
        searching.check_bounded(limits)
        if limits.stop is not None and limits.stop.aborted:
            raise SearchAborted
        if is_last(state):
            return solved(state, time.perf_counter())
        search = TurnSearch(
            state,
            self._evaluation,
            searching.seed_of(self._seed, state),
            searching.memory_of(limits),
            self._threads,
        )
        analysis = searching.run(search, limits, on_update, began)
        return replace(analysis, weights_hash=self._evaluation.hash)
