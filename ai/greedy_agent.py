"""Agents that take the best turn by an evaluation, without looking further."""

from __future__ import annotations

import time
from collections.abc import Callable

import looot_core as lc
from ai.agent import Limits, SearchAborted, start
from ai.analysis import Analysis, Candidate
from ai.evaluation import Evaluation
from ai.greedy import ranked_turns
from ai.last_turn import is_last, solved_turn
from ai.weights import hand_evaluation, learned_evaluation


class GreedyAgent:
    """Takes the turn after which the learned evaluation expects the best score lead.

    The last turn of a game is solved. It takes less than a millisecond, whatever the limits.
    """

    description = "Takes the best turn by the learned evaluation, without looking further."

    def __init__(self, *, level: int = 10, threads: int = 1, seed: int | None = None) -> None:
        self._evaluation = self.evaluation()

    @staticmethod
    def evaluation() -> Evaluation:
        """Give the evaluation that the agent plays by."""
        return learned_evaluation()

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
            A candidate's `visits` are 1, and its values those of the evaluation.
        """
        began = time.perf_counter()
        state = start(position, limits, on_update)
        if limits.stop is not None and limits.stop.aborted:
            raise SearchAborted
        if is_last(state):
            return solved(state, began)
        return best_by(self._evaluation, state, began)


class GreedyHandAgent(GreedyAgent):
    """Plays as `GreedyAgent`, by an evaluation written by hand."""

    description = "Takes the best turn by an evaluation written by hand, without looking further."

    @staticmethod
    def evaluation() -> Evaluation:
        """Give the evaluation that the agent plays by."""
        return hand_evaluation()


def solved(state: lc.State, began: float) -> Analysis:
    """Give the analysis of the last turn of a game, which is exact.

    Parameters
    ----------
    state : State
        In which the game ends with the turn.
    began : float
        ``time.perf_counter()`` at the beginning.

    Returns
    -------
    Analysis
        With one candidate, the best turn.
    """
    turn, looked = solved_turn(state)
    mover = state.current_player
    for action in turn:
        state.apply(action)
    scores, winners = state.scores(), state.winners()
    share = 1 / len(winners) if mover in winners else 0.0
    lead = scores[mover] - max(score for seat, score in enumerate(scores) if seat != mover)
    return Analysis(
        turn=turn,
        candidates=[Candidate(turn[0], turn, 1, share, float(lead), None, 0.0, turn)],
        simulations=looked,
        nodes=looked,
        depth=1,
        time_s=time.perf_counter() - began,
        expected_scores=[float(score) for score in scores],
        stopped_by="complete",
        score_spreads=[0.0] * len(scores),
    )


def best_by(
    evaluation: Evaluation, state: lc.State, began: float, level: int = 1, most: int = 12
) -> Analysis:
    """Give the analysis of a position by an evaluation alone.

    Parameters
    ----------
    evaluation : Evaluation
    state : State
        With a player to move; the best turn is played on it.
    began : float
        ``time.perf_counter()`` at the beginning.
    level, most : int, optional
        As for `ai.greedy.ranked_turns`.

    Returns
    -------
    Analysis
    """
    ranked = ranked_turns(state, evaluation, level, most)
    candidates = [
        Candidate(turn[0], turn, 1, share, lead, None, None, turn)
        for turn, share, lead, _ in ranked
    ]
    for action in candidates[0].turn:
        state.apply(action)
    return Analysis(
        turn=candidates[0].turn,
        candidates=candidates,
        simulations=len(candidates),
        nodes=len(candidates),
        depth=1,
        time_s=time.perf_counter() - began,
        expected_scores=ranked[0][3],
        stopped_by="complete",
        weights_hash=evaluation.hash,
        score_spreads=evaluation.spreads(state),
    )
