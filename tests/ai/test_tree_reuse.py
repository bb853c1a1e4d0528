"""The tree of the last move, where a later position lies in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ai
import looot_core as lc
from ai.greedy import ranked_turns
from ai.last_turn import is_last
from ai.turn_search import TurnSearch
from ai.weights import learned_evaluation
from tests.ai.positions import play, random_position

START = random_position(1, steps=0)
SIMULATIONS = 200
LIMITS = ai.Limits(simulations=SIMULATIONS)


def search_of(state: lc.State) -> TurnSearch:
    search = TurnSearch(state, learned_evaluation(), 1, 1 << 24)
    search.run(SIMULATIONS, None, 3600.0, None)
    return search


def legal_here(state: lc.State, turn: list[lc.Action]) -> bool:
    play(lc.State.from_position(state.position(), seed=0), turn)
    return True


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_is_played_with_the_tree_of_the_move_before(players: int) -> None:
    """Its turns are legal whatever was revealed; where more seats play, fewer are known."""
    known = turns = 0
    for seed in range(2 if players == 2 else 1):
        state = lc.State(lc.GameSetup.random(players=players, seed=seed))
        agents = [ai.create_agent("ismcts", seed=seat) for seat in range(players)]
        while not state.is_over:
            solved = is_last(lc.State.from_position(state.position()))
            analysis = agents[state.current_player].analyze(state.position(), LIMITS)
            visits = sum(candidate.visits for candidate in analysis.candidates)
            if not solved:
                assert analysis.simulations == SIMULATIONS
                assert analysis.candidates[0].turn == analysis.turn
                assert SIMULATIONS - 1 <= visits <= SIMULATIONS + analysis.reused_visits
                assert sum(c.prior or 0 for c in analysis.candidates) <= 1 + 1e-6
                known += analysis.reused_visits > 0
                turns += 1
            assert all(legal_here(state, candidate.turn) for candidate in analysis.candidates)
            play(state, analysis.turn)
    assert players > 2 or known > 0.1 * turns


def test_what_is_below_the_turns_played_is_kept() -> None:
    state = lc.State.from_position(START, seed=3)
    search = search_of(state)
    search.run(20 * SIMULATIONS, None, 3600.0, None)
    nodes, before = search.nodes, search.candidates()[0][2]
    play(state, search.turn())
    assert search.follow(state) == 0  # another mover
    kept = 0
    for reply, *_ in ranked_turns(state, learned_evaluation(), 0, 40):
        after = state.clone()
        play(after, reply)
        kept = search.follow(after)
        if kept:  # the tree has the turn, and visited it
            break
    assert 0 < kept < before
    assert kept == search.visits
    assert search.simulations == 0
    assert search.nodes < nodes
    search.run(SIMULATIONS, None, 3600.0, None)
    assert search.visits == kept + SIMULATIONS
    play(after, search.turn())


def test_the_same_position_goes_on_with_all() -> None:
    state = lc.State.from_position(START, seed=0)
    search, longer = search_of(state), search_of(state)
    longer.run(2 * SIMULATIONS, None, 3600.0, None)
    assert search.follow(state) == SIMULATIONS
    search.run(SIMULATIONS, None, 3600.0, None)
    assert search.candidates() == longer.candidates()
    assert search.visits == longer.visits == 2 * SIMULATIONS


def test_the_revealed_longship_may_be_taken() -> None:
    """Where a tile is new to the tree, turns are looked for with it."""
    taken = 0
    for seed in range(3):
        state = lc.State(lc.GameSetup.random(players=2, seed=seed))
        agents = [ai.create_agent("ismcts", seed=seed), ai.create_agent("greedy")]
        seen: set[object] = set(state.position().ocean_longships)
        while not state.is_over:
            analysis = agents[state.current_player].analyze(state.position(), LIMITS)
            fresh = {
                str(n)
                for n, tile in enumerate(state.position().ocean_longships)
                if tile not in seen
            }
            if analysis.reused_visits and state.current_player == 0:
                for candidate in analysis.candidates:
                    words = [str(action).split() for action in candidate.turn]
                    taken += any(w[0] == "longship" and w[1] in fresh for w in words)
            if state.current_player == 0:
                seen = set(state.position().ocean_longships)
            play(state, analysis.turn)
    assert taken


def test_another_game_or_seat_begins_a_new_tree() -> None:
    agent = ai.create_agent("ismcts", seed=1)
    agent.analyze(START, LIMITS)
    other = random_position(2, steps=0)
    analysis = agent.analyze(other, LIMITS)
    assert analysis.reused_visits == 0
    assert analysis == _timeless(ai.create_agent("ismcts", seed=1).analyze(other, LIMITS), analysis)


def _timeless(analysis: ai.Analysis, other: ai.Analysis) -> ai.Analysis:
    return replace(analysis, time_s=other.time_s)


def test_agents_with_one_history_repeat() -> None:
    found = []
    for _ in range(2):
        state = lc.State(lc.GameSetup.random(players=2, seed=4))
        agent = ai.create_agent("ismcts", seed=7)
        for _ in range(6):
            analysis = agent.analyze(state.position(), LIMITS)
            found.append((analysis.candidates, analysis.reused_visits, analysis.nodes))
            play(state, analysis.turn)
            play(state, ai.create_agent("greedy").analyze(state.position(), LIMITS).turn)
    assert found[:6] == found[6:]
    assert any(reused for _, reused, _ in found)


def test_first_actions_levels_and_another_memory_begin_a_new_tree() -> None:
    first = lc.State.from_position(START).legal_actions()[:3]
    cases = [
        (10, LIMITS, ai.Limits(simulations=SIMULATIONS, only=first)),
        (10, ai.Limits(simulations=SIMULATIONS, only=first), LIMITS),
        (10, LIMITS, ai.Limits(simulations=SIMULATIONS, memory_mb=3)),
        (9, LIMITS, LIMITS),
    ]
    for level, before, now in cases:
        agent = ai.create_agent("ismcts", level=level, seed=1)
        agent.analyze(START, before)
        assert agent.analyze(START, now).reused_visits == 0
    agent = ai.create_agent("ismcts", seed=1)
    agent.analyze(START, LIMITS)
    assert agent.analyze(START, LIMITS).reused_visits == SIMULATIONS
