"""OpenSpiel's information set Monte Carlo tree search as an agent (extra ``openspiel``).

A yardstick of another make. It is not registered: the arena knows it by the path of its class,
``ai.open_spiel_agent.OpenSpielIsmctsAgent``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

import looot_core as lc
from ai import searching
from ai.agent import SearchAborted, SeededAgent, start
from ai.analysis import Analysis, Candidate
from ai.limits import Limits
from ai.open_spiel_game import LoootGame, LoootState

_LEAST = 2  # simulations of a step; the first one of OpenSpiel's goes to no action
_EXPLORATION = math.sqrt(2)


class OpenSpielIsmctsAgent(SeededAgent):
    """Searches each step of a turn with OpenSpiel's ``ISMCTSBot`` and its random rollouts.

    Each step is given half of what is left of the limits, and two simulations at least, so that
    very low limits are exceeded. Its tree is bounded by time and simulations only.
    """

    description = "OpenSpiel's tree search in Python, step by step, with playouts at random."

    def analyze(
        self,
        position: lc.Position,
        limits: Limits,
        on_update: Callable[[Analysis], object] | None = None,
    ) -> Analysis:
        """Find the best rest of the turn; see `Agent.analyze`. There are no updates.

        Returns
        -------
        Analysis
            With one candidate; its values are those of its first step that was searched.

        Raises
        ------
        InvalidLimitsError
            If the limits have neither a time nor simulations nor a stop flag, or ask for a bound
            on memory, an early end or a choice of first actions.
        """
        state, limits = start(position, limits, on_update)
        limits.refuse("OpenSpiel's bot", "memory_mb", "early_end", "only", "without")
        began = searching.begin(limits)
        budget = _Budget(limits, began)
        bot = _Bot(LoootGame(position=position), self._seed_for(state))
        turn: list[lc.Action] = []
        visits, value, node = 0, None, bot.root
        while not turn or str(turn[-1]) != "end":
            number, step_visits, step_value = bot.choose(node, budget)
            if value is None:
                visits, value = step_visits, step_value
            turn.append(lc.Action.from_index(number, state))
            node.apply_action(number)
            if node.is_chance_node():
                node.apply_action(node.chance_outcomes()[0][0])
        candidate = Candidate(turn[0], turn, visits, value, None, None, None, turn)
        return Analysis(
            turn=turn,
            candidates=[candidate],
            simulations=budget.simulations,
            nodes=bot.nodes,
            depth=bot.depth,
            time_s=budget.clock() - began,
            expected_scores=[],
            stopped_by=budget.reason,
        )


class _Budget:
    """What is left of the limits, halved for each step."""

    def __init__(self, limits: Limits, began: float) -> None:
        self.limits = limits
        self.clock = time.thread_time if limits.processor_time else time.perf_counter
        self.end = math.inf if limits.time_s is None else began + limits.time_s
        self.most = limits.simulations or math.inf
        self.simulations = 0
        self.reason = "only_move"
        self._step_end = self._step_most = math.inf

    def begin_step(self) -> None:
        now = self.clock()
        self._step_end = now + max(0.0, self.end - now) / 2
        self._step_most = self.simulations + max(_LEAST, (self.most - self.simulations) / 2)

    def allows_more(self) -> bool:
        stop = self.limits.stop
        if stop is not None and stop.aborted:
            raise SearchAborted
        if self.simulations >= self._step_most:
            self.reason = "simulations"
        elif self.clock() >= self._step_end:
            self.reason = "time"
        elif stop is not None and stop.stopped:
            self.reason = "stop"
        else:
            return True
        return False


class _Bot(ISMCTSBot):  # type: ignore[misc]
    """The bot with a budget in place of a fixed number of simulations."""

    def __init__(self, game: LoootGame, seed: int) -> None:
        chance = np.random.RandomState([seed >> 32, seed & 0xFFFFFFFF])
        super().__init__(
            game,
            RandomRolloutEvaluator(1, chance),
            uct_c=_EXPLORATION,
            max_simulations=0,
            random_state=chance,
        )
        self.root: LoootState = game.new_initial_state()
        self.nodes = 0
        self.depth = 0

    def create_new_node(self, state: LoootState) -> Any:
        """Add a node, and count."""
        self.nodes += 1
        self.depth = max(self.depth, state.move_number())
        return super().create_new_node(state)

    def choose(self, state: LoootState, budget: _Budget) -> tuple[int, int, float | None]:
        """Give the most visited action, the best one among equals, with its visits and value."""
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0], 0, None
        self.reset()
        root = self.create_new_node(state)
        budget.begin_step()
        done = 0
        while budget.allows_more() or done < _LEAST:
            self.run_simulation(self.sample_root_state(state))
            budget.simulations += 1
            done += 1
        number = max(
            root.child_info,
            key=lambda each: (root.child_info[each].visits, root.child_info[each].value()),
        )
        child = root.child_info[number]
        return number, child.visits, float(child.value())
