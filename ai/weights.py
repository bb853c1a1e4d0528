"""The evaluation's weights that come with the package."""

from __future__ import annotations

from functools import cache
from importlib import resources

from ai.evaluation import Evaluation
from ai.hand_weights import hand_weights


@cache
def learned_evaluation() -> Evaluation:
    """Give the evaluation with the weights in ``ai/data``."""
    with resources.as_file(resources.files("ai") / "data" / "weights.npz") as path:
        return Evaluation.load(path)


@cache
def hand_evaluation() -> Evaluation:
    """Give the evaluation written by hand."""
    return Evaluation(hand_weights())
