"""Greedy play: the best of the turns found, by what the evaluation says of their ends."""

import pytest

import ai
import looot_core as lc
from ai.greedy import ranked_turns
from ai.weights import hand_evaluation, learned_evaluation
from tests.ai.positions import play, random_position
from tests.positions import random_positions

EVALUATIONS = {"greedy": learned_evaluation(), "greedy_hand": hand_evaluation()}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_are_valued_by_the_evaluation_of_their_ends(players: int) -> None:
    compared = 0
    for position in random_positions(players, "printed", players)[:-1:10]:
        state = lc.State.from_position(position)
        mover = state.current_player
        ranked = ranked_turns(state, learned_evaluation())
        leads = [lead for _, _, lead, _ in ranked]
        assert leads == sorted(leads, reverse=True)
        for turn, share, lead, scores in ranked:
            assert lead == scores[mover] - max(
                score for seat, score in enumerate(scores) if seat != mover
            )
            if any(str(action).startswith("longship") for action in turn):
                continue  # what is revealed has a part in the value
            after = state.clone()
            play(after, turn)
            expected_scores, expected_shares = learned_evaluation().evaluate(after)
            assert scores == expected_scores
            assert share == expected_shares[mover]
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("name", EVALUATIONS)
def test_agents_take_the_first_of_the_ranked_turns(name: str) -> None:
    for seed in range(20):
        position = random_position(seed, 2 + seed % 3)
        state = lc.State.from_position(position, seed=0)
        analysis = ai.create_agent(name).analyze(position, ai.Limits())
        assert analysis.stopped_by == "complete"
        assert analysis.depth == 1
        assert len(analysis.expected_scores) == state.players
        if len(analysis.candidates) > 1:  # not the last turn
            ranked = ranked_turns(state, EVALUATIONS[name])
            assert [candidate.turn for candidate in analysis.candidates] == [
                turn for turn, _, _, _ in ranked
            ]
            assert analysis.weights_hash == EVALUATIONS[name].hash


@pytest.mark.parametrize("name", EVALUATIONS)
def test_the_position_alone_decides(name: str) -> None:
    for seed in range(5):
        position = random_position(seed, 3)
        first, again = (
            ai.create_agent(name, seed=n).analyze(position, ai.Limits()).candidates for n in (1, 2)
        )
        assert first == again


@pytest.mark.parametrize("name", EVALUATIONS)
def test_greedy_play_beats_play_at_random(name: str) -> None:
    for game in range(6):
        players = 2 + game % 3
        state = lc.State(lc.GameSetup.random(players=players, seed=game))
        seat = game % players
        agents = [ai.create_agent("random", seed=game) for _ in range(players)]
        agents[seat] = ai.create_agent(name)
        while not state.is_over:
            mover = agents[state.current_player]
            play(state, mover.analyze(state.position(), ai.Limits()).turn)
        assert state.winners() == [seat]


@pytest.mark.parametrize("level", [-1, 7, 1000])
def test_a_level_that_is_none_is_refused(level: int) -> None:
    state = lc.State(lc.GameSetup.random(seed=1))
    with pytest.raises(ValueError, match=f"^level: {level} is not from 0 to 6$"):
        ranked_turns(state, hand_evaluation(), level)


def test_a_finished_game_is_refused() -> None:
    over = lc.State.from_position(random_positions(2, "printed", 1)[-1])
    with pytest.raises(ValueError, match=r"^state: the game is over"):
        ranked_turns(over, hand_evaluation())
