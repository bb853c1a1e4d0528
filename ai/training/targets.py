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
from ai.training.forecast import table_gains


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Rows of seats at the starts of turns, in the order in which they were played.

    Attributes
    ----------
    examples : Examples
    gains : numpy.ndarray
        float32[rows]: points that the seat is to win from here on, the target of the fit.
    """

    examples: Examples
    gains: NDArray[np.float32]


def training_set(paths: Sequence[Path], weights: Weights, trace_decay: float) -> TrainingSet:
    """Read files of examples, with no copy of it all in between.

    Parameters
    ----------
    paths : sequence of path
        Each of whole games, as `ai.training.examples.play_games` gives them.
    weights : mapping of str to numpy.ndarray
        Their table network gives the forecasts.
    trace_decay : float
        λ, from 0 to 1.

    Raises
    ------
    TrainingError
        If a file is none of examples.
    OSError
        If it cannot be read.
    """
    rows = sum(Examples.count(path) for path in paths)
    features = np.empty((rows, SHAPES["linear"][0]), dtype=np.float16)
    facts = np.empty((rows, len(FACT)), dtype=np.int16)
    gains = np.empty(rows, dtype=np.float32)
    begin = 0
    for path in paths:
        examples = Examples.load(path)
        part = slice(begin, begin + len(examples.facts))
        begin = part.stop
        scores = examples.facts[:, FACT.score]
        forecasts = table_gains(weights, examples) + scores
        features[part] = examples.features
        facts[part] = examples.facts
        gains[part] = lambda_returns(forecasts, examples.facts, trace_decay) - scores
    return TrainingSet(Examples(features, facts), gains)


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
