"""Intervals, and the test that says when a match is decided."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from ai.arena.errors import ArenaError

Z95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with the ends of its 95 % interval, which are None where there is too little data."""

    value: float
    low: float | None
    high: float | None


def wilson(successes: float, n: int) -> Estimate:
    """Give the share ``successes / n`` with its 95 % score interval.

    Wilson: Probable inference, the law of succession, and statistical inference, Journal of the
    American Statistical Association 22, 1927. It takes the n games for independent and for won or
    lost. Shared victories only make them less spread.

    Parameters
    ----------
    successes : float
        From 0 to n; a shared victory counts its share.
    n : int
        At least 1.
    """
    share = successes / n
    spread = Z95 * math.sqrt(share * (1 - share) / n + Z95**2 / (4 * n**2))
    scale = 1 + Z95**2 / n
    centre = share + Z95**2 / (2 * n)
    return Estimate(share, max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale))


def clustered(values: Sequence[float], clusters: Sequence[int]) -> Estimate:
    """Give the mean with a 95 % interval that counts each cluster as one observation.

    The variance of the mean is ``G / (G - 1) * sum over g of (sum over i in g of (y_i - mean))^2
    / n^2`` for G clusters and n values, with Student's t of G - 1 degrees of freedom: Cameron and
    Miller: A practitioner's guide to cluster-robust inference, Journal of Human Resources 50 (2),
    2015, for a regression on a constant. With clusters of one size it is the textbook interval
    of the mean of the clusters' means.

    Parameters
    ----------
    values : sequence of float
        At least one.
    clusters : sequence of int
        To which cluster each value belongs. Below three of them there is no interval.
    """
    mean = sum(values) / len(values)
    residuals: dict[int, float] = defaultdict(float)
    for value, cluster in zip(values, clusters, strict=True):
        residuals[cluster] += value - mean
    count = len(residuals)
    if count < 3:
        return Estimate(mean, None, None)
    squares = sum(residual**2 for residual in residuals.values())
    error = math.sqrt(count / (count - 1) * squares) / len(values)
    half = student_t(count - 1) * error
    return Estimate(mean, mean - half, mean + half)


def student_t(degrees: int) -> float:
    """Give the 97.5 % quantile of Student's t, within 1 % for 2 degrees of freedom and more.

    Abramowitz and Stegun: Handbook of mathematical functions, 1964, formula 26.7.5.
    """
    z = Z95
    terms: tuple[float, ...] = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / float(degrees) ** power for power, term in enumerate(terms))


@dataclass(frozen=True, slots=True)
class Decision:
    """What a sequential test found.

    Attributes
    ----------
    accepted : str
        ``"p1"``: the share is above p0; ``"p0"``: it is below p1.
    deals : int
        After how many deals.
    """

    accepted: str
    deals: int


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """A test of the first agent's share that may look after every deal.

    Two gamblers bet on the deals in their order, one against "the share is at most p0", one
    against "it is at least p1". Each starts with 1, and a fair or losing game multiplies that by
    1 / alpha with a probability of at most alpha, at whatever moment one looks (Ville's
    inequality). So the errors are exact bounds, for any number of deals and whatever the
    distribution of their shares. On games that are won or lost with the fixed stake
    ``(p1 - p0) / (p0 * (1 - p0))`` the first gambler's capital is the likelihood ratio of Wald's
    test; here the stake follows the variance of the deals so far, which gains from their
    having all seatings. Waudby-Smith and Ramdas: Estimating means of bounded random variables by
    betting, Journal of the Royal Statistical Society B 86 (1), 2024; Wald: Sequential tests of
    statistical hypotheses, Annals of Mathematical Statistics 16, 1945.

    Parameters
    ----------
    p0, p1 : float
        Shares, 0 < p0 < p1 < 1.
    alpha, beta : float, optional
        The most probability of accepting p1 although the share is at most p0, and of accepting p0
        although it is at least p1; above 0 and below 1.

    Raises
    ------
    ArenaError
        If a value is out of range.
    """

    p0: float
    p1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.p0 < self.p1 < 1:
            raise ArenaError(f"p0, p1: 0 < {self.p0} < {self.p1} < 1 does not hold")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 1:
                raise ArenaError(f"{name}: {getattr(self, name)} is not above 0 and below 1")

    @classmethod
    def parse(cls, text: str) -> SequentialTest:
        """Read ``p0=0.5,p1=0.6``, where ``alpha=`` and ``beta=`` may follow.

        Raises
        ------
        ArenaError
            If it is none.
        """
        try:
            return cls(**{name: float(value) for name, value in _pairs(text)})
        except (TypeError, ValueError) as error:
            if isinstance(error, ArenaError):
                raise
            raise ArenaError(f"test: {text!r} is not of the form p0=0.5,p1=0.6") from error

    def decide(self, shares: Iterable[float]) -> Decision | None:
        """Read the shares of the deals, each from 0 to 1, in their order until it is decided."""
        above_p0 = below_p1 = 1.0
        difference = self.p1 - self.p0
        # Of the deals before, and of one at 1/2 with the largest variance there is.
        count, total, squares = 1, 0.5, 0.25
        for share in shares:
            stake = difference / (squares / count + difference**2)
            above_p0 *= 1 + min(stake, 0.5 / self.p0) * (share - self.p0)
            below_p1 *= 1 - min(stake, 0.5 / (1 - self.p1)) * (share - self.p1)
            if above_p0 * self.alpha >= 1:
                return Decision("p1", count)
            if below_p1 * self.beta >= 1:
                return Decision("p0", count)
            total += share
            count += 1
            squares += (share - total / count) ** 2
        return None


def _pairs(text: str) -> list[list[str]]:
    return [pair.split("=") for pair in text.split(",")]
