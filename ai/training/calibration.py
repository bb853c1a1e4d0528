"""How far the evaluation's forecasts hold in games that it was not fitted to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.arena.statistics import Estimate, clustered
from ai.training.arrays import Weights
from ai.training.errors import TrainingError
from ai.training.examples import FACT, Examples
from ai.training.forecast import seat_gains, shares, table_gains, turns, victories

PHASES = ((10, 13), (7, 9), (4, 6), (1, 3))
"""From how many to how many vikings in hand the player with most of them has."""

BINS = 10
"""Of the win probability, of the same width."""


@dataclass(frozen=True, slots=True)
class ScoreError:
    """Errors (forecast minus truth) of the final score.

    Attributes
    ----------
    vikings_in_hand : int
        Of the seat whose score it is.
    players : int
    rows : int
        Seats at the starts of turns.
    bias : float
        Mean error, in points.
    deviation : float
        Standard deviation of the error, in points.
    """

    vikings_in_hand: int
    players: int
    rows: int
    bias: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """What became of the seats that were given about the same share of the victory.

    Attributes
    ----------
    phase, bin : int
        Numbers in `PHASES`, and from 0 up to `BINS`.
    rows : int
        Seats at the starts of turns.
    forecast : float
        Mean of the forecast shares.
    observed : Estimate
        Mean of the shares in the end; each game counts as one observation in its interval.
    """

    phase: int
    bin: int
    rows: int
    forecast: float
    observed: Estimate


@dataclass(frozen=True, slots=True)
class Calibration:
    """Forecasts beside what happened.

    Attributes
    ----------
    games, rows : int
    error : float
        Root of the mean squared error of the final score, in points.
    seat_error : float
        That of the seat network; all else is of the table network.
    log_loss, even_log_loss : float
        Of the forecast shares of the victory, and of equal shares; a turn, in nats.
    scores : tuple of ScoreError
        By players, then from most vikings in hand to none, where there are any.
    reliability : tuple of Reliability
        By phase and bin, where there are any.
    told : tuple of float
        The standard deviations that the weights themselves tell, by vikings in hand.
    """

    games: int
    rows: int
    error: float
    seat_error: float
    log_loss: float
    even_log_loss: float
    scores: tuple[ScoreError, ...]
    reliability: tuple[Reliability, ...]
    told: tuple[float, ...]


def calibrate(weights: Weights, examples: Examples) -> Calibration:
    """Compare forecasts with the ends of games.

    Parameters
    ----------
    weights : mapping of str to numpy.ndarray
    examples : Examples
        In the order in which they were played.

    Raises
    ------
    TrainingError
        If there are none.
    """
    facts = examples.facts
    if not len(facts):
        raise TrainingError("calibration: there are no examples")
    scores = table_gains(weights, examples) + facts[:, FACT.score]
    errors = scores - facts[:, FACT.final_score]
    won = facts[:, FACT.final_score] - facts[:, FACT.score]
    seat_errors = seat_gains(weights, examples.features) - won
    games = games_of(facts)
    forecast = np.zeros(len(facts))
    observed = np.zeros(len(facts))
    most = np.zeros(len(facts), dtype=np.int64)
    for players in (2, 3, 4):
        rows = turns(facts, players)
        left = facts[rows, FACT.vikings_in_hand].max(axis=1, keepdims=True, initial=0)
        forecast[rows] = shares(scores[rows], weights["scale"][left])
        observed[rows] = victories(facts[rows, FACT.final_score])
        most[rows] = left
    count = np.count_nonzero(facts[:, FACT.seat] == 0)
    return Calibration(
        games=int(games[-1]) + 1,
        rows=len(facts),
        error=float(np.sqrt(np.mean(errors**2))),
        seat_error=float(np.sqrt(np.mean(seat_errors**2))),
        log_loss=float(-(observed * np.log(np.maximum(forecast, 1e-12))).sum() / count),
        even_log_loss=float((observed * np.log(facts[:, FACT.players])).sum() / count),
        scores=_score_errors(errors, facts),
        reliability=_reliability(forecast, observed, most, games),
        told=tuple(weights["spread"].tolist()),
    )


def games_of(facts: NDArray[np.int16]) -> NDArray[np.intp]:
    """Give the number of each row's game, from 0; the rows must be in the order of play."""
    last_seat = facts[:, FACT.seat] == facts[:, FACT.players] - 1
    ends = (last_seat & (facts[:, FACT.turns_left] == 0)).astype(np.intp)
    games: NDArray[np.intp] = np.cumsum(ends) - ends
    return games


def _score_errors(errors: NDArray[np.float32], facts: NDArray[np.int16]) -> tuple[ScoreError, ...]:
    found: list[ScoreError] = []
    for players in (2, 3, 4):
        for left in range(int(facts[:, FACT.vikings_in_hand].max()), -1, -1):
            rows = (facts[:, FACT.players] == players) & (facts[:, FACT.vikings_in_hand] == left)
            some = errors[rows].astype(np.float64)
            if len(some):
                found.append(
                    ScoreError(left, players, len(some), float(some.mean()), float(some.std()))
                )
    return tuple(found)


def _reliability(
    forecast: NDArray[np.float64],
    observed: NDArray[np.float64],
    most: NDArray[np.int64],
    games: NDArray[np.intp],
) -> tuple[Reliability, ...]:
    bins = np.minimum((forecast * BINS).astype(np.int64), BINS - 1)
    found: list[Reliability] = []
    for phase, (least, greatest) in enumerate(PHASES):
        for number in range(BINS):
            rows = (bins == number) & (most >= least) & (most <= greatest)
            if rows.any():
                share = clustered(observed[rows].tolist(), games[rows].tolist())
                mean = float(forecast[rows].mean())
                found.append(Reliability(phase, number, int(rows.sum()), mean, share))
    return tuple(found)
