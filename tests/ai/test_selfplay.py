"""Games of the greedy player against itself, as they are noted for learning."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import looot_core as lc
from ai.evaluation import Evaluation
from ai.features import features_of
from ai.selfplay import play_game
from ai.training.examples import Examples, play_games
from ai.training.players import greedy_player
from ai.weights import hand_evaluation, learned_evaluation

Game = tuple[NDArray[np.float32], NDArray[np.int32], list[int]]


def game(players: int, seed: int = 1, noise: float = 0.2) -> Game:
    state = lc.State(lc.GameSetup.random(players=players, seed=7))
    return play_game([hand_evaluation()] * players, state, seed, noise)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("noise", [0.0, 0.4])
def test_what_is_noted_is_the_game_from_a_turn_on(players: int, noise: float) -> None:
    features, facts, final = game(players, noise=noise)
    seats, left, scores, ends = facts.T
    assert len(features) == len(facts) == players * (len(facts) // players)
    assert np.isfinite(features).all()
    assert seats.tolist() == list(range(players)) * (len(facts) // players)
    if noise == 0:
        assert left[:players].tolist() == [13] * players
        assert scores[:players].tolist() == [0] * players
    assert left[-players:].sum() in (1, 2)  # before the last turn
    for seat in range(players):
        steps = -np.diff(left[seats == seat])
        assert steps.min() == 0
        assert steps.max() <= 2
        assert set(ends[seats == seat]) == {final[seat]}


def test_noise_makes_examples_begin_anywhere() -> None:
    begins = {int(game(2, seed, 0.4)[1][:2, 2].sum()) for seed in range(30)}
    assert len(begins) > 10
    assert min(begins) < 8
    assert max(begins) > 18


def test_the_first_rows_are_the_features_of_the_start() -> None:
    state = lc.State(lc.GameSetup.random(players=3, seed=3))
    before = state.hash()
    features, _, _ = play_game([hand_evaluation()] * 3, state, 1, 0.0)
    for player in range(3):
        np.testing.assert_array_equal(features[player], features_of(state, player))
    assert state.hash() == before


def test_seed_and_noise_decide_the_game() -> None:
    first, again, other = game(2), game(2), game(2, seed=2)
    for one, two in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, two)
    assert first[2] != other[2]
    assert game(2, noise=0.0)[2] != game(2, noise=1.0)[2]


def test_each_seat_plays_by_its_own_evaluation() -> None:
    players = [hand_evaluation(), learned_evaluation()]
    results = set()
    for evaluations in (players, players[::-1]):
        state = lc.State(lc.GameSetup.random(players=2, seed=7))
        results.add(tuple(play_game(evaluations, state, 1, 0.0)[2]))
    assert len(results) == 2


@pytest.mark.parametrize("evaluations", [[], [1], [1, 1, 1], [1] * 9, [1, None]])
def test_other_than_one_evaluation_a_seat_is_refused(evaluations: list[Any]) -> None:
    given: list[Evaluation] = [each and hand_evaluation() for each in evaluations]
    state = lc.State(lc.GameSetup.random(players=2, seed=1))
    with pytest.raises(ValueError, match=r"^evaluations: .* one for each of 2 seats$"):
        play_game(given, state, 1, 0.0)


def test_examples_are_kept_and_joined(tmp_path: Path) -> None:
    player = greedy_player(hand_evaluation(), 0.1)
    examples = play_games(player, 0, 4)
    path = tmp_path / "examples.npz"
    examples.save(path)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    loaded = Examples.load(path)
    np.testing.assert_array_equal(loaded.features, examples.features)
    np.testing.assert_array_equal(loaded.facts, examples.facts)
    parts = [play_games(player, 0, 2), play_games(player, 2, 2)]
    joined = Examples.join(parts)
    np.testing.assert_array_equal(joined.features, examples.features)
    np.testing.assert_array_equal(joined.facts, examples.facts)
    assert set(joined.facts[:, 0]) == {2, 3, 4}
