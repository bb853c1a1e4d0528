"""Whether a loss of strength is told from noise."""

from __future__ import annotations

import random

import pytest

from ai.arena.game import GameResult
from bench import quick_match


def leads(mean: float, seed: int) -> list[float]:
    chance = random.Random(seed)
    return [mean + chance.gauss(0, 15) for _ in range(quick_match.DEALS)]


def stored(values: list[float]) -> dict[str, object]:
    return {**quick_match.conditions(), "leads": {"greedy": values}}


def test_the_same_games_are_no_change() -> None:
    values = leads(20, 1)
    change = quick_match.difference(values, values)
    assert (change.value, change.low, change.high) == (0, 0, 0)
    assert quick_match.verdict(change).startswith("no change")
    assert not quick_match.compare({"greedy": values}, stored(values))


def test_the_luck_of_the_deals_cancels_out() -> None:
    """Three points less on every deal are told, though the deals differ by far more."""
    values = leads(20, 1)
    chance = random.Random(2)
    weaker = [value - 3 + chance.gauss(0, 3) for value in values]
    assert quick_match.compare({"greedy": weaker}, stored(values))
    assert not quick_match.compare({"greedy": values}, stored(weaker))
    assert quick_match.verdict(quick_match.difference(values, weaker)) == "stronger"


def test_noise_is_seldom_taken_for_a_change() -> None:
    wrong = sum(
        quick_match.compare({"greedy": leads(20, seed)}, stored(leads(20, 1000 + seed)))
        for seed in range(200)
    )
    assert wrong <= 14  # 2.5 % of them are expected


def test_results_of_other_conditions_are_refused() -> None:
    values = leads(20, 1)
    with pytest.raises(SystemExit, match="other conditions"):
        quick_match.compare({"greedy": values}, {**stored(values), "simulations": 7})


def test_the_lead_is_that_of_the_agent_and_a_failure_ends_the_run() -> None:
    result = GameResult(
        0, 1, ("greedy", "ismcts"), (0.0, 1.0), (80, 95), (1, 1), (1, 1), (0.0, 0.0), (0.0, 0.0)
    )
    assert quick_match.lead_of(result) == 15
    failed = GameResult(
        0, 1, ("greedy", "ismcts"), (0.0, 1.0), None, (1, 1), (1, 1), (0.0, 0.0), (0.0, 0.0), 0,
        "KeyError: 1",
    )  # fmt: skip
    with pytest.raises(SystemExit, match="deal 0: KeyError: 1"):
        quick_match.lead_of(failed)
