"""What each part of a turn makes for the mover's lead in the seat network's forecasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import looot_core as lc
from ai.attribution import FACTORS, attribute
from ai.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one factor of the turn changes.

    Attributes
    ----------
    factor : str
        One of `ai.attribution.FACTORS`.
    forecasts : tuple of float
        Its Shapley value for the seat network's forecast of each seat's final score, in points.
    lead : float
        What that makes for the mover's forecast lead.
    """

    factor: str
    forecasts: tuple[float, ...]
    lead: float


def share_out(
    before: lc.State, after: lc.State, evaluation: Evaluation
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[Contribution, ...]]:
    """Share out what a turn changes.

    Parameters
    ----------
    before : State
        With a player to move.
    after : State
        The same after the rest of the turn, whatever was revealed.
    evaluation : Evaluation

    Returns
    -------
    tuple
        The forecasts of all seats before, those after as a mean over what may be revealed, and the
        contributions of the factors that change, of most lead first.
    """
    values = attribute(before, after, evaluation)
    first = tuple(value[0] for value in values)
    last = tuple(value[1] for value in values)
    shares = zip(*(value[2] for value in values), strict=True)
    weights = lead_weights(first, last, before.current_player)
    found = [
        Contribution(
            factor,
            forecasts,
            sum(weight * share for weight, share in zip(weights, forecasts, strict=True)),
        )
        for factor, forecasts in zip(FACTORS, shares, strict=True)
        if any(forecasts)
    ]
    return first, last, tuple(sorted(found, key=lambda contribution: -contribution.lead))


def lead(forecasts: Sequence[float], mover: int) -> float:
    """Give the forecast of the mover's score minus that of its best opponent."""
    return forecasts[mover] - max(score for seat, score in enumerate(forecasts) if seat != mover)


def lead_weights(before: Sequence[float], after: Sequence[float], mover: int) -> list[float]:
    """Give what a point for each seat makes for the mover's lead on the way to the forecasts after.

    All forecasts move evenly; each opponent counts for the part of the way on which it is the best
    one. This is the value of Aumann and Shapley ("Values of Non-Atomic Games", 1974) of the best
    opponent's forecast, so that the parts add up to its change.
    """
    opponents = [seat for seat in range(len(before)) if seat != mover]
    changes = [new - old for old, new in zip(before, after, strict=True)]
    moments = {0.0, 1.0}
    for one, other in combinations(opponents, 2):
        if changes[one] != changes[other]:
            crossing = (before[other] - before[one]) / (changes[one] - changes[other])
            if 0 < crossing < 1:
                moments.add(crossing)
    weights = [float(seat == mover) for seat in range(len(before))]
    for start, end in pairwise(sorted(moments)):
        middle = (start + end) / 2
        best = max(opponents, key=lambda seat: before[seat] + middle * changes[seat])
        weights[best] -= end - start
    return weights
