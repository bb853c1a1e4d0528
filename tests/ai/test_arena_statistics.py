"""Intervals against published values, and the errors of the sequential test by simulation."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from ai.arena import ArenaError, SequentialTest, clustered, wilson
from ai.arena.statistics import Z95, student_t


# Newcombe: Two-sided confidence intervals for the single proportion, Statistics in Medicine 17,
# 1998, table I, method 3.
@pytest.mark.parametrize(
    ("won", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_interval_is_the_published_one(won: int, n: int, low: float, high: float) -> None:
    estimate = wilson(won, n)
    assert estimate.value == won / n
    assert estimate.low == pytest.approx(low, abs=5e-5)
    assert estimate.high == pytest.approx(high, abs=5e-5)


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(2, 4.303), (4, 2.776), (10, 2.228), (30, 2.042), (120, 1.980)]
)
def test_student_t_is_near_the_tables(degrees: int, quantile: float) -> None:
    assert student_t(degrees) == pytest.approx(quantile, rel=0.01)


def test_equal_clusters_give_the_interval_of_their_means() -> None:
    values = [3.0, 5.0, -2.0, 0.0, 7.0, 9.0, 1.0, 1.0]
    means = [4.0, -1.0, 8.0, 1.0]
    mean = sum(means) / 4
    error = (sum((m - mean) ** 2 for m in means) / 3 / 4) ** 0.5
    estimate = clustered(values, [0, 0, 1, 1, 2, 2, 3, 3])
    assert estimate.value == mean
    assert estimate.high == pytest.approx(mean + student_t(3) * error)
    assert estimate.low == pytest.approx(mean - student_t(3) * error)


def test_two_clusters_give_no_interval() -> None:
    estimate = clustered([1.0, 2.0, 3.0], [0, 0, 1])
    assert (estimate.value, estimate.low, estimate.high) == (2.0, None, None)


def test_clustered_interval_covers_the_mean_where_a_plain_one_does_not() -> None:
    chance = random.Random(1)
    clusters = [deal for deal in range(30) for _ in range(3)]
    runs, covered, covered_plainly = 2000, 0, 0
    for _ in range(runs):
        deals = [chance.gauss(5, 3) for _ in range(30)]
        values = [deals[deal] + chance.gauss(0, 1) for deal in clusters]
        estimate = clustered(values, clusters)
        assert estimate.low is not None
        assert estimate.high is not None
        covered += estimate.low <= 5 <= estimate.high
        variance = sum((value - estimate.value) ** 2 for value in values) / (len(values) - 1)
        covered_plainly += abs(estimate.value - 5) <= Z95 * (variance / len(values)) ** 0.5
    assert 0.935 < covered / runs < 0.965
    assert covered_plainly / runs < 0.85


def coins(p: float, chance: random.Random) -> Iterator[float]:
    while True:
        yield float(chance.random() < p)


def pairs(p: float, chance: random.Random) -> Iterator[float]:
    """Both seatings of a deal, with luck of the seat that cancels out."""
    while True:
        luck = chance.uniform(-0.3, 0.3)
        yield (float(chance.random() < p + luck) + float(chance.random() < p - luck)) / 2


@pytest.mark.parametrize("deals", [coins, pairs])
def test_sequential_test_errs_as_rarely_as_it_says(
    deals: Callable[[float, random.Random], Iterator[float]],
) -> None:
    test = SequentialTest(0.5, 0.6)
    chance = random.Random(2)
    runs = 1000
    accepted: dict[float, list[str]] = {p: [] for p in (test.p0, test.p1)}
    for p, found in accepted.items():
        for _ in range(runs):
            decision = test.decide(islice(deals(p, chance), 1500))
            found.append("" if decision is None else decision.accepted)
    # The bounds are 5 % each; that errors come up at all shows that the test is worth its name.
    assert 0.01 < accepted[test.p0].count("p1") / runs <= 0.05
    assert 0.01 < accepted[test.p1].count("p0") / runs <= 0.05
    assert accepted[test.p0].count("p0") / runs > 0.9
    assert accepted[test.p1].count("p1") / runs > 0.9


def test_pairs_are_decided_sooner_than_coins() -> None:
    test = SequentialTest(0.5, 0.6)

    def mean_length(deals: Callable[[float, random.Random], Iterator[float]]) -> float:
        chance = random.Random(3)
        decisions = [test.decide(deals(0.6, chance)) for _ in range(200)]
        return sum(decision.deals for decision in decisions if decision) / 200

    assert mean_length(pairs) < 0.7 * mean_length(coins)


def test_undecided_without_evidence() -> None:
    assert SequentialTest(0.5, 0.6).decide([]) is None
    assert SequentialTest(0.5, 0.6).decide([0.55] * 20) is None


def test_test_is_read_from_text() -> None:
    assert SequentialTest.parse("p0=0.4,p1=0.7,beta=0.1") == SequentialTest(0.4, 0.7, beta=0.1)


@pytest.mark.parametrize(
    "text",
    ["", "p0=0.5", "p0=0.6,p1=0.5", "p0=0,p1=0.5", "p0=0.5,p1=nan", "p0=a,p1=b", "p0,p1",
     "p0=0.5,p1=0.6,alpha=0", "p0=0.5,p1=0.6,gamma=1"],
)  # fmt: skip
def test_what_is_no_test_is_refused(text: str) -> None:
    with pytest.raises(ArenaError):
        SequentialTest.parse(text)
