"""Agents that take the best turn by an evaluation, without looking further."""

from __future__ import annotations

import time
from collections.abc import Callable

import looot_core as lc
from ai.agent import start
from ai.analysis import Analysis, Candidate
from ai.evaluation import Evaluation
from ai.greedy import ranked_turns
from ai.last_turn import is_last, solved_turn
from ai.limits import Limits
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
        state, limits = start(position, limits, on_update)
        first_actions = limits.first_actions(state)
        if is_last(state):
            return solved(state, began, first_actions)
        return best_by(self._evaluation, state, began, first_actions)


class GreedyHandAgent(GreedyAgent):
    """Plays as `GreedyAgent`, by an evaluation written by hand."""

    description = "Takes the best turn by an evaluation written by hand, without looking further."

    @staticmethod
    def evaluation() -> Evaluation:
        """Give the evaluation that the agent plays by."""
        return hand_evaluation()


def solved(state: lc.State, began: float, first_actions: list[int] | None = None) -> Analysis:
    """Give the analysis of the last turn of a game, which is exact.

    Parameters
    ----------
    state : State
        In which the game ends with the turn, which is played on it.
    began : float
        ``time.perf_counter()`` at the beginning.
    first_actions : list of int, optional
        Indices of the legal first actions to choose among.

    Returns
    -------
    Analysis
        With one candidate, the best turn.
    """
    mover = state.current_player
    if first_actions is None:
        turn, looked = solved_turn(state)
    else:
        turn, looked = _solved_among(state, first_actions)
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


def _solved_among(state: lc.State, first_actions: list[int]) -> tuple[list[lc.Action], int]:
    """Give the best last turn that begins with one of some actions, as `solved_turn` does."""
    mover = state.current_player
    best: tuple[tuple[int, int], list[lc.Action]] | None = None
    looked = 0
    for index in first_actions:
        after = state.clone()
        turn = [lc.Action.from_index(index, state)]
        after.apply(turn[0])
        if not after.is_over:
            rest, more = solved_turn(after)
            looked += more
            turn += rest
            for action in rest:
                after.apply(action)
        result = after.scores()[mover], after.position().seats[mover].trophy or 0  # R20, R21
        if best is None or result > best[0]:
            best = result, turn
    assert best is not None  # a state in a turn has a legal action
    return best[1], looked


def best_by(
    evaluation: Evaluation,
    state: lc.State,
    began: float,
    first_actions: list[int] | None = None,
    level: int = 1,
    most: int = 12,
) -> Analysis:
    """Give the analysis of a position by an evaluation alone.

    Parameters
    ----------
    evaluation : Evaluation
    state : State
        With a player to move; the best turn is played on it.
    began : float
        ``time.perf_counter()`` at the beginning.
    first_actions, level, most : optional
        As for `ai.greedy.ranked_turns`.

    Returns
    -------
    Analysis
    """
    ranked = ranked_turns(state, evaluation, level, most, first_actions)
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
