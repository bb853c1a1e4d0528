"""What an analysis says of first steps, and how far its numbers may be off."""

from __future__ import annotations

import math

import pytest

import ai
import looot_core as lc
from ai.evaluation import Evaluation
from ai.greedy import ranked_turns
from ai.hand_weights import hand_weights
from ai.turn_search import TurnSearch
from ai.weights import learned_evaluation
from tests.ai.positions import random_position


def analyses(name: str, simulations: int = 150) -> list[tuple[lc.Position, ai.Analysis]]:
    limits = ai.Limits(simulations=simulations)
    positions = [
        random_position(seed, players, edition=edition)
        for seed in range(6)
        for players in (2, 3, 4)
        for edition in lc.EDITIONS
    ]
    return [
        (position, ai.create_agent(name, seed=seed).analyze(position, limits))
        for seed, position in enumerate(positions)
    ]


@pytest.mark.parametrize("name", ai.agent_names())
def test_steps_sum_up_the_candidates(name: str) -> None:
    several = False
    for position, analysis in analyses(name):
        steps = analysis.steps
        legal = lc.State.from_position(position).legal_actions()
        assert {step.action for step in steps} == {c.action for c in analysis.candidates}
        assert len({step.action for step in steps}) == len(steps)
        assert all(step.action in legal for step in steps)
        assert sum(step.visits for step in steps) == sum(c.visits for c in analysis.candidates)
        visits = [step.visits for step in steps]
        assert visits == sorted(visits, reverse=True)
        for step in steps:
            turns = [c for c in analysis.candidates if c.action == step.action]
            several = several or len(turns) > 1
            assert step.visits == sum(c.visits for c in turns)
            for of_step, of_turns in (
                (step.win_probability, [c.win_probability for c in turns]),
                (step.score_lead, [c.score_lead for c in turns]),
            ):
                known = [value for value in of_turns if value is not None]
                if of_step is None:
                    assert not known
                else:
                    assert min(known) - 1e-9 <= of_step <= max(known) + 1e-9
            priors = [c.prior for c in turns if c.prior is not None]
            assert step.prior == (pytest.approx(sum(priors)) if priors else None)
            assert step.prior is None or 0 < step.prior <= 1 + 1e-6
    assert several or name not in ("ismcts", "greedy", "greedy_hand")


def test_steps_of_a_search_of_turns_have_all_its_simulations() -> None:
    for _, analysis in analyses("ismcts"):
        if analysis.stopped_by == "simulations":
            visits = sum(step.visits for step in analysis.steps)
            assert visits == analysis.simulations == 150
            mean = sum(
                step.visits * step.win_probability
                for step in analysis.steps
                if step.win_probability is not None
            )
            assert 0 <= mean / visits <= 1


@pytest.mark.parametrize("name", ["ismcts", "ismcts_plain", "greedy", "greedy_hand"])
def test_spreads_are_those_of_the_seats(name: str) -> None:
    for position, analysis in analyses(name):
        spreads = analysis.score_spreads
        assert len(spreads) == len(analysis.expected_scores) == position.players
        assert all(math.isfinite(spread) and 0 <= spread < 60 for spread in spreads)
        if any(seat.vikings_in_hand > 2 for seat in position.seats):
            assert max(spreads) > 0


def test_who_estimates_nothing_gives_no_spread() -> None:
    _, analysis = analyses("random")[0]
    assert analysis.score_spreads == []


def test_spreads_grow_with_the_vikings_in_hand() -> None:
    early = ai.create_agent("ismcts", seed=1).analyze(
        random_position(1, steps=0), ai.Limits(simulations=100)
    )
    spread = learned_evaluation().spreads(lc.State.from_position(random_position(1, steps=0)))
    assert all(0.6 * spread[0] < found < 1.6 * spread[0] for found in early.score_spreads)
    state = lc.State(lc.GameSetup.random(seed=3))
    while sum(seat.vikings_in_hand for seat in state.position().seats) > 3:
        for action in ranked_turns(state, learned_evaluation())[0][0]:
            state.apply(action)
    late = ai.create_agent("ismcts", seed=1).analyze(state.position(), ai.Limits(simulations=100))
    assert sum(late.score_spreads) < 0.75 * sum(early.score_spreads)


def test_spread_is_that_of_forecasts_and_of_the_evaluation() -> None:
    """With weights that forecast no gain, both parts are known exactly."""
    position = random_position(2, 2, steps=0)
    weights = {name: 0 * value for name, value in hand_weights().items()}
    weights["spread"][:] = 3.0
    weights["scale"][:] = 5.0
    search = TurnSearch(lc.State.from_position(position, seed=0), Evaluation(weights), 1, 1 << 24)
    search.run(1, None, 3600.0, None)
    assert search.score_spreads() == pytest.approx([3.0, 3.0])
    search.run(300, None, 3600.0, None)
    assert all(spread >= 3.0 for spread in search.score_spreads())
    weights["spread"][:] = 0.0
    again = TurnSearch(lc.State.from_position(position, seed=0), Evaluation(weights), 1, 1 << 24)
    again.run(300, None, 3600.0, None)
    assert [math.hypot(between, 3.0) for between in again.score_spreads()] == pytest.approx(
        search.score_spreads()
    )


def test_final_scores_lie_within_the_spreads() -> None:
    """Of the results of games that the search plays itself, most lie within 2.5 spreads."""
    inside = total = 0
    for seed in range(4):
        state = lc.State(lc.GameSetup.random(players=2, seed=seed))
        found = []
        agent = ai.create_agent("ismcts", seed=seed)
        while not state.is_over:
            analysis = agent.analyze(state.position(), ai.Limits(simulations=20))
            found.append((analysis.expected_scores, analysis.score_spreads))
            for action in analysis.turn:
                state.apply(action)
        for means, spreads in found:
            for final, mean, spread in zip(state.scores(), means, spreads, strict=True):
                inside += abs(final - mean) <= 2.5 * spread + 0.5
                total += 1
    assert inside > 0.9 * total


def test_standard_errors_shrink_with_visits_and_never_vanish() -> None:
    position = random_position(4, 3, steps=30)
    agent = ai.create_agent("ismcts", seed=1)
    for simulations in (30, 1000):
        analysis = agent.analyze(position, ai.Limits(simulations=simulations))
        for candidate in analysis.candidates:
            chance, error = candidate.win_probability, candidate.standard_error
            assert chance is not None
            assert error is not None
            doubt = chance * (1 - chance)
            assert error >= doubt / 9 - 1e-12
            if candidate.visits == 1:
                assert error == pytest.approx(doubt * math.hypot(1 / 3, 1 / 9), abs=1e-9)
            if candidate.visits >= 100:
                assert error < 0.2 * doubt
