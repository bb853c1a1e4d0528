"""Playouts by rules of thumb."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import looot_core as lc
from ai.playout import thumb_action, thumb_playouts
from tests.ai.positions import over_position
from tests.positions import position_in, random_positions

PHASES = ("viking", "second_viking", "tiles", "end_of_turn")


@pytest.mark.parametrize("edition", ["printed", "rulebook"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_action_is_legal(players: int, edition: str) -> None:
    """Wherever play at random leads, and in a game by rules of thumb."""
    for seed in range(4):
        for number, position in enumerate(random_positions(players, edition, seed)[:-1]):
            state = lc.State.from_position(position)
            assert thumb_action(state, number) in state.legal_actions()
        state = lc.State(lc.GameSetup.random(players=players, edition=edition, seed=seed))
        while not state.is_over:
            state.apply(thumb_action(state, state.hash() & 0xFFFF))


def test_all_kinds_of_actions_are_taken() -> None:
    words: Counter[str] = Counter()
    for seed in range(20):
        state = lc.State(lc.GameSetup.random(players=2, seed=seed))
        while not state.is_over:
            action = thumb_action(state, state.hash() & 0xFFFF)
            words[str(action).split()[0]] += 1
            words[str(action)] += 1
            state.apply(action)
    for word in ("viking", "tile", "longship", "trophy", "end"):
        assert words[word] >= 20, word
    for shield in ("second", "occupied", "double"):
        assert words[f"shield {shield}"] >= 10, shield


@pytest.mark.parametrize("phase", PHASES)
def test_playouts_go_from_any_phase_to_the_end(phase: str) -> None:
    won = 0.0
    for players in (2, 3, 4):
        state = lc.State.from_position(position_in(phase, players))
        scores = thumb_playouts(state, 20, seed=1)
        assert scores.shape == (20, players)
        assert scores.dtype == np.int32
        assert (scores.mean(axis=0) >= state.scores()).all()  # equal for who has no viking left
        won += float(scores.mean() - np.mean(state.scores()))
        assert ((scores > -100) & (scores < 300)).all()
    assert won > 0


def test_playout_of_a_finished_game_is_its_end() -> None:
    state = lc.State.from_position(over_position())
    assert thumb_playouts(state, 3, seed=1).tolist() == [state.scores()] * 3
    with pytest.raises(ValueError, match=r"^state: the game is over"):
        thumb_action(state, 1)


def test_seed_decides_and_the_state_stays_as_it_is() -> None:
    for phase in PHASES:
        state = lc.State.from_position(position_in(phase, 3))
        before, position = state.hash(), state.position()
        first, again, other = (thumb_playouts(state, 30, seed) for seed in (5, 5, 6))
        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)
        assert np.array_equal(first[:7], thumb_playouts(state, 7, 5))
        assert len({tuple(scores) for scores in first.tolist()}) > 1
        assert thumb_action(state, 5) == thumb_action(state, 5)
        assert (state.hash(), state.position()) == (before, position)


@pytest.mark.parametrize("edition", ["printed", "rulebook"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_rules_of_thumb_score_far_more_than_chance(players: int, edition: str) -> None:
    """Some 82 points a seat, where play at random has less than 20."""
    thumb, chance = [], []
    for seed in range(30):
        state = lc.State(lc.GameSetup.random(players=players, edition=edition, seed=seed))
        thumb.append(thumb_playouts(state, 10, seed).mean())
        chance.append(state.random_playouts(10, seed).mean())
    assert np.mean(thumb) > np.mean(chance) + 35
    assert 50 < np.mean(thumb) < 110


def test_no_playouts_are_none_and_fewer_are_refused() -> None:
    state = lc.State(lc.GameSetup.random(players=2, seed=1))
    assert thumb_playouts(state, 0, 1).shape == (0, 2)
    with pytest.raises(ValueError, match=r"^number: -1 is negative$"):
        thumb_playouts(state, -1, 1)


@pytest.mark.parametrize("seed", [-1, 1 << 64, "1", None])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:
    state = lc.State(lc.GameSetup.random(players=2, seed=1))
    for refuse in (lambda: thumb_playouts(state, 1, seed), lambda: thumb_action(state, seed)):
        with pytest.raises(lc.LoootError):
            refuse()
