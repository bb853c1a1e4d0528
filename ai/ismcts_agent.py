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

    The tree of the last move is kept. Where it has the next position, with the same player to move,
    the search goes on from there; `Limits.simulations` then count the new ones only. With a seed,
    an analysis is repeated by an agent that analysed the same positions before; a new agent begins
    with no tree. Limits that name first actions, or another memory, begin a new tree, and levels
    below 10 always do.

    The last turn of a game is solved. Levels below 10 search less, or see less of what is to come
    and choose among good turns: see `ai.levels`.
    """

    description = "A tree search on whole turns, led by the learned evaluation."
    levels = range(1, 11)
    max_threads = 64
    parameters: ClassVar[Mapping[str, float]] = {}
    """Of the search, where they are not its own: for classes that are measured against this one."""
    solves_last_turn: ClassVar[bool] = True
    keeps_tree: ClassVar[bool] = True

    def __init__(self, *, level: int = 10, threads: int = 1, seed: int | None = None) -> None:
        super().__init__(seed=seed)
        self._threads = threads
        self._kept: tuple[TurnSearch, int] | None = None  # with the most bytes of its tree
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
        search, reused = self._search_of(state, seed, searching.memory_of(limits), first_actions)
        analysis = searching.run(search, limits, on_update, began)
        if level.simulations is None and self.keeps_tree:
            self._kept = search, searching.memory_of(limits)
        return replace(analysis, weights_hash=self._evaluation.hash, reused_visits=reused)

    def _search_of(
        self, state: lc.State, seed: int, memory: int, first_actions: list[int] | None
    ) -> tuple[TurnSearch, int]:
        """Give the search that was kept, if it knows the position, with its visits; else a new one.

        It is taken away meanwhile, so that two threads that use one agent never share a search.
        """
        kept, self._kept = self._kept, None
        if kept is not None and kept[1] == memory and first_actions is None:
            reused = kept[0].follow(state)
            if reused:
                return kept[0], reused
        search = TurnSearch(
            state,
            self._evaluation,
            seed,
            memory,
            self._threads,
            first_actions,
            **self.parameters,
        )
        return search, 0
