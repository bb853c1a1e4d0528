"""What an agent found in a position."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import looot_core as lc
from ai.evaluation import Evaluation
from ai.reasons import Reasons, reasons_for
from ai.weights import learned_evaluation

MOST_EXPLAINED = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A first action of the mover, and what the search found behind it.

    Attributes
    ----------
    action : Action
    turn : list of Action
        The best rest of the turn that begins with the action; ends with ``end``.
    visits : int
        Simulations in which the search chose the action. An agent may begin some further down its
        best turn, which count for no candidate; so their sum may be less than the simulations.
    win_probability : float or None
        Of the mover; a shared victory counts its share. None: the agent estimates none.
    score_lead : float or None
        Expected final score of the mover minus that of its best opponent. None: the agent
        estimates none.
    prior : float or None
        Probability the action had before any simulation. None: it had none.
    standard_error : float or None
        Of `win_probability`. A search of whole turns says how far a much longer one would move it
        (`ai.spread` has the formula), one of steps takes its simulations for independent games.
        What the evaluation gets wrong is in neither. None: not known.
    principal_variation : list of Action
        The most visited line from the action on, through the turns that follow as far as no
        draw decides what is legal.
    reasons : Reasons or None
        What speaks for the turn. None where nobody asked: `explained` gives them.
    """

    action: lc.Action
    turn: list[lc.Action]
    visits: int
    win_probability: float | None
    score_lead: float | None
    prior: float | None
    standard_error: float | None
    principal_variation: list[lc.Action]
    reasons: Reasons | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A legal first action, over all candidates that begin with it.

    Attributes
    ----------
    action : Action
    visits : int
        The sum of theirs.
    win_probability, score_lead : float or None
        Of the mover: the means over their visits. None: the agent estimates none.
    prior : float or None
        The sum of theirs: a turn that was never visited is no candidate. None: they had none.
    """

    action: lc.Action
    visits: int
    win_probability: float | None
    score_lead: float | None
    prior: float | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an agent found in a position.

    Attributes
    ----------
    turn : list of Action
        The best rest of the turn; ends with ``end``.
    candidates : list of Candidate
        Best first: one for each turn that was visited, or for each first action where the agent
        searches single steps.
    simulations, nodes : int
        Games played out; nodes of the tree.
    depth : int
        Steps of the longest line in the tree.
    time_s : float
        Seconds taken.
    expected_scores : list of float
        Final score of each seat, as the agent's simulations end on average: where they are played
        out at random, as those of ``ismcts_plain``, far lower than good players reach. Empty if the
        agent estimates none.
    stopped_by : str
        ``"time"``, ``"simulations"``, ``"stop"``, ``"only_move"`` (nothing to choose),
        ``"complete"`` (nothing left to search), ``"early_end"`` (no turn could overtake the best
        one any more); ``""`` in an update, for the search goes on.
    weights_hash : str
        Of the weights that the agent judged positions with; empty if it has none.
    score_spreads : list of float
        Standard deviation of the final score of each seat about `expected_scores`, in points: over
        the agent's simulations, and over what may happen after them (`ai.spread`). Empty if the
        agent estimates none.
    memory_bytes : int
        Of the search tree; 0 if there is none.
    reused_visits : int
        Simulations that the agent knew of the position from searching earlier ones. The visits of
        candidates count them, `simulations` does not.
    """

    turn: list[lc.Action]
    candidates: list[Candidate]
    simulations: int
    nodes: int
    depth: int
    time_s: float
    expected_scores: list[float]
    stopped_by: str
    weights_hash: str = ""
    score_spreads: list[float] = field(default_factory=list)
    memory_bytes: int = 0
    reused_visits: int = 0

    @property
    def steps(self) -> list[Step]:
        """The first actions of all candidates, most visited first, then as their best candidates.

        Tiles may often be laid in another order: a turn counts for the action that it names first.
        """
        groups: dict[lc.Action, list[Candidate]] = {}
        for candidate in self.candidates:
            groups.setdefault(candidate.action, []).append(candidate)
        steps = [_step(action, candidates) for action, candidates in groups.items()]
        return sorted(steps, key=lambda step: -step.visits)


def _step(action: lc.Action, candidates: list[Candidate]) -> Step:
    visits = [candidate.visits for candidate in candidates]
    priors = [candidate.prior for candidate in candidates if candidate.prior is not None]
    return Step(
        action,
        sum(visits),
        _mean([candidate.win_probability for candidate in candidates], visits),
        _mean([candidate.score_lead for candidate in candidates], visits),
        sum(priors) if len(priors) == len(candidates) else None,
    )


def _mean(values: list[float | None], weights: list[int]) -> float | None:
    known = [value for value in values if value is not None]
    if len(known) < len(values) or not any(weights):
        return None
    return sum(value * weight for value, weight in zip(known, weights, strict=True)) / sum(weights)


def explained(
    position: lc.Position, analysis: Analysis, evaluation: Evaluation | None = None
) -> Analysis:
    """Give the analysis with the reasons for its first five candidates.

    It takes a fraction of a millisecond each, so that agents leave it to those who show them.

    Parameters
    ----------
    position : Position
        That the analysis is of.
    analysis : Analysis
        Of any agent.
    evaluation : Evaluation, optional
        That values what the turns change; the learned one if it is None.

    Returns
    -------
    Analysis

    Raises
    ------
    IllegalActionError
        If the analysis is of another position.
    """
    state = lc.State.from_position(position, seed=0)
    judge = learned_evaluation() if evaluation is None else evaluation
    first = [
        replace(candidate, reasons=reasons_for(state, candidate.turn, judge))
        for candidate in analysis.candidates[:MOST_EXPLAINED]
    ]
    return replace(analysis, candidates=first + analysis.candidates[MOST_EXPLAINED:])
