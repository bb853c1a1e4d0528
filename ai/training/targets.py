"""What the evaluation is fitted to: λ-returns of the final score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ai.evaluation import SHAPES
from ai.training.arrays import Weights
from ai.training.examples import FACT, Examples
from ai.training.forecast import gains


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Rows of seats at the starts of turns, in random order.

    Attributes
    ----------
    features : numpy.ndarray
        float16[rows, FEATURES].
    gains : numpy.ndarray
        float32[rows]: points that the seat is to win from here on, the target of the fit.
    """

    features: NDArray[np.float16]
    gains: NDArray[np.float32]


def training_set(
    paths: Sequence[Path], weights: Weights, trace_decay: float, seed: int
) -> TrainingSet:
    """Read files of examples into random order, with no copy of it all in between.

    Parameters
    ----------
    paths : sequence of path
        Each of whole games, as `ai.training.examples.play_games` gives them.
    weights : mapping of str to numpy.ndarray
        Give the forecasts.
    trace_decay : float
        λ, from 0 to 1.
    seed : int
        Of the order.

    Raises
    ------
    TrainingError
        If a file is none of examples.
    OSError
        If it cannot be read.
    """
    counts = [Examples.count(path) for path in paths]
    places = np.random.default_rng(seed).permutation(sum(counts))
    features = np.empty((len(places), SHAPES["linear"][0]), dtype=np.float16)
    targets = np.empty(len(places), dtype=np.float32)
    for path, part in zip(paths, np.split(places, np.cumsum(counts)[:-1]), strict=True):
        examples = Examples.load(path)
        scores = examples.facts[:, FACT.score]
        forecasts = gains(weights, examples.features) + scores
        features[part] = examples.features
        targets[part] = lambda_returns(forecasts, examples.facts, trace_decay) - scores
    return TrainingSet(features, targets)


def lambda_returns(
    forecasts: NDArray[np.float32], facts: NDArray[np.int16], trace_decay: float
) -> NDArray[np.float32]:
    """Mix the end of each game with the forecasts at the turns between.

    Sutton, "Learning to predict by the methods of temporal differences", 1988, with nothing to be
    won before the end: a seat's return at the last turn of a game is its final score, and at any
    other turn (1 - λ) * forecast at the next turn + λ * return at the next turn, whosever turn
    that is.

    Parameters
    ----------
    forecasts : numpy.ndarray
        Of the final score, in points, [rows].
    facts : numpy.ndarray
        Of the same rows, in the order in which the games were played.
    trace_decay : float
        λ, from 0 to 1; with 1, the returns are the final scores.

    Returns
    -------
    numpy.ndarray
        float32[rows], in points.
    """
    returns = facts[:, FACT.final_score].astype(np.float32)
    turns_left = facts[:, FACT.turns_left]
    for left in range(1, turns_left.max(initial=0) + 1):
        rows = np.flatnonzero(turns_left == left)
        later = rows + facts[rows, FACT.players]  # the same seat at the next turn
        returns[rows] = (1 - trace_decay) * forecasts[later] + trace_decay * returns[later]
    return returns
