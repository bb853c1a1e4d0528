"""An agent that plays at random: the floor that every other agent is measured against."""

from __future__ import annotations

import time
from collections.abc import Callable

import looot_core as lc
from ai.agent import SeededAgent, start
from ai.analysis import Analysis, Candidate
from ai.limits import Limits
from looot_core.generator import Generator


class RandomAgent(SeededAgent):
    """Chooses each step of its turn uniformly from the legal ones.

    It estimates nothing: its analysis has one candidate, without values.
    """

    description = "Plays at random: each step uniformly from the legal ones."

    def analyze(
        self,
        position: lc.Position,
        limits: Limits,
        on_update: Callable[[Analysis], object] | None = None,
    ) -> Analysis:
        """Choose the rest of the turn; see `Agent.analyze`. It takes no time to speak of."""
        began = time.perf_counter()
        state, limits = start(position, limits, on_update)
        generator = Generator(self._seed_for(state))
        indices = limits.first_actions(state)
        legal = state.legal_actions()
        if indices is not None:
            legal = [lc.Action.from_index(index, state) for index in indices]
        choices = len(legal)
        turn: list[lc.Action] = []
        while not turn or str(turn[-1]) != "end":
            turn.append(legal[generator.below(len(legal))])
            state.apply(turn[-1])
            legal = state.legal_actions()
        candidate = Candidate(turn[0], turn, 0, None, None, 1 / choices, None, turn)
        return Analysis(
            turn=turn,
            candidates=[candidate],
            simulations=0,
            nodes=0,
            depth=0,
            time_s=time.perf_counter() - began,
            expected_scores=[],
            stopped_by="complete",
        )
