"""The evaluation's arithmetic on many rows at once, and what is fitted to its errors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.evaluation import SHAPES
from ai.training.arrays import Weights
from ai.training.examples import FACT, Examples

UNIT = np.float32(10)
"""Points that one unit of a network's output stands for."""

TABLE = "table_"
"""What the names of the table network's arrays begin with; the seat network's have no prefix."""

_PART = 8192  # rows or turns; what they become fits a cache
_SCALES = np.geomspace(0.5, 40, 60)  # points


class Errors(NamedTuple):
    """Roots of the mean squared errors of the final score in points, a network each."""

    seat: float
    table: float


def seat_gains(weights: Weights, features: NDArray[np.float16]) -> NDArray[np.float32]:
    """Give the points that each row's seat is to add to its score, by the seat network."""
    found = np.empty(len(features), dtype=np.float32)
    for begin in range(0, len(features), _PART):
        seen = features[begin : begin + _PART].astype(np.float32)
        found[begin : begin + _PART] = _network(weights, "", seen)
    return found


def table_gains(weights: Weights, examples: Examples) -> NDArray[np.float32]:
    """Give the points that each row's seat is to add to its score, by the table network.

    The examples must be in the order in which they were played.
    """
    found = np.empty(len(examples.facts), dtype=np.float32)
    for players in (2, 3, 4):
        rows = turns(examples.facts, players)
        for begin in range(0, len(rows), _PART):
            part = rows[begin : begin + _PART]
            own = examples.features[part].astype(np.float32)
            others = (own.sum(axis=1, keepdims=True) - own) / np.float32(players - 1)
            found[part] = _network(weights, TABLE, np.concatenate([own, others], axis=2))
    return found


def _network(weights: Weights, prefix: str, seen: NDArray[np.float32]) -> NDArray[np.float32]:
    hidden = np.maximum(seen @ weights[prefix + "first"] + weights[prefix + "first_bias"], 0)
    hidden = np.maximum(hidden @ weights[prefix + "second"] + weights[prefix + "second_bias"], 0)
    gains: NDArray[np.float32] = UNIT * (
        hidden @ weights[prefix + "third"]
        + seen @ weights[prefix + "linear"]
        + weights[prefix + "bias"]
    )
    return gains


def turns(facts: NDArray[np.int16], players: int) -> NDArray[np.intp]:
    """Give the rows of each turn of the games of so many players, intp[turns, players].

    The rows must be in the order in which they were played.
    """
    of_players = facts[:, FACT.players] == players
    first = np.flatnonzero(of_players & (facts[:, FACT.seat] == 0))
    return first[:, None] + np.arange(players)


def victories(finals: NDArray[np.int16]) -> NDArray[np.float64]:
    """Give the shares of the victory by the final scores, [turns, players].

    Equal scores share it: examples do not tell the trophies, by which R21 decides first.
    """
    best = finals == finals.max(axis=1, keepdims=True)
    result: NDArray[np.float64] = best / best.sum(axis=1, keepdims=True)
    return result


def shares(scores: NDArray[np.float32], scale: NDArray[np.float32] | float) -> NDArray[np.float64]:
    """Give the expected shares of the victory, [turns, players].

    Parameters
    ----------
    scores : numpy.ndarray
        Expected final scores, [turns, players].
    scale : numpy.ndarray or float
        Of the softmax, in points; [turns, 1] or one for all.
    """
    leads = (scores - scores.max(axis=1, keepdims=True)).astype(np.float64)
    powers = np.exp(leads / scale)
    result: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return result


def spread_of(errors: NDArray[np.float32], facts: NDArray[np.int16]) -> NDArray[np.float32]:
    """Give the root of the mean squared error of the final score by vikings in hand.

    1 for a number of vikings that no row has.
    """
    left = facts[:, FACT.vikings_in_hand]
    counts = range(SHAPES["spread"][0])
    return np.array(
        [np.sqrt(np.mean(errors[left == n] ** 2)) if (left == n).any() else 1.0 for n in counts],
        dtype=np.float32,
    )


def scale_of(scores: NDArray[np.float32], facts: NDArray[np.int16]) -> NDArray[np.float32]:
    """Give the softmax's scale of least log loss by the most vikings in hand.

    1 for a number of vikings that no turn has.

    Parameters
    ----------
    scores : numpy.ndarray
        Expected final scores, [rows].
    facts : numpy.ndarray
        In the order in which the games were played.
    """
    losses = np.zeros((SHAPES["scale"][0], len(_SCALES)))
    for players in (2, 3, 4):
        rows = turns(facts, players)
        won = victories(facts[rows, FACT.final_score])
        left = facts[rows, FACT.vikings_in_hand].max(axis=1, initial=0)
        leads = scores[rows] - scores[rows].max(axis=1, keepdims=True, initial=-np.inf)
        for n, scale in enumerate(_SCALES):
            logs = leads / scale
            logs = logs - np.log(np.exp(logs).sum(axis=1, keepdims=True))
            loss = -(won * logs).sum(axis=1)
            losses[:, n] += np.bincount(left, weights=loss, minlength=len(losses))
    best = _SCALES[losses.argmin(axis=1)]
    best[losses.max(axis=1) == 0] = 1.0
    scales: NDArray[np.float32] = best.astype(np.float32)
    return scales
