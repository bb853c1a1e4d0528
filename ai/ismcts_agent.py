"""The strongest agent: a tree search on whole turns, led by the learned evaluation."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar

import looot_core as lc
from ai import searching
from ai.agent import SeededAgent, start
from ai.analysis import Analysis
from ai.greedy_agent import best_by, solved
from ai.last_turn import is_last
from ai.levels import LEVELS, softened
from ai.limits import Limits
from ai.turn_search import TurnSearch
from ai.weights import learned_evaluation
from looot_core.generator import Generator

_SOFT_WIDTH = 3  # how widely the levels look that choose among many turns
_SOFT_TURNS = 96


class IsmctsAgent(SeededAgent):
    """Searches whole turns with the learned evaluation; see `ai.turn_search`.

    The last turn of a game is solved. Levels below 10 search less, or see less of what is to come
    and choose among good turns: see `ai.levels`.
    """

    description = "A tree search on whole turns, led by the learned evaluation."
    levels = range(1, 11)
    max_threads = 64
    parameters: ClassVar[Mapping[str, float]] = {}
    """Of the search, where they are not its own: for classes that are measured against this one."""
    solves_last_turn: ClassVar[bool] = True

    def __init__(self, *, level: int = 10, threads: int = 1, seed: int | None = None) -> None:
        super().__init__(seed=seed)
        self._threads = threads
        self._level = LEVELS[level]
        self._evaluation = learned_evaluation().shortsighted(self._level.foresight)

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
        state, limits = start(position, limits, on_update)
        began = searching.begin(limits)
        first_actions = limits.first_actions(state)
        level = self._level
        seed = self._seed_for(state)
        if level.simulations == 0:
            analysis = best_by(
                self._evaluation,
                state,
                time.perf_counter(),
                first_actions,
                _SOFT_WIDTH,
                _SOFT_TURNS,
            )
            return softened(analysis, level.softness, Generator(seed))
        if self.solves_last_turn and is_last(state):
            return solved(state, time.perf_counter(), first_actions)
        if level.simulations is not None:
            simulations = min(limits.simulations or level.simulations, level.simulations)
            limits = replace(limits, simulations=simulations)
        search = TurnSearch(
            state,
            self._evaluation,
            seed,
            searching.memory_of(limits),
            self._threads,
            first_actions,
            **self.parameters,
        )
        analysis = searching.run(search, limits, on_update, began)
        return replace(analysis, weights_hash=self._evaluation.hash)
