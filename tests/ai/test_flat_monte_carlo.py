"""Flat Monte Carlo: its numbers are those of the playouts, and it takes what did best."""

import math
from typing import Any

import pytest

import ai
import looot_core as lc
from ai.flat_monte_carlo import FlatMonteCarlo
from ai.greedy import ranked_turns
from ai.weights import hand_evaluation
from tests.ai.positions import play, random_position
from tests.positions import random_positions

START = random_position(1, steps=0)


def run(position: lc.Position, simulations: int, seed: int = 1) -> FlatMonteCarlo:
    search = FlatMonteCarlo(lc.State.from_position(position, seed=0), hand_evaluation(), seed)
    assert search.run(simulations, None, 600.0, None) == "simulations"
    return search


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_turn_is_played_before_any_is_played_again(players: int) -> None:
    position = random_position(2, players, steps=0)
    turns = run(position, 1).nodes - 1
    assert turns > 10
    for simulations in (1, turns - 1, turns, turns + 1, 5 * turns):
        search = run(position, simulations)
        visits = [values[2] for values in search.candidates()]
        assert len(visits) == min(simulations, turns)
        assert sum(visits) == search.simulations == simulations
        if simulations <= turns:
            assert set(visits) == {1}
    assert search.turn() == search.candidates()[0][1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_are_legal_and_values_in_their_ranges(players: int) -> None:
    for position in random_positions(players, "rulebook", players)[:-1:7]:
        search = run(position, 100)
        for action, turn, _, chance, lead, prior, error, line in search.candidates():
            play(lc.State.from_position(position, seed=1), turn)
            assert action == turn[0]
            assert line == turn
            assert 0 <= chance <= 1
            assert -300 < lead < 300
            assert 0 < prior <= 1
            assert 0 <= error <= 0.5
        assert len(search.expected_scores()) == len(search.score_spreads()) == players
        assert all(math.isfinite(spread) and spread >= 0 for spread in search.score_spreads())


def test_the_best_turn_of_the_evaluation_is_among_the_turns() -> None:
    for seed in range(5):
        position = random_position(seed, 3)
        best = ranked_turns(lc.State.from_position(position), hand_evaluation(), 1)[0][0]
        assert best in [values[1] for values in run(position, 60).candidates()]


def test_same_seed_gives_the_same_search() -> None:
    def found(seed: int) -> tuple[Any, ...]:
        search = run(START, 300, seed)
        return search.candidates(), search.expected_scores(), search.score_spreads()

    assert found(1) == found(1)
    assert found(1) != found(2)


def test_scores_are_those_of_playouts_at_random() -> None:
    """Behind the only turn that there is, the mean is the one of the core's own playouts."""
    (state,) = [
        state
        for position in random_positions(2, "printed", 3)
        if position.phase == lc.Phase.END_OF_TURN and position.turn_number == 8
        for state in [lc.State.from_position(position, seed=0)]
        if len(state.legal_actions()) == 1
    ]
    search = run(state.position(), 4000)
    assert search.nodes == 2
    scores = state.random_playouts(4000, 5)
    for player in range(2):
        spread = float(scores[:, player].std())
        mean = float(scores[:, player].mean())
        assert abs(search.expected_scores()[player] - mean) < 6 * spread / math.sqrt(2000)
        assert search.score_spreads()[player] == pytest.approx(spread, rel=0.1)
    agent = ai.create_agent("flat_mc", seed=1)
    analysis = agent.analyze(state.position(), ai.Limits(time_s=60))
    assert (analysis.stopped_by, analysis.simulations) == ("only_move", 100)
    assert agent.analyze(state.position(), ai.Limits(simulations=5)).simulations == 5


def test_the_last_turn_is_valued_exactly() -> None:
    """There a playout has nothing left to decide, so every visit says the same."""
    position = next(
        position
        for position in random_positions(2, "printed", 5)[::-1]
        if position.phase == lc.Phase.VIKING
    )
    assert sum(seat.vikings_in_hand for seat in position.seats) == 1
    for _, turn, visits, chance, lead, *_ in run(position, 200).candidates():
        state = lc.State.from_position(position, seed=1)
        mover = state.current_player
        play(state, turn)
        scores, winners = state.scores(), state.winners()
        assert lead == scores[mover] - scores[1 - mover]
        assert chance == ((mover in winners) / len(winners))
        assert visits >= 1


def test_it_beats_play_at_random() -> None:
    limits = ai.Limits(simulations=100)
    for game in range(4):
        state = lc.State(lc.GameSetup.random(players=2, seed=game))
        agents = [ai.create_agent("random", seed=game), ai.create_agent("flat_mc", seed=game)]
        while not state.is_over:
            play(state, agents[state.current_player].analyze(state.position(), limits).turn)
        assert state.winners() == [1]


def test_limits_and_a_finished_game() -> None:
    agent = ai.create_agent("flat_mc")
    with pytest.raises(ai.InvalidLimitsError, match="would never end"):
        agent.analyze(START, ai.Limits(memory_mb=1))
    assert agent.analyze(START, ai.Limits(time_s=0.02, processor_time=True)).stopped_by == "time"
    aborted = ai.StopFlag()
    aborted.abort()
    with pytest.raises(ai.SearchAborted):
        agent.analyze(START, ai.Limits(stop=aborted))
    over = lc.State.from_position(random_positions(2, "printed", 1)[-1])
    with pytest.raises(lc.LoootError, match="the game is over"):
        FlatMonteCarlo(over, hand_evaluation(), 1)
